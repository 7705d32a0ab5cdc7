"""Undo as a phone shows it: the offers to take back steps, and the open request.

A *step* is an act of a player that can be undone; undoing one undoes all later steps,
too. Where a step concerns other players, the player has to *ask* them; until they have
agreed, each of them reads the request as a question.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.game import Game
from companion.rules.undoing import acts_back_to, may_answer, must_agree
from companion.units import Revision
from companion.views.wording import name_of
from companion.words import say, say_count
from companion.words.lists import with_ands

BANKER = say("the banker")
"""The name for anybody who has to agree and is not a seat."""


class UndoOffer(msgspec.Struct, frozen=True):
    """The button *Undo to here* at one entry.

    Attributes:
        revision: The revision of the oldest entry that it takes back.
        asked: The names of all who have to agree, joined; empty if nobody has to.
        words: Sentences: how many later steps are undone, too, and who has to agree.
        button: The label of the button.
    """

    revision: Revision
    asked: str
    words: tuple[str, ...]
    button: str


class UndoQuestion(msgspec.Struct, frozen=True):
    """A request to undo, as a seat sees it that has to answer it.

    Attributes:
        revision: The revision of the oldest entry that it would take back.
        words: Who asks.
        details: The oldest of the steps, as a sentence of the history.
    """

    revision: Revision
    words: str
    details: str


def undo_offers(
    game: Game, by: str, names: Mapping[str, str]
) -> dict[Revision, UndoOffer]:
    """Return an offer for each step that *by* can undo, or ask to undo.

    The key of an offer is the revision of the oldest entry that it takes back.

    Args:
        game: The game as it stands.
        by: A seat, ``bank`` or ``table``; empty for a guest, who can take back nothing.
        names: The name of each seat, by its id.
    """
    step_counts = range(1, len(game.undoable) + 1)
    offers = (undo_offer(game, by, names, count) for count in step_counts)
    return {offer.revision: offer for offer in offers if offer is not None}


def undo_offer(
    game: Game, by: str, names: Mapping[str, str], count: int
) -> UndoOffer | None:
    """Return the offer to take back the latest *count* steps; ``None`` for none.

    For the other arguments, see ``undo_offers``. *count* is at least 1, and not more
    than can be taken back.
    """
    if not by or game.is_closed:
        return None
    steps = game.undoable[-count:]
    revision = steps[0].revision
    others = must_agree(game, by, steps)
    if others and not _can_ask(game, by, revision):
        return None
    asked = join_names(game, others, names)
    later_count = count - 1
    return UndoOffer(
        revision=revision,
        asked=asked,
        words=_offer_words(later_count, asked),
        button=_offer_label(later_count, asked),
    )


def _can_ask(game: Game, by: str, revision: Revision) -> bool:
    """Return whether *by* may ask to undo everything from *revision* on.

    Nobody may while another request is open. A seat whose request was declined may not
    ask for the same again.
    """
    ask = game.undo_ask
    if ask is None:
        return True
    is_same = (ask.asker, ask.revision) == (by, revision)
    return bool(ask.declined_by) and not is_same


def _offer_label(later_count: int, asked: str) -> str:
    if asked:
        return say("Ask {who} to undo this", who=asked)
    return say("Undo to here") if later_count else say("Undo this")


def _offer_words(later_count: int, asked: str) -> tuple[str, ...]:
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


def join_names(game: Game, actors: tuple[str, ...], names: Mapping[str, str]) -> str:
    """Join the names of *actors*; one that is no seat is the banker."""
    called = [
        name_of(actor, names) if game.seat(actor) is not None else BANKER
        for actor in actors
    ]
    return with_ands(dict.fromkeys(called))


def undo_question(
    game: Game, by: str, names: Mapping[str, str], oldest: str
) -> UndoQuestion | None:
    """Return the open request to undo, if *by* has to answer it.

    *oldest* is the oldest entry that it would take back, as a sentence.
    """
    ask = game.undo_ask
    if ask is None or game.is_closed or not may_answer(game, by):
        return None
    asker = join_names(game, (ask.asker,), names)
    later_count = len(acts_back_to(game, ask.revision)) - 1
    words = say("{who} asks to undo this:", who=asker)
    if later_count:
        words = say_count(
            later_count,
            "{who} asks to undo this, and the step after it:",
            "{who} asks to undo this, and the {count} steps after it:",
            who=asker,
        )
    return UndoQuestion(ask.revision, words, oldest)
