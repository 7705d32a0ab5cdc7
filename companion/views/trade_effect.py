"""The effect of a trade on the two seats that make it, before anybody agrees to it.

The rules carry out the trade in a copy of the game, so the effects shown cannot differ
from what happens later: the money and the worth of each seat before and after, and the
groups that the trade completes or breaks up, each with the rent that changes most. Here
*at* is the index of a deed, and *members* are the indices of a group's deeds.
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
from companion.game.position import Bundle, Offer
from companion.game.stage import Stage
from companion.rules.decoder import hand_over
from companion.rules.ending import worth
from companion.rules.trade import accept, interest_due, owed
from companion.units import Dollars, Seat
from companion.views.deed_rents import rent_at
from companion.views.space import Band, band_of
from companion.views.turn_buttons import Look


class GroupChange(msgspec.Struct, frozen=True):
    """A group that the trade completes or breaks up.

    Attributes:
        band: The name and the colour of the group.
        deed: The name of the deed whose rent changes most; empty if none changes.
        was: Its rent before the trade, in dollars; ``None`` for none or an unknown one.
        will: Its rent after the trade, in dollars.
        is_times: The two figures are not dollars but multiply the dice.
    """

    band: Band
    deed: str = ""
    was: Dollars | None = None
    will: Dollars | None = None
    is_times: bool = False


class Effect(msgspec.Struct, frozen=True):
    """What a trade does to one of the two seats.

    Attributes:
        interest: The dollars that the seat pays for the mortgaged deeds that it gets.
        completes: The groups of which the seat owns all deeds only after the trade.
        breaks: The groups of which the seat owns all deeds only before the trade.
        tickets_before: The number of its bus tickets before the trade.
        tickets_after: That number after the trade.
        forgiven: The dollars of its debts that the other seat forgives.
    """

    seat: str
    cash_before: Dollars
    cash_after: Dollars
    worth_before: Dollars
    worth_after: Dollars
    interest: Dollars
    completes: tuple[GroupChange, ...]
    breaks: tuple[GroupChange, ...]
    tickets_before: int = 0
    tickets_after: int = 0
    forgiven: Dollars = 0


def effects_of(game: Game, groups: Sequence[Group], offer: Offer) -> tuple[Effect, ...]:
    """Return what *offer* does to the giver and to the taker, in that order.

    *offer*, made or planned, is one that the rules allow (``check_deal``) in a guided
    game.
    """
    before = _settle(game)
    after = _carry_out(before, offer)
    play = MoveRun(game).play
    debt_of_giver = owed(play, offer.giver, offer.taker)
    debt_of_taker = owed(play, offer.taker, offer.giver)
    return (
        _effect(groups, before, after, offer.giver, offer.want, debt_of_giver),
        _effect(groups, before, after, offer.taker, offer.give, debt_of_taker),
    )


def _effect(
    groups: Sequence[Group],
    before: Game,
    after: Game,
    seat: Seat,
    gets: Bundle,
    debt: Dollars,
) -> Effect:
    """Return what the trade does to *seat*, which owes the other one *debt*."""
    run_before, run_after = MoveRun(before), MoveRun(after)
    looks = Look(before, seat), Look(after, seat)
    return Effect(
        seat=seat,
        cash_before=run_before.cash(seat),
        cash_after=run_after.cash(seat),
        worth_before=worth(run_before, seat),
        worth_after=worth(run_after, seat),
        interest=sum(interest_due(run_before, deed) for deed in gets.deeds),
        completes=_group_changes(groups, *looks, is_completing=True),
        breaks=_group_changes(groups, *looks, is_completing=False),
        tickets_before=run_before.play.token_of(seat).tickets,
        tickets_after=run_after.play.token_of(seat).tickets,
        forgiven=debt if gets.debt else 0,
    )


def _settle(game: Game) -> Game:
    """Return the game with nothing open in its turn: no debts, auction or payments.

    Money on the table counts as in hand again.
    """
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


def _carry_out(settled: Game, offer: Offer) -> Game:
    """Return the game after the trade and nothing else."""
    run = MoveRun(settled)
    run.add(
        d.OfferMade(
            giver=offer.giver, taker=offer.taker, give=offer.give, want=offer.want
        )
    )
    accept(run, m.Accept(by=offer.taker))
    # If notes may be fake, money is laid on the table before it is handed over.
    while run.play.payments:
        hand_over(run, m.HandOver(by=run.play.payments[0].payer))
    return run.game


def _group_changes(
    groups: Sequence[Group], before: Look, after: Look, *, is_completing: bool
) -> tuple[GroupChange, ...]:
    """Return the groups that the seat completes (*is_completing*), or breaks up.

    *before* is the game before the trade, *after* the game after it.
    """
    owning, lacking = (after, before) if is_completing else (before, after)
    return tuple(
        _group_change(groups, before, after, members)
        for members in before.board.groups
        if _has_all(owning, members) and not _has_all(lacking, members)
    )


def _has_all(look: Look, members: tuple[int, ...]) -> bool:
    """Return whether the seat owns all deeds of a group."""
    return all(look.play.owners[at] == look.seat for at in members)


def _group_change(
    groups: Sequence[Group], before: Look, after: Look, members: tuple[int, ...]
) -> GroupChange:
    """Return a group, with the seat's rent in it that changes most."""
    deeds = before.board.rules.deeds
    band = band_of(groups, deeds[members[0]].group)
    changed: list[GroupChange] = []
    for at in members:
        was = rent_at(before.board, before.play, at)
        will = rent_at(after.board, after.play, at)
        is_kept = after.play.owners[at] == after.seat
        if is_kept and will.amount is not None and was.amount != will.amount:
            name = deeds[at].name
            changed.append(
                GroupChange(band, name, was.amount, will.amount, will.is_times)
            )
    return max(changed, key=_rent_change, default=GroupChange(band))


def _rent_change(change: GroupChange) -> Dollars:
    """Return how much the rent changes; an unknown one counts as 0."""
    return abs((change.will or 0) - (change.was or 0))
