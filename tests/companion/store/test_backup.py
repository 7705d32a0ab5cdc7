"""A backup holds everything, a restore is all or nothing, and a stranger's file is no
danger. Damage is done to real files, and who is killed is a process of its own."""

from __future__ import annotations

import codecs
import errno
import io
import multiprocessing
import os
import shutil
import signal
import sqlite3
import struct
import zipfile
from contextlib import closing
from pathlib import Path
from typing import IO

import msgspec
import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cli import main
from companion.errors import CompanionError, DeviceFault, Malformed
from companion.files import opened
from companion.game.envelope import Envelope
from companion.store import (
    Database,
    as_owner,
    back_up,
    backup,
    restore,
    swap,
)
from companion.store.backup import About
from companion.store.database import FILE_NAME
from companion.table import build_table
from tests.companion.store.small_disk import small_disk
from tests.databases import ON_BOTH, of_file, quick_on_both
from tests.fakes import FakeClock
from tests.restore_child import STEPS, restore_until
from tests.sample import sampled
from tests.scene import pay, sitting
from tests.vault_rig import VaultRig

pytestmark = ON_BOTH

NOBODY = 65534
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.restore_child"])
OWN = {
    "decks/blue.deck": b"a deck",
    "decks/blue.jpg": b"a picture",
    "decks/chosen.txt": b"blue",
    "editions/Unsere Schachtel \u00fc.toml": b"an edition",
}


def furnish(folder: Path, name: str = "Friday", payments: int = 5) -> Path:
    """A table in *folder* with a game, phones, decks and editions."""
    folder.mkdir(parents=True, exist_ok=True)
    with closing(Database(folder)) as database:
        table = build_table(database, FakeClock()).service
        phones = table.phones
        game = table.open_game("classic", name, f"command-{name}")
        for seat in ("red", "blue"):
            table.submit(game, Envelope(sitting(seat), f"command-{seat}"))
        phones.hold(game, "red", phones.issue(0)[0].phone)
        for number in range(payments):
            table.submit(game, Envelope(pay("red", "blue", 1), f"command-{number}"))
        table.ticks.tick(game, "pack", "dice")
        table.close()
    for path, content in OWN.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_bytes(content)
    return folder


def known(folder: Path) -> dict[str, object]:
    """Everything that the table in *folder* knows, whatever file it lies in.

    Which table it is, is no knowledge of the games: see ``id_of``.
    """
    with closing(Database(folder)):
        pass
    with closing(sqlite3.connect(folder / FILE_NAME)) as file:
        names = [
            row[0]
            for row in file.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table'"
            )
        ]
        rows: dict[str, object] = {
            name: sorted(file.execute(f"SELECT * FROM {name}"), key=repr)
            for name in names
        }
    for own in swap.FOLDERS:
        for path in sorted((folder / own).glob("*")):
            rows[f"{own}/{path.name}"] = path.read_bytes()
    return rows


def id_of(folder: Path) -> str:
    with closing(Database(folder)) as database:
        return database.table_id


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return furnish(tmp_path / "kept")


def saved(folder: Path, file: Path) -> About:
    with closing(Database(folder)) as database:
        return back_up(database, file, "1.2.3")


def put_back(content: bytes, folder: Path, *, may_replace: bool = False) -> Path | None:
    folder.mkdir(exist_ok=True)
    return restore(io.BytesIO(content), folder, may_replace=may_replace).kept


@pytest.fixture
def content(kept: Path, tmp_path: Path) -> bytes:
    saved(kept, tmp_path / "a.zip")
    return (tmp_path / "a.zip").read_bytes()


def companion(*words: str) -> Result:
    return CliRunner().invoke(main, [*words], env={"COMPANION_DATA": ""})


# What goes in comes out.


@of_file
def test_a_backup_restored_elsewhere_knows_the_same(kept: Path, tmp_path: Path) -> None:
    file, other = tmp_path / "evening.zip", tmp_path / "other"
    about = saved(kept, file)
    assert about == About("table-companion backup 1", "1.2.3", 1)
    assert file.stat().st_mode & 0o777 == 0o600
    assert put_back(file.read_bytes(), other) is None
    assert known(other) == known(kept)
    assert {*OWN} <= {*known(other)}
    assert {p.name for p in other.iterdir()} == {
        FILE_NAME, "companion.lock", "decks", "editions",
    }  # fmt: skip
    for path in other.rglob("*"):
        assert path.stat().st_mode & 0o077 == 0, path


def test_the_same_table_gives_the_same_backup(kept: Path, tmp_path: Path) -> None:
    for name in ("a.zip", "b.zip"):
        saved(kept, tmp_path / name)
    one, other = ((tmp_path / x).read_bytes() for x in ("a.zip", "b.zip"))
    assert one == other


@of_file
def test_what_is_only_in_the_log_yet_is_backed_up(kept: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    with closing(Database(kept)) as database:
        table = build_table(database, FakeClock()).service
        game = table.games()[0].game_id
        table.submit(game, Envelope(pay("red", "blue", 7), "command-late"))
        shutil.copytree(kept, copy)
        table.close()
    assert (copy / f"{FILE_NAME}-wal").stat().st_size
    saved(copy, tmp_path / "a.zip")
    put_back((tmp_path / "a.zip").read_bytes(), tmp_path / "other")
    assert known(tmp_path / "other") == known(kept)


@of_file
def test_a_locked_vault_is_restored_with_its_code(tmp_path: Path) -> None:
    with VaultRig(tmp_path / "one") as rig:
        rig.ready(code=4)
    saved(tmp_path / "one", tmp_path / "a.zip")
    put_back((tmp_path / "a.zip").read_bytes(), tmp_path / "two")
    rig.folder = tmp_path / "two"
    with rig:
        rig.on()
        rig.resume()
        rig.guess(4)
        assert rig.lines()[0] != ""
        assert rig.cash("red") == 3_400


@of_file
def test_backup_and_restore_say_what_they_did(kept: Path, tmp_path: Path) -> None:
    file, other = tmp_path / "evening.zip", tmp_path / "other"
    done = companion("backup", str(file), "--data", str(kept))
    assert done.output == f"{file}: 1 game, {file.stat().st_size:,} bytes\n"
    done = companion("restore", str(file), "--data", str(other))
    assert done.output == f"1 game restored to {other}\n"
    done = companion("restore", str(file), "--replace", "--data", str(other))
    aside = other / "companion.before-restore-1"
    assert f"what was there before is kept in {aside}\n" in done.output
    assert known(aside) == known(other)


# Which table it is.


def test_a_restored_table_is_the_one_of_its_place_never_of_the_backup(
    kept: Path, content: bytes, tmp_path: Path
) -> None:
    new, same = tmp_path / "new", furnish(tmp_path / "same", "Sunday", 2)
    backed_up, before = id_of(kept), id_of(same)
    put_back(content, new)
    drawn = id_of(new)
    for _ in range(2):
        put_back(content, new, may_replace=True)
        put_back(content, same, may_replace=True)
        assert (id_of(new), id_of(same)) == (drawn, before)
    assert known(new) == known(same) == known(kept)
    assert len({backed_up, before, drawn}) == 3


@of_file
def test_a_damaged_table_and_one_from_before_ids_keep_theirs(
    content: bytes, tmp_path: Path
) -> None:
    damaged = furnish(tmp_path / "damaged", "Sunday")
    before, pages = id_of(damaged), damaged / FILE_NAME
    pages.write_bytes(pages.read_bytes()[:100] + b"noise" * 5_000)
    put_back(content, damaged, may_replace=True)
    assert id_of(damaged) == before
    put_back(
        database_with(content, tmp_path, "PRAGMA user_version = 0"),
        new := tmp_path / "new",
    )
    assert id_of(new) != "00000000"


# What is there is not lost.


@of_file
@pytest.mark.parametrize("name", ["companion", "companion.sqlite"])
def test_no_name_of_a_backup_takes_the_games_away(kept: Path, name: str) -> None:
    """Also beside them, where what is made on the way has names, too."""
    (kept / f"{name}.new").write_bytes(b"Dear diary")
    before = known(kept)
    done = companion("backup", str(kept / name), "--force", "--data", str(kept))
    assert ("choose another name" in done.output) is (name == FILE_NAME)
    assert known(kept) == before
    assert (kept / f"{name}.new").read_bytes() == b"Dear diary"


@of_file
def test_an_earlier_file_is_replaced_only_if_told(kept: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.zip"
    file.write_bytes(b"Dear diary")
    refused = companion("backup", str(file), "--data", str(kept))
    assert refused.exit_code == 1
    assert "--force" in refused.output
    assert file.read_bytes() == b"Dear diary"
    assert companion("backup", str(file), "--force", "--data", str(kept)).exit_code == 0
    assert zipfile.is_zipfile(file)


@of_file
def test_games_that_are_there_are_moved_aside_only_if_told(
    content: bytes, tmp_path: Path
) -> None:
    other = furnish(tmp_path / "other", "Sunday", 2)
    before = known(other)
    with pytest.raises(Malformed, match=r"with 1 of them; --replace"):
        put_back(content, other)
    assert known(other) == before
    for number in (1, 2):
        aside = put_back(content, other, may_replace=True)
        assert aside == other / f"companion.before-restore-{number}"
    assert known(other / "companion.before-restore-1") == before
    assert known(other) == known(tmp_path / "kept")


def test_a_table_without_games_gives_way(content: bytes, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    Database(other).close()
    put_back(content, other)
    assert known(other) == known(tmp_path / "kept")


@of_file
def test_a_damaged_table_is_moved_aside_as_it_is(
    content: bytes, tmp_path: Path
) -> None:
    other = furnish(tmp_path / "other", "Sunday")
    for name in (FILE_NAME, f"{FILE_NAME}-wal"):
        (other / name).write_bytes(b"noise")
    with pytest.raises(Malformed, match="a file that cannot be read; --replace"):
        put_back(content, other)
    aside = put_back(content, other, may_replace=True)
    assert aside is not None
    assert (aside / FILE_NAME).read_bytes() == b"noise"
    assert (aside / f"{FILE_NAME}-wal").read_bytes() == b"noise"
    assert known(other) == known(tmp_path / "kept")


@of_file
def test_what_is_thrown_away_meanwhile_is_not_in_it(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = kept / "decks/blue.jpg"

    def throw_away(path: Path) -> IO[bytes]:
        gone.unlink(missing_ok=True)
        return opened(path)

    monkeypatch.setattr(backup, "opened", throw_away)
    saved(kept, tmp_path / "a.zip")
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        names = {*archive.namelist()}
    assert {*OWN} - names == {"decks/blue.jpg"}


# A game that was damaged before does not stand in the others' way.


def spoil(folder: Path) -> None:
    with closing(sqlite3.connect(folder / FILE_NAME)) as file, file:
        file.execute("UPDATE entries SET events = x'00ff' WHERE revision = 4")


@of_file
def test_a_damaged_game_is_backed_up_as_it_is_and_named(
    kept: Path, tmp_path: Path
) -> None:
    spoil(kept)
    file, other = tmp_path / "a.zip", tmp_path / "other"
    done = companion("backup", str(file), "--data", str(kept))
    assert done.exit_code == 0
    assert "is damaged, and kept as it is" in done.output
    done = companion("restore", str(file), "--data", str(other))
    assert done.exit_code == 0
    assert "is damaged, and kept as it is" in done.output
    assert known(other) == known(kept)


# Somebody else's file.


def repacked(content: bytes, change: dict[str, bytes | None]) -> bytes:
    """The backup with some of its files changed, added or left out."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        files: dict[str, bytes | None] = {x: old.read(x) for x in old.namelist()}
        for name, data in {**files, **change}.items():
            if data is not None:
                new.writestr(name, data)
    return out.getvalue()


def database_with(content: bytes, folder: Path, *statements: str) -> bytes:
    """The backup, its database changed by these statements."""
    path = folder / "changed.sqlite"
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        path.write_bytes(archive.read(FILE_NAME))
    with closing(sqlite3.connect(path)) as file, file:
        for statement in (NUMBERS, *statements):
            file.execute(statement)
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA journal_mode=DELETE")
    return repacked(content, {FILE_NAME: path.read_bytes()})


NUMBERS = (
    "CREATE TEMP TABLE numbers AS WITH RECURSIVE numbers(value) AS "
    "(SELECT 1 UNION ALL SELECT value + 1 FROM numbers LIMIT 200) SELECT * FROM numbers"
)
MONEY = (
    '[{"type":"MoneyMoved","payer":"eve","payee":"red","amount":9,"reason":"other"}]'
)
NEWER = msgspec.json.encode(About("table-companion backup 2", "9", 0))
HOSTILE: dict[str, dict[str, bytes | None]] = {
    "a way out": {"../../evil.txt": b"x"},
    "an absolute way": {"/etc/evil.txt": b"x"},
    "a way out of a folder": {"decks/../evil.txt": b"x"},
    "a folder of its own": {"decks/more/evil.txt": b"x"},
    "a hidden file": {"decks/.profile.txt": b"x"},
    "another kind of file": {"decks/evil.py": b"x"},
    "a file of ours that is not backed up": {"companion.lock": b"x"},
    "a log for the database": {f"{FILE_NAME}-wal": b"x"},
    "too large a deck": {"decks/big.deck": bytes(16 * 1024 * 1024 + 1)},
    "too many files": {f"decks/{x}.txt": b"" for x in range(1_001)},
    "no database": {FILE_NAME: None},
    "no word about itself": {"about.json": None},
    "a nonsense word about itself": {"about.json": b"{}"},
    "a newer form": {"about.json": NEWER},
    "something else as database": {FILE_NAME: b"Dear diary" * 1_000},
    "an empty database": {FILE_NAME: b""},
}
HUGE = f"zeroblob({17 << 20})"
ENDLESS = {
    "an entry": f"UPDATE entries SET events = {HUGE} WHERE revision = 5",
    "entries": f"UPDATE entries SET events = zeroblob({3 << 20})",
    "scattered entries": f"UPDATE entries SET events = zeroblob({3 << 20}), "
    "revision = revision * 1000.5",
    "journals": "INSERT INTO entries SELECT zeroblob(100000) || value, 1, 'x', '', 1, "
    "x'' FROM numbers",
    "a name": f"UPDATE journals SET title = CAST({HUGE} AS TEXT)",
    "ticks": "INSERT INTO ticks SELECT 'a', value, zeroblob(100000) FROM numbers",
    "pictures": "INSERT INTO pictures SELECT 'a', 1, value, zeroblob(100000) "
    "FROM numbers",
}
"""What is more than an evening needs."""

STATEMENTS = {
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON entries BEGIN SELECT 1; END",
    "a view": "CREATE VIEW v AS SELECT 1",
    "another schema": "UPDATE about SET schema = 3",
    "no entries": "DELETE FROM entries",
    "a gap": "DELETE FROM entries WHERE revision = 5",
    "money from nobody": f"UPDATE entries SET events = '{MONEY}' WHERE revision = 5",
    "a table too few": "DROP TABLE holdings",
    "a phone that is none": "UPDATE phones SET phone = x'00'",
    "a broken journal of a box": "INSERT INTO entries VALUES "
    "('box classic', 1, 'x', 'table', 1, x'00ff')",
}


def refused_untouched(content: bytes, folder: Path) -> str:
    """Restore what must not be restored, and return what is said about it."""
    before = known(folder), id_of(folder)
    with pytest.raises(CompanionError) as caught:
        put_back(content, folder, may_replace=True)
    assert (known(folder), id_of(folder)) == before
    assert not (folder / swap.PREPARED).exists()
    assert not list(folder.glob(f"{swap.BEFORE}*"))
    return str(caught.value)


@pytest.mark.parametrize("what", HOSTILE)
def test_a_strangers_file_is_refused_and_nothing_changes(
    content: bytes, tmp_path: Path, what: str
) -> None:
    said = refused_untouched(repacked(content, HOSTILE[what]), tmp_path / "kept")
    assert said.startswith("expected a ")
    assert ";" in said, "says what to do"
    assert not (tmp_path / "evil.txt").exists()


@pytest.mark.parametrize("what", STATEMENTS)
def test_a_database_that_is_not_ours_to_the_last_row_is_refused(
    content: bytes, tmp_path: Path, what: str
) -> None:
    changed = database_with(content, tmp_path, STATEMENTS[what])
    said = refused_untouched(changed, tmp_path / "kept")
    assert "expected a whole backup" in said


@pytest.mark.parametrize("what", sampled(ENDLESS, 2))
def test_a_database_with_more_than_is_read_at_once_is_refused_unread(
    content: bytes, tmp_path: Path, what: str
) -> None:
    changed = database_with(content, tmp_path, ENDLESS[what])
    said = refused_untouched(changed, tmp_path / "kept")
    assert "too much to be read at once" in said or "too big" in said


def repacked_with(content: bytes, packing: int, files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(out, "w") as new,
    ):
        for name in old.namelist():
            way = packing if name in files else zipfile.ZIP_DEFLATED
            new.writestr(name, files.get(name) or old.read(name), way)
    return out.getvalue()


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@pytest.mark.parametrize("name", ["about.json", "decks/blue.deck", FILE_NAME])
def test_what_would_be_unpacked_at_a_stroke_whatever_its_size_is_refused(
    content: bytes, kept: Path, name: str, packing: int
) -> None:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        whole = archive.read(name)
    changed = repacked_with(content, packing, {name: whole})
    said = refused_untouched(changed, kept)
    assert f"'{name}' is packed in another way than ours" in said
    stored = repacked_with(content, zipfile.ZIP_STORED, {name: whole})
    assert put_back(stored, kept, may_replace=True) is not None


def test_a_list_of_files_without_end_is_not_read(content: bytes, kept: Path) -> None:
    record = struct.pack("<4s7H3I5H2I", b"PK\1\2", 20, 20, *(0,) * 15)[:46]
    count = (2 << 20) // len(record)
    end = (b"PK\5\6", 0, 0, count, count, count * len(record), 0, 0)
    changed = record * count + struct.pack("<4s4H2IH", *end)
    said = refused_untouched(changed, kept)
    assert "its list of files is too long" in said


@pytest.mark.parametrize("letter", [b"$", b"\xff"])
def test_a_database_whose_tables_sqlite_cannot_read_is_refused(
    content: bytes, kept: Path, letter: bytes
) -> None:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        text = archive.read(FILE_NAME).replace(b"CREATE TABLE", b"CREATE TABL" + letter)
    said = refused_untouched(repacked(content, {FILE_NAME: text}), kept)
    assert "expected a whole backup" in said


def test_a_file_twice_in_one_backup_is_refused(content: bytes, tmp_path: Path) -> None:
    out = io.BytesIO(content)
    with (
        pytest.warns(UserWarning, match="Duplicate name"),
        zipfile.ZipFile(out, "a") as archive,
    ):
        archive.writestr(FILE_NAME, b"another")
    assert "one twice" in refused_untouched(out.getvalue(), tmp_path / "kept")


def test_no_more_is_unpacked_than_a_table_has(
    content: bytes, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bomb = repacked(content, {f"decks/{x}.deck": bytes(15 << 20) for x in range(40)})
    assert len(bomb) < 1 << 20
    monkeypatch.setattr(backup, "_unpack", None)
    assert "its decks and editions take more than" in refused_untouched(bomb, kept)


def test_a_file_that_is_longer_than_the_list_says_is_cut_there_and_refused(
    content: bytes, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bomb = repacked(content, {"decks/x.deck": bytes(15 << 20)})
    size = struct.pack("<I", 15 << 20)
    assert bomb.count(size) == 2, "before the file, and in the list"
    written: list[int] = []
    copy = shutil.copyfileobj

    def copying(packed: IO[bytes], file: IO[bytes], length: int) -> None:
        copy(packed, file, length)
        written.append(file.tell())

    monkeypatch.setattr(shutil, "copyfileobj", copying)
    lying = bomb.replace(size, struct.pack("<I", 100))
    assert "Bad CRC-32" in refused_untouched(lying, kept)
    assert sum(written) < 1 << 20


def test_what_would_not_fit_is_refused_before_it_is_unpacked(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = type("Usage", (), {"free": 1_000})
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    assert "make some room" in refused_untouched(content, tmp_path / "kept")


@given(st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[*HealthCheck])
def test_a_flipped_byte_is_named_or_changes_nothing(
    content: bytes, tmp_path: Path, data: st.DataObject
) -> None:
    changed = bytearray(content)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(content) - 1))
        changed[at] ^= data.draw(st.integers(1, 255))
    if data.draw(st.booleans()):
        changed = changed[: data.draw(st.integers(0, len(changed)))]
    other = tmp_path / "flipped"
    shutil.rmtree(other, ignore_errors=True)
    try:
        put_back(bytes(changed), other)
    except CompanionError as error:
        said = str(error)
    else:
        assert known(other) == known(tmp_path / "kept")
        return
    assert ";" in said, "says what to do"
    assert not list(other.glob(f"*{FILE_NAME}*")), "nothing was left"


# A full disk.


def test_a_full_disk_keeps_the_earlier_backup_and_says_so(
    kept: Path, tmp_path: Path
) -> None:
    with small_disk(tmp_path / "disk", "64k") as disk:
        file = disk / "a.zip"
        file.write_bytes(b"earlier")
        with (
            closing(Database(kept)) as database,
            pytest.raises(DeviceFault, match=r"(is full|No space .*); choose"),
        ):
            back_up(database, file, "1", may_replace=True)
        assert [p.name for p in disk.iterdir()] == ["a.zip"]
        assert file.read_bytes() == b"earlier"


@quick_on_both
def test_a_disk_that_fills_up_while_restoring_keeps_the_old_table(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = type("Usage", (), {"free": 10**12})
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)  # It looked roomy.
    with small_disk(tmp_path / "disk", "256k") as disk:
        shutil.copytree(furnish(tmp_path / "other", "Sunday"), disk / "data")
        free = os.statvfs(disk)
        (disk / "film").write_bytes(bytes(free.f_bavail * free.f_bsize - 50_000))
        assert "make some room" in refused_untouched(content, disk / "data")


HALF_DONE = "half done; restore again with --replace"
FAILING = {swap.DECIDED: "nothing was changed", swap.BEFORE: HALF_DONE}
"""Beginning of a name that cannot be given -> what is said of the restore then."""


def refuse_names(monkeypatch: pytest.MonkeyPatch, beginning: str) -> None:
    """Let nothing be renamed to a name that begins like that."""
    rename = Path.rename

    def failing(path: Path, target: Path) -> Path:
        if target.name.startswith(beginning):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", failing)


@of_file
@pytest.mark.parametrize("name", FAILING)
def test_a_folder_that_fails_near_the_end_is_said_and_the_restore_repeated(
    content: bytes, tmp_path: Path, name: str
) -> None:
    other = furnish(tmp_path / "other", "Sunday", 2)
    before = known(other)
    with pytest.MonkeyPatch.context() as failing:
        refuse_names(failing, name)
        with pytest.raises(DeviceFault, match=FAILING[name]):
            put_back(content, other, may_replace=True)
        if name == swap.DECIDED:
            assert known(other) == before
        else:
            with pytest.raises(DeviceFault, match="cannot finish the restore"):
                Database(other)
    assert put_back(content, other, may_replace=True) is not None
    assert known(other) == known(tmp_path / "kept")
    assert before in [known(x) for x in other.glob(f"{swap.BEFORE}-*")]


@of_file
def test_games_that_version_1_0_0_left_half_restored_outlast_a_refusal(
    content: bytes, tmp_path: Path
) -> None:
    """Killed between PostgreSQL and the folder, it left their only copy there."""
    left = tmp_path / "data" / swap.PREPARED / swap.OLD
    furnish(left, "Sunday", 2)
    before = known(left)
    with pytest.raises(Malformed):
        put_back(content[:-100], tmp_path / "data", may_replace=True)
    put_back(content, tmp_path / "data", may_replace=True)
    assert before in [known(x) for x in (tmp_path / "data").glob(f"{swap.BEFORE}-*")]


# Killed at any step.


@of_file
@pytest.mark.parametrize(
    "kinds", [("rename",), pytest.param(STEPS, marks=pytest.mark.slow)]
)
def test_killed_at_any_step_there_is_the_old_table_or_the_new_one(
    content: bytes, tmp_path: Path, kinds: tuple[str, ...]
) -> None:
    furnish(tmp_path / "old", "Sunday", 2)
    (tmp_path / "old/decks/blue.jpg").unlink()
    old, new = known(tmp_path / "old"), known(tmp_path / "kept")
    (tmp_path / "a.zip").write_bytes(content)
    found = []
    for step in range(200):
        data = tmp_path / f"killed-{step}"
        shutil.copytree(tmp_path / "old", data)
        child = FORKS.Process(
            target=restore_until, args=(tmp_path / "a.zip", data, kinds, step)
        )
        child.start()
        child.join()
        after = known(data)
        assert after in (old, new), f"killed before step {step}"
        assert id_of(data) == id_of(tmp_path / "old")
        found.append(after == new)
        if after == new:
            asides = list(data.glob(f"{swap.BEFORE}-*"))
            assert [known(x) for x in asides] == [old], f"killed before step {step}"
        assert not (data / swap.DECIDED).exists()
        if child.exitcode == 0:
            break
        assert child.exitcode == -signal.SIGKILL
    assert 8 < len(found) < 199
    assert found == sorted(found), "once the new table counts, it counts"
    assert found[0] is False
    assert found[-3] is True, "moving was interrupted, too"


def test_what_no_restore_would_take_is_not_backed_up(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scan = kept / "editions" / "scan.jpg"
    scan.write_bytes(bytes(16 * 1024 * 1024))
    for number in range(999 - 1 - len(OWN)):
        (kept / "decks" / f"{number}.txt").touch()
    saved(kept, tmp_path / "most.zip")
    put_back((tmp_path / "most.zip").read_bytes(), tmp_path / "new")
    for more, size in ((scan, 16 * 1024 * 1024 + 1), (kept / "decks" / "x.txt", 0)):
        more.write_bytes(bytes(size))
        with pytest.raises(Malformed, match="no restore would take it"):
            saved(kept, tmp_path / "more.zip")
        more.write_bytes(b"")
    more.unlink()
    monkeypatch.setattr(backup, "FILES_BYTES_MAX", sum(map(len, OWN.values())))
    saved(kept, tmp_path / "all.zip")
    scan.write_bytes(b"x")
    with pytest.raises(Malformed, match="no restore would take it"):
        saved(kept, tmp_path / "more.zip")
    assert not (tmp_path / "more.zip").exists()


def test_a_backup_that_was_killed_leaves_nothing_that_looks_like_one(
    kept: Path, tmp_path: Path
) -> None:
    left = tmp_path / ".a.zip.making"
    left.mkdir()
    for name in ("zip", FILE_NAME):
        (left / name).write_bytes(b"half")
    saved(kept, tmp_path / "a.zip")
    assert {p.name for p in tmp_path.iterdir()} == {"kept", "a.zip"}


# Whose files they are.


def give_away(folder: Path) -> None:
    """Make *folder* somebody else's, who can get there."""
    codecs.lookup("cp437")  # zipfile's; somebody else may not read root's own Python.
    for path in (folder, *folder.rglob("*")):
        os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    for above in folder.parents:
        if above.stat().st_uid == 0 and not above.stat().st_mode & 0o001:
            above.chmod(above.stat().st_mode | 0o011)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_what_root_restores_and_opens_belongs_to_whose_games_they_are(
    content: bytes, tmp_path: Path
) -> None:
    service = tmp_path / "service"
    service.mkdir(mode=0o700)
    give_away(service)
    file = tmp_path / "root" / "a.zip"
    file.parent.mkdir(mode=0o700)
    file.write_bytes(content)
    for _ in range(2):
        done = companion("restore", str(file), "--replace", "--data", str(service))
        assert done.exit_code == 0, done.output
    assert companion("games", "list", "--data", str(service)).exit_code == 0
    again = file.with_name("b.zip")
    assert companion("backup", str(again), "--data", str(service)).exit_code == 0
    assert {p.stat().st_uid for p in service.rglob("*")} == {NOBODY}
    assert again.stat().st_uid == 0
    assert os.geteuid() == os.getegid() == 0


@of_file
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_a_link_among_the_games_leads_root_no_further_than_their_owner(
    kept: Path, tmp_path: Path
) -> None:
    roots = tmp_path / "roots"
    roots.mkdir(mode=0o700)
    (roots / "passwords.txt").write_text("secret")
    shutil.rmtree(kept / "decks")
    (kept / "decks").symlink_to(roots)
    give_away(kept)
    file = tmp_path / "a.zip"
    done = companion("backup", str(file), "--data", str(kept))
    assert done.exit_code == 0, done.output
    with zipfile.ZipFile(file) as archive:
        assert not [x for x in archive.namelist() if x.startswith("decks/")]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_somebody_elses_games_are_opened_without_roots_groups(tmp_path: Path) -> None:
    give_away(tmp_path)
    groups = os.getgroups()
    with as_owner(tmp_path):
        assert (os.getegid(), os.getgroups()) == (NOBODY, [])
    assert os.getgroups() == groups


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_an_error_among_somebody_elses_games_leaves_root_root(tmp_path: Path) -> None:
    give_away(tmp_path)
    with pytest.raises(FileNotFoundError), as_owner(tmp_path):
        (tmp_path / "nothing").rename(tmp_path / str(os.geteuid()))
    assert os.geteuid() == os.getegid() == 0
