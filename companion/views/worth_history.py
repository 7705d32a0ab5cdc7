"""The worth of every seat at the end of each turn, for a chart of the game.

Entries are read one after another and a few results kept, so a page that asks again
after each move costs one entry and not a whole game, and a long game takes no more
memory than a short one. After an undo the turns from there on are counted anew.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

import msgspec

from companion.game import Game
from companion.game.journal import TAKING_BACK, Entry, apply_entry
from companion.game.move_run import MoveRun
from companion.rules.ending import worth
from companion.units import Account, Dollars, Revision

TURNS_MAX = 240
"""The worths of so many turns are kept; in a longer game every second is left out."""


class Worths(msgspec.Struct, frozen=True):
    """The worth of each seat after one entry.

    Attributes:
        revision: The revision of the entry.
        turn: The number of times the dice had been passed on; 0 in play by hand.
        seats: Every seat with its worth in dollars, in the order of play.
    """

    revision: int
    turn: int
    seats: tuple[tuple[str, Dollars], ...]


def worths_of(game: Game) -> tuple[tuple[str, Dollars], ...]:
    """Return each seat's worth by the rules; in play by hand, its money."""
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
    """The worths of one game, turn by turn.

    Args:
        undone: Returns the latest revision, and the revisions that are taken back.
        entries: Returns the entries after one revision, up to another, oldest first.
    """

    def __init__(
        self,
        undone: Callable[[], tuple[Revision, Collection[Revision]]],
        entries: Callable[[int, Revision], Iterable[Entry]],
    ) -> None:
        self._read_undone = undone
        self._entries = entries
        self._undone: frozenset[Revision] = frozenset()
        self._apart = 1  # Only turns whose number this divides are kept.
        self._ends: list[tuple[Worths, Game]] = []
        self._revision = 0
        self._counted = 0  # The last entry up to there that was not taken back.
        self._game: Game | None = None

    def worths(self) -> tuple[Worths, ...]:
        """Return the worths at the end of each kept turn, and those of now."""
        latest, undone = self._read_undone()
        changed = self._undone ^ frozenset(undone)
        self._undone = frozenset(undone)
        if changed:
            self._go_back_before(min(changed))
        for entry in self._entries(self._revision, latest):
            self._take(entry)
        if self._game is None:
            return ()
        now = self._worths(self._game)
        earlier = (worths for worths, _ in self._ends if worths.turn < now.turn)
        return tuple(worths for worths in (*earlier, now) if worths.seats)

    def _go_back_before(self, revision: int) -> None:
        while self._ends and self._ends[-1][0].revision >= revision:
            self._ends.pop()
        self._revision, self._game = 0, None
        if self._ends:
            end, self._game = self._ends[-1]
            self._revision = self._counted = end.revision

    def _take(self, entry: Entry) -> None:
        is_counted = entry.revision not in self._undone
        if is_counted and not isinstance(entry.events[0], TAKING_BACK):
            before, self._game = self._game, apply_entry(self._game, entry)
            if before is not None and _turn(before) != _turn(self._game):
                self._keep(before)
            self._counted = entry.revision
        self._revision = entry.revision

    def _keep(self, game: Game) -> None:
        """Keep the worths of *game*, the last of its turn, unless it is left out."""
        turn = _turn(game)
        while self._ends and self._ends[-1][0].turn >= turn:
            self._ends.pop()  # That turn went on, or the game began anew.
        if turn % self._apart == 0:
            self._ends.append((self._worths(game), game))
        if len(self._ends) > TURNS_MAX:
            self._apart *= 2
            self._ends = [x for x in self._ends if x[0].turn % self._apart == 0]

    def _worths(self, game: Game) -> Worths:
        return Worths(self._counted, _turn(game), worths_of(game))


def _turn(game: Game) -> int:
    return game.play.turn_number if game.play is not None else 0


def thinned(worths: tuple[Worths, ...], count_max: int = 120) -> tuple[Worths, ...]:
    """Thin out *worths* evenly, to at most *count_max*."""
    if len(worths) <= count_max:
        return worths
    span = len(worths) - 1
    return tuple(worths[i * span // (count_max - 1)] for i in range(count_max))
