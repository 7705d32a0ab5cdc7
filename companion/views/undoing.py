"""Taking back on a phone: what it would take with it, who has to agree, who asks."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.game import Game
from companion.rules.undoing import back_to, may_answer, must_agree, still_to_agree
from companion.units import Revision
from companion.views.wording import listed, name_of
from companion.words import say, say_count

BANKER = say("the banker")


class UndoOffer(msgspec.Struct, frozen=True):
    """What *Undo to here* does at one entry.

    Attributes:
        revision: The oldest entry that it takes back.
        asked: The names of all who have to say yes; empty where it is done at once.
        words: What goes with it, and who has to agree, in words.
        button: What its button says.
    """

    revision: Revision
    asked: str
    words: tuple[str, ...]
    button: str


class UndoQuestion(msgspec.Struct, frozen=True):
    """What somebody asks to take back, as one seat sees it.

    Attributes:
        revision: The oldest entry that it is about.
        words: Who asks, in few words; for who asks, who has still to answer.
        details: The oldest of the steps, as the history says it.
        can_answer: Whether this seat says yes or no; otherwise it asks itself.
        away: What the button says with which it stops asking.
    """

    revision: Revision
    words: str
    details: str
    can_answer: bool
    away: str


def undo_offers(
    game: Game, by: str, names: Mapping[str, str]
) -> dict[Revision, UndoOffer]:
    """By revision: what *by* can take back, or ask for, from the latest entry on.

    Args:
        game: The game as it stands.
        by: A seat, ``bank`` or ``table``; empty for a guest, who takes nothing back.
        names: Everybody's names.
    """
    counts = range(1, len(game.undoable) + 1)
    offers = (undo_offer(game, by, names, count) for count in counts)
    return {offer.revision: offer for offer in offers if offer is not None}


def undo_offer(
    game: Game, by: str, names: Mapping[str, str], count: int
) -> UndoOffer | None:
    """Return what *by* can do about the latest *count* steps; ``None`` for nothing.

    Args:
        game: The game as it stands.
        by: As in ``undo_offers``.
        names: Everybody's names.
        count: From 1 on, and no more than can be taken back.
    """
    if not by or game.is_closed:
        return None
    acts = game.undoable[-count:]
    revision, others = acts[0].revision, must_agree(game, by, acts)
    if others and not _can_ask(game, by, revision):
        return None
    asked = _named(game, others, names)
    words = _words(game, count - 1, asked)
    return UndoOffer(revision, asked, words, _button(count - 1, asked))


def _can_ask(game: Game, by: str, revision: Revision) -> bool:
    """Whether no question is open, and none about the same was answered with no."""
    ask = game.undo_ask
    if ask is None:
        return True
    return bool(ask.declined_by) and (ask.asker, ask.revision) != (by, revision)


def _button(more: int, asked: str) -> str:
    if asked:
        return say("Ask {who} to undo this", who=asked)
    return say("Undo to here") if more else say("Undo this")


def _words(game: Game, more: int, asked: str) -> tuple[str, ...]:
    words: list[str] = []
    if more:
        words.append(
            say_count(
                more,
                "The step after it goes, too.",
                "The {count} steps after it go, too.",
            )
        )
    if asked and asked != BANKER:
        words.append(say("{who} has to agree, or the banker.", who=asked))
    return tuple(words)


def _named(game: Game, seats: tuple[str, ...], names: Mapping[str, str]) -> str:
    """*seats* by their names; whoever is no seat is stood in for by the banker."""
    known = [
        name_of(seat, names) if game.seat(seat) is not None else BANKER
        for seat in seats
    ]
    return listed(dict.fromkeys(known))


def undo_question(
    game: Game, by: str, names: Mapping[str, str], what: str
) -> UndoQuestion | None:
    """The question about an undo, if *by* asks it, or has to answer it.

    Args:
        game: The game as it stands.
        by: Who looks.
        names: Everybody's names.
        what: The oldest entry that it is about, as a sentence.
    """
    ask = game.undo_ask
    if ask is None or game.is_closed:
        return None
    can_answer = may_answer(game, by)
    if not (can_answer or by == ask.asker):
        return None
    words = _question(game, names, can_answer=can_answer)
    away = say("All right") if ask.declined_by else say("Stop asking")
    return UndoQuestion(ask.revision, words, what, can_answer, away)


def _question(game: Game, names: Mapping[str, str], *, can_answer: bool) -> str:
    ask = game.undo_ask
    assert ask is not None, "something is asked"
    more = len(back_to(game, ask.revision)) - 1
    if can_answer:
        asker = _named(game, (ask.asker,), names)
        if not more:
            return say("{who} asks to undo this:", who=asker)
        return say_count(
            more,
            "{who} asks to undo this, and the step after it:",
            "{who} asks to undo this, and the {count} steps after it:",
            who=asker,
        )
    if ask.declined_by:
        who = _named(game, (ask.declined_by,), names)
        return say("{who} said no: it stays.", who=who)
    missing = _named(game, still_to_agree(game), names)
    return say("You asked {who} to undo this:", who=missing)
