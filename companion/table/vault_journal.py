"""The vault's own journal: it outlives every game, and is never exported.

It holds what the *keeper*, which drives the lock (``companion/lock/keeper.py``), must
know after a power cut: the code, guesses at it, and openings that are owed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from companion.game.journal import Entry
from companion.game.vault_contents_events import HIDDEN
from companion.lock.events import (
    NumberGuessed,
    VaultEvent,
    VaultLocked,
)
from companion.ports import Clock
from companion.store import Act, Journals
from companion.units import Revision, TimeMs

JOURNAL = "vault"
"""The id of the journal."""

ACTOR = "vault"
"""Who makes its entries."""

Write = Callable[[str, Act], object]
"""Takes an entry's id and act, and writes more in the entry's own transaction."""

HeardGuesses = frozenset[tuple[str, int]]
"""Guesses since the last new code: the game's id, and the number, also as ``HIDDEN``.

A copy of the game may come back to this table without the number.
"""


def update_heard(heard: HeardGuesses, events: Iterable[VaultEvent]) -> HeardGuesses:
    """Return the guesses heard so far, brought up to date with *events*, oldest first.

    A new code makes all guesses before it void.
    """
    for event in events:
        if isinstance(event, VaultLocked):
            heard = frozenset()
        elif isinstance(event, NumberGuessed):
            heard |= {(event.game, event.number), (event.game, HIDDEN)}
    return heard


class VaultJournal:
    """Reads and writes the events that the keeper remembers.

    Args:
        journals: Where entries are kept.
        clock: The wall clock.
    """

    def __init__(self, journals: Journals, clock: Clock) -> None:
        self._journals = journals
        self._clock = clock
        self._revision: Revision | None = None

    def remembered(self) -> tuple[VaultEvent, ...]:
        """Read all events of earlier runs, oldest first.

        Raises:
            JournalFault: If they cannot be read.
        """
        events: list[VaultEvent] = []
        self._revision = Revision(0)
        for entry in self._journals.entries(JOURNAL):
            self._revision = entry.revision
            for event in entry.events:
                if isinstance(event, VaultEvent):
                    events.append(event)
        return tuple(events)

    def record(
        self, events: tuple[VaultEvent, ...], write: Write | None = None
    ) -> None:
        """Write *events* as one entry; they are on the disk when this returns.

        Args:
            events: At least one.
            write: Writes the entry together with something else.

        Raises:
            JournalFault: If they could not be written; the journal is as it was.
        """
        if self._revision is None:
            self.remembered()  # After a fault, only the disk is right.
        revision = Revision((self._revision or 0) + 1)
        now_ms = TimeMs(self._clock.now_ms())
        # With the time, an id differs from those that an imported game brings along.
        entry_id = f"vault-{revision:08d}-{now_ms:x}"
        entry = Entry(revision, entry_id, ACTOR, now_ms, events)
        self._revision = None  # Until it is known to be written.
        if write is None:
            self._journals.append(JOURNAL, entry)
        else:
            write(entry_id, self._journals.appending(JOURNAL, entry))
        self._revision = revision
