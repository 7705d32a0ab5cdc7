"""The tables in a PostgreSQL database, for clubs: the connection that writes is a lock.

Whoever has that lock is the one writer. It is the session's own, so PostgreSQL takes it
back when the connection ends, however that comes about; and since nothing is written by
any other connection, a writer that has lost it can write no more. It must end: what it
holds in memory is old once the next one has begun.
"""

from __future__ import annotations

import os
import re
import secrets
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import sqlalchemy as sa
from sqlalchemy import event, exc
from sqlalchemy.pool import NullPool, StaticPool

from companion.errors import DeviceFault, JournalFault, Malformed
from companion.store import schema, swap
from companion.store.base import Store, in_a_line
from companion.store.copying import copied, copy_rows
from companion.store.database import not_writable, read_only

if TYPE_CHECKING:
    import psycopg

LOCK: Final = 0x7461_626C
"""The number of the writer's lock in its database; PostgreSQL lends any."""

VERSION_MIN: Final = 13
"""No older one is taken, since none was tried."""

CONNECT_S: Final = 5
TRY_S: Final = 0.5
"""How often one who waits asks for the lock."""

BEAT_S: Final = 1.0
"""How often a writer that has nothing to write looks whether it still is one."""

SILENCE: Final = {
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""When a server that says nothing more counts as gone: seconds, and milliseconds."""

OF_CLIENTS: Final = "; ".join(
    f"SET tcp_{name.removeprefix('tcp_')} = {value}" for name, value in SILENCE.items()
)
"""The same the other way: a machine that has vanished keeps the lock no longer."""

MUST: Final = (
    ("fsync", ("on",), "a power cut would lose what players were shown"),
    (
        "synchronous_commit",
        ("on", "local", "remote_write", "remote_apply"),
        "a power cut would lose what players were shown",
    ),
    ("server_encoding", ("UTF8",), "names are written in all alphabets"),
    ("transaction_read_only", ("off",), "a copy that follows another cannot be played"),
)
"""Settings of the server, the values that will do, and why."""

WRITER: Final = sa.text(
    "SELECT activity.application_name, activity.backend_start"
    " FROM pg_locks AS lock JOIN pg_stat_activity AS activity USING (pid)"
    " WHERE lock.locktype = 'advisory' AND lock.granted AND lock.classid = 0"
    f" AND lock.objid = {LOCK} AND lock.objsubid = 1 AND lock.database ="
    " (SELECT oid FROM pg_database WHERE datname = current_database())"
)

LOST: Final = "has lost its connection"

Meanwhile = Callable[[], AbstractContextManager[None]]
"""Gives what is entered when a writer has to be waited for, and left afterwards."""


class Postgres(Store):
    """One connection to a PostgreSQL database, which alone may write to it.

    Args:
        directory: The folder with decks and editions; made if missing.
        url: The database's, such as ``postgresql://companion@/club``.
        meanwhile: What to do while another writer has the lock; without it, that is
            an error.

    Attributes:
        on_loss: Called when the connection is lost; the program has to end then.

    Raises:
        Malformed: If *url* is none, or of another kind of database.
        JournalFault: If the database is another program's, or of a newer companion.
        DeviceFault: If it cannot be reached, another has it, or is not safe to use.
    """

    REMEDY = "nothing was changed; see what PostgreSQL's own log says about it"

    def __init__(
        self,
        directory: Path,
        url: str,
        meanwhile: Meanwhile | None = None,
    ) -> None:
        address = address_of(url)
        engine = sa.create_engine(
            address,
            poolclass=StaticPool,
            connect_args=_arguments(),
            hide_parameters=True,  # An error message must not carry the code.
        )
        super().__init__(place_of(address), directory, engine)
        # In the schema itself it would load PostgreSQL's dialect at every table.
        schema.of_box.dialect_kwargs["postgresql_where"] = schema.is_of_box
        self.on_loss: Callable[[], None] = lambda: None
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
        threading.Thread(target=self._beat, name="database", daemon=True).start()

    def _connect_once(self, *_: object) -> None:
        """Let SQLAlchemy connect once: a second session would not have the lock."""
        if self._has_connected:
            raise self.fault(LOST, "start the companion again")
        self._has_connected = True

    def _note_loss(self, error: sa.ExceptionContext) -> None:
        """Write no more once the connection is gone, whoever finds that out."""
        if error.is_disconnect and not self._why_closed:
            self._why_closed = LOST
            self.on_loss()

    def _let_go(self) -> None:
        self._ended.set()

    def _beat(self) -> None:
        while not self._ended.wait(BEAT_S):
            with suppress(JournalFault):
                self.answers()

    # Becoming the writer.

    def _become_writer(
        self,
        address: sa.URL,
        meanwhile: Meanwhile | None,
    ) -> None:
        with self._unreachable_is_said():
            with self._engine.begin() as connection:
                _check_server(connection, self.place)
            self._check_session(address)  # Before a pooler could keep the lock.
            if self._has_lock():
                return
            if meanwhile is None:
                self._ended.wait(TRY_S)  # One that has just ended may still have it.
                if not self._has_lock():
                    raise self._taken()
                return
            with meanwhile():
                while not self._has_lock():
                    self._ended.wait(TRY_S)

    def _has_lock(self) -> bool:
        with self._engine.begin() as connection:
            wanted = sa.select(sa.func.pg_try_advisory_lock(LOCK))
            return bool(connection.execute(wanted).scalar())

    def _taken(self) -> DeviceFault:
        with self._engine.begin() as connection:
            found = writer(connection)
        by = f" ({found})" if found else ""
        return DeviceFault(
            f"the games in {self.place} are open in another companion{by}",
            "stop that one, or choose another database",
        )

    def _check_session(self, address: sa.URL) -> None:
        """Refuse a pooler that moves sessions: the lock would be anybody's.

        While we are silent, another connection asks who it is. A pooler that lends
        sessions by the transaction gives it ours, or gives us another afterwards.
        """
        who = sa.select(sa.func.pg_backend_pid())
        with self._engine.begin() as connection:
            before = connection.execute(who).scalar()
        with looking(address) as other:
            is_ours = other.execute(who).scalar() != before
            if is_ours:  # Otherwise there may be none left to wait for.
                with self._engine.begin() as connection:
                    is_ours = connection.execute(who).scalar() == before
        if not is_ours:
            raise DeviceFault(
                f"expected a session of our own at {self.place}, got a pooler that "
                "lends it to others between two transactions",
                "name PostgreSQL's own port, or have the pooler lend whole sessions",
            )

    @contextmanager
    def _unreachable_is_said(self) -> Iterator[None]:
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

    # Taking all of it away, and bringing it back.

    def copy_to(self, path: Path) -> None:
        """Copy all rows, but those of caches, into a new SQLite file.

        Raises:
            DeviceFault: If *path* cannot be written.
        """
        with self.transaction() as connection:
            copied(connection, path, int(self.table_id, 16))

    def take(self, path: Path) -> None:
        """Put all rows of a companion's SQLite file in the place of what is here.

        Raises:
            Malformed: If one is of another kind than its column.
            JournalFault: If they do not fit in; everything is as it was.
        """
        with read_only(str(path), "mode=ro").connect() as source:
            number = source.exec_driver_sql("PRAGMA user_version").scalar_one()
            try:
                with self.transaction() as connection:
                    copy_rows(source, connection)
                    self.table_id = _keep_id(connection, number)
            except exc.IntegrityError as error:
                raise self.fault(f"does not take it: {in_a_line(error)}") from None


def address_of(url: str) -> sa.URL:
    """Return the address of a PostgreSQL database.

    Raises:
        Malformed: If it is none; it is not quoted, since a password may be in it.
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
    """Return what a database is called in an error: its address without secrets."""
    shown = sa.URL.create(
        "postgresql",
        username=address.username,
        host=address.host or str(address.query.get("host", "")) or None,
        port=address.port,
        database=address.database,
    )
    return shown.render_as_string(hide_password=True).replace("%2F", "/")


@contextmanager
def looking(address: sa.URL) -> Iterator[sa.Connection]:
    """Give a connection beside the writer's, which can only read."""
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
    """Return an error that says in a line why a database does not answer."""
    return DeviceFault(
        f"expected an answer from {place}, got: {in_a_line(error)[:500]}",
        "see that PostgreSQL runs, and that the address and the rights are right",
    )


def writer(connection: sa.Connection) -> str:
    """Return who writes, as "companion 812 on club, since …"; empty for nobody."""
    found = connection.execute(WRITER).first()
    if found is None:
        return ""
    if found.backend_start is None:  # It is told to the same user, and to few others.
        return str(found.application_name)
    since = found.backend_start.astimezone().isoformat(" ", "minutes")
    return f"{found.application_name}, since {since}"


def check_tables(connection: sa.Connection, place: str, tables: list[str]) -> None:
    """Raise ``JournalFault`` unless the tables are a companion's, and known."""
    known = {"schema"}
    if "about" in tables:
        known -= {one["name"] for one in sa.inspect(connection).get_columns("about")}
    if known:
        raise JournalFault(
            f"journal {place} is another program's: its tables are not a companion's",
            "make a database of its own for the companion, with createdb",
        )
    found = connection.execute(sa.select(schema.about.c.schema)).scalar()
    if unknown := schema.unknown(found):
        raise JournalFault(
            f"journal {place} {unknown}", "update the companion, or name another one"
        )


def _arguments() -> dict[str, int | str]:
    """How to connect; raises ``DeviceFault`` if nothing is there to connect with."""
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
        "client_encoding": "utf8",  # Otherwise it is the database's own.
    }


def _prepare(connection: psycopg.Connection, _record: object) -> None:
    connection.execute(OF_CLIENTS)
    connection.commit()


def _finish_folder(directory: Path) -> None:
    """Make the folder if it is missing, or finish a restore that was cut short."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        swap.finish(directory)
    except OSError as error:
        raise not_writable(directory, error) from error


def _check_server(connection: sa.Connection, place: str) -> None:
    """Refuse a server on which what was shown could be lost."""
    version = int(connection.exec_driver_sql("SHOW server_version_num").scalar_one())
    if version < VERSION_MIN * 10_000:
        raise DeviceFault(
            f"expected PostgreSQL {VERSION_MIN} or newer at {place}, got "
            f"{version // 10_000}",
            "update it",
        )
    for name, wanted, why in MUST:
        found = connection.exec_driver_sql(f"SHOW {name}").scalar()
        if found not in wanted:
            raise DeviceFault(
                f"expected {name} = {wanted[0]} at {place}, got {found}: {why}",
                "change that in the settings of PostgreSQL",
            )


def _read_or_draw_id(connection: sa.Connection) -> str:
    """Return the table's id, which a database without one is given.

    It is the comment on a table, as it is a number in the head of an SQLite file.
    """
    wanted = "SELECT obj_description('about'::regclass, 'pg_class')"
    found = connection.exec_driver_sql(wanted).scalar()
    if found and re.fullmatch("[0-9a-f]{8}", found):
        return str(found)
    return _keep_id(connection, 1 + secrets.randbelow((1 << 31) - 1))


def _keep_id(connection: sa.Connection, number: int) -> str:
    table_id = f"{number & 0xFFFF_FFFF:08x}"
    connection.exec_driver_sql(f"COMMENT ON TABLE about IS '{table_id}'")
    return table_id
