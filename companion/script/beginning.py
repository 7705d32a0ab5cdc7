"""How a recorded game began, as the head of a script.

What follows from the edition alone is not repeated. A fresh game is set up as the
script would do it, and only what differs from it is written, as ``given`` lines. So
the export has the figures, spaces and balances from before play began.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.edition.model import Edition
from companion.errors import Malformed
from companion.game import Game
from companion.game import play_events as p
from companion.game.board import Board
from companion.game.box_key import key_of, words_of
from companion.game.figures import HOTEL_RENTS, PLAIN_FIGURES
from companion.game.journal import Entry
from companion.game.rulebook import AMOUNTS, BUS_DECK, HOTEL, STREET, RuleDeed
from companion.script.hindsight import code_words, codes_in_hindsight
from companion.script.parse import parse
from companion.script.run import Runner
from companion.units import POT, VAULT, Account, Dollars

Give = Callable[[str], Edition]


class _Given:
    """A function that gives editions, in the shape that a script runner expects."""

    ids: tuple[str, ...] = ()

    def __init__(self, give: Give) -> None:
        self._give = give

    def __call__(self, word: str, /) -> Edition:
        return self._give(word)


class Beginning:
    """The head of the script of a game that has just begun to be guided.

    Args:
        game: The game as it stood when play began.
        later: The entries after that, without those taken back.
        edition: Gives an edition as a script finds it, without readings of a box.

    Attributes:
        terms: The money terms of the game that the script sets up.
    """

    def __init__(self, game: Game, later: tuple[Entry, ...], edition: Give) -> None:
        assert game.play is not None, "play has begun"
        assert game.board is not None, "play has begun"
        self._game = game
        self._later = later
        self._play = game.play
        self._board = game.board
        self._seats = tuple(token.seat for token in game.play.tokens)
        self._fresh = self._set_up(edition)
        self.terms = self._fresh.terms

    def lines(self) -> list[str]:
        """The edition, the seats, the options, and the position play began from."""
        return [
            *self._opening(),
            *self._read(),
            *self._tops(),  # First: later ``given top`` lines go on top of it.
            *self._owners(),
            *self._cash(),
            *self._code(),
            *self._given(),
            *self._purses(),
        ]

    def _opening(self) -> list[str]:
        rules = self._board.rules
        return [
            f"edition {rules.edition}",
            f"seats {' '.join(self._seats)}",
            *(f"option {key} {value}" for key, value in rules.options),
        ]

    def _set_up(self, edition: Give) -> Game:
        """The game that a script sets up from edition, seats and options alone.

        If the edition's file no longer exists, the recorded game itself.
        """
        lines = [*self._opening(), *self._dealt()]
        runner = Runner(traces=False, editions=_Given(edition))
        try:
            runner.prepare(parse("\n".join(lines)))
        except Malformed:
            return self._game
        return runner.game

    def _dealt(self) -> list[str]:
        """Cash lines that stop a script from dealing deeds; empty if it deals none."""
        if not self._board.rules.dealt_each:
            return []
        return [
            f"given {seat} cash {self._game.ledger[Account(seat)]}"
            for seat in self._seats
        ]

    def _read(self) -> Iterator[str]:
        """What was read off the real box before play began."""
        fresh = self._fresh.board
        assert fresh is not None, "the script has begun"
        for card in self._board.rules.cards:
            if card.id not in fresh.cards:
                yield f"given card {card.deck} {card.id}"
        for key, amount in _differences(self._board, fresh):
            yield f"given {' '.join(words_of(key, amount))}"
            fresh = fresh.with_reading(key, amount)
        for one in self._board.rules.likely:
            found = fresh.likely.get(one.key)
            if found is None or found.likely != one.likely:
                words = words_of(one.key, one.likely, is_likely=True)
                yield f"given {' '.join(words)}"
        pairs = zip(self._board.rules.spaces, fresh.rules.spaces, strict=True)
        for number, (space, printed) in enumerate(pairs):
            if printed.likely and space.name != printed.name:
                yield f"given space {number} {space.kind}"

    def _tops(self) -> list[str]:
        """The cards that each deck turned out to have on top, as ``given`` lines."""
        seen: dict[str, list[str]] = {}
        tops = {x.id for x in self._board.rules.cards if x.deck != BUS_DECK}
        for entry in self._later:
            for event in entry.events:
                if isinstance(event, p.CardDrawn) and event.card in tops:
                    cards = seen.setdefault(event.deck, [])
                    if event.card not in cards:
                        cards.append(event.card)
        return [f"given top {deck} {' '.join(cards)}" for deck, cards in seen.items()]

    def _owners(self) -> Iterator[str]:
        pairs = list(zip(self._board.rules.deeds, self._play.owners, strict=True))
        for seat in self._seats:
            deeds = [deed.id for deed, owner in pairs if owner == seat]
            if deeds:
                yield f"given {seat} owns {' '.join(deeds)}"

    def _cash(self) -> list[str]:
        if self._board.rules.dealt_each:
            return self._dealt()
        return [
            f"given {seat} cash {cash}"
            for seat in self._seats
            if (cash := self._game.ledger[Account(seat)]) != self.terms.start_money
        ]

    def _code(self) -> Iterator[str]:
        code = code_words(next(codes_in_hindsight(self._later)))
        if self._board.rules.vault is not None and code:
            yield f"given vault{code}"

    def _given(self) -> list[str]:
        return [
            f"given {' '.join(entry.events[0].words)}"
            for entry in self._later
            if isinstance(entry.events[0], p.PositionGiven)
        ]

    def _purses(self) -> Iterator[str]:
        """Lines for the vault's and the pot's money, if a fresh game differs."""
        for account in (VAULT, POT):
            balance = self._game.ledger[account]
            if balance != self._fresh.ledger[account]:
                yield f"do table balance {account} {balance}"


def _differences(mine: Board, fresh: Board) -> Iterator[tuple[str, Dollars]]:
    """What *mine* knows and *fresh* does not, or knows otherwise: key and amount."""
    known = {key: None if key in fresh.likely else x for key, x in _figures(fresh)}
    for key, amount in _figures(mine):
        if amount is None or key in mine.likely or key not in known:
            continue
        if amount != known[key]:
            yield key, amount


Figure = tuple[str, Dollars | None]


def _figures(board: Board) -> Iterator[Figure]:
    """Every figure that a script line can give: its key, and its amount on *board*."""
    for deed in board.rules.deeds:
        for name, amount in _of_deed(deed):
            yield key_of("deed", deed.id, name), amount
    for card in board.rules.cards:
        if card.effect in AMOUNTS:
            yield key_of("card", card.id, "amount"), card.amount


def _of_deed(deed: RuleDeed) -> Iterator[Figure]:
    yield from ((name, getattr(deed, name)) for name in PLAIN_FIGURES)
    if deed.kind == STREET:
        yield "rent", deed.rents[0]
        yield "rent_full_group", deed.rent_group
    yield from {
        f"{kind}_cost": cost for kind, cost in zip(deed.ladder, deed.costs, strict=True)
    }.items()
    hotels = deed.ladder.count(HOTEL)
    for name, count in HOTEL_RENTS.items():
        if count <= hotels:
            yield name, deed.rents[deed.ladder.index(HOTEL) + count]
