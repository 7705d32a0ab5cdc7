"""The circuit as data: its parts, and which of their legs are joined.

The figures and the tables of ``hardware/README.md`` read from here. A leg is written
``R1.1`` (part and end) or ``Pi.11`` (pin of the 40-pin header); a *net* joins legs.
Nets of the same name are one net, joined by the header's pin.
"""

from __future__ import annotations

from hardware.vault.pins import (
    GROUND,
    LATCH_5V,
    LATCH_GROUND,
    PHYSICAL,
    SERVO_BCM,
    SUPPLY_5V,
    Pins,
)

PARTS = {
    "R1": "470 Ω", "R2": "680 Ω", "R3": "10 kΩ", "R4": "10 kΩ", "R5": "10 kΩ",
    "R6": "330 Ω", "R7": "330 Ω", "R8": "1 kΩ", "R9": "10 kΩ", "R10": "1 kΩ",
    "R11": "1 kΩ", "R12": "1 kΩ", "R13": "1 kΩ", "R14": "1 kΩ", "R15": "10 Ω",
    "R16": "2.2 kΩ", "R17": "2.2 kΩ", "R18": "1 kΩ",
    "C1": "4,700 µF", "C3": "10 nF", "C4": "10 nF", "C5": "10 nF", "C6": "10 nF",
    "C7": "10 nF", "C8": "10 F", "C9": "10 F",
    "D1": "1N4007", "D2": "LED", "D3": "green LED", "D4": "red LED", "D5": "1N4148",
    "Q1": "TIP120", "Q2": "BC337", "L1": "latch coil", "M1": "servo", "BZ1": "buzzer",
    "S1": "wheel", "S2": "M button", "S3": "yellow button", "S4": "lid switch",
    "PS1": "24 V at most",
}  # fmt: skip
"""Value or kind of every part, by its name in the figures."""

Nets = dict[str, tuple[str, ...]]
PI = {wire: f"Pi.{PHYSICAL[bcm]}" for wire, bcm in Pins().named()}
"""The leg of the header that each wire is on."""


def _nets(*rows: str) -> Nets:
    """Read rows of a net's name and its legs."""
    named = (row.split(": ") for row in rows)
    return {name: tuple(legs.split()) for name, legs in named}


BOX = _nets(
    f"5 V: Pi.{SUPPLY_5V} BZ1.+ D5.K",
    f"ground: Pi.{GROUND} D3.K D4.K R9.2 Q2.E S1.C S2.2 S3.2 S4.2 "
    "C3.2 C4.2 C5.2 C6.2 C7.2",
    "wheel a: S1.A R10.1",
    f"wheel a pin: R10.2 C3.1 {PI['wheel_a']}",
    "wheel b: S1.B R11.1",
    f"wheel b pin: R11.2 C4.1 {PI['wheel_b']}",
    "m: S2.1 R12.1",
    f"m pin: R12.2 C5.1 {PI['m_button']}",
    "yellow: S3.1 R13.1",
    f"yellow pin: R13.2 C6.1 {PI['yellow_button']}",
    "lid: S4.1 R14.1",
    f"lid pin: R14.2 C7.1 {PI['lid']}",
    f"green pin: {PI['led_green']} R6.1",
    "green: R6.2 D3.A",
    f"red pin: {PI['led_red']} R7.1",
    "red: R7.2 D4.A",
    f"buzzer pin: {PI['buzzer']} R8.1",
    "buzzer base: R8.2 R9.1 Q2.B",
    "buzzer -: BZ1.- D5.A Q2.C",
)
"""What both builds have: contacts, lights and buzzer."""

COIL = _nets(
    "24 V: PS1.+ R1.1",
    "reservoir: R1.2 C1.+ R4.1 L1.1 D1.K",
    "coil -: L1.2 D1.A Q1.C",
    f"coil pin: {PI['latch']} R2.1",
    "base: R2.2 R3.1 Q1.B",
    "charge: R4.2 D2.A",
    f"ground: Pi.{LATCH_GROUND} PS1.- C1.- R3.2 D2.K Q1.E",
)
"""Build A, where a coil pulls the bolt, fed from a reservoir."""

SERVO = _nets(
    f"5 V: Pi.{LATCH_5V} R15.1",
    "servo +: R15.2 C8.+ R16.1 M1.+",
    "middle: C8.- C9.+ R16.2 R17.1",
    f"servo pin: Pi.{PHYSICAL[SERVO_BCM]} R5.1 R18.1",
    "servo signal: R18.2 M1.S",
    f"ground: Pi.{LATCH_GROUND} C9.- R17.2 R5.2 M1.-",
)
"""Build B, where a servo pulls it, fed from a reservoir, too."""
