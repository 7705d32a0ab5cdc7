"""Looks at the machine itself: model, system, heat, power, disk, clock, service.

Sentences that may appear on the banker's page come from ``say``, to be translated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.health import Condition, Finding
from companion.words import say
from hardware.doctor.facts import SERVICE, Facts

MADE_FOR = re.compile(r"Raspberry Pi (3 |4 |400|5 |500|Zero 2 )")
"""The beginnings of the models' names for which this program was made."""
RELEASES = ("bookworm", "trixie")
"""The releases of Raspberry Pi OS for which this program was made."""
MIB = 1 << 20
"""Bytes in a MiB."""


def look_at_model(facts: Facts) -> Iterator[Finding]:
    """Report the model of the Pi, and whether this program was made for it."""
    topic, model = "machine.model", facts.machine.model
    if not model:
        yield Finding(
            topic,
            Condition.UNKNOWN,
            "this is no Raspberry Pi, so of pins, power and boot nothing is known",
        )
    elif MADE_FOR.match(model):
        yield Finding(topic, Condition.OK, model)
    else:
        yield Finding(
            topic,
            Condition.WARN,
            f"{model} is none that this was made for",
            "use a Raspberry Pi 3, 4, 5 or Zero 2 W",
        )


def look_at_system(facts: Facts) -> Iterator[Finding]:
    """Check the operating system's release, and that it has 64 bits."""
    topic, release = "machine.system", facts.machine.os_release
    name = release.get("PRETTY_NAME", "")[:80] or "a system that does not say its name"
    words = f"{name}, {facts.processor}, {facts.bits} bit"
    is_known = release.get("VERSION_CODENAME") in RELEASES
    if facts.bits != 64:
        yield Finding(
            topic,
            Condition.FAIL,
            words,
            "install the 64-bit Raspberry Pi OS: the libraries have no other",
        )
    elif facts.machine.model and not is_known:
        remedy = "use Raspberry Pi OS bookworm or trixie"
        yield Finding(topic, Condition.WARN, words, remedy)
    else:
        yield Finding(topic, Condition.OK, words)


# Heat and power.

ZONE = "sys/class/thermal/thermal_zone0/temp"
"""The file with the processor's temperature, in thousandths of a degree."""
HOT_MC = 80_000
"""The temperature from which a Pi slows down, in thousandths of a degree.

Source: Raspberry Pi documentation, "Frequency management and thermal control".
"""
COLDEST_MC, HOTTEST_MC = -40_000, 150_000
"""Values outside these limits, in the same unit, are no real temperatures."""


def look_at_heat(facts: Facts) -> Iterator[Finding]:
    """Check how hot the processor is."""
    topic, heat_mc = "power.heat", facts.machine.number(ZONE)
    if heat_mc is None or not COLDEST_MC <= heat_mc <= HOTTEST_MC:
        words = "nothing tells how hot the processor is"
        yield Finding(topic, Condition.UNKNOWN, words)
        return
    degrees = round(heat_mc / 1000)
    if heat_mc >= HOT_MC:
        yield Finding(
            topic,
            Condition.WARN,
            say("the processor is hot: {degrees} °C", degrees=degrees),
            say("give the Pi air or a heat sink"),
        )
    else:
        words = f"the processor has {degrees} °C"
        yield Finding(topic, Condition.OK, words)


THROTTLED = "sys/devices/platform/soc*/soc*:firmware/get_throttled"
"""The file in which the firmware reports heat and weak supply, as bits."""
THROTTLED_BITS = {
    1 << 0: "the supply is too weak now",
    1 << 1: "the processor's speed is capped now",
    1 << 2: "the processor is slowed down now",
    1 << 3: "heat slows the processor down now",
    1 << 16: "the supply was too weak since the start",
    1 << 17: "the processor's speed was capped since the start",
    1 << 18: "the processor was slowed down since the start",
    1 << 19: "heat slowed the processor down since the start",
}
"""The meaning of each bit of that file.

Source: Raspberry Pi documentation, "vcgencmd", "get_throttled"; the file itself,
github.com/raspberrypi/linux, pull request 2397.
"""
HEAT_BITS = (1 << 3) | (1 << 19)
"""The bits about heat: now, and since the start."""
NOW_BITS = 0xF
"""The bits that say "now"; the same bits 16 places higher say "since the start"."""


def look_at_supply(facts: Facts) -> Iterator[Finding]:
    """Check whether the supply is too weak at this moment."""
    topic, machine = "power.supply", facts.machine
    alarms = [
        machine.number(path.replace("/name", "/in0_lcrit_alarm"))
        for path in machine.glob("sys/class/hwmon/hwmon*/name")
        if machine.text(path) == "rpi_volt"
    ]
    if not any(alarm is not None for alarm in alarms):
        words = "nothing tells whether the supply is strong enough"
        yield Finding(topic, Condition.UNKNOWN, words)
    elif any(alarms):
        yield Finding(
            topic,
            Condition.WARN,
            say("the Pi's supply is too weak"),
            say("use the supply that is made for this Pi, on a short thick cable"),
        )
    else:
        yield Finding(topic, Condition.OK, "the supply is strong enough")


def look_at_throttling(facts: Facts) -> Iterator[Finding]:
    """Report what the firmware did against heat and weak supply since the start.

    A running table leaves this look out: it makes the kernel log that the file is
    obsolete.
    """
    topic, machine = "power.since_boot", facts.machine
    numbers = [machine.number(path, 16) for path in machine.glob(THROTTLED)]
    bits = next((number for number in numbers if number is not None), None)
    if bits is None:
        words = "nothing tells what the firmware has seen since the start"
        yield Finding(topic, Condition.UNKNOWN, words)
        return
    bits &= ~((bits & NOW_BITS) << 16)  # "Now" implies "since the start".
    seen = [words for bit, words in THROTTLED_BITS.items() if bits & bit]
    if seen:
        remedy = "use the supply that is made for this Pi, on a short thick cable"
        if bits & HEAT_BITS:
            remedy = "give the Pi air or a heat sink"
        yield Finding(topic, Condition.WARN, ", ".join(seen), remedy)
    else:
        words = "never too hot or too weak since the start"
        yield Finding(topic, Condition.OK, words)


# Disk.

FREE_WARN, FREE_FAIL = 200 * MIB, 20 * MIB
"""Below so many free bytes there is a warning, or a failure."""
LOST_AT_POWER_OFF = ("overlay", "tmpfs", "ramfs")
"""File systems whose files are lost when the power goes off."""
CARD_ERRORS = re.compile(
    r"mmc[0-9]: .*(error|timeout waiting)|I/O error, dev mmcblk|"
    r"EXT4-fs error|mmcblk[0-9]+: error",
    re.IGNORECASE,
)
"""Lines of the kernel's log that tell of a failing SD card."""


def look_at_space(facts: Facts) -> Iterator[Finding]:
    """Check that the disk has room for games."""
    topic = "disk.space"
    if facts.space is None:
        words = "nothing tells how much space the games have left"
        yield Finding(topic, Condition.UNKNOWN, words)
        return
    free_mb = facts.space.free // MIB
    remedy = say("delete what the table's disk can do without")
    if facts.space.free < FREE_FAIL:
        words = say("the table's disk is full: {free} MB are free", free=free_mb)
        yield Finding(topic, Condition.FAIL, words, remedy)
    elif facts.space.free < FREE_WARN:
        words = say("the table's disk is nearly full: {free} MB are free", free=free_mb)
        yield Finding(topic, Condition.WARN, words, remedy)
    else:
        words = f"{free_mb} MB are free for games"
        yield Finding(topic, Condition.OK, words)


def look_at_mount(facts: Facts) -> Iterator[Finding]:
    """Check that the games are on a disk that is writable and outlives a power cut."""
    topic, mount = "disk.mount", facts.machine.mount_of(facts.data)
    if mount is None:
        words = "nothing tells what the games lie on"
        yield Finding(topic, Condition.UNKNOWN, words)
    elif mount.kind in LOST_AT_POWER_OFF:
        yield Finding(
            topic,
            Condition.FAIL,
            say(
                "the games lie in memory ({kind}): power off, games lost",
                kind=mount.kind,
            ),
            say("give the table's folder a disk of its own, or end the overlay"),
        )
    elif mount.is_read_only:
        yield Finding(
            topic,
            Condition.FAIL,
            say("the games lie on a disk that cannot be written to"),
            say("start the Pi again; if it stays so, replace its SD card"),
        )
    else:
        words = f"the games lie on {mount.kind}, which can be written to"
        yield Finding(topic, Condition.OK, words)


def look_at_card(facts: Facts) -> Iterator[Finding]:
    """Look for errors of the SD card in the kernel's log."""
    topic, log = "disk.card", facts.machine.text("dev/kmsg")
    if log is None:
        yield Finding(
            topic,
            Condition.UNKNOWN,
            "the kernel's log may not be read, which would tell of a failing SD card",
            "sudo dmesg shows it; look for mmc and I/O errors",
        )
        return
    errors_count = sum(bool(CARD_ERRORS.search(line)) for line in log.splitlines())
    if errors_count:
        yield Finding(
            topic,
            Condition.WARN,
            f"the kernel's log has errors of the SD card: {errors_count}",
            "keep a backup elsewhere (companion backup), and replace the card",
        )
    else:
        yield Finding(topic, Condition.OK, "no errors of the SD card in the log")


# Time.

NO_ZONE = ("UTC", "UCT", "Universal", "Zulu")
"""The time zone's names on a system where nobody has set one."""


def look_at_clock(facts: Facts) -> Iterator[Finding]:
    """Check that the clock can be right after a power cut."""
    topic, machine = "clock.time", facts.machine
    is_synchronised = machine.has("run/systemd/timesync/synchronized")
    has_own_clock = bool(machine.glob("sys/class/rtc/rtc*"))
    if is_synchronised:
        yield Finding(topic, Condition.OK, "the time came from the network")
    elif has_own_clock:
        words = "no time from the network, but the machine has a clock of its own"
        yield Finding(topic, Condition.OK, words)
    else:
        yield Finding(
            topic,
            Condition.WARN,
            "no clock with a battery, and no time from the network yet: the history "
            "may show a wrong hour",
            "bring the Pi into a network once, or fit an RTC module",
        )


def look_at_zone(facts: Facts) -> Iterator[Finding]:
    """Report the table's time zone, and how to set one if nobody has."""
    topic = "clock.zone"
    if not facts.zone:
        words = "nothing tells which time zone the table writes times in"
        yield Finding(topic, Condition.UNKNOWN, words)
        return
    is_set = facts.zone.removeprefix("Etc/") not in NO_ZONE
    remedy = (
        "phones show their own time, those without script this one; for another: sudo "
        "timedatectl set-timezone Europe/Berlin, then sudo systemctl restart companion"
    )
    words = f"the table writes times in the zone {facts.zone}"
    yield Finding(topic, Condition.OK, words, "" if is_set else remedy)


# The service.

IS_SERVED_WORDS = {
    True: "a table runs on these games",
    False: "no table runs on these games",
    None: "nothing tells whether a table runs",
}
"""``Facts.is_served`` in words."""
RUNS = "run/systemd/units/invocation:companion.service"
"""A link that exists while the service runs, or starts or stops.

Source: systemd, src/core/unit.c, unit_notify.
"""
UNITS = ("companion.service", "companion-coil-off.service")
"""The units that must start with the Pi."""


def look_at_service(facts: Facts) -> Iterator[Finding]:
    """Check that the service starts with the Pi, and that it runs."""
    topic, machine = "service.state", facts.machine
    if not machine.has(SERVICE):
        words = f"not installed as a service; {IS_SERVED_WORDS[facts.is_served]}"
        yield Finding(topic, Condition.OK, words)
        return
    disabled = [
        unit for unit in UNITS if not machine.glob(f"etc/systemd/system/*.wants/{unit}")
    ]
    if disabled:
        yield Finding(
            topic,
            Condition.WARN,
            f"{' and '.join(disabled)} will not start with the Pi",
            f"sudo systemctl enable {' '.join(disabled)}",
        )
    elif machine.has(RUNS):
        yield Finding(topic, Condition.OK, "companion.service runs")
    else:
        yield Finding(
            topic,
            Condition.WARN,
            "companion.service does not run",
            "sudo systemctl start companion; why it ended: journalctl -u companion",
        )


def look_at_address(facts: Facts) -> Iterator[Finding]:
    """Report the address that phones open."""
    topic = "network.address"
    if facts.address:
        yield Finding(topic, Condition.OK, f"phones go to {facts.address}")
    elif facts.lacks_ipv6:
        yield Finding(
            topic,
            Condition.WARN,
            "this network has only IPv6, by which the table does not listen",
            "set COMPANION_SERVE_HOST=:: and start the table again",
        )
    else:
        yield Finding(
            topic,
            Condition.WARN,
            "this machine is on no network, so phones cannot reach it",
            "join a Wi-Fi, plug in a cable, or start the table's own hotspot",
        )
