"""The pin of each wire; code, tables, figures and tests all take it from here."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields

from companion.errors import Malformed

HEADER_LABEL = "pinctrl-"
"""The beginning of the label of the header's GPIO chip: pinctrl-bcm2711, -rp1..."""

RESERVED_BCM = {0: "the ID EEPROM's data", 1: "the ID EEPROM's clock"}
"""Pins that the Raspberry Pi reserves for an ID EEPROM on an add-on board."""

UNSAFE_LATCH_BCM = {
    **dict.fromkeys(range(9), "the Pi pulls it up until the program starts"),
    14: "the Pi's serial console drives it while it starts",
}
"""Pins that could open the bolt while the Pi starts, with the reason.

The pull-ups of 2 and 3 are stronger even than the resistor that holds the transistor
off.

Source: BCM2835 ARM Peripherals, table 6-31; Raspberry Pi documentation, "UART".
"""

SERVO_BCM = 12
"""The pin of the latch if it is a servo, unless a setting names another."""

BCM_MAX = 27
"""The highest number on the 40-pin header."""

PHYSICAL = {
    0: 27, 1: 28, 2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19,
    11: 23, 12: 32, 13: 33, 14: 8, 15: 10, 16: 36, 17: 11, 18: 12, 19: 35, 20: 38,
    21: 40, 22: 15, 23: 16, 24: 18, 25: 22, 26: 37, 27: 13,
}  # fmt: skip
"""Physical pin on the 40-pin header, by BCM number.

Source: Raspberry Pi documentation, "GPIO and the 40-pin header".
"""

SUPPLY_5V, GROUND = 2, 9
"""Header pins that supply the box's buzzer, and go to its board's ground."""
LATCH_5V, LATCH_GROUND = 4, 14
"""The latch's own, since two cables do not fit on one pin."""
POWER = {"3.3 V": (1, 17), "5 V": (2, 4), "ground": (6, 9, 14, 20, 25, 30, 34, 39)}
"""Header pins that no program drives. Source: as for ``PHYSICAL``."""


@dataclass(frozen=True, slots=True)
class Pins:
    """The BCM number of each wire. Defaults avoid I2C, SPI, UART, I2S and the ID pins.

    The latch and the other outputs are on pins that power up with pull-downs (9 to 27).
    The external resistors are stronger anyway.
    """

    wheel_a: int = 23
    """Wheel, contact A: in, to ground when closed."""
    wheel_b: int = 24
    """Wheel, contact B: in, to ground when closed."""
    m_button: int = 5
    """M button: in, to ground when pressed."""
    yellow_button: int = 6
    """Yellow button: in, to ground when pressed."""
    lid: int = 16
    """Lid switch: in, to ground while the lid is shut; a cut wire reads open."""
    latch: int = 17
    """Latch: out; to a coil's transistor, active high, or to a servo's signal."""
    led_green: int = 22
    """Green LED: out, active high."""
    led_red: int = 27
    """Red LED: out, active high."""
    buzzer: int = 13
    """Buzzer (active type): out, active high, through a transistor."""

    def __post_init__(self) -> None:
        problems = self._problems()
        if problems:
            raise Malformed("; ".join(problems))

    def _problems(self) -> list[str]:
        problems = []
        uses = Counter(bcm for _, bcm in self.named())
        for name, bcm in self.named():
            if isinstance(bcm, bool) or not isinstance(bcm, int):
                problems.append(f"{name}: expected a BCM number, got {bcm!r}")
            elif bcm in RESERVED_BCM:
                problems.append(
                    f"{name}: expected a free pin, got {bcm}, "
                    f"which is kept for {RESERVED_BCM[bcm]}"
                )
            elif not 0 <= bcm <= BCM_MAX:
                problems.append(f"{name}: expected a BCM number in 2..27, got {bcm}")
            elif name == "latch" and bcm in UNSAFE_LATCH_BCM:
                problems.append(
                    f"latch: expected a pin that starts low, got {bcm}: "
                    f"{UNSAFE_LATCH_BCM[bcm]}; take one of 9 to 27, but not 14"
                )
            if uses[bcm] > 1:
                others = [other for other, used in self.named() if used == bcm]
                others.remove(name)
                problems.append(
                    f"{name}: expected a pin of its own, got {bcm}, "
                    f"also used by {' and '.join(others)}"
                )
        return problems

    def named(self) -> tuple[tuple[str, int], ...]:
        """Return (name, BCM number) of every wire, in the order above."""
        return tuple((field.name, getattr(self, field.name)) for field in fields(self))
