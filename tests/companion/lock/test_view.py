from __future__ import annotations

from dataclasses import fields, replace

import pytest

from companion.lock.states import VaultState
from companion.lock.view import SENTENCES, Lid, VaultView
from companion.words import say
from tests.sample import each

VIEW = VaultView(VaultState.LOCKED, Lid.SHUT, 3, 1, 0, 0, "", True, "a vault", False)


def test_view_has_no_place_for_a_code() -> None:
    assert "code" not in {field.name for field in fields(VaultView)}


@each("state", list(VaultState))
def test_each_state_says_what_to_do(state: VaultState) -> None:
    view = replace(VIEW, state=state)
    assert view.sentence.endswith((".", "again."))
    assert len(view.sentence) <= 80
    if state is not VaultState.FAULT:
        assert view.sentence == SENTENCES[state]


@pytest.mark.parametrize(
    ("waits", "words"),
    [
        ({"rest_s": 1}, "must rest. Press M again in 1 second."),
        ({"rest_s": 2, "charge_min": 4}, "must rest. Press M again in 2 seconds."),
        ({"charge_min": 1}, "not yet be charged. Press M again in 1 minute."),
        ({"charge_min": 4}, "not yet be charged. Press M again in 4 minutes."),
    ],
)
def test_an_opening_that_is_owed_says_how_long(
    waits: dict[str, int], words: str
) -> None:
    view = replace(VIEW, state=VaultState.JAMMED, **waits)
    assert view.sentence.endswith(words)


def test_fault_says_its_reason() -> None:
    view = replace(VIEW, state=VaultState.FAULT, fault=say("the coil is cold"))
    assert view.sentence == "The vault needs a grown-up: the coil is cold."
    drivers = replace(view, fault="GPIO18 of /dev/gpiochip0 is in use by 'lcd'")
    assert drivers.sentence == "The vault needs a grown-up."


def test_full_disk_comes_before_all_else() -> None:
    assert "disk full" in replace(VIEW, is_writable=False).sentence
