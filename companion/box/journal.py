"""A box's own journal: what was read off the box outside of any game.

Entries are only ever added.
"""

from __future__ import annotations

from companion.game.box_events import BoxEvent
from companion.game.deed_events import CardRead
from companion.game.journal import Entry
from companion.store import Journals
from companion.units import Revision, TimeMs

BoxEvents = tuple[BoxEvent | CardRead, ...]
"""The events of one entry; a card put into words is the same event as in a game."""


class BoxJournal:
    """Reads and writes the journal of one edition's box.

    Not safe to call from several threads at once: ``OwnEditions`` has the lock.

    Args:
        journals: Where entries are kept.
        edition_id: The edition that the box belongs to.
    """

    def __init__(self, journals: Journals, edition_id: str) -> None:
        self.journal_id = f"box {edition_id}"
        self._journals = journals
        self._entries: tuple[Entry, ...] = ()

    def entries(self) -> tuple[Entry, ...]:
        """All entries, oldest first.

        Raises:
            JournalFault: If they cannot be read.
        """
        new = tuple(self._journals.entries(self.journal_id, len(self._entries)))
        self._entries = (*self._entries, *new)
        return self._entries

    def record(self, at_ms: TimeMs, actor: str, events: BoxEvents) -> None:
        """Write *events* as one entry; they are on the disk when this returns.

        Args:
            at_ms: When it was done.
            actor: The name of who did it, or ``table``.
            events: At least one.

        Raises:
            JournalFault: If they could not be written; the journal is as it was.
        """
        self._journals.append(self.journal_id, self.next(at_ms, actor, events))

    def next(
        self, at_ms: TimeMs, actor: str, events: BoxEvents, after: int = 0
    ) -> Entry:
        """The next entry, or the one *after* that many others; not yet written."""
        revision = Revision(len(self.entries()) + 1 + after)
        return Entry(revision, f"box-{revision:08d}", actor, at_ms, events)
