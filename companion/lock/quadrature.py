"""The wheel: its number, computed from two contacts by a table, without a clock.

Two contacts, A and B, open and close in turn. Clockwise A leads, so the pair runs
through four *phases*, and one *step* is a change to the next phase:

    phase       0    1    2    3    0
    A closed    no   yes  yes  no   no
    B closed    no   no   yes  yes  no

A *detent* (a click under the finger) is 4, 2 or 1 steps, depending on the part. It
counts once the wheel has made all its steps, and not before. So a wheel that is turned
half a click and let go has not moved, and a bouncing contact, which goes one step forth
and back, changes nothing. A wheel that is still *rests* at a click; its rests teach in
which phase the clicks are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.errors import Malformed
from companion.ports import Line

NUMBER_COUNT = 6
"""The numbers on the wheel, 1 to 6; after 6 comes 1."""

PHASE = {(False, False): 0, (True, False): 1, (True, True): 2, (False, True): 3}
"""(A closed, B closed) -> the phase."""

BOTH_CHANGED = 2
"""The difference of two phases in which both contacts differ."""

STEPS = {0: 0, 1: 1, BOTH_CHANGED: BOTH_CHANGED, 3: -1}
"""Difference of two phases, modulo 4 -> the steps; two may be in either direction."""

RESTS_COUNT = 3
"""The latest rests that are remembered; the clicks are where most of them were."""


@dataclass(frozen=True, slots=True)
class WheelSettings:
    """The part that is mounted, and how."""

    steps_per_detent: int = 4
    """1, 2 or 4. A part whose data sheet has one pulse for each detent needs 4."""
    detents_per_number: int = 1
    """The detents from one number to the next; 4 for a part with 24 in a turn."""
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


def check_number(number: int) -> int:
    """Return *number* after checking that it is on the wheel.

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
    """The position of the wheel.

    Attributes:
        settings: The part that is mounted.
        contacts: The last known levels: (A closed, B closed).
        steps: The steps since the last detent that counted, clockwise positive.
        detents: The detents since number 1 was under the pointer, modulo one turn.
        direction: The direction of the last step, 1 or -1, before ``is_reversed``; 1
            before any step, 0 if a rest made it doubtful (``see``).
        rests: The phases of the latest rests, modulo the steps of a detent.
        offset: The distance of its clicks from the first reading, in steps.
    """

    settings: WheelSettings
    contacts: tuple[bool, bool]
    steps: int = 0
    detents: int = 0
    direction: int = 1
    rests: tuple[int, ...] = ()
    offset: int = 0

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
        detents = (check_number(number) - 1) * self.settings.detents_per_number
        return replace(self, detents=detents)

    def hear(self, line: Line, is_active: bool) -> Wheel:
        """Return the wheel after one contact closed or opened."""
        a, b = self.contacts
        return self.see((is_active, b) if line is Line.WHEEL_A else (a, is_active))

    def see(self, contacts: tuple[bool, bool]) -> Wheel:
        """Return the wheel after both contacts were read.

        If both have changed since the last reading, edges were lost: the wheel made two
        steps, forth or back. They count in the direction of the last step, since a
        wheel that turns too fast to follow is being spun. If that is wrong, the count
        is off by four steps.

        After a rest the wheel may start either way. So if two steps are whole detents,
        a rest sets ``direction`` to 0: two lost steps then do not count, and the count
        is off by two.
        """
        moved = STEPS[(PHASE[contacts] - PHASE[self.contacts]) % 4]
        if moved == 0:
            return self
        if moved == BOTH_CHANGED:
            moved *= self.direction
        direction = (moved > 0) - (moved < 0)
        return replace(self._counted(moved), contacts=contacts, direction=direction)

    def rested(self) -> Wheel:
        """Return the wheel after it has been still, and so stands at a click.

        The first reading is taken for a click until most of the last ``RESTS_COUNT``
        rests were in another phase. A single rest proves nothing, since a finger may
        hold the wheel between two clicks. So a wheel that stood between two clicks when
        the power came on is right after two or three rests, and no click is counted
        twice.
        """
        per_detent = self.settings.steps_per_detent
        phase = PHASE[self.contacts]
        seen = phase % per_detent  # Where in a detent it rests now.
        assumed = (phase - self.steps) % per_detent  # Where its clicks were so far.
        rests = (*self.rests, seen)[-RESTS_COUNT:]
        are_two_whole_detents = BOTH_CHANGED % per_detent == 0
        direction = 0 if are_two_whole_detents else self.direction
        wheel = replace(self, rests=rests, direction=direction)
        if rests.count(seen) <= RESTS_COUNT // 2:
            return wheel
        # Measured from the first reading, so that errors of learning do not add up.
        offset = (self.offset + seen - assumed) % per_detent
        offset -= per_detent if offset > per_detent // 2 else 0
        return replace(wheel._counted(self.offset - offset), offset=offset)

    def _counted(self, moved: int) -> Wheel:
        """Return the wheel after *moved* more steps; whole detents turn its number."""
        steps = self.steps + moved
        per_detent = self.settings.steps_per_detent
        detents = abs(steps) // per_detent * (1 if steps > 0 else -1)
        turn = detents * (-1 if self.settings.is_reversed else 1)
        detents_per_turn = NUMBER_COUNT * self.settings.detents_per_number
        return replace(
            self,
            steps=steps - detents * per_detent,
            detents=(self.detents + turn) % detents_per_turn,
        )
