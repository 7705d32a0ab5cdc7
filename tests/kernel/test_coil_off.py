"""What the coil's line does when a program dies or stands still, and ``coil_off``.

Linux's own simulated chip, like a Pi's with ``dtparam=strict_gpiod``, lets a line go
when its program dies. A Pi's kernel without that keeps the line as it was: so does the
simulated one here while ``world.persists`` (two lines of ours in the driver, after
drivers/pinctrl/bcm/pinctrl-bcm2835.c, ``persist_gpio_outputs``). That proves what
``coil_off`` does to such a line, and not that any one Pi behaves so.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import pytest

from hardware.vault.pins import Pins
from tests.kernel.world import ROOT, World, finish, start

COIL = Pins().latch
PULSE_S = 1.0


def coil_off() -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-S", "-m", "hardware.vault.coil_off"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("persists", [False, True])
def test_coil_off_lowers_a_line_that_a_killed_program_left_high(
    world: World, persists: bool
) -> None:
    world.persists = persists
    holder = start("tests.kernel.hold_coil")
    try:
        assert world.level(COIL)
    finally:
        finish(holder)
    assert world.level(COIL) is persists
    ran = coil_off()
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == "GPIO17 of /dev/gpiochip0 is low: the coil is off\n"
    assert not world.level(COIL)


def test_coil_off_lowers_a_line_that_something_pulls_up(world: World) -> None:
    """Its own pull-down stays on: the simulated chip has but one pull for a line."""
    world.drive(COIL, True)
    assert coil_off().returncode == 0
    assert not world.level(COIL)


def test_table_that_stands_still_keeps_the_coil_on_until_it_is_killed(
    world: World,
) -> None:
    """No software helps here: the line is held, and its deadlines stand still too.

    The reservoir of hardware/README.md is what bears this; it is not on this chip.
    """
    world.persists = True
    table = start("tests.kernel.pull_bolt")
    try:
        os.kill(table.pid, signal.SIGSTOP)
        assert world.level(COIL)
        threading.Event().wait(1.5 * PULSE_S)
        assert world.level(COIL)
        refused = coil_off()
        assert world.level(COIL)
    finally:
        finish(table)
    assert refused.returncode == 1
    assert refused.stderr == (
        "the latch was not let go: GPIO17 of /dev/gpiochip0 "
        f"is in use by 'companion, process {table.pid}'\n"
    )
    assert world.level(COIL)  # The kernel keeps what the dead program left.
    assert coil_off().returncode == 0
    assert not world.level(COIL)
