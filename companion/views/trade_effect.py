"""What a trade would do to the two seats that make it, before anybody agrees to it.

The trade is carried out in a copy of the game, so the effects shown cannot differ
from what happens once somebody says yes.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from companion.edition.shape import Group
from companion.game import Game
from companion.game import deed_events as d
from companion.game import moves as m
from companion.game.move_run import MoveRun
from companion.game.position import Offer
from companion.game.stage import Stage
from companion.rules.decoder import hand_over
from companion.rules.ending import worth
from companion.rules.trade import accept, interest_due, owed
from companion.units import Dollars
from companion.views.turn_buttons import Look
from companion.words.common import common


class Effect(msgspec.Struct, frozen=True):
    """What a trade does to one of the two seats.

    Attributes:
        interest: What the seat pays the bank for the mortgaged deeds it takes.
        completes: Groups that the trade completes for the seat.
        breaks: Groups that the seat has whole before the trade but not after it.
        tickets_before: How many bus tickets it holds before the trade.
        tickets_after: How many after it.
        forgiven: What it owes the other seat before the trade and no more after it.
    """

    seat: str
    cash_before: Dollars
    cash_after: Dollars
    worth_before: Dollars
    worth_after: Dollars
    interest: Dollars
    completes: tuple[str, ...]
    breaks: tuple[str, ...]
    tickets_before: int = 0
    tickets_after: int = 0
    forgiven: Dollars = 0


def effects_of(game: Game, groups: Sequence[Group], offer: Offer) -> tuple[Effect, ...]:
    """What *offer* does to giver and taker, in that order.

    Args:
        game: The game as it stands, guided.
        groups: The groups of its edition, for their names.
        offer: The offer, made or planned; the rules allow it (``check_deal``).

    Returns:
        Two effects.
    """
    run = MoveRun(game)
    still = _still(game)
    after = _carried_out(still, offer)
    was, will = MoveRun(still), MoveRun(after)
    taken = (
        (offer.giver, offer.taker, offer.want),
        (offer.taker, offer.giver, offer.give),
    )
    return tuple(
        Effect(
            seat=seat,
            cash_before=was.cash(seat),
            cash_after=will.cash(seat),
            worth_before=worth(was, seat),
            worth_after=worth(will, seat),
            interest=sum(interest_due(was, deed) for deed in side.deeds),
            completes=_groups_gained(groups, game, after, seat),
            breaks=_groups_gained(groups, after, game, seat),
            tickets_before=was.play.token_of(seat).tickets,
            tickets_after=will.play.token_of(seat).tickets,
            forgiven=owed(run, seat, other) if side.debt else 0,
        )
        for seat, other, side in taken
    )


def _still(game: Game) -> Game:
    """The game without what goes on in its turn: with all its money in hand."""
    assert game.play is not None, "the companion leads"
    still = replace(
        game.play,
        debts=(),
        auction=None,
        wants=(),
        offers=(),
        walk=0,
        base=Stage.ROLL,
        has_moved=False,
        payments=(),
        card_use=None,
        inspector="",
        bonus="",
    )
    return replace(game, play=still)


def _carried_out(still: Game, offer: Offer) -> Game:
    """The game after that trade alone."""
    run = MoveRun(still)
    run.add(
        d.OfferMade(
            giver=offer.giver, taker=offer.taker, give=offer.give, want=offer.want
        )
    )
    accept(run, m.Accept(by=offer.taker))
    while run.play.payments:  # Where notes may be fake, it is laid on the table first.
        hand_over(run, m.HandOver(by=run.play.payments[0].payer))
    return run.game


def _groups_gained(
    groups: Sequence[Group], before: Game, after: Game, seat: str
) -> tuple[str, ...]:
    """Names of the groups that are whole in *after* and were not in *before*."""
    had, has = _whole_groups(before, seat), _whole_groups(after, seat)
    names = {group.id: common(group.name) for group in groups}
    return tuple(names.get(one, one) for one in has if one not in had)


def _whole_groups(game: Game, seat: str) -> tuple[str, ...]:
    look = Look(game, seat)
    return tuple(
        look.board.rules.deeds[members[0]].group
        for members in look.board.groups
        if all(look.play.owners[at] == seat for at in members)
    )
