"""Undo as a phone shows it: what it would take back, who has to agree, who asks."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.game import Game
from companion.rules.undoing import acts_back_to, may_answer, must_agree, still_to_agree
from companion.units import Revision
from companion.views.wording import name_of
from companion.words import say, say_count
from companion.words.lists import with_ands

BANKER = say("the banker")


class UndoOffer(msgspec.Struct, frozen=True):
    """The button *Undo to here* at one entry.

    Attributes:
        revision: The oldest entry that it takes back.
        asked: The names of all who have to agree; empty where it is done at once.
        words: Sentences: how many later steps go too, and who has to agree.
        button: The label.
    """

    revision: Revision
    asked: str
    words: tuple[str, ...]
    button: str


class UndoQuestion(msgspec.Struct, frozen=True):
    """A request to undo, as one seat sees it.

    Attributes:
        revision: The oldest entry that it would take back.
        words: For the seats that answer: who asks. For the one that asks: who has
            still to answer.
        details: The oldest of the steps, as a sentence of the history.
        can_answer: This seat answers the request; otherwise it has made it.
        away: The label of the button that withdraws the request.
    """

    revision: Revision
    words: str
    details: str
    can_answer: bool
    away: str


def undo_offers(
    game: Game, by: str, names: Mapping[str, str]
) -> dict[Revision, UndoOffer]:
    """Return all that *by* can take back, or ask for, by the oldest revision.

    Args:
        game: The game as it stands.
        by: A seat, ``bank`` or ``table``; empty for a guest, who can take back nothing.
        names: Everybody's names.
    """
    counts = range(1, len(game.undoable) + 1)
    offers = (undo_offer(game, by, names, count) for count in counts)
    return {offer.revision: offer for offer in offers if offer is not None}


def undo_offer(
    game: Game, by: str, names: Mapping[str, str], count: int
) -> UndoOffer | None:
    """Return the offer to take back the latest *count* steps; ``None`` for none.

    Args:
        game: The game as it stands.
        by: As in ``undo_offers``.
        names: Everybody's names.
        count: The number of steps: 1 or more, and not more than can be taken back.
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
    """Return whether *by* may ask to undo from *revision* on.

    While a request is open nobody may make another; a seat that was told no may not ask
    for the same again.
    """
    ask = game.undo_ask
    if ask is None:
        return True
    return bool(ask.declined_by) and (ask.asker, ask.revision) != (by, revision)


def _button(later_count: int, asked: str) -> str:
    if asked:
        return say("Ask {who} to undo this", who=asked)
    return say("Undo to here") if later_count else say("Undo this")


def _words(game: Game, later_count: int, asked: str) -> tuple[str, ...]:
    words: list[str] = []
    if later_count:
        words.append(
            say_count(
                later_count,
                "The step after it goes, too.",
                "The {count} steps after it go, too.",
            )
        )
    if asked and asked != BANKER:
        words.append(say("{who} has to agree, or the banker.", who=asked))
    return tuple(words)


def _named(game: Game, seats: tuple[str, ...], names: Mapping[str, str]) -> str:
    """Join the names of *seats*; "the banker" stands for any that is no seat."""
    called = (name_of(x, names) if game.seat(x) is not None else BANKER for x in seats)
    return with_ands(dict.fromkeys(called))


def undo_question(
    game: Game, by: str, names: Mapping[str, str], oldest: str
) -> UndoQuestion | None:
    """Return the open request to undo, if *by* made it or has to answer it.

    Args:
        game: The game as it stands.
        by: The seat that looks.
        names: Everybody's names.
        oldest: The oldest entry that it would take back, as a sentence.
    """
    ask = game.undo_ask
    if ask is None or game.is_closed:
        return None
    can_answer = may_answer(game, by)
    if not (can_answer or by == ask.asker):
        return None
    words = _question(game, names, can_answer=can_answer)
    away = say("All right") if ask.declined_by else say("Stop asking")
    return UndoQuestion(ask.revision, words, oldest, can_answer, away)


def _question(game: Game, names: Mapping[str, str], *, can_answer: bool) -> str:
    ask = game.undo_ask
    assert ask is not None, "something is asked"
    later_count = len(acts_back_to(game, ask.revision)) - 1
    if can_answer:
        asker = _named(game, (ask.asker,), names)
        if not later_count:
            return say("{who} asks to undo this:", who=asker)
        return say_count(
            later_count,
            "{who} asks to undo this, and the step after it:",
            "{who} asks to undo this, and the {count} steps after it:",
            who=asker,
        )
    if ask.declined_by:
        who = _named(game, (ask.declined_by,), names)
        return say("{who} said no: it stays.", who=who)
    missing = _named(game, still_to_agree(game), names)
    return say("You asked {who} to undo this:", who=missing)
