"""Telling the service manager that the table is ready, ending, and still alive.

systemd listens on the socket that ``NOTIFY_SOCKET`` names, and kills a program that
has not fed its watchdog for ``WATCHDOG_USEC``. Started from a terminal there is
neither, and nothing is said.

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
"""How many looks fall into the watchdog's limit.

Every look is a little late, so the last comes after the limit. With three of them, a
card that held up a write for ten seconds could use up the other two.
"""

TELL_S = 1.0
"""How long a message may wait for a service manager that is busy."""

Look = Callable[[], bool]
"""Whether something is alive; may also raise a ``CompanionError`` that says why not."""


class Manager:
    """The service manager that started this program, if one did.

    Args:
        variables: The environment; the watchdog may be meant for another process.

    Attributes:
        watchdog_ms: How long it may go unfed before it kills the program; 0 if there is
            none.
    """

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._address = variables.get("NOTIFY_SOCKET", "")
        meant_for = variables.get("WATCHDOG_PID", "")
        is_for_us = meant_for in ("", str(os.getpid()))
        text = variables.get("WATCHDOG_USEC", "")
        is_number = text.isascii() and text.isdigit()
        self.watchdog_ms = int(text) // 1000 if is_for_us and is_number else 0

    def tell(self, *states: str) -> None:
        """Send *states*, such as ``READY=1`` and ``STATUS=…``; do nothing unmanaged."""
        if not self._address:
            return
        # A name that begins with @ lies in no folder: its first byte is 0.
        name = "\0" + self._address[1:] if self._address[0] == "@" else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
                line.settimeout(TELL_S)
                line.sendto("\n".join(states).encode(), name)
        except OSError as error:
            log.warning("service_manager_not_told states=%r error=%s", states, error)


class Watchdog:
    """Feeds the manager's watchdog for as long as every look finds its thing alive.

    A look that fails once kills nothing: only what stays bad until the limit does. It
    is asked in the clock's thread, so one that hangs ends the feeding, too.

    Args:
        manager: Whose watchdog.
        clock: Calls every look; must have a thread of its own.
        looks: What must be alive, by its name in the log.
    """

    def __init__(
        self, manager: Manager, clock: Clock, looks: Mapping[str, Look]
    ) -> None:
        self._manager = manager
        self._clock = clock
        self._looks = looks
        self._said: tuple[str, ...] = ()
        self._is_closed = False
        self._timer: Timer | None = None
        if manager.watchdog_ms:
            self._timer = clock.call_later(0, self._look)

    def close(self) -> None:
        """Look no more; may be called twice."""
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()

    def _look(self) -> None:
        if self._is_closed:
            return
        period_ms = self._manager.watchdog_ms // LOOKS_PER_LIMIT
        self._timer = self._clock.call_later(period_ms, self._look)
        wrong = tuple(filter(None, map(self._wrong_with, self._looks)))
        if not wrong:
            self._manager.tell("WATCHDOG=1")
        if wrong != self._said:
            self._said = wrong
            self._say(wrong)

    def _wrong_with(self, name: str) -> str:
        """What a look found wrong; empty if all is well."""
        try:
            return "" if self._looks[name]() else f"{name} does not answer"
        except CompanionError as error:
            return f"{name}: {error}"

    def _say(self, wrong: tuple[str, ...]) -> None:
        words = "; ".join(wrong)
        if wrong:
            log.error("not_alive what=%r limit_ms=%d", words, self._manager.watchdog_ms)
        else:
            log.warning("alive_again")
        self._manager.tell(f"STATUS={words or 'alive again'}")


def answering(clock: Clock) -> Look:
    """A look at whether *clock* keeps its promises: asked each time, told the next."""
    answered = threading.Event()
    answered.set()

    def is_answering() -> bool:
        has_answered = answered.is_set()
        answered.clear()
        clock.call_later(0, answered.set)
        return has_answered

    return is_answering
