"""Hands that type figures, right, swapped and greedy: nobody gains by typing.

The boxes lack what their deeds print about mortgages and, in some games, prices and
hotels, so that every hand may type it in. The checker reads the events and knows no
rule but these: a mortgage brings less than the price, and lifting it costs more than
it brought. So no account gains by mortgaging and lifting, and no debtor borrows a
deed's price.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from functools import partial

import pytest
from msgspec.structs import replace

from companion.edition import builtin, editions
from companion.edition.snapshot import snapshot
from companion.errors import Refused
from companion.game import commands as c
from companion.game import deed_events as d
from companion.game import events as e
from companion.game import moves as m
from companion.game import play_events as p
from companion.game.journal import Entry
from companion.game.ledger import Reason
from companion.game.rulebook import Rulebook
from companion.units import BANK
from tests.eager import eager_move
from tests.guided import Guided, accepted
from tests.sample import tens

GAMES = 500
"""The games of each box in the proofs."""

TYPING = 0.25
"""How often a hand types instead of playing on."""

PRICED = 0.7
"""How often the deeds have prices."""


class Books:
    """What the bank lent on each deed, and what has come back for it."""

    def __init__(self) -> None:
        self.price: dict[str, int | None] = {}
        self.lent: dict[str, int] = {}
        self.back: dict[str, int] = {}
        self.lifted = self.borrowed = 0

    def enter(self, entries: Iterable[Entry]) -> None:
        """Follow the entries of a game, from its beginning.

        Raises:
            AssertionError: If somebody gained.
        """
        for entry in entries:
            for at, event in enumerate(entry.events):
                self._see(event, entry.events[at + 1 :])

    def _see(self, event: object, later: tuple[object, ...]) -> None:
        match event:
            case p.PlayBegun(rules=rules):
                self.price = {deed.id: deed.price for deed in rules.deeds}
            case p.BoxRead(key=key, value=int(value)) if key.endswith(".price"):
                self.price[key.split(".")[1]] = value
            case d.DeedMortgaged(deed=deed):
                loan = next(_mortgage_money(later, payer=BANK))
                price = self.price[deed]
                assert price is None or loan < price, (event, loan, price)
                self.lent[deed], self.back[deed] = loan, 0
                self.borrowed += 1
            case d.DeedPassed(deed=deed) if deed in self.lent:
                self.back[deed] += next(_mortgage_money(later, payee=BANK), 0)
            case d.MortgageLifted(deed=deed):
                self.back[deed] += next(_mortgage_money(later, payee=BANK))
                lent, back = self.lent.pop(deed), self.back.pop(deed)
                assert back > lent, (event, lent, back)
                self.lifted += 1
            case d.DeedReturned(deed=deed) | d.DeedSold(deed=deed):
                self.lent.pop(deed, None)


def _mortgage_money(
    events: Iterable[object], payer: str = "", payee: str = ""
) -> Iterator[int]:
    """Yield what is paid, or owed, for mortgages to or by the bank."""
    for event in events:
        match event:
            case e.MoneyMoved(reason=Reason.MORTGAGE) if (
                payer == event.payer or payee == event.payee
            ):
                yield event.amount
            case p.DebtOwed(reason=Reason.MORTGAGE) if payee == event.creditor:
                yield event.amount


def blank(rules: Rulebook, *, has_prices: bool) -> Rulebook:
    """Return the rules of a box of which nobody has read the mortgages."""
    deeds = tuple(
        replace(
            deed,
            mortgage=None,
            unmortgage=None,
            price=deed.price if has_prices else None,
        )
        for deed in rules.deeds
    )
    return replace(rules, deeds=deeds)


class Typists(Guided):
    """A table whose hands type."""

    def __init__(self, edition: str, dice: random.Random) -> None:
        found = builtin(edition)
        self._dice = dice
        self._printed = {deed.id: deed.price or 400 for deed in found.deeds}
        seats, options = dice.randint(2, 4), {"rent": "automatic"}
        if any(option.key == "unknown_figures" for option in found.options):
            options["unknown_figures"] = dice.choice(("ask", "likely"))
        change = partial(blank, has_prices=dice.random() < PRICED)
        super().__init__(edition, seats, options, change=change)

    def play_evening(self, moves: int) -> None:
        for _ in range(moves):
            if self.at.base == "over":
                return
            for move in self._moves():
                try:
                    self.give(move)
                except Refused:
                    continue
                break

    def _moves(self) -> Iterator[c.Command]:
        """Yield what somebody tries: to type, to borrow, to lift, or to play on."""
        dice, deeds = self._dice, tuple(self._printed)
        if dice.random() < TYPING:
            by, owned = self._somebody(), self._owned()
            deed = dice.choice(owned if owned and dice.random() < 0.8 else deeds)
            yield from self._typed(by, deed)
        if dice.random() < TYPING and (owned := self._owned()):
            deed = dice.choice(owned)
            owner = self._owner(deed)
            yield dice.choice(
                (
                    m.Mortgage(by=owner, deed=deed),
                    m.LiftMortgage(by=owner, deed=deed),
                )
            )
        yield eager_move(dice, self.game)

    def _typed(self, by: str, deed: str) -> Iterator[m.ReadBox]:
        """Yield what a hand types in for one deed."""
        printed = self._printed[deed]
        right = {"price": printed, "mortgage": printed // 2}
        right["unmortgage"] = printed // 2 + printed // 20 + 1
        swapped = {
            "price": printed // 2,
            "mortgage": right["unmortgage"],
            "unmortgage": right["mortgage"],
        }
        mood = self._dice.choice(("right", "swapped", "greedy", "guess"))
        for name in self._dice.sample(sorted(right), 3):
            greedy = self._dice.choice((1, 2, printed - 1, printed, 5_000))
            amount = {"right": right, "swapped": swapped}.get(mood, {}).get(
                name, greedy
            )
            key = f"deed.{deed}.{name}"
            if mood == "guess":
                assert self.game.board is not None
                guess = {one.key: one.likely for one in self.game.board.unknown}
                amount = guess.get(key) or amount
            yield m.ReadBox(by=by, key=key, value=amount, is_likely=mood == "guess")

    def _somebody(self) -> str:
        return self._dice.choice(self.at.playing())

    def _owner(self, deed: str) -> str:
        assert self.game.board is not None
        return self.at.owners[self.game.board.index[deed]]

    def _owned(self) -> list[str]:
        return [deed for deed in self._printed if self._owner(deed)]


def played(edition: str, seed: int, moves: int) -> Books:
    """Play a game, and check its books."""
    table = Typists(edition, random.Random(f"{edition} {seed}"))
    table.play_evening(moves)
    books = Books()
    books.enter(table.entries)
    return books


BOXES = editions()


@pytest.mark.parametrize("edition", BOXES)
def test_nobody_gains_by_typing(edition: str) -> None:
    books = [played(edition, seed, moves=100) for seed in range(5)]
    if snapshot(builtin(edition)).mortgage.exists:
        assert sum(one.lifted for one in books) > 0


@tens("case", [(box, seed) for box in BOXES for seed in range(1_000, 1_000 + GAMES)])
def test_nobody_gains_by_typing_in_500_games_of_each_box(
    case: tuple[str, int],
) -> None:
    played(*case, moves=400)


def test_no_price_is_typed_again_while_it_lies_on_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else a street is bought for one price, and sold to the bank for another."""
    monkeypatch.setattr("tests.test_typed_figures.PRICED", 0)
    table = Typists("crooked-cash", random.Random(0))
    table.given("red on 1", "turn red", "stage buy")
    first, second = (
        m.ReadBox(by="red", key="deed.mediterranean-avenue.price", value=price)
        for price in (60, 5_000)
    )
    table.give(first)
    table.give(second)
    table.give(first)
    table.give(m.Buy(by="red"))
    assert not accepted(table.game, second)
    table.give(m.HandOver(by="red"))
    assert not accepted(table.game, second)
