"""The circuit as data: its parts, and which of their legs are joined.

The figures, the tables of ``hardware/README.md`` and the simulation of the coil's stage
read from here. A leg is written ``U1.10`` (chip and pin), ``R1.1`` (part and end) or
``Pi.11`` (pin of the 40-pin header); a *net* joins legs.
"""

from __future__ import annotations

from dataclasses import dataclass

from hardware.vault.pins import GROUND, PHYSICAL, SUPPLY_3V3, SUPPLY_5V, Pins


@dataclass(frozen=True, slots=True)
class Leg:
    """A pin of a chip.

    Attributes:
        name: As in the data sheet; ``/`` stands for the bar over a letter.
        role: ``in``, ``out``, ``timing``, ``supply`` or ``ground``.
    """

    name: str
    role: str


def _legs(*rows: str) -> dict[int, Leg]:
    """Read rows of pin number, name and role."""
    return {
        int(number): Leg(name, role)
        for number, name, role in (row.split() for row in rows)
    }


CHIPS: dict[str, dict[int, Leg]] = {
    "U1": _legs(
        "1 1/A in", "2 1B in", "3 1/R in", "4 1/Q out", "5 2Q out", "6 2C timing",
        "7 2RC timing", "8 GND ground", "9 2/A in", "10 2B in", "11 2/R in",
        "12 2/Q out", "13 1Q out", "14 1C timing", "15 1RC timing", "16 VCC supply",
    ),
    "U2": _legs(
        "1 1A in", "2 1B in", "3 1Y out", "4 2A in", "5 2B in", "6 2Y out",
        "7 GND ground", "8 3Y out", "9 3A in", "10 3B in", "11 4Y out", "12 4A in",
        "13 4B in", "14 VCC supply",
    ),
}  # fmt: skip
"""The legs of both chips, by pin number.

Source: Texas Instruments SCHS166F (CD74HC221) and SDLS213 (the same pins, 74LS221);
Nexperia 74HC08, pinning.
"""

CHIP_NAMES = {"U1": "74HC221", "U2": "74HC08"}

PARTS = {
    "R1": "1 kΩ", "R2": "10 kΩ", "R3": "1 MΩ", "R4": "150 kΩ", "R5": "100 Ω",
    "R6": "10 kΩ", "R7": "4.7 kΩ", "R8": "330 Ω", "R9": "330 Ω", "R10": "100 Ω",
    "R11": "10 kΩ", "R12": "10 kΩ", "R13": "10 kΩ", "R14": "10 kΩ", "R15": "10 kΩ",
    "R16": "10 kΩ",
    "C1": "4.7 µF", "C2": "4.7 µF", "C3": "100 nF", "C4": "100 nF", "C5": "47 µF",
    "C6": "1000 µF", "C7": "10 nF", "C8": "10 nF", "C9": "100 nF", "C10": "100 nF",
    "C11": "100 nF",
    "D1": "BAT85", "D2": "BAT85", "D3": "1N4007", "D4": "green LED", "D5": "red LED",
    "D6": "1N4148",
    "Q1": "AO3400A", "Q2": "AO3400A",
    "F1": "fuse, time-lag", "TF1": "thermal cut-off", "L1": "latch coil",
    "BZ1": "buzzer", "S1": "wheel", "S2": "M button", "S3": "yellow button",
    "S4": "lid switch", "PS1": "12 V supply",
}  # fmt: skip
"""Value or kind of every part except the chips, by its name in the figures."""

UNITS = {"Ω": 1.0, "kΩ": 1e3, "MΩ": 1e6, "nF": 1e-9, "µF": 1e-6}
"""The units in ``PARTS``, in ohms and farads."""


def value_of(part: str) -> float:
    """Return the value of a resistor in ohms, or of a capacitor in farads."""
    number, unit = PARTS[part].split()
    return float(number) * UNITS[unit]


RC_FACTOR = 0.7
"""The length of a 74HC221's pulse is 0.7 R C. Source: Texas Instruments SCHS166F."""

PULL_MS = round(RC_FACTOR * value_of("R4") * value_of("C2") * 1000)
"""The longest pull that the circuit allows, in ms."""
LOCK_OUT_MS = round(RC_FACTOR * value_of("R3") * value_of("C1") * 1000)
"""The time from the start of a pull until the circuit allows another, in ms."""
TOLERANCE = (0.99 * 0.90 * 0.95, 1.01 * 1.10 * 1.05)
"""The least and the greatest real time, as a factor of both times above.

The resistor may be off by 1 %, the capacitor by 10 %, the chip by 5 %.

Source of the 5 %: Nexperia 74HC221, "pulse width variance is typically less than 5 %".
"""

LEFT_OPEN = frozenset({"U1.4", "U1.12", "U2.6", "U2.8", "U2.11"})
"""The outputs that are not connected; no other leg may be."""


def nets(pins: Pins) -> dict[str, tuple[str, ...]]:
    """Return the legs that each net joins, with the header's pins as in *pins*."""
    pi = {wire: f"Pi.{PHYSICAL[bcm]}" for wire, bcm in pins.named()}
    joined = {
        "3.3 V": (
            f"Pi.{SUPPLY_3V3} U1.16 U1.3 U1.11 U2.14 C3.1 C4.1 C5.+ R3.1 R4.1 "
            "D1.K D2.K R12.1 R13.1 R14.1 R15.1 R16.1"
        ),
        "5 V": f"Pi.{SUPPLY_5V} BZ1.+ D6.K",
        "ground": (
            f"Pi.{GROUND} PS1.- U1.8 U1.1 U1.9 U2.7 U2.4 U2.5 U2.9 U2.10 U2.12 U2.13 "
            "C3.2 C4.2 C5.- C6.- R2.2 R6.2 R7.2 R11.2 Q1.S Q2.S D4.K D5.K "
            "S1.C S2.2 S3.2 S4.2 C7.2 C8.2 C9.2 C10.2 C11.2"
        ),
        "coil pin": f"{pi['coil']} R1.1",
        "fire": "R1.2 R2.1 U1.10 U2.1",
        "lock-out RC": "U1.7 C1.1 R3.2 D1.A",
        "lock-out C": "U1.6 C1.2",
        "lock-out": "U1.5 U1.2",
        "pull RC": "U1.15 C2.1 R4.2 D2.A",
        "pull C": "U1.14 C2.2",
        "pull": "U1.13 U2.2",
        "drive": "U2.3 R5.1",
        "gate": "R5.2 R6.1 Q1.G",
        "12 V": "PS1.+ C6.+ R7.1 F1.1",
        "fused": "F1.2 TF1.1",
        "coil +": "TF1.2 L1.1 D3.K",
        "coil -": "L1.2 D3.A Q1.D",
        "led green": f"{pi['led_green']} R8.1",
        "green": "R8.2 D4.A",
        "led red": f"{pi['led_red']} R9.1",
        "red": "R9.2 D5.A",
        "buzzer pin": f"{pi['buzzer']} R10.1",
        "buzzer gate": "R10.2 R11.1 Q2.G",
        "buzzer -": "BZ1.- D6.A Q2.D",
        "wheel a": f"{pi['wheel_a']} S1.A R12.2 C7.1",
        "wheel b": f"{pi['wheel_b']} S1.B R13.2 C8.1",
        "m": f"{pi['m_button']} S2.1 R14.2 C9.1",
        "yellow": f"{pi['yellow_button']} S3.1 R15.2 C10.1",
        "lid": f"{pi['lid']} S4.1 R16.2 C11.1",
    }
    return {name: tuple(legs.split()) for name, legs in joined.items()}


def net_of(pins: Pins) -> dict[str, str]:
    """Return the name of the net that each leg is on."""
    return {leg: name for name, legs in nets(pins).items() for leg in legs}


FUSE_OHMS = {200: 1.6, 250: 1.05, 315: 0.848, 400: 0.535}
"""The cold resistance of time-lag fuses, in ohms, by their rating in mA.

Source: Littelfuse 213 series data sheet; other makers' values differ a little.
"""
