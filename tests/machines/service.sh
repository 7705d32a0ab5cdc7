#!/bin/bash
# The table as systemd's service, installed in /opt/companion of a Debian 12: first in a
# container with a simulated vault, then in a virtual machine whose kernel has a GPIO
# chip, with a coil and with a servo. service_inside.py says what is proven.
. "$(dirname "$0")/common.sh"
. "$machines/vm.sh"
. "$machines/table.sh"
table
debian systemd-container
parts=${*:-container coil servo}

if [[ $parts = *container* ]]; then
    told service_inside.py container 'systemctl exit 0'
    sed -i 's/^#COMPANION_VAULT=.*/COMPANION_VAULT=simulated/' "$run/root/etc/companion/companion.conf"
    timeout "${LIMIT:-400}" systemd-nspawn --quiet --directory "$run/root" --boot \
        --private-network --register=no --keep-unit --volatile=overlay \
        --bind="$run/out:/proof/out" >"$run/console" 2>&1 || true
    passed container
fi
# on_pins PART LATCH: the same in the machine with pins, where LATCH pulls the bolt.
on_pins() {
    vm_counts 1
    told service_inside.py "$1" 'systemctl poweroff -f -f'
    sed -i -e 's/^COMPANION_VAULT=.*/#COMPANION_VAULT=gpio/' \
        -e "s/^#\?COMPANION_LATCH=.*/COMPANION_LATCH=$2/" "$run/root/etc/companion/companion.conf"
    # shellcheck disable=SC2016 # The machine expands it.
    table_boots 'echo 1 >/sys/module/gpio_sim_oot/parameters/persist
echo pull-up >/sys/devices/platform/$(cat $chip/dev_name)/$(cat $chip/bank/chip_name)/sim_gpio17/pull'
    passed "$1"
}

if [[ $parts = *coil* ]]; then
    vm_ready
    look='cat /sys/devices/platform/gpio-sim.0/gpiochip*/sim_gpio17/value >>/run/coil-at-boot'
    mkdir -p "$run/root/etc/systemd/system/companion-coil-off.service.d"
    printf '%s\n' '[Service]' "ExecStartPre=+/bin/sh -c '$look'" "ExecStartPost=+/bin/sh -c '$look'" \
        >"$run/root/etc/systemd/system/companion-coil-off.service.d/proof.conf"
    on_pins coil solenoid
fi
if [[ $parts = *servo* ]]; then
    vm_ready
    vm_servo
    [ -n "$servo" ] || skip "there is no servo without it"
    on_pins servo servo
fi
