#!/bin/bash
# The table as systemd's service, installed in /opt/companion of a Debian 12: first in a
# container with a simulated vault, then in a virtual machine whose kernel has a GPIO
# chip, with a coil and with a servo. service_inside.py says what is proven.
. "$(dirname "$0")/common.sh"
. "$machines/vm.sh"
[ "$(id -u)" = 0 ] || skip "only root starts a machine in systemd-nspawn"
debian mmdebstrap systemd-container
parts=${*:-container coil servo}

# What is installed changes with the lock alone; the project itself comes in later.
make_venv() {
    mkdir -p "$making/upper" "$making/work" "$making/root"
    mount -t overlay overlay "$making/root" -o \
        "lowerdir=$CACHE/service-bookworm,upperdir=$making/upper,workdir=$making/work"
    online "$making/root"
    mkdir -p "$making/root/opt/companion/versions"
    cp "$project/release/lock-bookworm.txt" "$making/root/opt/wanted"
    chroot "$making/root" /bin/sh -ec '
        python3 -m venv /opt/companion/versions/proof
        ln -s versions/proof /opt/companion/current
        /opt/companion/current/bin/pip install --quiet --no-cache-dir --only-binary :all: \
            --disable-pip-version-check --require-hashes --requirement /opt/wanted 2>/dev/null' || {
        umount "$making/root"
        return 1
    }
    umount "$making/root"
    rm -rf "$making/root" "$making/work"
}
rootfs service-bookworm bookworm amd64 apt \
    systemd,systemd-sysv,dbus,udev,kmod,python3,python3-venv,procps,e2fsprogs
venv=service-venv-$(sha256sum "$project/release/lock-bookworm.txt" | cut -c1-12)
once "$venv" make_venv || skip "the packages of Python cannot be reached"

run=$(mktemp -d "$CACHE/service-run.XXXXXX")
trap 'umount "$run/root" 2>/dev/null || true; rm -rf --one-file-system "$run"' EXIT
mkdir "$run/upper" "$run/work" "$run/root" "$run/out"
mount -t overlay overlay "$run/root" -o \
    "lowerdir=$CACHE/$venv/upper:$CACHE/service-bookworm,upperdir=$run/upper,workdir=$run/work"

# The project as an installer leaves it: code, units, settings, user and groups.
fill() {
    local root=$1
    mkdir -p "$root/proof/source" "$root/etc/companion"
    (
        cd "$project"
        git ls-files -z --cached --others --exclude-standard -- \
            cli.py serving.py companion hardware web pyproject.toml README.md LICENSE |
            xargs -0 cp --parents -t "$root/proof/source"
    )
    chroot "$root" /opt/companion/current/bin/pip install --quiet --no-index --no-deps \
        --no-build-isolation --disable-pip-version-check /proof/source 2>/dev/null
    cp "$project"/systemd/companion{,-coil-off}.service "$root/etc/systemd/system/"
    cp "$project/systemd/companion.conf" "$root/etc/companion/"
    cp "$machines/service_inside.py" "$machines/claims.py" "$root/proof/"
    (cd "$project" && cp --parents tests/__init__.py tests/kernel/{__init__,horn,scope}.py "$root/proof/")
    chroot "$root" /bin/sh -ec '
        groupadd --system gpio
        useradd --system --user-group --home-dir /var/lib/companion --shell /usr/sbin/nologin companion
        systemctl --quiet enable companion companion-coil-off
        systemctl --quiet mask apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer \
            e2scrub_all.timer e2scrub_reap.service fstrim.timer getty.target \
            systemd-binfmt.service proc-sys-fs-binfmt_misc.automount'
    # As Raspberry Pi OS has it, in its 99-com.rules.
    cat >"$root/etc/udev/rules.d/99-gpio.rules" <<'END'
SUBSYSTEM=="gpio", KERNEL=="gpiochip*", GROUP="gpio", MODE="0660"
SUBSYSTEM=="pwm", ACTION!="remove", PROGRAM="/bin/sh -c 'chgrp -R gpio /sys%p && chmod -R g=u /sys%p'"
END
    cat >"$root/etc/systemd/system/proof.service" <<'END'
[Unit]
After=multi-user.target
[Service]
Type=oneshot
TimeoutStartSec=infinity
EnvironmentFile=/proof/part
ExecStart=/bin/sh -c '/opt/companion/current/bin/python -u /proof/service_inside.py $PART >/proof/out/log 2>&1; echo $? >/proof/out/code; $END'
END
    mkdir -p "$root/proof/out" "$root/etc/systemd/system/multi-user.target.wants"
    ln -s ../proof.service "$root/etc/systemd/system/multi-user.target.wants/"
}
fill "$run/root"

# passed PART: show what PART said, and fail if it did.
passed() {
    [ ! -e "$run/out/log" ] || cat "$run/out/log"
    [ "$(cat "$run/out/code" 2>/dev/null)" = 0 ] || {
        tail -n 30 "$run/console"
        echo "FAILED $1: the lines above say where"
        exit 1
    }
    rm "$run/out/log" "$run/out/code"
}

if [[ $parts = *container* ]]; then
    printf '%s\n' PART=container 'END=systemctl exit 0' >"$run/root/proof/part"
    sed -i 's/^#COMPANION_VAULT=.*/COMPANION_VAULT=simulated/' "$run/root/etc/companion/companion.conf"
    timeout "${LIMIT:-400}" systemd-nspawn --quiet --directory "$run/root" --boot \
        --private-network --register=no --keep-unit --volatile=overlay \
        --bind="$run/out:/proof/out" >"$run/console" 2>&1 || true
    passed container
fi
# on_pins PART LATCH: the same in the machine with pins, where LATCH pulls the bolt.
on_pins() {
    vm_counts 1
    printf '%s\n' "PART=$1" 'END=systemctl poweroff -f -f' >"$run/root/proof/part"
    sed -i -e 's/^COMPANION_VAULT=.*/#COMPANION_VAULT=gpio/' \
        -e "s/^#\?COMPANION_LATCH=.*/COMPANION_LATCH=$2/" "$run/root/etc/companion/companion.conf"
    # shellcheck disable=SC2016 # The machine expands it.
    vm_initrd "$run/initrd" '
share root /low cache=loose,ro
mkdir /memory
mount -t tmpfs memory /memory
mkdir /memory/upper /memory/work /table
mount -t overlay -o lowerdir=/low,upperdir=/memory/upper,workdir=/memory/work table /table
share out /table/proof/out rw
echo 1 >/sys/module/gpio_sim_oot/parameters/persist
echo pull-up >/sys/devices/platform/$(cat $chip/dev_name)/$(cat $chip/bank/chip_name)/sim_gpio17/pull
for folder in proc sys dev; do mount --move "/$folder" "/table/$folder"; done
mkdir -p /table/proof/config
mount --move /config /table/proof/config
exec switch_root /table /sbin/init' overlay autofs4
    vm_boot "${LIMIT:-1800}" "$run/initrd" "$run/root" "$run/out" >"$run/console" 2>&1 || true
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
