"""How long after M is pressed does current flow through the coil?

Real keeper, real thread, gpiozero's mock pins, every event committed to the journal
on disk. One sample runs from the edge at M's pin to the level at the coil's. The lid
is shut and no code set, so each press opens; the coil's rest is skipped.

Run: ``python -m benchmarks.vault_press [--samples 200]``
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import threading
import time
from pathlib import Path

from gpiozero.pins import Factory
from gpiozero.pins.mock import MockFactory, MockPin

from companion.lock.keeper import VaultKeeper
from companion.lock.states import VaultState
from companion.lock.view import VaultView
from companion.store import Database, Journals
from companion.table.vault_journal import VaultJournal
from hardware.clock import SystemClock
from hardware.vault.gpio_vault import GpioVault
from hardware.vault.pins import Pins

PATIENCE_S = 10


class Bench:
    """A vault with its keeper, and its journal on disk."""

    def __init__(self, folder: Path, factory: Factory) -> None:
        clock = SystemClock()
        self.database = Database(folder)
        journal = VaultJournal(Journals(self.database), clock)
        self.device = GpioVault(
            Pins(), clock, coil_clock=SystemClock(), pin_factory=factory
        )
        self.keeper = VaultKeeper(self.device, clock, journal.record, lambda: 4)
        self.changed = threading.Condition()
        self.state = VaultState.UNKNOWN
        self.keeper.subscribe(self.hear)
        self.keeper.start()

    def hear(self, view: VaultView) -> None:
        with self.changed:
            self.state = view.state
            self.changed.notify_all()

    def until(self, state: VaultState) -> None:
        """Wait until the vault is in *state*."""
        with self.changed:
            if not self.changed.wait_for(lambda: self.state is state, PATIENCE_S):
                raise TimeoutError(f"expected the vault {state}, got {self.state}")

    def rest_the_coil(self) -> None:
        """Forget its pulses, as if it had rested long."""
        self.device._coil._rests_until_ns = None

    def close(self) -> None:
        self.keeper.stop()
        self.database.close()


class MockBench(Bench):
    """A bench on mock pins, with hands that press M."""

    def __init__(self, folder: Path) -> None:
        factory = MockFactory()
        self.pins: dict[str, MockPin] = {
            wire: factory.pin(bcm) for wire, bcm in Pins().named()
        }
        super().__init__(folder, factory)
        self.coil_on_ns = 0
        self.coil_on = threading.Event()
        coil = self.pins["latch"]
        set_state = coil._set_state

        def spied(level: bool) -> None:
            set_state(level)
            if level:
                self.coil_on_ns = time.perf_counter_ns()
                self.coil_on.set()

        coil._set_state = spied

    def press_ms(self) -> float:
        """Shut the lid, press M, and let the lid rise; return the wait for the coil."""
        self.rest_the_coil()
        self.pins["lid"].drive_low()
        self.until(VaultState.SHUT)
        self.coil_on.clear()
        began_ns = time.perf_counter_ns()
        self.pins["m_button"].drive_low()
        if not self.coil_on.wait(PATIENCE_S):
            raise TimeoutError("expected the coil on, got nothing")
        self.pins["lid"].drive_high()
        self.until(VaultState.OPEN)
        self.pins["m_button"].drive_high()
        return (self.coil_on_ns - began_ns) / 1e6


def measure(presses: int = 200) -> dict[str, object]:
    """Press M *presses* times; return the figures, in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        bench = MockBench(Path(folder))
        try:
            waits = sorted(bench.press_ms() for _ in range(presses))
        finally:
            bench.close()
    what = "M press on mock pins to coil on, committed, ms"
    return {**figures_of(what, waits), "aim_p99": 5}


def figures_of(what: str, waits: list[float]) -> dict[str, object]:
    """Return the figures of *waits*, which are sorted."""
    return {
        "what": what,
        "n": len(waits),
        "median": round(statistics.median(waits), 2),
        "p99": round(waits[int(len(waits) * 0.99) - 1], 2),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=200)
    print(json.dumps(measure(parser.parse_args().samples)))
