"""The tables in a PostgreSQL database, for clubs; its one writer holds a lock.

The *writer* is the one companion process that may change the database. PostgreSQL
releases its lock when its connection ends, for whatever reason. The writer writes over
this connection only, so a writer that has lost the lock cannot write. Its process must
then end, since the next writer makes its memory out of date.
"""

from __future__ import annotations

import os
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar, cast

import sqlalchemy as sa
from sqlalchemy import event, exc
from sqlalchemy.pool import NullPool, StaticPool

from companion.errors import DeviceFault, JournalFault, Malformed
from companion.store import schema
from companion.store.base import ANSWER_S, Store, in_a_line
from companion.store.copying import copy_rows, copy_to_file
from companion.store.database import (
    draw_id,
    finish_restore,
    not_writable,
    read_only,
)

if TYPE_CHECKING:
    import psycopg
    from psycopg.abc import PQGen

LOCK: Final = 0x7461_626C
"""The number of the writer's advisory lock; PostgreSQL accepts any."""

VERSION_MIN: Final = 13
"""The oldest version that was tested; older ones are refused."""

CONNECT_S: Final = 5
"""How long to wait for a connection."""

TRY_S: Final = 0.5
"""How often a waiting process asks for the lock."""

BEAT_S: Final = 1.0
"""How often an idle writer checks that it still has its connection."""

MUTE_S: Final = 12.0
"""How long a serving program waits for the next bytes of an answer.

A server whose process is stopped keeps its connections, since the kernel confirms
whatever is sent to it."""

SILENCE: Final = {
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""When a silent server counts as gone.

The first three: seconds of silence before the first probe, seconds between probes, and
how many probes may fail. The last: milliseconds that sent data may stay unconfirmed."""

OF_CLIENTS: Final = "; ".join(
    f"SET tcp_{name.removeprefix('tcp_')} = {value}" for name, value in SILENCE.items()
)
"""Sets the same limits in the server, so that a vanished writer loses the lock."""

LOST: Final = "has lost its connection"
"""Why the database is closed, in the words of the error."""

Result = TypeVar("Result")

Meanwhile = Callable[[], AbstractContextManager[None]]
"""Returns the context in which to wait for another writer to end."""


class Postgres(Store):
    """One connection to a PostgreSQL database, which alone may write to it.

    Args:
        directory: The folder with decks and editions; it is made if missing.
        url: Address of the database, such as ``postgresql://companion@/club``.
        meanwhile: The context in which to wait if another writer has the lock;
            ``None`` not to wait.

    Attributes:
        on_loss: Called with the reason when the connection is lost; the program must
            end then.

    Raises:
        Malformed: If *url* is not the address of a PostgreSQL database.
        JournalFault: If the database is another program's, or of a newer companion.
        DeviceFault: If it cannot be reached, is in use, or is not safe to use.
    """

    REMEDY = "nothing was changed; see what PostgreSQL's own log says about it"

    def __init__(
        self, directory: Path, url: str, meanwhile: Meanwhile | None = None
    ) -> None:
        address = address_of(url)
        engine = sa.create_engine(
            address,
            poolclass=StaticPool,
            connect_args=_arguments(),
            hide_parameters=True,  # An error message must not carry the code.
        )
        super().__init__(place_of(address), directory, engine)
        # Set here, since in the schema it would make every table load this dialect.
        schema.of_box.dialect_kwargs["postgresql_where"] = schema.is_of_box
        self.on_loss: Callable[[str], None] = lambda _why: None
        self._ended = threading.Event()
        self._has_connected = False
        event.listen(engine, "do_connect", self._connect_once)
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "handle_error", self._note_loss)
        try:
            self._become_writer(address, meanwhile)
            with self.transaction() as connection:
                self._check_or_create(connection)
                self.table_id = _read_or_draw_id(connection)
            _finish_folder(directory)
        except BaseException:
            self.close()
            raise
        self._answered_s = time.monotonic()  # When it last answered, as a beat asks.
        threading.Thread(target=self._beat, name="database", daemon=True).start()

    def _connect_once(self, *_: object) -> None:
        """Let SQLAlchemy connect once: a second session would not have the lock."""
        if self._has_connected:
            raise self.fault(LOST, "start the companion again")
        self._has_connected = True

    def _note_loss(self, error: sa.ExceptionContext) -> None:
        """Stop writing once a statement fails because the connection is lost."""
        if error.is_disconnect and not self._why_closed:
            self._why_closed = LOST
            self.on_loss(" ".join(str(error.original_exception).split()))

    def lose_if_mute(self) -> None:
        """From now on, take a server that is silent for ``MUTE_S`` as lost."""
        with self._lock, closing(self._engine.raw_connection()) as raw:
            connection = cast("psycopg.Connection", raw.driver_connection)
            wait = connection.wait

            def wait_with_limit(
                waiting: PQGen[Result], *rest: float, **more: float
            ) -> Result:
                return wait(_limited(waiting, connection), *rest, **more)

            connection.wait = wait_with_limit  # type: ignore[assignment, method-assign]

    def _let_go(self) -> None:
        self._ended.set()

    def _beat(self) -> None:
        """Query the database every ``BEAT_S``, to notice a lost connection."""
        while not self._ended.wait(BEAT_S):
            with suppress(JournalFault):
                if self.answers():
                    self._answered_s = time.monotonic()

    def is_alive(self) -> bool:
        """Tell whether the last beat was answered, as ``Store.is_alive`` does."""
        if time.monotonic() - self._answered_s > ANSWER_S:
            raise self.silent()
        return True

    # Becoming the writer.

    def _become_writer(self, address: sa.URL, meanwhile: Meanwhile | None) -> None:
        """Connect, check the server, and take the writer's lock."""
        with self._as_device_fault():
            with self._engine.begin() as connection:
                _check_server(connection, self.place)
            self._check_session(address)  # Before a pooler could keep the lock.
            if self._has_lock():
                return
            if meanwhile is None:
                self._ended.wait(TRY_S)  # A writer that just ended may still hold it.
                if not self._has_lock():
                    raise self._taken()
                return
            with meanwhile():
                while not self._has_lock():
                    self._ended.wait(TRY_S)

    def _has_lock(self) -> bool:
        """Try to take the writer's lock; tell whether we have it."""
        with self._engine.begin() as connection:
            locked = sa.select(sa.func.pg_try_advisory_lock(LOCK))
            return bool(connection.execute(locked).scalar())

    def _taken(self) -> DeviceFault:
        with self._engine.begin() as connection:
            name = writer(connection)
        in_brackets = f" ({name})" if name else ""
        return DeviceFault(
            f"the games in {self.place} are open in another companion{in_brackets}",
            "stop that one, or choose another database",
        )

    def _check_session(self, address: sa.URL) -> None:
        """Refuse a pooler that lends sessions for one transaction each.

        It would give the session with the lock to others. Such a pooler gives our
        session to a second connection between two of our transactions, or gives us
        another one afterwards.
        """
        session = sa.select(sa.func.pg_backend_pid())
        with self._engine.begin() as connection:
            before = connection.execute(session).scalar()
        with read_connection(address) as other:
            is_ours = other.execute(session).scalar() != before
            if is_ours:  # Otherwise the pooler may have no session left to lend us.
                with self._engine.begin() as connection:
                    is_ours = connection.execute(session).scalar() == before
        if not is_ours:
            raise DeviceFault(
                f"expected a session of our own at {self.place}, got a pooler that "
                "lends it to others between two transactions",
                "name PostgreSQL's own port, or have the pooler lend whole sessions",
            )

    @contextmanager
    def _as_device_fault(self) -> Iterator[None]:
        try:
            yield
        except exc.DBAPIError as error:
            raise unreachable(self.place, error) from None

    def _check_or_create(self, connection: sa.Connection) -> None:
        tables = sa.inspect(connection).get_table_names()
        if not tables:
            schema.create(connection)
            return
        check_tables(connection, self.place, tables)
        schema.add_missing(connection, tables)

    # Backup and restore.

    def copy_to(self, path: Path) -> None:
        """Copy all rows, as ``Store.copy_to`` does."""
        with self.reading() as connection:
            copy_to_file(connection, path, self.table_id)

    @contextmanager
    def taking(self, path: Path) -> Iterator[None]:
        """Replace all rows by those of a companion's SQLite file once the block ends.

        The block begins when all rows are taken; nobody sees them yet.

        Raises:
            Malformed: If a value is of another type than its column.
            JournalFault: If the database refuses a row; everything is as it was.
        """
        with read_only(str(path), "mode=ro").connect() as source:
            try:
                with self.transaction() as connection:
                    copy_rows(source, connection)
                    yield
            except exc.IntegrityError as error:
                raise self.fault(f"does not take it: {in_a_line(error)}") from None


def _limited(waiting: PQGen[Result], connection: psycopg.Connection) -> PQGen[Result]:
    """Wait like *waiting*, and close a connection that stays silent for too long.

    Psycopg sends an event on the connection, or ten times a second that there is none.
    """
    import psycopg

    last_s = time.monotonic()
    try:
        awaited = next(waiting)
        while True:
            event = yield awaited
            if event:
                last_s = time.monotonic()
            elif time.monotonic() - last_s > MUTE_S:
                connection.pgconn.finish()
                raise psycopg.OperationalError(f"no answer for {MUTE_S:.0f} s")
            awaited = waiting.send(event)
    except StopIteration as done:
        return cast("Result", done.value)


def address_of(url: str) -> sa.URL:
    """Parse the address of a PostgreSQL database.

    Raises:
        Malformed: If *url* is something else; not quoted, as it may hold a password.
    """
    try:
        address = sa.make_url(url)
    except (exc.ArgumentError, ValueError):
        address = None
    if address is None or address.get_backend_name() not in ("postgresql", "postgres"):
        raise Malformed(
            "expected a database such as postgresql://companion@localhost/club, got "
            "something else",
            "write COMPANION_DATABASE like that, or leave it empty for a file",
        )
    return address.set(drivername="postgresql+psycopg")


def place_of(address: sa.URL) -> str:
    """Return the name of the database in messages: its address without a password."""
    shown = sa.URL.create(
        "postgresql",
        username=address.username,
        host=address.host or str(address.query.get("host", "")) or None,
        port=address.port,
        database=address.database,
    )
    return shown.render_as_string(hide_password=True).replace("%2F", "/")


@contextmanager
def read_connection(address: sa.URL) -> Iterator[sa.Connection]:
    """Open a connection that can only read, beside the writer's."""
    engine = sa.create_engine(
        address,
        poolclass=NullPool,
        connect_args=_arguments(),
        hide_parameters=True,
        isolation_level="REPEATABLE READ",
    )
    try:
        with engine.connect().execution_options(postgresql_readonly=True) as connection:
            yield connection
    except exc.DBAPIError as error:
        raise unreachable(place_of(address), error) from None
    finally:
        engine.dispose()


def unreachable(place: str, error: exc.DBAPIError) -> DeviceFault:
    """Build the error that says in one line why a database does not answer."""
    return DeviceFault(
        f"expected an answer from {place}, got: {in_a_line(error)[:500]}",
        "see that PostgreSQL runs, and that the address and the rights are right",
    )


WRITER: Final = sa.text(
    "SELECT activity.application_name, activity.backend_start"
    " FROM pg_locks AS lock JOIN pg_stat_activity AS activity USING (pid)"
    " WHERE lock.locktype = 'advisory' AND lock.granted AND lock.classid = 0"
    f" AND lock.objid = {LOCK} AND lock.objsubid = 1 AND lock.database ="
    " (SELECT oid FROM pg_database WHERE datname = current_database())"
)
"""Finds the name and start of the session that holds the writer's lock."""


def writer(connection: sa.Connection) -> str:
    """Return who writes, as "companion 812 on club, since …"; empty if nobody does."""
    session = connection.execute(WRITER).first()
    if session is None:
        return ""
    if session.backend_start is None:  # PostgreSQL hides it from other users.
        return str(session.application_name)
    since = session.backend_start.astimezone().isoformat(" ", "minutes")
    return f"{session.application_name}, since {since}"


def check_tables(connection: sa.Connection, place: str, tables: list[str]) -> None:
    """Raise ``JournalFault`` unless a companion made the tables, and no newer one."""
    is_ours = "about" in tables and any(
        column["name"] == "schema"
        for column in sa.inspect(connection).get_columns("about")
    )
    if not is_ours:
        raise JournalFault(
            f"journal {place} is another program's: its tables are not a companion's",
            "make a database of its own for the companion, with createdb",
        )
    number = connection.execute(sa.select(schema.about.c.schema)).scalar()
    if mistake := schema.explain_unknown(number):
        raise JournalFault(
            f"journal {place} {mistake}", "update the companion, or name another one"
        )


def _arguments() -> dict[str, int | str]:
    """Return psycopg's arguments for a connection; ``DeviceFault`` without psycopg."""
    try:
        import psycopg  # noqa: F401
    except ImportError as error:
        raise DeviceFault(
            f"expected psycopg for PostgreSQL, got: {error}",
            "pip install 'table-companion[postgres]', or leave COMPANION_DATABASE out",
        ) from error
    name = f"companion {os.getpid()} on {socket.gethostname()}"
    return {
        **SILENCE,
        "application_name": name[:63],
        "connect_timeout": CONNECT_S,
        "client_encoding": "utf8",  # The default is that of the database.
    }


def _prepare(connection: psycopg.Connection, _record: object) -> None:
    """Have the server notice when this client vanishes."""
    connection.execute(OF_CLIENTS)
    connection.commit()


def _finish_folder(directory: Path) -> None:
    """Make the folder if it is missing; finish a restore that was interrupted."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise not_writable(directory, error) from error
    finish_restore(directory)


REQUIRED_SETTINGS: Final = (
    ("fsync", ("on",), "a power cut would lose what players were shown"),
    (
        "synchronous_commit",
        ("on", "local", "remote_write", "remote_apply"),
        "a power cut would lose what players were shown",
    ),
    ("server_encoding", ("UTF8",), "names are written in all alphabets"),
    ("transaction_read_only", ("off",), "a copy that follows another cannot be played"),
)
"""Settings of the server: name, allowed values, and why no others."""


def _check_server(connection: sa.Connection, place: str) -> None:
    """Refuse a server that is too old or has unsuitable settings."""
    version = int(connection.exec_driver_sql("SHOW server_version_num").scalar_one())
    if version < VERSION_MIN * 10_000:
        raise DeviceFault(
            f"expected PostgreSQL {VERSION_MIN} or newer at {place}, got "
            f"{version // 10_000}",
            "update it",
        )
    for name, allowed, why in REQUIRED_SETTINGS:
        value = connection.exec_driver_sql(f"SHOW {name}").scalar()
        if value not in allowed:
            raise DeviceFault(
                f"expected {name} = {allowed[0]} at {place}, got {value}: {why}",
                "change that in the settings of PostgreSQL",
            )


def id_in(connection: sa.Connection) -> str:
    """Read the table's id from the comment on ``about``; empty if it has none."""
    query = "SELECT obj_description('about'::regclass, 'pg_class')"
    comment = str(connection.exec_driver_sql(query).scalar())
    return comment if re.fullmatch("[0-9a-f]{8}", comment) else ""


def _read_or_draw_id(connection: sa.Connection) -> str:
    """Read the table's id, or draw and store one."""
    if table_id := id_in(connection):
        return table_id
    table_id = draw_id()
    connection.exec_driver_sql(f"COMMENT ON TABLE about IS '{table_id}'")
    return table_id
