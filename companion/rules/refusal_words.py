"""Every refusal in words: what was expected, how things stand, and what to do now.

Most reasons describe the game as it stands. Where the arguments of a move are
impossible, the words describe what was typed instead.

Source:
    The project's own words, in the manner of ``companion/errors.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar, cast

from companion.errors import Refused, Why, quoted
from companion.game import moves as m
from companion.game.box_key import taken_apart
from companion.game.card_words import card_text
from companion.game.commands import Command, fields_of
from companion.game.move_run import MoveRun
from companion.game.position import Auction, Offer
from companion.game.stage import Stage
from companion.rules.auction import lowest_bid
from companion.rules.box_reading import unreadable
from companion.rules.correcting import why_not
from companion.rules.rent import open_claim
from companion.rules.trade import last_offer, short_of_cash
from companion.rules.turn import DICE_COUNT, dice_count
from companion.units import CardId, DeedWord, Seat
from companion.words import say
from companion.words.common import common
from companion.words.money import dollars_text
from companion.words.report import nearest

Sentences = tuple[str, str]
"""Two sentences: how things stand, and what to do now."""

NOTHING = say("nothing")


def refusal(run: MoveRun | None, move: Command, why: Why) -> Refused:
    """The refusal of *move* for *why*, in words."""
    write = WORDS.get(why, _plain) if run is not None else _plain
    message, remedy = write(run, move) if run is not None else _plain(None, move)
    return Refused(why, message, remedy)


def _plain(_: MoveRun | None, move: Command) -> Sentences:
    return say("{by} cannot do that now", by=move.by), ""


def _deed_name(run: MoveRun, move: Command) -> str:
    if isinstance(move, m.AskRent):
        claim = open_claim(run, move.by, move.seat)
        word = claim.deed if claim else ""
    else:
        word = _deed_word(move) or run.play.awaited
    return name_of(run, word)


def _deed_word(move: Command) -> str:
    """The deed that *move* is about, or the seat or deed that a card is used on."""
    if isinstance(move, m.UseCard):
        return move.target
    if isinstance(move, m.Level):
        return next((deed for deed, _ in move.levels), "")
    return move.word if isinstance(move, m.Choose) else getattr(move, "deed", "")


def _wrong_stage(run: MoveRun, move: Command) -> Sentences:
    if run.game.play is None:
        return say("the table plays by hand"), say("let the companion lead first")
    is_answer = isinstance(move, m.Accept | m.Reject)
    if is_answer and last_offer(run, move.by) is None:
        return say("there is no offer for {by}", by=move.by), ""
    if isinstance(move, m.Inspect) and run.play.inspector:
        first = say("{who} was first and looks already", who=run.play.inspector)
        return first, say("you keep your chip; wait for what the decoder says")
    awaited = run.play.stage.awaits
    return say("the table waits for {stage}", stage=awaited), say("finish that first")


FIGURES: dict[type[Command], str] = {
    m.Buy: "price",
    m.AskRent: "rent",
    m.Build: "cost",
    m.Level: "cost",
    m.WantBuilding: "cost",
    m.Unbuild: "cost",
    m.Mortgage: "mortgage",
    m.LiftMortgage: "mortgage",
}
"""A word in the name of the figure that each kind of move needs to know."""


def _unknown_figure(run: MoveRun, move: Command) -> Sentences:
    remedy = say("type in what the real card says")
    if isinstance(move, m.Draw):
        return say("nobody knows the amount on this card"), remedy
    deed, kind = _deed_name(run, move), FIGURES.get(type(move), "")
    names = [
        one.figure
        for one in run.board.unknown
        if name_of(run, one.of) == deed and kind in one.figure
    ]
    which = common(names[0].replace("_", " ")) if names else say("figure")
    return say("nobody knows the {figure} of {deed}", figure=which, deed=deed), remedy


def _not_your_turn(run: MoveRun, move: Command) -> Sentences:
    play, by = run.play, move.by
    if play.stage is Stage.DEBT:
        debtor = play.debts[0].debtor
        return say("{debtor} has to raise money first", debtor=debtor), say(
            "wait for it"
        )
    if play.stage is Stage.AUCTION and play.auction is not None:
        return _not_your_bid(play.auction, by)
    if play.showing:
        what = say("{seat} has laid something on the table", seat=play.showing)
        return what, say("wait until it is handed over")
    seat = play.mover.seat
    return say("it is {seat}'s turn, not {by}'s", seat=seat, by=by), say("wait for it")


def _not_your_bid(auction: Auction, by: str) -> Sentences:
    """Why *by* cannot bid: it leads already, has passed, or is no bidder here."""
    if by == auction.bidder:
        leads = say("{by} leads with {bid}", by=by, bid=dollars_text(auction.amount))
        return leads, say("wait until somebody bids more or all have passed")
    until = say("wait until this auction is over")
    if by in auction.passed:
        return say("{by} has passed and bids no more", by=by), until
    return say("{by} does not bid in this auction", by=by), until


# What is offered in a trade.


def _offered(run: MoveRun, move: Command) -> Offer | None:
    """The offer that a move makes or accepts; ``None`` for other moves."""
    if isinstance(move, m.MakeOffer):
        return Offer(Seat(move.by), Seat(move.taker), move.give, move.want)
    return last_offer(run, move.by) if isinstance(move, m.Accept) else None


def _sides(found: Offer) -> Iterator[tuple[str, str]]:
    """Every deed of an offer, paired with the seat that would give it."""
    for seat, side in ((found.giver, found.give), (found.taker, found.want)):
        yield from ((seat, deed) for deed in side.deeds)


def _not_yours(run: MoveRun, move: Command) -> Sentences:
    found, board, owners = _offered(run, move), run.board, run.play.owners
    asked = _sides(found) if found else [(move.by, _deed_word(move))]
    if isinstance(move, m.Level):
        asked = [(move.by, deed) for deed, _ in move.levels]
    wrong = [
        (seat, deed)
        for seat, deed in asked
        if deed in board.index and owners[board.index[deed]] != seat
    ]
    if not wrong:
        return _plain(run, move)
    seat, deed = wrong[0]
    said = say("{deed} is not {by}'s", deed=name_of(run, deed), by=seat)
    if found is not None:
        return said, say("agree on another trade")
    is_owned = bool(owners[board.index[deed]])
    return said, say("trade for it") if is_owned else say("nobody has bought it yet")


def _has_buildings(run: MoveRun, move: Command) -> Sentences:
    found, board, play = _offered(run, move), run.board, run.play
    deeds = [deed for _, deed in _sides(found)] if found else []
    built = (
        deed
        for deed in deeds
        if any(play.levels[at] for at in board.members[board.index[deed]])
    )
    deed = name_of(run, next(built, "")) or _deed_name(run, move)
    return say("the group of {deed} has buildings", deed=deed), say("sell them first")


# What the seat or the table lacks.


def _cannot_afford(run: MoveRun, move: Command) -> Sentences:
    found = _offered(run, move)
    seat = (short_of_cash(run, found) if found else "") or move.by
    if isinstance(move, m.GiveVerdict):
        seat = run.play.showing
    cash = dollars_text(run.cash(seat))
    return say("{by} has {cash}, which is not enough", by=seat, cash=cash), say(
        "raise the rest first"
    )


def _bid_too_low(run: MoveRun, move: Command) -> Sentences:
    return say(
        "the lowest bid now is {lowest_bid}",
        lowest_bid=dollars_text(lowest_bid(run)),
    ), say("bid more, or pass")


def _no_card(run: MoveRun, move: Command) -> Sentences:
    word = getattr(move, "card", "")
    card = run.board.card(word)
    if card is not None and isinstance(move, m.Draw) and not card.deck:
        does = card_text(card, run.board.rules)
        return say("this box has no such card: {card}", card=does), say(
            "look at the card again"
        )
    return say("that card is not there"), say("look at the cards")


def _of_deed(text: str, remedy: str) -> Callable[[MoveRun, Command], Sentences]:
    def write(run: MoveRun, move: Command) -> Sentences:
        return say(text, deed=_deed_name(run, move), by=move.by), remedy

    return write


# Impossible arguments: names, dice, cards, amounts.


def name_of(run: MoveRun, word: str) -> str:
    """The name of the deed with the id *word*; any other word unchanged."""
    at = run.board.index.get(word)
    return word if at is None else run.board.rules.deeds[at].name


def malformed(run: MoveRun, move: Command) -> Sentences:
    """What *move* should have said, what it did say, and what to do now."""
    write = ODD_ARGUMENTS.get(type(move))
    if write is not None:
        return write(run, move)
    for field in fields_of(type(move)):
        if field.type in (DeedWord, CardId):
            return _no_such_name(run, getattr(move, field.name))
    return say("only whole amounts and names of this game fit here"), say(
        "type it again"
    )


def _odd_dice(run: MoveRun, move: m.Roll) -> Sentences:
    faces = " ".join((*map(str, move.dice), move.special)).strip()
    got = repr(faces) if faces else NOTHING
    said = say("two dice show 1 to 6 each, not {got}", got=got)
    if dice_count(run.board, run.play) > DICE_COUNT:
        third = ", ".join(dict.fromkeys(run.board.rules.dice.third_faces))
        said = say(
            "two dice show 1 to 6 each, a third one of {third}, not {got}",
            third=third,
            got=got,
        )
    return said, say("type them again")


def _odd_verdict(run: MoveRun, _: m.GiveVerdict) -> Sentences:
    notes = ", ".join(map(dollars_text, run.board.rules.money.notes))
    if run.play.card_use is not None or not notes:
        return say("the decoder shows real, fake, or neither yet"), say("look again")
    return say("a fake note is one of {notes}", notes=notes), say(
        "say which note it was"
    )


def _odd_choice(run: MoveRun, move: m.Choose) -> Sentences:
    return say("{word} cannot be chosen now", word=quoted(move.word)), say(
        "choose something in the list"
    )


def _odd_card(run: MoveRun, move: m.UseCard) -> Sentences:
    if run.board.card(move.card) is None:
        return _no_such_name(run, move.card)
    if not move.target:
        return say("that card is used on somebody or something"), say(
            "say on whom, or on which street"
        )
    return say("that card cannot be used on {target}", target=quoted(move.target)), say(
        "choose something in the list"
    )


def _odd_bid(run: MoveRun, _: m.Bid) -> Sentences:
    step = run.board.rules.auction.step
    return say(
        "a bid is {lowest_bid} or more, in steps of {step}",
        lowest_bid=dollars_text(lowest_bid(run)),
        step=dollars_text(step),
    ), say("bid more, or pass")


def _no_such_name(run: MoveRun, word: str) -> Sentences:
    close = nearest(word, (*run.board.index, *run.board.cards))
    hint = (
        say("did you mean {close}?", close=close)
        if close
        else say("use the name in the data")
    )
    got = quoted(word) if word else NOTHING
    return say("{word} is no name in this box", word=got), hint


def _odd_draw(run: MoveRun, move: m.Draw) -> Sentences:
    at = run.board.deck_index.get(run.play.awaited)
    is_whole = at is not None and run.board.rules.decks[at].is_complete
    if is_whole and run.board.rules.has_own_decks:
        return say("the table draws its cards by itself"), say("draw without a name")
    if not move.card:
        return say("nobody has said which card it is"), say("choose it in the list")
    if is_whole:
        return say("{word} is no card of this deck", word=quoted(move.card)), say(
            "choose it in the list"
        )
    return _no_such_name(run, move.card)


def _not_asked(run: MoveRun, move: m.ReadBox) -> Sentences:
    one = taken_apart(move.key)
    if one.is_space:
        return _space_not_asked(run, one.of)
    if one.of not in run.board.index and one.of not in run.board.cards:
        return _no_such_name(run, one.of)
    wrong = unreadable(run.board, move)
    if wrong is not None:
        return wrong.plain, wrong.remedy
    return say("nobody asks for that figure of {deed}", deed=name_of(run, one.of)), say(
        "choose another figure"
    )


def _space_not_asked(run: MoveRun, number: str) -> Sentences:
    known = {str(at): space.name for at, space in enumerate(run.board.rules.spaces)}
    if known.get(number):
        is_known = say("what is printed on space {number} is known", number=number)
        return is_known, say("the banker can correct it")
    return (
        say("nobody asks now what is printed on space {number}", number=number),
        say("answer when a token has landed there"),
    )


def _not_so(run: MoveRun, move: m.CorrectPosition) -> Sentences:
    wrong = why_not(run, move.words)
    said = wrong.plain if wrong else say("nobody agrees on the next card")
    return said, (wrong and wrong.remedy) or say("say it in other words")


Made = TypeVar("Made", bound=Command)
Write = Callable[[MoveRun, Command], Sentences]


def _row(
    kind: type[Made], write: Callable[[MoveRun, Made], Sentences]
) -> tuple[type[Command], Write]:
    """A row of the table; the move's own type is cast away here."""
    return kind, cast("Write", write)


ODD_ARGUMENTS: dict[type[Command], Write] = dict(
    (
        _row(m.Roll, _odd_dice),
        _row(m.CorrectPosition, _not_so),
        _row(m.ReadBox, _not_asked),
        _row(m.Bid, _odd_bid),
        _row(m.Draw, _odd_draw),
        _row(m.GiveVerdict, _odd_verdict),
        _row(m.Choose, _odd_choice),
        _row(m.UseCard, _odd_card),
    )
)
"""Who writes about impossible arguments; other moves get words by their fields."""


def _in_jail(run: MoveRun, move: Command) -> Sentences:
    token = run.play.token(_deed_word(move))
    if token is not None:  # A card would send it there.
        there = say("{seat} is in jail already", seat=token.seat)
        return there, say("choose another seat")
    return say("{by} is in jail", by=move.by), say("leave jail first")


# The table.

WORDS: dict[Why, Callable[[MoveRun, Command], Sentences]] = {
    Why.GAME_OVER: _of_deed("the game is over", say("begin another")),
    Why.UNKNOWN_SEAT: _of_deed(
        "{by} or the other seat is not playing", say("take a seat")
    ),
    Why.BANKRUPT: _of_deed("this seat is bankrupt and out of the game", ""),
    Why.WRONG_STAGE: _wrong_stage,
    Why.NOT_YOUR_TURN: _not_your_turn,
    Why.NOT_YOURS: _not_yours,
    Why.MALFORMED: malformed,
    Why.IN_JAIL: _in_jail,
    Why.NOT_IN_JAIL: _of_deed("{by} is not in jail", say("roll")),
    Why.MORTGAGED: _of_deed(
        "{deed} or one of its group is mortgaged", say("lift it first")
    ),
    Why.NOT_MORTGAGED: _of_deed("{deed} is not mortgaged", ""),
    Why.INCOMPLETE_GROUP: _of_deed(
        "{by} does not own the whole group of {deed}", say("trade for them")
    ),
    Why.HAS_BUILDINGS: _has_buildings,
    Why.UNEVEN: _of_deed(
        "{deed} would be two steps ahead or behind", say("take another of its group")
    ),
    Why.LIMIT_REACHED: _of_deed("{deed} has room for nothing more", ""),
    Why.NONE_LEFT: _of_deed("the bank has no such building left", say("wait for one")),
    Why.NO_CARD: _no_card,
    Why.NO_CHIP: _of_deed(
        "{by} has no chip that is ready", say("pass GO to make them ready again")
    ),
    Why.OWN_MONEY: _of_deed("{by} cannot look at this money", say("others may look")),
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
"""Which function puts each reason into words."""
