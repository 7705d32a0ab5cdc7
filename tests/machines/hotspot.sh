#!/bin/bash
# The table's own Wi-Fi, in a virtual machine with Debian's kernel and three simulated
# radios: the table's, a phone's, and a home's router. See README.md here.
. "$(dirname "$0")/common.sh"

[ "$(uname -m)" = x86_64 ] || skip "the machine is made for x86-64, this is $(uname -m)"
python=$("$project/.venv/bin/python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
[ "$python" = 3.11 ] || skip "the machine has Debian 12's Python 3.11, .venv has $python"
debian linux-image-amd64 kmod cpio busybox-static qemu-system-x86
rootfs hotspot-bookworm bookworm amd64 apt "$(
    printf '%s,' systemd systemd-sysv dbus network-manager wpasupplicant dnsmasq-base \
        nftables iptables iw python3 kmod iproute2 busybox-static procps \
        curl
)"
kernel=$(basename -a /lib/modules/6.1.*-amd64 | sort -V | tail -1)
[ -e "/boot/vmlinuz-$kernel" ] || skip "Debian's kernel 6.1 is not in /boot"
[ -e "/lib/modules/$kernel/kernel/drivers/net/wireless/mac80211_hwsim.ko" ] ||
    skip "$kernel has no simulated radios"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{initrd/{bin,modules,proc,sys,dev},out}
cp /bin/busybox "$work/initrd/bin/"
for module in virtio_pci 9pnet_virtio 9p overlay autofs4; do
    modprobe --show-depends -S "$kernel" "$module" | awk '$1 == "insmod" {print $2}'
done | awk '!seen[$0]++' >"$work/paths"
while read -r path; do
    cp "$path" "$work/initrd/modules/"
    basename "$path"
done <"$work/paths" >"$work/initrd/order"
cat >"$work/initrd/init" <<INIT
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
for module in \$(cat /order); do insmod "/modules/\$module"; done
share() {
    mkdir -p "\$2"
    mount -t 9p -o "trans=virtio,version=9p2000.L,msize=512000,\$3" "\$1" "\$2"
}
share root /host cache=loose,ro
mkdir /memory
mount -t tmpfs memory /memory
mkdir /memory/upper /memory/work /table
mount -t overlay -o "lowerdir=/host$CACHE/hotspot-bookworm,upperdir=/memory/upper,workdir=/memory/work" table /table
share out /table/mnt rw
mkdir -p /table/lib/modules /table/srv/companion
mount --bind /host/lib/modules /table/lib/modules
mount --bind "/host$project" /table/srv/companion
for one in proc sys dev; do mount --move /\$one /table/\$one; done
ln -s /srv/companion/tests/machines/hotspot-proof.service /table/etc/systemd/system/hotspot-proof.service
mkdir -p /table/etc/systemd/system/multi-user.target.wants
ln -s /srv/companion/tests/machines/hotspot-proof.service /table/etc/systemd/system/multi-user.target.wants/
exec switch_root /table /sbin/init
INIT
chmod +x "$work/initrd/init"
(cd "$work/initrd" && find . | cpio -o -H newc --quiet) >"$work/initrd.cpio"

# Never with KVM: where this is a virtual machine itself, the guest may hang in its
# loader for ever.
timeout 1500 qemu-system-x86_64 -machine q35 -accel tcg -cpu max -smp 2 -m 1536 \
    -display none -no-reboot -nodefaults -serial mon:stdio \
    -kernel "/boot/vmlinuz-$kernel" -initrd "$work/initrd.cpio" \
    -append "console=ttyS0 quiet panic=-1 systemd.show_status=no" \
    -virtfs "local,path=/,mount_tag=root,security_model=none,readonly=on,multidevs=remap" \
    -virtfs "local,path=$work/out,mount_tag=out,security_model=none,multidevs=remap" \
    </dev/null
code=$(cat "$work/out/code" 2>/dev/null || echo 125)
exit "$code"
