#!/bin/bash
# The table's own Wi-Fi, in a virtual machine with Debian's kernel and three simulated
# radios: the table's, a phone's, and a home's router. See README.md here.
. "$(dirname "$0")/common.sh"
. "$machines/vm.sh"

python=$("$project/.venv/bin/python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
[ "$python" = 3.11 ] || skip "the machine has Debian 12's Python 3.11, .venv has $python"
vm_ready
[ -e "/lib/modules/$kernel/kernel/drivers/net/wireless/mac80211_hwsim.ko" ] ||
    skip "$kernel has no simulated radios"
rootfs hotspot-bookworm bookworm amd64 apt "$(
    printf '%s,' systemd systemd-sysv dbus network-manager wpasupplicant dnsmasq-base \
        nftables iptables iw python3 kmod iproute2 busybox-static procps \
        curl
)"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/out"
vm_initrd "$work/initrd" "
share root /host cache=loose,ro
mkdir /memory
mount -t tmpfs memory /memory
mkdir /memory/upper /memory/work /table
mount -t overlay -o 'lowerdir=/host$CACHE/hotspot-bookworm,upperdir=/memory/upper,workdir=/memory/work' table /table
share out /table/mnt rw
mkdir -p /table/lib/modules /table/srv/companion
mount --bind /host/lib/modules /table/lib/modules
mount --bind '/host$project' /table/srv/companion
for folder in proc sys dev; do mount --move /\$folder /table/\$folder; done
ln -s /srv/companion/tests/machines/hotspot-proof.service /table/etc/systemd/system/hotspot-proof.service
mkdir -p /table/etc/systemd/system/multi-user.target.wants
ln -s /srv/companion/tests/machines/hotspot-proof.service /table/etc/systemd/system/multi-user.target.wants/
exec switch_root /table /sbin/init" overlay autofs4
vm_boot "${LIMIT:-1500}" "$work/initrd" / "$work/out"
exit "$(cat "$work/out/code" 2>/dev/null || echo 125)"
