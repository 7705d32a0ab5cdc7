"""The page of the board, and the chart of everybody's worth.

A seat's *worth* is its money, deeds and buildings in dollars. The chart shows it after
each turn, which takes reading the whole game. So do a game's *facts*, such as its
biggest rent, from which the story of its end is told, and the summary of an *evening*:
a game that has ended. ``WorthBooks`` keeps all three in memory.
"""

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
from companion.views.badge import seat_states
from companion.views.board import board_view, strip_view
from companion.views.board_layout import NARROW
from companion.views.evenings import Evening, evening
from companion.views.score import ScoreView, rank_by_exit, score_view
from companion.views.story import Facts, facts
from companion.views.worth_history import WorthHistory, Worths, thin_out
from web.http.address import go
from web.http.assets import DRAWING_POLICY
from web.http.language import phones_language
from web.http.panel import panel
from web.http.render import my_view, page
from web.play.worth_chart import HEIGHT, LOOKS, TALL, WorthLine, worth_chart

log = logging.getLogger(__name__)
blueprint = Blueprint("board", __name__)

KEY = "companion.worths"
"""The key of the application's ``WorthBooks`` in ``Flask.extensions``."""

BOOKS_MAX = 8
"""How many games' worths and facts are kept in memory: those used last."""

CHART_S = 3600
"""How long a browser keeps a picture; a new one has a new address."""


@blueprint.record_once
def check_signs(state: BlueprintSetupState) -> None:
    """Check at the start that each kind of space has its drawing.

    Raises:
        LookupError: If a drawing is missing in ``spaces.svg``.
    """
    file = Path(state.app.static_folder or "") / "spaces.svg"
    svg = file.read_text(encoding="utf-8")
    for sign in (kind.sign for kind in SpaceKind if kind.sign):
        if f'<symbol id="{sign}"' not in svg:
            raise LookupError(f"{file} has no drawing {sign!r}")


class WorthBooks:
    """A cache of what is expensive to compute about the past of games.

    When a game ends, all phones ask at once: the first computes, the others wait.

    Args:
        undone: Returns a game's latest revision, and the undone entries.
        entries: Returns a game's entries after one revision, up to another.
    """

    def __init__(
        self,
        undone: Callable[[GameId], tuple[Revision, Collection[Revision]]],
        entries: Callable[[GameId, int, Revision], Iterable[Entry]],
    ) -> None:
        self._undone = undone
        self._entries = entries
        self._lock = threading.Lock()
        self._histories: OrderedDict[str, WorthHistory] = OrderedDict()
        self._facts: OrderedDict[str, tuple[Revision, Facts]] = OrderedDict()
        self._evenings: dict[str, tuple[Revision, Evening | None]] = {}

    def worths(self, game_id: GameId) -> tuple[Worths, ...]:
        """Return everybody's worth at the end of each turn of a game so far."""
        with self._lock:
            # Removed while it is updated, so that it is computed anew after an error.
            history = self._histories.pop(game_id, None)
            if history is None:
                undone = partial(self._undone, game_id)
                history = WorthHistory(undone, partial(self._entries, game_id))
            worths = history.worths()
            self._histories[game_id] = history
            if len(self._histories) > BOOKS_MAX:
                self._histories.popitem(last=False)
            return worths

    def facts(self, game_id: GameId, game: Game) -> Facts:
        """Return the facts of a game as it stands."""
        latest, undone = self._undone(game_id)
        with self._lock:
            revision, cached = self._facts.get(game_id, (None, None))
            if cached is None or revision != latest:
                cached = facts(self._entries(game_id, 0, latest), undone, game)
                self._facts[game_id] = latest, cached
                if len(self._facts) > BOOKS_MAX:
                    self._facts.popitem(last=False)
            return cached

    def evenings(
        self, revisions: Mapping[GameId, Revision]
    ) -> tuple[tuple[Evening, ...], int]:
        """Return the games that have ended, latest first, and how many are unreadable.

        Args:
            revisions: The latest revision of each game, the oldest first.
        """
        unread_count = 0
        for game_id, latest in revisions.items():
            try:
                self._read_evening(game_id, latest)
            except JournalFault as fault:
                log.warning("evening_not_read game=%s said=%r", game_id, str(fault))
                unread_count += 1
                with self._lock:
                    self._evenings.pop(game_id, None)
        with self._lock:
            cached = [self._evenings.get(game_id) for game_id in revisions]
        summaries = [entry[1] for entry in reversed(cached) if entry is not None]
        return tuple(summary for summary in summaries if summary), unread_count

    def _read_evening(self, game_id: GameId, latest: Revision) -> None:
        """Read a game for its summary, unless it was read at that revision."""
        with self._lock:
            if self._evenings.get(game_id, (None, None))[0] == latest:
                return
        summary = evening(self._entries(game_id, 0, latest))
        with self._lock:
            self._evenings[game_id] = latest, summary

    def forget(self, game_id: GameId) -> None:
        """Drop a deleted game, since a new one may get the same id."""
        with self._lock:
            self._histories.pop(game_id, None)
            self._facts.pop(game_id, None)
            self._evenings.pop(game_id, None)


def books() -> WorthBooks:
    """Return the ``WorthBooks`` of this application; create it at the first call."""
    table = panel().table
    new = WorthBooks(table.undone, table.each_entry)
    return cast("WorthBooks", current_app.extensions.setdefault(KEY, new))


def ending_of(game_id: GameId, game: Game) -> tuple[ScoreView, Facts] | None:
    """Return the final scores and the facts of a game; ``None`` before its end."""
    is_over = game.play is not None and game.play.base is Stage.OVER
    score = score_view(game) if is_over else None
    if score is None:
        return None
    game_facts = books().facts(game_id, game)
    return rank_by_exit(score, game_facts.gone), game_facts


@blueprint.get("/g/<game_id>/board")
def board(game_id: GameId) -> Response | str:
    """Show the board in a phone's width, and enlarged the side of this seat's token."""
    view = my_view(game_id)
    game = panel().table.game(game_id)
    groups = panel().editions(view.table.edition).groups
    whole_board = board_view(game, groups, NARROW)
    if whole_board is None:  # The game is not guided, so it has no board.
        return go(f"/g/{game_id}/")
    side = strip_view(game, groups, whole_board, view.by)
    return page("board.html", view, board=whole_board, strip=side)


@blueprint.get("/g/<game_id>/worth.svg")
def worth(game_id: GameId) -> Response:
    """Send the chart of everybody's worth; ``?theme=`` is ``dark`` or ``light``.

    With ``?draw=yes`` the lines are animated; with ``?tall=yes`` it is as tall as at
    the end of a game.
    """
    game = panel().table.game(game_id)
    look = LOOKS.get(request.args.get("theme", ""), LOOKS["light"])
    worths = thin_out(books().worths(game_id))
    language, draws = phones_language(), "draw" in request.args
    height = TALL if "tall" in request.args else HEIGHT
    lines = chart_lines(game)
    svg = worth_chart(worths, lines, look, language, draws=draws, height=height)
    response = Response(svg, mimetype="image/svg+xml")
    response.headers["Content-Security-Policy"] = DRAWING_POLICY
    return allow_caching(response)


def allow_caching(drawing: Response) -> Response:
    """Let a phone cache a drawing if its address names the state shown (``?at=``)."""
    if "at" in request.args:
        drawing.headers["Cache-Control"] = f"private, max-age={CHART_S}"
    return drawing


def chart_lines(game: Game) -> tuple[WorthLine, ...]:
    """List the seats with a line: those with a token, or by hand those present."""
    states = seat_states(game)
    if game.play is not None:
        seats = [token.seat for token in game.play.tokens]
    else:
        seats = [state.seat for state in game.present()]
    return tuple(
        WorthLine(seat, states[seat].name, states[seat].colour) for seat in seats
    )
