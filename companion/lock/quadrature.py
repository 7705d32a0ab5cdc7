"""The wheel: works out its number from two contacts, by a table, without a clock.

Two contacts, A and B, open and close in turn. Clockwise A leads, so the pair runs
through four phases, and one *step* is one phase further:

    phase       0    1    2    3    0
    A closed    no   yes  yes  no   no
    B closed    no   no   yes  yes  no

A *detent* (a click under the finger) is 4, 2 or 1 steps, depending on the part. A
detent counts when the wheel has arrived at the next one, and not before, so:

- A bouncing contact walks one step forth and back, and ends where it should. With
  4 or 2 steps per detent it cannot even flicker between two numbers, because the
  way back is as long as the way there.
- A wheel turned half a click and let go counts nothing.
- The phase in which the wheel rests does not matter: the contacts are read at the
  start, and that reading counts as a detent.

When both contacts have changed between two looks (edges were lost), two steps were
made, and the phase does not tell which way: they count in the direction of the last
step, since a wheel too fast to follow was being spun. If that guess is wrong, the
wheel is one detent off, but never between detents: the phase is still the real one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.errors import Malformed
from companion.ports import Line

NUMBER_COUNT = 6
"""Numbers on the wheel, 1 to 6; after 6 comes 1."""

PHASE = {(False, False): 0, (True, False): 1, (True, True): 2, (False, True): 3}
"""Place in the cycle by (A closed, B closed)."""

BOTH_CHANGED = 2
STEPS = {0: 0, 1: 1, BOTH_CHANGED: BOTH_CHANGED, 3: -1}
"""Steps by the difference of two phases, modulo 4; two may be either way."""


@dataclass(frozen=True, slots=True)
class WheelSettings:
    """Which part is mounted, and how."""

    steps_per_detent: int = 4
    """1, 2 or 4; most parts with as many pulses as detents have 4."""
    detents_per_number: int = 1
    """A 24-detent part under a dial of six numbers has 4."""
    is_reversed: bool = False
    """Whether A and B are swapped, so that clockwise would count down."""

    def __post_init__(self) -> None:
        if self.steps_per_detent not in (1, 2, 4):
            raise Malformed(
                f"expected steps_per_detent of 1, 2 or 4, got {self.steps_per_detent}"
            )
        if not 1 <= self.detents_per_number <= 24:
            raise Malformed(
                f"expected detents_per_number in 1..24, got {self.detents_per_number}"
            )


def checked_number(number: int) -> int:
    """Return *number* if it is on the wheel.

    Raises:
        Malformed: If it is not.
    """
    if isinstance(number, bool) or not isinstance(number, int):
        raise Malformed(f"expected a whole number on the wheel, got {number!r}")
    if not 1 <= number <= NUMBER_COUNT:
        raise Malformed(f"expected a number in 1..{NUMBER_COUNT}, got {number}")
    return number


@dataclass(frozen=True, slots=True)
class Wheel:
    """Where the wheel stands.

    Attributes:
        settings: Which part is mounted.
        contacts: (A closed, B closed), as last seen.
        steps: Steps since the last detent that counted, clockwise positive.
        detents: Detents since number 1 stood under the pointer, modulo one turn.
        direction: The way of the last step, 1 or -1, before ``is_reversed``.
    """

    settings: WheelSettings
    contacts: tuple[bool, bool]
    steps: int = 0
    detents: int = 0
    direction: int = 1

    @property
    def number(self) -> int:
        """The number nearest to the pointer, 1 to 6."""
        size = self.settings.detents_per_number
        return (self.detents + size // 2) // size % NUMBER_COUNT + 1

    def at_number(self, number: int) -> Wheel:
        """Return the wheel with its pointer set to *number*, without a turn.

        Raises:
            Malformed: If *number* is not on the wheel.
        """
        detents = (checked_number(number) - 1) * self.settings.detents_per_number
        return replace(self, detents=detents)

    def hear(self, line: Line, is_active: bool) -> Wheel:
        """Return the wheel after one contact closed or opened."""
        a, b = self.contacts
        return self.see((is_active, b) if line is Line.WHEEL_A else (a, is_active))

    def see(self, contacts: tuple[bool, bool]) -> Wheel:
        """Return the wheel after both contacts were read."""
        moved = STEPS[(PHASE[contacts] - PHASE[self.contacts]) % 4]
        if moved == 0:
            return self
        if moved == BOTH_CHANGED:
            moved *= self.direction
        direction = 1 if moved > 0 else -1
        steps = self.steps + moved
        per_detent = self.settings.steps_per_detent
        detents = abs(steps) // per_detent * direction
        turn = detents * (-1 if self.settings.is_reversed else 1)
        return replace(
            self,
            contacts=contacts,
            steps=steps - detents * per_detent,
            detents=(self.detents + turn) % self._detents_per_turn,
            direction=direction,
        )

    @property
    def _detents_per_turn(self) -> int:
        return NUMBER_COUNT * self.settings.detents_per_number
