"""What the decoder saw: kept with its game, within bounds, gone with it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from companion.game import commands as c
from companion.game.envelope import Envelope
from companion.store import Database, back_up, restore
from companion.store import pictures as module
from companion.store.database import FILE_NAME
from companion.store.journals import Journals
from companion.table import TableService, build_table
from companion.units import GameId, Revision
from tests.databases import ON_BOTH, of_file
from tests.fakes import FakeClock

pytestmark = ON_BOTH

SEEN, HIDDEN = b"\xff\xd8seen", b"\xff\xd8hidden"
BOTH = {"seen": SEEN, "hidden": HIDDEN}
ONE, TWO = Revision(1), Revision(2)


def opened(database: Database, name: str = "Friday") -> tuple[TableService, GameId]:
    table = build_table(database, FakeClock()).service
    return table, table.open_game("crooked-cash", name, f"command-{name}")


def test_they_are_there_after_a_restart(tmp_path: Path) -> None:
    with closing(Database(tmp_path)) as database:
        table, game = opened(database)
        database.write(table.pictures.keeping(game, TWO, BOTH))
    with closing(Database(tmp_path)) as database:
        pictures = Journals(database).pictures
        assert pictures.revisions(game) == {TWO}
        assert pictures.picture(game, 2, "seen") == SEEN
        assert pictures.picture(game, 2, "hidden") == HIDDEN
        assert pictures.picture(game, 2, "face") is None
        assert pictures.picture(game, 1, "seen") is None
        assert pictures.picture(GameId("another"), 2, "seen") is None


def test_a_game_keeps_those_of_its_latest_challenges(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CHALLENGES_MAX", 3)
    with closing(Database(tmp_path)) as database:
        table, game = opened(database)
        _, other = opened(database, "Saturday")
        database.write(table.pictures.keeping(other, ONE, BOTH))
        for revision in range(1, 7):
            database.write(table.pictures.keeping(game, Revision(revision), BOTH))
        assert table.pictures.revisions(game) == {4, 5, 6}
        assert table.pictures.picture(game, 3, "hidden") is None
        assert table.pictures.revisions(other) == {1}, "another game's went"


def test_a_game_keeps_no_more_bytes_than_it_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BYTES_MAX", 1_000)
    with closing(Database(tmp_path)) as database:
        table, game = opened(database)
        for revision in range(1, 5):
            database.write(
                table.pictures.keeping(
                    game, Revision(revision), {"seen": bytes(200), "hidden": bytes(250)}
                )
            )
        assert table.pictures.revisions(game) == {3, 4}
        database.write(
            table.pictures.keeping(game, Revision(5), {"seen": bytes(1_001)})
        )
        assert table.pictures.revisions(game) == frozenset()


def test_they_go_with_their_game(tmp_path: Path) -> None:
    with closing(Database(tmp_path)) as database:
        table, game = opened(database)
        _, other = opened(database, "Saturday")
        for one in (game, other):
            database.write(table.pictures.keeping(one, ONE, BOTH))
        table.submit(game, Envelope(c.CloseGame(by=c.TABLE), "command-close"))
        assert table.pictures.revisions(game) == {1}, "put away is not thrown away"
        table.remove_game(game)
        assert table.pictures.revisions(game) == frozenset()
        assert table.pictures.revisions(other) == {1}


def test_a_backup_has_them(tmp_path: Path) -> None:
    with closing(Database(tmp_path / "kept")) as database:
        table, game = opened(database)
        database.write(table.pictures.keeping(game, ONE, BOTH))
        back_up(database, tmp_path / "evening.zip", "1.2.3")
    with (tmp_path / "evening.zip").open("rb") as file:
        (tmp_path / "other").mkdir()
        restore(file, tmp_path / "other", may_replace=False)
    with closing(Database(tmp_path / "other")) as database:
        assert Journals(database).pictures.picture(game, 1, "hidden") == HIDDEN


@of_file
def test_a_file_of_before_there_were_any_is_played_from(tmp_path: Path) -> None:
    with closing(Database(tmp_path)) as database:
        _, game = opened(database)
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as file, file:
        file.execute("DROP TABLE pictures")
        file.execute("UPDATE about SET schema = 1")
    for kept in ({ONE}, {ONE, TWO}):
        with closing(Database(tmp_path)) as database:
            assert database.answers()
            table, found = opened(database)
            assert found == game
            database.write(table.pictures.keeping(game, max(kept), BOTH))
            assert table.pictures.revisions(game) == kept


def keep_on(directory: Path, game: GameId, told: Connection) -> None:
    """Keep pictures, and say of each that they are kept, until killed."""
    database = Database(directory)
    pictures = Journals(database).pictures
    for revision in range(max(pictures.revisions(game), default=0) + 1, 1_000_000):
        database.write(
            pictures.keeping(
                game, Revision(revision), {"seen": b"%d" % revision * 9_000, **BOTH}
            )
        )
        told.send(revision)


def test_killed_at_any_moment_what_was_kept_is_whole(tmp_path: Path) -> None:
    with closing(Database(tmp_path)) as database:
        _, game = opened(database)
    for rounds in range(3):
        ours, theirs = multiprocessing.Pipe(duplex=False)
        context = multiprocessing.get_context("fork")
        child = context.Process(target=keep_on, args=(tmp_path, game, theirs))
        child.start()
        theirs.close()
        for _ in range(5 + 7 * rounds):
            promised = ours.recv()
        assert child.pid is not None
        os.kill(child.pid, signal.SIGKILL)
        child.join()
        while ours.poll():
            try:
                promised = ours.recv()
            except EOFError:
                break
        with closing(Database(tmp_path)) as database:
            pictures = Journals(database).pictures
            kept = pictures.revisions(game)
            assert promised in kept
            for revision in kept:
                names = [
                    pictures.picture(game, revision, name) is not None
                    for name in ("seen", "hidden")
                ]
                assert all(names), f"half of {revision} was kept"
