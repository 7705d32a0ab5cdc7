"""The names of the people on each seat, over time: people come and go.

A seat that was removed may be taken by somebody else later; the acts of the first
person are still shown under that person's name. Renaming does not make another person:
earlier entries show the new name, too.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.game.events import SeatAdded, SeatRenamed

Sat = dict[str, tuple[tuple[int, str], ...]]
"""Seat -> the people on it, each as the revision of joining and the name."""


class Sitters:
    """The names of all who ever sat at one table, gathered entry by entry.

    An undo changes nothing here: it takes no joining or renaming back. Any thread may
    read while another one adds.

    Args:
        sat: The people so far.

    Attributes:
        sat: The people on each seat; replaced as a whole, never changed in place.
    """

    def __init__(self, sat: Sat | None = None) -> None:
        self.sat: Sat = sat or {}

    def take(self, revision: int, events: Iterable[object]) -> None:
        """Add the people who joined or were renamed in the next entry."""
        for event in events:
            if isinstance(event, SeatAdded):
                before = self.sat.get(event.seat, ())
                sat = (*before, (revision, event.name))
            elif isinstance(event, SeatRenamed):
                *earlier, (since, _) = self.sat[event.seat]
                sat = (*earlier, (since, event.name))
            else:
                continue
            self.sat = {**self.sat, event.seat: sat}

    def at(self, revision: int) -> dict[str, str]:
        """Return the name of the latest person on each seat at that revision.

        Seats that nobody had taken by then are missing.
        """
        names: dict[str, str] = {}
        for seat, people in self.sat.items():
            for since, name in people:
                if since <= revision:
                    names[seat] = name
        return names
