"""The vault's own page: a drawn vault, moved through the very same lock code.

Hands on the page do what hands do: turn, press, push, pull. What came of it is
told by the lock alone, through ``VaultView``; the page never decides, and cannot
tell the code, because it is not told.

On real pins there are no hands: the page shows the vault and moves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from flask import Blueprint, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.errors import Malformed, Refused, Why
from companion.lock.quadrature import NUMBER_COUNT
from companion.lock.states import Stimulus, VaultState, step
from companion.ports import Hands, Line, Signal
from companion.rules import keeps_bank
from companion.units import GameId
from companion.views.vault_in_game import VaultInGame
from companion.words import say
from web.http.auth import caller, is_host
from web.http.errors import Problem, wants_json
from web.http.fields import text
from web.http.language import phones_language
from web.http.live import vault_json
from web.http.panel import VaultControl, panel
from web.http.render import kept_game

blueprint = Blueprint("vault", __name__, url_prefix="/vault")

STEPS_MAX = 60
"""Detents in one post; a page that spins faster sends several."""
PRESSES_MAX = 3
"""Presses in one post: three of yellow, for a page without script."""

WHOLE_NUMBER = re.compile(r"-?[0-9]{1,3}")

BUTTONS: dict[str, tuple[Line, tuple[Stimulus, ...]]] = {
    "m_button": (
        Line.M_BUTTON,
        (Stimulus.M_AT_RIGHT_NUMBER, Stimulus.M_AT_WRONG_NUMBER),
    ),
    "yellow_button": (Line.YELLOW_BUTTON, (Stimulus.YELLOW_PRESSED,)),
}
"""What can be pressed, and what the lock may take the press for."""

LID_MOVES: dict[str, Callable[[Hands], None]] = {
    "shut": lambda hands: hands.shut_lid(),
    "lift": lambda hands: hands.lift_lid(),
    "force": lambda hands: hands.force_lid(),
}

UNSETTLED = frozenset({VaultState.UNKNOWN, VaultState.RELEASING, VaultState.JAMMED})
"""States that end by themselves; a page without script looks again soon."""


@blueprint.get("")
def show() -> ResponseReturnValue:
    """The vault as it is now, with hands where it is simulated."""
    view = _vault().view()
    return render_template(
        "vault.html",
        vault=view,
        vault_json=vault_json(view, phones_language()),
        vault_in_game=_vault_in_game(),
        may_tend=_may_tend(),
        looks_again_s=1 if view.state in UNSETTLED else 0 if view.has_hands else 5,
    )


@blueprint.get("/state")
def state() -> ResponseReturnValue:
    """The same as JSON, for a page whose stream is lost."""
    return jsonify(vault_json(_vault().view(), phones_language()))


@blueprint.get("/scene")
def scene() -> str:
    """The words of the scene, as a part of every page that shows the vault.

    ``?game=`` names the game of the page; without it, the game on the table.
    """
    vault_in_game = _vault_in_game(GameId(text(request.args, "game")))
    return render_template(
        "parts_vault_scene.html", vault=_vault().view(), vault_in_game=vault_in_game
    )


@blueprint.post("/turn")
def turn() -> ResponseReturnValue:
    """Turn the wheel by so many numbers; clockwise is positive."""
    steps = _whole_number("steps", -STEPS_MAX, STEPS_MAX)
    _hands().turn(steps)
    return _done()


@blueprint.post("/press")
def press() -> ResponseReturnValue:
    """Press M or yellow; the answer is what light and sound say at once."""
    line, stimuli = BUTTONS[_one_of("line", tuple(BUTTONS))]
    times = _whole_number("times", 1, PRESSES_MAX, "1")
    hands = _hands()
    answer = sure_answer(_vault().view().state, stimuli)
    for _ in range(times):
        hands.press(line)
    return _done(answer)


@blueprint.post("/lid")
def lid() -> ResponseReturnValue:
    """Push the lid down, pull at it, or break it open."""
    LID_MOVES[_one_of("move", tuple(LID_MOVES))](_hands())
    return _done()


@blueprint.post("/set-wheel")
def set_wheel() -> ResponseReturnValue:
    """The banker says what the pointer shows, after the wheel has slipped."""
    _check_may_tend()
    _vault().set_wheel(_whole_number("number", 1, NUMBER_COUNT))
    return _done()


@blueprint.post("/clear-fault")
def clear_fault() -> ResponseReturnValue:
    """The banker has looked after a fault or a forced lid."""
    _check_may_tend()
    _vault().clear_fault()
    return _done()


def sure_answer(state: VaultState, stimuli: tuple[Stimulus, ...]) -> Signal | None:
    """The signal that each of *stimuli* would get in *state*.

    None where they differ, as on a locked vault: whether the number was right,
    only the lock may tell, once it has written it down.
    """
    signals = {
        effect
        for stimulus in stimuli
        for effect in step(state, stimulus)[1]
        if isinstance(effect, Signal)
    }
    return signals.pop() if len(signals) == 1 else None


def _done(answer: Signal | None = None) -> ResponseReturnValue:
    """Back to the page; a script gets no view, which would be older than the stream."""
    if wants_json():
        return jsonify(ok=True, answer=answer)
    return redirect(url_for("vault.show"), 303)


def _vault_in_game(game_id: GameId | None = None) -> VaultInGame | None:
    """The vault in that game, or in the one on the table, while it is led."""
    coupling, shown = panel().coupling, game_id or panel().table.current()
    if coupling is None or not shown:
        return None
    return coupling.seen(kept_game(shown))


def _vault() -> VaultControl:
    vault = panel().vault
    if vault is None:
        raise Problem(
            404,
            "no_vault",
            say("this table has no vault"),
            say("play without, or fit one"),
        )
    return vault


def _hands() -> Hands:
    hands = _vault().hands
    if hands is None:
        raise Refused(
            Why.NOT_YOURS,
            say("this page only shows the vault, because the vault is a real one"),
            say("use its own wheel and buttons"),
        )
    return hands


def _may_tend() -> bool:
    """Whether this phone is the host's, or keeps the bank of the game on the table."""
    phone, table = caller().phone, panel().table
    game_id = table.current()
    if is_host() or phone is None or game_id is None:
        return is_host()
    by = panel().seating.acts_as(game_id, phone)
    return bool(by) and keeps_bank(table.game(game_id), by)


def _check_may_tend() -> None:
    if not _may_tend():
        raise Refused(
            Why.NOT_YOURS,
            say("only the banker sets the vault right"),
            say("ask the banker"),
        )


def _one_of(name: str, words: tuple[str, ...]) -> str:
    word = text(request.form, name)
    if word not in words:
        wanted = " or ".join(words)
        raise Malformed(f"expected {name} as {wanted}, got {word[:40]!r}")
    return word


def _whole_number(name: str, low: int, high: int, default: str = "") -> int:
    said = text(request.form, name) or default
    if WHOLE_NUMBER.fullmatch(said) and low <= int(said) <= high:
        return int(said)
    wanted = f"a whole number in {low}..{high}"
    raise Malformed(f"expected {name} as {wanted}, got {said[:40]!r}")
