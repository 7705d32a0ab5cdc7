"""A servo's pulses by the kernel's own ``pwm-gpio``, through the kernel's PWM in sysfs.

The driver is Linux's, from Debian's source, on line 12 of the simulated chip, where a
Pi has it with ``dtoverlay=pwm-gpio,gpio=12``. Pulses are those that the line had
(``scope.py``); where a servo would be is computed from them (``horn.py``).
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise

import pytest

from companion.errors import DeviceFault
from hardware.clock import SystemClock
from hardware.vault.gpio_chip import find_chip
from hardware.vault.latches import BACK_US, HOME_MS, HOME_US, Travel
from hardware.vault.pins import HEADER_LABEL, SERVO_BCM
from hardware.vault.pwm import Channel, find_channel, find_chips
from hardware.vault.servo import Servo
from tests.kernel.horn import EXACT_US, PERIOD_US, are_at
from tests.kernel.scope import Pulse, Scope
from tests.kernel.world import ROOT, World, finish, start, until
from tests.running import PATIENCE_S
from tests.sample import volume

MOUNTED = [Travel(HOME_US, BACK_US), Travel(BACK_US, HOME_US)]
"""The two ways to mount a servo."""

either_way = pytest.mark.parametrize("travel", MOUNTED, ids=["home-1000", "home-2000"])
pytestmark = [
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

    def servo_is_at(self, wanted_us: int, start_us: int) -> bool:
        """Return whether a servo of either kind, from *start_us*, is there now."""
        now_us = time.monotonic_ns() // 1000
        return are_at(wanted_us, self.scope.pulses(), now_us, start_us=start_us)

    def is_still(self) -> bool:
        """Return whether the line is low for ten periods, and nothing sets it."""
        self.scope.clear()
        pause(10 * PERIOD_US / 1e6)
        return self.scope.is_idle() and not self.is_high()


@pytest.fixture
def wire(world: World) -> Iterator[Wire]:
    wire = Wire(world)
    yield wire
    wire.scope.close()
    for chip in find_chips(SERVO_BCM):
        if (chip / "pwm0").exists():
            Channel(chip / "pwm0").end()
            (chip / "unexport").write_text("0")


def opened(travel: Travel, clock: SystemClock) -> Servo:
    return Servo(find_channel(SERVO_BCM), travel, clock)


def is_enabled() -> bool:
    return (find_channel(SERVO_BCM).path / "enable").read_text().strip() == "1"


def pause(time_s: float) -> None:
    threading.Event().wait(time_s)


def are(widths_us: list[int], wanted_us: int) -> bool:
    """Return whether there are some, all of them of this width."""
    return bool(widths_us) and all(
        abs(width_us - wanted_us) <= EXACT_US for width_us in widths_us
    )


def widths(pulses: list[Pulse]) -> list[int]:
    return [pulse.width_us for pulse in pulses]


def periods(pulses: list[Pulse]) -> list[int]:
    """Return the times from one pulse to the next."""
    return [b.rose_us - a.rose_us for a, b in pairwise(pulses)]


def coil_off(travel: Travel = MOUNTED[0]) -> str:
    """Run it as systemd does; it has to succeed."""
    ran = subprocess.run(
        [sys.executable, "-S", "-m", "hardware.vault.coil_off"],
        cwd=ROOT,
        env={**os.environ, **settings(travel)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


def settings(travel: Travel) -> dict[str, str]:
    return {
        "COMPANION_LATCH": "servo",
        "COMPANION_SERVO_HOME_US": str(travel.home_us),
        "COMPANION_SERVO_BACK_US": str(travel.back_us),
    }


def test_a_channel_that_nobody_opened_or_used_has_no_pulses_to_end(wire: Wire) -> None:
    """First of all tests here: Linux 6.1 refuses to disable what never had a period.

    So it is at boot, and after a program that died as soon as it had the channel. Later
    kernels take it (drivers/pwm/core.c of 6.12, ``__pwm_apply``).
    """
    assert "nobody has opened the pulses of GPIO12" in coil_off()
    assert wire.is_still()
    channel = find_channel(SERVO_BCM)
    channel.end()
    assert wire.is_still()
    sends_and_ends(wire, channel)


def sends_and_ends(wire: Wire, channel: Channel) -> list[Pulse]:
    """Send ten pulses of 1 ms, and end them; return what was on the line before."""
    wire.scope.clear()
    channel.send(1000)
    pause(10.5 * PERIOD_US / 1e6)
    channel.end()
    pulses = wire.scope.pulses()
    before, sent = pulses[:-11], pulses[-11:]
    assert are(widths(sent), 1000)
    assert are(periods(sent), PERIOD_US)
    assert wire.is_still()
    return before


@pytest.mark.parametrize("is_enabled", [False, True])
@pytest.mark.parametrize(
    ("period_us", "width_us", "polarity"),
    [
        (40_000, 30_000, "normal"),
        (5_000, 2_500, "normal"),
        (20_000, 2_000, "inversed"),
        (30_000, 9_000, "inversed"),
    ],
)
def test_a_channel_is_taken_over_however_another_program_left_it(
    wire: Wire, period_us: int, width_us: int, polarity: str, is_enabled: bool
) -> None:
    """No pulse of the other program is cut; one of an inversed channel grows."""
    channel = find_channel(SERVO_BCM)
    for name, value in (
        ("period", period_us * 1000),
        ("polarity", polarity),
        ("duty_cycle", width_us * 1000),
        ("enable", int(is_enabled)),
    ):
        (channel.path / name).write_text(str(value))
    pause(0.1)
    before = sends_and_ends(wire, channel)
    assert is_enabled or before == []
    if polarity == "normal":
        assert all(are([width], width_us) for width in widths(before))
    else:
        high_us = period_us - width_us
        assert all(width >= high_us - EXACT_US for width in widths(before))


@either_way
def test_a_pull_goes_back_and_home_without_another_width(
    wire: Wire, travel: Travel
) -> None:
    """A new width begins with a new period, so that no pulse is between the two."""
    with closing(SystemClock()) as clock, closing(opened(travel, clock)) as servo:
        servo(True)
        until(lambda: len(wire.scope.pulses()) >= 10)
        servo(False)
        until(lambda: not is_enabled())
    pulses = wire.scope.pulses()
    backs = [pulse for pulse in pulses if are([pulse.width_us], travel.back_us)]
    homes = pulses[len(backs) :]
    assert pulses[: len(backs)] == backs
    assert are(widths(homes), travel.home_us)
    assert len(homes) * PERIOD_US >= HOME_MS * 1000
    assert are(periods(pulses), PERIOD_US)
    assert wire.is_still()


@pytest.mark.parametrize("is_back", [False, True])
def test_closing_ends_the_pulses(wire: Wire, is_back: bool) -> None:
    with closing(SystemClock()) as clock:
        servo = opened(MOUNTED[0], clock)
        servo(is_back)
        servo.close()
    assert not is_enabled()
    assert wire.is_still()


# The ends of pulses. At rest, closed and by ``coil_off`` a servo ends at home.


def rests(travel: Travel, pause_s: float) -> int:
    """Pull, go home after a while, and come to rest; return the last width."""
    with closing(SystemClock()) as clock:
        servo = opened(travel, clock)
        servo(True)
        pause(pause_s)
        servo(False)
        until(lambda: not is_enabled())
        servo.close()
    return travel.home_us


def closes(travel: Travel, pause_s: float) -> int:
    """Pull, go home, and close on the way; return the last width."""
    with closing(SystemClock()) as clock:
        servo = opened(travel, clock)
        servo(True)
        pause(pause_s)
        servo(False)
        servo.close()
    return travel.home_us


def ends(travel: Travel, pause_s: float) -> int:
    """End the pulses of a pull; return their width."""
    channel = find_channel(SERVO_BCM)
    channel.send(travel.back_us)
    pause(pause_s)
    channel.end()
    return travel.back_us


def is_left(travel: Travel, pause_s: float) -> int:
    """Leave a servo that is held back to ``coil_off``; return the last width."""
    find_channel(SERVO_BCM).send(travel.back_us)
    pause(pause_s)
    assert "was driven home" in coil_off(travel)
    return travel.home_us


def is_disabled(travel: Travel, pause_s: float) -> int:
    """Disable a pull's pulses at once, as no program of ours does any more."""
    channel = find_channel(SERVO_BCM)
    channel.send(travel.back_us)
    pause(pause_s)
    channel.disable()
    return travel.back_us


End = Callable[[Travel, float], int]


def cut_widths(wire: Wire, travel: Travel, end: End, count: int) -> list[int]:
    """Return the widths of the last pulses that were cut, of *count* ends.

    Each is *end*, at a moment that is drawn, from each stretch of a period one. All
    other pulses have to be whole.
    """
    cut: list[int] = []
    draw = random.Random(count)
    for n in draw.sample(range(count), count):
        pause_us = PERIOD_US + PERIOD_US * (n + draw.random()) / count
        wire.scope.clear()
        width_us = end(travel, pause_us / 1e6)
        assert not is_enabled()
        assert not wire.is_high()
        *others, last = pulses = wire.scope.pulses()
        assert are(periods(pulses), PERIOD_US)
        assert all(
            are([width], travel.home_us) or are([width], travel.back_us)
            for width in widths(others)
        )
        if not are([last.width_us], width_us):
            cut.append(last.width_us)
    return cut


@either_way
def test_scope_sees_pulses_that_are_cut(wire: Wire, travel: Travel) -> None:
    """A servo's are high for a tenth of the time at most, so that few are cut."""
    count = 50
    cut = cut_widths(wire, travel, is_disabled, count)
    sys.stdout.write(f"\nservo: {len(cut)} of {count} pulses cut at once: {cut}\n")
    assert cut
    assert max(cut) < travel.back_us


@either_way
@pytest.mark.parametrize("share", [1, *volume([10])])
def test_no_last_pulse_is_cut(wire: Wire, travel: Travel, share: int) -> None:
    for end, count in ((rests, 8), (closes, 8), (ends, 6), (is_left, 3)):
        assert cut_widths(wire, travel, end, count * share) == []


# Where the bolt is.


def in_a_pull(wire: Wire, travel: Travel) -> subprocess.Popen[str]:
    """Return a program in the middle of a pull, once the servo is back."""
    program = start("tests.kernel.pull_bolt", **settings(travel))
    until(lambda: wire.servo_is_at(travel.back_us, travel.home_us))
    return program


@either_way
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGSTOP])
def test_coil_off_brings_the_bolt_home_from_a_program_that_died_or_stands_still(
    wire: Wire, travel: Travel, sent: signal.Signals
) -> None:
    """The kernel goes on with the pulses; anyone may end them, as nobody owns them."""
    program = in_a_pull(wire, travel)
    try:
        os.kill(program.pid, sent)
        os.waitid(os.P_PID, program.pid, os.WEXITED | os.WSTOPPED | os.WNOWAIT)
        wire.scope.clear()
        pause(1.2)  # The pull would be over.
        assert are(widths(wire.scope.pulses()), travel.back_us)
        assert "was driven home" in coil_off(travel)
        assert wire.servo_is_at(travel.home_us, travel.back_us)
        assert wire.is_still()
    finally:
        finish(program)
    assert wire.is_still()


@either_way
def test_a_program_that_ends_in_a_pull_brings_the_bolt_home(
    wire: Wire, travel: Travel
) -> None:
    program = in_a_pull(wire, travel)
    program.communicate(timeout=PATIENCE_S)
    assert program.returncode == 0
    assert wire.servo_is_at(travel.home_us, travel.back_us)
    assert wire.is_still()


def test_wire_is_not_to_be_had_as_a_pin() -> None:
    with (
        closing(find_chip(HEADER_LABEL)) as chip,
        pytest.raises(DeviceFault, match=r"GPIO12 of .* is in use by 'pwm-gpio'"),
    ):
        chip.claim_output(SERVO_BCM, is_high=True, consumer="a test")
