#!/bin/bash
# A USB stick at the table's Raspberry Pi: a virtual machine with Debian's kernel, the
# units, and a controller of qemu's, into which stick_outside.py plugs images of sticks
# and from which it pulls them. stick_inside.py says what is proven.
. "$(dirname "$0")/common.sh"
. "$machines/vm.sh"
. "$machines/table.sh"
table
debian dosfstools exfatprogs ntfs-3g e2fsprogs fdisk
vm_ready

images=$run/images
mkdir "$images"

# filled NAME MB KIND [OPTION...]: a file system of that kind in a file.
filled() {
    truncate -s "$2M" "$images/$1"
    "mkfs.$3" "${@:4}" "$images/$1" >"$run/made" 2>&1 || { cat "$run/made"; exit 1; }
}

# stick NAME FILE...: a stick with a table of partitions, each made of one of the files.
stick() {
    local name=$1 file start=2048 table='label: dos'
    shift
    truncate -s 1M "$images/$name"
    for file; do
        size=$(($(stat -c %s "$images/$file") / 512))
        table+=$'\n'"start=$start, size=$size, type=c"
        start=$((start + size))
        cat "$images/$file" >>"$images/$name"
    done
    sfdisk --quiet "$images/$name" <<<"$table" >"$run/made" 2>&1
    (cd "$images" && rm "$@")
}

filled part 40 vfat -n GAMES -i 11111111
stick fat part
filled exfat 40 exfat -L 'Ü "1"' # No table of partitions.
filled part 40 ext4 -q -L ext -U 44444444-4444-4444-4444-444444444444
stick ext4 part
mkdir -p "$run/evil/etc"
ln -s /etc "$run/evil/table-companion"
ln -s /var/lib/companion "$run/evil/leak"
mkdir -p "$run/moved/table-companion/old"
echo money >"$run/moved/table-companion/old/game"
chown -R 12345:12345 "$run/moved" # The table's user on another Pi.
chmod -R go= "$run/moved"
filled moved 20 ext4 -q -d "$run/moved" -L MOVED
filled evil 20 ext4 -q -d "$run/evil" -e panic -U 55555555-5555-5555-5555-555555555555
filled ntfs 20 ntfs -Q -F -q -L NTFS
filled readonly 20 vfat -n LOCKED -i 22222222
filled one 20 vfat -n ONE -i 66666666
filled two 20 ext4 -q -L TWO
stick pair one two
filled slow 20 vfat -n SLOW -i 77777777
filled inner 20 vfat -n INNER -i 33333333
truncate -s 20M "$images/empty"

sed -i 's/^#COMPANION_VAULT=.*/COMPANION_VAULT=simulated/' "$run/root/etc/companion/companion.conf"
# `copies 34` pulls a stick of each kind so often while the table copies to it;
# `copies '34 ext4'` only one of that kind.
if [ "${1-}" = copies ]; then
    told copies_inside.py "${2:-5}" 'systemctl poweroff -f -f'
    (cd "$project" && cp --parents tests/{,web/}__init__.py tests/phone_http.py \
        tests/web/forms.py "$run/root/proof/")
else
    told stick_inside.py "${*:-all}" 'systemctl poweroff -f -f'
fi
devices=(-device "qemu-xhci,id=xhci" -qmp "unix:$run/qmp,server=on,wait=off"
    -drive "if=none,id=inner,format=raw,file=$images/inner" -device "virtio-blk-pci,drive=inner")
"$project/.venv/bin/python" "$machines/stick_outside.py" "$run/qmp" "$images" "$run/out" &
table_boots '' virtio_blk xhci_pci usb-storage uas sd_mod vfat nls_cp437 nls_ascii nls_utf8 \
    nls_iso8859-1 exfat ext4 crc32c_generic dm-mod dm-delay
passed stick
