"""The head of an exported script: how the recorded game began.

A script begins with an edition, the seats and the table's options. From these alone the
program sets up a *fresh* game. ``given`` lines then state how the recorded game
differed: figures read off the real box, cards on top of a deck, owners, cash, the
vault's code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.edition.model import Edition
from companion.errors import Malformed
from companion.game import Game
from companion.game import play_events as p
from companion.game.board import Board
from companion.game.box_key import key_of, reading_words
from companion.game.figures import HOTEL_RENTS, PLAIN_FIGURES
from companion.game.journal import Entry
from companion.game.rulebook import AMOUNTS, BUS_DECK, HOTEL, STREET, RuleDeed
from companion.game.spaces import PAYING
from companion.script.code import code_words, codes_in_hindsight
from companion.script.parse import parse
from companion.script.run import Runner
from companion.units import POT, VAULT, Account, Dollars

LoadEdition = Callable[[str], Edition]
"""Loads the edition with this id."""


class _Editions:
    """A function that loads editions, in the form that a script runner expects."""

    ids: tuple[str, ...] = ()

    def __init__(self, load: LoadEdition) -> None:
        self._load = load

    def __call__(self, word: str, /) -> Edition:
        return self._load(word)


class Beginning:
    """The head of the script of a recorded game.

    Args:
        game: The game when play began.
        later: The entries after the beginning of play, without those taken back.
        edition: Loads an edition as a script does, without values read off a real box.

    Attributes:
        terms: The money terms of the game that the script sets up.
    """

    def __init__(
        self, game: Game, later: tuple[Entry, ...], edition: LoadEdition
    ) -> None:
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
        """Return the lines of the head."""
        return [
            *self._setup_lines(),
            *self._box_lines(),
            *self._top_lines(),  # First: later ``given top`` lines go on top of it.
            *self._owner_lines(),
            *self._cash_lines(),
            *self._code_lines(),
            *self._position_lines(),
            *self._purse_lines(),
        ]

    def _setup_lines(self) -> list[str]:
        rules = self._board.rules
        return [
            f"edition {rules.edition}",
            f"seats {' '.join(self._seats)}",
            *(f"option {key} {value}" for key, value in rules.options),
        ]

    def _set_up(self, edition: LoadEdition) -> Game:
        """Return the fresh game; the recorded one if the edition no longer exists."""
        lines = [*self._setup_lines(), *self._no_deal_lines()]
        runner = Runner(traces=False, editions=_Editions(edition))
        try:
            runner.prepare(parse("\n".join(lines)))
        except Malformed:
            return self._game
        return runner.game

    def _no_deal_lines(self) -> list[str]:
        """Return a ``given`` line for the cash of each seat, if the rules deal deeds.

        With any ``given`` line, a script deals no deeds of its own.
        """
        if not self._board.rules.dealt_each:
            return []
        return [
            f"given {seat} cash {self._game.ledger[Account(seat)]}"
            for seat in self._seats
        ]

    def _box_lines(self) -> Iterator[str]:
        """Yield lines for what was read off the real box, or is likely, before play."""
        fresh = self._fresh.board
        assert fresh is not None, "the script has begun"
        for card in self._board.rules.cards:
            if card.id not in fresh.cards:
                yield f"given card {card.deck} {card.id}"
        for key, amount in _differences(self._board, fresh):
            yield f"given {' '.join(reading_words(key, amount))}"
            fresh = fresh.with_reading(key, amount)
        for figure in self._board.rules.likely:
            expected = fresh.likely.get(figure.key)
            if expected is None or expected.likely != figure.likely:
                words = reading_words(figure.key, figure.likely, is_likely=True)
                yield f"given {' '.join(words)}"
        pairs = zip(self._board.rules.spaces, fresh.rules.spaces, strict=True)
        for number, (space, before) in enumerate(pairs):
            is_read = bool(before.likely) and space.name != before.name
            if is_read:  # Its print was unknown, and it had no name.
                yield f"given space {number} {space.kind}"

    def _top_lines(self) -> list[str]:
        """Return a line for each deck: the cards drawn later, the first on top.

        Bus tickets are left out, since each line that draws one names it.
        """
        drawn: dict[str, list[str]] = {}
        known = {card.id for card in self._board.rules.cards if card.deck != BUS_DECK}
        for entry in self._later:
            for event in entry.events:
                if isinstance(event, p.CardDrawn) and event.card in known:
                    cards = drawn.setdefault(event.deck, [])
                    if event.card not in cards:
                        cards.append(event.card)
        return [f"given top {deck} {' '.join(cards)}" for deck, cards in drawn.items()]

    def _owner_lines(self) -> Iterator[str]:
        pairs = list(zip(self._board.rules.deeds, self._play.owners, strict=True))
        for seat in self._seats:
            deeds = [deed.id for deed, owner in pairs if owner == seat]
            if deeds:
                yield f"given {seat} owns {' '.join(deeds)}"

    def _cash_lines(self) -> list[str]:
        """Return a line for each seat whose cash is not the starting money."""
        if self._board.rules.dealt_each:
            return self._no_deal_lines()
        balances = {seat: self._game.ledger[Account(seat)] for seat in self._seats}
        return [
            f"given {seat} cash {cash}"
            for seat, cash in balances.items()
            if cash != self.terms.start_money
        ]

    def _code_lines(self) -> Iterator[str]:
        """Yield a line with the vault's first code, if there is one."""
        code = code_words(next(codes_in_hindsight(self._later)))
        if self._board.rules.vault is not None and code:
            yield f"given vault{code}"

    def _position_lines(self) -> list[str]:
        """Return the ``given`` lines for positions that the table itself stated."""
        return [
            f"given {' '.join(entry.events[0].words)}"
            for entry in self._later
            if isinstance(entry.events[0], p.PositionGiven)
        ]

    def _purse_lines(self) -> Iterator[str]:
        """Yield lines for the money of vault and pot that the fresh game lacks."""
        for account in (VAULT, POT):
            balance = self._game.ledger[account]
            if balance != self._fresh.ledger[account]:
                yield f"do table balance {account} {balance}"


def _differences(board: Board, fresh: Board) -> Iterator[tuple[str, Dollars]]:
    """Yield the figures that differ between the boards, except for likely amounts."""
    # Likely amounts count as unknown: any reading differs from them.
    before = dict(_figures(fresh)) | dict.fromkeys(fresh.likely)
    for key, amount in _figures(board):
        if amount is None or key in board.likely or key not in before:
            continue
        if amount != before[key]:
            yield key, amount


Figure = tuple[str, Dollars | None]
"""The key (or the mere name) of a figure, and its amount; ``None`` if unknown."""


def _figures(board: Board) -> Iterator[Figure]:
    """Yield every figure that a script line can give, by its key."""
    for deed in board.rules.deeds:
        for name, amount in _figures_of_deed(deed):
            yield key_of("deed", deed.id, name), amount
    for card in board.rules.cards:
        if card.effect in AMOUNTS:
            yield key_of("card", card.id, "amount"), card.amount
    for number, space in enumerate(board.rules.spaces):
        if space.kind in PAYING:
            yield key_of("space", str(number), "amount"), space.amount


def _figures_of_deed(deed: RuleDeed) -> Iterator[Figure]:
    """Yield every figure of a deed, by its name."""
    for name in PLAIN_FIGURES:
        yield name, getattr(deed, name)
    if deed.kind == STREET:
        yield "rent", deed.rents[0]
        yield "rent_full_group", deed.rent_group
    costs = dict(zip(deed.ladder, deed.costs, strict=True))  # One cost for each kind.
    for kind, cost in costs.items():
        yield f"{kind}_cost", cost
    hotels = deed.ladder.count(HOTEL)
    for name, count in HOTEL_RENTS.items():
        if count <= hotels:
            yield name, deed.rents[deed.ladder.index(HOTEL) + count]
