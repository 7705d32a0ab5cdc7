from __future__ import annotations

import itertools

import pytest

from companion.lock.states import (
    AFTER_RESTART,
    HOLDS_CODE,
    LID_SHUT_IN,
    PRESSES,
    TRANSITIONS,
    Effect,
    Stimulus,
    StimulusRefused,
    VaultState,
    restart,
    step,
)
from companion.ports import Signal
from tests.hardware.wiring.tables import mermaid
from tests.sample import each

S, T = VaultState, Stimulus
PAIRS = list(itertools.product(S, T))
LISTED = [(s, t) for s, t in PAIRS if t in TRANSITIONS[s]]


def test_every_state_has_a_row_in_both_tables() -> None:
    assert list(TRANSITIONS) == list(S)
    assert list(AFTER_RESTART) == list(S)


@each(("state", "stimulus"), PAIRS)
def test_what_is_not_listed_is_refused(state: S, stimulus: T) -> None:
    if (state, stimulus) in LISTED:
        assert step(state, stimulus) == TRANSITIONS[state][stimulus]
    else:
        with pytest.raises(StimulusRefused, match=f"no meaning while .* is {state}"):
            step(state, stimulus)


@each(("state", "press"), itertools.product(S, PRESSES))
def test_every_press_is_answered_by_one_signal(state: S, press: T) -> None:
    _, effects = step(state, press)
    assert sum(isinstance(effect, Signal) for effect in effects) == 1


@each(("state", "stimulus"), LISTED)
def test_coil_goes_on_exactly_on_the_way_to_releasing(state: S, stimulus: T) -> None:
    after, effects = step(state, stimulus)
    is_fired = after is S.RELEASING and state is not S.RELEASING
    assert (Effect.COIL_ON in effects) == is_fired
    if is_fired:
        assert stimulus in (T.M_AT_RIGHT_NUMBER, T.M_AT_WRONG_NUMBER)
        assert state in (S.SHUT, S.LOCKED, S.JAMMED)


@each(("state", "stimulus"), LISTED)
def test_coil_is_switched_off_where_releasing_ends(state: S, stimulus: T) -> None:
    after, effects = step(state, stimulus)
    if state is S.RELEASING and after is not S.RELEASING:
        never_was_on = stimulus is T.RELEASE_DELAYED
        assert (Effect.COIL_OFF in effects) != never_was_on


def test_only_the_right_number_leaves_locked_by_the_latch() -> None:
    assert step(S.LOCKED, T.M_AT_WRONG_NUMBER) == (S.LOCKED, (Signal.WRONG,))
    assert step(S.LOCKED, T.RECODED) == (S.LOCKED, (Signal.WRONG_TIME,))
    leaving = {t for t in TRANSITIONS[S.LOCKED] if step(S.LOCKED, t)[0] is not S.LOCKED}
    assert leaving == {T.M_AT_RIGHT_NUMBER, T.LID_OPENED}


@each("state", [s for s in S if s not in (S.LOCKED,)])
def test_right_and_wrong_differ_only_while_locked(state: S) -> None:
    """Otherwise a press at a wrong time would give the code away."""
    assert step(state, T.M_AT_RIGHT_NUMBER) == step(state, T.M_AT_WRONG_NUMBER)


@each("state", [s for s in S if s is not S.SHUT])
def test_only_a_shut_vault_takes_a_code(state: S) -> None:
    assert step(state, T.RECODED)[0] is state


@each("state", list(LID_SHUT_IN))
def test_lid_against_the_state_is_news_and_settles_it(state: S) -> None:
    news = T.LID_OPENED if LID_SHUT_IN[state] else T.LID_SHUT
    after, _ = step(state, news)
    assert LID_SHUT_IN[after] is not LID_SHUT_IN[state]


@each(("state", "is_shut"), [*itertools.product(S, [False, True])])
def test_restart_agrees_with_the_lid_and_fires_nothing(state: S, is_shut: bool) -> None:
    after = restart(state, is_lid_shut=is_shut)
    assert LID_SHUT_IN.get(after, is_shut) is is_shut
    assert after not in (S.UNKNOWN, S.RELEASING)
    assert restart(after, is_lid_shut=is_shut) is after


def test_restart_keeps_a_code_and_an_owed_opening() -> None:
    assert restart(S.LOCKED, is_lid_shut=True) is S.LOCKED
    assert restart(S.LOCKED, is_lid_shut=False) is S.FORCED
    assert restart(S.RELEASING, is_lid_shut=True) is S.JAMMED
    assert restart(S.RELEASING, is_lid_shut=False) is S.OPEN
    for state in S:
        kept = restart(state, is_lid_shut=True) in HOLDS_CODE
        assert kept == (state in HOLDS_CODE)


def test_every_state_can_be_reached_and_left() -> None:
    reached = {restart(S.UNKNOWN, is_lid_shut=lid) for lid in (False, True)}
    while more := {o[0] for s in reached for o in TRANSITIONS[s].values()} - reached:
        reached |= more
    assert reached == set(S) - {S.UNKNOWN}
    assert all(any(o[0] is not s for o in TRANSITIONS[s].values()) for s in reached)


def test_diagram_has_every_move_of_the_table() -> None:
    drawn = mermaid()
    for state, stimulus in LISTED:
        after, effects = step(state, stimulus)
        if after is not state:
            (line,) = (
                line
                for line in drawn.splitlines()
                if line.startswith(f"    {state} --> {after}: ")
                and stimulus.replace("_", " ") in line
            )
            assert line.endswith("/ COIL") == (Effect.COIL_ON in effects)
