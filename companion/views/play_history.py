"""Events of guided play as sentences; the caller gives the names of seats and deeds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from companion.game import deed_events as d
from companion.game import play_events as p
from companion.game.card_words import drawn_card, name_of_card
from companion.game.event import Event
from companion.game.position import Bundle
from companion.views.vault_contents_history import VAULT_SENTENCES, hotels_text
from companion.words import Words, say, say_count
from companion.words.common import common
from companion.words.money import dollars_text

Names = Mapping[str, str]

LEVELS: tuple[Words, ...] = (
    say("nothing"),
    say("one house"),
    say("two houses"),
    say("three houses"),
    say("four houses"),
)


def space_key(number: int) -> str:
    """The key of a space's name among the names."""
    return f"space@{number}"


def _name(names: Names, word: str) -> str:
    return names.get(word, word)


def _card(names: Names, card: str) -> str:
    return name_of_card(names, card)


def _dice(dice: tuple[int, ...]) -> str:
    words = [str(pips) for pips in dice]
    if len(words) < 2:
        return "".join(words)
    return say("{first} and {last}", first=", ".join(words[:-1]), last=words[-1])


def _begun(event: p.PlayBegun, _: Names) -> str:
    return say("the companion leads: {seats} seats stand on GO", seats=len(event.seats))


def _seat(text: str) -> Callable[..., str]:
    """A function that fills an event's seat, deed and card into *text*."""

    def write(event: Event, names: Names) -> str:
        return say(
            text,
            who=_name(names, getattr(event, "seat", "")),
            deed=_name(names, getattr(event, "deed", "")),
            card=_card(names, getattr(event, "card", "")),
        )

    return write


def _drawn(event: p.CardDrawn | p.CardNamed, names: Names) -> str:
    who, card = _name(names, event.seat), drawn_card(names, event.card)
    return say("{who} drew: {card}", who=who, card=card)


def _built(event: d.BuildingBought | d.BuildingSold, names: Names) -> str:
    who, deed = _name(names, event.seat), _name(names, event.deed)
    level = event.level
    standing = LEVELS[level] if level < len(LEVELS) else say("a hotel")
    if event.hotels:
        standing = hotels_text(event.hotels)
    if isinstance(event, d.BuildingBought):
        return say(
            "{who} built on {deed}: {standing} there now",
            who=who,
            deed=deed,
            standing=standing,
        )
    return say(
        "{who} sold from {deed}: {standing} there now",
        who=who,
        deed=deed,
        standing=standing,
    )


def _auction(event: d.AuctionOpened, names: Names) -> str:
    found = [_name(names, common(lot)) for lot in event.auction.lots]
    lots = found[0]
    for lot in found[1:]:
        lots = say("{first}, {second}", first=lots, second=lot)
    return say("bids are taken for {lots}", lots=lots)


def _bid(event: d.BidMade, names: Names) -> str:
    return say(
        "{seat} bid {amount}",
        seat=_name(names, event.seat),
        amount=dollars_text(event.amount),
    )


def _lot_sold(event: d.LotSold, names: Names) -> str:
    who, lot = _name(names, event.seat), _name(names, common(event.lot))
    return say(
        "{who} won {lot} for {amount}",
        who=who,
        lot=lot,
        amount=dollars_text(event.amount),
    )


def _rent_due(event: p.RentFellDue, names: Names) -> str:
    owner, deed = _name(names, event.owner), _name(names, event.deed)
    if event.amount is None:
        return say(
            "{owner} may ask for the rent of {deed}; nobody knows how much",
            owner=owner,
            deed=deed,
        )
    return say(
        "{owner} may ask for {amount} rent of {deed}",
        owner=owner,
        amount=dollars_text(event.amount),
        deed=deed,
    )


def _rent_asked(event: p.RentAsked, names: Names) -> str:
    owner, seat = _name(names, event.owner), _name(names, event.seat)
    return say(
        "{owner} asked {seat} for the rent of {deed}",
        owner=owner,
        seat=seat,
        deed=_name(names, event.deed),
    )


def _owed(event: p.DebtOwed, names: Names) -> str:
    debtor, creditor = _name(names, event.debtor), _name(names, event.creditor)
    return say(
        "{debtor} owes {creditor} {amount} and must raise it",
        debtor=debtor,
        creditor=creditor,
        amount=dollars_text(event.amount),
    )


def bundle_text(side: Bundle, names: Names) -> str:
    """One side of a trade in words."""
    words: list[str] = [_name(names, deed) for deed in side.deeds]
    if side.jail_cards:
        words.append(
            say_count(
                side.jail_cards, "a card to leave jail", "{count} cards to leave jail"
            )
        )
    if side.hotels:
        words.append(hotels_text(side.hotels))
    if side.cash:
        words.append(dollars_text(side.cash))
    return listed(words) or say("nothing")


def listed(words: Iterable[str]) -> str:
    """``a and b and c``; empty for nothing."""
    whole = ""
    for word in words:
        whole = say("{first} and {second}", first=whole, second=word) if whole else word
    return whole


def _offer(event: d.OfferMade, names: Names) -> str:
    giver, taker = _name(names, event.giver), _name(names, event.taker)
    give, want = bundle_text(event.give, names), bundle_text(event.want, names)
    return say(
        "{giver} offered {taker} {give} for {want}",
        giver=giver,
        taker=taker,
        give=give,
        want=want,
    )


def _answer(event: d.OfferAccepted | d.OfferRejected, names: Names) -> str:
    taker, giver = _name(names, event.taker), _name(names, event.giver)
    if isinstance(event, d.OfferAccepted):
        return say("{taker} accepted {giver}'s offer", taker=taker, giver=giver)
    return say("{taker} turned down {giver}'s offer", taker=taker, giver=giver)


def _bankrupt(event: p.SeatBankrupted, names: Names) -> str:
    who = _name(names, event.seat)
    if event.has_resigned:
        return say("{who} left the game", who=who)
    return say(
        "{who} is bankrupt and hands all to {creditor}",
        who=who,
        creditor=_name(names, event.creditor),
    )


def _ended(event: p.PlayEnded, names: Names) -> str:
    winners = listed(_name(names, seat) for seat in event.winners)
    scores = ", ".join(
        f"{_name(names, seat)} {dollars_text(score)}" for seat, score in event.scores
    )
    if not winners:
        return say("the game is over: nobody won ({scores})", scores=scores)
    return say(
        "the game is over: {winners} won ({scores})", winners=winners, scores=scores
    )


def _agreed(event: p.PositionGiven | p.PositionCorrected, names: Names) -> str:
    words = " ".join(_name(names, word) for word in event.words)
    return say("the table agreed: {words}", words=words)


def _figure(event: d.FigureTyped, names: Names) -> str:
    amount = dollars_text(event.amount)
    return say(
        "{deed} says {figure}: {amount}",
        deed=_name(names, event.deed),
        figure=common(event.figure.replace("_", " ")),
        amount=amount,
    )


def _rolled(event: p.DiceRolled | p.RentRolled, names: Names) -> str:
    if isinstance(event, p.DiceRolled) and event.special:
        return say(
            "{seat} rolled {dice} and the wheel of the vault",
            seat=_name(names, event.seat),
            dice=_dice(event.dice),
        )
    return say(
        "{seat} rolled {dice}", seat=_name(names, event.seat), dice=_dice(event.dice)
    )


def _moved(event: p.TokenMoved, names: Names) -> str:
    who, place = _name(names, event.seat), space_key(event.space)
    if place in names:
        return say("{who} moved to {space}", who=who, space=names[place])
    return say("{seat} moved to space {space}", seat=who, space=event.space)


_LEFT = _seat("{who} left jail")
LEFT_JAIL: dict[str, Callable[..., str]] = {
    "paid": _seat("{who} paid to leave jail"),
    "card": _seat("{who} left jail with a card"),
    "doubles": _seat("{who} rolled doubles and left jail"),
    "attempts": _seat("{who} had to pay to leave jail"),
}

PLAY_SENTENCES: dict[type[Event], Callable[..., str]] = VAULT_SENTENCES | {
    p.PlayBegun: _begun,
    p.PlayRested: lambda *_: say("the table goes on by hand"),
    p.PlayResumed: lambda *_: say("the companion leads again"),
    p.DiceRolled: _rolled,
    p.RentRolled: _rolled,
    p.TokenMoved: _moved,
    p.SentToJail: _seat("{who} went to jail"),
    p.JailTried: _seat("{who} stays in jail"),
    p.JailLeft: lambda x, names: LEFT_JAIL.get(x.how, _LEFT)(x, names),
    p.WalkAwaited: lambda x, _: say_count(
        x.spaces, "then {count} space to go", "then {count} spaces to go"
    ),
    p.CardAwaited: lambda *_: "",  # The token's move says it.
    p.RentRollAwaited: _seat("the dice decide the rent of {deed}"),
    p.RentFellDue: _rent_due,
    p.RentAsked: _rent_asked,
    p.DebtOwed: _owed,
    p.DebtPaid: lambda x, names: say(
        "{debtor} settled a debt", debtor=_name(names, x.debtor)
    ),
    p.CardDrawn: _drawn,
    p.CardNamed: _drawn,
    p.CardPassed: lambda x, names: say(
        "{card} went to {taker}",
        card=_card(names, x.card),
        taker=_name(names, x.taker),
    ),
    p.CardReturned: _seat("{card} went back under its deck"),
    p.DicePassed: _seat("{who} has the dice"),
    p.DiceHandedBack: _seat("so {who} does what the space says"),
    p.SeatBankrupted: _bankrupt,
    p.TimeCalled: lambda *_: say("the time was over"),
    p.PlayEnded: _ended,
    p.PositionGiven: _agreed,
    p.PositionCorrected: _agreed,
    d.DeedAwaited: _seat("nobody owns {deed} yet"),
    d.DeedBought: _seat("{who} bought {deed}"),
    d.DeedDealt: _seat("{who} was dealt {deed}"),
    d.DeedDeclined: _seat("{who} did not buy {deed}"),
    d.DeedPassed: _seat("{deed} went to {who}"),
    d.DeedReturned: _seat("{deed} went back to the bank"),
    d.DeedMortgaged: _seat("{who} mortgaged {deed}"),
    d.MortgageLifted: _seat("{who} lifted the mortgage of {deed}"),
    d.BuildingBought: _built,
    d.BuildingSold: _built,
    d.BuildingWanted: _seat("{who} wants a building for {deed}"),
    d.AuctionOpened: _auction,
    d.BidMade: _bid,
    d.BidPassed: _seat("{who} passed"),
    d.LotSold: _lot_sold,
    d.LotLeft: lambda x, names: say(
        "nobody bid for {lot}", lot=_name(names, common(x.lot))
    ),
    d.OfferMade: _offer,
    d.OfferAccepted: _answer,
    d.OfferRejected: _answer,
    d.FigureTyped: _figure,
    d.CardRead: lambda *_: "",  # The draw says what the card does.
    d.SpaceRead: lambda x, _: say(
        "space {space} says {kind}",
        space=x.space,
        kind=common(x.kind.replace("-", " ")),
    ),
}
"""Which function turns each event of guided play into a sentence."""
