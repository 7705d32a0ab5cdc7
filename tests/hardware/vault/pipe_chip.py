"""A chip without a kernel: edges come through pipes, in the kernel's own bytes."""

from __future__ import annotations

import os
import struct
from collections import defaultdict
from typing import TYPE_CHECKING

from hardware.vault.gpio_chip import GpioChip, GpioLine

if TYPE_CHECKING:
    from typing import Self

# Stamp, 1 rising or 2 falling, line, number of all, number of the line's, 24 spare.
EVENT = struct.Struct("=QIIII24x")


class PipeLine(GpioLine):
    """A line whose level is a variable, and whose edges wait in a pipe."""

    def __init__(self, offset: int, is_high: bool) -> None:
        reading, self._writing = os.pipe()
        super().__init__(reading, f"GPIO{offset}")
        self.level = is_high
        self._number = 0

    def is_high(self) -> bool:
        return self.level

    def drive(self, is_high: bool) -> None:
        self.level = is_high

    def move(self, is_high: bool, at_ns: int, lost_count: int = 0) -> None:
        """Do what the kernel does at an edge, after dropping some."""
        self.level = is_high
        self._number += 1 + lost_count
        event = EVENT.pack(at_ns, 1 if is_high else 2, 0, self._number, self._number)
        os.write(self._writing, event)

    def close(self) -> None:
        if self.fileno() >= 0:
            os.close(self._writing)
        super().close()


class PipeChip(GpioChip):
    """Hands out lines of pipes, the latest of each pin in ``lines``."""

    def __init__(self) -> None:
        self.lines: dict[int, PipeLine] = {}
        self.claims_count: defaultdict[int, int] = defaultdict(int)

    def __enter__(self) -> Self:
        return self

    def claim_output(self, offset: int, *, is_high: bool, consumer: str) -> GpioLine:
        return self._made(offset, is_high)

    def claim_input(self, offset: int, *, consumer: str) -> GpioLine:
        return self._made(offset, True)

    def close(self) -> None:
        """There is nothing to let go."""

    def _made(self, offset: int, is_high: bool) -> GpioLine:
        self.claims_count[offset] += 1
        self.lines[offset] = PipeLine(offset, is_high)
        return self.lines[offset]
