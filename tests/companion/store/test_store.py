"""The file: opened only if it can be trusted, and never overwritten.

Damage is done to real files, a full disk is a real one where we may mount it
and SQLite's own page limit elsewhere, and the other process is another process.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from msgspec.structs import replace

from companion.errors import DeviceFault, JournalFault
from companion.game import commands as c
from companion.game.envelope import Envelope
from companion.game.journal import Entry
from companion.game.ledger import Reason
from companion.lock.events import SecretCode, VaultLocked
from companion.store import Database, Journals, Phones, Wish
from companion.store.database import FILE_NAME
from companion.store.journals import PAGE
from companion.table import build_table
from companion.units import POT, Account, Revision
from tests.companion.store.small_disk import small_disk
from tests.databases import ON_BOTH, of_file, quick_on_both
from tests.fakes import FakeClock
from tests.scene import pay, sitting

pytestmark = ON_BOTH

NOBODY = 65534


class Books:
    """A table on a directory, which can be shut and opened again."""

    def __init__(self, directory: Path) -> None:
        self.database = Database(directory)
        self.table = build_table(self.database, FakeClock()).service
        self.game = self.table.open_game("classic", "Friday", "command-open")

    def give(self, command: c.Command, command_id: str) -> int:
        return self.table.submit(self.game, Envelope(command, command_id)).revision

    def shut(self) -> None:
        self.table.close()
        self.database.close()


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A directory with a game of two seats and thirty payments."""
    books = Books(tmp_path)
    books.give(sitting("red"), "command-red")
    books.give(sitting("blue"), "command-blue")
    for number in range(30):
        books.give(pay("red", "blue", 1), f"command-{number}")
    books.shut()
    return tmp_path


def fingerprints(directory: Path) -> dict[str, str]:
    """Every file's hash, but those that only say who is here."""
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in directory.iterdir()
        if path.name not in ("companion.lock", f"{FILE_NAME}-shm")
        and (path.stat().st_size or not path.name.endswith("-wal"))
    }


def refused_untouched(directory: Path) -> str:
    """Open what must not be opened, and return what is said about it."""
    before = fingerprints(directory)
    with pytest.raises(JournalFault) as caught:
        Database(directory)
    assert fingerprints(directory) == before, "a file was changed by looking at it"
    text = str(caught.value)
    assert str(directory / FILE_NAME) in text
    assert ";" in text, "says what to do"
    return text


# What is no journal of ours.


def overwrite(path: Path, at: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(data)


DAMAGE: dict[str, Callable[[Path], object]] = {
    "not a database": lambda path: path.write_text("Dear diary,\n" * 500),
    "one letter": lambda path: path.write_text("x"),
    "header gone": lambda path: overwrite(path, 0, bytes(100)),
    "cut in half": lambda path: os.truncate(path, path.stat().st_size // 2),
    "last page gone": lambda path: os.truncate(path, path.stat().st_size - 4096),
    "cut in a page": lambda path: os.truncate(path, path.stat().st_size - 1000),
    "pages of noise": lambda path: overwrite(
        path, 4096, random.Random(7).randbytes(path.stat().st_size - 4096)
    ),
}


@of_file
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_refused_and_left_as_it_is(kept: Path, damage: str) -> None:
    DAMAGE[damage](kept / FILE_NAME)
    text = refused_untouched(kept)
    assert "restore a backup" in text
    refused_untouched(kept)  # And again: the first look left nothing behind.


@of_file
def test_a_folder_of_that_name_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).mkdir()
    with pytest.raises(JournalFault) as caught:
        Database(tmp_path)
    said = "is a folder, not a file; move it aside, or choose another with --data"
    assert str(caught.value) == f"journal {tmp_path / FILE_NAME} {said}"


@of_file
def test_flipped_bytes_are_read_or_named_and_nothing_else(kept: Path) -> None:
    draw = random.Random(6)
    whole = (kept / FILE_NAME).read_bytes()
    named: list[str] = []
    for _ in range(60):
        content = bytearray(whole)
        for _ in range(draw.randint(1, 40)):
            content[draw.randrange(len(content))] = draw.randrange(256)
        (kept / FILE_NAME).write_bytes(content)
        try:
            database = Database(kept)
            try:
                journals = Journals(database)
                for game in journals.games():
                    tuple(journals.entries(game.game_id))
            finally:
                database.close()
        except JournalFault as fault:
            named.append(str(fault))
        for path in kept.glob(f"{FILE_NAME}-*"):
            path.unlink()
    assert 10 < len(named) <= 60
    assert all("; nothing was changed; " in fault for fault in named)


@of_file
def test_somebody_elses_database_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE_NAME) as other:
        other.execute("CREATE TABLE recipes (title TEXT)")
        other.execute("INSERT INTO recipes VALUES ('Borscht')")
    other.close()
    assert "not a companion's" in refused_untouched(tmp_path)


@of_file
def test_a_database_that_only_looks_like_ours_is_refused(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE_NAME) as other:
        other.execute("CREATE TABLE about (colour TEXT)")
    other.close()
    refused_untouched(tmp_path)


@of_file
@pytest.mark.parametrize("schema", [3, 0, 99])
def test_another_schema_is_refused_and_left_as_it_is(kept: Path, schema: int) -> None:
    with sqlite3.connect(kept / FILE_NAME) as file:
        file.execute("UPDATE about SET schema = ?", (schema,))
    file.close()
    text = refused_untouched(kept)
    assert f"schema {schema}" in text
    assert "update the companion" in text


def test_an_empty_file_becomes_a_journal(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).touch()
    Books(tmp_path).shut()


@of_file
@pytest.mark.parametrize("name", ["a b", "50%", "what?", "na\u00efve", "#1", "a&b=c"])
def test_a_folder_may_have_any_name(tmp_path: Path, name: str) -> None:
    Books(tmp_path / name).shut()
    assert (tmp_path / name / FILE_NAME).stat().st_size > 0
    Books(tmp_path / name).shut()


@of_file
def test_an_unfinished_write_ahead_log_is_taken_in(kept: Path, tmp_path: Path) -> None:
    """What a power cut leaves: the log holds what the file has not got yet."""
    books = Books(kept)
    books.give(pay("red", "blue", 5), "command-last")
    copy = tmp_path / "copy"
    copy.mkdir()
    for path in kept.iterdir():
        if path.is_file() and not path.name.endswith("-shm"):
            (copy / path.name).write_bytes(path.read_bytes())
    books.shut()
    assert (copy / f"{FILE_NAME}-wal").stat().st_size > 0
    again = Books(copy)
    assert again.table.game(again.game).ledger[Account("red")] == 1_465
    again.shut()


# What is ours, but not whole.


def sql(directory: Path, statement: str, *values: object) -> None:
    with sqlite3.connect(directory / FILE_NAME) as file:
        file.execute(statement, values)
    file.close()


ENTRY_DAMAGE = {
    "missing": ("DELETE FROM entries WHERE revision = 7", "entry 7 is missing"),
    "first missing": ("DELETE FROM entries WHERE revision = 1", "entry 1 is missing"),
    "not JSON": (
        "UPDATE entries SET events = x'00ff' WHERE revision = 7",
        "entry 7 is unreadable",
    ),
    "unknown event": (
        """UPDATE entries SET events = '[{"type":"Cheated"}]' WHERE revision = 7""",
        "entry 7 is unreadable",
    ),
    "no event": (
        "UPDATE entries SET events = '[]' WHERE revision = 7",
        "entry 7 is unreadable",
    ),
    "impossible": (
        """UPDATE entries SET events = '[{"type":"MoneyMoved","payer":"red",
        "payee":"blue","amount":999999,"reason":"other"}]' WHERE revision = 7""",
        "entry 7",
    ),
    "nobody's money": (
        """UPDATE entries SET events = '[{"type":"MoneyMoved","payer":"eve",
        "payee":"blue","amount":1,"reason":"other"}]' WHERE revision = 7""",
        "entry 7",
    ),
    "undone twice": (
        """UPDATE entries SET events = '[{"type":"Undone","revision":2}]'
        WHERE revision = 7""",
        "entry 7",
    ),
}


@of_file
@pytest.mark.parametrize("damage", ENTRY_DAMAGE)
def test_a_game_with_a_bad_entry_is_refused_by_name_and_left_as_it_is(
    kept: Path, damage: str
) -> None:
    statement, said = ENTRY_DAMAGE[damage]
    sql(kept, statement)
    before = fingerprints(kept)
    database = Database(kept)
    table = build_table(database, FakeClock()).service
    (summary,) = table.games()
    for look in (
        lambda: table.game(summary.game_id),
        lambda: table.table_view(summary.game_id),
        lambda: table.submit(
            summary.game_id, Envelope(pay("red", "blue", 1), "command-after")
        ),
    ):
        with pytest.raises(JournalFault, match=said) as caught:
            look()
        assert str(kept / FILE_NAME) in str(caught.value)
        assert "restore a backup" in str(caught.value)
    other = table.open_game("classic", "Sunday", "command-other")
    assert table.game(other).name == "Sunday", "the other games can be played"
    database.close()
    sql(kept, "DELETE FROM entries WHERE journal = ?", other)
    sql(kept, "DELETE FROM journals WHERE journal = ?", other)
    assert before.keys() == fingerprints(kept).keys()


ROW_DAMAGE = [
    "requests SET wish = 'joIn'",
    "requests SET wish = x'6a6f696e'",
    "requests SET name = x'416e6e61'",
    "requests SET name = CAST(x'ff' AS TEXT)",
    "requests SET seat = x'726564'",
    "requests SET token = x'636174'",
    "requests SET phone = x'00'",
    "holdings SET seat = x'726564'",
    "holdings SET phone = x'00'",
    "phones SET phone = x'00'",
    "phones SET token_sha256 = x'00'",
    "phones SET expires_ms = 'soon'",
]


@of_file
@pytest.mark.parametrize("damage", ROW_DAMAGE)
def test_a_flipped_bit_in_what_is_known_of_phones_is_named_as_damage(
    kept: Path, damage: str
) -> None:
    database = Database(kept)
    (game,), phones = Journals(database).games(), Phones(database)
    one, other = phones.issue(0)[0], phones.issue(0)[0]
    phones.hold(game.game_id, "red", one.phone)
    phones.ask(game.game_id, other, Wish.JOIN, "blue", "Anna", "hat", "")
    database.close()
    row = "WHERE rowid = (SELECT max(rowid) FROM"
    sql(kept, f"UPDATE {damage} {row} {damage.split()[0]})")
    before = fingerprints(kept)
    database = Database(kept)
    with pytest.raises(JournalFault, match=f"in table {damage.split()[0]}: ") as caught:
        Phones(database)
    database.close()
    assert fingerprints(kept) == before
    assert f"journal {kept / FILE_NAME} is damaged: " in str(caught.value)
    assert "restore a backup" in str(caught.value)


def test_entries_are_read_page_by_page_and_each_once(tmp_path: Path) -> None:
    books = Books(tmp_path)
    books.give(sitting("red"), "command-red")
    journals = Journals(books.database)
    entry = next(journals.entries(books.game, after=1))
    for revision in range(3, PAGE * 2 + 2):
        again = Revision(revision), f"command-{revision}", "red", entry.at_ms
        journals.append(books.game, Entry(*again, entry.events))
    read = [entry.revision for entry in journals.entries(books.game)]
    assert read == list(range(1, PAGE * 2 + 2))
    assert [x.revision for x in journals.entries(books.game, 5, 8)] == [6, 7, 8]
    assert list(journals.entries(books.game, 5, 5)) == []
    assert list(journals.entries("no-such-game")) == []
    sql_count = f"DELETE FROM entries WHERE revision = {PAGE + 1}"
    with books.database.transaction() as connection:
        connection.exec_driver_sql(sql_count)
    with pytest.raises(JournalFault, match=f"entry {PAGE + 1} is missing"):
        list(journals.entries(books.game))
    books.shut()


@quick_on_both
def test_a_taken_revision_or_command_id_is_never_written_over(kept: Path) -> None:
    books = Books(kept)
    journals = Journals(books.database)
    entries = tuple(journals.entries(books.game))
    with pytest.raises(sa.exc.IntegrityError):
        journals.append(books.game, entries[4])
    late = replace(entries[4], revision=Revision(entries[-1].revision + 1))
    with pytest.raises(sa.exc.IntegrityError):
        journals.append(books.game, late)
    assert tuple(journals.entries(books.game)) == entries
    books.shut()


# Who else is there.


@of_file
def test_another_process_on_the_same_folder_is_refused(kept: Path) -> None:
    script = """
        import sys
        from pathlib import Path
        from companion.errors import DeviceFault
        from companion.store import Database
        try:
            Database(Path(sys.argv[1]))
        except DeviceFault as fault:
            print(fault)
        """
    command = [sys.executable, "-c", textwrap.dedent(script), str(kept)]

    def other() -> str:
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        return done.stdout

    books = Books(kept)
    said = other()
    assert str(kept) in said
    assert "another companion" in said
    assert "--data" in said
    books.give(pay("red", "blue", 1), "command-still-here")
    books.shut()
    assert other() == ""


def test_the_same_process_is_refused_twice_and_let_in_after_closing(
    kept: Path,
) -> None:
    books = Books(kept)
    with pytest.raises(DeviceFault):
        Database(kept)
    books.shut()
    books.shut()
    Books(kept).shut()


@of_file
@pytest.mark.parametrize("directory", ["/proc/games", "/dev/null/games"])
def test_a_folder_that_cannot_be_written_is_said_with_its_name(directory: str) -> None:
    with pytest.raises(DeviceFault) as caught:
        Database(Path(directory))
    assert directory in str(caught.value)
    assert "--data" in str(caught.value)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_said_with_its_name(kept: Path) -> None:
    kept.chmod(0o500)
    try:
        with pytest.raises(DeviceFault, match="--data"):
            Database(kept)
    finally:
        kept.chmod(0o700)


# Who may read it.


def modes(directory: Path) -> dict[str, str]:
    """What others may do with the folder and each of our files."""
    paths = (directory, *directory.glob("companion.*"))
    return {path.name: f"{path.stat().st_mode & 0o777:o}" for path in paths}


@of_file
def test_only_its_owner_can_read_a_folder_and_its_files(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        books = Books(tmp_path / "data")
        books.give(sitting("red"), "command-red")
    finally:
        os.umask(before)
    found = modes(tmp_path / "data")
    assert {FILE_NAME, f"{FILE_NAME}-wal", f"{FILE_NAME}-shm"} < set(found)
    assert found.pop("data") == "700"
    assert set(found.values()) == {"600"}
    assert books.database.open_to_others == ()
    books.shut()


@of_file
def test_a_folder_that_others_could_read_is_closed_to_them(
    kept: Path, tmp_path: Path
) -> None:
    books = Books(kept)  # Its log is there when the next one opens a copy.
    copy = tmp_path / "copy"
    copy.mkdir()
    for path in kept.glob("companion.*"):
        (copy / path.name).write_bytes(path.read_bytes())
    books.shut()
    (copy / "editions").mkdir()
    for path in (copy, *copy.iterdir()):
        path.chmod(0o755 if path.is_dir() else 0o644)
    again = Books(copy)
    found = modes(copy)
    assert found.pop("copy") == "700"
    assert set(found.values()) == {"600"}
    assert len(found) == 4
    again.shut()


@of_file
def test_a_folder_that_holds_other_things_stays_as_open_as_it_is(
    tmp_path: Path,
) -> None:
    """Such as a home folder; also when our files are there from the start before."""
    (tmp_path / ".profile").touch(0o644)
    tmp_path.chmod(0o755)
    for _ in range(2):
        books = Books(tmp_path)
        found = modes(tmp_path)
        assert found.pop(tmp_path.name) == "755"
        assert set(found.values()) == {"600"}
        assert books.database.open_to_others == (tmp_path,)
        books.shut()
    assert (tmp_path / ".profile").stat().st_mode & 0o777 == 0o644


@of_file
@pytest.mark.parametrize("mode", [0o755, 0o2775])
def test_an_empty_folder_is_closed_and_keeps_the_bit_for_its_group(
    tmp_path: Path, mode: int
) -> None:
    tmp_path.chmod(mode)
    books = Books(tmp_path)
    assert tmp_path.stat().st_mode & 0o7777 == mode & 0o7700
    assert books.database.open_to_others == ()
    books.shut()


@of_file
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize("mode", [0o777, 0o1777])
def test_a_folder_of_somebody_elses_is_played_from_and_said_to_be_open(
    kept: Path, mode: int
) -> None:
    Books(kept).shut()  # Nobody may import; what is needed is here by then.
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        folder.chmod(mode)
        try:
            os.seteuid(NOBODY)
            books = Books(folder)
            assert books.database.open_to_others == (folder,)
            books.give(sitting("red"), "command-red")
            books.shut()
        finally:
            os.seteuid(0)
            importlib.invalidate_caches()
        assert set(modes(folder).values()) == {f"{mode & 0o777:o}", "600"}


@of_file
def test_a_folder_that_all_share_stays_shared(tmp_path: Path) -> None:
    """Such as /tmp: who closes that breaks the machine."""
    tmp_path.chmod(0o1777)
    books = Books(tmp_path)
    assert books.database.open_to_others == (tmp_path,)
    assert modes(tmp_path)[FILE_NAME] == "600"
    books.shut()


@of_file
@pytest.mark.slow
def test_the_file_answers_while_another_program_writes_until_it_is_closed(
    kept: Path,
) -> None:
    database = Database(kept)
    before = fingerprints(kept)
    assert database.answers()
    assert fingerprints(kept) == before
    other = sqlite3.connect(kept / FILE_NAME, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert database.answers()
    with pytest.raises(JournalFault, match="locked"), database.transaction():
        pass
    assert database.answers()
    other.close()
    database.check_last_write()
    database.close()
    with pytest.raises(JournalFault, match="closed"):
        database.answers()


# A full disk.


def fill_by_page_limit(books: Books) -> Callable[[], object]:
    """Let SQLite say that the disk is full; return the way to make room."""

    def limit(pages: int) -> None:
        with books.database._engine.connect() as connection:
            dbapi = connection.connection.dbapi_connection
            assert dbapi is not None
            dbapi.cursor().execute(f"PRAGMA max_page_count = {pages}")

    limit(1)  # SQLite takes it as "no more than there are".
    return lambda: limit(1_000_000)


def check_full_disk(books: Books, fill: Callable[[], Callable[[], object]]) -> None:
    """Pay until the disk is full, look around, make room, and pay again."""
    books.give(sitting("red"), "command-red")
    books.give(sitting("blue"), "command-blue")
    make_room = fill()
    with pytest.raises(JournalFault) as caught:
        pay_on(books, "before")
    text = str(caught.value)
    assert str(books.database.path) in text
    assert "full" in text
    assert "free some space" in text
    full = books.table.table_view(books.game)
    assert full.lines
    assert books.table.history(books.game, count=10)
    assert sum(books.table.game(books.game).ledger[a] for a in _accounts(books)) == 0
    with pytest.raises(JournalFault):
        pay_on(books, "again")
    assert books.database.answers()  # A full disk is no reason to start again.
    refused_at = books.table.table_view(books.game).revision
    make_room()
    repeated = Envelope(pay("red", "blue", 1), "command-after-all")
    receipt = books.table.submit(books.game, repeated)
    assert (receipt.revision, receipt.is_repeat) == (refused_at + 1, False)
    assert books.table.submit(books.game, repeated).is_repeat
    live = books.table.game(books.game)
    directory = books.database.path.parent
    books.shut()
    again_books = Books(directory)
    assert again_books.table.game(again_books.game) == live
    again_books.shut()


def pay_on(books: Books, word: str) -> None:
    """Pay to and fro until somebody stops it."""
    for number in range(10_000):
        books.give(pay("red", "blue", 1), f"command-{word}-{number}")
        books.give(pay("blue", "red", 1), f"command-{word}-back-{number}")


def _accounts(books: Books) -> Iterator[Account]:
    yield from books.table.game(books.game).ledger


@of_file
def test_a_full_file_refuses_the_tap_and_plays_on_when_there_is_room(
    tmp_path: Path,
) -> None:
    books = Books(tmp_path)
    check_full_disk(books, lambda: fill_by_page_limit(books))


@of_file
def test_a_full_disk_refuses_the_tap_and_plays_on_when_there_is_room(
    tmp_path: Path,
) -> None:
    with small_disk(tmp_path / "disk", "512k") as disk:
        books = Books(disk / "games")

        def fill() -> Callable[[], object]:
            ballast = disk / "ballast"
            with ballast.open("wb", buffering=0) as file:
                try:
                    while file.write(bytes(4096)):
                        pass
                except OSError:
                    pass
            return ballast.unlink

        check_full_disk(books, fill)


# Secrets and durability.


@of_file
def test_the_code_is_in_no_error_of_the_store(kept: Path) -> None:
    books = Books(kept)
    journals = Journals(books.database)
    entry = next(journals.entries(books.game))
    locked = replace(entry, events=(VaultLocked(code=SecretCode(4), number=1),))
    with pytest.raises(sa.exc.IntegrityError) as caught:
        journals.append(books.game, locked)
    shown = f"{caught.value} {caught.value!r} {locked!r} {locked}"
    assert "[4]" not in shown
    assert "VaultLocked(code=SecretCode(hidden)" in shown
    fill_by_page_limit(books)
    with pytest.raises(JournalFault) as full:
        lock_on(journals, locked)
    assert "[4]" not in f"{full.value} {full.value!r} {full.value.__cause__!r}"
    books.shut()


def lock_on(journals: Journals, entry: Entry) -> None:
    """Write the entry's events down until somebody stops it."""
    for number in range(1, 10_000):
        command_id = f"command-x-{number}"
        more = replace(entry, revision=Revision(number), command_id=command_id)
        journals.append("vault", replace(more, events=entry.events * 50))


@of_file
def test_every_commit_is_synced_to_the_disk(kept: Path) -> None:
    database = Database(kept)
    with database.transaction() as connection:
        pragma = connection.exec_driver_sql
        assert pragma("PRAGMA journal_mode").scalar() == "wal"
        assert pragma("PRAGMA synchronous").scalar() == 2
        assert pragma("PRAGMA foreign_keys").scalar() == 1
    database.close()


@quick_on_both
def test_a_failed_transaction_leaves_nothing_behind(kept: Path) -> None:
    books = Books(kept)

    def fail(connection: sa.Connection) -> None:
        connection.exec_driver_sql("DELETE FROM entries")
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError), books.database.transaction() as connection:
        fail(connection)
    assert books.give(pay("red", "pot", 1), "command-next") == 34
    assert books.table.game(books.game).ledger[POT] == 1
    books.shut()


@of_file
def test_reasons_are_written_in_words(kept: Path) -> None:
    books = Books(kept)
    books.give(pay("red", "blue", 7, reason=Reason.RENT), "command-rent")
    books.shut()
    with sqlite3.connect(kept / FILE_NAME) as file:
        (text,) = file.execute(
            "SELECT events FROM entries WHERE command_id = 'command-rent'"
        ).fetchone()
    file.close()
    assert b'"reason":"rent"' in text


# Which table this is.


def test_each_table_has_an_id_that_it_keeps(tmp_path: Path) -> None:
    """Phones tell tables apart by it, so it outlives a restart."""
    ids = []
    for folder in ("here", "there", "here"):
        database = Database(tmp_path / folder)
        ids.append(Phones(database).table_id)
        database.close()
    here, there, again = ids
    assert here == again != there
    assert all(re.fullmatch("[0-9a-f]{8}", one) for one in ids)


def test_a_table_from_before_ids_gets_one_and_stays_readable(kept: Path) -> None:
    with sqlite3.connect(kept / FILE_NAME) as file:
        file.execute("PRAGMA user_version = 0")
    ids = []
    for _ in range(2):
        database = Database(kept)
        ids.append(Phones(database).table_id)
        database.close()
    assert ids[0] == ids[1] != "00000000"


@pytest.mark.parametrize("number", [-1, 2**31 - 1, -(2**31)])
def test_whatever_number_a_strangers_file_has_is_an_id(kept: Path, number: int) -> None:
    with sqlite3.connect(kept / FILE_NAME) as file:
        file.execute(f"PRAGMA user_version = {number}")
    database = Database(kept)
    assert re.fullmatch("[0-9a-f]{8}", Phones(database).table_id)
    database.close()
