"""Tell the service manager that the table is ready, is ending, or is still alive.

systemd listens on the socket that ``NOTIFY_SOCKET`` names, and kills a program that
has not fed its watchdog for ``WATCHDOG_USEC``. A program that was started from a
terminal has neither, and sends nothing.

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
"""How many looks there are within the watchdog's limit.

Every look is a little late, so the last one misses the limit. If there were only three,
an SD card that held up a write for ten seconds could use up the other two.
"""

TELL_S = 1.0
"""How long a message may wait for a service manager that is busy."""

Look = Callable[[], bool]
"""Returns whether something is alive, or raises a ``CompanionError`` if it is not."""


class Manager:
    """The service manager that started this program, if any.

    Args:
        variables: The environment; its watchdog may be meant for another process.

    Attributes:
        watchdog_ms: The watchdog's limit, after which it kills the program; 0 if there
            is no watchdog.
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
    """Feeds the manager's watchdog as long as every look finds its subject alive.

    A single failure is harmless; the program is killed if looks fail until the limit.
    They run in the clock's thread, so a look that hangs ends the feeding, too.

    Args:
        manager: The manager with the watchdog.
        clock: Times the looks; must have a thread of its own.
        looks: The looks, by the names of their subjects in the log.
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
        """Run all looks, feed the watchdog if all is well, and set the next time."""
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
        """Run a look; return what is wrong, or an empty text."""
        try:
            return "" if self._looks[name]() else f"{name} does not answer"
        except CompanionError as error:
            return f"{name}: {error}"

    def _report(self, problems: tuple[str, ...]) -> None:
        """Log the problems, or that they are over, and tell the manager."""
        words = "; ".join(problems)
        if problems:
            log.error("not_alive what=%r limit_ms=%d", words, self._manager.watchdog_ms)
        else:
            log.warning("alive_again")
        self._manager.tell(f"STATUS={words or 'alive again'}")


def answering(clock: Clock) -> Look:
    """Return a look at whether *clock* calls functions.

    Each look asks for a call, and reports whether the one before was made.
    """
    answered = threading.Event()
    answered.set()

    def is_answering() -> bool:
        has_answered = answered.is_set()
        answered.clear()
        clock.call_later(0, answered.set)
        return has_answered

    return is_answering
