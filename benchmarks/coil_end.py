"""How long is the coil on when it was asked to be on for 400 ms?

Real coil, real clocks, gpiozero's mock pins, and busy threads that never let go of the
interpreter by themselves. The alarm's lights and sounds play at the same time, on the
vault's other clock. One sample runs from the level at the coil's pin to its end.

Run: ``python -m benchmarks.coil_end [--samples 25]``
"""

from __future__ import annotations

import argparse
import json
import statistics
import threading
import time

from gpiozero.pins.mock import MockFactory

from companion.ports import Signal
from hardware.clock import SystemClock
from hardware.vault.gpio_vault import GpioVault
from hardware.vault.pins import Pins

ON_TIME_MS = 400
PATIENCE_S = 10
"""How long to wait for the end of a pulse."""


class Bench:
    """A vault on mock pins, and a stopwatch at its coil."""

    def __init__(self) -> None:
        factory = MockFactory()
        pin = factory.pin(Pins().latch)
        self.device = GpioVault(
            Pins(), SystemClock(), coil_clock=SystemClock(), pin_factory=factory
        )
        self.at_ns = {True: 0, False: 0}  # When the coil last went on, and off.
        self.off = threading.Event()
        set_state = pin._set_state

        def spied(level: bool) -> None:
            set_state(level)
            self.at_ns[bool(level)] = time.perf_counter_ns()
            if not level:
                self.off.set()

        pin._set_state = spied

    def on_ms(self) -> float:
        """Make one pulse with lights and sounds; return how long the coil was on."""
        self.device._coil._rests_until_ns = None
        self.off.clear()
        while not self.device.is_sound:
            time.sleep(0.01)  # The second deadline came first.
        self.device.signal(Signal.ALARM)
        self.device.release(ON_TIME_MS)
        if not self.off.wait(PATIENCE_S):
            raise TimeoutError("expected the coil off, got nothing")
        return (self.at_ns[False] - self.at_ns[True]) / 1e6


def measure(busy_count: int, pulses: int) -> dict[str, object]:
    """Make *pulses* beside *busy_count* busy threads; return the figures, in ms."""
    may_end = False

    def work() -> None:
        while not may_end:
            pass

    threads = [threading.Thread(target=work, daemon=True) for _ in range(busy_count)]
    for thread in threads:
        thread.start()
    bench = Bench()
    try:
        times = sorted(bench.on_ms() for _ in range(pulses))
    finally:
        bench.device.close()
        may_end = True
        for thread in threads:
            thread.join()
    return {
        "what": f"coil on, asked for {ON_TIME_MS}, ms",
        "busy_threads": busy_count,
        "n": pulses,
        "median": round(statistics.median(times), 1),
        "max": round(times[-1], 1),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=25)
    pulses = parser.parse_args().samples
    for busy_count in (0, 4, 8):
        print(json.dumps(measure(busy_count, pulses)), flush=True)
