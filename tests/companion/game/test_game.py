"""A game is what its events made of it."""

from __future__ import annotations

from typing import get_args

import pytest

from companion.game import Game, new_game
from companion.game import events as e
from companion.game import game as game_module
from companion.game.events import GameEvent
from companion.game.ledger import Reason
from companion.units import BANK, POT, VAULT, Account, Revision, Seat
from tests.scene import TERMS, VAULT_TERMS, Play

EVENTS: tuple[type[e.Event], ...] = get_args(GameEvent)
RED, BLUE = Account("red"), Account("blue")


def test_every_event_has_a_row_and_every_row_an_event() -> None:
    assert set(game_module._AFTER) == set(EVENTS) == set(e.Event.__subclasses__())


def after(*events: GameEvent) -> Game:
    game = Play("red", "blue").game
    for event in events:
        game = game.after(event)
    return game


def test_a_game_opens_with_nothing_but_what_lies_in_the_vault() -> None:
    plain = new_game(e.GameOpened(name="Friday", terms=TERMS, banker=BANK))
    assert {a: plain.ledger[a] for a in plain.ledger} == {BANK: 0, POT: 0, VAULT: 0}
    full = new_game(e.GameOpened(name="Friday", terms=VAULT_TERMS, banker=BANK))
    assert (full.ledger[VAULT], full.ledger[BANK]) == (500, -500)
    assert (full.seats, full.asks) == ((), ())


@pytest.mark.parametrize(
    "event",
    [
        e.GameOpened(name="Again", terms=TERMS, banker=BANK),
        e.Undone(revision=Revision(1)),
        e.Redone(revision=Revision(1)),
    ],
    ids=lambda event: type(event).__name__,
)
def test_what_the_journal_does_is_not_for_the_game(event: GameEvent) -> None:
    with pytest.raises(AssertionError, match=r"not for Game\.after"):
        after(event)


def test_seats_come_change_and_go() -> None:
    game = after(e.SeatRenamed(seat=Seat("red"), name="Ann"))
    state = game.seat("red")
    assert state is not None
    assert (state.name, state.colour) == ("Ann", "red")
    game = game.after(e.SeatRemoved(seat=Seat("red"), returned=1_500))
    assert game.seat("red") is None
    assert [state.seat for state in game.seats] == ["red", "blue"]
    assert [state.seat for state in game.present()] == ["blue"]
    assert game.ledger[RED] == 0


def test_a_seat_that_leaves_with_nothing_moves_nothing() -> None:
    moved = e.MoneyMoved(payer=RED, payee=BLUE, amount=1_500, reason=Reason.OTHER)
    game = after(moved, e.SeatRemoved(seat=Seat("red"), returned=0))
    assert game.ledger[BLUE] == 3_000


@pytest.mark.parametrize(("now", "bank"), [(2_000, -3_500), (0, -1_500)])
def test_a_correction_is_squared_by_the_bank(now: int, bank: int) -> None:
    game = after(e.BalanceCorrected(account=RED, was=1_500, now=now))
    assert (game.ledger[RED], game.ledger[BANK]) == (now, bank)


def test_locks_closing_and_the_banker_are_switches() -> None:
    game = after(e.TableLocked(), e.GameClosed(), e.BankerChanged(banker="red"))
    assert (game.is_locked, game.is_closed, game.banker) == (True, True, "red")
    game = game.after(e.TableUnlocked()).after(e.GameReopened())
    assert (game.is_locked, game.is_closed) == (False, False)


def test_a_request_is_open_until_it_is_answered() -> None:
    asked = e.MoneyAsked(
        number=1, seat=Seat("red"), payer=BLUE, amount=5, reason=Reason.RENT
    )
    game = after(asked)
    request = game.ask(1)
    assert request is not None
    assert (request.seat, request.payer, request.amount) == ("red", "blue", 5)
    answered = game.after(e.AskAnswered(number=1, answer=e.Answer.DECLINED))
    assert answered.ask(1) is None
    assert answered.asks_count == 1
    assert game.ask(1) is not None, "the older game is as it was"


def test_a_game_is_frozen() -> None:
    game = Play("red").game
    with pytest.raises(AttributeError):
        game.banker = "red"  # type: ignore[misc]
