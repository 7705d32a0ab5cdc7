# A virtual machine with Debian's kernel and a simulated GPIO chip of 54 lines that
# calls itself a Pi 4's. Read after common.sh:
#
#     vm_ready                    # or skip
#     vm_servo                    # if pin 12 is to have a servo's pulses
#     vm_counts SHIFT             # if its timers are to be on time on a busy host
#     vm_initrd FILE SCRIPT [MODULE...]
#     vm_boot SECONDS INITRD ROOT [OUT]
#
# What else the machine has stands in $devices, as options of qemu's.
# shellcheck shell=bash
devices=()

# vm_ready: have $kernel (its release), the module of the chip, and qemu; or skip.
vm_ready() {
    [ "$(uname -m)" = x86_64 ] || skip "the machine is made for x86-64, this is $(uname -m)"
    debian linux-image-amd64 linux-headers-amd64 linux-source-6.1 gcc make kmod cpio \
        xz-utils busybox-static qemu-system-x86
    kernel=$(basename -a /lib/modules/6.1.*-amd64 | sort -V | tail -1)
    [ -e "/boot/vmlinuz-$kernel" ] || skip "Debian's kernel 6.1 is not in /boot"
    [ -e "/lib/modules/$kernel/build" ] || skip "the headers of $kernel are not there"
    sim=$(_module gpio-sim _gpio_sim)
    once "$sim" _gpio_sim
}

# _module NAME FUNCTION...: the name in $CACHE of what these functions compile for
# $kernel; another one as soon as they are written otherwise.
_module() {
    local name=$1
    shift
    echo "$name-$kernel-$(declare -f "$@" | sha256sum | cut -c1-8)"
}

# Debian compiles no gpio-sim, but has its source. Three changes: a module may not call
# irq_to_desc; `persist` leaves a freed line as it was, as a Raspberry Pi's does; and its
# mutex becomes a spinlock, so that a timer may set a line, as it may on a Raspberry Pi.
# Nothing that is done under it sleeps.
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
        -e '/^struct gpio_sim_chip {/,/^}/s/struct mutex lock/spinlock_t lock/' \
        -e 's/mutex_lock(&chip->lock)/unsigned long flags;\n\tspin_lock_irqsave(\&chip->lock, flags)/' \
        -e 's/mutex_unlock(&chip->lock)/spin_unlock_irqrestore(\&chip->lock, flags)/' \
        -e 's/mutex_init(&chip->lock)/spin_lock_init(\&chip->lock)/' \
        -e '/^static void gpio_sim_mutex_destroy/,/^}/d' \
        -e '/gpio_sim_mutex_destroy,/,/return ret;/d' \
        -e 's/gc->can_sleep = true/gc->can_sleep = false/' \
        "$work/gpio-sim.c"
    printf '%s\n' 'obj-m += gpio_sim_oot.o' 'gpio_sim_oot-y := gpio-sim.o irq_sim.o' \
        'ccflags-y += -DCONFIG_IRQ_SIM=1 -Wno-declaration-after-statement' >"$work/Kbuild"
    make -s -C "/lib/modules/$kernel/build" "M=$work" modules >"$work/log" 2>&1 ||
        { cat "$work/log" >&2; return 1; }
    strip --strip-debug -o "$making" "$work/gpio_sim_oot.ko"
    rm -rf "$work"
}

# vm_servo: have `pwm-gpio` on pin 12, as a Pi has with `dtoverlay=pwm-gpio,gpio=12`; or
# say that the machine goes without.
vm_servo() {
    servo=$(_module pwm-gpio _pwm_gpio _pwm_gpio_source _pwm_gpio_compiled)
    once "$servo" _pwm_gpio && return
    echo "no pwm-gpio in the machine, since Debian's linux-source-6.12 cannot be had or compiled"
    servo=
}

# Linux has pwm-gpio since 6.11. Its source in Debian's 6.12 is compiled for 6.1, which
# lacks two functions, in before.h, and the chip's field `atomic`, by which a later PWM
# core knows that the chip does not sleep. wire.c stands for the overlay. `set -e` does
# not hold in here.
_pwm_gpio() {
    local work=$making.work
    rm -rf "$work"
    mkdir "$work"
    _pwm_gpio_source "$work" && _pwm_gpio_compiled "$work" && mkdir "$making" &&
        mv "$work/pwm-gpio.ko" "$work/wire.ko" "$making/"
    local status=$?
    rm -rf "$work"
    return $status
}

_pwm_gpio_source() (
    set -o pipefail
    cd "$1" || exit 1
    apt-get download -qq linux-source-6.12 2>/dev/null || {
        [ "$(id -u)" != 0 ] || apt-get update -qq
        apt-get download -qq linux-source-6.12 2>/dev/null
    } || exit 1
    dpkg-deb --fsys-tarfile linux-source-6.12_*.deb |
        tar -xO ./usr/src/linux-source-6.12.tar.xz |
        tar -xJ --strip-components=3 linux-source-6.12/drivers/pwm/pwm-gpio.c
)

_pwm_gpio_compiled() {
    local work=$1
    sed -i '/chip->atomic = true;/d' "$work/pwm-gpio.c"
    cat >"$work/before.h" <<'BEFORE'
#include <linux/device.h>
#include <linux/pwm.h>

/* The driver's own data follow the chip. */
static inline void *pwmchip_get_drvdata(struct pwm_chip *chip)
{
	return chip + 1;
}

static inline struct pwm_chip *
devm_pwmchip_alloc(struct device *dev, unsigned int count, size_t size)
{
	struct pwm_chip *chip;

	chip = devm_kzalloc(dev, sizeof(*chip) + size, GFP_KERNEL);
	if (!chip)
		return ERR_PTR(-ENOMEM);
	chip->dev = dev;
	chip->npwm = count;
	return chip;
}
BEFORE
    cat >"$work/wire.c" <<'WIRE'
/* A device for pwm-gpio on line 12 of the header's chip, for as long as the kernel runs. */
#include <linux/err.h>
#include <linux/gpio/machine.h>
#include <linux/module.h>
#include <linux/platform_device.h>

static struct gpiod_lookup_table wire = {
	.dev_id = "pwm-gpio",
	.table = {
		GPIO_LOOKUP("pinctrl-bcm2711", 12, NULL, GPIO_ACTIVE_HIGH),
		{ }
	},
};

static int __init wire_init(void)
{
	gpiod_add_lookup_table(&wire);
	return PTR_ERR_OR_ZERO(platform_device_register_simple(
		"pwm-gpio", PLATFORM_DEVID_NONE, NULL, 0));
}
module_init(wire_init);

MODULE_DESCRIPTION("A servo's wire on line 12");
MODULE_LICENSE("GPL");
WIRE
    # shellcheck disable=SC2016 # Kbuild expands it.
    printf '%s\n' 'obj-m += pwm-gpio.o wire.o' \
        'CFLAGS_pwm-gpio.o := -include $(src)/before.h' >"$work/Kbuild"
    make -s -C "/lib/modules/$kernel/build" "M=$work" modules >"$work/log" 2>&1 ||
        { cat "$work/log" >&2; return 1; }
    strip --strip-debug "$work/pwm-gpio.ko" "$work/wire.ko"
}

# vm_counts SHIFT: have a clock that counts the machine's own instructions, 2^SHIFT
# nanoseconds each: no timer inside is late because this host is busy; all is slower then.
# The clock leaps over the time in which the machine has nothing to do, and it would leap
# while it waits for a file of this host; so one process always has something to do. It
# has one processor: with two it did not come to its end in nine minutes.
vm_counts() {
    # Source: QEMU 7.2, qemu-system-x86_64(1), -icount.
    clock=(-icount "shift=$1,sleep=off")
    # shellcheck disable=SC2016 # The machine expands it.
    busy='while :; do :; done &
renice -n 19 $!'
}

# vm_initrd FILE SCRIPT [MODULE...]: an initial file system whose first process loads
# MODULEs, makes the chip, and goes on with SCRIPT, in busybox's shell. SCRIPT finds
# `share TAG FOLDER OPTIONS` to mount ROOT (tag root) and OUT (tag out), and $chip, the
# chip's folder of settings. After vm_servo, pin 12 is the kernel's PWM.
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
    cp "$CACHE/$sim" "$folder/modules/gpio_sim.ko"
    echo gpio_sim.ko >>"$folder/order"
    [ -z "${servo:-}" ] || cp "$CACHE/$servo"/*.ko "$folder/modules/"
    { _first_process; printf '%s\n' "${busy:-}" "$script"; } >"$folder/init"
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
for module in pwm-gpio wire; do
    [ ! -e "/modules/$module.ko" ] || insmod "/modules/$module.ko" || echo "no module $module"
done
INIT
}

# vm_boot SECONDS INITRD ROOT [OUT]: run the machine until it ends, at most SECONDS. It
# reads the folder ROOT, and writes to the folder OUT and nowhere else.
#
# Never with KVM: where this is a virtual machine itself, the guest may hang in its
# loader for ever. `no_timer_check`: Linux panics at its start ("IO-APIC + timer doesn't
# work!") unless it sees four ticks of a timer within some cycles of the processor, which
# a busy host lets pass (arch/x86/kernel/apic/io_apic.c, timer_irq_works).
vm_boot() {
    local seconds=$1 initrd=$2 root=$3 out=${4:-} shares
    [ -n "${clock:-}" ] || clock=(-smp 2)
    shares=(-virtfs "local,path=$root,mount_tag=root,security_model=none,readonly=on,multidevs=remap")
    [ -z "$out" ] ||
        shares+=(-virtfs "local,path=$out,mount_tag=out,security_model=none,multidevs=remap")
    timeout "$seconds" qemu-system-x86_64 -machine q35 -accel tcg "${clock[@]}" -cpu max -m 1536 \
        -display none -no-reboot -nodefaults -serial mon:stdio \
        -kernel "/boot/vmlinuz-$kernel" -initrd "$initrd" \
        -append "console=ttyS0 quiet panic=-1 no_timer_check" "${shares[@]}" \
        "${devices[@]}" </dev/null
}
