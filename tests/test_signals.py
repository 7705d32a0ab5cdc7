"""Signals that end the program in the middle of a pulse: the coil is off after them."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.running import PATIENCE_S, ROOT, free_port
from tests.sample import sampled

CHILD = """
import os, signal, sys, threading
from gpiozero.pins.mock import MockFactory
import cli, serving
from companion.lock.keeper import VaultKeeper
from hardware.clock import SystemClock
from hardware.vault.gpio_vault import GpioVault
from hardware.vault.pins import Pins

pins, factory = Pins(), MockFactory()
coil, m = factory.pin(pins.latch), factory.pin(pins.m_button)
lid = factory.pin(pins.lid)

class NoTimers(SystemClock):  # Nothing but the end of the program ends the pulse.
    def call_later(self, delay_ms, act):
        return super().call_later(3_600_000, act)

def say(line):  # In one piece and on a line of its own: the program is printing, too.
    sys.stdout.write(f"\\n{line}\\n")
    sys.stdout.flush()

def press_until_it_is_on():
    wait = threading.Event().wait
    while coil.function != "output" or not coil.state:
        lid.drive_low()  # Shut, and no code is set: M opens it.
        m.drive_high()
        wait(0.05)
        m.drive_low()
        wait(0.05)
    say("on")

def again(close):  # Ctrl-C is typed more than once.
    def closing(self):
        os.kill(os.getpid(), signal.SIGINT)
        close(self)
    return closing

VaultKeeper.stop, GpioVault.close = again(VaultKeeper.stop), again(GpioVault.close)
serving.find_vault = lambda settings, clock, *, coil_clock, was_lid_shut: GpioVault(
    pins, NoTimers(), pin_factory=factory
)
threading.Thread(target=press_until_it_is_on, daemon=True).start()
try:
    cli.main(sys.argv[1:], standalone_mode=False)
finally:
    say(f"coil {[int(bool(one.state)) for one in coil.states]}")
"""


@pytest.mark.parametrize(
    "ending", sampled([signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
)
def test_the_coil_is_off_after_signals_that_begin_with(
    tmp_path: Path, ending: signal.Signals
) -> None:
    words = ["serve", "--host", "127.0.0.1", "--port", str(free_port())]
    with subprocess.Popen(
        [sys.executable, "-c", CHILD, *words, "--data", str(tmp_path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        assert "on\n" in iter(child.stdout.readline, "")
        child.send_signal(ending)
        said, wrong = child.communicate(timeout=PATIENCE_S)
    assert child.returncode == 0, wrong
    assert said.splitlines()[-1] == "coil [0, 1, 0]"
