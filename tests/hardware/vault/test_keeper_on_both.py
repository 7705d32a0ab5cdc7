"""The whole vault, over the simulated device and over gpiozero's mock pins."""

from __future__ import annotations

import logging

import pytest

from companion.errors import JournalFault
from companion.lock import events as e
from companion.lock.keeper import KeeperSettings
from companion.lock.locksmith import ReleaseSettings
from companion.lock.quadrature import WheelSettings
from companion.lock.senses import SenseSettings
from companion.lock.states import VaultState
from companion.lock.view import Lid, VaultView
from companion.ports import Line, Signal
from hardware.vault.coil import REST_MS
from tests.fakes import FakeClock
from tests.hardware.photos.desk import Desk
from tests.hardware.vault.encoder import TRACES, read_trace
from tests.hardware.vault.rigs import ColdRig, GpioRig, Rig, SimulatedRig
from tests.sample import each

S = VaultState
M, YELLOW = Line.M_BUTTON, Line.YELLOW_BUTTON


def reborn(rig: Rig, *, is_lid_shut: bool) -> Rig:
    """Make the same kind of vault after a power cut, with the lid as it is."""
    new: Rig = type(rig)(FakeClock())
    new.contact(Line.LID, is_lid_shut)
    return new


def test_new_vault_wakes_up_open_and_fires_nothing(rig: Rig) -> None:
    desk = Desk(rig)
    assert desk.state is S.OPEN
    assert desk.written == [e.VaultAwoke(is_lid_shut=False)]
    assert desk.happened == desk.written
    assert rig.coil_levels() == [False]


def test_yellow_three_times_locks_a_shut_vault(rig: Rig) -> None:
    desk = Desk(rig)
    desk.lock()
    assert desk.state is S.LOCKED
    assert desk.events == [e.LidShut(), e.VaultLocked(e.SecretCode(4), 1)]
    assert desk.signals == [Signal.ACCEPTED] * 3 + [Signal.LOCKED]


def test_yellow_three_times_too_slowly_locks_nothing(rig: Rig) -> None:
    desk = Desk(rig)
    desk.lid(is_shut=True)
    for _ in range(3):
        desk.press(YELLOW)
        desk.run(1000)
    assert desk.state is S.SHUT
    assert desk.signals == [Signal.ACCEPTED] * 4
    desk.run(2000)
    assert desk.keeper.view().yellow_count == 0


@pytest.mark.parametrize("is_locked", [False, True])
def test_yellow_at_a_wrong_time_changes_nothing(rig: Rig, is_locked: bool) -> None:
    desk = Desk(rig)
    if is_locked:
        desk.lock()
    before, signals_count = list(desk.written), len(desk.signals)
    desk.code = 2
    desk.press(YELLOW, 3)
    assert desk.written == before
    assert desk.signals[signals_count:] == [Signal.WRONG_TIME] * 3


def test_wrong_number_is_a_clear_no_and_nothing_else(rig: Rig) -> None:
    desk = Desk(rig)
    desk.lock()
    desk.turn_to(3)
    desk.press(M)
    assert desk.state is S.LOCKED
    assert desk.events[-1] == e.NumberGuessed(3, False)
    assert desk.happened[-2:] == [e.NumberGuessed(3, False), Signal.WRONG]
    assert desk.keeper.view().tries_count == 1
    assert rig.coil_levels() == [False]


def test_right_number_opens_and_is_on_disk_before_the_coil(rig: Rig) -> None:
    desk = Desk(rig)
    desk.lock()
    desk.turn_to(4)
    rig.contact(M, True)
    desk.run(2)
    assert desk.happened[-3:] == [e.NumberGuessed(4, True), True, Signal.RIGHT]
    assert rig.coil_levels() == [False, True]
    rig.contact(M, False)
    rig.contact(Line.LID, False)  # The spring lifts it.
    desk.run(60)
    assert desk.state is S.OPEN
    assert desk.events[-1] == e.LidOpened()
    assert rig.coil_levels() == [False, True, False]
    desk.run(3000)
    assert desk.events[-1] == e.LidOpened()
    assert rig.clock.waiting_count == 1  # The next look at the levels, and no more.


def test_wheel_turned_backwards_wraps(rig: Rig) -> None:
    desk = Desk(rig)
    desk.lock()
    desk.turn(-3)
    assert desk.keeper.view().number == 4
    desk.press(M)
    assert desk.events[-1] != e.NumberGuessed(4, False)


def test_shut_vault_without_a_code_opens_at_any_number(rig: Rig) -> None:
    desk = Desk(rig)
    desk.lid(is_shut=True)
    desk.turn(2)
    rig.contact(M, True)
    desk.run(2)
    assert desk.happened[-3:] == [e.ReleaseStarted(3), True, Signal.ACCEPTED]


def jam(desk: Desk) -> None:
    """Give the right number to a lid that does not rise."""
    if isinstance(desk.rig, SimulatedRig):
        desk.rig.device.is_jammed = True
    desk.lock()
    desk.turn_to(4)
    desk.press(M)
    desk.run(1500)


def test_jammed_lid_is_owed_an_opening_at_any_number(rig: Rig) -> None:
    desk = Desk(rig)
    jam(desk)
    assert desk.state is S.JAMMED
    assert desk.signals[-1] is Signal.JAMMED
    desk.press(YELLOW, 3)
    assert desk.state is S.JAMMED
    desk.run(REST_MS)
    desk.turn(1)
    desk.press(M)
    assert desk.events[-2:] == [e.ReleaseTimedOut(), e.ReleaseStarted(5)]
    desk.lid(is_shut=False)
    assert desk.state is S.OPEN


def test_an_opening_before_the_reservoir_is_charged_stays_owed() -> None:
    """Right after power-on the servo has no strength; so no lid rises."""
    rig = ColdRig(FakeClock())
    desk = Desk(rig)
    jam(desk)
    shown: list[VaultView] = []
    desk.keeper.subscribe(shown.append)
    desk.run(REST_MS + 1_000)
    view = shown[-1]  # What every page was told, without a press.
    assert (view, view.state) == (desk.keeper.view(), S.JAMMED)
    assert view.sentence == (
        "The vault may not yet be charged. Press M again in 4 minutes."
    )
    for minutes in (3, 2, 1, 0):
        for _ in range(60):
            rig.clock.advance(1_000)
            desk.keeper.process()
        assert shown[-1].charge_min == minutes
    desk.press(M)
    assert isinstance(desk.events[-1], e.ReleaseStarted)
    desk.lid(is_shut=False)
    assert desk.state is S.OPEN


def test_resting_coil_keeps_the_vault_owed_and_says_how_long(rig: Rig) -> None:
    desk = Desk(rig, settings=KeeperSettings(ReleaseSettings(1000, 1200)))
    jam(desk)
    desk.press(M)
    delayed = desk.events[-1]
    assert isinstance(delayed, e.ReleaseDelayed)
    assert rig.coil_levels() == [False, True, False]
    assert desk.state is S.JAMMED
    assert desk.signals[-1] is Signal.JAMMED
    rest_s = desk.keeper.view().rest_s
    assert 1_000 < rest_s * 1000 <= delayed.rest_ms + 1000
    assert "latch must rest" in desk.keeper.view().sentence
    desk.run(rest_s * 1000)
    assert desk.keeper.view().rest_s == 0
    assert "latch must rest" not in desk.keeper.view().sentence
    desk.press(M)
    assert isinstance(desk.events[-1], e.ReleaseStarted)


def test_forced_lid_sounds_the_alarm_and_the_code_still_stands(rig: Rig) -> None:
    desk = Desk(rig)
    desk.lock()
    desk.lid(is_shut=False)
    assert (desk.state, desk.signals[-1]) == (S.FORCED, Signal.ALARM)
    desk.press(M)
    assert desk.signals[-1] is Signal.WRONG_TIME
    desk.lid(is_shut=True)
    assert desk.state is S.LOCKED
    desk.turn_to(4)
    desk.press(M)
    assert e.NumberGuessed(4, True) in desk.events


def test_shaken_lid_is_no_news(rig: Rig) -> None:
    desk = Desk(rig)
    desk.lock()
    before = list(desk.written)
    for _ in range(20):
        rig.contact(Line.LID, False)
        desk.run(10)
        rig.contact(Line.LID, True)
        desk.run(30)
    assert desk.written == before
    assert desk.keeper.view().lid is Lid.SHUT


def test_broken_coil_is_a_fault_until_a_person_says_otherwise(rig: Rig) -> None:
    desk = Desk(rig)
    desk.lock()
    rig.break_coil()
    desk.turn_to(4)
    desk.press(M)
    assert desk.state is S.FAULT
    fault = desk.events[-1]
    assert isinstance(fault, e.VaultFaulted)
    assert "could not be switched on" in fault.reason
    view = desk.keeper.view()
    assert view.fault == fault.reason
    assert view.sentence == "The vault needs a grown-up."
    assert desk.signals[-1] is Signal.ALARM
    assert Signal.RIGHT not in desk.signals
    desk.press(M)
    assert desk.signals[-1] is Signal.ALARM
    desk.keeper.clear_fault()
    desk.run(1)
    assert desk.state is S.JAMMED
    assert rig.coil_levels()[-1] is False


def test_fault_cleared_over_an_open_lid_is_open(rig: Rig) -> None:
    desk = Desk(rig)
    desk.lock()
    rig.break_coil()
    desk.turn_to(4)
    desk.press(M)
    desk.lid(is_shut=False)
    assert desk.state is S.FAULT
    desk.keeper.clear_fault()
    desk.run(1)
    assert desk.state is S.OPEN


@pytest.mark.parametrize(
    ("is_lid_shut", "state"), [(True, S.LOCKED), (False, S.FORCED)]
)
def test_power_cut_while_locked(rig: Rig, is_lid_shut: bool, state: S) -> None:
    desk = Desk(rig)
    desk.lock()
    desk.turn_to(3)
    desk.press(M)
    again = Desk(reborn(rig, is_lid_shut=is_lid_shut), remembered=desk.written)
    assert again.state is state
    assert again.keeper.view().tries_count == 1
    assert again.keeper.view().number == 3
    assert again.rig.coil_levels() == [False]
    again.lid(is_shut=True)
    again.turn_to(4)
    again.press(M)
    assert again.events[-1] != e.NumberGuessed(4, False)
    assert e.NumberGuessed(4, True) in again.events


@pytest.mark.parametrize(("is_lid_shut", "state"), [(True, S.JAMMED), (False, S.OPEN)])
def test_power_cut_while_the_coil_was_on(rig: Rig, is_lid_shut: bool, state: S) -> None:
    desk = Desk(rig)
    desk.lock()
    desk.turn_to(4)
    rig.contact(M, True)
    desk.run(2)
    assert desk.state is S.RELEASING
    again = Desk(reborn(rig, is_lid_shut=is_lid_shut), remembered=desk.written)
    assert again.state is state
    again.run(3000)
    assert again.rig.coil_levels() == [False]


def test_orderly_stop_remembers_where_the_wheel_stands(rig: Rig) -> None:
    desk = Desk(rig)
    desk.turn(2)
    desk.keeper.stop()
    desk.keeper.stop()
    assert desk.events == [e.WheelSet(3)]
    again = Desk(reborn(rig, is_lid_shut=False), remembered=desk.written)
    assert again.keeper.view().number == 3


def test_power_cut_forgets_no_number_at_which_the_wheel_rested(rig: Rig) -> None:
    desk = Desk(rig)
    desk.turn(2)
    assert desk.events == []  # A turn in one go is one entry, and not yet.
    desk.run(201)
    assert desk.events == [e.WheelSet(3)]
    desk.run(1000)
    assert desk.events == [e.WheelSet(3)]
    again = Desk(reborn(rig, is_lid_shut=False), remembered=desk.written)
    assert again.keeper.view().number == 3


def test_wheel_that_could_not_be_written_is_written_later(rig: Rig) -> None:
    desk = Desk(rig)
    desk.trouble = JournalFault("the disk is full")
    desk.turn(2)
    desk.run(300)
    assert desk.events == []
    assert not desk.keeper.view().is_writable
    desk.trouble = None
    desk.run(1001)
    assert desk.events == [e.WheelSet(3)]
    assert desk.keeper.view().is_writable


def test_nothing_moves_that_could_not_be_written(
    rig: Rig, caplog: pytest.LogCaptureFixture
) -> None:
    desk = Desk(rig)
    desk.lock()
    desk.turn_to(4)
    before, signals_count = list(desk.written), len(desk.signals)
    desk.trouble = JournalFault("the disk is full: free some space")
    with caplog.at_level(logging.ERROR):
        desk.press(M)
    assert (desk.state, desk.written) == (S.LOCKED, before)
    assert rig.coil_levels() == [False]
    assert desk.signals[signals_count:] == [Signal.ALARM]
    assert not desk.keeper.view().is_writable
    assert "the disk is full" in caplog.text
    desk.trouble = None
    desk.press(M)
    assert desk.events[-1] != e.NumberGuessed(4, False)
    assert e.NumberGuessed(4, True) in desk.events
    assert desk.keeper.view().is_writable


def test_lid_that_could_not_be_written_is_written_later(rig: Rig) -> None:
    desk = Desk(rig)
    desk.trouble = OSError("no space left on device")
    desk.lid(is_shut=True)
    assert rig.clock.waiting_count > 0  # Something will wake the worker.
    desk.tries_count = 0
    desk.run(5000)
    assert desk.tries_count == 5
    assert desk.state is S.OPEN
    assert desk.signals == [Signal.ALARM]  # Once, not once a second.
    desk.trouble = None
    desk.run(1001)
    assert desk.state is S.SHUT
    assert desk.events == [e.LidShut()]


def test_foreign_error_text_stays_out_of_the_log(
    rig: Rig, caplog: pytest.LogCaptureFixture
) -> None:
    """A database quotes the values it could not write."""
    desk = Desk(rig)
    desk.trouble = RuntimeError('INSERT ... [parameters: "code":[4]]')
    desk.lock()
    assert desk.state is not S.LOCKED
    assert "RuntimeError" in caplog.text
    assert "code" not in caplog.text


def test_vault_that_cannot_write_at_the_start_wakes_up_later(rig: Rig) -> None:
    rig.contact(Line.LID, True)
    desk = Desk(rig, trouble=OSError("no space left on device"))
    assert desk.state is S.UNKNOWN
    desk.press(M)
    assert desk.signals == [Signal.WRONG_TIME]
    assert rig.coil_levels() == [False]
    desk.trouble = None
    desk.run(1001)
    assert desk.state is S.SHUT
    assert desk.written == [e.VaultAwoke(is_lid_shut=True)]


def test_page_may_guess_and_set_the_wheel(rig: Rig) -> None:
    desk = Desk(rig)
    desk.lock()
    desk.keeper.set_wheel(5)
    desk.run(1)
    assert desk.keeper.view().number == 5
    desk.keeper.guess(2)
    desk.run(1)
    guessed = [e.WheelSet(5), e.NumberGuessed(2, False), e.WheelSet(5)]
    assert desk.events[-3:] == guessed  # The wheel itself still stands at 5.
    assert desk.keeper.view().number == 5
    desk.turn(1)
    assert desk.keeper.view().number == 6


@each("path", sorted(TRACES.glob("*.csv")))
def test_traces_on_mock_pins(path) -> None:
    trace = read_trace(path)
    wheel = WheelSettings(trace.steps_per_detent)
    rig = GpioRig(FakeClock())
    for line, is_active in zip((Line.WHEEL_A, Line.WHEEL_B), trace.rest, strict=True):
        rig.contact(line, is_active)
    desk = Desk(rig, settings=KeeperSettings(senses=SenseSettings(wheel)))
    for edge in trace.edges:
        rig.contact(edge.line, edge.is_active)
        desk.keeper.process()
    assert desk.keeper.view().number == trace.numbers[-1]
    rig.device.close()


def test_watchers_see_each_change_once(rig: Rig) -> None:
    desk = Desk(rig)
    desk.lock()
    desk.run(2500)
    assert [(view.state, view.yellow_count) for view in desk.seen] == [
        (S.OPEN, 0),
        (S.SHUT, 0),
        (S.SHUT, 1),
        (S.SHUT, 2),
        (S.LOCKED, 0),
    ]


def test_no_view_shows_the_code(rig: Rig) -> None:
    codes = {}
    for code in (2, 5):
        desk = Desk(reborn(rig, is_lid_shut=False), code=code)
        desk.lock()
        desk.turn_to(3)
        desk.press(M)
        codes[code] = [repr(view) + view.sentence for view in desk.seen]
    assert codes[2] == codes[5]
