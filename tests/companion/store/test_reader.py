"""Games are read beside a table: of one moment, without a trace, in nobody's way."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli import main
from companion.errors import DeviceFault, JournalFault
from companion.game.envelope import Envelope
from companion.health import Condition
from companion.store import Database, Journals, Store, swap
from companion.store.books import look_at_books
from companion.store.database import FILE_NAME
from companion.store.reader import NoGames, is_served, reading_beside
from companion.table import TableService, build_table
from companion.units import GameId
from tests.companion.store.test_backup import furnish, known, spoil
from tests.databases import ON_BOTH, of_file, quick_on_both
from tests.fakes import FakeClock
from tests.running import RunningTable
from tests.sample import each
from tests.scene import pay, sitting

pytestmark = ON_BOTH


def companion(*words: str) -> Result:
    return CliRunner().invoke(main, [*words], env={"COMPANION_DATA": ""})


def commands(data: Path, game: str) -> dict[str, Result]:
    """Run every command that only reads, but the doctor's."""
    own = ("--data", str(data))
    file = data.with_name(f"{data.name}.zip")
    return {
        "list": companion("games", "list", *own),
        "export": companion("games", "export", game, *own),
        "backup": companion("backup", str(file), "--force", *own),
        "box": companion("edition", "export", "classic", *own),
        "own box": companion("edition", "export", game, *own),
    }


def seen(folder: Path) -> dict[str, object]:
    """Everything that can be seen of a folder, but which locks SQLite noted there."""
    found: dict[str, object] = {}
    for path in (folder, *folder.rglob("*")):
        s = path.stat()
        is_index = path.name.endswith("-shm")
        found[str(path)] = (
            *(s.st_mode, s.st_uid, s.st_gid, s.st_ino, s.st_nlink),
            s.st_size if is_index else s.st_mtime_ns,
            path.read_bytes() if path.is_file() and not is_index else b"",
        )
    return found


def game_in(data: Path) -> str:
    with closing(sqlite3.connect(data / FILE_NAME)) as file:
        return str(file.execute("SELECT journal FROM journals").fetchone()[0])


def rested(folder: Path) -> Path:
    return furnish(folder)


def killed(folder: Path) -> Path:
    """Games whose last payment is only in the log."""
    live = furnish(folder.with_name("live"))
    with closing(Database(live)) as database:
        table = build_table(database, FakeClock()).service
        game = table.games()[0].game_id
        table.submit(game, Envelope(pay("red", "blue", 7), "command-late"))
        shutil.copytree(live, folder)
        table.close()
    assert (folder / f"{FILE_NAME}-wal").stat().st_size
    (folder / f"{FILE_NAME}-shm").unlink()  # The disk may not have it yet.
    return folder


@of_file
@pytest.mark.parametrize("games", [rested, killed])
def test_what_only_reads_leaves_no_trace(
    tmp_path: Path, games: Callable[[Path], Path]
) -> None:
    data = games(tmp_path / "data")
    game = game_in(data) if games is rested else game_in(tmp_path / "live")
    before = seen(data)
    done = commands(data, game)
    assert look_at_books(data).condition is Condition.OK
    assert seen(data) == before
    assert {x.exit_code for x in done.values()} == {0}, done
    assert done["list"].output == f"{game}  open    classic        Friday\n"
    late = "command-late" in done["export"].output
    assert late is (games is killed)
    other = tmp_path / "other"
    assert companion("restore", f"{data}.zip", "--data", str(other)).exit_code == 0
    assert known(other) == known(data)


@of_file
def test_where_there_are_no_games_all_say_so_and_make_none(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    for data in (empty, tmp_path / "missing" / "deeper"):
        before = seen(tmp_path)
        done, none = commands(data, "c5bcf289f96e"), f"no games in {data} yet"
        assert look_at_books(data).words == none
        assert seen(tmp_path) == before
        for name in ("list", "export", "backup"):
            assert done[name].exit_code == 1
            assert f"Error: {none}; begin one" in done[name].output
        assert "expected an edition or a game" in done["own box"].output
        assert "All of this is as in classic" in done["box"].output
    Database(empty).close()
    assert f"no games in {empty} yet" in commands(empty, "x")["list"].output


@of_file
def test_a_restore_that_is_half_done_is_left_so_and_named(tmp_path: Path) -> None:
    data = furnish(tmp_path / "data")
    game = game_in(data)
    new = swap.prepare(data)
    shutil.copy(data / FILE_NAME, new)
    swap.decide(data)
    for is_moved in (False, True):
        if is_moved:
            (data / FILE_NAME).rename(data / swap.DECIDED / swap.OLD / FILE_NAME)
        before = seen(data)
        for name, done in commands(data, game).items():
            assert done.exit_code == 1, name
            assert "got a restore that is half done; start the table" in done.output
        found = look_at_books(data)
        assert found.condition is Condition.FAIL
        assert "start the table" in found.remedy
        assert seen(data) == before
    with closing(Database(data)):
        pass
    assert companion("games", "list", "--data", str(data)).exit_code == 0


def friday(data: Path) -> tuple[Store, TableService, GameId]:
    """A table with a game, in whatever database keeps it."""
    database = Database(data)
    table = build_table(database, FakeClock()).service
    game = table.open_game("classic", "Friday", "command-friday")
    for seat in ("red", "blue"):
        table.submit(game, Envelope(sitting(seat), f"command-{seat}"))
    return database, table, game


@quick_on_both
def test_all_that_is_read_is_of_one_moment(tmp_path: Path) -> None:
    data = tmp_path / "data"
    database, table, game = friday(data)
    with closing(database), closing(table):
        with reading_beside(data) as reader:
            journals = Journals(reader)
            assert journals.changes == 0
            kept = tuple(journals.entries(game, until=3))
            table.submit(game, Envelope(pay("red", "blue", 7), "command-late"))
            table.open_game("classic", "Sunday", "command-sunday")
            Journals(database).remove(game, "heir", ())
            assert [x.title for x in journals.games()] == ["Friday"]
            whole = tuple(journals.entries(game))
            assert whole[:3] == kept
            assert "command-late" not in {entry.command_id for entry in whole}
            assert journals.replayed(game).revision == len(whole)
            reader.copy_to(tmp_path / "copy.sqlite")
            assert reader.table_id == database.table_id
            with pytest.raises(AssertionError, match="to read only"):
                journals.append(game, whole[0])
        with reading_beside(data) as reader:
            assert [x.title for x in Journals(reader).games()] == ["Sunday"]
    with closing(sqlite3.connect(tmp_path / "copy.sqlite")) as copy:
        (count,) = copy.execute("SELECT count(*) FROM entries").fetchone()
        assert count == len(whole)


@quick_on_both
def test_an_older_companions_games_are_read_and_a_newer_ones_refused(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    database, table, game = friday(data)
    with closing(database), closing(table), database.transaction() as connection:
        for words in ("DROP TABLE snapshots", "DROP TABLE pictures"):
            connection.exec_driver_sql(words)
        connection.exec_driver_sql("UPDATE about SET schema = 1")
    with reading_beside(data) as reader:
        journals = Journals(reader)
        assert journals.replayed(game).revision == 3
        reader.copy_to(tmp_path / "copy.sqlite")
        with pytest.raises(JournalFault, match="could not be read: "):
            journals.pictures.revisions(game)
        assert [x.game_id for x in journals.games()] == [game]
    with closing(Database(data)) as database, database.transaction() as connection:
        connection.exec_driver_sql("UPDATE about SET schema = 3")
    with pytest.raises(JournalFault, match="has schema 3; this companion knows"):
        reading_beside(data).__enter__()


@each(
    ("sql", "words"),
    [
        ("DROP TABLE about", "its tables are not a companion's; "),
        ("UPDATE about SET schema = 9", "has schema 9; .*update the companion"),
    ],
)
@of_file
def test_a_file_that_is_not_ours_is_refused(
    tmp_path: Path, sql: str, words: str
) -> None:
    data = tmp_path / sql.split()[0]
    Database(data).close()
    with closing(sqlite3.connect(data / FILE_NAME)) as file, file:
        file.execute(sql)
    with pytest.raises(JournalFault, match=words), reading_beside(data):
        pass


@of_file
def test_a_damaged_game_is_named_by_a_backup_beside_it(tmp_path: Path) -> None:
    data = furnish(tmp_path / "data")
    spoil(data)
    done = companion("backup", str(tmp_path / "a.zip"), "--data", str(data))
    assert done.exit_code == 0
    assert f"game {game_in(data)} is damaged, and kept as it is\n" in done.output


@of_file
def test_without_room_for_a_copy_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = furnish(tmp_path / "data")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    done = companion("games", "list", "--data", str(data))
    assert done.exit_code == 1
    assert "cannot be read: No such file" in done.output
    assert "temporary files have room" in done.output


@of_file
def test_who_asks_whether_a_table_runs_keeps_none_from_starting(tmp_path: Path) -> None:
    Database(tmp_path).close()
    is_over = threading.Event()

    def ask() -> None:
        while not is_over.is_set():
            is_served(tmp_path)

    asking = [threading.Thread(target=ask) for _ in range(2)]
    for thread in asking:
        thread.start()
    try:
        for _ in range(10):
            with closing(Database(tmp_path)):
                assert is_served(tmp_path)
                with pytest.raises(DeviceFault, match="open in another companion"):
                    Database(tmp_path)
    finally:
        is_over.set()
        for thread in asking:
            thread.join()


@of_file
def test_a_table_that_starts_while_it_is_copied_is_read_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its log is made, and has a game, between the copying of file and log."""
    data, copyfile, ending = furnish(tmp_path / "data"), shutil.copyfile, []

    def start(source: Path, target: Path) -> None:
        copyfile(source, target)
        if not ending:
            ending.append(Database(data))
            table = build_table(ending[0], FakeClock()).service
            ending.append(table)
            table.open_game("classic", "Sunday", "command-sunday")

    monkeypatch.setattr(shutil, "copyfile", start)
    with reading_beside(data) as reader:
        titles = {game.title for game in Journals(reader).games()}
    assert titles == {"Friday", "Sunday"}
    for one in reversed(ending):
        one.close()


@pytest.mark.slow
@of_file
def test_tables_start_and_stop_while_one_reads(tmp_path: Path) -> None:
    """Each in its own process, since SQLite knows what else a process has open."""
    data = furnish(tmp_path / "data")
    shutil.rmtree(data / "decks")  # No thread reads one while the table ends.
    game = GameId(game_in(data))
    with reading_beside(data) as reader:
        before = tuple(Journals(reader).entries(game))
        with RunningTable(data, vault="--no-vault") as table:
            with reading_beside(data) as beside:
                names = {path.name for path in data.iterdir()}
                assert tuple(Journals(beside).entries(game)) == before
                assert table.stop() == 0
                assert tuple(Journals(beside).entries(game)) == before
                with RunningTable(data, vault="--no-vault") as again:
                    assert tuple(Journals(beside).entries(game)) == before
                    assert again.stop() == 0
            assert names == {path.name for path in data.iterdir()}
        assert tuple(Journals(reader).entries(game)) == before
    with closing(Database(data)) as database:
        assert tuple(Journals(database).entries(game)) == before


def test_nowhere_is_no_place(tmp_path: Path) -> None:
    with pytest.raises(NoGames, match="no games in "), reading_beside(tmp_path / "x"):
        pass
