"""The board on a phone, and the chart of everybody's worth."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import cast

from flask import Blueprint, Response, current_app, request
from flask.blueprints import BlueprintSetupState

from companion.errors import JournalFault
from companion.game import Game
from companion.game.journal import Entry
from companion.game.spaces import SpaceKind
from companion.game.stage import Stage
from companion.units import GameId, Revision
from companion.views.board import board_view
from companion.views.board_layout import NARROW
from companion.views.evenings import Evening, evening
from companion.views.score import ScoreView, in_order, score_view
from companion.views.story import Facts, facts
from companion.views.strip import strip_view
from companion.views.worth_history import WorthHistory, Worths, thinned
from web.http.address import go
from web.http.assets import DRAWING_POLICY
from web.http.language import phones_language
from web.http.panel import panel
from web.http.render import my_view, page
from web.play.worth_chart import LOOKS, WorthLine, worth_chart

log = logging.getLogger(__name__)
blueprint = Blueprint("board", __name__)
KEY = "companion.worths"
BOOKS_MAX = 8
"""Games whose worths are kept in memory; others are computed when asked for."""

CHART_S = 3600
"""How long a browser keeps a chart; its address changes with what it shows."""


@blueprint.record_once
def check_signs(state: BlueprintSetupState) -> None:
    """Check that each kind of space has its drawing, before anybody plays.

    Raises:
        LookupError: If one has none.
    """
    file = Path(state.app.static_folder or "") / "spaces.svg"
    drawn = file.read_text(encoding="utf-8")
    for sign in (kind.sign for kind in SpaceKind if kind.sign):
        if f'<symbol id="{sign}"' not in drawn:
            raise LookupError(f"{file} has no drawing {sign!r}")


class WorthBooks:
    """What everybody was worth, and the facts, kept for the games looked at last.

    All phones ask at once when a game ends: what one of them has worked out, the others
    wait for.

    Args:
        undone: Gives a game's latest revision, and which entries were taken back.
        entries: Gives a game's entries after one revision, up to another.
    """

    def __init__(
        self,
        undone: Callable[[GameId], tuple[Revision, Collection[Revision]]],
        entries: Callable[[GameId, int, Revision], Iterable[Entry]],
    ) -> None:
        self._undone = undone
        self._entries = entries
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, WorthHistory] = OrderedDict()
        self._told: OrderedDict[str, tuple[Revision, Facts]] = OrderedDict()
        self._ended: dict[str, tuple[Revision, Evening | None]] = {}

    def worths(self, game_id: GameId) -> tuple[Worths, ...]:
        """Everybody's worth at the end of the turns of that game so far."""
        with self._lock:
            # Taken out while it is updated: after a failure it is computed anew.
            history = self._kept.pop(game_id, None)
            if history is None:
                undone = partial(self._undone, game_id)
                history = WorthHistory(undone, partial(self._entries, game_id))
            worths = history.worths()
            self._kept[game_id] = history
            if len(self._kept) > BOOKS_MAX:
                self._kept.popitem(last=False)
            return worths

    def facts(self, game_id: GameId, game: Game) -> Facts:
        """Return the facts of that game as it stands; kept until it changes."""
        until, undone = self._undone(game_id)
        with self._lock:
            revision, found = self._told.get(game_id, (None, None))
            if found is None or revision != until:
                found = facts(self._entries(game_id, 0, until), undone, game)
                self._told[game_id] = until, found
                if len(self._told) > BOOKS_MAX:
                    self._told.popitem(last=False)
            return found

    def evenings(
        self, revisions: Mapping[GameId, Revision]
    ) -> tuple[tuple[Evening, ...], int]:
        """Return the games that have ended, the latest first; each is read once.

        And how many cannot be read, so that nothing is known of them.

        Args:
            revisions: The latest revision of each game, the oldest first. A game is
                read again once that has changed.
        """
        unread = 0
        for game_id, until in revisions.items():
            with self._lock:
                revision, _ = self._ended.get(game_id, (None, None))
            if revision == until:
                continue
            try:
                found = evening(self._entries(game_id, 0, until))
            except JournalFault as fault:
                log.warning("evening_not_read game=%s said=%r", game_id, str(fault))
                unread += 1
                found, until = None, Revision(0)  # Another time it may be read.
            with self._lock:
                self._ended[game_id] = until, found
        with self._lock:
            known = [self._ended.get(game_id, (None, None))[1] for game_id in revisions]
        return tuple(one for one in reversed(known) if one is not None), unread

    def forget(self, game_id: GameId) -> None:
        """Drop a game that was thrown away: a new game may get the same id."""
        with self._lock:
            self._kept.pop(game_id, None)
            self._told.pop(game_id, None)
            self._ended.pop(game_id, None)


def books() -> WorthBooks:
    """The worth books of this application."""
    table = panel().table
    made = WorthBooks(table.undone, table.each_entry)
    kept = current_app.extensions.setdefault(KEY, made)
    return cast("WorthBooks", kept)


def ended(game_id: GameId, game: Game) -> tuple[ScoreView, Facts] | None:
    """Return how a game came out, and what happened; ``None`` before its end."""
    is_over = game.play is not None and game.play.base is Stage.OVER
    score = score_view(game) if is_over else None
    if score is None:
        return None
    found = books().facts(game_id, game)
    return in_order(score, found.gone), found


@blueprint.get("/g/<game_id>/board")
def board(game_id: GameId) -> Response | str:
    """The board, narrow enough for a phone, below the side that its seat is on."""
    view = my_view(game_id)
    game = panel().table.game(game_id)
    groups = panel().editions(view.table.edition).groups
    drawn = board_view(game, groups, NARROW)
    if drawn is None:
        return go(f"/g/{game_id}/")
    side = strip_view(game, groups, drawn, view.by)
    return page("board.html", view, board=drawn, strip=side)


@blueprint.get("/g/<game_id>/worth.svg")
def worth(game_id: GameId) -> Response:
    """Everybody's worth over the game; ``?theme=`` is ``dark`` or ``light``.

    With ``?draw=yes`` the lines draw themselves, from the first turn on.
    """
    game = panel().table.game(game_id)
    look = LOOKS.get(request.args.get("theme", ""), LOOKS["light"])
    worths = thinned(books().worths(game_id))
    language, draws = phones_language(), "draw" in request.args
    drawn = worth_chart(worths, chart_lines(game), look, language, draws=draws)
    response = Response(drawn, mimetype="image/svg+xml")
    response.headers["Content-Security-Policy"] = DRAWING_POLICY
    return kept_on_phone(response)


def kept_on_phone(drawing: Response) -> Response:
    """Let a phone keep a drawing whose address says ``at`` which state it is."""
    if "at" in request.args:
        drawing.headers["Cache-Control"] = f"private, max-age={CHART_S}"
    return drawing


def chart_lines(game: Game) -> tuple[WorthLine, ...]:
    """Who has a line in a chart: the players, or whoever sits at the table."""
    states = {state.seat: state for state in game.seats}
    if game.play is not None:
        seats = [token.seat for token in game.play.tokens]
    else:
        seats = [state.seat for state in game.present()]
    return tuple(
        WorthLine(seat, states[seat].name, states[seat].colour) for seat in seats
    )
