"""The page for packing a game or setting it up again, with a tick for each step.

There are two *ways*, ``pack`` and ``set-up``, each with its list of steps. All phones
show the same ticks. The first pause of a game asks once whether *papers* (notes and
cards) lie on the table. A seat can also type which notes it has, and learns its
*exchange*: the notes to change at the bank before it packs its money.
"""

from __future__ import annotations

from flask import Blueprint, Response, request

from companion.game import Game
from companion.game.events import GameReopened
from companion.units import GameId
from companion.views.pause import (
    PACKING,
    PAPERS,
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
    """Show the steps to pack the game, or to set it up: ``?way=pack`` or ``set-up``."""
    view = my_view(game_id)
    game = panel().table.game(game_id)
    if game.play is None:
        return go(f"/g/{game_id}/")
    way = _find_way(game_id, game)
    pause = _pause_view(game_id, game, way)
    exchange, typed = _read_exchange(game, view)
    return page(
        "pause.html",
        view,
        pause=pause,
        notes=_note_values(game) if pause.has_papers else (),
        changing=exchange,
        typed=typed,
    )


@blueprint.post("/g/<game_id>/pause/tick")
def tick(game_id: GameId) -> Response:
    """Tick one step, or remove its tick; ``step=all`` removes all ticks."""
    form = request.form
    way, step = text(form, "way"), text(form, "step")
    game = _led_game(game_id)
    if way not in WAYS:
        raise Problem(400, "malformed", say("this page packs or sets up"))
    steps, ticks = _pause_view(game_id, game, way), panel().table.ticks
    if step == "all":
        ticks.clear(game_id, steps.list_id)
    elif steps.step(step) is None:
        raise Problem(
            409,
            "stale",
            say("the table has changed since this page was shown"),
            say("look again"),
            link=(f"/g/{game_id}/pause?way={way}", say("Look again")),
        )
    elif form.get("done") == "yes":
        ticks.tick(game_id, steps.list_id, step)
    else:
        ticks.untick(game_id, steps.list_id, step)
    panel().table.tell(game_id)  # Other phones show the same list.
    return go(f"/g/{game_id}/pause?way={way}")


@blueprint.post("/g/<game_id>/pause/papers")
def papers(game_id: GameId) -> Response:
    """Keep with the game whether papers lie on its table: ``lie=yes`` or ``no``."""
    way, answer = text(request.form, "way"), text(request.form, "lie")
    _led_game(game_id)
    if way not in WAYS or answer not in ANSWERS:
        raise Problem(400, "malformed", say("this page packs or sets up"))
    panel().table.ticks.keep_answer(game_id, PAPERS, answer)
    panel().table.tell(game_id)
    return go(f"/g/{game_id}/pause?way={way}")


ANSWERS = {"yes": True, "no": False}
"""Whether papers lie on the table, by the answer that is kept."""


def _led_game(game_id: GameId) -> Game:
    """Return a game that has something to pack; refuse one that was never led."""
    game = panel().table.game(game_id)
    if game.play is None:
        raise Problem(409, "wrong_stage", say("the companion never led this game"))
    return game


def _pause_view(game_id: GameId, game: Game, way: str) -> PauseView:
    ticks = panel().table.ticks
    answer = ANSWERS.get(ticks.answer(game_id, PAPERS))
    done = ticks.done(game_id, list_id_of(game, way))
    return pause_view(game, way, answer, done)


def _find_way(game_id: GameId, game: Game) -> str:
    """Return the way in ``?way=``, or else the one that the table needs now.

    That is ``set-up`` if a step of it is ticked, or the game was just reopened.
    """
    way, table = request.args.get("way", ""), panel().table
    if way in WAYS:
        return way
    has_begun = bool(table.ticks.done(game_id, list_id_of(game, SETTING_UP)))
    return SETTING_UP if has_begun or is_reopened(game_id) else PACKING


def is_reopened(game_id: GameId) -> bool:
    """Tell whether nothing has happened since the game was taken out again."""
    latest = panel().table.latest_events(game_id)
    return any(isinstance(event, GameReopened) for event in latest)


def _note_values(game: Game) -> tuple[int, ...]:
    """Return the values of the game's notes, the largest first."""
    assert game.board is not None, "the caller has checked it"
    return tuple(sorted(game.board.rules.money.notes, reverse=True))


def _read_exchange(
    game: Game, view: SeatView
) -> tuple[Exchange | None, dict[int, str]]:
    """Return this seat's exchange, and the counts it typed, by the value of the note.

    The exchange is ``None`` while nothing is typed.
    """
    fields = {value: f"held-{value}" for value in _note_values(game)}
    typed = {
        value: text(request.args, field).strip()
        for value, field in fields.items()
        if request.args.get(field, "").strip()
    }
    if not typed or view.seat is None:
        return None, typed
    held = {value: number(request.args, fields[value]) for value in typed}
    return exchange_of(game, view.seat.seat, held), typed
