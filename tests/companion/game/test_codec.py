"""Every event comes back from its JSON as it was."""

from __future__ import annotations

import enum
import json
import random
import types
from functools import cache
from typing import Annotated, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.errors import Malformed
from companion.game.codec import entries_to_json, events_from_json, events_to_json
from companion.game.events import GameEvent, GameOpened, Terms
from companion.game.journal import Entry
from companion.game.ledger import Reason
from companion.lock.events import SecretCode, VaultEvent, VaultLocked
from companion.units import Account, Revision, TimeMs
from tests.sample import each

ODD_NAMES = (
    "<script>alert(1)</script>",
    "\u05d3\u05e0\u05d9 & \u0645\u0646\u0649",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467\U0001f1fa\U0001f1e6",
    'quote " and \\ and \u2028',
    "\x00\x1f",
    "x" * 10_000,
)
PATIENT = settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
"""A rulebook takes a while to make up, longer on a busy machine."""

TEXT = st.text(max_size=40) | st.sampled_from(ODD_NAMES)
WHOLE = st.integers(-(2**62), 2**62)


@cache
def strategy(hint: object) -> st.SearchStrategy[object]:
    """Return a strategy for values of a field's type."""
    hint = getattr(hint, "__supertype__", hint)
    if get_origin(hint) is Annotated:
        kind, *marks = get_args(hint)
        return _bounded(
            kind, [mark for mark in marks if isinstance(mark, msgspec.Meta)]
        )
    if get_origin(hint) is Literal:
        return st.sampled_from(get_args(hint))
    if get_origin(hint) is dict:
        return st.dictionaries(*map(strategy, get_args(hint)), max_size=2)
    if get_origin(hint) in (Union, types.UnionType):
        return st.one_of(*map(strategy, get_args(hint)))
    if get_origin(hint) is tuple:
        return _tuples(get_args(hint))
    if hint is type(None):
        return st.none()
    if hint is msgspec.UnsetType:
        return st.just(msgspec.UNSET)
    if hint is bool:
        return st.booleans()
    if hint is int:
        return WHOLE
    if hint is str:
        return TEXT
    assert isinstance(hint, type), hint
    if issubclass(hint, enum.Enum):
        return st.sampled_from(list(hint))
    assert issubclass(hint, msgspec.Struct), hint
    hints = get_type_hints(hint, include_extras=True)
    fields = {
        field.name: strategy(hints[field.name])
        for field in msgspec.structs.fields(hint)
    }
    return st.builds(hint, **fields)


def _bounded(kind: object, marks: list[msgspec.Meta]) -> st.SearchStrategy[object]:
    """Return a strategy for values of *kind* within the bounds of an edition's file."""
    lowest = max((mark.ge for mark in marks if mark.ge is not None), default=None)
    least = max((mark.min_length for mark in marks if mark.min_length), default=0)
    if kind is int and lowest is not None:
        return st.integers(int(lowest), int(lowest) + 1)
    if kind is str and least:
        return st.text(min_size=least, max_size=least + 1)
    if get_origin(kind) is tuple and least:
        of = strategy(get_args(kind)[0])
        return st.lists(of, min_size=least, max_size=least + 1).map(tuple)
    return strategy(kind)


def _tuples(hints: tuple[object, ...]) -> st.SearchStrategy[object]:
    if hints[1:] == (...,):
        return st.lists(strategy(hints[0]), max_size=2).map(tuple)
    return st.tuples(*map(strategy, hints))


EVENTS: tuple[type[msgspec.Struct], ...] = (
    *get_args(GameEvent),
    *get_args(VaultEvent),
)


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.__name__)
@PATIENT
@given(data=st.data())
def test_an_event_comes_back_as_it_was(
    kind: type[msgspec.Struct], data: st.DataObject
) -> None:
    events = (data.draw(strategy(kind)),)
    text = events_to_json(events)  # type: ignore[arg-type]
    assert events_from_json(text) == events
    assert json.loads(text)[0]["type"] == kind.__name__
    assert events_to_json(events_from_json(text)) == text


@PATIENT
@given(st.lists(st.deferred(lambda: st.one_of(*map(strategy, EVENTS))), max_size=5))
def test_several_events_keep_their_order(events: list[object]) -> None:
    several = tuple(events)
    assert events_from_json(events_to_json(several)) == several  # type: ignore[arg-type]


@each(
    "text",
    [
        b"",
        b"{}",
        b"[",
        b"null",
        b"[1]",
        b'[{"type":"Cheated"}]',
        b'[{"payer":"red"}]',
        b'[{"type":"MoneyMoved","payer":"red","payee":"blue","amount":1.5,'
        b'"reason":"rent"}]',
        b'[{"type":"MoneyMoved","payer":"red","payee":"blue","amount":"1",'
        b'"reason":"rent"}]',
        b'[{"type":"MoneyMoved","payer":"red","payee":"blue","amount":1,'
        b'"reason":"fun"}]',
        b'[{"type":"MoneyMoved","payer":"red"}]',
        b'[{"type":"VaultLocked","code":[7],"number":1}]',
        b'[{"type":"VaultLocked","code":[4],"number":0}]',
        b"\xff\xfe",
        b'[{"type":"SeatRemoved","seat":"r\xe5d"}]',
        b'[{"type":"SeatRemoved","x":' + b"[" * 100_000,
    ],
)
def test_what_is_no_list_of_events_is_malformed(text: bytes) -> None:
    with pytest.raises(Malformed, match="expected a list of events"):
        events_from_json(text)


def test_flipped_bytes_are_read_or_malformed_and_nothing_else() -> None:
    draw = random.Random(4)
    terms = Terms("classic", 1500, 200)
    whole = events_to_json((GameOpened(name="Größe", terms=terms, banker="bank"),))
    refused = 0
    for _ in range(3_000):
        text = bytearray(whole)
        for _ in range(draw.randint(1, 3)):
            text[draw.randrange(len(text))] = draw.randrange(256)
        try:
            events_from_json(bytes(text))
        except Malformed:
            refused += 1
    assert 1_500 < refused < 3_000


def test_a_field_that_came_later_does_not_stop_an_older_program() -> None:
    text = b'[{"type":"TableLocked","colour":"new"}]'
    assert len(events_from_json(text)) == 1


@given(strategy(VaultLocked))
def test_the_code_is_written_down_but_never_shown(event: object) -> None:
    assert isinstance(event, VaultLocked)
    text = events_to_json((event,))
    assert events_from_json(text) == (event,)
    for shown in (repr(event), str(event), f"{event}", repr(event.code)):
        assert f"[{event.code.number}]" not in shown
        assert "hidden" in shown


def test_an_exported_game_is_one_document_that_people_can_read() -> None:
    moved = events_from_json(
        b'[{"type":"MoneyMoved","payer":"red","payee":"blue","amount":50,'
        b'"reason":"rent"}]'
    )
    entry = Entry(Revision(1), "command-1", "red", TimeMs(5), moved)
    document = json.loads(
        b"".join(entries_to_json("\U0001f3e6 <Friday>", (entry, entry)))
    )
    assert document["format"] == "table-companion game 1"
    assert document["name"] == "\U0001f3e6 <Friday>"
    assert len(document["entries"]) == 2
    assert document["entries"][0]["events"][0] == {
        "type": "MoneyMoved",
        "payer": Account("red"),
        "payee": Account("blue"),
        "amount": 50,
        "reason": Reason.RENT.value,
    }


def test_a_code_outside_the_wheel_does_not_come_back() -> None:
    bad = VaultLocked(code=SecretCode(9), number=1)
    with pytest.raises(Malformed) as caught:
        events_from_json(events_to_json((bad,)))
    assert "9" not in str(caught.value)
