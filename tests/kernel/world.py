"""The world outside the pins of the simulated chip: hands, resistors, a voltmeter.

Source: Linux, Documentation/admin-guide/gpio/gpio-sim.rst.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from hardware.vault.pins import Pins
from tests.running import PATIENCE_S

LINES = ("wheel_a", "wheel_b", "m_button", "yellow_button", "lid")
ROOT = Path(__file__).parents[2]


class World:
    """What lies at the other end of each wire."""

    def __init__(self) -> None:
        group = Path(os.environ["GPIO_SIM_CHIP"])
        device = (group / "dev_name").read_text().strip()
        chip = (group / "bank" / "chip_name").read_text().strip()
        self._lines = Path("/sys/devices/platform") / device / chip
        self._persist = next(Path("/sys/module").glob("gpio_sim*/parameters/persist"))

    def drive(self, bcm: int, is_high: bool) -> None:
        """Pull the line up or down from outside; an output does not give way.

        A program that claims the line with a bias of its own undoes this.
        """
        pull = "pull-up" if is_high else "pull-down"
        (self._lines / f"sim_gpio{bcm}" / "pull").write_text(pull)

    def level(self, bcm: int) -> bool:
        """Return what a voltmeter says."""
        return (self._lines / f"sim_gpio{bcm}" / "value").read_text().strip() == "1"

    def rest(self, pins: Pins) -> None:
        """Open all contacts, and pull all else down."""
        for wire, bcm in pins.named():
            self.drive(bcm, wire in LINES)

    @property
    def persists(self) -> bool:
        """Whether a line that is let go stays as it was.

        False as Linux's own gpio-sim and a Pi with ``dtparam=strict_gpiod``, True as a
        Pi's kernel without that: two lines of ours in the driver.
        """
        return self._persist.read_text().strip() == "Y"

    @persists.setter
    def persists(self, value: bool) -> None:
        self._persist.write_text("Y" if value else "N")


def until(holds: Callable[[], bool], within_s: float = 10) -> None:
    """Wait until *holds*."""
    end = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < end, f"not within {within_s} s"
        threading.Event().wait(0.002)


def start(module: str, *words: str, **settings: str) -> subprocess.Popen[str]:
    """Another program of ours, with pipes to it, once it has said a first line.

    *settings* are added to its environment.
    """
    program = subprocess.Popen(
        [sys.executable, "-m", module, *words],
        cwd=ROOT,
        env={**os.environ, **settings},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    assert program.stdout.readline() == "ready\n"
    return program


def finish(program: subprocess.Popen[str]) -> None:
    """End *program*, whatever state it is in, and let its pipes go."""
    program.kill()
    program.communicate(timeout=PATIENCE_S)
