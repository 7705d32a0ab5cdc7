"""What only a PostgreSQL database has: who may write, what it must be, and its loss.

All of it meets a real server, and real poolers before it.
"""

from __future__ import annotations

import io
import os
import shutil
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from click.testing import CliRunner, Result

from cli import main
from companion.errors import CompanionError, DeviceFault, JournalFault, Malformed
from companion.game import commands as c
from companion.game import play_events as p
from companion.game.envelope import Envelope
from companion.game.journal import Entry
from companion.health import Condition
from companion.store import Database, Journals, Store, backup, postgres, schema, swap
from companion.store.books import is_served, look_at_books
from companion.store.postgres import Postgres
from companion.store.swap import FILE_NAME
from companion.store.wishes import Wish
from companion.table import build_table
from companion.units import GameId, Revision, TimeMs
from tests.companion.store.test_backup import OWN, database_with, furnish, known
from tests.fakes import FakeClock
from tests.postgres import LOOK_S, USER, Server
from tests.running import PATIENCE_S, free_port

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


def test_where_nobody_answers_that_is_said(tmp_path: Path, postgres: Server) -> None:
    port = free_port()
    for end, why in {
        f"/club?host={tmp_path}": "No such file or directory",
        f"127.0.0.1:{port}/club": f'port {port} failed: Connection refused',
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


def test_a_server_that_does_not_wait_for_its_disk_is_refused(
    tmp_path: Path, postgres_url: str
) -> None:
    """That needs a server of its own, started only where one can run at all."""
    with Server({"fsync": "off"}) as server:
        said = refused(tmp_path / "data", secret(server.url("club")))
    assert "expected fsync = on at" in said
    assert ", got off: a power cut would lose what players were shown" in said


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


def test_an_old_server_is_refused(
    tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only one version is here, so the oldest that will do is made a newer one."""
    monkeypatch.setattr(postgres, "VERSION_MIN", 99)
    said = refused(tmp_path / "data", secret(postgres_url))
    assert "expected PostgreSQL 99 or newer at" in said
    assert said.endswith("; update it")


ANOTHERS = "is another program's: its tables are not a companion's; make a database"


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
