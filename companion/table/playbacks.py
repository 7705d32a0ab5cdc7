"""Plays long games back beside the table, since a snapshot hides damage before it.

A game that was opened from its snapshot is played back from its first entry once, ten
seconds later. That takes a slow machine seconds. So it is done in the clock's thread, a
few entries at a time with pauses, one game after the other, and without the game's
lock: no tap waits for it. A game that leads to another state than its snapshot's, or
that cannot be opened or played back, is *closed*: until the program ends, whatever asks
for it gets the fault. Nothing tells which of the two is right, so both stay as they
are, and the next start finds the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from itertools import islice
from typing import NamedTuple

from companion.errors import DamagedGame, JournalFault
from companion.game.journal import Journal
from companion.ports import Clock
from companion.store import Journals
from companion.units import GameId

DELAY_MS = 10_000
"""How long after a game was opened it is played back; a failing disk doubles it."""

ENTRIES = 100
"""How many entries are played back at a time."""

PAUSE_MS = 50
"""How long others have the processor before the next ones."""


class _Playback(NamedTuple):
    """A game that is due to be played back, or is half played back.

    Attributes:
        game_id: Which game.
        opened: The journal that was opened from the snapshot.
        entries: Plays an entry back at each step.
        delay_ms: How long it waited.
    """

    game_id: GameId
    opened: Journal
    entries: Iterator[Journal]
    delay_ms: int


class Playbacks:
    """The games that are to be played back, and those that this has closed.

    Args:
        journals: Reads the entries.
        clock: Calls for each part of the work.
        alone_with: Returns the lock of a game.
        close_game: Called under that lock with each game that was closed.
    """

    def __init__(
        self,
        journals: Journals,
        clock: Clock,
        alone_with: Callable[[GameId], AbstractContextManager[object]],
        close_game: Callable[[GameId], None],
    ) -> None:
        self._journals = journals
        self._clock = clock
        self._alone_with = alone_with
        self._close_game = close_game
        # Both are changed under the game's lock.
        self._unproved: dict[GameId, Journal] = {}
        self._faults: dict[GameId, DamagedGame] = {}
        self._due: deque[_Playback] = deque()  # For the clock's thread alone.
        self._is_ended = False

    def check(self, game_id: GameId) -> None:
        """Raise the fault of a game that was closed."""
        fault = self._faults.get(game_id)
        if fault is not None:
            raise DamagedGame(fault.message, fault.remedy)

    def opened(self, game_id: GameId) -> Journal:
        """Load a game under its lock, unless it is closed; close it if it is damaged.

        Raises:
            JournalFault: If it cannot be read.
        """
        self.check(game_id)
        try:
            return self._journals.opened(game_id)
        except DamagedGame as fault:  # To find that again would take as long.
            self._faults[game_id] = fault
            raise

    def is_proved(self, game_id: GameId) -> bool:
        """Tell whether a game's state is that of all its entries."""
        return game_id not in self._unproved

    def add(self, game_id: GameId, opened: Journal) -> None:
        """Play back later a game that was *opened* now, under its lock."""
        if not opened.is_whole:
            self._unproved[game_id] = opened
            self._begin_later(game_id, opened, DELAY_MS)

    def forget(self, game_id: GameId) -> None:
        """Forget a game that was removed, under its lock."""
        self._unproved.pop(game_id, None)

    def play_back(self, game_id: GameId) -> None:
        """Play back a game now, unless it was; raise ``DamagedGame`` if it is closed.

        Raises:
            JournalFault: If its entries cannot be read.
        """
        opened = self._unproved.get(game_id)
        if opened is not None:
            self._go_on(self._new(game_id, opened, 0), None)
        self.check(game_id)

    def end(self) -> None:
        """Play back nothing more."""
        self._is_ended = True

    def _new(self, game_id: GameId, opened: Journal, delay_ms: int) -> _Playback:
        entries = self._journals.playing_back(game_id)
        return _Playback(game_id, opened, entries, delay_ms)

    def _begin_later(self, game_id: GameId, opened: Journal, delay_ms: int) -> None:
        begin = partial(self._begin, game_id, opened, delay_ms)
        self._clock.call_later(delay_ms, begin)

    def _begin(self, game_id: GameId, opened: Journal, delay_ms: int) -> None:
        self._due.append(self._new(game_id, opened, delay_ms))
        if len(self._due) == 1:
            self._step()

    def _step(self) -> None:
        """Play back some entries of the first game that is due."""
        if self._is_ended:
            return
        game = self._due.popleft()
        try:
            if not self._go_on(game, ENTRIES):
                self._due.appendleft(game)
        except JournalFault:  # The disk failed, which says nothing about the game.
            self._begin_later(game.game_id, game.opened, 2 * game.delay_ms)
        finally:
            if self._due:
                self._clock.call_later(PAUSE_MS, self._step)

    def _go_on(self, game: _Playback, most: int | None) -> bool:
        """Play back at most so many entries; return whether nothing is left to do.

        Raises:
            JournalFault: If the disk failed.
        """
        fault = None
        try:
            if not self._is_wanted(game):
                return True
            if sum(1 for _ in islice(game.entries, most)) == most:
                return False
        except DamagedGame as damage:
            fault = damage
        with self._alone_with(game.game_id):
            if self._is_wanted(game):
                del self._unproved[game.game_id]
                if fault is not None:
                    self._faults[game.game_id] = fault
                    self._close_game(game.game_id)
        return True

    def _is_wanted(self, game: _Playback) -> bool:
        """Tell whether the game was neither removed, proved nor opened anew."""
        return self._unproved.get(game.game_id) is game.opened
