"""Debouncing: from bouncing contacts to presses, by the time of each edge; no clock.

A button is *eager*: the first touch counts, so that M is fast, and what follows is
ignored until the button has been released for a while. The lid is *patient*: a change
counts once it has lasted, since a shaken box must not sound the alarm.

The price of eagerness: a spike on a button's wire counts as a press. The wiring
therefore gives every button a pull-up and short leads.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.ports import Edge

NS_PER_MS = 1_000_000


@dataclass(frozen=True, slots=True)
class EagerButton:
    """A button whose first touch counts.

    Attributes:
        settle_ns: How long it must have been released before a press counts.
        is_down: The level of the line, as last seen.
        since_ns: When the level last changed; None if that was before the start.
    """

    settle_ns: int
    is_down: bool
    since_ns: int | None = None

    def hear(self, edge: Edge) -> tuple[EagerButton, bool]:
        """Return the button after *edge*, and whether it was a press."""
        if edge.is_active == self.is_down:
            return self, False  # An edge was lost in between; nothing to count.
        is_quiet = self.since_ns is None or edge.at_ns - self.since_ns >= self.settle_ns
        after = replace(self, is_down=edge.is_active, since_ns=edge.at_ns)
        return after, edge.is_active and is_quiet


@dataclass(frozen=True, slots=True)
class PatientSwitch:
    """A switch whose change counts once it has lasted for a while.

    Attributes:
        settle_ns: How long a level must stay before it counts.
        is_on: The level that counts.
        is_line_on: The level of the line, as last seen.
        since_ns: When the line last changed.
    """

    settle_ns: int
    is_on: bool
    is_line_on: bool
    since_ns: int = 0

    def hear(self, edge: Edge) -> PatientSwitch:
        """Return the switch after *edge*, and after what had settled before it."""
        settled = self.elapse(edge.at_ns)
        if edge.is_active == settled.is_line_on:
            return settled
        return replace(settled, is_line_on=edge.is_active, since_ns=edge.at_ns)

    def elapse(self, now_ns: int) -> PatientSwitch:
        """Return the switch at *now_ns*: a level that has lasted long enough counts."""
        due_ns = self.due_ns
        if due_ns is None or now_ns < due_ns:
            return self
        return replace(self, is_on=self.is_line_on)

    @property
    def due_ns(self) -> int | None:
        """When the line's level will count if it stays; None if it does already."""
        if self.is_line_on == self.is_on:
            return None
        return self.since_ns + self.settle_ns
