"""The vault's own page: a drawn vault, run by the same lock code as a real one.

A *simulated* vault has no hardware. Taps on the page move it as hands would: they turn
the wheel, press buttons, and push or pull the lid. The lock alone decides what that
does, and reports it as a ``VaultView``. The page never learns the secret code, so it
cannot reveal it. It shows a real vault, but moves nothing there.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from flask import Blueprint, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.errors import Malformed
from companion.lock.quadrature import NUMBER_COUNT
from companion.lock.states import Stimulus, VaultState, step
from companion.lock.view import VaultView
from companion.ports import Hands, Line, Signal
from companion.units import GameId
from companion.words import say
from companion.words.report import unexpected
from web.http.address import kept_game
from web.http.auth import caller
from web.http.errors import Problem, wants_json
from web.http.fields import text
from web.http.frame import tabs_here
from web.http.language import phones_language
from web.http.live import vault_json
from web.http.may import may, speaks_as
from web.http.panel import fitted_vault, panel

blueprint = Blueprint("vault", __name__, url_prefix="/vault")

STEPS_MAX = 60
"""The most detents of the wheel in one request; a longer spin takes several."""

PRESSES_MAX = 3
"""The most presses in one request: one tap presses yellow three times to lock."""

WAITING_MAX = 16
"""How many presses may wait for the lock; more are refused."""

WHOLE_NUMBER = re.compile(r"-?[0-9]{1,3}")

BUTTONS: dict[str, tuple[Line, tuple[Stimulus, ...]]] = {
    "m_button": (
        Line.M_BUTTON,
        (Stimulus.M_AT_RIGHT_NUMBER, Stimulus.M_AT_WRONG_NUMBER),
    ),
    "yellow_button": (Line.YELLOW_BUTTON, (Stimulus.YELLOW_PRESSED,)),
}
"""Each button's line, and the stimuli that a press of it may be to the lock."""

LID_MOVES: dict[str, Callable[[Hands], None]] = {
    "shut": lambda hands: hands.shut_lid(),
    "lift": lambda hands: hands.lift_lid(),
    "force": lambda hands: hands.force_lid(),
}
"""What the hands do with the lid, by the form's field ``move``."""

UNSETTLED = frozenset({VaultState.UNKNOWN, VaultState.RELEASING, VaultState.JAMMED})
"""The states that may end soon."""

RELOAD_UNSETTLED_S = 1
"""Seconds until a page without script reloads in an ``UNSETTLED`` state."""

RELOAD_REAL_S = 5
"""Seconds until it reloads in another state of a real vault, which people may move."""


@blueprint.get("")
def show() -> ResponseReturnValue:
    """Show the vault as it is now; a simulated one can be moved on the page."""
    return render_template(
        "vault.html",
        **_scene_values(panel().table.current()),
        vault_json=vault_json(panel(), phones_language()),
        may_tend=may("vault.set_wheel"),
        tabs=tabs_here(),
        looks_again_s=_reload_s(fitted_vault().view()),
    )


def _reload_s(view: VaultView) -> int:
    """Return the seconds until a page without script reloads; 0 for never."""
    if view.state in UNSETTLED:
        return RELOAD_UNSETTLED_S
    # A simulated vault is moved only by forms, whose answers show the new state.
    return 0 if view.has_hands else RELOAD_REAL_S


@blueprint.get("/state")
def state() -> ResponseReturnValue:
    """Send the vault as it is now as JSON."""
    fitted_vault()  # Without one there is nothing to send.
    return jsonify(vault_json(panel(), phones_language()))


@blueprint.get("/scene")
def scene() -> str:
    """Send the part of a page that tells what happens at the vault now.

    ``?game=`` names the page's game; without it, the game on the table.
    """
    game_id = GameId(text(request.args, "game")) or panel().table.current()
    return render_template("parts_vault_scene.html", **_scene_values(game_id))


@blueprint.post("/turn")
def turn() -> ResponseReturnValue:
    """Turn the wheel by a number of detents; clockwise is positive."""
    steps = _read_whole_number("steps", -STEPS_MAX, STEPS_MAX)
    _require_hands().turn(steps)
    return _confirm()


@blueprint.post("/press")
def press() -> ResponseReturnValue:
    """Press M or yellow; answer with the signal to give at once, if it is certain."""
    line, stimuli = BUTTONS[_read_word("line", tuple(BUTTONS))]
    times = _read_whole_number("times", 1, PRESSES_MAX, "1")
    hands = _require_hands()
    if hands.waiting_presses_count + times > WAITING_MAX:
        raise Malformed(say("too many presses at once"), say("let the finger rest"))
    answer = sure_answer(fitted_vault().view().state, stimuli)
    for _ in range(times):
        hands.press(line)
    return _confirm(answer)


@blueprint.post("/lid")
def lid() -> ResponseReturnValue:
    """Push the lid down, lift it, or force it open."""
    LID_MOVES[_read_word("move", tuple(LID_MOVES))](_require_hands())
    return _confirm()


@blueprint.post("/set-wheel")
def set_wheel() -> ResponseReturnValue:
    """Set the number that the banker reads off the wheel, after it has slipped."""
    fitted_vault().set_wheel(_read_whole_number("number", 1, NUMBER_COUNT))
    return _confirm()


@blueprint.post("/clear-fault")
def clear_fault() -> ResponseReturnValue:
    """Clear a fault or a forced lid, after the banker has checked the vault."""
    fitted_vault().clear_fault()
    return _confirm()


def sure_answer(state: VaultState, stimuli: tuple[Stimulus, ...]) -> Signal | None:
    """Return the signal with which *state* answers all of *stimuli*, if it is the same.

    On a locked vault it is not: only the lock knows whether the number was right, and
    tells it after writing it to disk.
    """
    signals = {
        effect
        for stimulus in stimuli
        for effect in step(state, stimulus)[1]
        if isinstance(effect, Signal)
    }
    return signals.pop() if len(signals) == 1 else None


def _confirm(answer: Signal | None = None) -> ResponseReturnValue:
    """Redirect a browser to the page, or send *answer* to a script.

    The live stream tells the script the vault's new state.
    """
    if wants_json():
        return jsonify(ok=True, answer=answer)
    return redirect(url_for("vault.show"), 303)


def _scene_values(game_id: GameId | None) -> dict[str, object]:
    """Return the vault, its part in a game, and whether this phone's seat is there."""
    vault = fitted_vault()
    seen = vault.seen(kept_game(game_id)) if game_id else None
    is_mine = False
    if game_id and seen is not None and not caller().is_unknown:
        is_mine = speaks_as(game_id) == seen.seat
    return {"vault": vault.view(), "vault_in_game": seen, "is_mine": is_mine}


def _require_hands() -> Hands:
    """Return the hands that move a simulated vault; refuse a real one."""
    hands = fitted_vault().hands
    if hands is None:
        raise Problem(
            409,
            "not_yours",
            say("this page only shows the vault, because the vault is a real one"),
            say("use its own wheel and buttons"),
        )
    return hands


def _read_word(name: str, words: tuple[str, ...]) -> str:
    """Read a field that must hold one of *words*."""
    word = text(request.form, name)
    if word not in words:
        expected = say("{field} as {wanted}", field=name, wanted=" or ".join(words))
        raise unexpected(expected, repr(word[:40]))
    return word


def _read_whole_number(name: str, low: int, high: int, default: str = "") -> int:
    """Read a field that must hold a whole number from *low* to *high*."""
    value = text(request.form, name) or default
    if WHOLE_NUMBER.fullmatch(value) and low <= int(value) <= high:
        return int(value)
    expected = say(
        "{field} as a whole number in {low}..{high}", field=name, low=low, high=high
    )
    raise unexpected(expected, repr(value[:40]))
