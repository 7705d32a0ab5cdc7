# A virtual machine with Debian's kernel and a simulated GPIO chip of 54 lines that
# calls itself a Pi 4's. Read after common.sh:
#
#     vm_ready                    # or skip
#     vm_initrd FILE SCRIPT [MODULE...]
#     vm_boot SECONDS INITRD ROOT [OUT]
# shellcheck shell=bash

# vm_ready: have $kernel (its release), the module of the chip, and qemu; or skip.
vm_ready() {
    [ "$(uname -m)" = x86_64 ] || skip "the machine is made for x86-64, this is $(uname -m)"
    debian linux-image-amd64 linux-headers-amd64 linux-source-6.1 gcc make kmod cpio \
        xz-utils busybox-static qemu-system-x86
    kernel=$(basename -a /lib/modules/6.1.*-amd64 | sort -V | tail -1)
    [ -e "/boot/vmlinuz-$kernel" ] || skip "Debian's kernel 6.1 is not in /boot"
    [ -e "/lib/modules/$kernel/build" ] || skip "the headers of $kernel are not there"
    once "gpio-sim-$kernel.ko" _gpio_sim
}

# Debian compiles no gpio-sim, but has its source. Two changes: a module may not call
# irq_to_desc, and `persist` leaves a freed line as it was, as a Raspberry Pi's does.
_gpio_sim() {
    local work=${making:?}.work
    rm -rf "$work"
    mkdir "$work"
    tar -xJf /usr/src/linux-source-6.1.tar.xz -C "$work" --strip-components=3 \
        linux-source-6.1/drivers/gpio/gpio-sim.c \
        linux-source-6.1/drivers/gpio/gpiolib.h \
        linux-source-6.1/kernel/irq/irq_sim.c
    sed -i -e 's/irq_to_desc(irqnum)/irq_data_to_desc(irq_get_irq_data(irqnum))/' \
        -e '/#include <linux\/irq.h>/a #include <linux/irqdesc.h>' "$work/irq_sim.c"
    sed -i -e '/^static void gpio_sim_free(/i static bool persist;\nmodule_param(persist, bool, 0644);\n' \
        -e '/^static void gpio_sim_free(/,/^}/s/^\tmutex_lock/\tif (persist)\n\t\treturn;\n&/' \
        "$work/gpio-sim.c"
    printf '%s\n' 'obj-m += gpio_sim_oot.o' 'gpio_sim_oot-y := gpio-sim.o irq_sim.o' \
        'ccflags-y += -DCONFIG_IRQ_SIM=1 -Wno-declaration-after-statement' >"$work/Kbuild"
    make -s -C "/lib/modules/$kernel/build" "M=$work" modules >"$work/log" 2>&1 ||
        { cat "$work/log" >&2; return 1; }
    strip --strip-debug -o "$making" "$work/gpio_sim_oot.ko"
    rm -rf "$work"
}

# vm_initrd FILE SCRIPT [MODULE...]: an initial file system whose first process loads
# MODULEs, makes the chip, and goes on with SCRIPT, in busybox's shell. SCRIPT finds
# `share TAG FOLDER OPTIONS` to mount ROOT (tag root) and OUT (tag out), and $chip, the
# chip's folder of settings.
vm_initrd() {
    local file=$1 script=$2 folder module
    shift 2
    folder=$(mktemp -d)
    mkdir -p "$folder"/{bin,modules,proc,sys,dev,config}
    cp /bin/busybox "$folder/bin/"
    for module in virtio_pci 9pnet_virtio 9p configfs "$@"; do
        modprobe --show-depends -S "$kernel" "$module" | awk '$1 == "insmod" {print $2}'
    done | awk '!seen[$0]++' >"$folder/paths"
    while read -r module; do
        cp "$module" "$folder/modules/"
        basename "$module"
    done <"$folder/paths" >"$folder/order"
    cp "$CACHE/gpio-sim-$kernel.ko" "$folder/modules/gpio_sim.ko"
    echo gpio_sim.ko >>"$folder/order"
    { _first_process; echo "$script"; } >"$folder/init"
    chmod +x "$folder/init"
    (cd "$folder" && find . | cpio -o -H newc --quiet) >"$file"
    rm -rf "$folder"
}

_first_process() {
    cat <<'INIT'
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
for module in $(cat /order); do
    insmod "/modules/$module" || echo "no module $module"
done
share() {
    mkdir -p "$2"
    mount -t 9p -o "trans=virtio,version=9p2000.L,msize=512000,$3" "$1" "$2" ||
        { echo "no share $1"; poweroff -f; }
}
mount -t configfs config /config
chip=/config/gpio-sim/pi
mkdir "$chip" "$chip/bank"
echo 54 >"$chip/bank/num_lines"
echo pinctrl-bcm2711 >"$chip/bank/label"
echo 1 >"$chip/live"
INIT
}

# vm_boot SECONDS INITRD ROOT [OUT]: run the machine until it ends, at most SECONDS. It
# reads the folder ROOT, and writes to the folder OUT and nowhere else.
#
# Never with KVM: where this is a virtual machine itself, the guest may hang in its
# loader for ever.
vm_boot() {
    local seconds=$1 initrd=$2 root=$3 out=${4:-} shares
    shares=(-virtfs "local,path=$root,mount_tag=root,security_model=none,readonly=on,multidevs=remap")
    [ -z "$out" ] ||
        shares+=(-virtfs "local,path=$out,mount_tag=out,security_model=none,multidevs=remap")
    timeout "$seconds" qemu-system-x86_64 -machine q35 -accel tcg -cpu max -smp 2 -m 1536 \
        -display none -no-reboot -nodefaults -serial mon:stdio \
        -kernel "/boot/vmlinuz-$kernel" -initrd "$initrd" \
        -append "console=ttyS0 quiet panic=-1" "${shares[@]}" </dev/null
}
