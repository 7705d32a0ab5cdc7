"""Packing a game away and setting it up again: a page with a tick for each step."""

from __future__ import annotations

from flask import Blueprint, Response, request

from companion.game import Game
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
from web import wire
from web.errors import Problem
from web.pages import require_seat
from web.panel import panel
from web.render import go, known_game, my_view, page

blueprint = Blueprint("pause", __name__)


@blueprint.get("/g/<journal>/pause")
def pause(journal: str) -> Response | str:
    """What to pack and where, or in reverse; ``?way=`` is ``pack`` or ``set-up``."""
    view = my_view(journal)
    game = panel().table.game(journal)
    if game.play is None:
        return go(f"/g/{journal}/")
    way = _way(journal, game)
    changing, typed = _changing(game, view)
    return page(
        "pause.html",
        view,
        pause=_seen(journal, game, way),
        notes=_notes(game),
        changing=changing,
        typed=typed,
    )


@blueprint.post("/g/<journal>/pause/tick")
def tick(journal: str) -> Response:
    """A step is done, or not after all; with ``step=all`` none is."""
    require_seat(journal)
    form = request.form
    way, step = wire.text(form, "way"), wire.text(form, "step")
    game = _guided(known_game(journal))
    if way not in WAYS:
        raise Problem(400, "malformed", f"expected a way of {', '.join(WAYS)}")
    seen, ticks = _seen(journal, game, way), panel().table.ticks
    if step == "all":
        ticks.clear(journal, seen.list_id)
    elif seen.step(step) is None:
        raise Problem(
            409,
            "stale",
            say("the table has changed since this page was shown"),
            say("look again"),
            link=(f"/g/{journal}/pause?way={way}", say("Look again")),
        )
    elif form.get("done") == "yes":
        ticks.tick(journal, seen.list_id, step)
    else:
        ticks.untick(journal, seen.list_id, step)
    panel().table.tell(journal)  # Other phones tick the same list.
    return go(f"/g/{journal}/pause?way={way}")


def _guided(journal: str) -> Game:
    game = panel().table.game(journal)
    if game.play is None:
        raise Problem(409, "wrong_stage", say("the companion never led this game"))
    return game


def _seen(journal: str, game: Game, way: str) -> PauseView:
    done = panel().table.ticks.done(journal, list_id_of(game, way))
    return pause_view(game, way, done)


def _way(journal: str, game: Game) -> str:
    """What was asked for; else what the table is in the middle of."""
    asked = request.args.get("way", "")
    if asked in WAYS:
        return asked
    if game.is_closed:
        return SETTING_UP
    begun = panel().table.ticks.done(journal, list_id_of(game, SETTING_UP))
    return SETTING_UP if begun else PACKING


def _notes(game: Game) -> tuple[int, ...]:
    """The notes there are, the largest first."""
    assert game.board is not None, "asked before"
    return tuple(sorted(game.board.rules.notes, reverse=True))


def _changing(game: Game, view: SeatView) -> tuple[Exchange | None, dict[int, str]]:
    """What this seat changes at the bank, if it typed its notes; and what it typed."""
    fields = {value: f"held-{value}" for value in _notes(game)}
    typed = {
        value: wire.text(request.args, field).strip()
        for value, field in fields.items()
        if request.args.get(field, "").strip()
    }
    if not typed or view.seat is None:
        return None, typed
    held = {value: wire.number(request.args, fields[value]) for value in typed}
    return exchange_of(game, view.seat.seat, held), typed
