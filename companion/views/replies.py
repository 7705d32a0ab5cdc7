"""What a seat has asked of others, while it is open, and the replies that it gets.

A *request* is an offer, a request for money or one to undo something. A reply takes its
*place* on the pages of its seat, and stays until the seat has looked at it
(``web/http/frame.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import msgspec

from companion.edition.shape import Group
from companion.game import Game
from companion.game import moves as m
from companion.game.deed_events import LAPSES, OfferMade
from companion.game.events import MoneyAsked
from companion.game.game import Ask
from companion.game.position import Bundle, Offer
from companion.game.replies import (
    CALLED_OFF,
    CORRECTED,
    GONE,
    MOVED,
    OVER,
    UNDONE,
    WITHDRAWN,
    AnyReply,
    CheckReply,
    MoneyReply,
    OfferReply,
    Outcome,
    Reply,
    UndoReply,
)
from companion.game.stage import Stage
from companion.rules import refusal
from companion.rules.undoing import still_to_agree
from companion.units import Revision
from companion.views.deed import can_plan
from companion.views.history import names_of
from companion.views.space import band_of
from companion.views.turn_buttons import Look
from companion.views.undoing import join_names
from companion.views.wording import bundle_text, name_of
from companion.words import Words, capital, say, told
from companion.words.money import dollars_text

TAKE_BACK = say("Take it back")


class Request(msgspec.Struct, frozen=True):
    """Something that a seat has asked for and can still take back.

    Attributes:
        place: Its place among the others, in the order of the alphabet; that of its
            reply is the same.
        words: What it asked of whom, as a sentence.
        verb: The last word of the address of the form that takes it back.
        fields: The names and values that this form sends.
        button: The text of its button.
        is_roomy: Whether its row has room for a long answer.
    """

    place: str
    words: str
    verb: str
    fields: dict[str, str] = msgspec.field(default_factory=dict)
    button: str = TAKE_BACK
    is_roomy: bool = False


class ReplyView(msgspec.Struct, frozen=True):
    """A reply, ready to be drawn.

    Attributes:
        place: As in ``Request``; empty for a check, which is none.
        key: As in ``Reply``.
        words: What came of the request, as a sentence.
        follows: Further sentences: what follows from it.
        onward: The page of the game where the seat can go on, below its address; empty
            for none.
        onward_words: The button that leads there.
        is_roomy: As in ``Request``, whose row it takes.
    """

    place: str
    key: str
    words: str
    follows: tuple[str, ...] = ()
    onward: str = ""
    onward_words: str = ""
    is_roomy: bool = False


def replies_to(
    game: Game, seat: str, looked: Collection[str] = ()
) -> tuple[AnyReply, ...]:
    """Return the latest replies to *seat*, oldest first.

    A counter-offer says all by itself, and at the end of a game no trade or request for
    money matters any more. *looked* are the keys of those to leave out, since the seat
    has looked at them.
    """
    is_over = game.is_closed or (game.play is not None and game.play.base is Stage.OVER)
    return tuple(
        reply
        for reply in game.replies
        if seat and reply.to == seat and reply.key not in looked
        if reply.outcome is not Outcome.COUNTERED
        if not (is_over and isinstance(reply, OfferReply | MoneyReply))
    )


# Requests.


OFFER, UNDO, LOST = "offer", "undo", "lost"
"""The places of an offer, of a request to undo, and of an offer lost to its taker."""


def _place_of_ask(number: int) -> str:
    return f"ask-{number:06}"


def requests_of(
    game: Game, seat: str, sentence_of: Callable[[Revision], str]
) -> Iterator[Request]:
    """Yield what *seat* can still take back; nothing for a guest, an empty *seat*.

    *sentence_of* tells what the entry of a revision did.
    """
    names = names_of(game)
    if not seat or game.is_closed:
        return
    for ask in game.asks:
        if ask.seat == seat:
            who, amount = name_of(ask.payer, names), dollars_text(ask.amount)
            words = say("You asked {who} for {amount}", who=who, amount=amount)
            fields = {"number": str(ask.number)}
            yield Request(_place_of_ask(ask.number), words, "withdraw-ask", fields)
    play = game.play
    for offer in play.offers if play is not None else ():
        if offer.giver == seat and refusal(game, m.Withdraw(by=seat)) is None:
            who = name_of(offer.taker, names)
            words = say("You offered {who} a trade", who=who)
            if play and (play.stage, play.mover.seat) == (Stage.ROLL, seat):
                words = say("You offered {who} a trade. It ends when you roll", who=who)
            is_roomy = _may_lead_on(game, offer)
            yield Request(OFFER, words, "withdraw", is_roomy=is_roomy)
    undo = game.undo_ask
    if undo is not None and undo.asker == seat and not undo.declined_by:
        who = join_names(game, still_to_agree(game), names)
        step = sentence_of(undo.revision)
        words = say("You asked {who} to undo: {what}", who=who, what=step)
        # Not "take it back", which in some languages is the word for an undo.
        revision, button = str(undo.revision), say("Cancel request")
        yield Request(
            UNDO,
            words,
            "decline-undo",
            {"revision": revision},
            button,
            is_roomy=True,
        )


def ask_made_by(game: Game, events: Iterable[object]) -> Ask | None:
    """Return the request for money that *events* made, if it is still open."""
    made = {event.number for event in events if isinstance(event, MoneyAsked)}
    return next((ask for ask in game.asks if ask.number in made), None)


def offered_by(events: Iterable[object]) -> frozenset[str]:
    """Return the givers and takers of the offers that *events* made."""
    made = [event for event in events if isinstance(event, OfferMade)]
    return frozenset(str(seat) for one in made for seat in (one.giver, one.taker))


# Replies.


def reply_view(game: Game, groups: Sequence[Group], reply: AnyReply) -> ReplyView:
    """Return a reply in words, with what follows from it as the game stands now."""
    if isinstance(reply, OfferReply):
        return _about_offer(game, groups, reply)
    if isinstance(reply, MoneyReply):
        place, words = _place_of_ask(reply.number), _about_money(game, reply)
    elif isinstance(reply, UndoReply):
        place, words = UNDO, _about_undo(game, reply)
    else:
        place, words = "", _about_check(game, reply)
    return ReplyView(place, reply.key, capital(words), is_roomy=place == UNDO)


def _who(game: Game, account: str) -> str:
    """Name whoever replied; who has no seat is the banker."""
    return join_names(game, (account,), names_of(game))


WHY_OFF = {
    CALLED_OFF: told("the money for it was not all real"),
    UNDONE: told("{by} undid it"),
    CORRECTED: told("the table agreed on something else"),
    GONE: told("somebody is out of the game"),
    OVER: told("the game is over"),
    WITHDRAWN: told("{by} took it back"),
    MOVED: told("{by} played on"),
    "owner": told("{deed} changed hands"),
    "mortgaged": told("{deed} was mortgaged"),
    "lifted": told("{deed} is mortgaged no more"),
    "buildings": told("buildings on {deed} or beside it changed"),
    "debt": told("the debt is not what it was"),
    "hand": told("some of it is gone"),
}
"""Why something lapsed, by its cause; those of an offer are explained in ``LAPSES``."""

assert WHY_OFF.keys() >= LAPSES.keys()


def _why_off(game: Game, reply: Reply, deed: str = "") -> str:
    if (reply.by, reply.cause) == (reply.to, MOVED):
        return say("you played on")
    values = {"by": _who(game, reply.by), "deed": name_of(deed, names_of(game))}
    return Words(WHY_OFF[reply.cause], values)


def _about_offer(game: Game, groups: Sequence[Group], reply: OfferReply) -> ReplyView:
    offer, who = reply.offer, name_of(reply.offer.taker, names_of(game))
    if reply.is_to_taker:
        return ReplyView(LOST, reply.key, _about_lost_offer(game, reply))
    follows: tuple[str, ...] = ()
    onward, button = "", ""
    if reply.outcome is Outcome.NO:
        words = say("{who} said no to your trade", who=_who(game, reply.by))
    elif reply.outcome is Outcome.LAPSED:
        why = _why_off(game, reply, reply.deed)
        words = say("Your trade with {who} is off: {why}", who=who, why=why)
    else:
        words = say("{who} said yes to your trade", who=who)
        if offer.want != Bundle():
            what = bundle_text(offer.want, names_of(game))
            words = say("{who} said yes: you have {what}", who=who, what=what)
        follows, onward, button = _follows(game, groups, reply)
    is_roomy = _may_lead_on(game, offer, reply.cause)
    return ReplyView(
        OFFER, reply.key, capital(words), follows, onward, button, is_roomy
    )


def _may_lead_on(game: Game, offer: Offer, cause: str = "") -> bool:
    """Tell whether a yes to *offer* has much to say: of many deeds, or what follows.

    *cause* is why it has lapsed, if it has: the row keeps the height that it had.
    """
    look = Look(game, offer.giver)
    if len(offer.want.deeds) > 1:
        return True
    for deed in offer.want.deeds:
        at = look.board.index[deed]
        is_mortgaged = look.play.mortgaged[at] or cause == "lifted"
        others = [one for one in look.board.members[at] if one != at]
        has_others = all(look.play.owners[one] == offer.giver for one in others)
        return has_others or (is_mortgaged and cause != "mortgaged")
    return False


def _about_lost_offer(game: Game, reply: OfferReply) -> str:
    """Tell the taker, whose banner with the offer it replaces, why it is gone."""
    if reply.cause == WITHDRAWN:
        words = say("{who} took the offer back", who=_who(game, reply.by))
        return capital(words)
    who, why = _who(game, reply.offer.giver), _why_off(game, reply, reply.deed)
    return say("The offer from {who} is off: {why}", who=who, why=why)


def _follows(
    game: Game, groups: Sequence[Group], reply: OfferReply
) -> tuple[tuple[str, ...], str, str]:
    """Tell what the seat may do with the deeds that it got, and where."""
    look, lines, onward, button = Look(game, reply.to), [], "", ""
    board, play = look.board, look.play
    for deed in reply.offer.want.deeds:
        at = board.index[deed]
        if play.owners[at] != reply.to:
            continue  # It has gone to somebody else since.
        if play.mortgaged[at]:
            lines.append(
                say("{deed} is mortgaged: it brings no rent", deed=look.name(deed))
            )
            onward = onward or f"deeds?deed={deed}"
            button = button or say("Lift the mortgage")
        members = board.members[at]
        if any(play.owners[one] != reply.to for one in members):
            continue
        group = band_of(groups, board.rules.deeds[at].group).name
        if not can_plan(look, at):
            words = say("All of {group} is yours", group=group)
        elif _is_blocked(look, members):
            words = say(
                "All of {group} is yours: lift its mortgages, then you may build",
                group=group,
            )
        else:
            words = say("All of {group} is yours: you may build", group=group)
            onward, button = f"plan/{deed}", say("Build")
        if words not in lines:
            lines.append(words)
    return tuple(lines), onward, button


def _is_blocked(look: Look, members: Sequence[int]) -> bool:
    """Return whether a mortgage in a group keeps its owner from building there."""
    is_blocking = bool(look.board.rules.buildings.blocked_by_mortgage)
    return is_blocking and any(look.play.mortgaged[at] for at in members)


def _about_money(game: Game, reply: MoneyReply) -> str:
    amount = dollars_text(reply.amount)
    if reply.outcome is Outcome.YES:
        who = name_of(reply.payer, names_of(game))
        return say("{who} paid you {amount}", who=who, amount=amount)
    if reply.outcome is Outcome.NO:
        return say(
            "{who} said no: you do not get {amount}",
            who=_who(game, reply.by),
            amount=amount,
        )
    why = _why_off(game, reply)
    return say("You do not get {amount}: {why}", amount=amount, why=why)


def _about_undo(game: Game, reply: UndoReply) -> str:
    if reply.outcome is Outcome.YES:
        return say("{who} said yes: it is undone", who=_who(game, reply.by))
    if reply.outcome is Outcome.NO:
        return say("{who} said no: it stays", who=_who(game, reply.by))
    return say("It stays: {why}", why=_why_off(game, reply))


def _about_check(game: Game, reply: CheckReply) -> str:
    """Say what a check found, to the inspector or to the shower."""
    names, is_mine = names_of(game), reply.to == reply.inspector
    amount, who = dollars_text(reply.amount), name_of(reply.inspector, names)
    if reply.outcome is Outcome.LAPSED:
        return say("Nobody looks any more: {why}", why=_why_off(game, reply))
    if not reply.is_fake:
        words = say("It is real")
        return words if is_mine else say("{who} looked: it is real", who=who)
    if reply.is_card:
        words = say("The card is a fake")
        return words if is_mine else say("{who} found it: your card is a fake", who=who)
    if is_mine:
        return say("It is a fake: you have its {amount}", amount=amount)
    return say("{who} found a fake: your {amount} are gone", who=who, amount=amount)
