"""The vault's own journal: it outlives every game, and is never exported."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from companion.errors import JournalFault
from companion.game.journal import Entry
from companion.lock.events import (
    GuessRefused,
    NumberGuessed,
    ReleaseDelayed,
    ReleaseStarted,
    VaultEvent,
    VaultLocked,
)
from companion.ports import Clock
from companion.store import Journals
from companion.units import Revision, TimeMs

JOURNAL = "vault"
ACTOR = "vault"

PULLS_MAX = 100
"""More than the coil is ever allowed in its 20 seconds: 100 of the shortest."""


Heard = frozenset[tuple[str, int]]
"""Guesses since the last new code: the game they counted for, and the number."""


def heard_after(heard: Heard, events: Iterable[VaultEvent]) -> Heard:
    """*heard* after these *events*, oldest first."""
    for event in events:
        if isinstance(event, VaultLocked):
            heard = frozenset()
        elif isinstance(event, NumberGuessed):
            heard |= {(event.game, event.number)}
    return heard


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
        self._pulled_at_ms: deque[TimeMs] = deque(maxlen=PULLS_MAX)

    def remembered(self) -> tuple[VaultEvent, ...]:
        """All events of earlier days, oldest first.

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

    def pulled_ms_ago(self) -> tuple[int, ...]:
        """How long ago the bolt was pulled in earlier runs, oldest first.

        At most ``PULLS_MAX``, as ``remembered`` found them. The clock on the wall
        tells: one that went back, as a Pi's does without a network, makes a pull
        look fresher than it is, so the coil rests longer. One that leapt ahead between
        the pulls and a restart hides them: then each pulse's own end still holds.
        """
        now_ms = self._clock.now_ms()
        return tuple(max(0, now_ms - at_ms) for at_ms in self._pulled_at_ms)

    def _note_pull(self, event: VaultEvent, at_ms: TimeMs) -> None:
        is_right = isinstance(event, NumberGuessed) and event.is_right
        if is_right or isinstance(event, ReleaseStarted):
            self._pulled_at_ms.append(at_ms)
        elif isinstance(event, ReleaseDelayed) and self._pulled_at_ms:
            self._pulled_at_ms.pop()  # It was asked for, and the coil had to rest.

    @property
    def revision(self) -> Revision:
        """Of the last entry; 0 before the first, or before it was read."""
        return self._revision or Revision(0)

    def last_guesses(self) -> dict[str, tuple[Revision, NumberGuessed]]:
        """The last guess that was made for each game, and where it stands.

        None of a game that refused it: asked again, it might find another's turn.

        Raises:
            JournalFault: If the journal cannot be read.
        """
        found: dict[str, tuple[Revision, NumberGuessed]] = {}
        latest = ""
        for entry in self._journals.entries(JOURNAL):
            for event in entry.events:
                if isinstance(event, NumberGuessed) and event.game:
                    latest = event.game
                    found[latest] = (entry.revision, event)
                elif isinstance(event, GuessRefused):
                    found.pop(event.game or latest, None)
        return found

    def heard(self) -> Heard:
        """What was guessed since the last new code.

        Raises:
            JournalFault: If the journal cannot be read.
        """
        return heard_after(frozenset(), self.remembered())

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
