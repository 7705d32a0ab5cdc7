"""Hands that owe, buy and bid in every way that there is, more often than people do.

They resign while they owe, settle debts in kind, raise money for a purchase or a bid,
and trade while somebody buys; all else is as in ``random_move``.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from companion.game import Game
from companion.game import moves as m
from companion.game.position import Bundle, Debt, Position
from companion.game.stage import Stage
from companion.rules.deciding import moves_by_kind
from tests.guided import accepted, random_move, random_offer

EAGER = 0.5
"""How often such a way is tried where there is one."""

RARE = 0.1
"""How often somebody gives up who need not."""

RAISING = (m.Mortgage, m.Unbuild, m.SellDeed)

RESIGNED_OWING = "resigned while owing"
IN_KIND = "settled a debt in kind"
RAISED_TO_BUY = "raised money to buy"
RAISED_TO_BID = "raised money to bid"
TRADED_BUYING = "traded while somebody buys"
TRADED_BIDDING = "traded while somebody bids"
ACTS = (
    *(RESIGNED_OWING, IN_KIND, RAISED_TO_BUY),
    *(RAISED_TO_BID, TRADED_BUYING, TRADED_BIDDING),
)
"""What these hands do that ``random_move`` leaves out, or does by luck alone."""


def eager_move(dice: random.Random, game: Game) -> m.Move:
    """Draw a legal move, perhaps of the ways above.

    Raises:
        AssertionError: As ``random_move`` does.
    """
    play = _play(game)
    if dice.random() < EAGER:
        ways = [move for move in _ways(dice, game, play) if accepted(game, move)]
        if ways:
            return dice.choice(ways)
    return random_move(dice, game)


def _ways(dice: random.Random, game: Game, play: Position) -> Iterator[m.Move]:
    seats = play.playing()
    if play.stage is Stage.DEBT:
        yield from _in_kind(dice, game, play)
        debtor = dice.choice(play.debts).debtor
        if dice.random() < RARE:
            yield m.Resign(by=debtor)
        yield from _accepted_in_kind(play)
    if play.stage in (Stage.BUY, Stage.AUCTION):
        for seat in seats:
            yield from _raised(dice, game, seat)
            yield random_offer(dice, game, seat)
            yield m.Accept(by=seat)


def _in_kind(dice: random.Random, game: Game, play: Position) -> Iterator[m.MakeOffer]:
    """Yield offers, from either side, of property in place of a debt."""
    debt = dice.choice(play.debts)
    if str(debt.creditor) not in map(str, play.playing()):
        return
    free, goods = Bundle(debt=True), _goods(dice, game, debt)
    debtor, creditor = str(debt.debtor), str(debt.creditor)
    yield m.MakeOffer(by=debtor, taker=creditor, give=goods, want=free)
    yield m.MakeOffer(by=creditor, taker=debtor, give=free, want=goods)


def _goods(dice: random.Random, game: Game, debt: Debt) -> Bundle:
    play, board = _play(game), game.board
    assert board is not None
    deeds = [
        deed
        for deed, owner in zip(board.index, play.owners, strict=True)
        if owner == debt.debtor
    ]
    return Bundle(
        deeds=tuple(dice.sample(deeds, min(len(deeds), dice.randint(0, 3)))),
        tickets=dice.randint(0, play.token_of(debt.debtor).tickets),
    )


def _accepted_in_kind(play: Position) -> Iterator[m.Accept]:
    for offer in play.offers:
        if offer.give.debt or offer.want.debt:
            yield m.Accept(by=offer.taker)


def _raised(dice: random.Random, game: Game, seat: str) -> Iterator[m.Move]:
    for _, found in moves_by_kind(game, seat, RAISING):
        move = dice.choice(found)
        assert isinstance(move, m.Move), "each is about one deed"
        yield move


def act_of(game: Game, move: m.Move) -> str:
    """Which of ``ACTS`` a move is that was accepted; empty for any other."""
    play = _play(game)
    if isinstance(move, m.Resign) and play.owed_by(move.by):
        return RESIGNED_OWING
    if isinstance(move, RAISING):
        raised = {Stage.BUY: RAISED_TO_BUY, Stage.AUCTION: RAISED_TO_BID}
        return raised.get(play.stage, "")
    if not isinstance(move, m.Accept):
        return ""
    offer = next(x for x in reversed(play.offers) if x.taker == move.by)
    if offer.give.debt or offer.want.debt:
        return IN_KIND
    traded = {Stage.BUY: TRADED_BUYING, Stage.AUCTION: TRADED_BIDDING}
    return traded.get(play.stage, "")


def _play(game: Game) -> Position:
    assert game.play is not None
    return game.play
