"""Packing a game away and setting it up again: a page with a tick for each step."""

from __future__ import annotations

from flask import Blueprint, Response, request

from companion.game import Game
from companion.game.events import GameReopened
from companion.units import GameId
from companion.views.pause import (
    PACKING,
    SETTING_UP,
    WAYS,
    Exchange,
    PauseView,
    exchange_of,
    list_id_of,
    pause_view,
)
from companion.views.table import SeatView
from companion.words import say
from web.http.address import go
from web.http.errors import Problem
from web.http.fields import number, text
from web.http.panel import panel
from web.http.render import my_view, page

blueprint = Blueprint("pause", __name__)


@blueprint.get("/g/<game_id>/pause")
def pause(game_id: GameId) -> Response | str:
    """What to pack and where, or in reverse; ``?way=`` is ``pack`` or ``set-up``."""
    view = my_view(game_id)
    game = panel().table.game(game_id)
    if game.play is None:
        return go(f"/g/{game_id}/")
    way = _way(game_id, game)
    changing, typed = _changing(game, view)
    return page(
        "pause.html",
        view,
        pause=_seen(game_id, game, way),
        notes=_notes(game),
        changing=changing,
        typed=typed,
    )


@blueprint.post("/g/<game_id>/pause/tick")
def tick(game_id: GameId) -> Response:
    """Tick one step, or take its tick away; ``step=all`` takes all ticks away."""
    form = request.form
    way, step = text(form, "way"), text(form, "step")
    game = panel().table.game(game_id)
    if game.play is None:
        raise Problem(409, "wrong_stage", say("the companion never led this game"))
    if way not in WAYS:
        raise Problem(400, "malformed", say("this page packs or sets up"))
    seen, ticks = _seen(game_id, game, way), panel().table.ticks
    if step == "all":
        ticks.clear(game_id, seen.list_id)
    elif seen.step(step) is None:
        raise Problem(
            409,
            "stale",
            say("the table has changed since this page was shown"),
            say("look again"),
            link=(f"/g/{game_id}/pause?way={way}", say("Look again")),
        )
    elif form.get("done") == "yes":
        ticks.tick(game_id, seen.list_id, step)
    else:
        ticks.untick(game_id, seen.list_id, step)
    panel().table.tell(game_id)  # Other phones tick the same list.
    return go(f"/g/{game_id}/pause?way={way}")


def _seen(game_id: GameId, game: Game, way: str) -> PauseView:
    done = panel().table.ticks.done(game_id, list_id_of(game, way))
    return pause_view(game, way, done)


def _way(game_id: GameId, game: Game) -> str:
    """The way that was asked for, else the one that the table has begun.

    A game that has just been taken out again is set up.
    """
    asked, table = request.args.get("way", ""), panel().table
    if asked in WAYS:
        return asked
    (latest,) = table.entries(game_id, table.revision(game_id) - 1)
    is_taken_out = any(isinstance(one, GameReopened) for one in latest.events)
    begun = table.ticks.done(game_id, list_id_of(game, SETTING_UP))
    return SETTING_UP if begun or is_taken_out else PACKING


def _notes(game: Game) -> tuple[int, ...]:
    """The values of the game's notes, the largest first."""
    assert game.board is not None, "asked before"
    return tuple(sorted(game.board.rules.money.notes, reverse=True))


def _changing(game: Game, view: SeatView) -> tuple[Exchange | None, dict[int, str]]:
    """What this seat should change at the bank, if it typed its notes; and the text."""
    fields = {value: f"held-{value}" for value in _notes(game)}
    typed = {
        value: text(request.args, field).strip()
        for value, field in fields.items()
        if request.args.get(field, "").strip()
    }
    if not typed or view.seat is None:
        return None, typed
    held = {value: number(request.args, fields[value]) for value in typed}
    return exchange_of(game, view.seat.seat, held), typed
