"""A doctor on the kernel's own chip: it finds it, reads it, and tries what is wired."""

from __future__ import annotations

import os
import queue
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.health import Condition
from companion.lock.view import look_at_levels
from companion.ports import Edge, Line
from hardware.clock import SystemClock
from hardware.doctor import gather
from hardware.doctor.hands_on import Bench, try_button, try_coil, try_wheel
from hardware.vault.discover import VaultSettings
from hardware.vault.gpio_chip import find_chip
from hardware.vault.gpio_vault import GpioVault
from hardware.vault.kernel_pins import KernelFactory
from hardware.vault.latches import LATCHES
from hardware.vault.pins import HEADER_LABEL, Pins
from hardware.vault.simulated import CYCLE
from tests.kernel.world import World, finish, start, until

pytestmark = pytest.mark.timeout(120)
PINS = Pins()
OK, UNKNOWN, WARN, FAIL = Condition


class Hands:
    """A maker whose hands are outside the chip (``hands_on.Maker``)."""

    def __init__(self) -> None:
        self.edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()
        self.heard_count = 0
        self.act: Callable[[], None] = lambda: None

    def hear(self, edge: Edge) -> None:
        self.edges.put(edge)
        self.heard_count += 1

    def tell(self, text: str) -> None:
        self.act()

    def agrees(self, question: str) -> bool:
        return True

    def next_edge(self, timeout_ms: int) -> Edge | None:
        try:
            return self.edges.get(timeout=timeout_ms / 1000)
        except queue.Empty:
            return None


def test_header_is_found_by_its_label() -> None:
    [(name, label)] = gather._real_chips(VaultSettings())
    assert label == "pinctrl-bcm2711"
    assert (Path("/dev") / name).exists()


def test_lines_are_read_and_let_go_again(world: World) -> None:
    for _ in range(2):
        levels = gather._levels(VaultSettings())
        assert not isinstance(levels, str)
        assert look_at_levels(levels).condition is OK


def test_a_coil_that_somebody_holds_is_named_and_one_left_on_is_lowered(
    world: World,
) -> None:
    world.persists = True
    stuck = start("tests.kernel.hold_coil")
    try:
        found = gather._coil(os.environ)
        assert found.condition is FAIL
        assert "a stuck program" in found.words
    finally:
        finish(stuck)
    assert world.level(PINS.latch)
    assert gather._coil(os.environ).condition is OK
    assert not world.level(PINS.latch)


def test_wheel_button_and_coil_are_tried_by_hand(world: World, tmp_path: Path) -> None:
    hands = Hands()

    def move(bcm: int, is_closed: bool) -> None:
        """Move a contact, and wait for its edge: the chip loses quick ones."""
        heard_count, is_edge = hands.heard_count, world.level(bcm) == is_closed
        world.drive(bcm, not is_closed)
        until(lambda: hands.heard_count == heard_count + is_edge)

    def turn() -> None:
        for is_a, is_b in (*CYCLE[1:], CYCLE[0]):
            move(PINS.wheel_a, is_a)
            move(PINS.wheel_b, is_b)

    def press() -> None:
        move(PINS.m_button, True)
        move(PINS.m_button, False)

    factory = KernelFactory(find_chip(HEADER_LABEL))
    with (
        closing(SystemClock()) as clock,
        closing(SystemClock()) as coil_clock,
        closing(
            GpioVault(PINS, clock, coil_clock=coil_clock, pin_factory=factory)
        ) as vault,
    ):
        world.rest(PINS)  # A claim has moved the lines.
        vault.listen(hands.hear)
        bench = Bench(vault, hands, clock, LATCHES["solenoid"])
        hands.act = turn
        wheel = try_wheel(bench)
        hands.act = press
        button = try_button(bench, Line.M_BUTTON, "M")
        hands.act = lambda: None
        until(lambda: vault.rest_ms() == 0)
        coil = try_coil(bench)
    assert wheel.condition is OK, wheel
    assert "COMPANION_WHEEL_STEPS_PER_DETENT=4" in wheel.words
    assert button.condition is OK, button
    factory.close()
    assert coil.condition is OK
    assert not world.level(PINS.latch)
