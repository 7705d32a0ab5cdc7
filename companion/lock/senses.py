"""The vault's inputs: edges in, presses and turns out, by the time of each edge.

An *edge* is one change of a line, with its time; no clock is read. A contact that is
closed or opened *bounces*: it gives many edges for one touch. A button is *eager*: it
counts once its contact has held for two milliseconds, so that M is fast and a spike on
its wire is no press. Further edges are ignored until the button has been released for a
while. The lid is *patient*: a change counts only once it has lasted, since a shaken box
must not sound the alarm. ``Senses`` joins both with the wheel (``quadrature.py``), and
counts yellow presses, so that the keeper deals with presses and not with contacts. A
*touch* is a button that is down, but has not yet held long enough to be a press.

All are values: each method returns a new one. They ``hear`` edges, ``look`` at a level
that was read, in case an edge was lost, and ``elapse`` as time passes.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field, replace

from companion.errors import Malformed
from companion.lock.quadrature import Wheel, WheelSettings
from companion.ports import Edge, Line

NS_PER_MS = 1_000_000
HOLD_NS = 2 * NS_PER_MS
"""The time that a contact must hold to be a press.

It is longer than the spikes that a motor or a spark couples into a wire, which last
microseconds, and far shorter than the quickest tap of a finger, some 40 ms.
"""


@dataclass(frozen=True, slots=True)
class EagerButton:
    """A button that counts as soon as its contact holds.

    Attributes:
        settle_ns: The time that it must have been released before a press counts.
        is_down: The last known level of the line.
        released_ns: When the line last opened, spikes aside; ``None`` if it never did.
        touched_ns: When the touch began that may become a press; ``None`` without one.
    """

    settle_ns: int
    is_down: bool
    released_ns: int | None = None
    touched_ns: int | None = None

    def hear(self, edge: Edge) -> tuple[EagerButton, bool]:
        """Return the button after *edge*, and whether a press was detected."""
        if edge.is_active:
            return self._touch(edge.at_ns)
        if not self.is_down and self.touched_ns is None:
            if self.released_ns is not None and edge.at_ns < self.released_ns:
                # A reading was handled before this edge, which has the true time.
                return replace(self, released_ns=edge.at_ns), False
            return self, False
        has_held = self._has_held(edge.at_ns)
        is_spike = self.touched_ns is not None and not has_held
        released_ns = self.released_ns if is_spike else edge.at_ns
        return EagerButton(self.settle_ns, False, released_ns), has_held

    def elapse(self, now_ns: int) -> tuple[EagerButton, bool]:
        """Return the button at *now_ns*, and whether its touch has become a press.

        The caller must know that it is still down: its level was read again, or a later
        edge of any input was heard.
        """
        if not self.is_down or not self._has_held(now_ns):
            return self, False
        return replace(self, touched_ns=None), True

    def look(self, is_down: bool, now_ns: int) -> EagerButton:
        """Return the button after its level was read.

        A reading can end a touch, but never begin one: only an edge tells when a press
        began, and so at which number of the wheel. A touch that a reading ends is not
        judged yet: its own edge may still arrive late, and decides between press and
        spike.
        """
        if is_down or not self.is_down:
            return self
        if self.touched_ns is not None:
            return replace(self, is_down=False)
        return replace(self, is_down=False, released_ns=now_ns)

    @property
    def due_ns(self) -> int | None:
        """The time when the touch becomes a press if it holds; ``None`` if none may."""
        if not self.is_down or self.touched_ns is None:
            return None
        return self.touched_ns + HOLD_NS

    def _touch(self, at_ns: int) -> tuple[EagerButton, bool]:
        """Return the button after its line closed; if it was quiet, a touch begins."""
        if self.is_down:
            return self.elapse(at_ns)
        is_quiet = self.released_ns is None or (
            at_ns - self.released_ns >= self.settle_ns
        )
        touched_ns = at_ns if is_quiet else None
        return replace(self, is_down=True, touched_ns=touched_ns), False

    def _has_held(self, until_ns: int) -> bool:
        return self.touched_ns is not None and until_ns - self.touched_ns >= HOLD_NS


@dataclass(frozen=True, slots=True)
class PatientSwitch:
    """A switch whose change counts once it has lasted for a while.

    Attributes:
        settle_ns: The time that a level must stay before it counts.
        is_on: The level that counts.
        is_line_on: The last known level of the line.
        since_ns: The time when the line last changed.
    """

    settle_ns: int
    is_on: bool
    is_line_on: bool
    since_ns: int = 0

    def hear(self, edge: Edge) -> PatientSwitch:
        """Return the switch after *edge*; a level that settled before it counts."""
        settled = self.elapse(edge.at_ns)
        if edge.is_active == settled.is_line_on:
            return settled
        return replace(settled, is_line_on=edge.is_active, since_ns=edge.at_ns)

    def look(self, is_on: bool, now_ns: int) -> PatientSwitch:
        """Return the switch after its level was read.

        A change is dated to the reading, since nobody knows when it happened.
        """
        if is_on == self.is_line_on:
            return self
        return replace(self, is_line_on=is_on, since_ns=now_ns)

    def elapse(self, now_ns: int) -> PatientSwitch:
        """Return the switch at *now_ns*: a level that has lasted long enough counts."""
        due_ns = self.due_ns
        if due_ns is None or now_ns < due_ns:
            return self
        return self.at_once()

    def at_once(self) -> PatientSwitch:
        """Return the switch with its line's level counting now, settled or not."""
        return replace(self, is_on=self.is_line_on)

    @property
    def due_ns(self) -> int | None:
        """The time when the line's level will count; ``None`` if it does already."""
        if self.is_line_on == self.is_on:
            return None
        return self.since_ns + self.settle_ns


YELLOW_PRESSES = 3
"""The presses of the yellow button that set a new code."""


class Press(enum.StrEnum):
    """A deliberate press of a button."""

    M = "m"
    YELLOW = "yellow"
    YELLOW_THRICE = "yellow_thrice"  # The third press within the window.


@dataclass(frozen=True, slots=True)
class SenseSettings:
    """The times after which inputs count, and the wheel that is mounted."""

    wheel: WheelSettings = field(default_factory=WheelSettings)
    button_settle_ms: int = 35
    """The time that a button must be released before a press counts; 1 to 200 ms.

    It is above the 25 ms for which a worn contact may open under a thumb, and below the
    40 ms between two quick taps.
    """
    lid_settle_ms: int = 50
    """The time that the lid must stay as it is before it counts; 1 to 1000 ms."""
    yellow_window_ms: int = 2000
    """The time within which three yellow presses set a code; 500 to 10000 ms."""
    wheel_rest_ms: int = 200
    """The time that the wheel must be still before it rests; 50 to 5000 ms."""

    def __post_init__(self) -> None:
        for name, low, high in (
            ("button_settle_ms", 1, 200),
            ("lid_settle_ms", 1, 1000),
            ("yellow_window_ms", 500, 10_000),
            ("wheel_rest_ms", 50, 5000),
        ):
            if not low <= getattr(self, name) <= high:
                got = getattr(self, name)
                raise Malformed(f"expected {name} in {low}..{high}, got {got}")


@dataclass(frozen=True, slots=True)
class Senses:
    """The inputs after all edges so far; ``first_senses`` makes the first value.

    Attributes:
        lid: The lid; on means shut.
        yellow_at_ns: The times of the yellow presses within the window; at most two.
        turned_at_ns: The time when a contact of the wheel last changed; ``None`` once
            it rests.
    """

    settings: SenseSettings
    wheel: Wheel
    m: EagerButton
    yellow: EagerButton
    lid: PatientSwitch
    yellow_at_ns: tuple[int, ...] = ()
    turned_at_ns: int | None = None

    def hear(self, edge: Edge) -> tuple[Senses, tuple[Press, ...]]:
        """Return the senses after *edge*, and the presses that it completes.

        An edge of any line shows that the buttons that are down have held until then.
        """
        senses, presses = self._hold_buttons(edge.at_ns)
        if edge.line is Line.M_BUTTON:
            m, is_press = senses.m.hear(edge)
            presses += (Press.M,) if is_press else ()
            return replace(senses, m=m), presses
        if edge.line is Line.YELLOW_BUTTON:
            yellow, is_press = senses.yellow.hear(edge)
            senses, press = senses._count_yellow(is_press)
            return replace(senses, yellow=yellow), presses + press
        if edge.line is Line.LID:
            return replace(senses, lid=senses.lid.hear(edge)), presses
        wheel = senses.wheel.hear(edge.line, edge.is_active)
        return senses._with_wheel(wheel, edge.at_ns), presses

    def elapse(self, now_ns: int) -> tuple[Senses, tuple[Press, ...]]:
        """Return the senses at *now_ns*, and the presses that time has completed.

        A touch becomes a press, lid and wheel settle, and old yellow presses expire. If
        anything was due, the caller must have read the levels before.
        """
        senses, presses = self._hold_buttons(now_ns)
        rest_at_ns = self._rest_at_ns
        if rest_at_ns is not None and now_ns >= rest_at_ns:
            wheel = self.wheel.rested()
            senses = replace(senses, wheel=wheel, turned_at_ns=None)
        return replace(
            senses,
            lid=self.lid.elapse(now_ns),
            yellow_at_ns=senses._yellow_since(now_ns),
        ), presses

    def forget_yellow(self) -> Senses:
        """Return the senses with no yellow press counting towards a new code."""
        return replace(self, yellow_at_ns=()) if self.yellow_at_ns else self

    @property
    def due_ns(self) -> int | None:
        """The time when ``elapse`` changes something; ``None`` if nothing waits."""
        dues = [self.m.due_ns, self.yellow.due_ns, self.lid.due_ns, self._rest_at_ns]
        if self.yellow_at_ns:
            dues.append(self.yellow_at_ns[0] + self._yellow_window_ns + 1)
        return min((due for due in dues if due is not None), default=None)

    @property
    def is_held(self) -> bool:
        """Whether a button is down, as far as is known."""
        return self.m.is_down or self.yellow.is_down

    def look(self, levels: dict[Line, bool], now_ns: int) -> Senses:
        """Return the senses after *levels* were read, in case edges were lost.

        The levels of the wheel count only once it has been still long enough to rest:
        until then, late edges may still show which way it turned.
        """
        senses = replace(
            self,
            m=self.m.look(levels[Line.M_BUTTON], now_ns),
            yellow=self.yellow.look(levels[Line.YELLOW_BUTTON], now_ns),
            lid=self.lid.look(levels[Line.LID], now_ns),
        )
        contacts = (levels[Line.WHEEL_A], levels[Line.WHEEL_B])
        if contacts == self.wheel.contacts:
            return senses
        rest_at_ns = self._rest_at_ns
        if rest_at_ns is None:
            return replace(senses, turned_at_ns=now_ns)
        if now_ns < rest_at_ns:
            return senses
        return senses._with_wheel(self.wheel.see(contacts), now_ns)

    def _with_wheel(self, wheel: Wheel, at_ns: int) -> Senses:
        """Return the senses with *wheel*; if it differs, it turned then."""
        if wheel is self.wheel:
            return self
        return replace(self, wheel=wheel, turned_at_ns=at_ns)

    def _hold_buttons(self, now_ns: int) -> tuple[Senses, tuple[Press, ...]]:
        """Return the senses once each button that is down has held until *now_ns*."""
        m, is_m = self.m.elapse(now_ns)
        yellow, is_yellow = self.yellow.elapse(now_ns)
        senses, presses = self._count_yellow(is_yellow)
        if is_m:
            presses = (Press.M, *presses)
        return replace(senses, m=m, yellow=yellow), presses

    def _count_yellow(self, is_press: bool) -> tuple[Senses, tuple[Press, ...]]:
        """Count the touch of yellow towards a new code, if it was a press."""
        touched_ns = self.yellow.touched_ns
        if not is_press or touched_ns is None:
            return self, ()
        presses = (*self._yellow_since(touched_ns), touched_ns)
        is_thrice = len(presses) == YELLOW_PRESSES
        press = Press.YELLOW_THRICE if is_thrice else Press.YELLOW
        return replace(self, yellow_at_ns=() if is_thrice else presses), (press,)

    def _yellow_since(self, now_ns: int) -> tuple[int, ...]:
        """Return the times of the yellow presses in the window before *now_ns*."""
        since_ns = now_ns - self._yellow_window_ns
        return tuple(at_ns for at_ns in self.yellow_at_ns if at_ns >= since_ns)

    @property
    def _rest_at_ns(self) -> int | None:
        """The time when the wheel counts as resting; ``None`` once it does."""
        if self.turned_at_ns is None:
            return None
        return self.turned_at_ns + self.settings.wheel_rest_ms * NS_PER_MS

    @property
    def _yellow_window_ns(self) -> int:
        return self.settings.yellow_window_ms * NS_PER_MS


def first_senses(
    levels: dict[Line, bool], number: int, settings: SenseSettings
) -> Senses:
    """Return the senses after a first reading; a button held now is no press."""
    contacts = (levels[Line.WHEEL_A], levels[Line.WHEEL_B])
    button_ns = settings.button_settle_ms * NS_PER_MS
    lid_ns = settings.lid_settle_ms * NS_PER_MS
    is_shut = levels[Line.LID]
    return Senses(
        settings,
        Wheel(settings.wheel, contacts).at_number(number).rested(),
        EagerButton(button_ns, levels[Line.M_BUTTON]),
        EagerButton(button_ns, levels[Line.YELLOW_BUTTON]),
        PatientSwitch(lid_ns, is_shut, is_shut),
    )
