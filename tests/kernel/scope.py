"""An oscilloscope on a servo's wire: what the kernel notes of the pulses that it makes.

``pwm-gpio`` sets the line in a timer. The kernel's trace notes each time that the line
is set, and for which moment the timer is. A pulse's width is told by the latter, to the
nanosecond, however late an emulated machine may be; when the line was set is told, too.

Sources: Linux, Documentation/trace/events.rst, include/trace/events/gpio.h and timer.h,
drivers/pwm/pwm-gpio.c.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hardware.vault.pins import HEADER_LABEL

TRACING = Path("/sys/kernel/tracing")
NOTE = re.compile(
    r" (?P<at>\d+\.\d+): "
    r"(?:gpio_value: \d+ set (?P<level>\d)"
    r"|hrtimer_start: .* expires=(?P<expires>\d+) .* mode=(?P<mode>ABS|REL))"
)


@dataclass(frozen=True, slots=True)
class Phase:
    """A stretch of time between two moments for which the timer was set."""

    is_high: bool
    planned_ns: int
    late_us: float
    """How late the line was set at its beginning."""


class Scope:
    """Notes all that happens on the line of *bcm* until it is closed."""

    def __init__(self, bcm: int) -> None:
        self._notes = TRACING / "instances" / "scope"
        self._notes.mkdir()
        (self._notes / "trace_clock").write_text("mono")
        line = _first_line() + bcm
        self._note("gpio/gpio_value", f"gpio == {line}")
        self._note("timer/hrtimer_start", f"function == {_address('pwm_gpio_timer')}")

    def _note(self, event: str, which: str) -> None:
        (self._notes / "events" / event / "filter").write_text(which)
        (self._notes / "events" / event / "enable").write_text("1")

    def clear(self) -> None:
        """Forget what was noted so far."""
        (self._notes / "trace").write_text("")

    def close(self) -> None:
        """Stop noting."""
        self._notes.rmdir()

    def levels(self) -> list[bool]:
        """Return the levels to which the line was set, oldest first."""
        return [note["level"] == "1" for note in self._read() if note["level"]]

    def phases(self) -> list[Phase]:
        """Return the phases that began after a first timer, oldest first.

        That leaves out the first pulse after each start, whose timer begins whenever
        the program asks. A phase may be cut short by a program that ends the pulses.
        """
        phases: list[Phase] = []
        is_high, set_us, began_ns = False, 0.0, None
        for note in self._read():
            if note["level"]:
                is_high, set_us = note["level"] == "1", float(note["at"]) * 1e6
                continue
            ends_ns = int(note["expires"])
            if note["mode"] == "ABS" and began_ns is not None:
                late_us = set_us - began_ns / 1000
                phases.append(Phase(is_high, ends_ns - began_ns, late_us))
            began_ns = ends_ns
        return phases

    def _read(self) -> Iterator[re.Match[str]]:
        for line in (self._notes / "trace").read_text().splitlines():
            if note := NOTE.search(line):
                yield note


def _first_line() -> int:
    """Return the kernel's own number of the header's first line."""
    for label in Path("/sys/class/gpio").glob("gpiochip*/label"):
        if label.read_text().startswith(HEADER_LABEL):
            return int((label.parent / "base").read_text())
    raise AssertionError("the header's chip is not in /sys/class/gpio")


@cache  # The kernel takes its time.
def _address(function: str) -> str:
    symbols = Path("/proc/kallsyms").read_text()
    found = re.search(rf"^(\w+) \w {function}\b", symbols, re.MULTILINE)
    assert found, f"the kernel has no {function}"
    return f"0x{found[1]}"
