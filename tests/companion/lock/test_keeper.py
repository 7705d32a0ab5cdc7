"""The keeper's own matters: its queue, its thread, its watchers, its limits."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from companion.errors import Malformed, Refused, Why
from companion.lock import events as e
from companion.lock.keeper import Inbox, KeeperSettings, VaultKeeper
from companion.lock.locksmith import ReleaseSettings
from companion.lock.quadrature import WheelSettings
from companion.lock.senses import SenseSettings
from companion.lock.states import VaultState
from companion.lock.view import SENTENCES, VaultView
from companion.ports import Edge, Line
from hardware.clock import SystemClock
from hardware.vault.simulated import SimulatedVault
from tests.fakes import FakeClock, StuckClock
from tests.running import PATIENCE_S


def keeper_of(device: SimulatedVault, clock, record=lambda events: None):
    return VaultKeeper(device, clock, record, lambda: 4)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def device(clock: FakeClock) -> SimulatedVault:
    return SimulatedVault(clock)


@pytest.fixture
def keeper(device: SimulatedVault, clock: FakeClock) -> VaultKeeper:
    return keeper_of(device, clock)


class Waiter:
    """Waits, without sleeping, for a state after the last one waited for."""

    def __init__(self, keeper: VaultKeeper) -> None:
        self.views: list[VaultView] = []
        self.checked_count = 0
        self.changed = threading.Condition()
        keeper.subscribe(self.hear)

    def hear(self, view: VaultView) -> None:
        with self.changed:
            self.views.append(view)
            self.changed.notify_all()

    def until(self, state: VaultState) -> bool:
        with self.changed:
            return self.changed.wait_for(lambda: self._find(state), PATIENCE_S)

    def _find(self, state: VaultState) -> bool:
        for index in range(self.checked_count, len(self.views)):
            if self.views[index].state is state:
                self.checked_count = index + 1
                return True
        return False


@pytest.fixture
def running() -> Iterator[tuple[VaultKeeper, SimulatedVault, Waiter]]:
    clock = SystemClock()
    device = SimulatedVault(clock)
    keeper = keeper_of(device, clock)
    waiter = Waiter(keeper)
    keeper.start()
    yield keeper, device, waiter
    keeper.stop()
    clock.close()


def test_worker_keeps_the_vault_in_real_time(running) -> None:
    keeper, device, waiter = running
    assert keeper.is_alive
    assert waiter.until(VaultState.OPEN)
    device.shut_lid()
    assert waiter.until(VaultState.SHUT)
    for _ in range(3):
        device.press(Line.YELLOW_BUTTON)
    assert waiter.until(VaultState.LOCKED)
    keeper.guess(3)
    keeper.guess(4)
    assert waiter.until(VaultState.RELEASING)
    assert waiter.until(VaultState.OPEN)
    assert device.values("coil") == [False, True, False]
    keeper.stop()
    assert not keeper.is_alive


def test_worker_whose_coil_does_not_obey_is_not_alive(clock: FakeClock) -> None:
    device = SimulatedVault(clock, coil_clock=StuckClock(clock))
    keeper = keeper_of(device, clock)
    keeper.start()
    device.release(400)
    clock.advance(499)
    assert keeper.is_alive
    clock.advance(1)
    assert not keeper.is_alive
    keeper.stop()


def test_worker_that_hangs_is_not_alive(clock: FakeClock) -> None:
    hangs, go_on = threading.Event(), threading.Event()

    def record(events: object) -> None:
        hangs.set()
        go_on.wait(PATIENCE_S)

    keeper = keeper_of(SimulatedVault(clock), clock, record)
    keeper.start()
    keeper.set_wheel(4)
    assert hangs.wait(PATIENCE_S)
    assert keeper.is_alive
    clock.advance(3001)
    assert not keeper.is_alive
    go_on.set()
    keeper.stop()


def test_stop_in_the_middle_of_a_pulse_switches_the_coil_off(running) -> None:
    keeper, device, waiter = running
    assert waiter.until(VaultState.OPEN)
    device.is_jammed = True
    device.shut_lid()
    assert waiter.until(VaultState.SHUT)
    keeper.guess(1)
    assert waiter.until(VaultState.RELEASING)
    keeper.stop()
    assert not device.is_coil_on


def test_view_before_the_start_is_unknown(keeper: VaultKeeper) -> None:
    view = keeper.view()
    assert (view.state, view.lid, view.number) == ("unknown", "unknown", 1)
    assert view.has_hands
    assert view.device == "simulated vault"
    assert not keeper.is_alive


def test_keeper_is_started_once(running) -> None:
    keeper, _, _ = running
    with pytest.raises(AssertionError, match="twice"):
        keeper.start()


def test_stop_before_the_start_closes_the_device(keeper, device) -> None:
    keeper.stop()
    with pytest.raises(OSError, match="closed"):
        device.release(100)


@pytest.mark.parametrize("order", ["guess", "set_wheel"])
@pytest.mark.parametrize("number", [0, 7, True, "3", 3.0, None])
def test_number_off_the_wheel_is_malformed(keeper, order: str, number) -> None:
    with pytest.raises(Malformed, match="expected a"):
        getattr(keeper, order)(number)


def test_flood_of_edges_is_counted_and_the_levels_are_read_again(
    keeper: VaultKeeper, device: SimulatedVault, clock: FakeClock
) -> None:
    keeper.process()
    for _ in range(10):
        device.turn(120)
    device.shut_lid()  # This edge is lost for certain.
    assert keeper._inbox.lost_count > 1000
    keeper.process()
    clock.advance(50)
    keeper.process()
    assert keeper.view().state is VaultState.SHUT
    number = keeper.view().number
    device.turn(1)
    keeper.process()
    assert keeper.view().number == number % 6 + 1


def test_levels_are_read_again_only_when_older_edges_are_done(
    keeper: VaultKeeper, device: SimulatedVault, clock: FakeClock
) -> None:
    """Otherwise an old edge of the lid would undo what was just read."""
    keeper.process()
    device.shut_lid()
    device.force_lid()
    for _ in range(10):
        device.turn(120)
    device.shut_lid()  # Lost.
    lookups: list[bool] = []
    levels = device.levels

    def spied() -> dict[Line, bool]:
        lookups.append(keeper._inbox.is_empty)
        return levels()

    device.levels = spied  # type: ignore[method-assign]
    while not keeper._inbox.is_empty:  # As the thread does it: one by one.
        keeper._handle(keeper._inbox.wait())
        keeper._tend()
    assert lookups == [True]


def test_orders_have_a_limit_and_the_vault_can_still_be_stopped(keeper) -> None:
    def flood() -> None:
        for _ in range(10_000):
            keeper.guess(1)

    with pytest.raises(Refused) as refused:
        flood()
    assert refused.value.why is Why.LIMIT_REACHED
    keeper.process()
    keeper.guess(1)
    keeper.stop()


def test_inbox_keeps_the_order_and_takes_no_more_than_was_there() -> None:
    inbox = Inbox()
    edge = Edge(Line.LID, True, 0)
    inbox.put_edge(edge)
    inbox.put_order("first")
    taken = []
    for item in inbox.waiting():
        taken.append(item)
        inbox.wake()
    assert taken == [edge, "first"]
    assert not inbox.is_empty
    assert inbox.wait() is None


def test_watcher_that_raises_stops_nobody(
    keeper: VaultKeeper, device, clock, caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[VaultView] = []

    def stumble(view: VaultView) -> None:
        raise RuntimeError("a page went away")

    keeper.subscribe(stumble)
    leave = keeper.subscribe(seen.append)
    keeper.process()
    assert len(seen) == 1
    for is_shut in (True, False, True, False):
        device._move_lid(is_shut=is_shut)
        keeper.process()
        clock.advance(50)
        keeper.process()
    assert len(seen) == 5
    assert caplog.text.count("vault_watcher_failed") == 1  # Not once for each view.
    leave()
    leave()
    device.shut_lid()
    keeper.process()
    clock.advance(50)
    keeper.process()
    assert keeper.view().state is VaultState.SHUT
    assert len(seen) == 5


def test_watcher_may_ask_and_order(keeper: VaultKeeper, device, clock) -> None:
    def meddle(view: VaultView) -> None:
        assert keeper.view().state is view.state
        if view.state is VaultState.OPEN and view.number == 1:
            keeper.set_wheel(6)

    keeper.subscribe(meddle)
    keeper.process()
    keeper.process()
    assert keeper.view().number == 6


def test_our_own_bug_ends_the_worker_with_the_coil_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = SystemClock()
    device = SimulatedVault(clock)
    keeper = keeper_of(device, clock)
    died = threading.Event()
    monkeypatch.setattr(threading, "excepthook", lambda args: died.set())

    def bug(*, is_lid_shut: bool) -> None:
        raise AssertionError("a bug")

    monkeypatch.setattr(keeper._locksmith, "tend", bug)
    keeper.start()
    assert died.wait(PATIENCE_S)
    assert keeper.view().state is VaultState.FAULT
    assert "must be started again" in keeper.view().sentence
    with pytest.raises(OSError, match="closed"):
        device.release(100)
    keeper.stop()
    clock.close()


def test_idle_vault_sets_one_timer_for_its_next_look(keeper, device, clock) -> None:
    keeper.process()
    assert clock.waiting_count == 1
    for _ in range(50):  # A chattering lid does not set one for each edge.
        device._set(Line.LID, True)
        keeper.process()
        device._set(Line.LID, False)
        keeper.process()
    assert clock.waiting_count == 1
    for _ in range(200):
        clock.advance(1)
        keeper.process()
    assert clock.waiting_count == 1


@pytest.mark.parametrize(
    "settings",
    [(49, 1500), (1001, 1500), (400, 400), (400, 10_001)],
)
def test_release_settings_outside_their_range_are_refused(settings) -> None:
    with pytest.raises(Malformed, match=r"expected \w+_ms in \d+\.\.\d+, got \d+"):
        ReleaseSettings(*settings)


def test_every_state_has_a_sentence() -> None:
    assert list(SENTENCES) == list(VaultState)


def test_events_are_on_disk_before_anybody_sees_the_state(device, clock) -> None:
    order: list[str] = []

    def record(events: tuple[e.VaultEvent, ...]) -> None:
        order.append(f"written {type(events[0]).__name__}")

    keeper = keeper_of(device, clock, record)
    keeper.subscribe(lambda view: order.append(f"shown {view.state}"))
    keeper.process()
    assert order == ["written VaultAwoke", "shown open"]


def press_yellow(
    keeper: VaultKeeper, device: SimulatedVault, clock: FakeClock, times: int
) -> None:
    for _ in range(times):
        device.press(Line.YELLOW_BUTTON)
        settle(keeper, clock)


def settle(keeper: VaultKeeper, clock: FakeClock) -> None:
    """Let time pass until the keeper has judged what was pressed and moved."""
    for _ in range(5):
        keeper.process()
        clock.advance(20)
    keeper.process()


@pytest.mark.parametrize(
    ("before_it_is_shut", "after", "state"),
    [(2, 1, VaultState.SHUT), (2, 2, VaultState.SHUT), (1, 3, VaultState.LOCKED)],
)
def test_yellow_counts_only_while_the_lid_is_shut(
    keeper: VaultKeeper, device, clock, before_it_is_shut: int, after: int, state
) -> None:
    """A child presses while it pushes the lid down."""
    settle(keeper, clock)
    press_yellow(keeper, device, clock, before_it_is_shut)
    assert keeper.view().yellow_count == 0
    device.shut_lid()
    settle(keeper, clock)
    press_yellow(keeper, device, clock, after)
    assert keeper.view().state is state


def test_a_guess_is_of_the_number_at_which_m_was_pressed(clock: FakeClock) -> None:
    """The wheel clicks on before anybody has judged the press."""
    wheel = WheelSettings(steps_per_detent=1)  # Each edge is a click.
    device = SimulatedVault(clock, wheel=wheel, is_lid_shut=True)
    settings = KeeperSettings(senses=SenseSettings(wheel=wheel))
    keeper = VaultKeeper(
        device, clock, lambda events: None, lambda: 4, settings=settings
    )
    settle(keeper, clock)
    press_yellow(keeper, device, clock, 3)
    device.press(Line.M_BUTTON)
    clock.advance(20)
    device.turn(1)
    keeper.process()
    view = keeper.view()
    assert (view.state, view.wrong_number, view.number) == (VaultState.LOCKED, 1, 2)
