"""Trades before anybody agrees to them: open offers, and drafts.

An *offer* says what the *giver* gives, and what it wants of the *taker*. It is open
until the taker accepts or rejects it, or the giver withdraws it. A taker may also
*counter*: reject it and make an offer in the other direction. A *draft* is a trade that
somebody puts together on a phone, before it is sent as an offer.

What a trade would do to the two seats is tried: the rules carry it out in a copy of the
game, so the effects shown cannot differ from what happens later. Here *at* is the index
of a deed, and *members* are the indices of a group's deeds.
"""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import msgspec
from msgspec.structs import replace

from companion.edition.shape import Group
from companion.errors import Why
from companion.game import Game
from companion.game import deed_events as d
from companion.game import moves as m
from companion.game.card_code import JAIL_CARD
from companion.game.move_run import MoveRun
from companion.game.position import Bundle, Offer
from companion.game.replies import OfferReply, Outcome
from companion.game.stage import Stage
from companion.rules import awaited_seats, may_give, out_of_turn, refusal
from companion.rules.decoder import hand_over
from companion.rules.ending import worth
from companion.rules.trade import (
    accept,
    blocked,
    check_deal,
    check_held_back,
    hotels_of,
    interest_due,
    jail_cards_of,
    last_offer,
    owed,
)
from companion.units import Dollars, Seat
from companion.views.deed import DeedView, small_view
from companion.views.deed_rents import rent_at
from companion.views.space import Band, band_of
from companion.views.turn_buttons import Look
from companion.views.turn_words import awaited, headline
from companion.views.why import ShownRule
from companion.words import say


class Goods(msgspec.Struct, frozen=True):
    """One side of a trade, ready to be drawn: how much it gives of each thing.

    Attributes:
        forgives: This side forgives the debts that the other side owes it.
        debt: The dollars that it would forgive now; 0 if it forgives nothing.
    """

    deeds: tuple[DeedView, ...]
    cash: Dollars
    jail_cards: int
    hotels: int
    tickets: int = 0
    forgives: bool = False
    debt: Dollars = 0


class OfferView(msgspec.Struct, frozen=True, kw_only=True):
    """An open offer as one seat sees it.

    Attributes:
        effects: What the trade does to giver and taker; empty if it cannot happen now.
        why_not: Why the offer cannot be accepted now; empty if it can.
        is_to_me: The offer was made to the viewing seat.
        is_mine: The viewing seat made the offer.
        is_counter: It answers one that the viewing seat has made.
        can_accept: The viewing seat may accept it now.
        can_reject: The viewing seat may reject it now.
        can_counter: The viewing seat may reject it and offer something else.
        can_withdraw: The viewing seat may take it back now.
        rules: The rule behind *why_not*.
    """

    giver: str
    taker: str
    give: Goods
    want: Goods
    effects: tuple[Effect, ...]
    why_not: str
    is_to_me: bool
    is_mine: bool
    is_counter: bool
    can_accept: bool
    can_reject: bool
    can_counter: bool
    can_withdraw: bool
    rules: tuple[ShownRule, ...] = ()

    @property
    def key(self) -> str:
        """An id made from the goods, so that a page notices when the offer changes."""
        return f"offer-{crc32(repr((self.give, self.want)).encode())}"


class Item(msgspec.Struct, frozen=True):
    """A deed that one side could give.

    Attributes:
        is_chosen: The deed is part of the draft.
        blocked: Why the deed cannot be traded now; empty if it can.
    """

    deed: DeedView
    is_chosen: bool
    blocked: str


class Side(msgspec.Struct, frozen=True):
    """One of the two seats, with how much of each thing it could give.

    Attributes:
        cash: The money in its hand, in dollars.
        credit: The dollars that the other seat owes it, which it could forgive.
        chosen: What it gives in the draft.
    """

    seat: str
    cash: Dollars
    items: tuple[Item, ...]
    jail_cards: int
    hotels: int
    tickets: int
    credit: Dollars
    chosen: Bundle


class Trade(msgspec.Struct, frozen=True, kw_only=True):
    """A draft, ready to be drawn.

    Attributes:
        partners: The seats to which the giver could make an offer, now or later.
        taker: The seat that would get the offer; empty while none is chosen. A single
            partner is chosen at once, unless the giver already has an open offer.
        sides: The giver's and the taker's; empty while no taker is chosen.
        effects: What the trade does to giver and taker; empty while it cannot happen.
        hint: What the draft lacks, or why the rules refuse it; may be empty.
        rules: The rule behind a refusal.
        can_send: The rules let the giver make this offer now.
        counters: The draft counters the offer that the giver has to answer.
        replaces: The giver has an open offer, which this one would replace.
        waits: Why the giver can make no offer now; empty if it can. Without partners,
            it never can. *waits_for_me*: it has to do this itself before.
        has_cash: The rules let money be traded. *has_cards* (to leave jail),
            *has_hotels* and *has_tickets* say so of the other things.
    """

    giver: str
    partners: tuple[str, ...]
    taker: str
    sides: tuple[Side, ...] = ()
    effects: tuple[Effect, ...] = ()
    hint: str = ""
    rules: tuple[ShownRule, ...] = ()
    can_send: bool = False
    counters: bool = False
    replaces: bool = False
    waits: str = ""
    waits_for_me: bool = False
    has_cash: bool = True
    has_cards: bool = True
    has_hotels: bool = False
    has_tickets: bool = False


# Open offers.


def offers_for(game: Game, groups: Sequence[Group], seat: str) -> tuple[OfferView, ...]:
    """List the open offers to and by *seat*, in the order of ``open_offers``."""
    offers = open_offers(game, groups, seat)
    return tuple(offer for offer in offers if offer.is_to_me or offer.is_mine)


def open_offers(
    game: Game, groups: Sequence[Group], seat: str
) -> tuple[OfferView, ...]:
    """List every open offer as *seat* sees it; none once the game is over.

    First comes the one that *seat* can answer now, then the others to it, then its own,
    then the rest; in each kind, the newest comes first.
    """
    look = Look(game, seat)
    if look.play.base is Stage.OVER:
        return ()  # They are kept for an undo of the end.
    views = [_offer_view(look, groups, offer) for offer in reversed(look.play.offers)]
    # False comes before True, so what holds comes first.
    views.sort(
        key=lambda view: (not view.can_reject, not view.is_to_me, not view.is_mine)
    )
    return tuple(views)


def latest_offer(game: Game, groups: Sequence[Group]) -> OfferView | None:
    """Return the newest open offer as a bystander sees it; ``None`` if none is open."""
    if game.play is None or not game.play.offers:
        return None
    return _offer_view(Look(game, ""), groups, game.play.offers[-1])


def _offer_view(look: Look, groups: Sequence[Group], offer: Offer) -> OfferView:
    game, seat = look.game, look.seat
    is_next = last_offer(MoveRun(game), seat) == offer  # The one that *seat* answers.
    reason = refusal(game, m.Accept(by=offer.taker)) if is_next else None
    reason = reason or check_deal(MoveRun(game), offer, seat)
    is_paid = look.play.stage is Stage.PAYMENT  # The page of the turn calls it off.
    can_reject = is_next and not is_paid and refusal(game, m.Reject(by=seat)) is None
    return OfferView(
        giver=offer.giver,
        taker=offer.taker,
        give=_goods(look, groups, offer.give, (offer.giver, offer.taker)),
        want=_goods(look, groups, offer.want, (offer.taker, offer.giver)),
        effects=() if reason else effects_of(game, groups, offer),
        why_not=look.refused(reason) if reason else "",
        is_to_me=offer.taker == seat,
        is_mine=offer.giver == seat,
        is_counter=any(
            (reply.to, reply.offer.taker) == (seat, offer.giver)
            for reply in game.replies
            if isinstance(reply, OfferReply) and reply.outcome is Outcome.COUNTERED
        ),
        can_accept=is_next and reason is None,
        can_reject=can_reject,
        can_counter=can_reject and can_offer(game, seat),
        can_withdraw=offer.giver == seat and refusal(game, m.Withdraw(by=seat)) is None,
        rules=(look.rule_of(reason),) if reason else (),
    )


def _goods(
    look: Look, groups: Sequence[Group], side: Bundle, pair: tuple[str, str]
) -> Goods:
    """Return what the first seat of *pair* gives the second."""
    giving, getting = pair
    index = look.board.index
    deeds_at = [index[deed] for deed in side.deeds if deed in index]
    return Goods(
        deeds=tuple(small_view(look, groups, at) for at in deeds_at),
        cash=side.cash,
        jail_cards=side.jail_cards,
        hotels=side.hotels,
        tickets=side.tickets,
        forgives=side.debt,
        debt=owed(look.play, getting, giving) if side.debt else 0,
    )


def can_offer(game: Game, seat: str) -> bool:
    """Return whether the rules let *seat* make any offer now."""
    return may_give(game, seat, m.MakeOffer)


# Putting a trade together.


def trade_of(
    game: Game, groups: Sequence[Group], draft: Offer, *, counters: bool = False
) -> Trade:
    """Return *draft* with what it would do as an offer; the game does not change.

    Args:
        game: A game that the companion leads, as it stands.
        groups: The groups of its edition, for their colours.
        draft: The trade so far; its taker may be empty.
        counters: The giver means to counter the offer that it has to answer, if the
            taker of the draft made that one.
    """
    look = Look(game, draft.giver)
    partners = () if _can_trade_no_more(look) else _other_players(look)
    taker = draft.taker if draft.taker in partners else ""
    replaces = any(offer.giver == draft.giver for offer in look.play.offers)
    if not taker and len(partners) == 1 and not replaces:
        taker = partners[0]
    draft = replace(draft, taker=Seat(taker))
    to_answer = last_offer(MoveRun(game), draft.giver)
    items = look.board.rules.trade.items
    trade = Trade(
        giver=draft.giver,
        partners=partners,
        taker=taker,
        counters=counters and to_answer is not None and to_answer.giver == taker,
        replaces=replaces,
        waits=_why_no_offer(look),
        waits_for_me=_has_to_act(look),
        has_cash="cash" in items,
        has_cards=JAIL_CARD in items,
        has_hotels="hotels" in items,
        has_tickets="tickets" in items,
    )
    if not taker:
        return trade
    return _try_draft(look, groups, draft, trade)


def _can_trade_no_more(look: Look) -> bool:
    """Return whether the seat is out, or the game has ended."""
    token = look.play.token(look.seat)
    is_out = token is None or token.is_out
    return is_out or look.game.is_closed or look.play.stage is Stage.OVER


def _other_players(look: Look) -> tuple[str, ...]:
    return tuple(str(seat) for seat in look.play.playing() if seat != look.seat)


def _try_draft(
    look: Look, groups: Sequence[Group], draft: Offer, trade: Trade
) -> Trade:
    """Return *trade* with both sides, and its effects or why it is refused."""
    sides = (
        _side(look, groups, (draft.giver, draft.taker), draft.give),
        _side(look, groups, (draft.taker, draft.giver), draft.want),
    )
    trade = replace(trade, sides=sides)
    if trade.waits:
        return trade
    if draft.give == Bundle() and draft.want == Bundle():
        return replace(trade, hint=say("Tap what changes hands"))
    move = m.MakeOffer(
        by=draft.giver, taker=draft.taker, give=draft.give, want=draft.want
    )
    reason = refusal(look.game, move)
    can_send = reason is None
    # An offer may be sent although it could not be accepted as things stand.
    reason = reason or check_deal(MoveRun(look.game), draft)
    if reason is None:
        effects = effects_of(look.game, groups, draft)
        return replace(trade, can_send=True, effects=effects)
    hint, rules = look.refused(reason), (look.rule_of(reason),)
    return replace(trade, can_send=can_send, hint=hint, rules=rules)


def _side(
    look: Look, groups: Sequence[Group], pair: tuple[str, str], chosen: Bundle
) -> Side:
    """Return what the first seat of *pair* could give the second."""
    seat, other = pair
    play, board, run = look.play, look.board, MoveRun(look.game)
    deeds_at = [at for at, owner in enumerate(play.owners) if owner == seat]
    deeds_at.sort(key=lambda at: board.members[at])
    return Side(
        seat=seat,
        cash=run.cash(seat),
        items=tuple(
            Item(
                deed=small_view(look, groups, at),
                is_chosen=board.rules.deeds[at].id in chosen.deeds,
                blocked=_why_blocked(look, at),
            )
            for at in deeds_at
        ),
        jail_cards=len(jail_cards_of(run, seat)),
        hotels=hotels_of(run, seat),
        tickets=play.token_of(seat).tickets,
        credit=owed(play, other, seat),
        chosen=chosen,
    )


def _why_blocked(look: Look, at: int) -> str:
    reason = blocked(MoveRun(look.game), at, look.seat)
    return look.refused(reason) if reason else ""


def _why_no_offer(look: Look) -> str:
    if can_offer(look.game, look.seat):
        return ""
    reason = out_of_turn(look.game, look.seat, m.MakeOffer)
    reason = reason or check_held_back(MoveRun(look.game), look.seat)
    if reason is None:
        return say("Nobody has a deed or a card to trade yet")
    if reason.why is Why.BANKRUPT:
        return say("You are out of the game")
    if look.play.stage is Stage.OVER and not look.game.is_closed:
        return awaited(look.game)
    if _has_to_act(look):
        return headline(look, is_mine=True)
    if reason.why in (Why.WRONG_STAGE, Why.NOT_YOUR_TURN):
        return say("Trading waits: {reason}", reason=awaited(look.game))
    return look.refused(reason)


def _has_to_act(look: Look) -> bool:
    """Return whether trading waits for what the seat itself has to do."""
    reason = out_of_turn(look.game, look.seat, m.MakeOffer)
    is_early = reason is not None and reason.why in (
        Why.WRONG_STAGE,
        Why.NOT_YOUR_TURN,
    )
    return is_early and look.seat in awaited_seats(look.game)


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
