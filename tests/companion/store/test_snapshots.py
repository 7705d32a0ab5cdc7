"""A long game opens where it stood lately, and is what all its entries make it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn

import pytest
from click.testing import CliRunner
from sqlalchemy import event

from cli import main
from companion.errors import DamagedGame, JournalFault, Malformed
from companion.game import commands as c
from companion.game.envelope import Envelope
from companion.game.journal import EVERY, WINDOW
from companion.health import Condition
from companion.store import Database, Journals, back_up, backup, restore, snapshots
from companion.store import journals as store
from companion.store.books import look_at_books
from companion.store.database import FILE_NAME
from companion.table import TableService, build_table
from companion.units import GameId
from tests.databases import ON_BOTH, of_file
from tests.fakes import FakeClock
from tests.long_game import OPENING, POORER, damage, long_game
from tests.scene import pay

pytestmark = ON_BOTH

LONG = EVERY + 500


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A folder with a long game that was opened once."""
    with closing(Database(tmp_path)) as database:
        game = long_game(Journals(database), LONG)
        build_table(database, FakeClock()).service.game(game)
    return tmp_path


@pytest.fixture
def database(kept: Path) -> Iterator[Database]:
    """That folder, opened again."""
    with closing(Database(kept)) as opened:
        yield opened


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Every entry that was read from the disk."""
    texts: list[bytes] = []
    read = store.events_from_json

    def reading(text: bytes) -> tuple[object, ...]:
        texts.append(text)
        return read(text)

    monkeypatch.setattr(store, "events_from_json", reading)
    return texts


def table_of(database: Database) -> tuple[TableService, GameId]:
    table = build_table(database, FakeClock()).service
    return table, table.games()[0].game_id


def sql(path: Path, statement: str, *values: object) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path / FILE_NAME)) as file, file:
        return file.execute(statement, values).fetchall()


def snapshot_revisions(path: Path) -> list[object]:
    return [row[0] for row in sql(path, "SELECT revision FROM snapshots")]


def check(database: Database) -> None:
    """Assert that the game is the one that all of its entries make."""
    table, game = table_of(database)
    whole = Journals(database).replayed(game)
    assert table.game(game) == whole.game
    assert table.undone(game) == (whole.revision, whole.undone)
    assert table.names(game)(whole.revision) == {
        **table.names(game)(0),
        **whole.sitters.at(whole.revision),
    }


def test_a_long_game_opens_by_its_latest_entries(
    database: Database, decoded: list[bytes]
) -> None:
    table, game = table_of(database)
    view = table.seat_view(game, "red")
    assert view.table.revision == LONG
    assert 0 < len(decoded) <= EVERY + WINDOW
    assert len(table.history(game, before=20)) == 19
    check(database)


def test_a_tap_of_long_ago_is_still_known(database: Database) -> None:
    table, game = table_of(database)
    first = Envelope(pay("red", "blue", 1), "command-000005")
    for _ in range(2):
        receipt = table.submit(game, first)
        assert (receipt.revision, receipt.is_repeat) == (5, True)
    assert table.open_game("classic", "Friday", OPENING) == game
    assert table.revision(game) == LONG


@of_file
@pytest.mark.slow
def test_a_game_that_goes_on_has_one_snapshot_and_the_latest(
    kept: Path, database: Database
) -> None:
    (before,) = snapshot_revisions(kept)
    table, game = table_of(database)
    table.play_back(game)  # Until then the first one is kept.
    for number in range(EVERY - LONG % EVERY + WINDOW):
        table.submit(game, Envelope(pay("red", "blue", 1), f"command-new-{number}"))
    (after,) = snapshot_revisions(kept)
    assert (before, after) == (LONG // EVERY * EVERY, (LONG // EVERY + 1) * EVERY)
    table.submit(game, Envelope(c.Undo(by=c.TABLE), "command-undo"))
    check(database)


@of_file
def test_a_short_game_has_none(tmp_path: Path) -> None:
    with closing(Database(tmp_path)) as database:
        game = long_game(Journals(database), EVERY + WINDOW - 1)
        build_table(database, FakeClock()).service.game(game)
    assert snapshot_revisions(tmp_path) == []


SPOILT = {
    "emptied": "DELETE FROM snapshots",
    "another digest": "UPDATE snapshots SET digest = x'00'",
    "another content": "UPDATE snapshots SET content = replace(content, '15', '16')",
    "another revision": "UPDATE snapshots SET revision = revision - 1",
    "of no entry": "UPDATE snapshots SET revision = 99999",
    "another entry": "UPDATE entries SET at_ms = 7 WHERE revision IN"
    " (SELECT revision FROM snapshots)",
}


@of_file
@pytest.mark.parametrize("how", SPOILT)
def test_a_snapshot_that_does_not_hold_is_thrown_away(
    kept: Path, decoded: list[bytes], how: str
) -> None:
    sql(kept, SPOILT[how])
    for count in (LONG, EVERY + WINDOW):
        decoded.clear()
        with closing(Database(kept)) as database:
            table, game = table_of(database)
            table.game(game)
            assert len(decoded) <= count
            assert count < LONG or len(decoded) == LONG
            check(database)


def test_another_program_does_not_trust_it(
    database: Database, decoded: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "program_digest", lambda: b"of another version")
    table, game = table_of(database)
    table.game(game)
    assert len(decoded) == LONG


@of_file
@pytest.mark.parametrize("revision", [1, 700, LONG - 5])
def test_a_missing_entry_is_found_before_and_after_it(
    kept: Path, revision: int
) -> None:
    sql(kept, "DELETE FROM entries WHERE revision = ?", revision)
    with closing(Database(kept)) as database:
        table, game = table_of(database)
        with pytest.raises(JournalFault, match=f"entry {revision} is missing"):
            table.game(game)


# A snapshot and the entries before it are witnesses of each other.


def test_an_entry_that_was_changed_before_it_is_found_by_a_playback(
    database: Database,
) -> None:
    journals = Journals(database)
    (game,) = journals.latest()
    before = journals.opened(game).game
    damage(database, game, *POORER)
    for _ in range(2):  # The snapshot stays, so it is found each time.
        assert journals.opened(game).game == before
        with pytest.raises(DamagedGame) as caught:
            journals.replayed(game)
        assert str(caught.value) == (
            f"journal {database.place} is damaged: up to entry {EVERY} entries and "
            f"snapshot disagree, and either may be wrong, in game {game}; nothing was "
            "changed; move it aside and restore a backup"
        )


@pytest.mark.parametrize("of", ["an entry after it", "another program"])
def test_without_a_witness_nothing_is_found(
    database: Database, monkeypatch: pytest.MonkeyPatch, of: str
) -> None:
    (game,) = Journals(database).latest()
    if of == "another program":
        damage(database, game, *POORER)
        monkeypatch.setattr(snapshots, "program_digest", lambda: b"of another version")
    else:
        damage(database, game, EVERY + 3, b'"amount":1', b'"amount":9')
    table, _ = table_of(database)
    assert table.game(game) == Journals(database).replayed(game).game


def test_a_game_with_another_state_is_named_in_a_backup_and_stays_so_by_a_restore(
    kept: Path, database: Database, tmp_path: Path
) -> None:
    (game,) = Journals(database).latest()
    other = long_game(Journals(database), 10, "command-other")
    damage(database, game, *POORER)
    about = back_up(database, tmp_path / "evening.zip", "1.2.3")
    assert about.damaged == (game,)
    for number in (1, 2):  # The second time as the backup of what was restored.
        to = tmp_path / f"to-{number}"
        to.mkdir()
        with (tmp_path / "evening.zip").open("rb") as file:
            assert restore(file, to, may_replace=False).about.damaged == (game,)
        with closing(Database(to)) as restored:
            journals = Journals(restored)
            assert journals.replayed(other).revision == 10
            with pytest.raises(DamagedGame):
                journals.replayed(game)
            (tmp_path / "evening.zip").unlink()
            back_up(restored, tmp_path / "evening.zip", "1.2.3")


@of_file
def test_a_backup_that_does_not_name_it_is_refused(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As an earlier companion made it, which did not compare."""
    with closing(Database(kept)) as database:
        (game,) = Journals(database).latest()
        damage(database, game, *POORER)
        with monkeypatch.context() as patch:
            patch.setattr(backup, "_find_damage", lambda *_, **__: "")
            back_up(database, tmp_path / "evening.zip", "1.2.3")
    to = tmp_path / "to"
    to.mkdir()
    with (
        (tmp_path / "evening.zip").open("rb") as file,
        pytest.raises(Malformed, match="entries and snapshot disagree"),
    ):
        restore(file, to, may_replace=False)


@of_file
def test_the_doctor_and_an_export_say_it(kept: Path) -> None:
    with closing(Database(kept)) as database:
        (game,) = Journals(database).latest()
        other = long_game(Journals(database), 10, "command-other")
        damage(database, game, *POORER)
    finding = look_at_books(kept)
    assert finding.condition is Condition.FAIL
    assert "entries and snapshot disagree" in finding.words
    for chosen, code in ((game, 1), (other, 0)):
        done = CliRunner().invoke(
            main, ["games", "export", chosen, "--data", str(kept)]
        )
        assert done.exit_code == code
        assert ("entries and snapshot disagree" in done.output) == (code == 1)
        assert ('"entries"' in done.output) == (code == 0)


@of_file
def test_the_doctor_reads_a_file_of_before_there_were_any(kept: Path) -> None:
    sql(kept, "DROP TABLE snapshots")
    assert look_at_books(kept).condition is Condition.OK


@of_file
def test_one_that_leads_nowhere_is_another_state(
    kept: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the snapshot were what was damaged; nothing tells which it was."""
    ((text,),) = sql(kept, "SELECT content FROM snapshots")
    found = json.loads(str(text, "utf-8"))  # type: ignore[call-overload]
    found["game"]["ledger"] |= {"red": 0, "blue": 3_000}
    values = (b"holds", json.dumps(found).encode())
    sql(kept, "UPDATE snapshots SET digest = ?, content = ?", *values)
    monkeypatch.setattr(snapshots, "_digest", lambda *_: b"holds")
    table, game = table_of(database)
    for _ in range(2):
        with pytest.raises(DamagedGame, match="either may be wrong"):
            table.game(game)


@of_file
def test_one_that_cannot_be_read_or_written_is_left_out_and_said(
    kept: Path,
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    (before,) = snapshot_revisions(kept)
    table, game = table_of(database)

    def fails() -> NoReturn:
        raise JournalFault("expected room on the disk, got none")

    full = SimpleNamespace(reading=fails, transaction=fails)
    monkeypatch.setattr(table._journals.snapshots, "_database", full)
    for number in range(EVERY):
        table.submit(game, Envelope(pay("red", "blue", 1), f"command-new-{number}"))
    assert snapshot_revisions(kept) == [before]
    assert "snapshot_not_kept" in caplog.text
    check(database)


@of_file
def test_a_game_that_is_thrown_away_takes_it_along(
    kept: Path, database: Database
) -> None:
    table, game = table_of(database)
    table.submit(game, Envelope(c.CloseGame(by=c.TABLE), "command-close"))
    table.remove_game(game)
    assert snapshot_revisions(kept) == []
    assert table.open_game("classic", "Friday", OPENING) == game
    assert table.revision(game) == 1


@of_file
def test_none_comes_out_of_a_backup(kept: Path, tmp_path: Path) -> None:
    with closing(Database(kept)) as database:
        back_up(database, tmp_path / "evening.zip", "1.2.3")
    to = tmp_path / "to"
    to.mkdir()
    with (tmp_path / "evening.zip").open("rb") as file:
        restore(file, to, may_replace=False)
    assert snapshot_revisions(to) == []
    with closing(Database(to)) as database:
        check(database)


@of_file
@pytest.mark.parametrize("schema", [1, 2])
def test_a_file_of_before_there_were_any_is_played_from(
    kept: Path, decoded: list[bytes], schema: int
) -> None:
    sql(kept, "DROP TABLE snapshots")
    sql(kept, "DROP INDEX entries_of_box")
    sql(kept, "UPDATE about SET schema = ?", schema)
    for count in (LONG, EVERY + WINDOW):
        decoded.clear()
        with closing(Database(kept)) as database:
            assert database.answers()
            table, game = table_of(database)
            table.game(game)
            assert len(decoded) <= count
            check(database)
    assert sql(kept, "SELECT 1 FROM sqlite_master WHERE name = 'entries_of_box'")
    assert sql(kept, "SELECT schema FROM about") == [(2,)]


@of_file
def test_a_reading_of_a_box_is_looked_for_without_reading_the_games(
    database: Database,
) -> None:
    asked: list[tuple[str, object]] = []

    def note(_c: object, _u: object, text: str, values: object, *_: object) -> None:
        asked.append((text, values))

    event.listen(database._engine, "before_cursor_execute", note)
    assert Journals(database).revisions("classic") == {}
    ((text, values),) = [one for one in asked if one[0].startswith("SELECT")]
    with database.transaction() as connection:
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", values).all()
    assert "SCAN entries USING INDEX entries_of_box" in str(plan)
