"""Debouncing: from bouncing contacts to presses, by the time of each edge; no clock.

An *edge* is one change of a line, with its time. A contact that is closed or opened
*bounces*: it gives many edges for one touch. A button is *eager*: it counts once its
contact has held for two milliseconds, so that M is fast and a spike on its wire is no
press. Further edges are ignored until the button has been released for a while. The lid
is *patient*: a change counts only once it has lasted, since a shaken box must not sound
the alarm.

Both are values: each method returns a new one. They ``hear`` edges, ``look`` at a
level that was read, in case an edge was lost, and ``elapse`` as time passes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.ports import Edge

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
