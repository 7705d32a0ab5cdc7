#!/bin/bash
# A card that starts by itself, on Debian 13 in a virtual machine, by nothing but
# switching it on: card-inside.sh looks on from inside and says what is proven.
. "$(dirname "$0")/common.sh"
ROOT=$CACHE/card-trixie
NAME="Anna's \"5 GHz\""
PASSWORD="it's a \\secret: 42"

# Debian 13 with what Raspberry Pi OS Lite has and the table needs, and no python3-venv.
_filled() {
    _rootfs trixie amd64 apt "$(printf '%s,' systemd systemd-sysv dbus udev passwd python3 \
        cloud-init netplan.io network-manager wpasupplicant dnsmasq-base nftables iw \
        rfkill wireless-regdb procps curl kmod iproute2 linux-image-amd64)"
    mkdir -p "$making/boot/firmware" "$making/usr/lib/netplan"
    printf '%s\n' '/dev/vda / ext4 defaults 0 1' \
        '/dev/vdb /boot/firmware vfat defaults 0 2' >"$making/etc/fstab"
    # Where Raspberry Pi OS looks for the files, and who runs its network.
    cat >"$making/etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg" <<'END'
datasource_list: [ NoCloud, None ]
datasource:
  NoCloud:
    seedfrom: file:///boot/firmware
END
    printf '%s\n' network: '  version: 2' '  renderer: NetworkManager' \
        >"$making/usr/lib/netplan/00-network-manager-all.yaml"
    chmod 600 "$making/usr/lib/netplan/00-network-manager-all.yaml"
    mkdir -p "$making/etc/systemd/system/cloud-init-main.service.d"
    printf '%s\n' '[Unit]' 'RequiresMountsFor=/boot/firmware' \
        >"$making/etc/systemd/system/cloud-init-main.service.d/card.conf"
    echo mac80211_hwsim >"$making/etc/modules-load.d/radios.conf"
    echo 'options mac80211_hwsim radios=2' >"$making/etc/modprobe.d/radios.conf"
    cat >"$making/usr/local/sbin/look-on" <<'END'
modprobe 9pnet_virtio
mkdir -p /mnt/out
until mountpoint -q /mnt/out || mount -t 9p -o trans=virtio,version=9p2000.L out /mnt/out; do
    sleep 1
done
exec bash "/mnt/out/$1.sh"
END
    look_on card-home 'Before=NetworkManager.service'
    look_on card-inside 'After=card-home.service'
}

# look_on NAME ORDER: a script of this folder, as a service of the machine.
look_on() {
    cat >"$making/etc/systemd/system/$1.service" <<END
[Unit]
$2
After=systemd-modules-load.service
[Service]
Type=$([ "$1" = card-home ] && echo oneshot || echo exec)
RemainAfterExit=yes
ExecStart=/bin/bash /usr/local/sbin/look-on $1
END
    mkdir -p "$making/etc/systemd/system/multi-user.target.wants"
    ln -s "../$1.service" "$making/etc/systemd/system/multi-user.target.wants/"
}

_disk() {
    truncate -s 4G "$making"
    mke2fs -q -t ext4 -d "$ROOT" "$making"
}

# The card's boot partition, with the bundle on it and a firmware's config.txt.
card() {
    truncate -s 512M "$work/card"
    mkfs.vfat -n BOOTFS "$work/card" >/dev/null
    printf '%s\n' 'dtparam=audio=on' '[all]' >"$work/config.txt"
    mcopy -i "$work/card" "$work/config.txt" ::
    mcopy -s -i "$work/card" "$bundle"/* ::
}

# blanks NAME PASSWORD COUNTRY: what a person types into the file on the card.
blanks() {
    python3 - "$project/release/card/network-config" "$@" >"$work/network-config" <<'END'
import sys
text = open(sys.argv[1], encoding="utf-8").read()
for label, value in zip(("Wi-Fi name", "Wi-Fi password", "Country"), sys.argv[2:]):
    text = text.replace(f"# {label}:", f"# {label}: {value}")
sys.stdout.buffer.write(text.replace("\n", "\r\n").encode())
END
    mcopy -o -i "$work/card" "$work/network-config" ::
}

# machine STAGE: the machine until it ends; what its console shows is kept.
machine() {
    echo "$1" >"$work/out/stage"
    rm -f "$work/out/code"
    console=$work/console-$1
    qemu-system-x86_64 -machine q35 -accel tcg -cpu max -smp 2 -m 1536 \
        -display none -no-reboot -nodefaults -serial "file:$console" \
        -kernel "$ROOT/boot/vmlinuz-$release" -initrd "$ROOT/boot/initrd.img-$release" \
        -append "root=/dev/vda rw console=ttyS0 quiet systemd.show_status=false systemd.default_device_timeout_sec=900 panic=-1" \
        -drive file="$work/disk",if=virtio,format=raw \
        -drive file="$work/card",if=virtio,format=raw \
        -virtfs "local,path=$work/out,mount_tag=out,security_model=none,multidevs=remap" \
        </dev/null &
    qemu=$!
}

# boot STAGE: switch it on; false if anything that was looked at inside is not so.
boot() {
    local watchdog
    echo "== $1"
    machine "$1"
    (sleep "${LIMIT:-1800}" && kill "$qemu") &
    watchdog=$!
    wait "$qemu" || true
    kill "$watchdog"
    cat "$work/out/log" 2>/dev/null || true
    [ "$(cat "$work/out/code" 2>/dev/null)" = 0 ] || no "$1"
}

no() {
    tail -n 40 "$console"
    echo "FAILED $1: the lines above say where"
    exit 1
}

# cut_off WORDS: pull the plug a moment after the console says WORDS.
cut_off() {
    local seconds=0
    echo "== The plug is pulled in the middle of the installation"
    machine cut-off
    until grep -q "$1" "$console" 2>/dev/null; do
        [ $seconds -lt "${LIMIT:-1800}" ] || no "it says: $1"
        kill -0 "$qemu" 2>/dev/null || no 'it runs'
        sleep 1
        seconds=$((seconds + 1))
    done
    sleep 20
    kill -9 "$qemu"
    wait "$qemu" 2>/dev/null || true
    echo "ok      after $seconds s and 20 more"
}

shown() { grep -qF -- "$1" "$console" || no "the screen shows: $1"; }
on_card() { mtype -i "$work/card" ::table-companion.txt | grep -qF -- "$1" || no "the card says: $1"; }
erased() { ! grep -qaF -- "$1" "$work/card" || no "the password is gone from the card"; }

[ "$(id -u)" = 0 ] || skip "only root makes root file systems"
[ "$(uname -m)" = x86_64 ] || skip "the virtual machine is an x86-64 one"
debian mmdebstrap qemu-system-x86 e2fsprogs dosfstools mtools
once card-trixie _filled
release=$(basename -a "$ROOT"/lib/modules/* | tail -n 1)
once card-disk _disk
bundle x86_64
qemu=
work=$(mktemp -d "$CACHE/card-run.XXXXXX")
trap '[ -z "$qemu" ] || kill "$qemu" 2>/dev/null || true; rm -rf "$work"' EXIT
mkdir "$work/out"
cp --sparse=always "$CACHE/card-disk" "$work/disk"
cp "$machines"/{card-home,card-inside,inside}.sh "$work/out"
printf '%s' "$NAME" >"$work/out/name"
printf '%s' "$PASSWORD" >"$work/out/password"
card
# No pins are here; the firmware's config.txt has the installer take it for a Pi.
sed 's/^#COMPANION_VAULT=.*/COMPANION_VAULT=simulated/' "$project/systemd/companion.conf" \
    >"$work/companion.conf"
debugfs -w -f - "$work/disk" >/dev/null 2>&1 <<END
mkdir /etc/companion
write $work/companion.conf /etc/companion/companion.conf
END

blanks "$NAME" "$PASSWORD" de
cut_off 'Making version'
boot installs
shown 'Making version'
boot plays
erased "$PASSWORD"
on_card 'Phones go to http://192.168.7.'
shown 'First phone:   type '
boot again

blanks "$(printf '%033d' 0)" seven77 D
boot wrong
for words in 'Wanted a Wi-Fi name of 1 to 32 letters' 'Wanted a Wi-Fi password of 8 to 63' \
    "Wanted the Country as two letters, such as DE, got 'D'"; do
    shown "$words"
    on_card "$words"
done
erased seven77
blanks '' '' ''
boot alone
