from __future__ import annotations

import traceback
from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import Malformed
from companion.lock import events as e
from companion.lock.states import HOLDS_CODE, VaultState
from companion.units import GameId
from tests.sample import each

CODE = e.SecretCode(4)
AWAKE = (e.VaultAwoke(is_lid_shut=True),)
LOCKED = (*AWAKE, e.VaultLocked(CODE, 2))

EXAMPLES: tuple[e.VaultEvent, ...] = (
    e.VaultAwoke(is_lid_shut=True),
    e.VaultAwoke(is_lid_shut=False),
    e.VaultLocked(CODE, 2),
    e.NumberGuessed(4, True),
    e.NumberGuessed(3, False),
    e.ReleaseStarted(5),
    e.ReleaseDelayed(2500),
    e.ReleaseTimedOut(),
    e.LidOpened(),
    e.LidShut(),
    e.VaultFaulted("the coil is cold"),
    e.FaultCleared(),
    e.WheelSet(6),
)


def test_examples_are_complete() -> None:
    assert {type(event) for event in EXAMPLES} == set(get_args(e.VaultEvent))


@each("event", EXAMPLES)
def test_event_is_written_and_read_back_equal(event: e.VaultEvent) -> None:
    text = msgspec.json.encode(event)
    assert msgspec.json.decode(text, type=e.VaultEvent) == event
    assert msgspec.json.decode(text)["type"] == type(event).__name__


@each(
    "text",
    [
        b'{"type":"VaultLocked","code":[7],"number":2}',
        b'{"type":"VaultLocked","code":4,"number":2}',
        b'{"type":"NumberGuessed","number":0,"is_right":true}',
        b'{"type":"WheelSet","number":"3"}',
        b'{"type":"VaultMelted"}',
    ],
)
def test_nonsense_is_not_read(text: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=e.VaultEvent)


def test_code_does_not_show() -> None:
    memory = e.remember(LOCKED)
    assert memory.code == CODE
    for shown in (
        repr(CODE),
        str(CODE),
        f"{CODE}",
        f"{CODE!r:>30}",
        repr(e.VaultLocked(CODE, 2)),
        repr(memory),
        repr(list(CODE.__rich_repr__())),
    ):
        assert "4" not in shown


def test_code_does_not_show_in_a_traceback() -> None:
    try:
        e.remember((*LOCKED, e.WheelSet(9)))
    except Malformed as error:
        text = "".join(
            traceback.TracebackException.from_exception(
                error, capture_locals=True
            ).format()
        )
    assert "hidden" in text
    assert "SecretCode(4" not in text
    assert "number=4" not in text


def test_memory_of_a_whole_evening() -> None:
    memory = e.remember((*LOCKED, e.NumberGuessed(1, False), e.NumberGuessed(3, False)))
    assert memory == e.VaultMemory(VaultState.LOCKED, CODE, 3, 2, wrong_number=3)
    memory = memory.after(e.NumberGuessed(4, True))
    assert memory == e.VaultMemory(VaultState.RELEASING, None, 4, 2, wrong_number=3)
    memory = memory.after(e.ReleaseTimedOut())
    assert memory.state is VaultState.JAMMED
    memory = e.remember((e.ReleaseStarted(4), e.VaultFaulted("cold")), memory)
    assert memory == e.VaultMemory(VaultState.FAULT, None, 4, 2, "cold", 3)
    memory = e.remember((e.FaultCleared(), e.LidOpened(), e.LidShut()), memory)
    assert memory == e.VaultMemory(VaultState.SHUT, None, 4, 2, wrong_number=3)
    memory = memory.after(e.VaultLocked(CODE, 1))
    assert (memory.tries_count, memory.wrong_number) == (0, 0)
    in_game = e.NumberGuessed(2, False, GameId("game"), "red")
    memory = e.remember((e.NumberGuessed(1, False), in_game), memory)
    assert (memory.tries_count, memory.wrong_number) == (2, 0)


def test_forced_lid_keeps_the_code_until_a_person_says_otherwise() -> None:
    forced = e.remember((*LOCKED, e.LidOpened()))
    assert (forced.state, forced.code) == (VaultState.FORCED, CODE)
    assert forced.after(e.LidShut()).code == CODE
    assert forced.after(e.FaultCleared()).code is None


def test_any_number_opens_where_there_is_no_code() -> None:
    assert [n for n in range(1, 7) if e.remember(AWAKE).opens_at(n)] == [*range(1, 7)]
    assert [n for n in range(1, 7) if e.remember(LOCKED).opens_at(n)] == [4]


@pytest.mark.parametrize(
    "before",
    [
        AWAKE,
        LOCKED,
        (*LOCKED, e.NumberGuessed(4, True)),
        (*LOCKED, e.NumberGuessed(4, True), e.VaultFaulted("the coil is cold")),
    ],
    ids=["shut", "locked", "releasing", "fault"],
)
@each(
    "event",
    [
        e.VaultAwoke(is_lid_shut=True),
        e.NumberGuessed(4, True),
        e.NumberGuessed(3, True),
        e.ReleaseTimedOut(),
        e.LidOpened(),
        e.FaultCleared(),
        e.VaultFaulted("the coil is cold"),
    ],
)
def test_event_that_a_failing_disk_kept_twice_counts_once(before, event) -> None:
    once = e.remember((*before, event))
    assert once.after(event) == once


def test_event_that_cannot_follow_changes_nothing() -> None:
    assert e.remember((*LOCKED, e.ReleaseTimedOut())) == e.remember(LOCKED)


@given(st.lists(st.sampled_from(EXAMPLES), max_size=30))
def test_code_is_held_exactly_where_the_table_says(events) -> None:
    memory = e.VaultMemory()
    for event in events:
        memory = memory.after(event)
        holds = memory.code is not None
        assert holds == (memory.state in HOLDS_CODE)
        assert bool(memory.fault) == (memory.state is VaultState.FAULT)
