"""Whoever asks for a page at the very moment when the table tells of something.

Threads may ask then; here nothing runs beside, so it is done in the middle of what is
told, where no lock is held that a thread would have to wait for.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from contextvars import Context

from tests.evening.machine import Answer, Machine, Request
from tests.evening.phone import BODY, regions

SHARE = 0.06
"""How often somebody asks when something is told; each asking costs time."""

LOCKS = (type(threading.Lock()), type(threading.RLock()), threading.Condition)


class Reader:
    """Asks a page of one start of the program when it tells of something.

    Args:
        machine: The program.
        dice: Draws when to ask.
        ask: Returns what somebody would ask for now; ``None`` for nothing.
    """

    def __init__(
        self, machine: Machine, dice: random.Random, ask: Callable[[], Request | None]
    ) -> None:
        self._machine, self._dice, self._ask = machine, dice, ask
        self._came: list[tuple[Request, Answer]] = []
        self._is_reading = False
        self._tell = machine.table.notices.tell
        machine.table.notices.tell = self._told

    def _told(self, topic: str, number: int) -> None:
        self._tell(topic, number)
        if self._is_reading or self._dice.random() > SHARE or any(self._held()):
            return
        asked = self._ask()
        if asked is not None:
            self._came.append((asked, self._read(asked)))

    def _read(self, asked: Request) -> Answer:
        self._is_reading = True
        try:
            # Another thread has a context of its own, in which nobody else asks.
            return Context().run(self._machine.answer, asked)
        finally:
            self._is_reading = False

    def _held(self) -> Iterator[bool]:
        """Yield for each lock of the program whether it is held now."""
        machine, built = self._machine, self._machine.built
        vault = machine.vault
        objects = [built.service, built.service.phones, built.seating, built.editions]
        objects += [machine.database]
        objects += [vault, vault.keeper] if vault is not None else []
        locks = [x for one in objects for x in vars(one).values()]
        for lock in (*locks, *machine.table._locks.values()):
            if isinstance(lock, LOCKS):
                if isinstance(lock, LOCKS[0]):
                    yield lock.locked()
                else:
                    yield lock._is_owned()

    def differs(self) -> str:
        """Return what a page shows otherwise than it would now, and is told nothing of.

        It is for the end of what the program does in one go, before any time passes.
        """
        came, self._came = self._came, []
        for asked, answer in came:
            told = BODY["told"].search(answer.text)
            if answer.status != 200 or told is None:
                continue
            if told[1] != self._machine.table.notices.told():
                continue  # It hears of more, and asks again.
            mine, now = regions(answer.text), regions(self._read(asked).text)
            if mine != now:
                at = next(
                    i for i, (x, y) in enumerate(zip(mine, now, strict=False)) if x != y
                )
                near = slice(max(0, at - 80), at + 80)
                return f"{asked.path}: {mine[near]!r} in place of {now[near]!r}"
        return ""
