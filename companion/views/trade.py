"""Trades before anybody agrees to them: open offers, and the one being put together."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import msgspec
from msgspec.structs import replace

from companion.edition.shape import Group
from companion.errors import Why
from companion.game import Game
from companion.game import moves as m
from companion.game.card_code import JAIL_CARD
from companion.game.move_run import MoveRun
from companion.game.position import Bundle, Offer
from companion.game.stage import Stage
from companion.rules import out_of_turn, refusal
from companion.rules.deciding import moves_by_kind
from companion.rules.trade import (
    blocked,
    check_deal,
    check_held_back,
    hotels_of,
    jail_cards_of,
    last_offer,
    owed,
)
from companion.units import Dollars, Seat
from companion.views.deed import DeedView, small_view
from companion.views.trade_effect import Effect, effects_of
from companion.views.turn_buttons import Look
from companion.views.turn_words import awaited
from companion.views.why import ShownRule
from companion.words import say


class Goods(msgspec.Struct, frozen=True):
    """One side of a trade, ready to be drawn.

    Attributes:
        forgives: The giving side forgives what the other owes it.
        debt: The dollars that would be forgiven as things stand; 0 if none are.
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
        effects: What it does to giver and taker; empty if it cannot happen now.
        why_not: Why it cannot be accepted now; empty if it can.
        rules: The rule behind *why_not*.
        is_to_me: The offer was made to the seat that looks.
        is_mine: That seat made the offer.
        can_accept: That seat may say yes now.
        can_reject: That seat may say no now.
        can_counter: That seat may say no and offer something else.
        can_withdraw: That seat made the offer, and may take it back now.
    """

    giver: str
    taker: str
    give: Goods
    want: Goods
    effects: tuple[Effect, ...]
    why_not: str
    is_to_me: bool
    is_mine: bool
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
    """A deed of one side; *blocked* says why it cannot be traded, or is empty."""

    deed: DeedView
    is_chosen: bool
    blocked: str


class Side(msgspec.Struct, frozen=True):
    """One of the two seats, with all it could give.

    Attributes:
        jail_cards: The number of cards to leave jail in its hand; likewise *hotels*
            and *tickets*.
        credit: The dollars that the other seat owes it, which it could forgive.
        chosen: What it would give in the trade.
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
    """A trade that is being put together.

    Attributes:
        partners: The seats that could be asked, now or later.
        taker: The seat that is asked; empty while none is chosen. A single partner
            is chosen at once, unless the giver already has an open offer.
        sides: The giver's and the taker's; empty while no taker is chosen.
        effects: What it does to both; empty while it cannot happen.
        hint: What is missing, or why the rules refuse it; may be empty.
        rules: The rule behind a refusal.
        can_send: The rules would accept the offer as it is.
        counters: It answers the offer that waits for the giver.
        replaces: The giver has an open offer, which this one would replace.
        waits: Why the giver cannot offer anything now, or ever if there are no
            partners; may be empty.
        has_cash: Money may be traded here; likewise *has_cards*, *has_hotels* and
            *has_tickets*.
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
    has_cash: bool = True
    has_cards: bool = True
    has_hotels: bool = False
    has_tickets: bool = False


# Offers that wait for an answer.


def offers_for(game: Game, groups: Sequence[Group], seat: str) -> tuple[OfferView, ...]:
    """List the open offers to and by *seat*, first the one that it can answer now."""
    offers = open_offers(game, groups, seat)
    return tuple(offer for offer in offers if offer.is_to_me or offer.is_mine)


def open_offers(
    game: Game, groups: Sequence[Group], seat: str
) -> tuple[OfferView, ...]:
    """List every open offer: first those that *seat* has to answer, then its own."""
    look = Look(game, seat)
    views = [_offer_view(look, groups, offer) for offer in reversed(look.play.offers)]
    views.sort(
        key=lambda view: (not view.can_reject, not view.is_to_me, not view.is_mine)
    )
    return tuple(views)


def latest_offer(game: Game, groups: Sequence[Group]) -> OfferView | None:
    """Return the newest open offer as a bystander sees it; ``None`` without one."""
    if game.play is None or not game.play.offers:
        return None
    return _offer_view(Look(game, ""), groups, game.play.offers[-1])


def _offer_view(look: Look, groups: Sequence[Group], offer: Offer) -> OfferView:
    """Return an open offer as the looking seat sees it."""
    game, seat = look.game, look.seat
    is_next = last_offer(MoveRun(game), seat) == offer
    refused = refusal(game, m.Accept(by=offer.taker)) if is_next else None
    refused = refused or check_deal(MoveRun(game), offer)
    can_reject = is_next and refusal(game, m.Reject(by=seat)) is None
    return OfferView(
        giver=offer.giver,
        taker=offer.taker,
        give=_goods(look, groups, offer.give, (offer.giver, offer.taker)),
        want=_goods(look, groups, offer.want, (offer.taker, offer.giver)),
        effects=() if refused else effects_of(game, groups, offer),
        why_not=look.refused(refused) if refused else "",
        is_to_me=offer.taker == seat,
        is_mine=offer.giver == seat,
        can_accept=is_next and refused is None,
        can_reject=can_reject,
        can_counter=can_reject and can_offer(game, seat),
        can_withdraw=offer.giver == seat and refusal(game, m.Withdraw(by=seat)) is None,
        rules=(look.rule_of(refused),) if refused else (),
    )


def _goods(
    look: Look, groups: Sequence[Group], side: Bundle, pair: tuple[str, str]
) -> Goods:
    """Return what the first seat of *pair* gives the second."""
    places = [look.board.index[deed] for deed in side.deeds if deed in look.board.index]
    return Goods(
        tuple(small_view(look, groups, at) for at in places),
        side.cash,
        side.jail_cards,
        side.hotels,
        side.tickets,
        side.debt,
        owed(MoveRun(look.game), pair[1], pair[0]) if side.debt else 0,
    )


def can_offer(game: Game, seat: str) -> bool:
    """Return whether the rules let *seat* make any offer now."""
    return any(True for _ in moves_by_kind(game, seat, (m.MakeOffer,)))


# Putting a trade together.


def trade_of(
    game: Game, groups: Sequence[Group], draft: Offer, *, counters: bool = False
) -> Trade:
    """Return *draft* with what it would do as an offer, without changing the game.

    Args:
        game: The game as it stands, guided.
        groups: The groups of its edition, for their colours.
        draft: The trade as far as it is put together; its taker may be empty.
        counters: The trade is meant to answer the offer that waits for the giver, which
            it can do only if the taker made that offer.
    """
    look = Look(game, draft.giver)
    partners = () if _is_past(look) else _others(look)
    taker = draft.taker if draft.taker in partners else ""
    replaces = any(offer.giver == draft.giver for offer in look.play.offers)
    if not taker and len(partners) == 1 and not replaces:
        taker = partners[0]
    draft = replace(draft, taker=Seat(taker))
    waiting = last_offer(MoveRun(game), draft.giver)
    items = look.board.rules.trade.items
    trade = Trade(
        giver=draft.giver,
        partners=partners,
        taker=taker,
        counters=counters and waiting is not None and waiting.giver == taker,
        replaces=replaces,
        waits=_waits(look),
        has_cash="cash" in items,
        has_cards=JAIL_CARD in items,
        has_hotels="hotels" in items,
        has_tickets="tickets" in items,
    )
    if not taker:
        is_idle = replaces or trade.waits
        return replace(trade, hint="" if is_idle else say("Choose who to ask"))
    return _tried(look, groups, draft, trade)


def _is_past(look: Look) -> bool:
    """Return whether the seat can make no trade any more."""
    token = look.play.token(look.seat)
    is_out = token is None or token.is_out
    return is_out or look.game.is_closed or look.play.stage is Stage.OVER


def _others(look: Look) -> tuple[str, ...]:
    return tuple(str(x) for x in look.play.playing() if x != look.seat)


def _tried(look: Look, groups: Sequence[Group], draft: Offer, trade: Trade) -> Trade:
    """Return *trade* with both sides, its effects, and the refusal if there is one."""
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
    refused = refusal(look.game, move)
    can_send = refused is None
    refused = refused or check_deal(MoveRun(look.game), draft)
    if refused is None:
        effects = effects_of(look.game, groups, draft)
        return replace(trade, can_send=True, effects=effects)
    hint, rules = look.refused(refused), (look.rule_of(refused),)
    return replace(trade, can_send=can_send, hint=hint, rules=rules)


def _side(
    look: Look, groups: Sequence[Group], pair: tuple[str, str], chosen: Bundle
) -> Side:
    """Return what the first seat of *pair* could give the second."""
    seat, other = pair
    play, board, run = look.play, look.board, MoveRun(look.game)
    places = [at for at, owner in enumerate(play.owners) if owner == seat]
    places.sort(key=lambda at: board.members[at])
    return Side(
        seat=seat,
        cash=run.cash(seat),
        items=tuple(
            Item(
                small_view(look, groups, at),
                board.rules.deeds[at].id in chosen.deeds,
                _blocked(look, at),
            )
            for at in places
        ),
        jail_cards=len(jail_cards_of(run, seat)),
        hotels=hotels_of(run, seat),
        tickets=play.token_of(seat).tickets,
        credit=owed(run, other, seat),
        chosen=chosen,
    )


def _blocked(look: Look, at: int) -> str:
    """Say why that deed cannot be traded now; empty if it can."""
    refused = blocked(MoveRun(look.game), at)
    return look.refused(refused) if refused else ""


def _waits(look: Look) -> str:
    """Say why the seat can offer nothing now; empty if it can."""
    if can_offer(look.game, look.seat):
        return ""
    refused = out_of_turn(look.game, look.seat, m.MakeOffer)
    refused = refused or check_held_back(MoveRun(look.game))
    if refused is None:
        return say("Nobody has a deed or a card to trade yet")
    if refused.why is Why.BANKRUPT:
        return say("You are out of the game")
    if look.play.stage is Stage.OVER and not look.game.is_closed:
        return awaited(look.game)
    if refused.why in (Why.WRONG_STAGE, Why.NOT_YOUR_TURN):
        return say("Trading waits: {reason}", reason=awaited(look.game))
    return look.refused(refused)
