"""The home sees what anybody in the room does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.game import commands as c
from companion.lock.states import VaultState
from companion.lock.view import Lid, VaultView
from companion.views.home import HomeSeat, home_view
from tests.sample import each
from tests.scene import Play

VAULT = VaultView(
    state=VaultState.OPEN,
    lid=Lid.OPEN,
    number=4,
    tries_count=2,
    rest_s=0,
    yellow_count=0,
    fault="",
    is_writable=True,
    device="simulated vault",
    has_hands=True,
)


def test_without_game_and_vault_there_is_little_to_see() -> None:
    view = home_view(None, None, is_well=True)
    assert (view.game, view.stage, view.turn) == ("", "no game", "")
    assert view.vault is None
    assert not view.is_in_need
    assert len(view.seats) == 8
    assert {(seat.name, seat.balance) for seat in view.seats} == {("", 0)}


@each(
    ("state", "is_locked", "is_in_need"),
    [
        (VaultState.UNKNOWN, None, False),
        (VaultState.OPEN, False, False),
        (VaultState.SHUT, False, False),
        (VaultState.LOCKED, True, False),
        (VaultState.RELEASING, False, False),
        (VaultState.JAMMED, False, True),
        (VaultState.FORCED, False, True),
        (VaultState.FAULT, None, True),
    ],
)
def test_the_vault_is_seen_from_outside(
    state: VaultState, is_locked: bool | None, is_in_need: bool
) -> None:
    view = home_view(None, replace(VAULT, state=state), is_well=True)
    assert view.vault is not None
    assert view.vault.is_locked is is_locked
    assert view.is_in_need is is_in_need


@pytest.mark.parametrize(
    ("lid", "is_open"), [(Lid.OPEN, True), (Lid.SHUT, False), (Lid.UNKNOWN, None)]
)
def test_a_lid_is_open_shut_or_unknown(lid: Lid, is_open: bool | None) -> None:
    view = home_view(None, replace(VAULT, lid=lid), is_well=True)
    assert view.vault is not None
    assert view.vault.is_lid_open is is_open


def test_whatever_the_wheel_shows_and_was_guessed_the_home_sees_the_same() -> None:
    guessed = replace(VAULT, number=5, tries_count=3, wrong_number=5, yellow_count=2)
    one, other = (home_view(None, x, is_well=True) for x in (VAULT, guessed))
    assert one == other


def test_a_machine_that_is_unwell_is_trouble() -> None:
    assert home_view(None, VAULT, is_well=False).is_in_need


def test_a_game_by_hand_is_nobodys_turn() -> None:
    game = Play("red", "blue").game
    view = home_view(game, None, is_well=True)
    assert (view.game, view.stage, view.turn) == (game.name, "playing", "")
    red = next(seat for seat in view.seats if seat.colour == "red")
    assert red == HomeSeat("red", "Red", game.ledger["red"])


def test_a_game_that_was_put_away_is_over() -> None:
    play = Play("red", "blue")
    play.give(c.CloseGame(by=c.TABLE))
    assert home_view(play.game, None, is_well=True).stage == "over"
