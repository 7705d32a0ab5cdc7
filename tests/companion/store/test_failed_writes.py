"""A write that failed is remembered, with its cause, until one succeeds."""

from __future__ import annotations

import os
import random
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy import exc

from companion.errors import JournalFault
from companion.game.journal import Entry
from companion.health import Condition, Finding
from companion.lock.events import WheelSet
from companion.store import Database, Journals, Phones, Store, base, schema
from companion.store import database as database_module
from companion.units import GameId, Revision, TimeMs
from tests.databases import ON_BOTH, of_file, quick_on_both
from tests.evening.disk import Disk
from tests.running import PATIENCE_S

pytestmark = ON_BOTH

READ_ONLY = "the games can be read now, but not written"
FULL = "the table's disk is full"


def entry(revision: int) -> Entry:
    return Entry(
        Revision(revision), f"entry-{revision:04d}", "vault", TimeMs(0), (WheelSet(1),)
    )


def tell(database: Store, *words: str) -> None:
    """Change a setting of the store's own connection."""
    with database.reading() as connection:
        for word in words:
            connection.exec_driver_sql(word)


def turn(database: Store, word: str) -> None:
    """Turn a database read-only, on or off."""
    is_file = database._engine.dialect.name == "sqlite"
    setting = "PRAGMA query_only" if is_file else "SET default_transaction_read_only"
    tell(database, f"{setting} = {word}")


def found(database: Store) -> Finding:
    (finding,) = database.findings()
    assert finding.topic == "games.writing"
    return finding


def told(database: Store) -> str:
    """Return what a finding says of writes; empty if all is well."""
    finding = found(database)
    assert (finding.condition is Condition.OK) == (not finding.remedy)
    return finding.words if finding.condition is Condition.FAIL else ""


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with closing(Database(tmp_path)) as opened:
        yield opened


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every look try to write."""
    monkeypatch.setattr(base, "TRIAL_S", 0)


@quick_on_both
@pytest.mark.usefixtures("at_once")
def test_it_is_told_until_one_succeeds_and_reads_go_on(database: Database) -> None:
    journals = Journals(database)
    journals.append("journal", entry(1))
    assert told(database) == ""
    turn(database, "on")
    assert told(database) == "", "nobody has written yet"
    with pytest.raises(JournalFault) as caught:
        journals.append("journal", entry(2))
    assert caught.value.cause == READ_ONLY
    assert "make it writable again" in caught.value.remedy
    for _ in range(3):
        assert told(database) == f"nothing can be written down: {READ_ONLY}"
        with pytest.raises(JournalFault, match=r"readonly|read-only"):
            database.check_last_write()
        assert database.answers()
        assert database.is_alive()
        assert list(journals.entries("journal")) == [entry(1)]
    turn(database, "off")
    database.check_last_write()
    assert told(database) == ""
    with database.reading() as connection:
        assert connection.execute(sa.select(schema.snapshots)).all() == []
    journals.append("journal", entry(2))


@quick_on_both
def test_a_tap_that_succeeds_ends_it_too(database: Database) -> None:
    journals = Journals(database)
    for number in (1, 2):
        turn(database, "on")
        with pytest.raises(JournalFault):
            journals.append("journal", entry(number))
        assert told(database)
        turn(database, "off")
        assert told(database), "the next trial is two seconds away"
        journals.append("journal", entry(number))
        assert told(database) == ""


WRITES: dict[str, Callable[[Store], object]] = {
    "a tap": lambda at: Journals(at).append("journal", entry(1)),
    "a phone": lambda at: Phones(at).issue(0),
    "a tick": lambda at: Journals(at).ticks.tick(GameId("g"), "pack", "dice"),
    "no snapshot": lambda at: Journals(at).snapshots.clear(),
}


@pytest.mark.parametrize("what", WRITES)
def test_every_kind_of_write_counts(database: Database, what: str) -> None:
    turn(database, "on")
    with pytest.raises(JournalFault):
        WRITES[what](database)
    assert told(database)


def test_what_is_no_failed_write_does_not_count(database: Database) -> None:
    journals = Journals(database)
    journals.append("journal", entry(1))
    with pytest.raises(exc.IntegrityError):
        journals.append("journal", entry(1))
    with pytest.raises(JournalFault), database.reading() as connection:
        connection.exec_driver_sql("SELECT nothing FROM nowhere")
    with pytest.raises(ZeroDivisionError), database.transaction():
        raise ZeroDivisionError
    assert told(database) == ""


def test_a_group_that_fails_while_each_alone_succeeds_does_not_count(
    database: Database,
) -> None:
    tried: list[int] = []

    def only_alone(connection: sa.Connection) -> None:
        tried.append(1)
        if len(tried) == 1:
            connection.exec_driver_sql("INSERT INTO nowhere VALUES (1)")
        connection.execute(schema.ticks.insert(), row)

    row = {"game_id": "g", "list": "pack", "step": "dice"}
    database._waiting.append(base._WaitingAct(lambda _: None))
    database.write(only_alone)
    assert len(tried) == 2
    assert told(database) == ""


@quick_on_both
@pytest.mark.usefixtures("at_once")
def test_what_failed_is_tried_again_itself_and_not_kept(database: Database) -> None:
    """Another row may find room where this one does not."""
    table = ["nowhere"]

    def act(connection: sa.Connection) -> None:
        row = "('g', 'pack', 'dice')"
        connection.exec_driver_sql(f"INSERT INTO {table[0]} VALUES {row}")

    with pytest.raises(JournalFault):
        database.write(act)
    for _ in range(3):
        assert "nowhere" in told(database)
    table[0] = "ticks"
    assert told(database) == ""
    assert Journals(database).ticks.done(GameId("g"), "pack") == frozenset()


@quick_on_both
@pytest.mark.usefixtures("at_once")
def test_what_failed_and_could_not_be_is_no_reason_to_go_on(database: Database) -> None:
    journals = Journals(database)
    journals.append("journal", entry(1))
    turn(database, "on")
    with pytest.raises(JournalFault):
        journals.append("journal", entry(1))
    assert told(database)
    turn(database, "off")
    assert told(database) == ""
    assert list(journals.entries("journal")) == [entry(1)]


@contextmanager
def kept_busy(database: Store) -> Iterator[None]:
    """Keep the database in another thread, as one that waits for a dead disk does."""
    has_begun, is_over = threading.Event(), threading.Event()

    def keep() -> None:
        with database.reading():
            has_begun.set()
            is_over.wait(PATIENCE_S)

    thread = threading.Thread(target=keep)
    thread.start()
    has_begun.wait(PATIENCE_S)
    yield
    is_over.set()
    thread.join()


@pytest.mark.usefixtures("at_once")
def test_who_asks_does_not_wait_for_a_thread_that_hangs(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "ANSWER_S", 0.01)
    turn(database, "on")
    with pytest.raises(JournalFault):
        Journals(database).append("journal", entry(1))
    turn(database, "off")
    with kept_busy(database):
        assert told(database)
        with pytest.raises(JournalFault, match="has not answered for"):
            database.answers()
    assert told(database) == ""
    assert database.answers()


@of_file
@pytest.mark.usefixtures("at_once")
def test_another_cause_takes_the_place_of_the_first(database: Database) -> None:
    with database.reading() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
    turn(database, "on")
    with pytest.raises(JournalFault):
        Journals(database).append("journal", entry(1))
    assert READ_ONLY in told(database)
    turn(database, "off")
    tell(database, f"PRAGMA max_page_count = {pages}")
    assert FULL in told(database), "what is tried needs more room than there is"
    assert "free some space" in found(database).remedy
    tell(database, "PRAGMA max_page_count = 100000")
    assert told(database) == ""


@of_file
@pytest.mark.parametrize(
    ("trouble", "cause", "remedy"),
    [
        ("is_full", FULL, "free some space"),
        ("is_broken", "the table's disk makes mistakes", "another disk"),
    ],
)
@pytest.mark.usefixtures("at_once")
def test_each_trouble_of_a_disk_has_its_own_words(
    tmp_path: Path, trouble: str, cause: str, remedy: str
) -> None:
    with Disk(tmp_path, random.Random(1)) as disk, closing(Database(tmp_path)) as base:
        setattr(disk, trouble, True)
        with pytest.raises(JournalFault) as caught:
            Journals(base).append("journal", entry(1))
        assert caught.value.cause == cause
        assert remedy in caught.value.remedy
        assert cause in told(base)
        setattr(disk, trouble, False)
        assert told(base) == ""


@of_file
def test_what_else_lies_beside_the_games_is_no_cause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root made a backup there, perhaps, or the table of before was kept."""
    theirs = tmp_path / "companion.zip"
    theirs.touch()
    monkeypatch.setattr(os, "access", lambda path, _: path != theirs)  # Not to root.
    with Disk(tmp_path, random.Random(1)) as disk, closing(Database(tmp_path)) as base:
        disk.is_broken = True
        with pytest.raises(JournalFault) as caught:
            Journals(base).append("journal", entry(1))
        assert caught.value.cause == "the table's disk makes mistakes"


@of_file
@pytest.mark.usefixtures("at_once")
def test_a_file_that_another_program_holds_is_said_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared = database_module._prepare

    def impatient(connection: sqlite3.Connection, record: object) -> None:
        prepared(connection, record)
        connection.execute("PRAGMA busy_timeout = 1")

    monkeypatch.setattr(database_module, "_prepare", impatient)
    with closing(Database(tmp_path)) as database:
        with closing(sqlite3.connect(database.path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(JournalFault) as caught:
                Journals(database).append("journal", entry(1))
            assert caught.value.cause == "another program holds the games"
            assert told(database)
        assert told(database) == ""
