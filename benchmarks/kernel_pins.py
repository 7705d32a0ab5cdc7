"""The vault on the kernel's own GPIO, whose chip is simulated: what does it cost?

``press``: another program presses M and watches the coil's line, as in
``benchmarks.vault_press``. ``idle``: the share of one core and the voluntary context
switches of a program at rest, and while its wheel is turned at 20 detents a second.

``idle`` measures *layers*, each on top of the one before: ``lines`` only listens to the
kernel's lines, then come gpiozero, the vault and its keeper; ``serve`` is the program.

Run: ``tests/machines/kernel.sh .venv/bin/python -m benchmarks.kernel_pins press|idle``
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from gpiozero import InputDevice

import cli
from benchmarks.vault_press import PATIENCE_S, Bench, figures_of
from companion.lock.states import VaultState
from companion.ports import Line
from hardware.clock import SystemClock
from hardware.vault.gpio_chip import find_chip
from hardware.vault.gpio_vault import GpioVault
from hardware.vault.kernel_pins import EdgeListener, KernelFactory
from hardware.vault.pins import HEADER_LABEL, Pins
from tests.kernel.turn_wheel import CLOCKWISE, EDGES_PER_S
from tests.kernel.world import World

PINS = Pins()
INPUTS = [getattr(PINS, line) for line in Line]
WINDOW_S = 6.0
"""How long a layer is measured at rest, and turned."""
SETTLE_S = 3.0
SETTLE_TRIES = 60
SETTLED_SHARE = 0.1
"""A program has started once it takes less of a core than this for ``SETTLE_S``."""


def press_m() -> None:
    """Be the hands, a program of their own that does what its input says.

    For ``press`` it presses M, prints the ns until the coil is on, and lifts the lid.
    """
    world = World()
    print("ready", flush=True)
    for word in sys.stdin:
        if word == "shut\n":
            world.drive(PINS.lid, False)
        elif word == "press\n":
            began_ns = time.monotonic_ns()
            world.drive(PINS.m_button, False)
            until_ns = began_ns + PATIENCE_S * 1_000_000_000
            while not world.level(PINS.latch) and time.monotonic_ns() < until_ns:
                pass
            print(time.monotonic_ns() - began_ns, flush=True)
            world.drive(PINS.lid, True)
        elif word == "let go\n":
            world.drive(PINS.m_button, True)


def measure_press(presses: int) -> dict[str, object]:
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        bench = Bench(Path(folder), KernelFactory(find_chip(HEADER_LABEL)))
        stack.callback(bench.close)
        World().rest(PINS)
        hands = stack.enter_context(_program("press_m"))
        assert hands.stdin is not None
        assert hands.stdout is not None
        waits = []
        for _ in range(presses):
            bench.rest_the_coil()
            _say(hands, "shut")
            bench.until(VaultState.SHUT)
            _say(hands, "press")
            waits.append(int(hands.stdout.readline()) / 1e6)
            bench.until(VaultState.OPEN)
            _say(hands, "let go")
        hands.stdin.close()
    what = "M pressed by another program to its sight of the coil, virtual machine, ms"
    return {**figures_of(what, sorted(waits)), "load": os.getloadavg()[0]}


def _lines() -> object:
    chip, listener = find_chip(HEADER_LABEL), EdgeListener()
    lines = [chip.claim_input(bcm, consumer="a measurement") for bcm in INPUTS]
    for line in lines:
        listener.add(line, lambda at_ns, is_high: None)
    return lines, listener


def _hear_nothing(at_ns: int, is_high: bool) -> None:
    pass


def _gpiozero() -> object:
    factory = KernelFactory(find_chip(HEADER_LABEL))
    devices = [InputDevice(bcm, pull_up=True, pin_factory=factory) for bcm in INPUTS]
    for device in devices:
        device.pin.when_changed = _hear_nothing
    return devices


def _vault() -> object:
    factory = KernelFactory(find_chip(HEADER_LABEL))
    vault = GpioVault(
        PINS, SystemClock(), coil_clock=SystemClock(), pin_factory=factory
    )
    vault.listen(lambda edge: None)
    return vault


def _keeper() -> object:
    folder = Path(tempfile.mkdtemp())
    return Bench(folder, KernelFactory(find_chip(HEADER_LABEL)))


LAYERS: dict[str, Callable[[], object]] = {
    "lines": _lines,
    "gpiozero": _gpiozero,
    "vault": _vault,
    "keeper": _keeper,
}


def stand() -> None:
    """Be the layer that the arguments name, and print its cost so far when asked."""
    layer = sys.argv[2]
    answering = threading.Thread(target=_answer, daemon=layer == "serve")
    if layer == "serve":
        answering.start()
        data = tempfile.mkdtemp()
        cli.main(["serve", "--host", "127.0.0.1", "--port", "0", "--data", data])
    else:
        kept = LAYERS[layer]()
        answering.start()
        answering.join()
        os._exit(0 if kept else 1)


def _answer() -> None:
    """Print time, processor time and context switches for each line of input."""
    print("ready", flush=True)
    for _ in sys.stdin:
        used = resource.getrusage(resource.RUSAGE_SELF)
        figures = (time.monotonic(), time.process_time(), used.ru_nvcsw)
        print(json.dumps(figures), flush=True)
    os._exit(0)


def measure_idle(layers: list[str]) -> None:
    for layer in layers or (*LAYERS, "serve"):
        with _program("stand", layer) as program:
            assert program.stdin is not None
            World().rest(PINS)
            _settle(program)
            for what, act in (("at rest", _rest), ("wheel turned", _turn)):
                before = _figures(program)
                act()
                passed_s, used_s, switches = _since(before, _figures(program))
                line = {
                    "what": f"{layer}, {what}",
                    "share_percent": round(used_s / passed_s * 100, 2),
                    "switches_a_second": round(switches / passed_s, 1),
                    "seconds": round(passed_s, 1),
                    "load": os.getloadavg()[0],
                }
                print(json.dumps(line), flush=True)
            program.stdin.close()


def _settle(program: subprocess.Popen[str]) -> None:
    """Wait until it has started: imports, journal, decoder."""
    share = 1.0
    for _ in range(SETTLE_TRIES):
        before = _figures(program)
        time.sleep(SETTLE_S)
        passed_s, used_s, _ = _since(before, _figures(program))
        share = used_s / passed_s
        if share < SETTLED_SHARE:
            return
    raise TimeoutError(f"expected a program at rest, got a share of {share:.0%}")


def _since(before: list[float], after: list[float]) -> list[float]:
    return [new - old for old, new in zip(before, after, strict=True)]


def _rest() -> None:
    time.sleep(WINDOW_S)


def _turn() -> None:
    world = World()
    due = time.monotonic()
    for edge in range(int(WINDOW_S * EDGES_PER_S)):
        wire, is_high = CLOCKWISE[edge % len(CLOCKWISE)]
        world.drive(getattr(PINS, wire), is_high)
        due += 1 / EDGES_PER_S
        time.sleep(max(0.0, due - time.monotonic()))


def _figures(program: subprocess.Popen[str]) -> list[float]:
    """Ask the program for the figures that ``_answer`` prints."""
    _say(program, "figures")
    assert program.stdout is not None
    for line in program.stdout:
        if line.startswith("["):  # The whole program has more to say.
            figures: list[float] = json.loads(line)
            return figures
    raise EOFError("expected figures, got the end of the program")


def _say(program: subprocess.Popen[str], word: str) -> None:
    assert program.stdin is not None
    program.stdin.write(f"{word}\n")
    program.stdin.flush()


def _program(*words: str) -> subprocess.Popen[str]:
    """Run this module with *words* as arguments; return once it is ready."""
    program = subprocess.Popen(
        [sys.executable, "-m", __spec__.name, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    while program.stdout.readline() != "ready\n":
        pass
    return program


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("press", "idle", "press_m", "stand"))
    parser.add_argument("layers", nargs="*")
    parser.add_argument("--samples", type=int, default=200)
    chosen = parser.parse_args()
    if chosen.what == "press":
        print(json.dumps(measure_press(chosen.samples)))
    elif chosen.what == "idle":
        measure_idle(chosen.layers)
    elif chosen.what == "press_m":
        press_m()
    else:
        stand()
