"""The effect of a trade on the two seats that make it, before anybody agrees to it.

The trade is carried out in a copy of the game, so the effects shown cannot differ from
what happens once somebody says yes.
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
from companion.views.deed_rents import Rent, rent_at
from companion.views.space import Band, band_of
from companion.views.turn_buttons import Look


class Whole(msgspec.Struct, frozen=True):
    """A group that the trade completes or breaks up.

    Attributes:
        deed: The name of its deed whose rent changes most; empty if none changes.
        was: The rent of that deed now; ``None`` for none.
        will: The rent of that deed after the trade.
        is_times: Both rents are multiplied by the dice.
    """

    band: Band
    deed: str = ""
    was: Dollars | None = None
    will: Dollars | None = None
    is_times: bool = False


class Effect(msgspec.Struct, frozen=True):
    """What a trade does to one of the two seats.

    Attributes:
        interest: The dollars that it pays the bank for the mortgaged deeds it takes.
        completes: Groups that the trade completes for the seat.
        breaks: Groups that the seat has whole before the trade but not after it.
        tickets_before: How many bus tickets it holds before the trade.
        tickets_after: How many after it.
        forgiven: The dollars of its debt that the other seat forgives it.
    """

    seat: str
    cash_before: Dollars
    cash_after: Dollars
    worth_before: Dollars
    worth_after: Dollars
    interest: Dollars
    completes: tuple[Whole, ...]
    breaks: tuple[Whole, ...]
    tickets_before: int = 0
    tickets_after: int = 0
    forgiven: Dollars = 0


def effects_of(game: Game, groups: Sequence[Group], offer: Offer) -> tuple[Effect, ...]:
    """Return what *offer* does to the giver and to the taker, in that order.

    Args:
        game: The game as it stands, guided.
        groups: The groups of its edition, for their names.
        offer: The offer, made or planned; the rules allow it (``check_deal``).
    """
    run = MoveRun(game)
    settled = _settled(game)
    after = _carried_out(settled, offer)
    was, will = MoveRun(settled), MoveRun(after)

    def looks(seat: str) -> tuple[Look, Look]:
        return Look(settled, seat), Look(after, seat)

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
            completes=_wholes(groups, *looks(seat), is_gain=True),
            breaks=_wholes(groups, *looks(seat), is_gain=False),
            tickets_before=was.play.token_of(seat).tickets,
            tickets_after=will.play.token_of(seat).tickets,
            forgiven=owed(run, seat, other) if side.debt else 0,
        )
        for seat, other, side in taken
    )


def _settled(game: Game) -> Game:
    """Return the game without the open business of its turn, with all money in hand."""
    assert game.play is not None, "the companion leads"
    play = replace(
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
    return replace(game, play=play)


def _carried_out(settled: Game, offer: Offer) -> Game:
    """Return the game after that trade alone."""
    run = MoveRun(settled)
    run.add(
        d.OfferMade(
            giver=offer.giver, taker=offer.taker, give=offer.give, want=offer.want
        )
    )
    accept(run, m.Accept(by=offer.taker))
    while run.play.payments:  # Where notes may be fake, it is laid on the table first.
        hand_over(run, m.HandOver(by=run.play.payments[0].payer))
    return run.game


def _wholes(
    groups: Sequence[Group], now: Look, then: Look, *, is_gain: bool
) -> tuple[Whole, ...]:
    """Return the groups that the looking seat completes, or breaks up."""
    has, lacks = (then, now) if is_gain else (now, then)
    return tuple(
        _whole(groups, now, then, members)
        for members in now.board.groups
        if _has_all(has, members) and not _has_all(lacks, members)
    )


def _has_all(look: Look, members: tuple[int, ...]) -> bool:
    return all(look.play.owners[at] == look.seat for at in members)


def _whole(
    groups: Sequence[Group], now: Look, then: Look, members: tuple[int, ...]
) -> Whole:
    """Return the group of *members*, with the rent in it that changes most."""
    deeds = now.board.rules.deeds
    band = band_of(groups, deeds[members[0]].group)
    changed: list[Whole] = []
    for at in members:
        was, will = _rent(now, at), _rent(then, at)
        is_kept = then.play.owners[at] == then.seat
        if is_kept and will.amount is not None and was.amount != will.amount:
            name = deeds[at].name
            changed.append(Whole(band, name, was.amount, will.amount, will.is_times))
    return max(changed, key=_change, default=Whole(band))


def _change(whole: Whole) -> Dollars:
    return abs((whole.will or 0) - (whole.was or 0))


def _rent(look: Look, at: int) -> Rent:
    return rent_at(look.board, look.play, at)
