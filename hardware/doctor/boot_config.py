"""What ``config.txt`` asks of a Raspberry Pi's firmware, and of which pins.

Sections hold for some models only, later lines win, and ``include`` brings in another
file. What hangs on a monitor, a serial number or a pin's level cannot be told from
here and counts as left out.

Source: Raspberry Pi documentation, "config.txt", "Conditional filters" and "GPIO
control"; the overlays' own README in github.com/raspberrypi/linux,
arch/arm/boot/dts/overlays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from hardware.doctor.machine import Machine

FOLDERS = ("boot/firmware", "boot")
"""Where config.txt is: since bookworm, and before."""

INCLUDES_MAX = 5
PIN_MAX = 53

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
"""The models that a section holds for, as a pattern of their names."""


@dataclass(frozen=True, slots=True)
class BootConfig:
    """What holds of config.txt on this model.

    Attributes:
        is_readable: Whether there was a file to read.
        levels: By pin, what its last ``gpio=`` line makes of it: ``op``, ``dl``...
        overlays: Each overlay that is loaded: its name, and its parameters.
        parameters: The ``dtparam`` of the board itself; a switch without a value is on.
    """

    is_readable: bool
    levels: Mapping[int, tuple[str, ...]]
    overlays: tuple[tuple[str, Mapping[str, str]], ...]
    parameters: Mapping[str, str]

    def is_on(self, parameter: str) -> bool:
        """Whether a switch of the board is on."""
        value = self.parameters.get(parameter, "off")
        return value not in ("off", "no", "false", "0")


def read_boot_config(machine: Machine) -> BootConfig:
    """Read config.txt of *machine*."""
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
    machine: Machine, folder: str, name: str, includes: int
) -> Iterator[tuple[str, str]]:
    """The settings that hold on this model: (name, value), in the file's order."""
    filters: dict[str, bool] = {}
    for raw in machine.lines(f"{folder}/{name}"):
        line = raw.strip()
        section = re.fullmatch(r"\[(.*)\]", line)
        if section:
            filters = _filtered(filters, section[1].lower(), machine.model)
        elif line and not line.startswith("#") and all(filters.values()):
            included = re.fullmatch(r"include\s+([\w.-]+)", line)
            if included and includes:
                yield from _settings(machine, folder, included[1], includes - 1)
            else:
                key, _, value = line.partition("=")
                yield key.strip(), value.strip()


def _filtered(filters: dict[str, bool], section: str, model: str) -> dict[str, bool]:
    """The filters after a section's head: one of a kind replaces the one before."""
    if section == "all":
        return {}
    if section in MODELS:
        return {**filters, "model": bool(re.match(MODELS[section], model))}
    kind = "model" if section == "none" else re.split(r"[=:0-9]", section)[0]
    return {**filters, kind: False}


@dataclass(slots=True)
class _Reading:
    """Settings taken in one after another."""

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
            known = dict(map(_parameter, words.split(",")))
            self.overlays.append((overlay.strip(), known))
        elif name in ("dtparam", "device_tree_param"):
            found = dict(map(_parameter, value.split(",")))
            # They are the latest overlay's if it knows them, and else the board's.
            if self.overlays:
                self.overlays[-1][1].update(found)
            self.parameters.update(found)

    def _set_level(self, pin: int, words: tuple[str, ...]) -> None:
        kinds = (
            ("ip", "op", *(f"a{n}" for n in range(6))),
            ("dl", "dh"),
            ("pu", "pd", "pn", "np"),
        )
        before = self.levels.get(pin, ())
        kept = tuple(
            old
            for old in before
            if not any(old in kind and new in kind for kind in kinds for new in words)
        )
        self.levels[pin] = (*kept, *words)


def _parameter(word: str) -> tuple[str, str]:
    name, _, value = word.strip().partition("=")
    return name.strip(), value.strip() or "on"


def _pins_in(text: str) -> Iterator[int]:
    """The pins of a list such as ``5,17-19``."""
    for part in text.split(","):
        found = re.fullmatch(r"\s*([0-9]{1,2})(?:-([0-9]{1,2}))?\s*", part)
        if found:
            first, last = int(found[1]), int(found[2] or found[1])
            yield from range(first, min(last, PIN_MAX) + 1)


# Who else wants a pin.

I2S = (18, 19, 20, 21)
SDIO = (22, 23, 24, 25, 26, 27)


@dataclass(frozen=True, slots=True)
class Wants:
    """The pins that an overlay takes.

    Attributes:
        fixed: Those that no parameter moves.
        movable: By parameter, the pin it has without it.
        choices: By a parameter that is only named, all that are taken then instead of
            the first choice; the first one is the overlay's own.
        extra: By a parameter that is only named, those that are taken then as well.
    """

    fixed: tuple[int, ...] = ()
    movable: Mapping[str, int] = field(default_factory=dict)
    choices: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    extra: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def pins(self, parameters: Mapping[str, str]) -> frozenset[int]:
        """All pins that are taken with *parameters*."""
        taken = set(self.fixed)
        for name, default in self.movable.items():
            text = parameters.get(name, str(default))
            if text.isascii() and text.isdigit() and len(text) < 4:
                taken.add(int(text))
        for name, pins in self.extra.items():
            taken.update(pins if name in parameters else ())
        if self.choices:
            chosen = [name for name in self.choices if name in parameters]
            taken.update(
                self.choices[(chosen or list(self.choices))[-1 if chosen else 0]]
            )
        return frozenset(taken)


def _spi1(*selects: int) -> Wants:
    movable = {f"cs{n}_pin": pin for n, pin in enumerate(selects)}
    return Wants((19, 20, 21), movable)


def _spi(fixed: tuple[int, ...], *selects: int) -> Wants:
    return Wants(fixed, {f"cs{n}_pin": pin for n, pin in enumerate(selects)})


def _choice(*pairs: tuple[int, ...]) -> Wants:
    return Wants(choices={"pins_" + "_".join(map(str, pins)): pins for pins in pairs})


def _one(parameter: str, pin: int) -> Wants:
    return Wants(movable={parameter: pin})


OVERLAYS: dict[str, Wants] = {
    "at86rf233": Wants(movable={"interrupt": 23, "reset": 24, "sleep": 25}),
    "audremap": _choice((12, 13), (18, 19), (40, 41), (40, 45)),
    "cap1106": _one("int_pin", 23),
    "dht11": _one("gpiopin", 4),
    "dpi18": Wants(tuple(range(22))),
    "dpi18cpadhi": Wants((*range(10), *range(12, 18), *range(20, 26))),
    "dpi24": Wants(tuple(range(28))),
    "enc28j60": _one("int_pin", 25),
    "gc9a01": Wants((25, 27, 18)),
    "goodix": Wants(movable={"interrupt": 4, "reset": 17}),
    "gpio-charger": _one("gpio", 4),
    "gpio-fan": _one("gpiopin", 12),
    "gpio-hog": _one("gpio", 26),
    "gpio-ir": _one("gpio_pin", 18),
    "gpio-ir-tx": _one("gpio_pin", 18),
    "gpio-key": _one("gpio", 3),
    "gpio-led": _one("gpio", 19),
    "gpio-poweroff": _one("gpiopin", 26),
    "gpio-shutdown": _one("gpio_pin", 3),
    "hd44780-lcd": Wants(
        movable={
            "pin_d4": 6, "pin_d5": 13, "pin_d6": 19, "pin_d7": 26, "pin_en": 21,
            "pin_rs": 20,
        }
    ),
    "hdmi-backlight-hwhack-gpio": _one("gpio_pin", 17),
    "i2c-gpio": Wants(movable={"i2c_gpio_sda": 23, "i2c_gpio_scl": 24}),
    "i2c-rtc-gpio": Wants(movable={"i2c_gpio_sda": 23, "i2c_gpio_scl": 24}),
    "i2c0-pi5": _choice((0, 1), (8, 9)),
    "i2c1-pi5": _choice((2, 3), (10, 11)),
    "i2c2-pi5": _choice((4, 5), (12, 13)),
    "i2c3": _choice((4, 5), (2, 3)),
    "i2c3-pi5": _choice((6, 7), (14, 15), (22, 23)),
    "i2c4": _choice((8, 9), (6, 7)),
    "i2c5": _choice((12, 13), (10, 11)),
    "i2c6": _choice((22, 23), (0, 1)),
    "i2s-dac": Wants(I2S),
    "pps-gpio": _one("gpiopin", 18),
    "pwm": _one("pin", 18),
    "pwm-2chan": Wants(movable={"pin": 18, "pin2": 19}),
    "pwm-ir-tx": _one("gpio_pin", 18),
    "qca7000": _one("int_pin", 23),
    "rotary-encoder": Wants(movable={"pin_a": 4, "pin_b": 17}),
    "sainsmart18": Wants(movable={"dc_pin": 24, "reset_pin": 25}),
    "sc16is750-i2c": _one("int_pin", 24),
    "sc16is752-i2c": _one("int_pin", 24),
    "sc16is752-spi0": _one("int_pin", 24),
    "sc16is752-spi1": Wants((18, 19, 20, 21), {"int_pin": 24}),
    "sdio": Wants(
        choices={
            "gpios_22_27": SDIO,
            "gpios_22_25": (22, 23, 24, 25),
            "gpios_34_37": (34, 35, 36, 37),
            "gpios_34_39": (34, 35, 36, 37, 38, 39),
        }
    ),
    "sdio-pi5": Wants(SDIO),
    "sh1106-spi": Wants(movable={"dc_pin": 24, "reset_pin": 25}),
    "si446x-spi0": Wants(movable={"int_pin": 17, "reset_pin": 27}),
    "smi": Wants(tuple(range(2, 26))),
    "spi1-1cs": _spi1(18),
    "spi1-2cs": _spi1(18, 17),
    "spi1-3cs": _spi1(18, 17, 16),
    "spi2-2cs-pi5": _spi((1, 2, 3), 0, 24),
    "spi3-1cs-pi5": _spi((5, 6, 7), 4),
    "spi3-2cs": _spi((1, 2, 3), 0, 24),
    "spi3-2cs-pi5": _spi((5, 6, 7), 4, 25),
    "spi4-1cs": _spi((5, 6, 7), 4),
    "spi4-2cs": _spi((5, 6, 7), 4, 25),
    "spi5-1cs": _spi((13, 14, 15), 12),
    "spi5-1cs-pi5": _spi((13, 14, 15), 12),
    "spi5-2cs": _spi((13, 14, 15), 12, 26),
    "spi5-2cs-pi5": _spi((13, 14, 15), 12, 26),
    "spi6-1cs": _spi((19, 20, 21), 18),
    "spi6-2cs": _spi((19, 20, 21), 18, 27),
    "ssd1306-spi": Wants(movable={"dc_pin": 24, "reset_pin": 25}),
    "ssd1331-spi": Wants(movable={"dc_pin": 24, "reset_pin": 25}),
    "ssd1351-spi": Wants(movable={"dc_pin": 24, "reset_pin": 25}),
    "uart0": Wants(movable={"txd0_pin": 14, "rxd0_pin": 15}),
    "uart0-pi5": Wants((14, 15), extra={"ctsrts": (16, 17)}),
    "uart1": Wants(movable={"txd1_pin": 14, "rxd1_pin": 15}),
    "uart2-pi5": Wants((4, 5), extra={"ctsrts": (6, 7)}),
    "uart3": Wants((4, 5), extra={"ctsrts": (6, 7)}),
    "uart4": Wants((8, 9), extra={"ctsrts": (10, 11)}),
    "uart4-pi5": Wants((12, 13), extra={"ctsrts": (14, 15)}),
    "uart5": Wants((12, 13), extra={"ctsrts": (14, 15)}),
    "vc4-kms-dpi-generic": Wants(tuple(range(22))),
    "vga666": Wants(tuple(range(2, 22))),
    "w1-gpio": _one("gpiopin", 4),
    "w1-gpio-pi5": _one("gpiopin", 4),
    "w1-gpio-pullup": Wants(movable={"gpiopin": 4, "extpullup": 5}),
    "w1-gpio-pullup-pi5": Wants(movable={"gpiopin": 4, "extpullup": 5}),
    "wittypi": _one("led_gpio", 17),
}  # fmt: skip
"""The pins of the header that an overlay takes, of those that can want one of ours.

Sound cards on I2S (``hifiberry-…`` and the like) go by their beginning, in ``SOUND``.
Source: the overlays' README, kernel 6.6 and later: each entry's defaults.
"""

SOUND = ("hifiberry-", "iqaudio-", "justboom-", "allo-", "audioinjector-", "rpi-dac")
"""How the names of sound cards on I2S begin."""

PARAMETERS: dict[str, tuple[int, ...]] = {
    "i2c": (2, 3),
    "i2c_arm": (2, 3),
    "i2c1": (2, 3),
    "i2c_vc": (0, 1),
    "i2s": I2S,
    "spi": (7, 8, 9, 10, 11),
    "uart0_console": (14, 15),
}
"""The pins that a ``dtparam`` of the board takes when it is on."""

PI5 = "-pi5"


def claims(config: BootConfig, model: str) -> Iterator[tuple[str, frozenset[int]]]:
    """Each line of *config* that takes pins of the header: its words, and the pins.

    On a Pi 5 the firmware loads an overlay's own version for it, where there is one.
    """
    for name, pins in PARAMETERS.items():
        if config.is_on(name):
            yield f"dtparam={name}=on", frozenset(pins)
    for name, parameters in config.overlays:
        own = f"{name}{PI5}" if re.match(MODELS["pi5"], model) else name
        wants = OVERLAYS.get(own) or OVERLAYS.get(name)
        if wants is None and name.startswith(SOUND):
            wants = Wants(I2S)
        if wants is not None:
            yield f"dtoverlay={name}", wants.pins(parameters)
