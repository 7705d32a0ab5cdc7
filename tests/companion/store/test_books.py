"""Every journal is read again and added up, without a trace, beside a running table."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.health import Condition
from companion.store import Database
from companion.store.books import look_at_books
from companion.store.reader import is_served
from tests.fakes import FakeClock
from tests.web.conftest import House, make_evening, make_panel

OK, UNKNOWN, WARN, FAIL = Condition
FILE = "companion.sqlite"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = make_panel(tmp_path, FakeClock())
    make_evening(house)
    yield house
    house.table.close()
    house.database.close()


def change(folder: Path, sql: str, *values: object) -> None:
    with closing(sqlite3.connect(folder / FILE)) as connection:
        assert connection.execute(sql, values).rowcount
        connection.commit()


def files(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.suffix != ".lock"}


def test_a_running_table_is_read_beside_it(house: House, tmp_path: Path) -> None:
    found = look_at_books(tmp_path)
    assert found.condition is OK
    assert "games: 1, entries: " in found.words
    assert is_served(tmp_path)


def test_nothing_is_changed(house: House, tmp_path: Path) -> None:
    house.database.close()
    before = files(tmp_path)
    assert look_at_books(tmp_path).condition is OK
    assert is_served(tmp_path) is False
    assert files(tmp_path) == before


def test_what_a_killed_table_left_is_read_whole(house: House, tmp_path: Path) -> None:
    for file in [tmp_path / FILE, tmp_path / f"{FILE}-wal"]:
        copy = tmp_path / "killed" / file.name
        copy.parent.mkdir(exist_ok=True)
        copy.write_bytes(file.read_bytes())
    before = files(tmp_path / "killed")
    assert len(before) == 2
    assert look_at_books(tmp_path / "killed") == look_at_books(tmp_path)
    assert files(tmp_path / "killed") == before


def test_a_folder_without_games_stays_as_it_is(tmp_path: Path) -> None:
    assert look_at_books(tmp_path / "none").condition is OK
    assert is_served(tmp_path / "none") is False
    assert not list(tmp_path.iterdir())


DAMAGE = {
    "a missing entry": ("delete from entries where revision = 2", "entry 2 is missing"),
    "an unreadable entry": (
        "update entries set events = 'x' where revision = 2",
        "entry 2 is unreadable",
    ),
    "an event of somebody who is not there": (
        """update entries set events =
        '[{"type":"MoneyMoved","payer":"green","payee":"bank","amount":5,
        "reason":"rent"}]' where revision = 3""",
        "entry 3 cannot have happened",
    ),
    "a phone without a seat": (
        "update holdings set seat = 'teal' where seat = 'red'",
        "teal",
    ),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_named(house: House, tmp_path: Path, name: str) -> None:
    house.database.close()
    sql, words = DAMAGE[name]
    change(tmp_path, sql)
    found = look_at_books(tmp_path)
    assert found.condition is FAIL
    assert words in found.words
    assert "restore" in found.remedy


@pytest.mark.parametrize(
    "content", [b"", b"not a database at all", b"SQLite format 3\0" + b"\xff" * 9000]
)
def test_a_file_that_is_no_database_fails_and_stays(
    tmp_path: Path, content: bytes
) -> None:
    (tmp_path / FILE).write_bytes(content)
    assert look_at_books(tmp_path).condition is FAIL
    assert (tmp_path / FILE).read_bytes() == content


def test_what_may_not_be_read_is_unknown(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    assert look_at_books(tmp_path).condition is UNKNOWN
    assert is_served(tmp_path) is None


def test_a_table_can_start_after_a_look(tmp_path: Path) -> None:
    Database(tmp_path).close()
    assert is_served(tmp_path) is False
    Database(tmp_path).close()
