"""What contacts do at their worst: edges lost, late, or too short, and half clicks."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.lock import events as e
from companion.lock.keeper import KeeperSettings
from companion.lock.locksmith import ReleaseSettings
from companion.lock.quadrature import Wheel, WheelSettings
from companion.lock.senses import NS_PER_MS, SenseSettings
from companion.lock.states import VaultState
from companion.ports import Line, Signal
from tests.fakes import FakeClock
from tests.hardware.photos.desk import Desk
from tests.hardware.vault.encoder import CYCLE, spin
from tests.hardware.vault.rigs import GpioRig, Rig

S = VaultState
M, YELLOW, LID = Line.M_BUTTON, Line.YELLOW_BUTTON, Line.LID


def guesses(desk: Desk) -> list[e.NumberGuessed]:
    return [event for event in desk.events if isinstance(event, e.NumberGuessed)]


def test_open_box_is_not_locked_though_nobody_heard_its_lid(rig: Rig) -> None:
    desk = Desk(rig)
    desk.lid(is_shut=True)
    rig.lose(LID, False)
    desk.press(YELLOW, 3)
    assert desk.state is S.OPEN
    assert Signal.LOCKED not in desk.signals


def test_open_box_is_not_locked_by_presses_that_came_all_at_once(rig: Rig) -> None:
    """A busy worker has not had a moment to look since the lid rose."""
    desk = Desk(rig)
    desk.lid(is_shut=True)
    rig.lose(LID, False)
    for _ in range(3):
        rig.contact(YELLOW, True)
        rig.clock.advance(40)
        rig.contact(YELLOW, False)
        rig.clock.advance(40)
    desk.keeper.process()
    assert desk.signals[-1] is Signal.WRONG_TIME
    assert Signal.LOCKED not in desk.signals
    desk.run(60)
    assert desk.state is S.OPEN


def test_lid_forced_unheard_spends_no_guess_and_sounds_the_alarm(rig: Rig) -> None:
    desk = Desk(rig)
    desk.lock()
    rig.lose(LID, False)
    desk.press(M)
    assert desk.state is S.FORCED
    assert guesses(desk) == []
    assert rig.coil_levels() == [False]


def test_open_box_is_not_locked_though_its_journal_could_not_be_written(
    rig: Rig,
) -> None:
    """The lock still takes the lid for shut: it writes first, and then believes."""
    desk = Desk(rig)
    desk.lid(is_shut=True)
    desk.trouble = OSError("busy")
    desk.lid(is_shut=False)
    desk.trouble = None
    desk.press(YELLOW, 3)
    assert Signal.LOCKED not in desk.signals


@pytest.mark.parametrize("ahead_ms", range(45, 55))
def test_lid_that_rises_during_the_last_press_is_not_locked(
    rig: Rig, ahead_ms: int
) -> None:
    """Though lid and press count in the same millisecond."""
    desk = Desk(rig)
    desk.lid(is_shut=True)
    desk.press(YELLOW, 2)
    rig.contact(LID, False)
    desk.run(ahead_ms)
    rig.contact(YELLOW, True)
    desk.run(100)
    assert Signal.LOCKED not in desk.signals


def test_lid_that_rattles_is_not_forced_though_the_end_of_it_is_lost(rig: Rig) -> None:
    desk = Desk(rig)
    desk.lock()
    rig.contact(LID, False)
    desk.keeper.process()
    rig.clock.advance(1)
    rig.lose(LID, True)
    desk.run(300)
    assert Signal.ALARM not in desk.signals


def test_lid_that_rattles_over_a_jammed_latch_has_not_opened(rig: Rig) -> None:
    desk = Desk(rig)
    rig.device.is_jammed = True
    desk.lock()
    desk.turn_to(4)
    desk.press(M)
    assert desk.state is S.RELEASING
    rig.contact(LID, False)
    desk.keeper.process()
    rig.clock.advance(1)
    rig.lose(LID, True)
    desk.run(100)
    assert desk.state is S.RELEASING


def test_lid_is_noticed_within_a_second_though_nothing_else_happens(rig: Rig) -> None:
    desk = Desk(rig)
    rig.lose(LID, True)
    desk.run(1100)
    assert desk.state is S.SHUT


def test_lid_that_rose_unheard_is_not_stuck(rig: Rig) -> None:
    """The release is given up after a second and a half, but not without a look."""
    desk = Desk(rig, settings=KeeperSettings(ReleaseSettings(400, 500)))
    desk.lock()
    desk.turn_to(4)
    rig.contact(M, True)
    desk.run(2)
    rig.contact(M, False)
    rig.device.is_jammed = True  # No spring: only the test moves this lid.
    desk.run(300)
    assert desk.state is S.RELEASING
    rig.lose(LID, False)
    desk.run(200)
    assert desk.state is S.OPEN
    assert Signal.JAMMED not in desk.signals


@pytest.mark.parametrize("pause_ms", [150, 500, 3000])
def test_lost_release_of_m_swallows_no_press(rig: Rig, pause_ms: int) -> None:
    desk = Desk(rig)
    desk.lock()
    rig.contact(M, True)
    desk.run(40)
    rig.lose(M, False)
    desk.run(pause_ms)
    desk.press(M)
    assert len(guesses(desk)) == 2


def test_lost_step_of_the_wheel_is_found_once_it_rests(rig: Rig) -> None:
    desk = Desk(rig)
    for line, is_active in ((Line.WHEEL_A, True), (Line.WHEEL_B, True)):
        rig.contact(line, is_active)
        desk.run(6)
    rig.contact(Line.WHEEL_A, False)
    desk.run(6)
    rig.lose(Line.WHEEL_B, False)
    desk.run(201)
    assert desk.keeper.view().number == 2


def test_spike_on_m_is_no_guess(rig: Rig) -> None:
    desk = Desk(rig)
    desk.lock()
    for _ in range(5):
        rig.contact(M, True)
        desk.keeper.process()
        rig.clock.advance(0.001)
        rig.contact(M, False)
        desk.run(100)
    assert guesses(desk) == []


@pytest.mark.parametrize(("line", "lasts_ms", "late_ms"), [(M, 0.001, 3), (LID, 1, 60)])
def test_spike_is_nothing_to_a_worker_that_is_late(
    rig: Rig, line: Line, lasts_ms: float, late_ms: int
) -> None:
    """When it hears how the spike began, its end waits already."""
    desk = Desk(rig)
    desk.lock()
    rig.contact(line, line is M)
    rig.clock.advance(lasts_ms)
    rig.contact(line, line is LID)
    rig.clock.advance(late_ms)
    desk.keeper.process()
    assert guesses(desk) == []
    assert Signal.ALARM not in desk.signals


def test_spike_whose_end_is_lost_is_no_guess(rig: Rig) -> None:
    desk = Desk(rig)
    desk.lock()
    rig.contact(M, True)
    rig.lose(M, False)
    desk.run(3000)
    assert guesses(desk) == []
    desk.press(M)
    assert len(guesses(desk)) == 1


def test_contact_that_lets_go_for_a_moment_is_one_guess(rig: Rig) -> None:
    desk = Desk(rig)
    desk.lock()
    for level, ms in ((True, 60), (False, 25), (True, 60), (False, 60)):
        rig.contact(M, level)
        desk.run(ms)
    assert len(guesses(desk)) == 1


def test_quick_taps_are_all_heard(rig: Rig) -> None:
    desk = Desk(rig)
    desk.lock()
    desk.press(M, 10)
    assert len(guesses(desk)) == 10


class LatePins(GpioRig):
    """Mock pins that can tell late what they did, each time with its moment."""

    def __init__(self, clock: FakeClock) -> None:
        super().__init__(clock)
        self.kept: list[tuple[Line, float, bool]] = []

    def keep_back(self) -> None:
        """Tell nothing from now on."""
        for line, contact in self.device._contacts.items():

            def keep(ticks: float, state: bool, line: Line = line) -> None:
                self.kept.append((line, ticks, state))

            contact.kept = keep  # type: ignore[attr-defined] # gpiozero holds it weakly.
            self.pin(line.value).when_changed = keep

    def tell(self, count: int | None = None) -> None:
        """Tell what was kept back: so many edges, or all."""
        for line, ticks, state in self.kept[:count]:
            self.device._contacts[line]._edge(ticks, state)
        del self.kept[:count]


@pytest.fixture
def pins() -> Iterator[LatePins]:
    made = LatePins(FakeClock())
    yield made
    made.device.close()


def test_presses_that_are_told_late_are_all_heard(pins: LatePins) -> None:
    """A busy program hears of forty presses at once, three seconds too late."""
    desk = Desk(pins)
    desk.lock()
    pins.keep_back()
    for _ in range(40):
        pins.contact(M, True)
        pins.clock.advance(40)
        pins.contact(M, False)
        pins.clock.advance(40)
    pins.tell()
    desk.keeper.process()
    assert len(guesses(desk)) == 40


def test_release_that_is_told_after_a_look_swallows_no_press(pins: LatePins) -> None:
    desk = Desk(pins)
    desk.lock()
    desk.run(400)
    pins.keep_back()
    pins.contact(M, True)
    pins.tell()
    desk.run(90)
    pins.contact(M, False)
    desk.run(45)  # The levels are read meanwhile.
    pins.contact(M, True)
    desk.run(15)
    pins.tell()
    desk.run(60)
    assert len(guesses(desk)) == 2


@pytest.mark.parametrize("late_ms", [0, 10, 20, 30, 60, 100, 300])
def test_contact_that_lets_go_is_one_guess_though_its_return_is_late(
    pins: LatePins, late_ms: int
) -> None:
    desk = Desk(pins)
    desk.lock()
    desk.run(400)
    pins.keep_back()
    pins.contact(M, True)
    pins.tell()
    desk.run(60)
    pins.contact(M, False)
    pins.tell()
    desk.run(20)
    pins.contact(M, True)
    desk.run(late_ms)
    look_at_once(desk)
    desk.run(4)
    pins.tell()
    desk.run(60)
    assert len(guesses(desk)) == 1


def look_at_once(desk: Desk) -> None:
    """Have the levels read, as they are once a second."""
    desk.keeper._levels_read_at_ns -= 1_000 * NS_PER_MS
    desk.keeper.process()


def turn_back(pins: GpioRig) -> Iterator[None]:
    """Turn the wheel by a click, counter-clockwise, a step at a time."""
    for phase in (3, 2, 1, 0):
        new, old = CYCLE[phase], CYCLE[(phase + 1) % 4]
        line = Line.WHEEL_A if new[0] != old[0] else Line.WHEEL_B
        pins.contact(line, new[0] if line is Line.WHEEL_A else new[1])
        yield


def test_click_that_is_told_a_quarter_of_a_second_late_is_counted(
    pins: LatePins,
) -> None:
    desk = Desk(pins)
    desk.run(400)
    pins.keep_back()
    for _ in turn_back(pins):
        pins.clock.advance(6)
    pins.clock.advance(250)
    while pins.kept:
        pins.tell(1)
        desk.run(2)
    desk.run(1500)
    assert desk.keeper.view().number == 6


def test_press_that_is_seen_before_the_turn_is_told_guesses_after_it(
    pins: LatePins,
) -> None:
    desk = Desk(pins)
    desk.lock()
    desk.run(400)
    pins.keep_back()
    for _ in turn_back(pins):
        pins.clock.advance(6)
    pins.clock.advance(100)
    pins.contact(M, True)
    pins.clock.advance(10)
    look_at_once(desk)
    desk.run(30)
    pins.tell()
    desk.run(300)
    assert [guess.number for guess in guesses(desk)] == [6]


@pytest.mark.parametrize("late_count", [1, 2, 3, 4])
def test_steps_that_are_told_late_are_counted_as_they_were_made(
    pins: LatePins, late_count: int
) -> None:
    """Backwards, while the levels are read again: only their edges tell the way."""
    desk = Desk(pins)
    desk.turn(1)
    desk.run(1000)
    pins.keep_back()
    for count, _ in enumerate(turn_back(pins), 1):
        if count == late_count:
            look_at_once(desk)  # It has heard of nothing yet.
        if count >= late_count:
            pins.tell()
        desk.run(6)
    desk.run(300)
    assert desk.keeper.view().number == 1


def let_go(wheel: Wheel, began: int, steps: int) -> Wheel:
    """Let a wheel be turned by *steps* from phase *began*, and come to rest."""
    way = 1 if steps > 0 else -1
    for edge in spin(
        [way] * abs(steps),
        rest_phase=began % 4,
        step_ns=6_000_000,
        chatter_ns=3_000_000,
        rng=random.Random(steps),
    ):
        wheel = wheel.hear(edge.line, edge.is_active)
    return wheel.rested()


@given(
    st.sampled_from([4, 2]),
    st.integers(0, 3),
    st.integers(-1, 1),
    st.lists(st.integers(-13, 13).filter(bool), min_size=3, max_size=12),
)
def test_wheel_that_began_between_clicks_is_right_after_two_rests(
    per_detent: int, click: int, astray: int, moves: list[int]
) -> None:
    """Its number is that of the click nearest to which it began, at each rest."""
    astray = astray * (per_detent // 4)
    phase = click + astray
    wheel = Wheel(WheelSettings(per_detent), CYCLE[phase % 4]).rested()
    detents = 0
    for count, detents_moved in enumerate(moves, 1):
        steps = detents_moved * per_detent - astray
        wheel, astray, phase = let_go(wheel, phase, steps), 0, phase + steps
        detents += detents_moved
        if count >= 2:
            assert (wheel.number, wheel.steps) == (detents % 6 + 1, 0)


@given(st.lists(st.sampled_from([(8, 2), (4, 2), (2, -2), (-6, 2)]), max_size=9))
def test_wheel_held_between_clicks_is_never_a_click_off(moves) -> None:
    """Whatever a finger teaches it, it is right as soon as it has rested twice."""
    wheel, phase = Wheel(WheelSettings(), CYCLE[0]).rested(), 0
    for there, back in moves:  # Rests half-way, and then somewhere again.
        for steps in (there, back):
            wheel, phase = let_go(wheel, phase, steps), phase + steps
    for steps in (-phase % 4, 4, 4):
        wheel, phase = let_go(wheel, phase, steps), phase + steps
    assert wheel.number == phase // 4 % 6 + 1


@pytest.mark.parametrize(("per_detent", "off"), [(4, 1), (2, 1), (1, 2)])
def test_two_steps_lost_at_rest_cost_no_more_than_they_must(
    per_detent: int, off: int
) -> None:
    began = Wheel(WheelSettings(per_detent), CYCLE[0]).rested()
    for way in (1, -1):
        wheel = let_go(began, 0, way * per_detent * 2)
        before = wheel.detents
        phase = way * per_detent * 2
        wheel = wheel.see(CYCLE[(phase + 2) % 4])
        moved = (wheel.detents - before + 3) % 6 - 3
        for truth in (2 / per_detent, -2 / per_detent):
            assert abs(moved - truth) <= off


def test_a_whole_vault_finds_its_clicks(rig: Rig) -> None:
    rig.contact(Line.WHEEL_A, True)  # One step past the click at which it was left.
    desk = Desk(rig, settings=KeeperSettings(senses=SenseSettings()))
    desk.phase = 1
    rig.contact(Line.WHEEL_A, False)  # It springs back,
    desk.phase = 0
    desk.run(201)
    desk.turn(1)  # and is turned.
    desk.run(201)
    assert desk.keeper.view().number == 2
    assert desk.events == [e.WheelSet(2)]
    desk.turn(-1)
    desk.run(201)
    assert desk.keeper.view().number == 1
