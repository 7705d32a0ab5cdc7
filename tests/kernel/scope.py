"""An oscilloscope on a servo's wire: each edge of the line, at its moment.

The kernel's trace notes whenever anybody sets the line, the timer of ``pwm-gpio`` or
that driver's functions. It knows nothing of what was asked for.

Sources: Linux, Documentation/trace/events.rst, include/trace/events/gpio.h.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from hardware.vault.pins import HEADER_LABEL

TRACING = Path("/sys/kernel/tracing")
NOTE = re.compile(r" (?P<s>\d+)\.(?P<us>\d{6}): gpio_value: \d+ set (?P<level>\d)")


@dataclass(frozen=True, slots=True)
class Pulse:
    """A time for which the line was high, in microseconds of ``time.monotonic``."""

    rose_us: int
    fell_us: int

    @property
    def width_us(self) -> int:
        """Its width."""
        return self.fell_us - self.rose_us


class Scope:
    """Notes all that happens on the line of *bcm* until it is closed."""

    def __init__(self, bcm: int) -> None:
        self._notes = TRACING / "instances" / "scope"
        self._notes.mkdir()
        (self._notes / "trace_clock").write_text("mono")
        event = self._notes / "events/gpio/gpio_value"
        (event / "filter").write_text(f"gpio == {_first_line() + bcm}")
        (event / "enable").write_text("1")
        self._was_high = False

    def clear(self) -> None:
        """Forget what was noted so far, but not whether the line is high."""
        self._was_high = [self._was_high, *(high for _, high in self._read())][-1]
        (self._notes / "trace").write_text("")

    def close(self) -> None:
        """Stop noting."""
        self._notes.rmdir()

    def pulses(self) -> list[Pulse]:
        """Return the pulses that began and ended, oldest first."""
        pulses: list[Pulse] = []
        is_high, rose_us = self._was_high, None
        for at_us, sets_high in self._read():
            if sets_high and not is_high:
                rose_us = at_us
            elif is_high and not sets_high and rose_us is not None:
                pulses.append(Pulse(rose_us, at_us))
            is_high = sets_high
        return pulses

    def is_idle(self) -> bool:
        """Return whether nobody has set the line."""
        return not self._read()

    def _read(self) -> list[tuple[int, bool]]:
        """Return when the line was set, and whether it was set high."""
        notes = NOTE.finditer((self._notes / "trace").read_text())
        return [(int(note["s"] + note["us"]), note["level"] == "1") for note in notes]


def _first_line() -> int:
    """Return the kernel's own number of the header's first line."""
    for label in Path("/sys/class/gpio").glob("gpiochip*/label"):
        if label.read_text().startswith(HEADER_LABEL):
            return int((label.parent / "base").read_text())
    raise AssertionError("the header's chip is not in /sys/class/gpio")
