"""The worth of every seat at the end of each turn, for a chart of the game.

A seat's *worth* is its money and all that it owns, as the rules count it. A
``WorthHistory`` reads the entries of the journal one after another and keeps the game
at the end of each turn, so a page that asks again after a move costs one entry, not a
whole game. To limit memory, in a long game it keeps only every second turn, or every
fourth, and so on. After an undo it reads on from the last kept turn before the undone
entries.
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
"""The most turns kept; beyond that, every second one is dropped."""

CHART_POINTS_MAX = 120
"""The most points that a chart draws for each seat."""


class Worths(msgspec.Struct, frozen=True):
    """The worth of each seat after one entry.

    Attributes:
        revision: The revision of the entry.
        turn: How often the dice had passed to another seat; 0 in play by hand.
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
        undone: Returns the latest revision, and the revisions that were undone.
        entries: Returns the entries after one revision and up to another, oldest
            first.
    """

    def __init__(
        self,
        undone: Callable[[], tuple[Revision, Collection[Revision]]],
        entries: Callable[[int, Revision], Iterable[Entry]],
    ) -> None:
        self._read_undone = undone
        self._entries = entries
        self._undone: frozenset[Revision] = frozenset()
        self._spacing = 1  # n, if every n-th turn is kept.
        self._ends: list[tuple[Worths, Game]] = []  # The ends of the turns kept.
        self._read_to = 0  # The revision of the last entry that was read.
        self._game: Game | None = None  # The game after the entries that count.
        self._game_at = 0  # The revision of the last entry that counts.

    def worths(self) -> tuple[Worths, ...]:
        """Return the worths at the end of each kept turn, then the present ones."""
        latest, undone = self._read_undone()
        changed = self._undone ^ frozenset(undone)
        self._undone = frozenset(undone)
        if changed:
            self._go_back_before(min(changed))
        for entry in self._entries(self._read_to, latest):
            self._read(entry)
        if self._game is None:
            return ()
        now = self._worths(self._game)
        earlier = (worths for worths, _ in self._ends if worths.turn < now.turn)
        return tuple(worths for worths in (*earlier, now) if worths.seats)

    def _go_back_before(self, revision: int) -> None:
        """Return to the last kept turn that ended before *revision*."""
        while self._ends and self._ends[-1][0].revision >= revision:
            self._ends.pop()
        self._read_to, self._game = 0, None
        if self._ends:
            end, self._game = self._ends[-1]
            self._read_to = self._game_at = end.revision

    def _read(self, entry: Entry) -> None:
        """Play the next entry, and keep the game before it if it begins a turn."""
        is_counted = entry.revision not in self._undone
        if is_counted and not isinstance(entry.events[0], TAKING_BACK):
            before, self._game = self._game, apply_entry(self._game, entry)
            if before is not None and _turn(before) != _turn(self._game):
                self._keep(before)
            self._game_at = entry.revision
        self._read_to = entry.revision

    def _keep(self, game: Game) -> None:
        """Keep *game*, the end of a turn, if that turn is kept at all."""
        turn = _turn(game)
        while self._ends and self._ends[-1][0].turn >= turn:
            self._ends.pop()  # That turn went on, or the game began anew.
        if turn % self._spacing == 0:
            self._ends.append((self._worths(game), game))
        if len(self._ends) > TURNS_MAX:
            self._spacing *= 2
            self._ends = [
                (worths, end)
                for worths, end in self._ends
                if worths.turn % self._spacing == 0
            ]

    def _worths(self, game: Game) -> Worths:
        return Worths(self._game_at, _turn(game), worths_of(game))


def _turn(game: Game) -> int:
    """Return the number of the turn; 0 in play by hand."""
    return game.play.turn_number if game.play is not None else 0


def thin_out(
    worths: tuple[Worths, ...], count_max: int = CHART_POINTS_MAX
) -> tuple[Worths, ...]:
    """Return at most *count_max* of *worths*, evenly chosen, with first and last."""
    if len(worths) <= count_max:
        return worths
    last, steps = len(worths) - 1, count_max - 1
    return tuple(worths[number * last // steps] for number in range(count_max))
