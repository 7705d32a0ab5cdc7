"""How the kernel's edges are read; pipes stand for the kernel (see tests/kernel)."""

from __future__ import annotations

import queue
import threading
import time

import pytest
from gpiozero import PinInvalidEdges, PinInvalidFunction, PinInvalidPull

from companion.errors import DeviceFault
from companion.lock.keeper import VaultKeeper
from companion.ports import Edge, Line
from hardware.clock import SystemClock
from hardware.vault.coil import REST_MS
from hardware.vault.gpio_vault import GpioVault
from hardware.vault.kernel_pins import KernelFactory
from hardware.vault.pins import Pins
from tests.fakes import FakeClock
from tests.hardware.vault.pipe_chip import PipeChip, PipeLine
from tests.running import PATIENCE_S

PINS = Pins()
DIES = pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnhandledThreadExceptionWarning"
)


class Bench:
    """The real vault on a chip of pipes, and the edges that it reported."""

    def __init__(self) -> None:
        self.chip = PipeChip()
        self.factory = KernelFactory(self.chip)
        self.device = GpioVault(PINS, SystemClock(), pin_factory=self.factory)
        self.edges: queue.Queue[Edge] = queue.Queue()
        self.device.listen(self.edges.put)

    def line(self, wire: str) -> PipeLine:
        return self.chip.lines[getattr(PINS, wire)]

    def heard(self, count: int) -> list[Edge]:
        """Return the next *count* edges, after which none may come."""
        edges = [self.edges.get(timeout=PATIENCE_S) for _ in range(count)]
        assert self.edges.empty()
        return edges

    def die(self) -> None:
        """Have the thread end of something that nobody foresaw."""
        thread = self.factory.listener._thread

        def fail() -> None:
            raise OSError("the chip is gone")

        line = self.line("lid")
        line.edges = fail  # type: ignore[method-assign, assignment] # It breaks.
        line.move(False, 1)
        thread.join(PATIENCE_S)


@pytest.fixture
def bench():
    bench = Bench()
    yield bench
    bench.device.close()


def test_edge_keeps_the_moment_that_the_kernel_noted(bench: Bench) -> None:
    """To the nanosecond, after ten days of uptime, however late it is reported."""
    bench.line("lid").move(False, 864_000_123_456_789)
    assert bench.heard(1) == [Edge(Line.LID, True, 864_000_123_456_789)]


def test_edges_of_all_lines_are_told_in_the_order_of_their_stamps(
    bench: Bench,
) -> None:
    now_ns = time.monotonic_ns()
    moves = [(("wheel_a", "wheel_b")[i % 2], i % 4 < 2) for i in range(200)]
    with bench.factory.listener._lock:  # The thread is held up meanwhile.
        for wire in ("wheel_b", "wheel_a"):
            for i, (moved, is_high) in enumerate(moves):
                if moved == wire:
                    bench.line(wire).move(is_high, now_ns + i)
    levels = [(edge.line.value, not edge.is_active) for edge in bench.heard(200)]
    assert levels == moves


def test_callback_that_raises_deafens_nobody(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(at_ns: int, is_high: bool) -> None:
        raise RuntimeError("a bug in a callback")

    bench.factory.pin(PINS.lid).when_changed = fail
    for wire in ("lid", "m_button", "lid", "yellow_button"):
        bench.line(wire).move(False, time.monotonic_ns())
    assert [edge.line for edge in bench.heard(2)] == [Line.M_BUTTON, Line.YELLOW_BUTTON]
    assert caplog.text.count("edge_not_told") == 2
    assert bench.device.is_sound


def test_edges_that_the_kernel_dropped_are_noticed_once(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    for lost_count in (0, 3, 0, 7):
        bench.line("wheel_a").move(False, time.monotonic_ns(), lost_count)
    bench.heard(4)
    assert [record.message for record in caplog.records] == [
        "pins_edges_lost line=GpioLine(GPIO23) count=3"
    ]


@DIES
def test_vault_that_hears_no_more_is_not_sound(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    assert bench.device.is_sound
    bench.die()
    assert not bench.device.is_sound
    assert "pins_no_longer_heard" in caplog.text
    bench.device.close()  # In order all the same.
    assert not any(line.fileno() >= 0 for line in bench.chip.lines.values())


@DIES
def test_keeper_of_a_vault_that_hears_no_more_is_not_alive(bench: Bench) -> None:
    keeper = VaultKeeper(bench.device, FakeClock(), lambda *_: None, lambda: 4)
    keeper.start()
    assert keeper.is_alive
    bench.die()
    assert not keeper.is_alive
    keeper.stop()


def test_closed_vault_leaves_no_thread_and_no_line(bench: Bench) -> None:
    bench.device.close()
    assert "pins" not in {thread.name for thread in threading.enumerate()}
    assert not any(line.fileno() >= 0 for line in bench.chip.lines.values())


def test_coil_is_off_before_close_waits_for_an_input() -> None:
    chip = PipeChip()
    factory = KernelFactory(chip)
    clock = FakeClock()
    device = GpioVault(PINS, clock, pin_factory=factory)
    clock.advance(REST_MS)
    device.release(400)
    coil = chip.lines[PINS.latch]
    closing = threading.Thread(target=device.close)
    with factory.listener._lock:  # What hears an edge takes its time.
        closing.start()
        end = time.monotonic() + PATIENCE_S
        while coil.level and time.monotonic() < end:
            closing.join(0.01)
        assert closing.is_alive()
        assert not coil.level
    closing.join(PATIENCE_S)


def test_pins_can_be_had_again(bench: Bench) -> None:
    bench.device.close()
    bench.device = GpioVault(PINS, SystemClock(), pin_factory=bench.factory)
    bench.device.listen(bench.edges.put)
    bench.line("lid").move(False, time.monotonic_ns())
    assert bench.heard(1)[0].line is Line.LID


def test_vault_may_be_closed_by_what_it_calls(bench: Bench) -> None:
    closed = threading.Event()

    def close(edge: Edge) -> None:
        bench.device.close()
        closed.set()

    bench.device.listen(close)
    thread = bench.factory.listener._thread
    bench.line("lid").move(False, time.monotonic_ns())
    assert closed.wait(PATIENCE_S)
    assert thread is not None
    thread.join(PATIENCE_S)
    assert not thread.is_alive()


def test_every_line_is_claimed_once(bench: Bench) -> None:
    """A line that is let go and had again may have an edge in between."""
    assert set(bench.chip.claims_count.values()) == {1}


def test_what_the_vault_never_asks_for_is_refused() -> None:
    pin = KernelFactory(PipeChip()).pin(17)
    with pytest.raises(PinInvalidPull, match="a pull-up on GPIO17, got down"):
        pin.pull = "down"
    with pytest.raises(PinInvalidEdges, match="both edges"):
        pin.edges = "rising"
    with pytest.raises(PinInvalidFunction, match="with its level"):
        pin.function = "output"
    with pytest.raises(DeviceFault, match="GPIO17 is not ours"):
        pin.state = True


def test_second_vault_of_one_program_is_refused(bench: Bench) -> None:
    with pytest.raises(DeviceFault, match=r"pins are taken .*stop it first"):
        GpioVault(PINS, FakeClock(), pin_factory=bench.factory)
    assert bench.device.is_sound
