"""The base of both kinds of database: an SQLite file, and PostgreSQL.

When a transaction ends, all of it is on the disk, or nothing. An *act* is a function
that writes something within a transaction.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import ClassVar, Protocol, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy import exc

from companion.errors import JournalFault
from companion.health import Condition, Finding
from companion.store import schema
from companion.store.causes import TRIED_BYTES, cause_of
from companion.words import say

CLOSE_TIMEOUT_S = 5.0
"""How long ``Store.close`` waits for a thread that writes."""

ANSWER_S = 5.0
"""How long a database that is well may take to answer a small query."""

TRIAL_S = 2.0
"""How long after a trial write the next one may follow."""

TRIAL = ""
"""The id, of no game, under which a trial writes a snapshot."""

WRITING = "games.writing"
"""The topic of the finding whether games can be written."""

Kind = TypeVar("Kind", bound=msgspec.Struct)


class Opened(Protocol):
    """The part of a ``Store`` that journals need; ``Store`` explains its members."""

    place: str
    box_changes: int

    def reading(self) -> AbstractContextManager[sa.Connection]:
        """Begin a transaction that only reads."""

    def transaction(self) -> AbstractContextManager[sa.Connection]:
        """Begin a transaction that writes."""

    def write(self, act: Act) -> None:
        """Carry out *act* in a transaction that other acts may share."""


Act = Callable[[sa.Connection], None]
"""Writes something within a transaction; called again if that was rolled back."""


class _WaitingAct:
    """An act of some thread, and whether it is on the disk yet."""

    def __init__(self, act: Act) -> None:
        self.act = act
        self.is_done = False


class Store:
    """One connection to a database, used by one thread at a time.

    Args:
        place: The name of the database in error messages, without a password.
        directory: The folder with decks and editions.
        engine: Makes the connection.

    Attributes:
        open_to_others: The folder and its files as far as other users of this machine
            can read them, although they should not.
        table_id: Eight hexadecimal digits that no other gaming table has.
        box_changes: Counts what may change the readings of game boxes since the
            start: games deleted, readings, undos and redos. It changes within the
            transaction, so whoever sees the new count also reads the new entries.
        on_change: Called when a write fails for a new reason, or one succeeds again; it
            may take no lock of the table's.
    """

    REMEDY: ClassVar = ""
    """Advice for errors of the database itself."""

    table_id: str
    open_to_others: tuple[Path, ...] = ()

    def __init__(self, place: str, directory: Path, engine: sa.Engine) -> None:
        self.place = place
        self.directory = directory
        self.box_changes = 0
        self.on_change: Callable[[], None] = lambda: None
        self._engine = engine
        self._reader = engine.execution_options(is_reading=True)
        self._lock = threading.RLock()
        self._turn = threading.Condition()  # Guards the two below.
        self._waiting: list[_WaitingAct] = []
        self._is_writing = False
        self._why_closed = ""
        # Builds the error of the last write, until one succeeds.
        self._failed: Callable[[], JournalFault] | None = None
        self._failed_act: Act | None = None  # The last act that failed alone.
        self._next_trial_s = 0.0

    def close(self) -> None:
        """Close the database once no thread writes to it; may be called twice.

        SQLite crashes the process if the file is closed while a thread uses it. If a
        dead disk blocks that thread for ever, the file stays open.
        """
        if not self._lock.acquire(timeout=CLOSE_TIMEOUT_S):
            return
        try:
            self._why_closed = self._why_closed or "is closed"
            self._engine.dispose()
            self._let_go()
        finally:
            self._lock.release()

    def _let_go(self) -> None:
        """Release the lock that keeps other writers out; the connection is closed."""

    def copy_to(self, path: Path) -> None:
        """Copy everything into a new SQLite file, without a log beside it.

        Raises:
            DeviceFault: If *path* cannot be written.
        """
        raise NotImplementedError

    def fault(self, what: str, remedy: str = "", cause: str = "") -> JournalFault:
        """Build the error that says *what* is wrong with this database."""
        return fault(self.place, what, remedy or self.REMEDY, cause)

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Begin a transaction that only reads; that works while nothing can be written.

        Raises:
            JournalFault: If the database cannot be read, or it was closed.
        """
        with self._begun("could not be read", is_reading=True) as connection:
            yield connection

    @contextmanager
    def transaction(self) -> Iterator[sa.Connection]:
        """Begin a transaction that writes.

        Raises:
            JournalFault: If the disk is full, the database cannot be written, or
                it was closed.
        """
        with self._begun("could not be written") as connection:
            yield connection

    @contextmanager
    def _begun(self, what: str, *, is_reading: bool = False) -> Iterator[sa.Connection]:
        """Begin a transaction; *what* says of its failure what could not be done."""
        with self._lock:
            if self._why_closed:
                raise self.fault(self._why_closed, "start the companion again")
            try:
                engine = self._reader if is_reading else self._engine
                with engine.begin() as connection:
                    yield connection
            except exc.IntegrityError:
                raise
            except exc.DBAPIError as error:
                why = partial(self.fault, f"{what}: {in_a_line(error)}")
                if not is_reading and not isinstance(error, exc.DataError):
                    if cause := cause_of(error, self.directory):
                        why = partial(why, cause.remedy, cause.words)
                    self._note(why)
                fault = why()
                fault.is_of_reading = is_reading
                raise fault from None
            if not is_reading:
                self._note(None)

    def _note(self, failed: Callable[[], JournalFault] | None) -> None:
        """Remember the error of the last write, or that it succeeded; tell of news."""
        was, self._failed = self._failed, failed
        if failed is None:
            self._failed_act = None
        if str(was and was()) != str(failed and failed()):
            self.on_change()

    def check_last_write(self) -> None:
        """Expect that the last write succeeded, or that a trial succeeds now.

        Whoever asks makes a trial, ``TRIAL_S`` after the one before; nobody waits for
        another thread.

        Raises:
            JournalFault: The error of that write.
        """
        if self._failed is not None and self._lock.acquire(blocking=False):
            try:
                if self._failed is not None and time.monotonic() >= self._next_trial_s:
                    self.try_to_write()
                    self._next_trial_s = time.monotonic() + TRIAL_S
            finally:
                self._lock.release()
        why = self._failed
        if why is not None:
            raise why()

    def try_to_write(self) -> None:
        """Try what failed without keeping it; then write a large row, and delete it.

        The row is for what fails only when a transaction ends, or a file grows. What
        comes of it is what ``check_last_write`` says.
        """
        with suppress(JournalFault):
            self._try_to_write()

    def _try_to_write(self) -> None:
        act = self._failed_act
        table, row = schema.snapshots, {"game_id": TRIAL, "revision": 0, "digest": b""}
        with self.transaction() as connection:
            if act is not None:
                undoing = connection.begin_nested()
                with suppress(exc.IntegrityError):  # It was repeated, and succeeded.
                    act(connection)
                undoing.rollback()
            schema.delete(connection, table, game_id=TRIAL)
            content = secrets.token_bytes(TRIED_BYTES)  # PostgreSQL packs zeros.
            connection.execute(table.insert(), {**row, "content": content})
        with self.transaction() as connection:
            schema.delete(connection, table, game_id=TRIAL)

    def findings(self) -> Iterator[Finding]:
        """Report whether the games can be written."""
        try:
            self.check_last_write()
        except JournalFault as fault:
            said = say("nothing can be written down: {cause}", cause=fault.cause)
            words = said if fault.cause else fault.message
            yield Finding(WRITING, Condition.FAIL, words, fault.remedy)
        else:
            yield Finding(WRITING, Condition.OK, "the last write succeeded")

    def write(self, act: Act) -> None:
        """Carry out *act*; it is on the disk when this returns.

        While one thread waits for the disk, others queue up; the next one writes for
        all of them, so that they wait for the disk only once. If that fails, each act
        is tried alone.

        Raises:
            JournalFault: As for ``transaction``.
        """
        own = _WaitingAct(act)
        with self._turn:
            self._waiting.append(own)
            while self._is_writing and not own.is_done:
                self._turn.wait()
            if own.is_done:
                return
            self._is_writing = True
            together = [own, *(other for other in self._waiting if other is not own)]
            self._waiting.clear()
        try:
            if len(together) > 1:
                with suppress(Exception):  # Tried alone, the faulty act fails again.
                    self._write(together)
            if not own.is_done:
                try:
                    self._write([own])
                except JournalFault:
                    self._failed_act = act
                    raise
        finally:
            with self._turn:
                self._is_writing = False
                self._turn.notify_all()

    def _write(self, together: list[_WaitingAct]) -> None:
        """Carry out acts in one transaction, and mark them as done."""
        with self.transaction() as connection:
            for waiting in together:
                waiting.act(connection)
        for waiting in together:
            waiting.is_done = True

    def answers(self) -> bool:
        """Tell whether the database answers a small query, which does not write.

        On a dead disk, a thread that writes never lets others ask.

        Raises:
            JournalFault: If it cannot be read, or not within ``ANSWER_S``.
        """
        if not self._lock.acquire(timeout=ANSWER_S):
            raise self.silent()
        try:
            with self.reading() as connection:
                number = connection.execute(sa.select(schema.about.c.schema)).scalar()
        finally:
            self._lock.release()
        return bool(number == schema.SCHEMA)

    def is_alive(self) -> bool:
        """Tell the same as ``answers``, without waiting for a server."""
        return self.answers()

    def silent(self) -> JournalFault:
        """Build the error that the database does not answer."""
        fault = self.fault(
            f"has not answered for {ANSWER_S:.0f} s",
            "see whether its disk or its server hangs",
        )
        fault.is_of_reading = True
        return fault

    def rows(self, table: sa.Table, kind: type[Kind]) -> list[Kind]:
        """Return all rows of a table in the order of their keys, as structs.

        Types are checked here, since SQLite accepts any value in any column.

        Raises:
            JournalFault: If a row holds another type, or cannot be read.
        """
        query = sa.select(table).order_by(*table.primary_key)
        with self.reading() as connection:
            try:
                rows = connection.execute(query).all()
                return [
                    msgspec.convert(row, kind, from_attributes=True) for row in rows
                ]
            except msgspec.ValidationError as error:
                what = str(error)
            except exc.DBAPIError as error:  # Such as text that is not UTF-8.
                if error.connection_invalidated:
                    raise
                what = in_a_line(error)
        raise self.fault(f"is damaged: in table {table}: {what}")


def in_a_line(error: exc.DBAPIError) -> str:
    """Return a database's error message, which may have several lines, in one."""
    return " ".join(str(error.orig).split())


def fault(place: str | Path, what: str, remedy: str, cause: str = "") -> JournalFault:
    """Build the error that says *what* is wrong with the database at *place*."""
    return JournalFault(f"journal {place} {what}", remedy, cause)
