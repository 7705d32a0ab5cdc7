"""The vault's own journal: it outlives every game, and is never exported."""

from __future__ import annotations

from companion.errors import JournalFault
from companion.journal import Entry
from companion.ports import Clock
from companion.store import Journals
from companion.units import Revision, TimeMs
from companion.vault_events import NumberGuessed, VaultEvent

JOURNAL = "vault"
ACTOR = "vault"


class VaultJournal:
    """Reads and writes what the keeper remembers.

    Args:
        journals: Where entries are kept.
        clock: The time on the wall.
    """

    def __init__(self, journals: Journals, clock: Clock) -> None:
        self._journals = journals
        self._clock = clock
        self._revision: Revision | None = None

    def remembered(self) -> tuple[VaultEvent, ...]:
        """All events of earlier days, oldest first.

        Raises:
            JournalFault: If they cannot be read.
        """
        events: list[VaultEvent] = []
        self._revision = Revision(0)
        for entry in self._journals.entries(JOURNAL):
            self._revision = entry.revision
            events += (x for x in entry.events if isinstance(x, VaultEvent))
        return tuple(events)

    @property
    def revision(self) -> Revision:
        """Of the last entry; 0 before the first, or before it was read."""
        return self._revision or Revision(0)

    def last_guess(self) -> tuple[Revision, NumberGuessed] | None:
        """The last guess that counted for a game, and where it stands.

        Raises:
            JournalFault: If the journal cannot be read.
        """
        found: tuple[Revision, NumberGuessed] | None = None
        for entry in self._journals.entries(JOURNAL):
            for event in entry.events:
                if isinstance(event, NumberGuessed) and event.game:
                    found = (entry.revision, event)
        return found

    def record(self, events: tuple[VaultEvent, ...]) -> None:
        """Write *events* as one entry; they are on the disk when this returns.

        Raises:
            JournalFault: If they are not; the journal is as it was.
        """
        if self._revision is None:
            self.remembered()  # The disk has the last word after a fault.
        revision = Revision((self._revision or 0) + 1)
        now_ms = TimeMs(self._clock.now_ms())
        entry = Entry(revision, f"vault-{revision:08d}", ACTOR, now_ms, events)
        try:
            self._journals.append(JOURNAL, entry)
        except JournalFault:
            self._revision = None
            raise
        self._revision = revision
