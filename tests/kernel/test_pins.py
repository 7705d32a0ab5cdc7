"""Edges, owners and faults on the kernel's own GPIO.

The simulated chip itself may lose edges, so that our counting is judged against
what the kernel delivered; absolute counts are asked of mock pins, in tests/hardware.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing

import pytest

from companion.errors import DeviceFault
from companion.lock.quadrature import Wheel, WheelSettings
from companion.ports import Edge, Line
from hardware.clock import SystemClock
from hardware.vault.gpio_chip import GpioLine, LineEdge, find_chip
from hardware.vault.gpio_vault import GpioVault
from hardware.vault.kernel_pins import KernelFactory
from hardware.vault.pins import HEADER_LABEL, Pins
from tests.kernel.turn_wheel import CLOCKWISE
from tests.kernel.world import World, finish, start, until
from tests.running import PATIENCE_S

PINS = Pins()
PHASES = {(False, False): 0, (True, False): 1, (True, True): 2, (False, True): 3}


class Delivered:
    """The real vault, what the kernel delivered to it, and what it told."""

    def __init__(self, world: World) -> None:
        self.factory = KernelFactory(find_chip(HEADER_LABEL))
        self.device = GpioVault(PINS, SystemClock(), pin_factory=self.factory)
        self.by_kernel: dict[Line, list[LineEdge]] = {}
        for line in Line:
            held = self.factory.pin(getattr(PINS, line))._line
            self.by_kernel[line] = self._recorded(held)
        self.told: list[Edge] = []
        self.device.listen(self.told.append)
        world.rest(PINS)  # A claim has moved them.

    def _recorded(self, held: GpioLine) -> list[LineEdge]:
        kept: list[LineEdge] = []
        read = held.edges

        def edges() -> tuple[LineEdge, ...]:
            got = read()
            kept.extend(got)
            return got

        held.edges = edges  # type: ignore[method-assign] # Overheard.
        return kept

    def count(self) -> int:
        return sum(len(edges) for edges in self.by_kernel.values())


@pytest.fixture
def vault(world: World) -> Iterator[Delivered]:
    vault = Delivered(world)
    yield vault
    vault.device.close()
    vault.factory.chip.close()


def press(world: World, wire: str) -> None:
    world.drive(getattr(PINS, wire), False)


def test_every_edge_that_the_kernel_delivers_is_told_and_counted(
    world: World, vault: Delivered
) -> None:
    """20 detents a second, and presses, by another program.

    Each line's edges are told in their order. Between two lines the kernel itself may
    swap what is a few milliseconds apart, where its processors are held up.
    """
    hands = start("tests.kernel.turn_wheel", "60", "40")
    try:
        driven, _ = hands.communicate("go\n", timeout=PATIENCE_S)
    finally:
        finish(hands)
    until(lambda: len(vault.told) == vault.count())
    sys.stdout.write(f"\nedges: {driven.strip()} driven, {vault.count()} delivered\n")
    assert vault.count() > int(driven) / 2  # Otherwise nothing was tried.
    for line, edges in vault.by_kernel.items():
        assert [edge.number for edge in edges] == list(range(1, len(edges) + 1))
        told = [not edge.is_active for edge in vault.told if edge.line is line]
        assert told == [edge.is_high for edge in edges]
    assert wheel_steps(vault.told) == places_passed(vault.told)


def wheel_steps(told: list[Edge]) -> int:
    """Steps of our own wheel."""
    wheel = Wheel(WheelSettings(), (False, False))
    turns = 0
    for edge in told:
        if edge.line in (Line.WHEEL_A, Line.WHEEL_B):
            before = wheel.detents
            wheel = wheel.hear(edge.line, edge.is_active)
            turns += (wheel.detents - before + 3) % 6 - 3
    return turns * 4 + wheel.steps


def places_passed(told: list[Edge]) -> int:
    """Count by the places in the cycle alone."""
    contacts = {Line.WHEEL_A: False, Line.WHEEL_B: False}
    steps = phase = 0
    for edge in told:
        if edge.line in contacts:
            contacts[edge.line] = edge.is_active
            now = PHASES[contacts[Line.WHEEL_A], contacts[Line.WHEEL_B]]
            steps += (now - phase + 1) % 4 - 1
            phase = now
    return steps


def test_wheel_turned_slowly_counts_every_detent(
    world: World, vault: Delivered
) -> None:
    """Slowly: each edge once the one before it has arrived."""
    for turn in range(1, 25):
        for step, (wire, is_high) in enumerate(CLOCKWISE, start=1):
            world.drive(getattr(PINS, wire), is_high)
            count = 4 * (turn - 1) + step
            until(lambda count=count: len(vault.told) >= count)
    assert wheel_steps(vault.told) == 4 * 24


def test_edge_carries_the_moment_at_which_it_was(
    world: World, vault: Delivered
) -> None:
    before_ns = time.monotonic_ns()
    press(world, "lid")
    until(lambda: len(vault.told) == 1)
    after_ns = time.monotonic_ns()
    assert vault.told[0].at_ns == vault.by_kernel[Line.LID][0].at_ns
    assert before_ns <= vault.told[0].at_ns <= after_ns


def test_callback_that_raises_deafens_nobody(
    world: World, vault: Delivered, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(at_ns: int, is_high: bool) -> None:
        raise RuntimeError("a bug in a callback")

    vault.factory.pin(PINS.yellow_button).when_changed = fail
    press(world, "yellow_button")
    until(lambda: "edge_not_told" in caplog.text)
    press(world, "m_button")
    until(lambda: len(vault.told) == 1)
    assert vault.told[0].line is Line.M_BUTTON
    assert vault.device.is_sound


def test_edges_that_the_kernel_had_to_drop_are_noticed(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """With room for 16 edges instead of 1024, 400 come while the thread is held up."""
    monkeypatch.setattr("hardware.vault.gpio_chip.EVENTS_MAX", 16)
    vault = Delivered(world)
    with vault.factory.listener._lock:
        for i in range(400):
            world.drive(PINS.lid, i % 2 == 1)
        world.drive(PINS.lid, False)
    until(lambda: "pins_edges_lost line=GpioLine(GPIO16)" in caplog.text)
    until(lambda: len(vault.told) == vault.count())
    assert vault.told[-1].is_active
    assert vault.device.levels()[Line.LID]
    vault.device.close()
    vault.factory.chip.close()


def test_outputs_are_low_and_inputs_are_pulled_up(vault: Delivered) -> None:
    chip = vault.factory.chip
    ours = f"companion, process {os.getpid()}"
    for wire, bcm in PINS.named():
        info = chip.line_info(bcm)
        if wire in ("latch", "led_green", "led_red", "buzzer"):
            assert (info.is_output, info.bias, info.consumer) == (True, "down", ours)
        elif wire in list(Line):
            assert (info.is_output, info.bias, info.consumer) == (False, "up", ours)
        else:
            assert not info.is_used


def test_output_has_its_level_from_the_first_moment_on(world: World) -> None:
    """Claimed high beside an outside pull-up, it is never seen low."""
    seen: list[bool] = []
    stop = threading.Event()
    world.drive(PINS.latch, True)

    def watch() -> None:
        while not stop.is_set():
            seen.append(world.level(PINS.latch))

    watching = threading.Thread(target=watch)
    with closing(find_chip(HEADER_LABEL)) as chip:
        world.drive(PINS.latch, True)
        watching.start()
        until(lambda: len(seen) > 20)
        line = chip.claim_output(PINS.latch, is_high=True, consumer="a test")
        until(lambda: len(seen) > 100)
        stop.set()
        watching.join()
        line.close()
    assert all(seen)


def test_second_program_is_told_which_one_holds_the_pins(world: World) -> None:
    holder = start("tests.kernel.hold_coil")
    try:
        with (
            closing(find_chip(HEADER_LABEL)) as chip,
            pytest.raises(
                DeviceFault, match=r"GPIO17 of .* is in use by 'a stuck program'"
            ),
        ):
            GpioVault(PINS, SystemClock(), pin_factory=KernelFactory(chip))
    finally:
        finish(holder)


def test_line_that_is_not_there_is_explained() -> None:
    with (
        closing(find_chip(HEADER_LABEL)) as chip,
        pytest.raises(DeviceFault, match=r"gpiochip0 has no line 54 "),
    ):
        chip.line_info(54)


def test_closing_leaves_nothing(world: World, vault: Delivered) -> None:
    vault.device.close()
    assert not any(vault.factory.chip.line_info(bcm).is_used for _, bcm in PINS.named())
    assert "pins" not in {thread.name for thread in threading.enumerate()}
