"""Looks at the header's pins: the chip, its permissions, config.txt, the levels.

In a Raspberry Pi's ``config.txt`` a section such as ``[pi4]`` holds for some models
only, a later line overrides an earlier one, and ``include`` reads another file.
Sections that depend on a monitor, a serial number or the level of a pin are ignored.

An *overlay*, loaded by ``dtoverlay=``, describes added hardware; its *parameters*, and
those of the board itself, are set by ``dtparam=``. A ``gpio=`` line sets pins by words
such as ``op`` (output) and ``dl`` (driven low).

Source: Raspberry Pi documentation, "config.txt", "Conditional filters" and "GPIO
control". The pins of each overlay are in ``overlays.toml``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from companion.health import Condition, Finding
from companion.lock.view import look_at_levels
from hardware.doctor.facts import SERVICE, Facts, Machine
from hardware.vault.latches import LATCHES, Latch
from hardware.vault.pwm import CHIPS, DRIVER, find_chips

# What config.txt says, and which pins it takes.

FOLDERS = ("boot/firmware", "boot")
"""The folder of config.txt: since bookworm, and before it."""

INCLUDES_MAX = 5
"""How deep ``include`` may be nested."""
PIN_MAX = 53
"""The highest number of a pin of the processor."""
PI5 = "-pi5"
"""The ending of an overlay that a Pi 5 loads in place of another."""

MODELS = {
    "pi2": "Raspberry Pi 2 ",
    "pi3": r"Raspberry Pi (3 |Compute Module 3)",
    "pi3+": r"Raspberry Pi 3 Model [AB] Plus",
    "pi4": r"Raspberry Pi (4 |400|Compute Module 4)",
    "pi400": "Raspberry Pi 400",
    "cm4": r"Raspberry Pi Compute Module 4(?!S)",
    "cm4s": "Raspberry Pi Compute Module 4S",
    "pi5": r"Raspberry Pi (5 |500|Compute Module 5)",
    "pi500": "Raspberry Pi 500",
    "cm5": "Raspberry Pi Compute Module 5",
    "pi0": "Raspberry Pi Zero",
    "pi0w": r"Raspberry Pi Zero (W|2)",
    "pi02": "Raspberry Pi Zero 2",
    "pi1": r"Raspberry Pi (Model|Compute Module Rev)",
    "cm1": "Raspberry Pi Compute Module Rev",
    "cm3": r"Raspberry Pi Compute Module 3",
}
"""A pattern of the models' names for which each section holds."""


@dataclass(frozen=True, slots=True)
class BootConfig:
    """The settings of config.txt that hold on one model.

    Attributes:
        is_readable: Whether there was a file to read.
        levels: The words of the ``gpio=`` lines that hold for each pin.
        overlays: The name and parameters of each overlay, in the file's order.
        parameters: The board's own ``dtparam`` settings.
    """

    is_readable: bool
    levels: Mapping[int, tuple[str, ...]]
    overlays: tuple[tuple[str, Mapping[str, str]], ...]
    parameters: Mapping[str, str]

    def is_on(self, parameter: str) -> bool:
        """Return whether a switch of the board is on."""
        value = self.parameters.get(parameter, "off")
        return value not in ("off", "no", "false", "0")


def read_boot_config(machine: Machine) -> BootConfig:
    """Read the config.txt of *machine*."""
    folder = next((f for f in FOLDERS if machine.has(f"{f}/config.txt")), "")
    reading = _Reading()
    is_readable = bool(folder) and machine.text(f"{folder}/config.txt") is not None
    if is_readable:
        for name, value in _settings(machine, folder, "config.txt", INCLUDES_MAX):
            reading.take(name, value)
    return BootConfig(
        is_readable, reading.levels, tuple(reading.overlays), reading.parameters
    )


def _settings(
    machine: Machine, folder: str, name: str, includes_left: int
) -> Iterator[tuple[str, str]]:
    """Yield the name and value of each setting that holds on this model."""
    filters: dict[str, bool] = {}
    for raw in machine.lines(f"{folder}/{name}"):
        line = raw.strip()
        section = re.fullmatch(r"\[(.*)\]", line)
        if section:
            filters = _filtered(filters, section[1].lower(), machine.model)
        elif line and not line.startswith("#") and all(filters.values()):
            included = re.fullmatch(r"include\s+([\w.-]+)", line)
            if included and includes_left:
                yield from _settings(machine, folder, included[1], includes_left - 1)
            else:
                key, _, value = line.partition("=")
                yield key.strip(), value.strip()


def _filtered(filters: dict[str, bool], section: str, model: str) -> dict[str, bool]:
    """Return whether each filter lets lines through, below the head of a *section*.

    Filters of different kinds apply together; a new one replaces its own kind.
    """
    if section == "all":
        return {}
    if section in MODELS:
        return {**filters, "model": bool(re.match(MODELS[section], model))}
    # The part of a head such as [gpio4=1] that names its kind.
    kind = "model" if section == "none" else re.split(r"[=:0-9]", section)[0]
    return {**filters, kind: False}


# The words of a gpio= line.
DIRECTIONS = frozenset({"ip", "op", *(f"a{n}" for n in range(6))})
"""Input, output, or another function."""
LEVELS = frozenset({"dl", "dh"})
"""Driven low, driven high."""
PULLS = frozenset({"pu", "pd", "pn", "np"})
"""A pull resistor: up, down, none."""


@dataclass(slots=True)
class _Reading:
    """Collects the settings of a file line by line."""

    levels: dict[int, tuple[str, ...]] = field(default_factory=dict)
    overlays: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    parameters: dict[str, str] = field(default_factory=dict)

    def take(self, name: str, value: str) -> None:
        if name in ("gpio", "gpio0"):
            pins, _, words = value.partition("=")
            for pin in _pins_in(pins):
                self._set_level(pin, tuple(w.strip() for w in words.split(",")))
        elif name in ("dtoverlay", "device_tree_overlay"):
            overlay, _, words = value.replace(":", ",").partition(",")
            self.overlays.append((overlay.strip(), _parameters_in(words)))
        elif name in ("dtparam", "device_tree_param"):
            parameters = _parameters_in(value)
            # The firmware tries the latest overlay first, and then the board.
            if self.overlays:
                self.overlays[-1][1].update(parameters)
            self.parameters.update(parameters)

    def _set_level(self, pin: int, words: tuple[str, ...]) -> None:
        # A word overrides earlier ones of its kind.
        overridden: set[str] = set()
        for kind in (DIRECTIONS, LEVELS, PULLS):
            if not kind.isdisjoint(words):
                overridden |= kind
        before = self.levels.get(pin, ())
        kept = tuple(word for word in before if word not in overridden)
        self.levels[pin] = (*kept, *words)


def _parameters_in(text: str) -> dict[str, str]:
    """Read a list such as ``spi=off,audio``; a bare name means ``on``."""
    pairs = (word.partition("=") for word in text.split(","))
    return {name.strip(): value.strip() or "on" for name, _, value in pairs}


def _pins_in(text: str) -> Iterator[int]:
    """Yield the pins of a list such as ``5,17-19``."""
    for part in text.split(","):
        ends = re.fullmatch(r"\s*([0-9]{1,2})(?:-([0-9]{1,2}))?\s*", part)
        if ends:
            first, last = int(ends[1]), int(ends[2] or ends[1])
            yield from range(first, min(last, PIN_MAX) + 1)


@dataclass(frozen=True, slots=True)
class OverlayPins:
    """The pins that an overlay takes: a row of ``overlays.toml``, which explains it."""

    fixed: str = ""
    movable: Mapping[str, int] = field(default_factory=dict)
    choices: Mapping[str, str] = field(default_factory=dict)
    extra: Mapping[str, str] = field(default_factory=dict)

    def taken_with(self, parameters: Mapping[str, str]) -> frozenset[int]:
        """Return the pins that the overlay takes when loaded with *parameters*."""
        lists = [self.fixed]
        for name, default in self.movable.items():
            lists.append(parameters.get(name, str(default)))
        lists += [pins for name, pins in self.extra.items() if name in parameters]
        chosen = [pins for name, pins in self.choices.items() if name in parameters]
        default_choice = list(self.choices.values())[:1]
        lists += chosen[-1:] or default_choice
        return frozenset(pin for pins in lists for pin in _pins_in(pins))


@dataclass(frozen=True, slots=True)
class _Takers:
    """The contents of ``overlays.toml``."""

    parameters: Mapping[str, str]
    families: Mapping[str, OverlayPins]
    overlays: Mapping[str, OverlayPins]

    def pins_of(self, overlay: str, model: str) -> OverlayPins | None:
        """Return what *overlay* takes on *model*, if it is listed."""
        names = [overlay]
        if re.match(MODELS["pi5"], model):
            names.insert(0, f"{overlay}{PI5}")
        for name in names:
            if name in self.overlays:
                return self.overlays[name]
        for beginning, pins in self.families.items():  # Such as hifiberry-…
            if overlay.startswith(beginning):
                return pins
        return None


@cache
def _takers() -> _Takers:
    text = Path(__file__).with_name("overlays.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(text)
    families, overlays = (
        {name: OverlayPins(**row) for name, row in tables[table].items()}
        for table in ("families", "overlays")
    )
    return _Takers(tables["parameters"], families, overlays)


def claims(config: BootConfig, model: str) -> Iterator[tuple[str, frozenset[int]]]:
    """Yield each setting of *config* that takes pins of the header, and those pins."""
    takers = _takers()
    for name, pins in takers.parameters.items():
        if config.is_on(name):
            yield f"dtparam={name}=on", frozenset(_pins_in(pins))
    for name, parameters in config.overlays:
        overlay = takers.pins_of(name, model)
        if overlay is not None:
            yield f"dtoverlay={name}", overlay.taken_with(parameters)


# The looks.

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
