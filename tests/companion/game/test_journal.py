"""The journal: entries are only added, and an undo is one of them."""

from __future__ import annotations

import pytest

from companion.errors import Refused, Why
from companion.game import commands as c
from companion.game import events as e
from companion.game.journal import WINDOW, Entry, Journal
from companion.game.ledger import Reason
from companion.lock.events import LidShut
from companion.units import Account, Revision, Seat, TimeMs
from tests.sample import each
from tests.scene import TERMS, Play, ask, pay, sitting

RED, BLUE = Account("red"), Account("blue")


def why(play: Play, command: c.Command) -> Why | None:
    try:
        play.give(command)
    except Refused as refused:
        return refused.why
    return None


def test_an_undo_takes_back_the_last_action_and_a_redo_restores_it() -> None:
    play = Play("red", "blue")
    before = play.game.ledger
    after = play.give(pay("red", "blue", 50)).ledger
    assert play.give(c.Undo(by="red")).ledger == before
    assert play.give(c.Redo(by="red")).ledger == after
    assert len(play.entries) == 6, "nothing was erased"
    assert not play.journal.is_undone(4)


def test_undos_go_back_one_by_one_and_redos_come_forward_in_order() -> None:
    play = Play("red", "blue")
    for amount in (1, 2, 4):
        play.give(pay("red", "blue", amount))
    sums = [play.give(c.Undo(by="red")).ledger[BLUE] - 1_500 for _ in range(3)]
    assert sums == [3, 1, 0]
    assert why(play, c.Undo(by="red")) is Why.NOT_UNDOABLE
    sums = [play.give(c.Redo(by="red")).ledger[BLUE] - 1_500 for _ in range(3)]
    assert sums == [1, 3, 7]
    assert why(play, c.Redo(by="red")) is Why.NOT_UNDOABLE


def test_a_new_action_ends_the_way_forward() -> None:
    play = Play("red", "blue")
    play.give(pay("red", "blue", 1), c.Undo(by="red"), pay("red", "blue", 2))
    assert why(play, c.Redo(by="red")) is Why.NOT_UNDOABLE


@pytest.mark.parametrize(
    "neutral",
    [
        c.RenameSeat(by="red", seat=Seat("red"), name="Ann"),
        c.LockTable(by=c.TABLE),
        sitting("green"),
        c.HandBanker(by=c.TABLE, to=Seat("blue")),
    ],
    ids=lambda command: type(command).__name__,
)
def test_what_is_no_money_stays_when_money_before_it_is_undone(
    neutral: c.Command,
) -> None:
    play = Play("red", "blue")
    play.give(pay("red", "blue", 50), neutral, c.Undo(by="red"))
    other = Play("red", "blue")
    other.give(neutral)
    assert play.game.seats == other.game.seats
    assert play.game.ledger == other.game.ledger
    assert play.game.is_locked == other.game.is_locked
    assert play.game.banker == other.game.banker
    assert play.replayed() == play.game


def test_nothing_before_a_seat_left_can_be_undone_or_redone() -> None:
    play = Play("red", "blue", "green")
    play.give(pay("red", "blue", 1), pay("red", "blue", 2), c.Undo(by="red"))
    play.give(c.RemoveSeat(by=c.TABLE, seat=Seat("green")))
    for command in (c.Undo(by=c.TABLE), c.Redo(by=c.TABLE)):
        assert why(play, command) is Why.NOT_UNDOABLE


def test_a_closed_and_reopened_game_can_still_be_undone() -> None:
    play = Play("red", "blue")
    play.give(pay("red", "blue", 5), c.CloseGame(by=c.TABLE), c.ReopenGame(by=c.TABLE))
    assert play.give(c.Undo(by="red")).ledger[BLUE] == 1_500


def test_a_paid_request_is_open_again_after_an_undo() -> None:
    play = Play("red", "blue")
    play.give(ask("red", "blue", 60))
    waiting = play.game.asks
    play.give(c.PayAsk(by="blue", number=1))
    assert play.give(c.Undo(by="blue")).asks == waiting
    assert play.game.ledger[RED] == 1_500


def test_a_request_never_gets_the_number_of_one_that_was_undone() -> None:
    """Or a page from before the undo would pay something else."""
    play = Play("red", "blue")
    play.give(ask("red", "blue", 1), c.Undo(by="red"), ask("red", "blue", 1_000))
    assert [ask.number for ask in play.game.asks] == [2]
    assert why(play, c.PayAsk(by="blue", number=1)) is Why.NOT_ASKED
    assert play.replayed() == play.game


def test_who_gave_the_bank_away_cannot_redo_what_it_gave() -> None:
    play = Play("red", "blue")
    play.give(
        c.HandBanker(by=c.TABLE, to=Seat("red")),
        pay("bank", "red", 500, "red"),
        c.Undo(by="red"),
        c.HandBanker(by="red", to=Seat("blue")),
    )
    assert why(play, c.Redo(by="red")) is Why.NOT_UNDOABLE
    assert play.game.ledger[RED] == 1_500
    assert play.replayed() == play.game


def test_a_seat_takes_back_only_its_own() -> None:
    play = Play("red", "blue")
    play.give(pay("red", "blue", 5))
    assert why(play, c.Undo(by="blue")) is Why.NOT_YOURS
    play.give(c.Undo(by=c.TABLE))
    assert why(play, c.Redo(by="blue")) is Why.NOT_YOURS
    assert why(play, c.Redo(by="red")) is None


def test_an_undo_within_the_window_reads_nothing_again() -> None:
    play = Play("red", "blue")

    def no_reread(_after: int) -> list[Entry]:
        raise AssertionError("the journal was read again")

    journal = Journal(no_reread)
    for entry in play.entries:
        journal.append(entry)
    for number in range(WINDOW - 2):
        journal.append(_entry(journal, _pays(1 + number % 3)))
    assert journal.game is not None
    oldest_undo = journal.game.undo_next
    assert oldest_undo is not None
    journal.append(_entry(journal, e.Undone(revision=oldest_undo)))


def _pays(amount: int) -> e.MoneyMoved:
    return e.MoneyMoved(payer=RED, payee=BLUE, amount=amount, reason=Reason.OTHER)


def _entry(journal: Journal, *events: e.GameEvent) -> Entry:
    revision = Revision(journal.revision + 1)
    return Entry(revision, f"command-{revision}", "red", TimeMs(0), events)


IMPOSSIBLE: dict[str, tuple[e.GameEvent | LidShut, ...]] = {
    "opened twice": (e.GameOpened(name="Again", terms=TERMS, banker="bank"),),
    "more than there is": (_pays(1_501),),
    "nothing": (_pays(0),),
    "undo of nothing": (e.Undone(revision=Revision(1)),),
    "redo of nothing": (e.Redone(revision=Revision(1)),),
    "a lid": (LidShut(),),
}


@each("name", IMPOSSIBLE)
def test_what_cannot_have_happened_stops_the_program(name: str) -> None:
    play = Play("red", "blue")
    entry = Entry(Revision(4), "command-4", "red", TimeMs(0), IMPOSSIBLE[name])
    before = play.game
    with pytest.raises(AssertionError):
        play.journal.append(entry)
    assert play.game == before


@pytest.mark.parametrize("revision", [0, 3, 5])
def test_revisions_leave_no_gap(revision: int) -> None:
    play = Play("red", "blue")
    with pytest.raises(AssertionError, match="expected revision 4"):
        play.journal.append(
            _entry(play.journal).__class__(
                Revision(revision), "command-x", "red", TimeMs(0), (_pays(1),)
            )
        )


def test_a_journal_begins_with_its_opening() -> None:
    journal = Journal(lambda _: ())
    with pytest.raises(AssertionError, match="GameOpened"):
        journal.append(_entry(journal, e.TableLocked()))


def test_entries_come_from_memory_as_long_as_all_of_them_are_there():
    play = Play("red", "blue")
    play.give(*(pay("red", "blue", 1) for _ in range(WINDOW + 5)))
    journal, last = play.journal, play.journal.revision
    oldest = last - WINDOW
    for after, until in (
        (oldest, last),
        (last - 1, last),
        (last, last),
        (last, 0),
        (last - 9, last - 4),
    ):
        assert journal.kept(after, until) == tuple(play.entries[after:until])
    assert journal.kept(oldest - 1, last) is None
    assert Journal(lambda _: ()).kept(0, 0) == ()
