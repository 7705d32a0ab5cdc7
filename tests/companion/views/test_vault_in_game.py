"""The scene of the vault: what a game and a lock make of it, and nothing else."""

from __future__ import annotations

import itertools
from dataclasses import replace as with_state

import pytest
from msgspec.structs import replace

from companion.game.position import (
    FORCED,
    LOCKED,
    OPEN,
    OPENING,
    SHUT,
    Position,
    Token,
    VaultContents,
)
from companion.game.vault_contents_events import GuessMade, RichesTaken
from companion.lock.states import VaultState
from companion.lock.view import Lid, VaultView
from companion.units import Seat
from companion.views.vault_in_game import (
    HEADLINES,
    PROGRESS,
    STEPS,
    Scene,
    find_wrong_guess,
    scene_of,
    steps_of,
)
from tests.sample import each

LIDS = (LOCKED, OPENING, OPEN, SHUT, FORCED)
RED = Seat("red")
WRONG, RIGHT = (
    GuessMade(
        seat=RED,
        number=number,
        is_right=is_right,
        is_due=True,
        is_lid_up=True,
        is_told=False,
    )
    for number, is_right in ((2, False), (4, True))
)
TAKEN = RichesTaken(seat=RED, keys=0, hotels=0, money=400)
LOCK = VaultView(
    state=VaultState.LOCKED,
    lid=Lid.SHUT,
    number=1,
    tries_count=0,
    rest_s=0,
    yellow_count=0,
    fault="",
    is_writable=True,
    device="a vault",
    has_hands=True,
)


def standing(base: str = "roll", **contents: object) -> Position:
    return Position(
        tokens=(Token(RED),),
        owners=(),
        levels=(),
        mortgaged=(),
        pieces=(),
        piles=(),
        base=base,
        vault_contents=VaultContents(**contents),  # type: ignore[arg-type]
    )


@each(
    ("play", "latest", "scene"),
    [
        (standing(), (), Scene.IDLE),
        (standing("guess"), (), Scene.DUE),
        (standing(), (WRONG,), Scene.WRONG),
        (standing("guess"), (WRONG,), Scene.DUE),  # The other die led to a guess.
        (standing(), (RIGHT,), Scene.IDLE),
        (standing(lid=OPENING), (RIGHT,), Scene.OPENING),
        (standing(lid=OPEN, is_empty=True, found=1), (TAKEN,), Scene.RICHES),
        (standing(lid=OPEN, is_empty=True, found=1), (), Scene.RICHES),
        (standing(lid=OPEN, is_empty=True), (TAKEN,), Scene.RICHES),
        (standing(lid=OPEN, is_empty=True), (), Scene.REFILL),
        (standing(lid=SHUT, is_empty=True), (), Scene.REFILL),
        (standing("guess", lid=OPEN), (), Scene.REFILL),  # It has to be locked first.
        (standing(lid=LOCKED, found=1), (), Scene.REFILL),
        (standing(lid=FORCED), (), Scene.FORCED),
    ],
)
def test_a_scene_follows_from_lid_stage_and_newest_events(
    play: Position, latest: tuple[object, ...], scene: Scene
) -> None:
    assert scene_of(play, LOCK, latest) is scene
    assert scene_of(play, None, latest) is scene


@pytest.mark.parametrize(
    ("state", "scene"),
    [
        (VaultState.JAMMED, Scene.JAMMED),
        (VaultState.FAULT, Scene.FAULT),
        (VaultState.FORCED, Scene.FORCED),
    ],
)
def test_what_needs_hands_goes_before_the_game(state: VaultState, scene: Scene) -> None:
    for lid in LIDS:
        lock = with_state(LOCK, state=state)
        assert scene_of(standing(lid=lid), lock) is scene


def test_a_vault_that_cannot_write_needs_a_grown_up() -> None:
    lock = with_state(LOCK, is_writable=False)
    assert scene_of(standing("guess"), lock) is Scene.FAULT


def test_only_a_wrong_guess_is_a_miss() -> None:
    assert find_wrong_guess((RIGHT, TAKEN)) is None
    assert find_wrong_guess((TAKEN, WRONG)) is WRONG


def test_every_scene_has_a_headline_and_every_lid_one_of_them() -> None:
    assert set(HEADLINES) == set(Scene)
    stages = ("roll", "guess", "buy", "over")
    for lid, stage, found in itertools.product(LIDS, stages, (0, 1)):
        assert scene_of(standing(stage, lid=lid, found=found)) in HEADLINES


def now(contents: VaultContents) -> list[str]:
    return [
        str(step.words) for step in steps_of(contents, has_lock=True) if step.is_now
    ]


def test_the_first_filling_has_nothing_to_take_out() -> None:
    steps = steps_of(VaultContents(lid=OPEN), has_lock=True)
    assert [x.words for x in steps] == [STEPS[x] for x in ("fill", "close", "lock")]
    assert now(VaultContents(lid=SHUT)) == [STEPS["lock"]]


def test_where_no_lock_feels_the_lid_the_steps_go_on_to_locking() -> None:
    for contents in (VaultContents(lid=OPEN), VaultContents(lid=OPEN, is_empty=True)):
        steps = steps_of(contents, has_lock=False)
        now = [step.words for step in steps if step.is_now]
        assert now[-3:] == [STEPS[x] for x in ("fill", "close", "lock")]


def test_an_opening_is_emptied_its_key_used_and_filled_again() -> None:
    opened = VaultContents(lid=OPEN, is_empty=True, found=1, taken_keys=1)
    assert [x.words for x in steps_of(opened, has_lock=True)] == list(STEPS.values())
    assert now(opened) == [STEPS["take"], STEPS["key"]]
    used = replace(opened, found=0)
    assert now(used) == [STEPS["fill"], STEPS["close"]]
    shut = replace(used, lid=SHUT)
    assert now(shut) == [STEPS["lock"]]
    assert [x.is_done for x in steps_of(shut, has_lock=True)] == [True] * 4 + [False]
    assert steps_of(VaultContents(lid=LOCKED), has_lock=True) == ()


def test_without_a_key_no_street_is_to_be_chosen() -> None:
    steps = steps_of(
        VaultContents(lid=OPEN, is_empty=True, taken_hotels=1), has_lock=True
    )
    assert STEPS["key"] not in [step.words for step in steps]


def test_locked_too_early_only_the_key_is_left() -> None:
    assert now(VaultContents(lid=LOCKED, found=1, taken_keys=1)) == [STEPS["key"]]


def test_what_was_put_in_again_stays_inside_while_a_key_is_left() -> None:
    steps = steps_of(VaultContents(lid=OPEN, found=1), has_lock=True)
    assert [x.name for x in steps] == ["key", "fill", "close", "lock"]
    assert now(VaultContents(lid=OPEN, found=1)) == [STEPS["key"]]


def test_no_step_is_done_and_now() -> None:
    for done, at_it in PROGRESS.values():
        assert not set(done) & set(at_it)
        assert {*done, *at_it} <= set(STEPS)
