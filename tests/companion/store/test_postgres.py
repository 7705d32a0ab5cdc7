"""What only a PostgreSQL database has: who may write, what it must be, and its loss.

All of it meets a real server, and real poolers before it.
"""

from __future__ import annotations

import io
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import SimpleNamespace

import msgspec
import psycopg
import pytest
import sqlalchemy as sa
from click.testing import CliRunner, Result
from sqlalchemy.dialects import postgresql

from cli import main
from companion.edition.catalogue import catalogue_of
from companion.errors import CompanionError, DeviceFault, JournalFault, Malformed
from companion.game import commands as c
from companion.game import play_events as p
from companion.game.codec import entries_to_json
from companion.game.envelope import Envelope
from companion.game.journal import EVERY, Entry
from companion.health import Condition
from companion.store import Database, Journals, Store, backup, postgres, schema, swap
from companion.store.books import look_at_books
from companion.store.phones import Phones, Wish
from companion.store.postgres import Postgres
from companion.store.reader import is_served, reading_beside
from companion.store.swap import FILE_NAME
from companion.table import build_table
from companion.units import GameId, Revision, TimeMs
from tests.caddy import until
from tests.companion.store.test_backup import (
    FAILING,
    FORKS,
    HALF_DONE,
    OWN,
    database_with,
    furnish,
    known,
    refuse_names,
)
from tests.databases import import_game
from tests.fakes import FakeClock
from tests.long_game import long_game
from tests.postgres import LOOK_S, USER, Server
from tests.restore_child import STEPS, restore_until
from tests.running import PATIENCE_S, free_port
from tests.web.conftest import ORIGIN, House, make_panel

SECRET = "blue-heron-77"


def sql(url: str, *statements: str) -> list[tuple[object, ...]]:
    """Do this beside the companion; return the rows of the last."""
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            found = connection.execute(statement.encode())
        return found.fetchall() if found.description else []


def backends(url: str) -> int:
    """How many connections companions have to that database."""
    asked = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database()"
    return len(sql(url, f"{asked} AND application_name LIKE 'companion %'"))


def everything(url: str) -> dict[str, object]:
    """All rows of a database, and the table's id."""
    names = [str(name) for (name,) in sql(url, TABLES)]
    rows: dict[str, object] = {
        name: sorted(sql(url, f'SELECT * FROM "{name}"'), key=repr) for name in names
    }
    if "about" in names:
        rows["the table's id"] = sql(url, "SELECT obj_description('about'::regclass)")
    return rows


TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"


def secret(url: str) -> str:
    """The same address with a password, which this server does not ask for."""
    return url.replace(f"{USER}@", f"{USER}:{SECRET}@")


def refused(folder: Path, url: str) -> str:
    """Open what must not be opened; return what is said, which holds no secret."""
    with pytest.raises(CompanionError) as caught:
        Postgres(folder, url).close()
    said = str(caught.value)
    for shown in (said, repr(caught.value), *traceback.format_exception(caught.value)):
        assert SECRET not in shown
    assert "; " in said, "says what to do"
    assert not folder.exists(), "nothing was begun"
    return said


# What will not do.


@pytest.mark.parametrize(
    "url",
    [
        "club",
        "//",
        f"sqlite:///{SECRET}",
        f"mysql://companion:{SECRET}@localhost/club",
        f"postgresql://companion:{SECRET}@localhost:door/club",
        f"postgresql://companion:{SECRET}@[::1/club",
    ],
)
def test_what_is_no_address_of_one_is_refused(tmp_path: Path, url: str) -> None:
    said = refused(tmp_path / "data", url)
    assert "expected a database such as postgresql://companion@localhost/club" in said
    assert is_served(tmp_path, url) is None
    assert look_at_books(tmp_path, url).condition is Condition.FAIL


@pytest.mark.slow
def test_where_nobody_answers_that_is_said(tmp_path: Path, postgres: Server) -> None:
    port = free_port()
    for end, why in {
        f"/club?host={tmp_path}": "No such file or directory",
        f"127.0.0.1:{port}/club": f"port {port} failed: Connection refused",
        f"/none?host={postgres.folder}": 'database "none" does not exist',
        f"127.0.0.1:{port}/club?sslmode=nonsense": "sslmode",
    }.items():
        url = f"postgresql://{USER}:{SECRET}@{end}"
        said = refused(tmp_path / "data", url)
        assert said.startswith(f"expected an answer from postgresql://{USER}@")
        assert why in said
        assert is_served(tmp_path, url) is None
        assert why in look_at_books(tmp_path, url).words


def test_without_psycopg_it_says_how_to_get_it(
    tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    said = refused(tmp_path / "data", secret(postgres_url))
    assert "expected psycopg for PostgreSQL, got: " in said
    assert "pip install 'table-companion[postgres]'" in said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("setting", "wanted"),
    [
        ("synchronous_commit = off", "expected synchronous_commit = on at"),
        (
            "default_transaction_read_only = on",
            "expected transaction_read_only = off at",
        ),
    ],
)
def test_settings_that_lose_or_take_nothing_are_refused(
    tmp_path: Path, postgres_url: str, setting: str, wanted: str
) -> None:
    name = sa.make_url(postgres_url).database
    sql(postgres_url, f"ALTER DATABASE {name} SET {setting}")
    said = refused(tmp_path / "data", secret(postgres_url))
    assert wanted in said
    assert f", got {setting.partition(' = ')[2]}: " in said
    assert everything(postgres_url) == {}


@pytest.mark.slow
def test_a_server_that_does_not_wait_for_its_disk_is_refused(
    tmp_path: Path, postgres_url: str
) -> None:
    """That needs a server of its own, started only where one can run at all."""
    with Server({"fsync": "off"}) as server:
        said = refused(tmp_path / "data", secret(server.url("club")))
    assert "expected fsync = on at" in said
    assert ", got off: a power cut would lose what players were shown" in said


@pytest.mark.slow
def test_a_server_elsewhere_looks_for_a_writer_that_is_silent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then a machine that vanished keeps no lock; over a socket there is no silence."""
    monkeypatch.setenv("PGPORT", str(free_port()))
    with Server({"listen_addresses": "127.0.0.1"}) as server:
        server.url("club")
        address = f"postgresql://{USER}@127.0.0.1/club"
        database = Postgres(tmp_path / "data", address)
        with closing(database), database.transaction() as connection:
            shown = connection.exec_driver_sql("SHOW tcp_user_timeout").scalar()
    assert shown == "10000"  # ms


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_that_lacks_letters_is_refused(
    tmp_path: Path, postgres_url: str, encoding: str
) -> None:
    name = f"letters_{encoding.lower()}"
    other = postgres_url.replace(str(sa.make_url(postgres_url).database), name)
    made = f"CREATE DATABASE {name} ENCODING '{encoding}' TEMPLATE template0"
    sql(postgres_url, made)
    said = refused(tmp_path / "data", secret(other))
    sql(postgres_url, f"DROP DATABASE {name} WITH (FORCE)")
    assert f"expected server_encoding = UTF8 at postgresql://{USER}@" in said
    assert f", got {encoding}: " in said


@pytest.mark.slow
def test_an_old_server_is_refused(
    tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only one version is here, so the oldest that will do is made a newer one."""
    monkeypatch.setattr(postgres, "VERSION_MIN", 99)
    said = refused(tmp_path / "data", secret(postgres_url))
    assert "expected PostgreSQL 99 or newer at" in said
    assert said.endswith("; update it")


ANOTHERS = "is another program's: its tables are not a companion's; make a database"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("made", "wanted"),
    [
        ("CREATE TABLE recipes AS SELECT 'soup' AS name", ANOTHERS),
        ("CREATE TABLE about AS SELECT 'a cook' AS author", ANOTHERS),
        ("CREATE TABLE about AS SELECT 'recipes' AS schema", "has schema recipes;"),
        ("CREATE TABLE about (schema integer)", "has schema None; "),
        ("CREATE TABLE about AS SELECT 99 AS schema", "has schema 99; this companion"),
        ("CREATE TABLE about AS SELECT 0 AS schema", "has schema 0; this companion"),
    ],
)
def test_what_is_not_ours_is_left_as_it_is(
    tmp_path: Path, postgres_url: str, made: str, wanted: str
) -> None:
    sql(postgres_url, made)
    before = everything(postgres_url)
    assert wanted in refused(tmp_path / "data", secret(postgres_url))
    assert everything(postgres_url) == before
    found = look_at_books(tmp_path, secret(postgres_url))
    assert found.condition is Condition.FAIL
    assert wanted.partition(";")[0] in found.words


@pytest.mark.slow
def test_a_folder_that_cannot_be_made_is_said(
    tmp_path: Path, postgres_url: str
) -> None:
    (tmp_path / "data").write_text("Dear diary")
    with pytest.raises(DeviceFault, match=r"a writable folder .*, got File ex"):
        Postgres(tmp_path / "data", secret(postgres_url))


@pytest.mark.slow
@pytest.mark.parametrize("vault", ["--simulated", ""])
def test_a_vault_is_refused(tmp_path: Path, postgres_url: str, vault: str) -> None:
    words = ("serve", "--port", "0", vault) if vault else ("serve", "--port", "0")
    env = {"COMPANION_VAULT": "simulated"} if not vault else {}
    found = companion(tmp_path / "data", secret(postgres_url), *words, **env)
    assert found.exit_code == 1
    assert "expected no vault where PostgreSQL keeps the games, got sim" in found.output
    assert "--no-vault" in found.output
    assert everything(postgres_url) == {}


def companion(data: Path, url: str, *words: str, **env: str) -> Result:
    """Run a command on the games of a database; no word of it holds the secret."""
    known = {"COMPANION_DATABASE": url, "COMPANION_DATA": str(data), **env}
    found = CliRunner().invoke(main, words, env=known)
    assert SECRET not in found.output + repr(found.exception)
    return found


# Poolers before it.

PGBOUNCER = "/usr/sbin/pgbouncer"
POOLER_PORT = 6432


@contextmanager
def pooler(
    server: Server, url: str, folder: Path, mode: str, size: int
) -> Iterator[str]:
    """Run a pooler before a database, as the server's own user; give the address."""
    name = sa.make_url(url).database
    settings = folder / "settings.ini"
    settings.write_text(
        f"[databases]\n{name} = host={server.folder} user={USER}\n"
        f"[pgbouncer]\npool_mode = {mode}\ndefault_pool_size = {size}\n"
        f"unix_socket_dir = {folder}\nlisten_port = {POOLER_PORT}\nauth_type = any\n"
    )
    owner = server.folder.stat()
    os.chown(folder, owner.st_uid, owner.st_gid)
    as_owner = {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []}
    running = subprocess.Popen(
        [PGBOUNCER, settings],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        **(as_owner if os.geteuid() == 0 else {}),  # type: ignore[arg-type]
    )
    try:
        wait_for(folder / f".s.PGSQL.{POOLER_PORT}", running)
        yield f"postgresql://{USER}@/{name}?host={folder}&port={POOLER_PORT}"
    finally:
        running.kill()
        running.wait()


def wait_for(door: Path, running: subprocess.Popen[bytes]) -> None:
    """Wait until somebody answers at a socket."""
    waited = threading.Event()
    for _ in range(int(PATIENCE_S / LOOK_S)):
        assert running.poll() is None, "it has ended"
        with socket.socket(socket.AF_UNIX) as knocking:
            if knocking.connect_ex(str(door)) == 0:
                return
        waited.wait(LOOK_S)
    raise AssertionError("expected an answer, got none")


@pytest.fixture
def beside(postgres: Server) -> Iterator[Path]:
    """A folder of a short name that the server's user may enter."""
    if not Path(PGBOUNCER).exists():
        pytest.skip("wanted pgbouncer, got none on this machine; type: make postgres")
    folder = postgres.folder / "pooler"
    folder.mkdir()
    yield folder
    shutil.rmtree(folder)


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 5])
@pytest.mark.parametrize("mode", ["transaction", "statement"])
def test_a_pooler_that_moves_sessions_is_refused(
    tmp_path: Path,
    postgres: Server,
    postgres_url: str,
    beside: Path,
    mode: str,
    size: int,
) -> None:
    with pooler(postgres, postgres_url, beside, mode, size) as url:
        for _ in range(2):  # It has kept no lock.
            said = refused(tmp_path / "data", secret(url))
            wanted = "a pooler that lends it to others between two transactions; name"
            assert (wanted if mode == "transaction" else "; ") in said
    assert everything(postgres_url) == {}


@pytest.mark.slow
def test_a_pooler_that_lends_whole_sessions_is_none_of_our_business(
    tmp_path: Path, postgres: Server, postgres_url: str, beside: Path
) -> None:
    with pooler(postgres, postgres_url, beside, "session", 5) as url:
        for _ in range(2):
            with closing(Postgres(tmp_path, url)) as database:
                assert database.answers()
                with pytest.raises(DeviceFault, match="open in another companion"):
                    Postgres(tmp_path, postgres_url)
            with closing(Postgres(tmp_path, postgres_url)):
                pass


# One writer.


def test_a_second_writer_is_refused_and_told_who_writes(
    tmp_path: Path, postgres_url: str
) -> None:
    us = f"companion {os.getpid()} on {socket.gethostname()}"[:63]
    assert is_served(tmp_path, postgres_url) is False
    with closing(Postgres(tmp_path / "one", postgres_url)):
        said = refused(tmp_path / "two", secret(postgres_url))
        assert f"are open in another companion ({us}, since 20" in said
        assert said.endswith("; stop that one, or choose another database")
        assert is_served(tmp_path, postgres_url) is True
        found = look_at_books(tmp_path, secret(postgres_url))
        assert found.condition is Condition.OK
        assert found.words.startswith("games: 0, entries: 0; every sum is 0")
        assert f"; who writes: {us}, since 20" in found.words
        assert found.words.endswith(" MB")
        told = companion(tmp_path, secret(postgres_url), "doctor", "--json")
        assert f"who writes: {us}" in told.output
    until(lambda: is_served(tmp_path, postgres_url) is False)  # Its session may linger.
    found = look_at_books(tmp_path, secret(postgres_url))
    assert "; who writes: nobody; the database takes " in found.words


@pytest.mark.slow
def test_another_user_is_told_who_writes_without_since_when(
    tmp_path: Path, postgres_url: str
) -> None:
    """PostgreSQL says since when only to the writer's own user."""
    with closing(Postgres(tmp_path, postgres_url)):
        sql(
            postgres_url,
            "CREATE ROLE guest LOGIN",
            "GRANT SELECT ON ALL TABLES IN SCHEMA public TO guest",
        )
        theirs = postgres_url.replace(f"{USER}@", "guest@")
        assert is_served(tmp_path, theirs) is True
        words = look_at_books(tmp_path, theirs).words
        assert f"who writes: companion {os.getpid()} on " in words
        assert "since" not in words
        assert "open in another companion (" in refused(tmp_path / "two", theirs)
    sql(postgres_url, "DROP OWNED BY guest", "DROP ROLE guest")


@pytest.mark.slow
def test_who_waits_goes_on_once_the_first_one_ends(
    tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "TRY_S", LOOK_S)
    monkeypatch.setattr(postgres, "BEAT_S", PATIENCE_S)
    now_s = 0.0
    clock = SimpleNamespace(monotonic=lambda: now_s)
    monkeypatch.setattr(postgres, "time", clock)
    steps: list[str] = []

    @contextmanager
    def meanwhile() -> Iterator[None]:
        nonlocal now_s
        steps.append("waits")
        now_s += 3_600
        first.close()
        yield
        steps.append("goes on")

    with closing(Postgres(tmp_path, postgres_url)) as first:
        game = build_table(first, FakeClock()).service.open_game(
            "classic", "Friday", "command-friday"
        )
        with closing(Postgres(tmp_path, postgres_url, meanwhile)) as second:
            assert steps == ["waits", "goes on"]
            assert second.is_alive(), "before its first beat, after an hour"
            assert [one.game_id for one in Journals(second).games()] == [game]
        with closing(Postgres(tmp_path, postgres_url, meanwhile)):
            assert steps == ["waits", "goes on"], "nobody had to wait"


# A writer that has lost its connection.


@pytest.fixture
def losses(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was told of losses; a writer looks for them only while it writes."""
    monkeypatch.setattr(postgres, "BEAT_S", PATIENCE_S)
    return []


def own_pid(database: Store) -> int:
    with database.transaction() as connection:
        return int(connection.scalar(sa.select(sa.func.pg_backend_pid())) or 0)


def end(url: str, pid: int) -> None:
    """Have the server end a connection."""
    assert sql(url, f"SELECT pg_terminate_backend({pid}, 9000)") == [(True,)]


def tick(database: Store) -> None:
    Journals(database).ticks.tick(GameId("g"), "pack", "dice")


@pytest.mark.parametrize(
    "act",
    [
        tick,
        Store.answers,
        lambda database: database.rows(schema.about, Entry),
        lambda database: database.copy_to(database.directory / "copy.sqlite"),
        lambda database: Journals(database).pictures.revisions(GameId("g")),
    ],
)
def test_a_lost_connection_is_told_once_and_never_made_anew(
    tmp_path: Path, postgres_url: str, losses: list[str], act: object
) -> None:
    assert callable(act)
    with closing(Postgres(tmp_path, postgres_url)) as database:
        database.on_loss = lambda _: losses.append("lost")
        end(postgres_url, own_pid(database))
        assert losses == []
        for number in range(3):
            with pytest.raises(
                JournalFault, match=r"terminat|has lost its connection; start the"
            ):
                act(database)
            assert losses == ["lost"], number
        with pytest.raises(
            JournalFault, match="has lost its connection; start the companion again"
        ):
            tick(database)
        assert backends(postgres_url) == 0
    assert losses == ["lost"]
    with closing(Postgres(tmp_path, postgres_url)) as database:
        assert Journals(database).ticks.done(GameId("g"), "pack") == frozenset()


@pytest.mark.slow
def test_what_was_being_written_when_it_was_lost_is_not(
    tmp_path: Path, postgres_url: str, losses: list[str]
) -> None:
    with closing(Postgres(tmp_path, postgres_url)) as database:
        database.on_loss = lambda _: losses.append("lost")
        row, pid = {"game_id": "g", "list": "pack", "step": "dice"}, own_pid(database)

        def act(connection: sa.Connection) -> None:
            connection.execute(schema.ticks.insert(), row)
            end(postgres_url, pid)

        with pytest.raises(JournalFault, match="could not be written: terminating"):
            database.write(act)
        assert losses == ["lost"]
        assert backends(postgres_url) == 0
    with closing(Postgres(tmp_path, postgres_url)) as database:
        assert Journals(database).ticks.done(GameId("g"), "pack") == frozenset()


@pytest.mark.slow
def test_a_writer_that_is_idle_notices_it(
    tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "BEAT_S", LOOK_S)
    lost = threading.Event()
    with closing(Postgres(tmp_path, postgres_url)) as database:
        database.on_loss = lambda _: lost.set()
        assert not lost.is_set()
        end(postgres_url, own_pid(database))
        assert lost.wait(PATIENCE_S)
        assert backends(postgres_url) == 0


def test_a_server_that_loses_its_power_is_lost(
    tmp_path: Path, postgres: Server, losses: list[str]
) -> None:
    with Server() as server:
        url = server.url("club")
        with closing(Postgres(tmp_path, url)) as database:
            database.on_loss = lambda _: losses.append("lost")
            tick(database)
            server.kill()
            for _ in range(2):
                with pytest.raises(JournalFault):
                    tick(database)
            server.start()
            with pytest.raises(
                JournalFault, match="has lost its connection; start the companion"
            ):
                tick(database)
            assert losses == ["lost"]
            assert backends(url) == 0
        with closing(Postgres(tmp_path, url)) as database:
            assert Journals(database).ticks.done(GameId("g"), "pack") == {"dice"}


# What an earlier companion left.

OLDER = {
    "1, without pictures": ("DROP TABLE pictures", "UPDATE about SET schema = 1"),
    "1": (
        "DROP TABLE pictures, snapshots",
        "DROP INDEX entries_of_box",
        "UPDATE about SET schema = 1",
    ),
    "2, without snapshots": ("DROP TABLE snapshots", "DROP INDEX entries_of_box"),
}


@pytest.mark.slow
@pytest.mark.parametrize("how", OLDER)
def test_an_older_database_is_given_what_it_lacks(
    tmp_path: Path, postgres_url: str, how: str
) -> None:
    asked = "SELECT indexname FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1"
    with closing(Postgres(tmp_path, postgres_url)) as database:
        table = build_table(database, FakeClock()).service
        table.open_game("classic", "Friday", "command-friday")
    before, indexes = everything(postgres_url), sql(postgres_url, asked)
    sql(postgres_url, *OLDER[how])
    assert everything(postgres_url) != before
    for _ in range(2):
        with closing(Postgres(tmp_path, postgres_url)) as database:
            assert database.answers()
        assert everything(postgres_url) == before
        assert sql(postgres_url, asked) == indexes


@pytest.mark.slow
def test_who_only_reads_says_that_the_connection_is_lost_too(
    tmp_path: Path, postgres_url: str
) -> None:
    with (
        closing(Postgres(tmp_path, postgres_url)),
        reading_beside(tmp_path, secret(postgres_url)) as reader,
    ):
        ours = "FROM pg_stat_activity WHERE state = 'idle in transaction'"
        sql(postgres_url, f"SELECT pg_terminate_backend(pid, 9000) {ours}")
        for why in ("terminating connection", "could not be read"):
            with pytest.raises(JournalFault, match=why) as fault:
                Journals(reader).games()
            assert SECRET not in str(fault.value)


# There and back: one form of a backup.


def enrich(database: Store) -> None:
    """Add what a table has after some evenings: pictures, requests, a game removed."""
    table = build_table(database, FakeClock()).service
    (game,) = (one.game_id for one in table.games())
    for _ in range(3):
        ask(table.phones, game)
    table.phones.settle(table.phones.requests(game)[-1])  # The highest number is gone.
    pictures = {"seen": bytes(range(256)), "hidden": b""}
    database.write(table.pictures.keeping(game, Revision(1), pictures))
    gone = table.open_game("classic", "Gone", "command-gone")
    table.submit(gone, Envelope(c.CloseGame(by=c.TABLE), "command-close"))
    table.remove_game(gone)
    journals, read = Journals(database), (p.BoxRead(key="bank.notes", value=1),)
    journals.append("box classic", Entry(Revision(1), "a", c.TABLE, TimeMs(1), read))
    table.close()


def ask(phones: Phones, game: GameId) -> int:
    phone, _ = phones.issue(0)
    wish = (Wish.JOIN, "green", "Zo\u00eb \U0001f3b2", "dog")
    return phones.ask(game, phone, *wish, address="").request


def asked_next(database: Store) -> int:
    """The number of the next request, which goes again."""
    phones = Phones(database)
    (game, *_) = Journals(database).games()
    number = ask(phones, game.game_id)
    phones.settle(next(one for one in phones.requests(game.game_id)[-1:]))
    return number


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A folder that keeps a table in a file."""
    folder = furnish(tmp_path / "kept")
    with closing(Database(folder)) as database:
        enrich(database)
    return folder


def saved(database: Store, file: Path) -> bytes:
    with closing(database):
        backup.back_up(database, file, "1.2.3", may_replace=True)
    return file.read_bytes()


def put_back(content: bytes, folder: Path, url: str = "") -> Path | None:
    folder.mkdir(exist_ok=True)
    return backup.restore(io.BytesIO(content), folder, url, may_replace=True).kept


def test_a_table_goes_there_and_back_whole(
    tmp_path: Path, kept: Path, postgres_url: str
) -> None:
    club, back, file = tmp_path / "club", tmp_path / "back", tmp_path / "a.zip"
    first = saved(Database(kept), file)
    assert put_back(first, club, postgres_url) is None
    assert {path.name for path in club.iterdir()} == {"decks", "editions"}
    then = everything(postgres_url)
    second = saved(Postgres(club, postgres_url), file)
    assert put_back(second, back) is None
    before, after = known(kept), known(back)
    assert before == after
    assert {*OWN} < {*after}
    for table in schema.metadata.sorted_tables:
        rows = [then[table.name], before[table.name]]
        assert len({len(x) for x in rows if isinstance(x, list)}) == 1, table
        assert rows[0] or table is schema.snapshots, table
    with closing(Database(kept)) as one, closing(Postgres(club, postgres_url)) as two:
        assert one.table_id != two.table_id
        assert Journals(one).games() == Journals(two).games()


@pytest.mark.slow
def test_no_number_of_a_request_is_given_twice(
    tmp_path: Path, kept: Path, postgres_url: str
) -> None:
    club, back, file = tmp_path / "club", tmp_path / "back", tmp_path / "a.zip"
    put_back(saved(Database(kept), file), club, postgres_url)
    with closing(Postgres(club, postgres_url)) as database:
        assert asked_next(database) == 4
    put_back(saved(Postgres(club, postgres_url), file), back)
    with closing(Database(back)) as database:
        assert asked_next(database) == 5
    put_back(saved(Database(back), file), club, postgres_url)
    with closing(Postgres(club, postgres_url)) as database:
        assert [asked_next(database) for _ in range(2)] == [6, 7]


@pytest.mark.slow
def test_the_first_request_of_all_has_number_1_afterwards(
    tmp_path: Path, postgres_url: str
) -> None:
    club, back, file = tmp_path / "club", tmp_path / "back", tmp_path / "a.zip"
    content = saved(Database(furnish(tmp_path / "kept")), file)
    put_back(content, club, postgres_url)
    put_back(saved(Postgres(club, postgres_url), file), back)
    with closing(Postgres(club, postgres_url)) as one, closing(Database(back)) as two:
        assert (asked_next(one), asked_next(two)) == (1, 1)


@pytest.mark.slow
def test_what_was_there_before_is_kept_as_a_table_of_its_own(
    tmp_path: Path, kept: Path, postgres_url: str
) -> None:
    club, file = tmp_path / "club", tmp_path / "a.zip"
    put_back(saved(Database(kept), file), club, postgres_url)
    other = furnish(tmp_path / "other", "Sunday", 2)
    before, content = everything(postgres_url), saved(Database(other), file)
    with pytest.raises(Malformed, match=r"/fresh_\d+ with 1 of them; --replace moves"):
        backup.restore(io.BytesIO(content), club, postgres_url, may_replace=False)
    assert everything(postgres_url) == before
    aside = put_back(content, club, postgres_url)
    assert aside == club / f"{swap.BEFORE}-1"
    assert (aside / FILE_NAME).stat().st_mode & 0o077 == 0
    assert known(aside) == known(kept)
    assert everything(postgres_url) != before
    with closing(Postgres(club, postgres_url)) as database:
        assert [one.title for one in Journals(database).games()] == ["Sunday"]


@pytest.mark.slow
def test_what_was_read_off_a_box_is_kept_without_any_game(
    tmp_path: Path, kept: Path, postgres_url: str
) -> None:
    club = tmp_path / "club"
    with closing(Postgres(club, postgres_url)) as database:
        read = (p.BoxRead(key="bank.notes", value=1),)
        entry = Entry(Revision(1), "a", c.TABLE, TimeMs(1), read)
        Journals(database).append("box classic", entry)
    aside = put_back(saved(Database(kept), tmp_path / "a.zip"), club, postgres_url)
    assert aside is not None
    with closing(Database(aside)) as database:
        assert Journals(database).ids() == ("box classic",)


GAME = "(SELECT journal FROM journals)"
UNFIT = {
    "a NUL": "UPDATE phones SET token_sha256 = 'a' || char(0) || phone",
    "a NUL in a tick": f"INSERT INTO ticks VALUES ({GAME}, 'pack', char(0))",
    "a phone that is gone": f"INSERT INTO holdings VALUES ({GAME}, 'blue', 'nobody')",
    "a text for a picture": f"INSERT INTO pictures VALUES ({GAME}, 1, 'x', 'text')",
    "bytes for a text": f"INSERT INTO ticks VALUES ({GAME}, 'pack', x'00ff')",
    "too large a number": f"INSERT INTO pictures VALUES ({GAME}, 1 << 40, 'x', x'00')",
    "a text for a number": f"INSERT INTO pictures VALUES ({GAME}, 'one', 'x', x'00')",
}
"""What a stranger's file may hold, SQLite keeps, and PostgreSQL does not take."""


@pytest.mark.slow
@pytest.mark.parametrize("what", UNFIT)
def test_what_it_does_not_take_changes_nothing(
    tmp_path: Path, kept: Path, postgres_url: str, what: str
) -> None:
    club, file = tmp_path / "club", tmp_path / "a.zip"
    content = saved(Database(furnish(tmp_path / "sunday", "Sunday")), file)
    put_back(content, club, postgres_url)
    before = everything(postgres_url)
    changed = database_with(saved(Database(kept), file), tmp_path, UNFIT[what])
    with pytest.raises((Malformed, JournalFault)) as caught:
        put_back(changed, club, secret(postgres_url))
    said = str(caught.value)
    assert SECRET not in "".join(traceback.format_exception(caught.value))
    assert "; nothing was changed; " in said
    assert "\n" not in said
    assert everything(postgres_url) == before
    assert {path.name for path in club.iterdir()} == {"decks", "editions"}
    with closing(Postgres(club, postgres_url)) as database:
        assert database.answers()


def end_all(url: str) -> None:
    """Take the writer's connection away."""
    others = "FROM pg_locks WHERE locktype = 'advisory'"
    sql(url, f"SELECT pg_terminate_backend(pid, 9000) {others}")


@pytest.mark.slow
def test_a_restore_that_loses_the_database_does_not_blame_the_backup(
    tmp_path: Path, kept: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "_check_database", lambda *_: end_all(postgres_url))
    content = saved(Database(kept), tmp_path / "a.zip")
    with pytest.raises(JournalFault, match="could not be written: terminating"):
        put_back(content, tmp_path / "club", postgres_url)
    assert everything(postgres_url)["entries"] == []
    assert not [*(tmp_path / "club").iterdir()]


@pytest.mark.slow
@pytest.mark.parametrize("name", [*FAILING, "COMMIT"])
def test_what_fails_near_the_end_of_a_restore_is_said_and_it_is_repeated(
    tmp_path: Path, kept: Path, postgres_url: str, name: str
) -> None:
    club, file = tmp_path / "club", tmp_path / "a.zip"
    put_back(saved(Database(kept), file), club, postgres_url)
    content = saved(Database(furnish(tmp_path / "other", "Sunday", 2)), file)
    finish = swap.finish

    def finish_and_lose(folder: Path) -> Path | None:
        if (done := finish(folder)) is not None:
            end_all(postgres_url)
        return done

    with pytest.MonkeyPatch.context() as failing:
        if name in FAILING:
            refuse_names(failing, name)
        else:
            failing.setattr(swap, "finish", finish_and_lose)
        with pytest.raises(CompanionError, match=FAILING.get(name, HALF_DONE)):
            put_back(content, club, postgres_url)
    assert sql(postgres_url, "SELECT title FROM journals") == [("Friday",)]
    put_back(content, club, postgres_url)
    assert sql(postgres_url, "SELECT title FROM journals") == [("Sunday",)]
    games = []
    for aside in club.glob(f"{swap.BEFORE}-*"):
        with closing(Database(aside)) as database:
            games.append([one.title for one in Journals(database).games()])
    assert games == [["Friday"]] * (1 if name == swap.DECIDED else 2)


def kept_there(folder: Path) -> dict[str, object]:
    """What a folder knows, but for how far requests count."""
    return {name: x for name, x in known(folder).items() if name != "sqlite_sequence"}


@pytest.mark.slow
def test_killed_at_any_step_and_repeated_the_games_of_before_are_kept(
    tmp_path: Path, kept: Path, postgres_url: str
) -> None:
    file, other = tmp_path / "a.zip", furnish(tmp_path / "other", "Sunday", 2)
    (other / "decks/blue.jpg").unlink()
    content = saved(Database(kept), file)
    saved(Database(other), file)
    old, new, found = kept_there(kept), kept_there(other), []
    for step in range(200):
        club = tmp_path / f"killed-{step}"
        put_back(content, club, postgres_url)
        child = FORKS.Process(
            target=restore_until, args=(file, club, STEPS, step, postgres_url)
        )
        child.start()
        child.join()
        ((title,),) = sql(postgres_url, "SELECT title FROM journals")
        found.append((title, (club / swap.DECIDED).exists()))
        asides = [kept_there(x) for x in club.glob(f"{swap.BEFORE}-*")]
        assert title == "Friday" or old in asides, f"killed before step {step}"
        if child.exitcode == 0:
            break
        assert child.exitcode == -signal.SIGKILL
        put_back(file.read_bytes(), club, postgres_url)
        asides = [kept_there(x) for x in club.glob(f"{swap.BEFORE}-*")]
        assert old in asides, f"killed before step {step}, and repeated"
        assert {x.name for x in club.iterdir()} >= {"decks", "editions"}
        back = tmp_path / f"back-{step}"
        put_back(saved(Postgres(club, postgres_url), tmp_path / "b.zip"), back)
        assert kept_there(back) == new
        sql(postgres_url, "DELETE FROM entries", "DELETE FROM journals")
    assert 8 < len(found) < 199
    assert set(found) == {("Friday", False), ("Friday", True), ("Sunday", False)}


def test_the_commands_of_the_console_ask_the_database(
    tmp_path: Path, postgres_url: str
) -> None:
    furnish(tmp_path / "kept")
    url, club, file = secret(postgres_url), tmp_path / "club", tmp_path / "a.zip"

    def done(*words: str) -> str:
        found = companion(club, url, *words)
        assert found.exit_code == 0, found.output
        return found.output

    saved(Database(tmp_path / "kept"), file)
    place = f"postgresql://{USER}@"
    assert done("restore", str(file)).startswith(f"1 game restored to {place}")
    refusal = companion(club, url, "restore", str(file))
    assert refusal.exit_code == 1
    assert "with 1 of them; --replace moves what is there aside" in refusal.output
    aside = club / f"{swap.BEFORE}-1"
    said = done("restore", "--replace", str(file))
    assert f"what was there before is kept in {aside}\n" in said
    said = done("backup", "--force", str(file))
    assert said == f"{file}: 1 game, {file.stat().st_size:,} bytes\n"
    listed = done("games", "list")
    game, exported = listed.split()[0], tmp_path / "game.json"
    assert listed.endswith("Friday\n")
    exported.write_text(done("games", "export", game))
    assert (
        "on this table already"
        in companion(club, url, "games", "import", str(exported)).output
    )
    sql(postgres_url, "DELETE FROM entries", "DELETE FROM journals")
    assert f"no games in {place}" in companion(club, url, "games", "list").output
    assert done("games", "import", str(exported)) == f"{game} is on this table now\n"
    assert done("games", "list").startswith(f"{game}  open ")
    assert "[edition]\n" in done("edition", "export", game)
    assert not (club / FILE_NAME).exists()


# Text that PostgreSQL cannot keep: what holds a NUL.

NUL = "a\0b"
NAMED = ("by", "seat", "name", "colour", "token", "step")
"""Fields of which a phone's forms have some."""


@pytest.fixture
def asked_with_nul(
    tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[list[str]]:
    """What the database was asked with a NUL in a text."""
    found: list[str] = []

    def note(_c: object, _u: object, question: str, values: object, *_: object) -> None:
        rows = values if isinstance(values, list) else [values]
        texts = (text for row in rows for text in row.values() if isinstance(text, str))
        found.extend(question for text in texts if "\0" in text)

    def opened(folder: Path) -> Postgres:
        database = Postgres(folder, postgres_url)
        sa.event.listen(database._engine, "before_cursor_execute", note)
        return database

    monkeypatch.setattr("tests.web.conftest.Database", opened)
    with closing(Postgres(tmp_path, postgres_url)) as database:
        game = long_game(Journals(database), EVERY + 500)  # Its taps are looked up.
        build_table(database, FakeClock()).service.game(game)
    return found


@pytest.fixture
def house(tmp_path: Path, asked_with_nul: list[str]) -> Iterator[House]:
    house = make_panel(tmp_path, FakeClock())
    yield house
    house.table.close()
    house.database.close()


@pytest.mark.slow
def test_no_phone_brings_a_nul_into_the_database(
    house: House, asked_with_nul: list[str]
) -> None:
    (game,) = (one.game_id for one in house.table.games())
    host, red, guest = house.host(), house.guest(), house.guest()
    red.get("/start")
    guest.get("/start")
    assert red.post(f"/g/{game}/take", seat="red").status_code == 303
    lock = c.LockTable(by=c.TABLE)
    house.table.submit(game, Envelope(lock, "command-lock"))
    whole = {"name": "Eve", "colour": "green", "token": "dog", "seat": "blue"}
    command = {"command_id": NUL, "command": {"type": "Pay", "payee": NUL, "amount": 1}}
    rules = (str(rule) for rule in house.app.url_map.iter_rules())
    paths = {x for x in rules if x.startswith(("/g/<game_id>/", "/games"))}
    codes = set()
    for phone in (host, red, guest):
        for path in sorted(x.replace("<game_id>", game) for x in paths):
            for field in NAMED:
                codes.add(phone.post(path, **{**whole, field: NUL}).status_code)
            codes.add(phone.post(path, **whole, command_id=NUL).status_code)
        there = f"/api/games/{game}/commands"
        answer = phone.client.post(there, json=command, headers=ORIGIN)
        codes.add(answer.status_code)
        for path in (f"/g/{game}%00/", "/g/%00/join", f"/g/{game}/challenge/1/%00.jpg"):
            codes.add(phone.get(path).status_code)
    assert asked_with_nul == []
    assert not [code for code in codes if code >= 500]
    assert {303, 400, 404, 409} <= codes


@pytest.mark.slow
@pytest.mark.parametrize(
    "was", ["Friday", "command-000001", "classic", "red", "hat", "table"]
)
def test_no_game_that_is_imported_brings_one(
    tmp_path: Path, postgres_url: str, was: str
) -> None:
    with closing(Postgres(tmp_path, postgres_url)) as database:
        journals = Journals(database)
        game = long_game(journals, 5, "command-000001")
        title = journals.games()[0].title
        text = b"".join(entries_to_json(title, journals.entries(game)))
    sql(postgres_url, "DELETE FROM entries", "DELETE FROM journals")
    before = everything(postgres_url)
    with closing(Postgres(tmp_path, postgres_url)) as database:
        journals = Journals(database)
        changed = text.replace(f'"{was}"'.encode(), f'"{was}\\u0000"'.encode())
        assert changed != text
        with pytest.raises(Malformed):
            import_game(journals, changed, catalogue_of(tmp_path))
        assert everything(postgres_url) == before
        assert import_game(journals, text, catalogue_of(tmp_path)) == game


# What was read off a box is found by PostgreSQL's own index.


def test_what_tells_of_a_box_is_found_as_in_a_file(
    tmp_path: Path, postgres_url: str
) -> None:
    read = p.BoxRead(key="bank.notes", value=1)
    answers = []
    for database in (Database(tmp_path / "file"), Postgres(tmp_path, postgres_url)):
        with closing(database):
            journals = Journals(database)
            game = long_game(journals, 30)
            long_game(journals, 30, "command-other")
            tap = Entry(Revision(31), "command-box", c.TABLE, TimeMs(1), (read,))
            journals.append(game, tap)
            journals.append("box classic", msgspec.structs.replace(tap, revision=1))
            told = [journals.about_box(one, 3) for one in (game, "box classic", "none")]
            revisions = [journals.revisions(one) for one in ("classic", "none")]
            answers.append((revisions, told))
            assert revisions == [{game: 31}, {}]
            assert [one.revision for one in told[0]] == [10, 11, 20, 30, 31]
    assert answers[0] == answers[1]
    plan = sql(
        postgres_url,
        "SET enable_seqscan = off",
        f"EXPLAIN SELECT journal FROM entries WHERE {in_words(schema.is_of_box)}",
    )
    assert "entries_of_box" in str(plan)


def in_words(condition: sa.ColumnElement[bool]) -> str:
    return str(condition.compile(dialect=postgresql.dialect()))
