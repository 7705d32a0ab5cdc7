"""Undoing the latest step: a phone's button for it, and the question to others.

A phone that may not undo a step itself can ask the other players to agree. The
question then stays open until they have answered.
"""

from __future__ import annotations

import msgspec

from companion.units import Revision
from companion.views.book import result_of
from companion.views.table import SeatView, names_in
from companion.views.undoing import UndoQuestion, undo_offer, undo_question
from companion.words import say
from web.http.panel import panel


class UndoButton(msgspec.Struct, frozen=True):
    """The button that undoes the latest step, or asks other players to agree to that.

    Attributes:
        verb: The last word of the form's address.
        words: The text of the button, which names the step.
        fields: The hidden fields of the form.
        short: The button's text on pages that name the step beside it.
        revision: The revision of the entry to undo.
    """

    verb: str
    words: str
    fields: dict[str, str]
    short: str
    revision: Revision


def undo_button(view: SeatView) -> UndoButton | None:
    """Build the undo button; ``None`` if this phone may neither undo nor ask."""
    game = panel().table.game(view.table.game_id)
    latest, may_undo = game.undo_next, view.may("Undo")
    if latest is None or not (may_undo or view.may("UndoTo")):
        return None
    step = _sentence_of(view, latest)
    if may_undo:
        words = say("Undo: {what}", what=step)
        return UndoButton("undo", words, {}, say("Undo"), latest)
    offer = undo_offer(game, view.by, names_in(view.table), count=1)
    if offer is None:
        return None  # Somebody has refused it already.
    words = say("Ask {who} to undo: {what}", who=offer.asked, what=step)
    fields = {"revision": str(latest)}
    return UndoButton("undo-to", words, fields, say("Ask to undo"), latest)


def question_here(view: SeatView) -> UndoQuestion | None:
    """Return the open question whether to undo a step, if it concerns this phone."""
    game = panel().table.game(view.table.game_id)
    ask = game.undo_ask
    if ask is None or not view.by:
        return None
    names = names_in(view.table)
    return undo_question(game, view.by, names, _sentence_of(view, ask.revision))


def _sentence_of(view: SeatView, revision: Revision) -> str:
    """Return the history's first sentence about the entry of *revision*, if any."""
    table, game_id = panel().table, view.table.game_id
    shown_lines = (line for line in view.table.lines if line.revision == revision)
    line = next(shown_lines, None)
    if line is None:  # An older line may have to be read from the disk.
        (line,) = result_of(
            table.game(game_id),
            ("history", revision),
            lambda: table.history(game_id, revision + 1, 1),
        )
    return line.sentences[0] if line.sentences else ""
