"""Tell the service manager that the table is ready, is ending, or is still alive.

systemd listens on the socket that ``NOTIFY_SOCKET`` names, and kills a program that
has not fed its watchdog for ``WATCHDOG_USEC`` microseconds. A program that was started
from a terminal has neither, and sends nothing.

A *look* checks whether one part of the table is alive.

Source: systemd's manual, sd_notify(3) and sd_watchdog_enabled(3).
"""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections.abc import Callable, Mapping

from companion.errors import CompanionError
from companion.ports import Clock, Timer

log = logging.getLogger(__name__)

LOOKS_PER_LIMIT = 10
"""How often each look is repeated within the watchdog's limit.

With few looks, an SD card that holds up a write for ten seconds could spoil all that
come in time.
"""

TELL_S = 1.0
"""How long a message may wait for a service manager that is busy."""

Look = Callable[[], bool]
"""Returns whether its part is alive; it may raise a ``CompanionError`` if not."""


class Manager:
    """The service manager that started this program, if any.

    Args:
        variables: The environment; its watchdog may be meant for another process.

    Attributes:
        watchdog_ms: The watchdog's limit; 0 if there is no watchdog.
    """

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._address = variables.get("NOTIFY_SOCKET", "")
        process_id = variables.get("WATCHDOG_PID", "")
        is_for_us = process_id in ("", str(os.getpid()))
        text = variables.get("WATCHDOG_USEC", "")
        is_number = text.isascii() and text.isdigit()
        self.watchdog_ms = int(text) // 1000 if is_for_us and is_number else 0

    def tell(self, *states: str) -> None:
        """Send *states*, such as ``READY=1`` or ``STATUS=…``, if there is a manager."""
        if not self._address:
            return
        # A name that begins with @ is in the abstract namespace: its first byte is 0.
        name = "\0" + self._address[1:] if self._address[0] == "@" else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as connection:
                connection.settimeout(TELL_S)
                connection.sendto("\n".join(states).encode(), name)
        except OSError as error:
            log.warning("service_manager_not_told states=%r error=%s", states, error)


class Watchdog:
    """Feeds the manager's watchdog whenever all looks succeed.

    The program is killed only if none of these rounds succeeds within the limit. A look
    that hangs ends the feeding, too, as all run in the clock's thread.

    Args:
        manager: The manager with the watchdog.
        clock: Times the looks; must have a thread of its own.
        looks: The looks, by the names of their parts in the log.
    """

    def __init__(
        self, manager: Manager, clock: Clock, looks: Mapping[str, Look]
    ) -> None:
        self._manager = manager
        self._clock = clock
        self._looks = looks
        self._problems: tuple[str, ...] = ()
        self._is_closed = False
        self._timer: Timer | None = None
        if manager.watchdog_ms:
            self._timer = clock.call_later(0, self._look)

    def close(self) -> None:
        """Stop looking; may be called twice."""
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()

    def _look(self) -> None:
        """Run all looks, now and again after a tenth of the limit."""
        if self._is_closed:
            return
        period_ms = self._manager.watchdog_ms // LOOKS_PER_LIMIT
        self._timer = self._clock.call_later(period_ms, self._look)
        problems = tuple(filter(None, map(self._problem_with, self._looks)))
        if not problems:
            self._manager.tell("WATCHDOG=1")
        if problems != self._problems:
            self._problems = problems
            self._report(problems)

    def _problem_with(self, name: str) -> str:
        """Run a look; return what is wrong, or nothing."""
        try:
            return "" if self._looks[name]() else f"{name} does not answer"
        except CompanionError as error:
            return f"{name}: {error}"

    def _report(self, problems: tuple[str, ...]) -> None:
        """Tell the log and the manager what is wrong, or that all is well again."""
        words = "; ".join(problems)
        if problems:
            log.error("not_alive what=%r limit_ms=%d", words, self._manager.watchdog_ms)
        else:
            log.warning("alive_again")
        self._manager.tell(f"STATUS={words or 'alive again'}")


def answering(clock: Clock) -> Look:
    """Return a look that has *clock* call a function, and reports on the last call."""
    answered = threading.Event()
    answered.set()

    def is_answering() -> bool:
        has_answered = answered.is_set()
        answered.clear()
        clock.call_later(0, answered.set)
        return has_answered

    return is_answering
