"""Trades before anybody agrees to them: open offers, and the one being put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from zlib import crc32

import msgspec
from msgspec.structs import replace

from companion.edition.shape import Group
from companion.errors import Refused, Why
from companion.game import Game
from companion.game import moves as m
from companion.game.card_code import JAIL_CARD
from companion.game.move_run import MoveRun
from companion.game.position import Bundle, Offer
from companion.game.stage import Stage
from companion.rules import decide
from companion.rules.deciding import moves_by_kind
from companion.rules.trade import last_offer
from companion.units import Dollars, Seat
from companion.views.deed import DeedView, small_view
from companion.views.trade_effect import (
    Effect,
    effects_of,
    hotels_of,
    jail_cards_of,
    short_of,
    tickets_of,
)
from companion.views.turn_buttons import Look
from companion.views.turn_words import awaited, awaited_seats
from companion.views.why import ShownRule, rule_of_refusal
from companion.words import say
from companion.words.money import dollars_text


class Goods(msgspec.Struct, frozen=True):
    """One side of a trade, ready to be drawn."""

    deeds: tuple[DeedView, ...]
    cash: Dollars
    jail_cards: int
    hotels: int
    tickets: int = 0


class OfferView(msgspec.Struct, frozen=True, kw_only=True):
    """An open offer as one seat sees it.

    Attributes:
        effects: What it does to giver and taker; empty if it cannot happen now.
        why_not: What stands in its way now; may be empty.
        rules: The rule behind that, if it is one.
        is_to_me: The offer was made to the seat that looks.
        is_mine: That seat made the offer.
        can_accept: That seat may say yes now.
        can_reject: That seat may say no now.
        can_counter: That seat may say no and offer something else.
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
    rules: tuple[ShownRule, ...] = ()

    @property
    def key(self) -> str:
        """Differs between offers of other goods, so that a page can tell them apart."""
        return f"offer-{crc32(repr((self.give, self.want)).encode())}"


class Item(msgspec.Struct, frozen=True):
    """A deed that could be traded; *blocked* says why not."""

    deed: DeedView
    is_chosen: bool
    blocked: str


class Side(msgspec.Struct, frozen=True):
    """One of the two seats, with all it has.

    Attributes:
        jail_cards: How many cards to leave jail are in its hand; likewise *hotels* and
            *tickets*.
        chosen: What it would give in the trade.
    """

    seat: str
    cash: Dollars
    items: tuple[Item, ...]
    jail_cards: int
    hotels: int
    tickets: int
    chosen: Bundle


class Trade(msgspec.Struct, frozen=True, kw_only=True):
    """A trade that is being put together.

    Attributes:
        partners: The seats that could be asked, now or later.
        taker: The seat that is asked; empty while none is chosen.
        sides: The giver's and the taker's; empty while no taker is chosen.
        effects: What it does to both; empty while it cannot happen.
        hint: What is missing or in the way; may be empty.
        rules: The rule behind that, if it is one.
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
    """Open offers to and by *seat*; first the one that it can answer now."""
    seen = open_offers(game, groups, seat)
    return tuple(one for one in seen if one.is_to_me or one.is_mine)


def open_offers(
    game: Game, groups: Sequence[Group], seat: str
) -> tuple[OfferView, ...]:
    """Every open offer; those that *seat* has to answer first, then its own."""
    look = Look(game, seat)
    views = [_offer_view(look, groups, one) for one in reversed(look.play.offers)]
    views.sort(key=lambda one: (not one.can_reject, not one.is_to_me, not one.is_mine))
    return tuple(views)


def _offer_view(look: Look, groups: Sequence[Group], offer: Offer) -> OfferView:
    game, seat = look.game, look.seat
    is_next = last_offer(MoveRun(game), seat) == offer
    refused = _refusal(game, m.Accept(by=offer.taker)) if is_next else None
    effects = effects_of(game, groups, offer)
    why_not = ""
    if refused is not None:
        why_not = _hint(look, offer, refused)
    elif not effects:
        why_not = shortage(look, offer)
    can_reject = is_next and _refusal(game, m.Reject(by=seat)) is None
    return OfferView(
        giver=offer.giver,
        taker=offer.taker,
        give=_goods(look, groups, offer.give),
        want=_goods(look, groups, offer.want),
        effects=effects,
        why_not=why_not,
        is_to_me=offer.taker == seat,
        is_mine=offer.giver == seat,
        can_accept=is_next and refused is None,
        can_reject=can_reject,
        can_counter=can_reject and can_offer(game, seat),
        rules=_rules(look, refused),
    )


def _rules(look: Look, refused: Refused | None) -> tuple[ShownRule, ...]:
    """The rule behind the refusal of a trade."""
    if refused is None:
        return ()
    return (rule_of_refusal(refused.why, look.game, m.MakeOffer),)


def _goods(look: Look, groups: Sequence[Group], side: Bundle) -> Goods:
    places = [look.board.index[one] for one in side.deeds if one in look.board.index]
    deeds = tuple(small_view(look, groups, at) for at in places)
    return Goods(deeds, side.cash, side.jail_cards, side.hotels, side.tickets)


def can_offer(game: Game, seat: str) -> bool:
    """Whether the rules let *seat* offer anything now."""
    return any(True for _ in moves_by_kind(game, seat, (m.MakeOffer,)))


# Putting a trade together.


def trade_of(
    game: Game, groups: Sequence[Group], draft: Offer, *, counters: bool = False
) -> Trade:
    """What *draft* would be and do as an offer; changes nothing.

    Args:
        game: The game as it stands, guided.
        groups: The groups of its edition, for their colours.
        draft: The trade as far as it is put together; its taker may be empty.
        counters: The trade is meant to answer the offer that waits for the giver; it
            does so only if the taker made that offer.
    """
    look = Look(game, draft.giver)
    partners = () if _is_past(look) else _others(look)
    taker = draft.taker if draft.taker in partners else ""
    if not taker and len(partners) == 1:
        taker = partners[0]
    draft = replace(draft, taker=Seat(taker))
    waiting = last_offer(MoveRun(game), draft.giver)
    items = look.board.rules.trade.items
    trade = Trade(
        giver=draft.giver,
        partners=partners,
        taker=taker,
        counters=counters and waiting is not None and waiting.giver == taker,
        replaces=any(one.giver == draft.giver for one in look.play.offers),
        waits=_waits(look),
        has_cash="cash" in items,
        has_cards=JAIL_CARD in items,
        has_hotels="hotels" in items,
        has_tickets="tickets" in items,
    )
    if not taker:
        return replace(trade, hint="" if trade.waits else say("Choose who to ask"))
    return _tried(look, groups, draft, trade)


def _is_past(look: Look) -> bool:
    """Whether the seat will trade no more."""
    token = look.play.token(look.seat)
    is_out = token is None or token.is_out
    return is_out or look.game.is_closed or look.play.stage is Stage.OVER


def _others(look: Look) -> tuple[str, ...]:
    return tuple(str(x) for x in look.play.playing() if x != look.seat)


def _tried(look: Look, groups: Sequence[Group], draft: Offer, trade: Trade) -> Trade:
    """*trade* with both sides, and with what the rules say about it."""
    sides = (
        _side(look, groups, draft.giver, draft.give),
        _side(look, groups, draft.taker, draft.want),
    )
    trade = replace(trade, sides=sides)
    if trade.waits:
        return trade
    if draft.give == Bundle() and draft.want == Bundle():
        return replace(trade, hint=say("Tap what changes hands"))
    move = m.MakeOffer(
        by=draft.giver, taker=draft.taker, give=draft.give, want=draft.want
    )
    refused = _refusal(look.game, move)
    if refused is not None:
        rules = _rules(look, refused)
        return replace(trade, hint=_hint(look, draft, refused), rules=rules)
    effects = effects_of(look.game, groups, draft)
    hint = "" if effects else shortage(look, draft)
    return replace(trade, can_send=True, effects=effects, hint=hint)


def _side(look: Look, groups: Sequence[Group], seat: str, chosen: Bundle) -> Side:
    play, board = look.play, look.board
    places = [at for at, owner in enumerate(play.owners) if owner == seat]
    places.sort(key=lambda at: board.members[at])
    return Side(
        seat=seat,
        cash=MoveRun(look.game).cash(seat),
        items=tuple(
            Item(
                small_view(look, groups, at),
                board.rules.deeds[at].id in chosen.deeds,
                _blocked(look, at),
            )
            for at in places
        ),
        jail_cards=jail_cards_of(look, seat),
        hotels=hotels_of(look, seat),
        tickets=tickets_of(look, seat),
        chosen=chosen,
    )


def _blocked(look: Look, at: int) -> str:
    """Why that deed cannot be traded now; empty if it can."""
    is_blocked = look.board.rules.trade.blocked_by_buildings
    if is_blocked and any(look.play.levels[i] for i in look.board.members[at]):
        return say("Its group has buildings")
    return ""


def _waits(look: Look) -> str:
    """Why the seat can offer nothing now; empty if it can."""
    if can_offer(look.game, look.seat):
        return ""
    token = look.play.token(look.seat)
    if token is None or token.is_out:
        return say("You are out of the game")
    if look.game.is_closed:
        return say("This game was put away")
    if look.play.stage is Stage.OVER:
        return awaited(look.game)
    if look.play.stage is Stage.ROLL:
        return say("Nobody has a deed or a card to trade yet")
    if look.seat in awaited_seats(look.game):
        return say("Trading waits until you are done with your move")
    return say("Trading waits: {reason}", reason=awaited(look.game))


# Words.


def _refusal(game: Game, move: m.Move) -> Refused | None:
    try:
        decide(game, move)
    except Refused as refused:
        return refused
    return None


def _hint(look: Look, offer: Offer, refused: Refused) -> str:
    write = HINTS.get(refused.why)
    return write(look, offer) if write else refused.message


def shortage(look: Look, offer: Offer) -> str:
    """A sentence saying which seat has too little money; empty if both can pay."""
    seat = short_of(look.game, offer)
    if not seat:
        return ""
    cash = dollars_text(MoveRun(look.game).cash(seat))
    if seat == look.seat:
        return say("You have {cash}: too little for this", cash=cash)
    return say(
        "{who} has {cash}: too little to say yes", who=look.name(seat), cash=cash
    )


def _no_trade(look: Look, offer: Offer) -> str:
    return say("Money alone is no trade: add a deed or a card")


def _no_money(look: Look, offer: Offer) -> str:
    return shortage(look, offer) or say("That is too much money")


HINTS: dict[Why, Callable[[Look, Offer], str]] = {
    Why.MALFORMED: _no_trade,
    Why.CANNOT_AFFORD: _no_money,
    Why.HAS_BUILDINGS: lambda *_: say(
        "A group in this trade has buildings: sell them first"
    ),
    Why.NOT_YOURS: lambda *_: say("A deed of this trade has another owner by now"),
    Why.NO_HOTEL: lambda *_: say("There are not that many hotels"),
    Why.NO_CARD: lambda *_: say("That card is not there any more"),
    Why.NO_TICKET: lambda *_: say("There are not that many bus tickets"),
    Why.BANKRUPT: lambda *_: say("One of the two is out of the game"),
}
"""Refusals of an offer in few words; any other is shown in the rules' own words."""
