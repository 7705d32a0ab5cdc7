"""A reason as a sentence: what was wanted, what is so, and what to do now.

Source:
    The project's own words, in the manner of ``companion/errors.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion import moves as m
from companion.card_words import card_text
from companion.commands import Command
from companion.common_words import common
from companion.course import Course
from companion.errors import Refused, Why
from companion.money import dollars_text
from companion.position import Auction, Offer
from companion.rules.auction import lowest_bid
from companion.rules.nonsense import Words, malformed, name_of
from companion.rules.rent import open_claim
from companion.rules.trade import last_offer, short_of_cash
from companion.units import Seat
from companion.words import say

STAGES: dict[str, str] = {
    "roll": say("a roll of the dice"),
    "card": say("a card"),
    "buy": say("somebody to buy or not"),
    "auction": say("bids"),
    "guess": say("a guess at the vault"),
    "key": say("a key to be used"),
    "refill": say("the vault to be filled and locked"),
    "rent-roll": say("a roll for the rent"),
    "debt": say("a debt to be paid"),
    "over": say("nothing more"),
}
"""What a stage waits for."""


def refusal(course: Course | None, move: Command, why: Why) -> Refused:
    """The refusal of *move* for *why*, in words."""
    write = WORDS.get(why, _plain) if course is not None else _plain
    message, remedy = write(course, move) if course is not None else _plain(None, move)
    return Refused(why, message, remedy)


def _plain(_: Course | None, move: Command) -> Words:
    return say("{by} cannot do that now", by=move.by), ""


def _deed_name(course: Course, move: Command) -> str:
    if isinstance(move, m.AskRent):
        claim = open_claim(course, move.by, move.seat)
        word = claim.deed if claim else ""
    else:
        word = getattr(move, "deed", "") or course.play.awaited
    return name_of(course, word)


def _wrong_stage(course: Course, move: Command) -> Words:
    if course.game.play is None:
        return say("the table plays by hand"), say("let the companion lead first")
    is_answer = isinstance(move, m.Accept | m.Reject)
    if is_answer and last_offer(course, move.by) is None:
        return say("no offer waits for {by}", by=move.by), ""
    awaited = STAGES.get(course.play.stage, course.play.stage)
    return say("the table waits for {stage}", stage=awaited), say("finish that first")


FIGURES: dict[type[Command], str] = {
    m.Buy: "price",
    m.AskRent: "rent",
    m.Build: "cost",
    m.WantBuilding: "cost",
    m.Mortgage: "mortgage",
    m.LiftMortgage: "mortgage",
}
"""What the name of the figure holds that a move needs to know."""


def _unknown_figure(course: Course, move: Command) -> Words:
    remedy = say("type in what the real card says")
    if isinstance(move, m.Draw):
        return say("nobody knows the amount on this card"), remedy
    deed, kind = _deed_name(course, move), FIGURES.get(type(move), "")
    names = [
        one.figure
        for one in course.board.unknown
        if name_of(course, one.of) == deed and kind in one.figure
    ]
    which = common(names[0].replace("_", " ")) if names else say("figure")
    return say("nobody knows the {figure} of {deed}", figure=which, deed=deed), remedy


def _not_your_turn(course: Course, move: Command) -> Words:
    play, by = course.play, move.by
    if play.stage == "debt":
        debtor = play.debts[0].debtor
        return say("{debtor} has to raise money first", debtor=debtor), say(
            "wait for it"
        )
    if play.stage == "auction" and play.auction is not None:
        return _not_your_bid(play.auction, by)
    seat = play.mover.seat
    return say("it is {seat}'s turn, not {by}'s", seat=seat, by=by), say("wait for it")


def _not_your_bid(auction: Auction, by: str) -> Words:
    """Who leads waits for the others; who has passed is out of this one."""
    if by == auction.bidder:
        leads = say("{by} leads with {bid}", by=by, bid=dollars_text(auction.amount))
        return leads, say("wait until somebody bids more or all have passed")
    until = say("wait until this auction is over")
    if by in auction.passed:
        return say("{by} has passed and bids no more", by=by), until
    return say("{by} does not bid in this auction", by=by), until


# What is offered in a trade.


def _offered(course: Course, move: Command) -> Offer | None:
    """The trade that a move is about, if it is about one."""
    if isinstance(move, m.MakeOffer):
        return Offer(Seat(move.by), Seat(move.taker), move.give, move.want)
    return last_offer(course, move.by) if isinstance(move, m.Accept) else None


def _sides(found: Offer) -> Iterator[tuple[str, str]]:
    """Every deed of an offer with the seat that gives it."""
    for seat, side in ((found.giver, found.give), (found.taker, found.want)):
        yield from ((seat, deed) for deed in side.deeds)


def _not_yours(course: Course, move: Command) -> Words:
    found, board, owners = _offered(course, move), course.board, course.play.owners
    asked = _sides(found) if found else [(move.by, getattr(move, "deed", ""))]
    wrong = [
        (seat, deed)
        for seat, deed in asked
        if deed in board.index and owners[board.index[deed]] != seat
    ]
    if not wrong:
        return _plain(course, move)
    seat, deed = wrong[0]
    said = say("{deed} is not {by}'s", deed=name_of(course, deed), by=seat)
    if found is not None:
        return said, say("agree on another trade")
    is_owned = bool(owners[board.index[deed]])
    return said, say("trade for it") if is_owned else say("nobody has bought it yet")


def _has_buildings(course: Course, move: Command) -> Words:
    found, board, play = _offered(course, move), course.board, course.play
    deeds = [deed for _, deed in _sides(found)] if found else []
    built = (
        deed
        for deed in deeds
        if any(play.levels[at] for at in board.members[board.index[deed]])
    )
    deed = name_of(course, next(built, "")) or _deed_name(course, move)
    return say("buildings stand on the group of {deed}", deed=deed), say(
        "sell them first"
    )


# What is lacking.


def _cannot_afford(course: Course, move: Command) -> Words:
    found = _offered(course, move)
    seat = (short_of_cash(course, found) if found else "") or move.by
    cash = dollars_text(course.cash(seat))
    return say("{by} has {cash}, which is not enough", by=seat, cash=cash), say(
        "raise the rest first"
    )


def _bid_too_low(course: Course, move: Command) -> Words:
    return say(
        "expected a bid of {lowest_bid} or more",
        lowest_bid=dollars_text(lowest_bid(course)),
    ), say("bid more, or pass")


def _no_card(course: Course, move: Command) -> Words:
    word = getattr(move, "card", "")
    card = course.board.card(word)
    if card is not None and isinstance(move, m.Draw) and not card.deck:
        does = card_text(card, course.board.rules)
        return say("this box has no such card: {card}", card=does), say(
            "look at the card again"
        )
    return say("that card is not there"), say("look at the cards")


def _of_deed(text: str, remedy: str) -> Callable[[Course, Command], Words]:
    def write(course: Course, move: Command) -> Words:
        return say(text, deed=_deed_name(course, move), by=move.by), remedy

    return write


WORDS: dict[Why, Callable[[Course, Command], Words]] = {
    Why.GAME_OVER: _of_deed("the game is over", say("begin another")),
    Why.UNKNOWN_SEAT: _of_deed(
        "{by} or the other seat does not play", say("take a seat")
    ),
    Why.BANKRUPT: _of_deed("a bankrupt seat is out of the game", ""),
    Why.WRONG_STAGE: _wrong_stage,
    Why.NOT_YOUR_TURN: _not_your_turn,
    Why.NOT_YOURS: _not_yours,
    Why.MALFORMED: malformed,
    Why.IN_JAIL: _of_deed("{by} is in jail", say("leave jail first")),
    Why.NOT_IN_JAIL: _of_deed("{by} is not in jail", say("roll")),
    Why.MORTGAGED: _of_deed(
        "{deed} or one of its group is mortgaged", say("lift it first")
    ),
    Why.NOT_MORTGAGED: _of_deed("{deed} is not mortgaged", ""),
    Why.INCOMPLETE_GROUP: _of_deed(
        "{by} lacks deeds of the group of {deed}", say("trade for them")
    ),
    Why.HAS_BUILDINGS: _has_buildings,
    Why.UNEVEN: _of_deed(
        "{deed} would differ by more than one step", say("take another of its group")
    ),
    Why.LIMIT_REACHED: _of_deed("nothing more can be done on {deed}", ""),
    Why.NONE_LEFT: _of_deed("the bank has no such building left", say("wait for one")),
    Why.NO_CARD: _no_card,
    Why.BID_TOO_LOW: _bid_too_low,
    Why.CANNOT_AFFORD: _cannot_afford,
    Why.RENT_NOT_DUE: _of_deed("no rent is due to {by} now", ""),
    Why.CAN_STILL_PAY: _of_deed(
        "{by} can still raise the money", say("sell buildings or mortgage deeds")
    ),
    Why.UNKNOWN_FIGURE: _unknown_figure,
    Why.NOT_UNOWNED: _of_deed("{deed} has an owner", say("open another one")),
    Why.LOCKED_DEED: _of_deed("{deed} is locked", say("find a key in the vault")),
    Why.NOT_LOCKED: _of_deed("{deed} needs no key", say("choose a locked street")),
    Why.NO_HOTEL: _of_deed(
        "there is no such hotel in hand", say("open the vault for one")
    ),
    Why.VAULT_OPEN: _of_deed("the vault is not locked", say("shut and lock it first")),
    Why.VAULT_LOCKED: _of_deed("the vault is locked already", ""),
    Why.NO_GUESS_DUE: _of_deed("no guess is due now", say("play on until one is")),
}
"""How each reason speaks."""
