"""Any Raspberry Pi as a folder of files, and the facts that go with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from companion.ports import Line
from hardware.doctor.facts import Facts, Machine, Python, Space, zone_of
from hardware.doctor.trial import Module, Trial

SERIAL = "10000000a1b2c3d4"
"""No doctor may repeat it."""

SECRETS = (SERIAL, "correct-horse", "4711-0815")

STRICT = "gpio=17=op,dl\ndtparam=strict_gpiod\n"

CONFIG = f"""\
# For more options and information see
# http://rptl.io/configtxt
dtparam=audio=on
camera_auto_detect=1
dtoverlay=vc4-kms-v3d
arm_64bit=1

[cm4]
otg_mode=1

[cm5]
dtoverlay=dwc2,dr_mode=host

[all]
{STRICT}"""

MODELS = {
    "pi4": ("Raspberry Pi 4 Model B Rev 1.4", "bookworm", "pinctrl-bcm2711"),
    "pi5": ("Raspberry Pi 5 Model B Rev 1.0", "trixie", "pinctrl-rp1"),
    "zero": ("Raspberry Pi Zero 2 W Rev 1.0", "trixie", "pinctrl-bcm2835"),
}

MEMORY_KIB = {"pi4": 524288, "pi5": 65536 * 4, "zero": 131072}

UNITS = "etc/systemd/system"
WANTED = f"{UNITS}/multi-user.target.wants"
BUS = "sys/class/gpio"
PWM_OVERLAY = "boot/firmware/overlays/pwm-gpio.dtbo"


def files_of(model: str) -> dict[str, str]:
    """Return the files of a healthy Pi, by path."""
    name, release, label = MODELS[model]
    chip = "rp1" if model == "pi5" else "bcm2835"
    number = 13 if release == "trixie" else 12
    kib = MEMORY_KIB[model]
    return {
        "proc/device-tree/model": f"{name}\0",
        "proc/device-tree/serial-number": f"{SERIAL}\0",
        "proc/cpuinfo": f"Serial\t\t: {SERIAL}\nModel\t\t: {name}\n",
        "proc/meminfo": f"MemTotal: 999 kB\nCmaTotal: {kib} kB\nCmaFree: {kib} kB\n",
        "proc/self/mounts": "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\n"
        "/dev/mmcblk0p1 /boot/firmware vfat rw,relatime 0 0\n"
        "tmpfs /run tmpfs rw,nosuid 0 0\n",
        "etc/os-release": f'PRETTY_NAME="Debian GNU/Linux {number} ({release})"\n'
        f"VERSION_CODENAME={release}\n",
        "etc/passwd": "root:x:0:0:root:/root:/bin/sh\n"
        "companion:x:990:990::/var/lib/companion:/usr/sbin/nologin\n",
        "etc/group": "video:x:44:pi,companion\ngpio:x:986:pi,companion\n"
        "companion:x:990:\n",
        "etc/localtime": "TZif2",
        "etc/timezone": "Europe/Berlin\n",
        "boot/firmware/config.txt": CONFIG,
        PWM_OVERLAY: "",
        f"{BUS}/gpiochip512/label": f"{label}\n",
        f"{BUS}/gpiochip512/device/gpiochip0/dev": "254:0\n",
        f"{BUS}/gpiochip570/label": "raspberrypi-exp-gpio\n",
        f"{BUS}/gpiochip570/device/gpiochip1/dev": "254:1\n",
        "dev/gpiochip0": "",
        "dev/gpiochip1": "",
        "dev/kmsg": "6,1,0,-;Booting Linux on physical CPU 0x0\n",
        f"sys/module/pinctrl_{chip}/parameters/persist_gpio_outputs": "N\n",
        "sys/class/thermal/thermal_zone0/temp": "48312\n",
        "sys/class/hwmon/hwmon0/name": "cpu_thermal\n",
        "sys/class/hwmon/hwmon1/name": "rpi_volt\n",
        "sys/class/hwmon/hwmon1/in0_lcrit_alarm": "0\n",
        "sys/devices/platform/soc/soc:firmware/get_throttled": "0\n",
        "sys/class/video4linux/video10/name": "bcm2835-codec-decode\n",
        "run/systemd/timesync/synchronized": "",
        "run/systemd/units/invocation:companion.service": "",
        "run/companion-hotspot/wifi.json": '{"password":"correct-horse"}',
        "etc/companion/companion.conf": "COMPANION_SERVE_PORT=80\n",
        f"{UNITS}/companion.service": "[Service]\nUser=companion\n",
        f"{WANTED}/companion.service": "",
        f"{UNITS}/sysinit.target.wants/companion-coil-off.service": "",
    }


APT = "/usr/lib/python3/dist-packages"
PIP = "/opt/companion/current/lib/python3.13/site-packages"

TRIAL = Trial(
    (
        Module("numpy", "2.2.4", f"{APT}/numpy/__init__.py"),
        Module("cv2", "4.12.0", f"{PIP}/cv2/__init__.py"),
        Module("gpiozero", "2.0.1.post3", f"{PIP}/gpiozero/__init__.py"),
        Module("picamera2", "0.3.31", f"{APT}/picamera2/__init__.py"),
    ),
    ("imx708",),
    ((1536, 864), (2304, 1296), (4608, 2592)),
)

WHEEL = "table_companion-1.0.0-py3-none-any.whl"

AT_REST = {
    Line.WHEEL_A: True,
    Line.WHEEL_B: True,
    Line.M_BUTTON: False,
    Line.YELLOW_BUTTON: False,
    Line.LID: True,
}


def build(root: Path, files: Mapping[str, str | None]) -> None:
    """Write *files* below *root*; those that are ``None`` are missing."""
    for path, text in files.items():
        if text is not None:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
    for device in (root / "dev").glob("gpiochip*"):
        device.chmod(0o660)


def facts_of(root: Path, **more: object) -> Facts:
    """Gather the facts of the healthy machine below *root*."""
    machine = Machine(root)
    facts = Facts(
        machine,
        user="companion",
        python=Python((3, 13, 5), True, True),
        origin=f"file:///boot/firmware/table-companion/wheels/{WHEEL}",
        processor="aarch64",
        trial=TRIAL,
        space=Space(30_000 << 20, 21_504 << 20),
        address="http://192.168.1.20",
        is_served=False,
        levels=AT_REST,
        zone=zone_of(machine, {}),
        chips=machine.chips,
    )
    return replace(facts, **more)  # type: ignore[arg-type]


def healthy(root: Path, model: str = "pi4", **more: object) -> Facts:
    """Make a healthy Pi below *root*."""
    build(root, files_of(model))
    return facts_of(root, **more)
