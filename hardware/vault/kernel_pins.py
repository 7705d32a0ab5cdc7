"""A back end of gpiozero on the kernel's GPIO, with only what ``GpioVault`` needs.

An input is pulled up and reports both edges; an output is claimed with its level. One
thread reads the edges of all inputs, and sleeps while there are none.
"""

from __future__ import annotations

import logging
import os
import select
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from gpiozero import PinInvalidEdges, PinInvalidFunction, PinInvalidPull
from gpiozero.pins import Pin, PinInfo
from gpiozero.pins.pi import PiFactory

from companion.errors import DeviceFault
from hardware.vault.gpio_chip import EVENTS_MAX, GpioChip, GpioLine, LineEdge

log = logging.getLogger(__name__)

JOIN_S = 2.0
"""How long closing waits for the thread, whose callbacks only fill queues."""

_COUNT_MASK = 0xFFFFFFFF
"""Keeps the 32 bits in which the kernel counts a line's edges."""
_ANY_PI = 0xA02082
"""A Pi 3's revision. The 40-pin header is the same on every Pi that has one."""

_Hear = Callable[[int, bool], None]
"""A callback for an edge: its time, by ``KernelFactory.ticks``, and its new level."""


class KernelFactory(PiFactory):  # type: ignore[misc] # gpiozero has no types.
    """The header's pins, on the chip that carries them.

    Args:
        chip: The header's chip; ``close`` closes it.
    """

    def __init__(self, chip: GpioChip) -> None:
        super().__init__()
        self.chip = chip
        self.listener = EdgeListener()
        self.pin_class = KernelPin

    @property
    def is_alive(self) -> bool:
        """Whether edges of the claimed inputs arrive."""
        return self.listener.is_alive

    def close(self) -> None:
        """Release all pins, and the chip."""
        super().close()
        self.chip.close()

    def ticks(self) -> int:
        """Return the time now, in nanoseconds of the clock that stamps the edges."""
        return time.monotonic_ns()

    def ticks_diff(self, later: int, earlier: int) -> float:
        """Return the seconds from *earlier* to *later*."""
        return (later - earlier) / 1_000_000_000

    def _get_revision(self) -> int:
        return _ANY_PI


class KernelPin(Pin):  # type: ignore[misc] # gpiozero has no types.
    """A pin of the header: unclaimed, an input with a pull-up, or an output."""

    def __init__(self, factory: KernelFactory, info: PinInfo) -> None:
        super().__init__()
        self._factory = factory
        self._info = info
        self._offset = int(info.name.removeprefix("GPIO"))
        self._line: GpioLine | None = None
        self._is_output = False
        self._hear: _Hear | None = None

    def __repr__(self) -> str:
        return str(self._info.name)

    def close(self) -> None:
        """Release the pin; its edges are no longer reported."""
        if self._line is not None:
            if not self._is_output:
                self._factory.listener.remove(self._line)
            self._line.close()
        self._line = None
        self._is_output = False
        self._hear = None

    def output_with_state(self, state: bool) -> None:
        """Claim the pin as an output that starts with level *state*."""
        self.close()
        self._line = self._factory.chip.claim_output(
            self._offset, is_high=bool(state), consumer=_our_name()
        )
        self._is_output = True

    def input_with_pull(self, pull: str) -> None:
        """Claim the pin as an input; *pull* can only be ``up``."""
        if pull != "up":
            raise PinInvalidPull(f"expected a pull-up on {self}, got {pull}")
        self.close()
        line = self._factory.chip.claim_input(self._offset, consumer=_our_name())
        self._line = line
        self._factory.listener.add(line, self._tell)

    def _tell(self, at_ns: int, is_high: bool) -> None:
        if self._hear is not None:
            self._hear(at_ns, is_high)

    def _held(self) -> GpioLine:
        if self._line is None:
            raise DeviceFault(f"{self} is not ours: it was closed, or never claimed")
        return self._line

    def _get_info(self) -> PinInfo:
        return self._info

    def _get_function(self) -> str:
        return "output" if self._is_output else "input"

    def _set_function(self, value: str) -> None:
        if value != "input":
            raise PinInvalidFunction(f"claim {self} with its level, not as {value!r}")
        if self._is_output:
            self.close()  # It is claimed again, as an input, once its pull is set.

    def _get_state(self) -> bool:
        return self._held().is_high()

    def _set_state(self, value: bool) -> None:
        self._held().drive(bool(value))

    def _get_pull(self) -> str:
        return "floating" if self._line is None or self._is_output else "up"

    def _set_pull(self, value: str) -> None:
        self.input_with_pull(value)

    def _get_edges(self) -> str:
        return "both"

    def _set_edges(self, value: str) -> None:
        if value != "both":
            raise PinInvalidEdges(f"{self} tells of both edges, never of {value!r}")

    def _get_when_changed(self) -> _Hear | None:
        return self._hear

    def _set_when_changed(self, value: _Hear | None) -> None:
        self._hear = value


@dataclass(slots=True)
class _Input:
    """A line that is listened to."""

    line: GpioLine
    hear: _Hear
    number: int = 0  # The number of its latest edge.


class EdgeListener:
    """Reads the edges of all inputs in one thread, which runs while there are any.

    It logs errors of the callbacks, and goes on; any other error ends the thread.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._inputs: dict[int, _Input] = {}  # By file descriptor.
        self._thread: threading.Thread | None = None
        self._poll: select.epoll | None = None  # The running thread's.
        self._bell = -1  # An eventfd that wakes the thread, to end it.
        self._is_loss_logged = False

    @property
    def is_alive(self) -> bool:
        """Whether the thread runs, or there is nothing to listen to."""
        thread = self._thread
        return thread is None or thread.is_alive()

    def add(self, line: GpioLine, hear: _Hear) -> None:
        """Call *hear* with every edge of *line*, in one order with all other lines."""
        with self._lock:
            if self._poll is None:
                self._poll = select.epoll()
                self._bell = os.eventfd(0)
                self._poll.register(self._bell, select.EPOLLIN)
                self._thread = threading.Thread(
                    target=self._run, args=(self._poll,), name="pins", daemon=True
                )
                self._thread.start()
            self._inputs[line.fileno()] = _Input(line, hear)
            self._poll.register(line.fileno(), select.EPOLLIN)

    def remove(self, line: GpioLine) -> None:
        """Stop listening to *line*; after the last line, the thread ends."""
        with self._lock:
            poll, bell, thread = self._poll, self._bell, self._thread
            if poll is None or thread is None:
                raise AssertionError(f"{line!r} was never added")
            del self._inputs[line.fileno()]
            poll.unregister(line.fileno())
            if self._inputs:
                return
            self._poll = self._thread = None
            os.eventfd_write(bell, 1)
        if thread is not threading.current_thread():
            thread.join(JOIN_S)
        poll.close()
        os.close(bell)

    def _run(self, poll: select.epoll) -> None:
        try:
            while self._hear_once(poll):
                pass
        except Exception:
            log.critical("pins_no_longer_heard")
            raise

    def _hear_once(self, poll: select.epoll) -> bool:
        """Wait for edges and report them; return False once no line is left."""
        poll.poll()
        with self._lock:
            if poll is self._poll:
                for edge, hear in self._waiting(poll):
                    try:
                        hear(edge.at_ns, edge.is_high)
                    except Exception:  # It must not silence the other lines.
                        log.exception("edge_not_told")
            return poll is self._poll

    def _waiting(self, poll: select.epoll) -> list[tuple[LineEdge, _Hear]]:
        """Read all waiting edges, oldest first, each with its callback.

        Each line has a queue of its own. All queues are read until none has an edge (or
        for ``EVENTS_MAX``), as an earlier edge of another line may have come meanwhile.
        """
        waiting: list[tuple[LineEdge, _Hear]] = []
        while len(waiting) < EVENTS_MAX and (ready := poll.poll(0)):
            for descriptor, _ in ready:
                source = self._inputs[descriptor]
                for edge in source.line.edges():
                    self._count(source, edge)
                    waiting.append((edge, source.hear))
        return sorted(waiting, key=lambda pair: pair[0].at_ns)

    def _count(self, source: _Input, edge: LineEdge) -> None:
        """Log lost edges, for which the keeper makes up when it reads the levels."""
        lost_count = (edge.number - source.number - 1) & _COUNT_MASK
        source.number = edge.number
        if lost_count and not self._is_loss_logged:
            # Once: a torn wire can drop thousands a second.
            self._is_loss_logged = True
            log.warning("pins_edges_lost line=%r count=%d", source.line, lost_count)


def _our_name() -> str:
    """Return the name under which other programs see who holds the pins."""
    return f"companion, process {os.getpid()}"
