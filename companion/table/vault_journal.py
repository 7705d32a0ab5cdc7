"""The vault's own journal: it outlives every game, and is never exported.

It holds what the *keeper*, which drives the lock (``companion/lock/keeper.py``), must
know after a power cut: the code, guesses at it, and *pulls* of the bolt by the coil,
which may get hot and has to rest.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from companion.game.journal import Entry
from companion.lock.events import (
    NumberGuessed,
    ReleaseDelayed,
    ReleaseStarted,
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

PULLS_MAX = 100
"""How many pulls of the coil are remembered.

The coil's limit allows fewer in any 20 seconds, even of the shortest."""

Write = Callable[[str, Act], object]
"""Takes an entry's id and act, and writes more in the entry's own transaction."""

HeardGuesses = frozenset[tuple[str, int]]
"""Guesses since the last new code: the game's id, and the number."""


def update_heard(heard: HeardGuesses, events: Iterable[VaultEvent]) -> HeardGuesses:
    """Return the guesses heard so far, brought up to date with *events*, oldest first.

    A new code makes all guesses before it void.
    """
    for event in events:
        if isinstance(event, VaultLocked):
            heard = frozenset()
        elif isinstance(event, NumberGuessed):
            heard |= {(event.game, event.number)}
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
        self._pulled_at_ms: deque[TimeMs] = deque(maxlen=PULLS_MAX)

    def remembered(self) -> tuple[VaultEvent, ...]:
        """Read all events of earlier runs, oldest first.

        Raises:
            JournalFault: If they cannot be read.
        """
        events: list[VaultEvent] = []
        self._revision = Revision(0)
        self._pulled_at_ms.clear()
        for entry in self._journals.entries(JOURNAL):
            self._revision = entry.revision
            for event in entry.events:
                if isinstance(event, VaultEvent):
                    events.append(event)
                    self._note_pull(event, entry.at_ms)
        return tuple(events)

    def pulled_ms_ago(self, *, is_clock_settled: bool) -> tuple[int, ...]:
        """Return how long ago earlier runs pulled the bolt, oldest first.

        These are the latest ``PULLS_MAX`` pulls that ``remembered`` found, in
        milliseconds of the wall clock. If the clock went back, a pull looks more recent
        than it is, and the coil rests longer.

        Args:
            is_clock_settled: Whether the wall clock surely has not leapt since the
                pulls. If it may have, each counts as made just now.
        """
        now_ms = self._clock.now_ms()
        return tuple(
            max(0, now_ms - at_ms) if is_clock_settled else 0
            for at_ms in self._pulled_at_ms
        )

    def _note_pull(self, event: VaultEvent, at_ms: TimeMs) -> None:
        """Remember the time of an event that pulls the bolt."""
        is_right = isinstance(event, NumberGuessed) and event.is_right
        if is_right or isinstance(event, ReleaseStarted):
            self._pulled_at_ms.append(at_ms)
        elif isinstance(event, ReleaseDelayed) and self._pulled_at_ms:
            self._pulled_at_ms.pop()  # The pull did not happen: the coil had to rest.

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
