"""How much everybody was worth after each entry, for a chart of the game.

Entries are read one after another and the results kept, so a page that asks again
after each move costs one entry and not a whole game. After an undo, the worths from
that entry on are counted anew: from memory if the entry is recent, else from the start.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

import msgspec

from companion.game import Game
from companion.game import events as e
from companion.game.journal import TAKING_BACK, Entry, applied
from companion.game.move_run import MoveRun
from companion.rules.ending import worth
from companion.units import Account, Dollars

WINDOW = 32
"""How many entries back the game is remembered, for an undo."""


class Worths(msgspec.Struct, frozen=True):
    """What each seat was worth after one entry.

    Attributes:
        revision: The revision of the entry.
        turn: How often the dice had been passed on by then; 0 in play by hand.
        seats: Every seat's worth, in the order of play.
    """

    revision: int
    turn: int
    seats: tuple[tuple[str, Dollars], ...]


def worths_of(game: Game) -> tuple[tuple[str, Dollars], ...]:
    """What every seat is worth, as the rules count it; in play by hand, its money."""
    if game.play is None:
        return tuple(
            (state.seat, game.ledger[Account(state.seat)]) for state in game.present()
        )
    run = MoveRun(game)
    return tuple(
        (token.seat, 0 if token.is_out else worth(run, token.seat))
        for token in game.play.tokens
    )


class WorthHistory:
    """The worths of one game, entry by entry.

    Args:
        reread: Gives the entries after a revision, oldest first.
    """

    def __init__(self, reread: Callable[[int], Iterable[Entry]]) -> None:
        self._reread = reread
        self._revision = 0
        self._game: Game | None = None
        self._recent: deque[tuple[Entry, Game | None]] = deque(maxlen=WINDOW)
        self._undone: set[int] = set()
        self._worths: list[Worths] = []

    def worths(self) -> tuple[Worths, ...]:
        """The worths after each entry up to the latest, without entries taken back."""
        for entry in self._reread(self._revision):
            self._take(entry)
        return tuple(self._worths)

    def _take(self, entry: Entry) -> None:
        named = {x.revision for x in entry.events if isinstance(x, TAKING_BACK)}
        if named:
            is_undo = isinstance(entry.events[0], e.Undone)
            self._undone = self._undone | named if is_undo else self._undone - named
            self._recount(min(named), entry.revision)
        else:
            self._count(entry)
        self._revision = entry.revision

    def _count(self, entry: Entry) -> None:
        self._recent.append((entry, self._game))
        if entry.revision in self._undone:
            return
        self._game = applied(self._game, entry)
        play = self._game.play
        turn = play.turn_number if play is not None else 0
        self._worths.append(Worths(entry.revision, turn, worths_of(self._game)))

    def _recount(self, revision: int, before: int) -> None:
        """Count all entries anew from *revision* up to the last one before *before*."""
        rows = list(self._recent)
        at = next((i for i, row in enumerate(rows) if row[0].revision == revision), -1)
        if at >= 0:
            self._game = rows[at][1]
            again: Iterable[Entry] = [entry for entry, _ in rows[at:]]
            self._recent = deque(rows[:at], maxlen=WINDOW)
        else:
            revision, self._game, again = 1, None, self._reread(0)
            self._recent.clear()
        while self._worths and self._worths[-1].revision >= revision:
            self._worths.pop()
        for entry in again:
            if entry.revision >= before:
                break
            if not isinstance(entry.events[0], TAKING_BACK):
                self._count(entry)


def by_turn(worths: tuple[Worths, ...], count_max: int = 120) -> tuple[Worths, ...]:
    """The last worths of each turn, thinned out evenly to at most *count_max*."""
    last = list({one.turn: one for one in worths if one.seats}.values())
    if len(last) <= count_max:
        return tuple(last)
    span = len(last) - 1
    return tuple(last[i * span // (count_max - 1)] for i in range(count_max))
