"""JSON for programs: sentences and amounts go in as plain text, anywhere."""

from __future__ import annotations

import json

import pytest

from companion.as_json import to_json
from companion.health import Condition, Finding
from companion.words import say
from companion.words.money import dollars_text


def test_sentences_and_amounts_are_plain_text_wherever_they_stand() -> None:
    said = say("{who} owes {amount}", who="Ada", amount=dollars_text(1200))
    mixed = {said: [said, (dollars_text(5),)]}
    assert json.loads(to_json(mixed)) == {
        "Ada owes $1,200": ["Ada owes $1,200", ["$5"]]
    }


def test_what_has_no_form_in_json_is_named() -> None:
    with pytest.raises(NotImplementedError, match="object has no form"):
        to_json({"vault": object()})


def test_the_order_of_keys_can_be_settled() -> None:
    assert to_json({"b": 1, "a": 2}, is_sorted=True) == b'{"a":2,"b":1}'


def test_a_finding_of_health_keeps_its_words() -> None:
    finding = Finding("lock.coil", Condition.WARN, say("it rests"), say("wait"))
    assert json.loads(to_json(finding))["words"] == "it rests"
