"""Who sat where, and when: a seat is a colour, and people come and go.

A seat that was removed may be somebody else's later. What the first person did is still
shown under that person's name. Somebody who is renamed stays the same person, and is
shown by the new name in earlier entries, too.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.game import events as e

Sat = dict[str, tuple[tuple[int, str], ...]]
"""By seat: everybody's name, each with the revision since when."""


class Sitters:
    """The names of all who ever sat at one table, gathered entry by entry.

    None of these events is ever taken back, so an undo changes nothing here. Any
    thread may ask while another one adds.

    Args:
        sat: Who sat there so far.

    Attributes:
        sat: Who sat where; replaced as a whole, never changed.
    """

    def __init__(self, sat: Sat | None = None) -> None:
        self.sat: Sat = sat or {}

    def take(self, revision: int, events: Iterable[object]) -> None:
        """Take in the events of the next entry."""
        for event in events:
            if isinstance(event, e.SeatAdded):
                before = self.sat.get(event.seat, ())
                sat = (*before, (revision, event.name))
            elif isinstance(event, e.SeatRenamed):
                *earlier, (since, _) = self.sat[event.seat]
                sat = (*earlier, (since, event.name))
            else:
                continue
            self.sat = {**self.sat, event.seat: sat}

    def at(self, revision: int) -> dict[str, str]:
        """By seat: the name of the person there at that revision, or last before it.

        Seats that nobody had taken by then are missing.
        """
        return {
            seat: names[-1]
            for seat, sat in self.sat.items()
            if (names := [name for since, name in sat if since <= revision])
        }
