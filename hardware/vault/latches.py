"""What may pull the bolt: a coil on a pin, or a servo on the kernel's pulses.

``coil_off`` imports this file at boot; so until a servo is opened, only the standard
library and this project are imported.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.errors import DeviceFault, Malformed
from hardware.vault.pins import SERVO_BCM, Pins

if TYPE_CHECKING:
    from companion.ports import Clock
    from hardware.vault.servo import Servo

ENDER = "companion coil_off"
"""The name under which other programs see who ends a pull."""

PULSE_US_MIN, PULSE_US_MAX = 500, 2500
"""The limits of a servo's pulses, in microseconds."""
HOME_US, BACK_US = 1000, 2000
"""Its pulses at home and with the bolt back, unless settings name others."""
HOME_MS = 500
"""How long the way home may take: a small servo needs 0.1 s for 60 degrees, unloaded.

Source: Tower Pro, MG90S, "operating speed" at 4.8 V.
"""


@dataclass(frozen=True, slots=True)
class Travel:
    """The ends of a servo's way, as the widths of its pulses in microseconds."""

    home_us: int
    back_us: int

    def __post_init__(self) -> None:
        ends = (self.home_us, self.back_us)
        if self.home_us == self.back_us or not all(
            PULSE_US_MIN <= width_us <= PULSE_US_MAX for width_us in ends
        ):
            raise Malformed(
                "expected COMPANION_SERVO_HOME_US and COMPANION_SERVO_BACK_US in "
                f"{PULSE_US_MIN}..{PULSE_US_MAX} and apart, got {ends}"
            )


@dataclass(frozen=True, slots=True)
class Latch:
    """What pulls the bolt of a vault that is wired to the header.

    Attributes:
        wire: The name of its pin in the settings: ``COMPANION_PIN_`` and this.
        bcm: Its pin, unless a setting names another.
        boot: Its line of config.txt, with ``{pin}`` for the pin.
        caution: What a person reads before it moves for the first time.
        remedy: What to look at if the bolt does not move.
        find_servo: Opens the servo on a pin; ``None`` if a coil pulls.
        end: Ends the pull of a program that has died: given the label of the header's
            chip, the pin, and a servo's pulses at home (``None``: it must not move),
            returns a sentence that says what was done.
    """

    wire: str
    bcm: int
    boot: str
    caution: str
    remedy: str
    find_servo: Callable[[int, Travel, Clock], Servo] | None
    end: Callable[[str, int, int | None], str]


def _lower_pin(label: str, pin: int, _home_us: int | None) -> str:
    from hardware.vault.gpio_chip import find_chip

    with (
        closing(find_chip(label)) as chip,
        closing(chip.claim_output(pin, is_high=False, consumer=ENDER)) as line,
    ):
        if line.is_high():
            raise DeviceFault(
                f"GPIO{pin} of {chip.path} is driven low and stays high",
                "cut the coil's supply and look for a short",
            )
        return f"GPIO{pin} of {chip.path} is low: the coil is off"


def _find_servo(pin: int, travel: Travel, clock: Clock) -> Servo:
    from hardware.vault.pwm import find_channel
    from hardware.vault.servo import Servo

    return Servo(find_channel(pin), travel, clock)


def _drive_home(_label: str, pin: int, home_us: int | None) -> str:
    from hardware.vault.pwm import drive_home

    if not drive_home(pin, home_us, HOME_MS / 1000):
        return f"nobody has opened the pulses of GPIO{pin}, so none can be on"
    way = "was driven home" if home_us else "stays, as its settings are refused"
    return f"GPIO{pin} has no pulses: the servo {way}"


LATCHES = {
    "solenoid": Latch(
        "coil",
        Pins().latch,
        "gpio={pin}=op,dl",
        "Now the coil.\n"
        "Keep fingers, hair and cables away from the bolt. If anything smells or gets\n"
        "hot, pull the plug of the coil's supply.",
        "measure the coil's supply (build A: its LED is lit), then at the transistor",
        None,
        _lower_pin,
    ),
    "servo": Latch(
        "servo",
        SERVO_BCM,
        "dtoverlay=pwm-gpio,gpio={pin}",
        "Now the servo. It pulls the bolt back, and goes home.\n"
        "Keep fingers, hair and cables away from the horn. If it buzzes and does not\n"
        "move, pull its own plug: its reservoir stays charged without the Pi.",
        # 10 ohms (R15) fill 5 F (C8 and C9 in series) to 99 % in 230 s.
        "wait until its reservoir is charged, some four minutes after power-on (the "
        "fuse of an earlier stage: until it is cool); then check its three wires and "
        "the horn's screw",
        _find_servo,
        _drive_home,
    ),
}
"""The latches, by their names in ``COMPANION_LATCH``."""
