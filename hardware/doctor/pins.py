"""Looks at the header's pins: the chip, its permissions, config.txt, the levels."""

from __future__ import annotations

from collections.abc import Iterator

from companion.health import Condition, Finding
from companion.lock.view import look_at_levels
from hardware.doctor.boot_config import (
    FOLDERS,
    BootConfig,
    claims,
    read_boot_config,
)
from hardware.doctor.facts import SERVICE, Facts
from hardware.vault.latches import LATCHES, Latch
from hardware.vault.pwm import CHIPS, DRIVER, find_chips

PERSIST = "sys/module/pinctrl_{chip}/parameters/persist_gpio_outputs"
"""The file that tells whether the kernel keeps driving released outputs."""
UPDATE = "sudo apt update && sudo apt full-upgrade, start the Pi again"
"""What brings a kernel with its overlays up to date."""
GROUP_BITS = 0o060
"""The permission bits that let a group read and write."""


def look_at_vault_setting(facts: Facts) -> Iterator[Finding]:
    """Report a vault that uses no pins."""
    if facts.vault.kind.remark is not None:
        yield Finding("pins.vault", *facts.vault.kind.remark)


def look_at_chip(facts: Facts) -> Iterator[Finding]:
    """Find the header's chip by its label, and check who may open it."""
    if not facts.vault.kind.has_pins:
        return
    topic, label, machine = "pins.chip", facts.vault.gpiochip_label, facts.machine
    chips = facts.chips
    if isinstance(chips, str):
        remedy = "type the command again with sudo; if that helps, look at pins.groups"
        yield Finding(topic, Condition.FAIL, chips, remedy)
        return
    names = [name for name, text in chips if text.startswith(label)]
    if len(names) != 1:
        seen = ", ".join(f"{name} ({text})" for name, text in chips) or "none"
        yield Finding(
            topic,
            Condition.FAIL,
            f"expected one GPIO chip labelled {label}…, got {seen}",
            "set COMPANION_GPIOCHIP_LABEL to the beginning of the header's label",
        )
        return
    device = f"dev/{names[0]}"
    labelled = next(text for name, text in chips if name == names[0])
    if not machine.has(device):
        yield Finding(
            topic,
            Condition.FAIL,
            f"expected the chip at /{device}, got nothing there",
            "start the Pi again; if that does not help, update its kernel",
        )
    elif machine.mode(device) & GROUP_BITS != GROUP_BITS:
        yield Finding(
            topic,
            Condition.FAIL,
            f"the group of /{device} may not read and write it",
            "reinstall the udev rules: sudo apt install --reinstall "
            "raspberrypi-sys-mods",
        )
    else:
        yield Finding(topic, Condition.OK, f"{labelled} is {names[0]}")


def look_at_groups(facts: Facts) -> Iterator[Finding]:
    """Check that the table's user may open pins and camera."""
    machine, user = facts.machine, facts.user
    needed = ["gpio"] if facts.vault.kind.has_pins else []
    needed += ["video"] if facts.camera.camera != "none" else []
    granted = set(machine.groups_of(user))
    for line in machine.lines(SERVICE):
        if line.startswith("SupplementaryGroups="):
            granted.update(line.partition("=")[2].split())
    missing = [group for group in needed if group not in granted]
    topic = "pins.groups"
    if user == "root" or not missing:
        groups = " and ".join(needed)
        words = f"{user} is in {groups}" if groups else f"{user} needs no group"
        yield Finding(topic, Condition.OK, words)
    else:
        yield Finding(
            topic,
            Condition.FAIL if "gpio" in missing else Condition.WARN,
            f"{user} is not in the group {' and '.join(missing)}",
            f"sudo usermod -aG {','.join(missing)} {user}, and log in again",
        )


def look_at_boot(facts: Facts) -> Iterator[Finding]:
    """Check the latch's line, strict_gpiod and taken pins in config.txt."""
    if not facts.vault.kind.has_pins:
        return
    config = read_boot_config(facts.machine)
    if not config.is_readable:
        yield Finding(
            "boot.config",
            Condition.UNKNOWN,
            "config.txt could not be read",
            "type the command again with sudo",
        )
        return
    latch, pin = LATCHES[facts.vault.latch], facts.vault.pins.latch
    if latch.find_servo is None:
        yield _coil_at_boot(config, pin, latch.boot.format(pin=pin))
    else:
        yield _servo_at_boot(facts, config, latch.boot.format(pin=pin))
    yield _strictness(facts, config)
    yield from _other_owners(facts, config, latch)


def _servo_at_boot(facts: Facts, config: BootConfig, line: str) -> Finding:
    """Check that config.txt asks for the servo's pulses, and that the kernel has them.

    *line* is what belongs into config.txt. Raspberry Pi's kernels have its
    overlay since November 2024. Source: github.com/raspberrypi/linux, pull request
    6450.
    """
    topic, pin, machine = "boot.servo", facts.vault.pins.latch, facts.machine
    has_pulses = bool(find_chips(pin, machine.root / CHIPS.relative_to("/")))
    file = f"overlays/{DRIVER}.dtbo"
    if not has_pulses and not any(machine.has(f"{x}/{file}") for x in FOLDERS):
        words = f"this system has no {file}, which makes the pulses of the servo"
        remedy = f"{UPDATE}, and run the installer again"
        return Finding(topic, Condition.FAIL, words, remedy)
    add = f"write {line} below [all] at the end of config.txt, and start again"
    asked = [word.get("gpio") for name, word in config.overlays if name == DRIVER]
    if str(pin) not in asked:
        words = f"config.txt does not ask for the pulses of the servo on pin {pin}"
        return Finding(topic, Condition.FAIL, words, add)
    if not has_pulses:
        words = f"config.txt asks for a servo on pin {pin}; the kernel has no pulses"
        remedy = "start the Pi again; if that does not help, update its system"
        return Finding(topic, Condition.FAIL, words, remedy)
    return Finding(
        topic, Condition.OK, f"the kernel has pulses for the servo's pin {pin}"
    )


def _coil_at_boot(config: BootConfig, coil: int, line: str) -> Finding:
    """Check that config.txt holds the coil's pin low while the Pi starts.

    *line* is what belongs into config.txt.
    """
    topic = "boot.coil"
    words = config.levels.get(coil, ())
    if "op" in words and "dl" in words:
        return Finding(topic, Condition.OK, f"pin {coil} of the coil starts low")
    if "dh" in words:
        return Finding(
            topic,
            Condition.FAIL,
            f"config.txt drives pin {coil} of the coil high at every start",
            f"cut the coil's supply, then write {line} in its place",
        )
    return Finding(
        topic,
        Condition.WARN,
        f"config.txt does not hold pin {coil} of the coil low while the Pi starts",
        f"write {line} below [all] at the end of config.txt, and start again",
    )


def _strictness(facts: Facts, config: BootConfig) -> Finding:
    """Check that the kernel stops driving a pin whose program has ended.

    Raspberry Pi's kernels have the file that tells since May 2024; some older ones
    keep a pin driven whatever config.txt says. Source: github.com/raspberrypi/linux,
    pull requests 6117 and 6150.
    """
    topic = "boot.strict"
    paths = (PERSIST.format(chip=chip) for chip in ("bcm2835", "rp1"))
    values = [text for path in paths if (text := facts.machine.text(path)) is not None]
    if not values:
        words = "this kernel may keep a pin driven after its program has died"
        return Finding(topic, Condition.WARN, words, UPDATE)
    if not any(value.upper().startswith(("Y", "1")) for value in values):
        return Finding(topic, Condition.OK, "a pin is let go when its program ends")
    is_asked = config.is_on("strict_gpiod")
    remedy = "write dtparam=strict_gpiod below [all] in config.txt, and start again"
    return Finding(
        topic,
        Condition.WARN,
        "the kernel keeps a pin driven after its program has died",
        "start the Pi again: strict_gpiod is in config.txt" if is_asked else remedy,
    )


def _other_owners(facts: Facts, config: BootConfig, latch: Latch) -> Iterator[Finding]:
    """Report each setting of config.txt that takes a pin of the vault."""
    own = latch.boot.partition(",")[0]  # A servo's overlay takes the servo's pin.
    wires = {bcm: name.replace("_", " ") for name, bcm in facts.vault.pins.named()}
    is_free = True
    for line, pins in claims(config, facts.machine.model):
        shared = sorted(pins & wires.keys())
        if shared and not (line == own and shared == [facts.vault.pins.latch]):
            is_free = False
            ours = ", ".join(f"{bcm} ({wires[bcm]})" for bcm in shared)
            yield Finding(
                "boot.pins",
                Condition.FAIL,
                f"{line} in config.txt takes what is ours: pin {ours}",
                "take that line out, or set another pin with COMPANION_PIN_…",
            )
    if is_free:
        yield Finding("boot.pins", Condition.OK, "nothing else wants the vault's pins")


def look_at_lines(facts: Facts) -> Iterator[Finding]:
    """Report the levels of the vault's inputs, if they were gathered."""
    if facts.levels is None or not facts.vault.kind.has_pins:
        return
    if isinstance(facts.levels, str):
        yield Finding(
            "vault.levels", Condition.FAIL, facts.levels, "see the lines above"
        )
    else:
        yield look_at_levels(facts.levels)
