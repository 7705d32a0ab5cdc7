"""The kernel's GPIO interface: find the header's chip, claim, read and drive lines.

This uses the standard library only, so that the coil can be switched off on a system
with broken packages. A *line* is a pin; on a Pi's header its number, or *offset*, is
the BCM number.

Source: Linux, include/uapi/linux/gpio.h, "ABI v2", in every kernel since 5.10.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from companion.errors import DeviceFault

CONSUMER_BYTES_MAX = 31
"""The longest name under which other programs see who holds a line."""
EVENTS_MAX = 1024
"""How many unread edges of a line the kernel keeps; it grants no more."""
EVENTS_AT_ONCE = 64
"""How many edges one call reads."""

# The kernel's structures, by their fields; of some only those that are used here.
_CHIP_INFO = struct.Struct("=32s32sI")  # Name, label, number of lines.
_LINE_INFO = struct.Struct("=32s32s4xIQ160x16x")  # Name, consumer, attributes, flags.
_LINE_OFFSET = struct.Struct("=64xI")  # The place of the line's number.
_ATTRIBUTE = struct.Struct("=I4xQQ")  # Kind, value, mask of lines.
_REQUEST_HEAD = struct.Struct("=256s32sQI20x")  # Offsets, consumer, flags, attributes.
_REQUEST_TAIL = struct.Struct("=II20xi")  # Number of lines, event buffer, descriptor.
_ATTRIBUTES_BYTES = 10 * _ATTRIBUTE.size
_VALUES = struct.Struct("=QQ")  # Bits, mask.
# Time, kind, line, number among the edges of all lines, number among the line's.
_EVENT = struct.Struct("=QIIII24x")

# Values of an attribute's kind, and of an event's.
_OUTPUT_VALUES = 2  # GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES
_RISING = 1  # GPIO_V2_LINE_EVENT_RISING_EDGE

# The flags of a line.
_USED = 1 << 0
_INPUT = 1 << 2
_OUTPUT = 1 << 3
_BOTH_EDGES = 1 << 4 | 1 << 5
_PULL_UP = 1 << 8
_PULL_DOWN = 1 << 9
_BIAS_OFF = 1 << 10

Bias = Literal["up", "down", "off", "unknown"]
_BIASES: tuple[tuple[Bias, int], ...] = (
    ("up", _PULL_UP),
    ("down", _PULL_DOWN),
    ("off", _BIAS_OFF),
)


_READ, _READ_AND_WRITE = 2, 3
"""Whether the kernel only fills in a structure, or also reads it."""
_GPIO = 0xB4
"""The kernel's number for all requests about GPIO."""


def _code(direction: int, number: int, size: int) -> int:
    """Compute the code of a request about a structure of *size* bytes.

    Source: Linux, include/uapi/asm-generic/ioctl.h.
    """
    return direction << 30 | size << 16 | _GPIO << 8 | number


_GET_CHIP_INFO = _code(_READ, 0x01, _CHIP_INFO.size)
_GET_LINE_INFO = _code(_READ_AND_WRITE, 0x05, _LINE_INFO.size)
_REQUEST_SIZE = _REQUEST_HEAD.size + _ATTRIBUTES_BYTES + _REQUEST_TAIL.size
_GET_LINE = _code(_READ_AND_WRITE, 0x07, _REQUEST_SIZE)
_GET_VALUES = _code(_READ_AND_WRITE, 0x0E, _VALUES.size)
_SET_VALUES = _code(_READ_AND_WRITE, 0x0F, _VALUES.size)


@dataclass(frozen=True, slots=True)
class LineInfo:
    """A line as the kernel describes it.

    Attributes:
        name: The board's name for it, such as ``GPIO17``; may be empty.
        consumer: The name that its holder gave itself; may be empty.
        is_used: Whether a program holds it, or the kernel itself uses it.
        is_output: Whether it is an output; otherwise it is an input.
        bias: Its pull resistor; ``unknown`` if the kernel was not asked to set it.
    """

    name: str
    consumer: str
    is_used: bool
    is_output: bool
    bias: Bias


@dataclass(frozen=True, slots=True)
class LineEdge:
    """A change of a line's level.

    Attributes:
        is_high: The new level.
        at_ns: The time, by CLOCK_MONOTONIC, which is ``time.monotonic_ns``.
        number: Counts the line's edges from 1, in 32 bits; dropped edges leave a gap.
    """

    is_high: bool
    at_ns: int
    number: int


class GpioLine:
    """A line that this program holds until ``close``."""

    def __init__(self, descriptor: int, name: str) -> None:
        self._descriptor = descriptor
        self._name = name
        os.set_blocking(descriptor, False)

    def __repr__(self) -> str:
        return f"GpioLine({self._name})"

    def fileno(self) -> int:
        """Return the descriptor on which to wait for edges; -1 once closed."""
        return self._descriptor

    def is_high(self) -> bool:
        """Read the level now.

        Raises:
            OSError: If the line is closed or its chip is gone.
        """
        answer = fcntl.ioctl(self._descriptor, _GET_VALUES, _VALUES.pack(0, 1))
        return bool(_VALUES.unpack(answer)[0])

    def drive(self, is_high: bool) -> None:
        """Set the level of an output.

        Raises:
            OSError: If the line is closed, or an input.
        """
        fcntl.ioctl(self._descriptor, _SET_VALUES, _VALUES.pack(is_high, 1))

    def edges(self) -> tuple[LineEdge, ...]:
        """Read the oldest unread edges, at most 64; empty if there are none.

        Raises:
            OSError: If the line is closed or its chip is gone.
        """
        try:
            data = os.read(self._descriptor, EVENTS_AT_ONCE * _EVENT.size)
        except BlockingIOError:
            return ()
        return tuple(
            LineEdge(kind == _RISING, at_ns, number)
            for at_ns, kind, _, _, number in _EVENT.iter_unpack(data)
        )

    def close(self) -> None:
        """Release the line. May be called twice.

        The kernel decides about the pin then: a Raspberry Pi's kernel keeps driving an
        output, unless ``dtparam=strict_gpiod`` makes it an input.
        """
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


class GpioChip:
    """A GPIO chip of this machine; its lines stay usable after it is closed."""

    def __init__(self, path: Path, descriptor: int, label: str) -> None:
        self.path = path
        self.label = label
        self._descriptor = descriptor

    def __repr__(self) -> str:
        return f"GpioChip({self.path}, {self.label})"

    def line_info(self, offset: int) -> LineInfo:
        """Ask the kernel about line *offset*.

        Raises:
            DeviceFault: If the chip has no such line.
        """
        info = bytearray(_LINE_INFO.size)
        _LINE_OFFSET.pack_into(info, 0, offset)
        try:
            fcntl.ioctl(self._descriptor, _GET_LINE_INFO, info)
        except OSError as error:
            raise DeviceFault(f"{self.path} has no line {offset} ({error})") from error
        name, consumer, _, flags = _LINE_INFO.unpack(info)
        return LineInfo(
            _text(name),
            _text(consumer),
            is_used=bool(flags & _USED),
            is_output=bool(flags & _OUTPUT),
            bias=next((bias for bias, flag in _BIASES if flags & flag), "unknown"),
        )

    def claim_output(self, offset: int, *, is_high: bool, consumer: str) -> GpioLine:
        """Claim line *offset* as an output that has its level from the first moment on.

        Its pull-down is switched on too, and keeps the line low where the kernel turns
        a released line into an input.

        Raises:
            DeviceFault: If another program holds it, or the chip has no such line.
        """
        return self._claim(offset, _OUTPUT | _PULL_DOWN, consumer, is_high)

    def claim_input(self, offset: int, *, consumer: str) -> GpioLine:
        """Claim line *offset* as an input, pulled up, and have its edges recorded.

        Raises:
            DeviceFault: If another program holds it, or the chip has no such line.
        """
        return self._claim(offset, _INPUT | _PULL_UP | _BOTH_EDGES, consumer)

    def close(self) -> None:
        """Close the chip; claimed lines stay claimed. May be called twice."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _claim(
        self, offset: int, flags: int, consumer: str, is_high: bool = False
    ) -> GpioLine:
        """Claim line *offset* with *flags*; *is_high* is the level of an output."""
        request = bytearray(_REQUEST_SIZE)
        name = consumer.encode()[:CONSUMER_BYTES_MAX]
        offsets = struct.pack("=I", offset)
        attributes_count = 1 if flags & _OUTPUT else 0
        _REQUEST_HEAD.pack_into(request, 0, offsets, name, flags, attributes_count)
        if attributes_count:
            first = _REQUEST_HEAD.size  # Where the first attribute begins.
            _ATTRIBUTE.pack_into(request, first, _OUTPUT_VALUES, is_high, 1)
        tail = _REQUEST_SIZE - _REQUEST_TAIL.size
        _REQUEST_TAIL.pack_into(request, tail, 1, EVENTS_MAX, 0)
        try:
            fcntl.ioctl(self._descriptor, _GET_LINE, request)
        except OSError as error:
            raise self._unclaimed(offset, error) from error
        return GpioLine(_REQUEST_TAIL.unpack_from(request, tail)[2], f"GPIO{offset}")

    def _unclaimed(self, offset: int, error: OSError) -> DeviceFault:
        if error.errno == errno.EBUSY:
            holder = self.line_info(offset).consumer or "a program that gave no name"
            return DeviceFault(f"GPIO{offset} of {self.path} is in use by {holder!r}")
        return DeviceFault(f"GPIO{offset} of {self.path} could not be had ({error})")


def find_chip(label: str, folder: Path = Path("/dev")) -> GpioChip:
    """Open the chip whose label begins with *label*; its number varies by kernel.

    Raises:
        DeviceFault: If no chip or several have that label, or one cannot be opened.
    """
    chips = _chips(folder)
    matches = [chip for chip in chips if chip.label.startswith(label)]
    for chip in chips:
        if len(matches) != 1 or chip is not matches[0]:
            chip.close()
    if len(matches) == 1:
        return matches[0]
    seen = ", ".join(f"{chip.path.name} ({chip.label})" for chip in chips) or "none"
    raise DeviceFault(f"expected one GPIO chip labelled {label}…, got {seen}")


def _chips(folder: Path) -> list[GpioChip]:
    """Open all GPIO chips in *folder*, in the order of their numbers.

    Links are skipped: a Pi 5's gpiochip4 is the old name of its gpiochip0.
    """
    chips: list[GpioChip] = []
    try:
        for path in sorted(folder.glob("gpiochip*"), key=_number):
            if not path.is_symlink():
                chips.append(_open(path))
    except BaseException:
        for chip in chips:
            chip.close()
        raise
    return chips


def _number(path: Path) -> tuple[int, str]:
    digits = re.fullmatch(r"gpiochip([0-9]+)", path.name)
    return (int(digits[1]) if digits else -1, path.name)


def _open(path: Path) -> GpioChip:
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except PermissionError as error:
        raise DeviceFault(
            f"expected permission to open {path}, got {error.strerror}",
            "add this user to the group gpio, and log in again",
        ) from error
    except OSError as error:
        raise DeviceFault(f"{path} could not be opened ({error.strerror})") from error
    try:
        info = fcntl.ioctl(descriptor, _GET_CHIP_INFO, bytes(_CHIP_INFO.size))
    except OSError as error:
        os.close(descriptor)
        raise DeviceFault(f"expected a GPIO chip at {path}, got {error}") from error
    return GpioChip(path, descriptor, _text(_CHIP_INFO.unpack(info)[1]))


def _text(data: bytes) -> str:
    return data.split(b"\0", 1)[0].decode(errors="replace")
