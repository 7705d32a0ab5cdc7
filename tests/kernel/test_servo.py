"""A servo's pulses by the kernel's own ``pwm-gpio``, through the kernel's PWM in sysfs.

The driver is Linux's, from Debian's source, on line 12 of the simulated chip, where a
Pi has it with ``dtoverlay=pwm-gpio,gpio=12``. Widths are those for which the kernel's
timer was set (``scope.py``); levels are a voltmeter's.
"""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing

import pytest

from companion.errors import DeviceFault
from hardware.clock import SystemClock
from hardware.vault.gpio_chip import find_chip
from hardware.vault.latches import Travel
from hardware.vault.pins import HEADER_LABEL, SERVO_BCM
from hardware.vault.pwm import PERIOD_NS, end_pulses, find_channel, find_chips
from hardware.vault.servo import Servo
from tests.kernel.scope import Scope
from tests.kernel.world import ROOT, World, finish, start, until
from tests.running import PATIENCE_S

HOME_NS, BACK_NS = 1_000_000, 2_000_000
TRAVEL = Travel(HOME_NS // 1000, BACK_NS // 1000)
COIL_OFF = "hardware.vault.coil_off"

pytestmark = [
    pytest.mark.timeout(120),
    pytest.mark.skipif(
        not find_chips(SERVO_BCM),
        reason="this kernel has no pwm-gpio; kernel.sh says why",
    ),
]


class Wire:
    """The servo's wire, with an oscilloscope and a voltmeter on it."""

    def __init__(self, world: World) -> None:
        self.scope = Scope(SERVO_BCM)
        self._world = world

    def is_high(self) -> bool:
        """Return what a voltmeter says."""
        return self._world.level(SERVO_BCM)

    def widths(self) -> list[int]:
        """Return the widths of the pulses, but the first after each start."""
        return [phase.planned_ns for phase in self.scope.phases() if phase.is_high]

    def rests(self) -> list[int]:
        """Return how long the line was low from a pulse to the next."""
        return [phase.planned_ns for phase in self.scope.phases() if not phase.is_high]

    def is_still(self) -> bool:
        """Return whether the line is low for ten periods, and nothing sets it."""
        self.scope.clear()
        threading.Event().wait(10 * PERIOD_NS / 1e9)
        return not self.scope.levels() and not self.is_high()


@pytest.fixture
def wire(world: World) -> Iterator[Wire]:
    wire = Wire(world)
    yield wire
    wire.scope.close()
    end_pulses(SERVO_BCM)
    for chip in find_chips(SERVO_BCM):
        if (chip / "pwm0").exists():
            (chip / "unexport").write_text("0")


@pytest.fixture
def servo() -> Iterator[Servo]:
    with (
        closing(SystemClock()) as clock,
        closing(Servo(find_channel(SERVO_BCM), TRAVEL, clock)) as servo,
    ):
        yield servo


def is_enabled() -> bool:
    return (find_channel(SERVO_BCM).path / "enable").read_text().strip() == "1"


def coil_off() -> None:
    """Run it as systemd does; it has to succeed, in silence."""
    ran = subprocess.run(
        [sys.executable, "-S", "-m", COIL_OFF],
        cwd=ROOT,
        env={**os.environ, "COMPANION_LATCH": "servo"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == "GPIO12 has no pulses: the servo is off\n"


def test_pulses_can_be_ended_before_there_were_any(wire: Wire) -> None:
    """First of all tests here: Linux 6.1 refuses to disable what never had a period.

    So it is at boot, and after a program that died as soon as it had the channel. Later
    kernels take it (drivers/pwm/core.c of 6.12, ``__pwm_apply``).
    """
    coil_off()
    find_channel(SERVO_BCM).end()
    end_pulses(SERVO_BCM)
    assert wire.is_still()


def test_servo_is_sent_home_and_then_left_alone(wire: Wire, servo: Servo) -> None:
    servo(False)
    assert is_enabled()
    until(lambda: not is_enabled())
    assert set(wire.widths()) == {HOME_NS}
    assert set(wire.rests()) == {PERIOD_NS - HOME_NS}
    assert wire.is_still()


def test_pull_goes_back_and_home_without_another_width(
    wire: Wire, servo: Servo
) -> None:
    """A new width begins with a new period, so that no pulse is between the two."""
    servo(True)
    until(lambda: len(wire.widths()) >= 10)
    servo(False)
    until(lambda: not is_enabled())
    widths = wire.widths()
    backs, homes = widths.count(BACK_NS), widths.count(HOME_NS)
    late_us = [phase.late_us for phase in wire.scope.phases()]
    sys.stdout.write(
        f"\nservo: {backs} pulses of 2 ms, {homes} of 1 ms; edges were late by "
        f"{statistics.median(late_us):.0f} us (median), {max(late_us):.0f} (most)\n"
    )
    assert homes > 0
    assert widths == [BACK_NS] * backs + [HOME_NS] * homes
    assert set(wire.rests()) == {PERIOD_NS - HOME_NS, PERIOD_NS - BACK_NS}
    assert wire.is_still()


@pytest.mark.parametrize("is_back", [False, True])
def test_closing_ends_the_pulses(wire: Wire, servo: Servo, is_back: bool) -> None:
    servo(is_back)
    servo.close()
    assert not is_enabled()
    assert wire.is_still()


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGSTOP])
def test_pulses_outlive_a_program_that_dies_or_stands_still_until_coil_off(
    wire: Wire, sent: signal.Signals
) -> None:
    """The kernel makes them; nobody owns a channel, so that anyone may end them."""
    program = start("tests.kernel.pull_servo")
    try:
        os.kill(program.pid, sent)
        os.waitid(os.P_PID, program.pid, os.WEXITED | os.WSTOPPED | os.WNOWAIT)
        wire.scope.clear()
        until(lambda: len(wire.widths()) >= 10)
        assert set(wire.widths()) == {BACK_NS}
        until(wire.is_high, within_s=PATIENCE_S)
        coil_off()
        assert not is_enabled()
        assert wire.is_still()
    finally:
        finish(program)
    assert wire.is_still()


def test_wire_is_not_to_be_had_as_a_pin() -> None:
    with (
        closing(find_chip(HEADER_LABEL)) as chip,
        pytest.raises(DeviceFault, match=r"GPIO12 of .* is in use by 'pwm-gpio'"),
    ):
        chip.claim_output(SERVO_BCM, is_high=True, consumer="a test")
