"""What a phone may take back, and what it is asked to: the views with their words."""

from __future__ import annotations

import msgspec

from companion.units import Revision
from companion.views.book import known_of
from companion.views.table import SeatView
from companion.views.undoing import UndoQuestion, undo_offer, undo_question
from companion.words import say
from web.http.panel import panel
from web.http.sentences import names_in


class UndoButton(msgspec.Struct, frozen=True):
    """The one button that takes back the latest step, or asks for it.

    Attributes:
        verb: The last word of the address of its form.
        fields: What the form sends.
        short: The same words where what it takes back stands beside it.
        revision: The entry that it takes back.
    """

    verb: str
    words: str
    fields: dict[str, str]
    short: str
    revision: Revision


def undo_button(view: SeatView) -> UndoButton | None:
    """The button for the latest step; ``None`` if nobody is to be asked either."""
    game = panel().table.game(view.table.game_id)
    latest, may_undo = game.undo_next, view.may("Undo")
    if latest is None or not (may_undo or view.may("UndoTo")):
        return None
    what = _said(view, latest)
    if may_undo:
        words = say("Undo: {what}", what=what)
        return UndoButton("undo", words, {}, say("Undo"), latest)
    offer = undo_offer(game, view.by, names_in(view.table), 1)
    if offer is None:
        return None  # Somebody has said no already.
    words = say("Ask {who} to undo: {what}", who=offer.asked, what=what)
    fields = {"revision": str(latest)}
    return UndoButton("undo-to", words, fields, say("Ask to undo"), latest)


def question_here(view: SeatView) -> UndoQuestion | None:
    """What somebody asks to take back, if this phone asks it or has to answer it."""
    game = panel().table.game(view.table.game_id)
    ask = game.undo_ask
    if ask is None or not view.by:
        return None
    names = names_in(view.table)
    return undo_question(game, view.by, names, _said(view, ask.revision))


def _said(view: SeatView, revision: Revision) -> str:
    """What the entry of *revision* says in the history."""
    table, game_id = panel().table, view.table.game_id
    known = (line for line in view.table.lines if line.revision == revision)
    line = next(known, None)
    if line is None:  # It may have to be read from the disk.
        (line,) = known_of(
            table.game(game_id),
            ("history", revision),
            lambda: table.history(game_id, revision + 1, 1),
        )
    return line.sentences[0] if line.sentences else ""
