#!/bin/bash
# camera.sh : the Pi's camera as hardware/camera/pi.py drives it, through the real
# picamera2 and the real libcamera of Debian 13, before libcamera's virtual camera.
#
# In a virtual machine, since libcamera wants dma-bufs from the kernel, which Debian 13's
# hands out. First the stand-in that quick tests use is held against the real library.
. "$(dirname "$0")/common.sh"
ROOT=$CACHE/camera-trixie
PACKAGES=python3,python3-venv,python3-dev,python3-libcamera,libcamera-ipa,libcap-dev,gcc,libc6-dev

# What runs there besides: picamera2, for whose python-prctl there is no wheel, hence the
# compiler; what the camera's side of the project imports; and a kernel, unpacked.
_filled() {
    _rootfs trixie amd64 apt "$PACKAGES"
    online "$making"
    # shellcheck disable=SC2016 # The inner shell expands it.
    chroot "$making" /usr/bin/env -i PATH=/usr/sbin:/usr/bin HOME=/root \
        PIP_CERT=/etc/ssl/certs/ca-certificates.crt bash -euc '
        python3 -m venv /opt/venv --system-site-packages
        /opt/venv/bin/pip install --quiet picamera2 opencv-python-headless pillow msgspec \
            pytest pytest-timeout
        cd /tmp
        apt-get update -qq
        apt-get download -qq $(apt-cache depends linux-image-amd64 | sed -n "s/.*Depends: //p")
        dpkg-deb -x linux-image-*.deb /kernel
        rm linux-image-*.deb
        ln -s usr/lib /kernel/lib'
    release=$(ls "$making/kernel/usr/lib/modules")
    depmod -b "$making/kernel" "$release"
}

# Debian as a disk: thousands of small files are slow to come by over 9p.
_disk() {
    truncate -s 4G "$making"
    mke2fs -q -t ext4 -d "$ROOT" "$making"
}

# The first programs of the virtual machine. What it writes to its disk is forgotten.
_first_programs() {
    local made=$making.made file
    rm -rf "$made"
    mkdir -p "$made"/{bin,m,proc,sys,dev}
    cp /bin/busybox "$made/bin/"
    for file in virtio_pci virtio_blk ext4 9pnet_virtio 9p; do
        modprobe -d "$ROOT/kernel" --show-depends -S "$release" "$file"
    done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' | while read -r file; do
        xz -dc "$file" >"$made/m/$(basename "${file%.xz}")"
        basename "${file%.xz}"
    done >"$made/modules"
    cat >"$made/init" <<'INIT'
#!/bin/busybox sh
b=/bin/busybox
$b mount -t proc proc /proc
$b mount -t sysfs sys /sys
$b mount -t devtmpfs dev /dev
for module in $($b cat /modules); do $b insmod /m/$module; done
$b ln -s system "/dev/dma_heap/linux,cma"  # The heap of a Pi, by its name.
$b mkdir /new
$b mount -t ext4 /dev/vda /new
$b mkdir -p /new/project
$b mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000,cache=loose,ro project /new/project
for folder in proc sys dev; do $b mount --rbind /$folder /new/$folder; done
$b ip link set lo up
$b chroot /new /bin/bash /project/tests/machines/camera/guest
echo "GUEST ENDED $?"
$b poweroff -f
INIT
    chmod +x "$made/init"
    (cd "$made" && find . | cpio -o -H newc --quiet) >"$making"
    rm -rf "$made"
}

[ "$(id -u)" = 0 ] || skip "only root makes root file systems"
[ "$(uname -m)" = x86_64 ] || skip "the virtual machine is an x86-64 one"
debian mmdebstrap qemu-system-x86 busybox-static cpio e2fsprogs kmod xz-utils
once camera-trixie _filled
release=$(ls "$ROOT/kernel/usr/lib/modules")
once camera-initrd _first_programs
once camera-disk _disk

echo "== The stand-in beside picamera2 $(chroot "$ROOT" /opt/venv/bin/python -c \
    'from importlib.metadata import version; print(version("picamera2"))')"
# shellcheck disable=SC2016 # The inner shell expands it.
unshare --mount --propagation private bash -euc '
    mkdir -p "$0/project"
    mount --bind "$1" "$0/project"
    mount --bind /dev "$0/dev"
    mount -t proc proc "$0/proc"
    exec chroot "$0" /usr/bin/env -i PATH=/opt/venv/bin:/usr/bin HOME=/tmp LANG=C.UTF-8 \
        PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=/project:/project/tests/machines/camera/stubs \
        CAMERA_MACHINE=chroot LIBCAMERA_LOG_LEVELS="*:FATAL" bash -euc "cd /project; \
        python -m pytest -q -p no:cacheprovider -p no:unraisableexception \
        --confcutdir=tests/machines tests/machines/camera/test_stand_in.py"
' "$ROOT" "$project"

echo "== The virtual camera on Linux $release"
log=$(mktemp)
trap 'rm "$log"' EXIT
timeout 900 qemu-system-x86_64 -machine q35 -accel tcg -cpu max -smp 2 -m 1536 \
    -display none -no-reboot -nodefaults -serial mon:stdio \
    -kernel "$ROOT/kernel/boot/vmlinuz-$release" -initrd "$CACHE/camera-initrd" \
    -append "console=ttyS0 quiet panic=-1" \
    -drive file="$CACHE/camera-disk",if=virtio,format=raw,snapshot=on \
    -virtfs local,path="$project",mount_tag=project,security_model=none,readonly=on,multidevs=remap \
    </dev/null | tee "$log" | grep --line-buffered -v 'GUEST ENDED'
grep -q 'GUEST ENDED 0' "$log"
