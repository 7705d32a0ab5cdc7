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
    ("wait_ms", "words"),
    [(1, "in 1 second."), (1000, "in 1 second."), (1001, "in 2 seconds.")],
)
def test_resting_coil_says_how_long(wait_ms: int, words: str) -> None:
    view = replace(VIEW, state=VaultState.JAMMED, coil_wait_ms=wait_ms)
    assert view.sentence.endswith(words)
    assert replace(VIEW, coil_wait_ms=wait_ms).sentence == VIEW.sentence


@pytest.mark.parametrize(
    ("wait_ms", "words"),
    [(1, "in 1 minute."), (60_001, "in 2 minutes."), (240_000, "in 4 minutes.")],
)
def test_a_vault_that_is_not_yet_charged_says_so(wait_ms: int, words: str) -> None:
    view = replace(VIEW, state=VaultState.JAMMED, charge_wait_ms=wait_ms)
    assert view.sentence.startswith("The vault is not yet charged.")
    assert view.sentence.endswith(words)
    assert "must rest" in replace(view, coil_wait_ms=1).sentence
    assert replace(VIEW, charge_wait_ms=wait_ms).sentence == VIEW.sentence


def test_fault_says_its_reason() -> None:
    view = replace(VIEW, state=VaultState.FAULT, fault=say("the coil is cold"))
    assert view.sentence == "The vault needs a grown-up: the coil is cold."
    drivers = replace(view, fault="GPIO18 of /dev/gpiochip0 is in use by 'lcd'")
    assert drivers.sentence == "The vault needs a grown-up."


def test_full_disk_comes_before_all_else() -> None:
    assert "disk full" in replace(VIEW, is_writable=False).sentence
