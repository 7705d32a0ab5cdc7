"""A reason as a sentence: what was wanted, what is so, and what to do now.

Source:
    The project's own words, in the manner of ``companion/errors.py``.
"""

from __future__ import annotations

from collections.abc import Callable

from companion import moves as m
from companion.card_words import card_text
from companion.commands import Command
from companion.common_words import common
from companion.course import Course
from companion.edition.words import nearest
from companion.errors import Refused, Why
from companion.money import dollars_text
from companion.rules.auction import lowest_bid
from companion.rules.correcting import why_not
from companion.words import say

Words = tuple[str, str]
"""What is so, and what to do now."""

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
    word = getattr(move, "deed", "") or course.play.awaited
    at = course.board.index.get(word)
    return word if at is None else course.board.rules.deeds[at].name


def _wrong_stage(course: Course, move: Command) -> Words:
    if course.game.play is None:
        return say("the table plays by hand"), say("let the companion lead first")
    awaited = STAGES.get(course.play.stage, course.play.stage)
    return say("the table waits for {stage}", stage=awaited), say("finish that first")


def _unknown_figure(course: Course, move: Command) -> Words:
    of = getattr(move, "deed", "") or getattr(move, "card", "") or course.play.awaited
    names = [one.figure for one in course.board.unknown if one.of == of]
    which = common(names[0].replace("_", " ")) if names else say("figure")
    deed = _deed_name(course, move) or of
    return (
        say("nobody knows the {figure} of {deed}", figure=which, deed=deed),
        say("type in what the real card says"),
    )


def _not_your_turn(course: Course, move: Command) -> Words:
    play = course.play
    if play.stage == "debt":
        return say(
            "{debtor} has to raise money first", debtor=play.debts[0].debtor
        ), say("wait for it")
    return say(
        "it is {seat}'s turn, not {by}'s", seat=play.mover.seat, by=move.by
    ), say("wait for it")


def _malformed(course: Course, move: Command) -> Words:
    if isinstance(move, m.Roll):
        got = " ".join((*map(str, move.dice), move.special)).strip()
        return say("expected two dice of 1 to 6, got {got}", got=repr(got)), say(
            "type them again"
        )
    if isinstance(move, m.CorrectPosition):
        return _not_so(course, move)
    if isinstance(move, m.ReadSpace):
        return _not_asked(course, move)
    word = getattr(move, "deed", None) or getattr(move, "card", None)
    if word:
        known = (*course.board.index, *course.board.cards)
        close = nearest(word, known)
        hint = (
            say("did you mean {close}?", close=close)
            if close
            else say("use the name in the data")
        )
        return say("expected a name of this edition, got {word}", word=repr(word)), hint
    return say("expected whole amounts and names of this game"), say("type it again")


def _not_asked(course: Course, move: m.ReadSpace) -> Words:
    spaces = course.board.rules.spaces
    if 0 <= move.space < len(spaces) and spaces[move.space].name:
        known = say("what is printed on space {number} is known", number=move.space)
        return known, say("the banker can correct it")
    return (
        say("nobody asks now what is printed on space {number}", number=move.space),
        say("answer when a token has landed there"),
    )


def _not_so(course: Course, move: m.CorrectPosition) -> Words:
    wrong = why_not(course, move.words)
    said = wrong.message if wrong else say("nobody agrees on the next card")
    return said, (wrong and wrong.remedy) or say("say it in other words")


def _cannot_afford(course: Course, move: Command) -> Words:
    cash = course.cash(move.by)
    return say(
        "{by} has {cash}, which is not enough", by=move.by, cash=dollars_text(cash)
    ), say("raise the rest first")


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
    Why.NOT_YOURS: _of_deed("{deed} is not {by}'s", say("trade for it")),
    Why.MALFORMED: _malformed,
    Why.IN_JAIL: _of_deed("{by} is in jail", say("leave jail first")),
    Why.NOT_IN_JAIL: _of_deed("{by} is not in jail", say("roll")),
    Why.MORTGAGED: _of_deed(
        "{deed} or one of its group is mortgaged", say("lift it first")
    ),
    Why.NOT_MORTGAGED: _of_deed("{deed} is not mortgaged", ""),
    Why.INCOMPLETE_GROUP: _of_deed(
        "{by} lacks deeds of the group of {deed}", say("trade for them")
    ),
    Why.HAS_BUILDINGS: _of_deed(
        "buildings stand on the group of {deed}", say("sell them first")
    ),
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
