"""The disk of the simulator loses what a disk may lose, and nothing else.

The store's own code runs on it, cut at every operation of a short run; what was told
to be on disk is there whenever the plug was pulled. With ``synchronous=OFF`` it is not.
"""

from __future__ import annotations

import io
import os
import random
import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import count, product
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.errors import CompanionError, JournalFault
from companion.game.journal import Entry
from companion.store import Database, Journals, back_up, restore, swap
from companion.store import database as database_module
from companion.store.database import FILE_NAME
from tests.evening import vfs
from tests.evening.disk import Disk
from tests.evening.unsynced import SECTOR
from tests.sample import proven, sampled, volume
from tests.scene import Play, pay

GAME = "game-1"
CUTS = ["killed", "power"]
SHARED = f"{FILE_NAME}-shm"
"""Memory of the process, whatever lay there before; each start makes it anew."""


def evening() -> tuple[Entry, ...]:
    play = Play("red", "blue")
    for amount in range(1, 8):
        play.give(pay("red", "blue", amount))
    return tuple(play.entries)


ENTRIES = evening()


@pytest.fixture
def started(tmp_path: Path) -> Path:
    """A folder that a companion has started on once."""
    folder = tmp_path / "started"
    Database(folder).close()
    return folder


def prefer(monkeypatch: pytest.MonkeyPatch, *pragmas: str) -> None:
    """Have each database set these, too."""

    def prepare(connection: sqlite3.Connection, record: object) -> None:
        prepared(connection, record)
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}").close()

    prepared = database_module._prepare
    monkeypatch.setattr(database_module, "_prepare", prepare)


def play_on(folder: Path) -> tuple[int, int]:
    """Start, write what is not there yet, and stop.

    Whatever a cut leaves, it is no damage, and the beginning of the evening.

    Returns:
        How many entries were there, and how many are told to be there in the end.
    """
    with closing(Database(folder)) as database:
        journals = Journals(database)
        found = tuple(journals.entries(GAME))
        assert found == ENTRIES[: len(found)]
        done = len(found)
        try:
            for done in range(len(found), len(ENTRIES)):
                journals.append(GAME, ENTRIES[done])
        except JournalFault:
            return len(found), done
    return len(found), len(ENTRIES)


def cut_everywhere(started: Path, kind: str, seed: int) -> Iterator[tuple[int, int]]:
    """Play and cut at each operation; yield what was told, and what is there then."""
    for operation in count():
        folder = started.with_name(f"{kind}-{seed}-{operation}")
        shutil.copytree(started, folder)
        with Disk(folder, random.Random(seed * 1_000 + operation)) as disk:
            disk.cut_after(operation, is_power=kind == "power")
            _, told = play_on(folder)
            if not disk.is_cut:
                return
            disk.leave()
            found, all_of_it = play_on(folder)
            assert all_of_it == len(ENTRIES)
            yield told, found


@pytest.mark.parametrize("seed", sampled(range(12)))
@pytest.mark.parametrize("kind", CUTS)
def test_what_was_told_survives_a_cut_at_every_operation(
    started: Path, kind: str, seed: int
) -> None:
    cuts = list(cut_everywhere(started, kind, seed))
    assert len(cuts) > 50
    assert all(found in (told, told + 1) for told, found in cuts)


def test_what_a_killed_process_left_is_not_lost_once_a_start_has_seen_it(
    started: Path,
) -> None:
    """A repeated tap is told that it is done, and nothing is written for that."""
    seen = []
    for operation in count():
        folder = started.with_name(f"left-{operation}")
        shutil.copytree(started, folder)
        with Disk(folder, random.Random(operation)) as disk:
            disk.cut_after(operation, is_power=False)
            play_on(folder)
            if not disk.is_cut:
                break
            disk.leave()
            with closing(Database(folder)) as database:
                seen.append(len(tuple(Journals(database).entries(GAME))))
                disk.cut(is_power=True)
            disk.leave()
            with closing(Database(folder)) as database:
                left = len(tuple(Journals(database).entries(GAME)))
            assert left == seen[-1], f"cut at operation {operation}"
    assert max(seen) == len(ENTRIES)


@pytest.mark.slow
@pytest.mark.parametrize("seed", sampled(range(12)))
def test_so_it_does_in_the_middle_of_checkpoints(
    started: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    prefer(monkeypatch, "wal_autocheckpoint=6")
    cuts = list(cut_everywhere(started, "power", seed))
    assert len(cuts) > 80
    assert all(found in (told, told + 1) for told, found in cuts)


def test_a_store_that_does_not_sync_loses_what_it_told(
    started: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proof that cannot fail proves nothing."""
    prefer(monkeypatch, "synchronous=OFF")
    assert any(found < told for told, found in cut_everywhere(started, "power", 1))
    assert all(found >= told for told, found in cut_everywhere(started, "killed", 1))


@pytest.mark.slow
def test_a_first_start_that_is_cut_anywhere_starts_again(tmp_path: Path) -> None:
    for seed, kind in enumerate(CUTS):
        for operation in count():
            folder = tmp_path / f"{kind}-{seed}-{operation}"
            with Disk(folder, random.Random(seed * 1_000 + operation)) as disk:
                disk.cut_after(operation, is_power=kind == "power")
                try:
                    Database(folder).close()
                except JournalFault:
                    assert disk.is_cut
                is_cut = disk.is_cut
                disk.leave()
                assert play_on(folder) == (0, len(ENTRIES))
            if not is_cut:
                break
        assert operation > 50


def test_a_killed_table_that_then_loses_its_power_keeps_what_it_told(
    started: Path,
) -> None:
    for seed in range(40):
        folder = started.with_name(str(seed))
        shutil.copytree(started, folder)
        with Disk(folder, random.Random(seed)) as disk:
            disk.cut_after(seed, is_power=False)
            _, told = play_on(folder)
            disk.leave()
            with closing(Database(folder)):
                disk.cut(is_power=True)
            disk.leave()
            assert play_on(folder)[0] in (told, told + 1)


def test_a_power_cut_leaves_every_kind_of_rest(tmp_path: Path) -> None:
    """None of two unsynced rows, either alone, both, and a part of one."""
    page, rests = 4096, set()
    for seed in range(60):
        path = tmp_path / f"{seed}.sqlite"
        with Disk(tmp_path, random.Random(seed)) as disk:
            with closing(sqlite3.connect(path, isolation_level=None)) as file:
                file.execute("CREATE TABLE rows (text)")
                file.execute("PRAGMA synchronous=OFF")
                file.execute("PRAGMA journal_mode=OFF")
                file.execute("INSERT INTO rows VALUES (?)", ("x" * 3 * page,))
                whole = path.read_bytes()
                disk.cut(is_power=True)
            disk.leave()
        left = path.read_bytes().ljust(len(whole), b"\0")
        same = [
            left[at : at + SECTOR] == whole[at : at + SECTOR]
            for at in range(2 * page, len(whole), SECTOR)
        ]
        rests.add("".join("x" if one else "." for one in same))
    assert {rest for rest in rests if len(set(rest)) == 1} == {"." * 24, "x" * 24}
    assert any(rest.startswith("x") and rest.endswith(".") for rest in rests)
    assert any(rest.startswith(".") and rest.endswith("x") for rest in rests)


@pytest.mark.parametrize("seed", sampled(range(6)))
def test_a_restore_that_loses_its_power_has_happened_or_not(
    started: Path, seed: int
) -> None:
    """Its files are made in one folder and moved to another."""
    archive = started.with_name("backup.zip")
    with closing(Database(started)) as database:
        Journals(database).append(GAME, *ENTRIES)
        back_up(database, archive, "1")
    for operation in count():
        folder = started.with_name(str(operation))
        Database(folder).close()
        with Disk(folder, random.Random(seed * 1_000 + operation)) as disk:
            disk.cut_after(operation, is_power=True)
            try:
                restore(io.BytesIO(archive.read_bytes()), folder, may_replace=True)
                is_told = True
            except (CompanionError, OSError):
                is_told = False
            is_cut = disk.is_cut
            disk.leave()
            found, _ = play_on(folder)
            assert found == len(ENTRIES) or (found == 0 and not is_told)
        if not is_cut:
            break
    assert is_told
    assert operation > 20


BEFORE = "game-of-before"
TROUBLES = ["power", "killed", "is_full", "is_broken"]


def restored_until(folder: Path, archive: Path, trouble: str, operation: int) -> bool:
    """Restore, with *trouble* from an operation on; return whether it came to that."""
    with Disk(folder, random.Random(f"{folder.name} {operation}")) as disk:
        if trouble in CUTS:
            disk.cut_after(operation, is_power=trouble == "power")
        else:
            disk.before(operation + 1, lambda: setattr(disk, trouble, True))
        with suppress(CompanionError, OSError), archive.open("rb") as source:
            restore(source, folder, may_replace=True)
        came = disk.is_cut or not disk.is_due
        disk.is_full = disk.is_broken = False
        disk.leave()
    return came


def games_in(folder: Path) -> dict[str, tuple[Entry, ...]]:
    with closing(Database(folder)) as database:
        journals = Journals(database)
        return {x: tuple(journals.entries(x)) for x in journals.ids()}


@pytest.mark.parametrize("is_every", [False, *volume([True])])
@pytest.mark.parametrize("troubles", proven(product(TROUBLES, repeat=2)))
def test_a_restore_that_is_cut_and_repeated_and_cut_loses_no_games(
    started: Path, troubles: tuple[str, str], is_every: bool
) -> None:
    """At each operation, and then at each or a drawn one; nobody looks in between."""
    archive, here = started.with_name("backup.zip"), {GAME: ENTRIES}
    with closing(Database(started)) as database:
        Journals(database).append(GAME, *ENTRIES)
        back_up(database, archive, "1")
    before, old = {BEFORE: ENTRIES[:3]}, started.with_name("before")
    with closing(Database(old)) as database:
        Journals(database).append(BEFORE, *ENTRIES[:3])
    (first, then), found = troubles, set()
    dice = random.Random(first + then)
    for operation in count():
        once, again = (started.with_name(f"{x}-{operation}") for x in ("once", "again"))
        shutil.copytree(old, once)
        if not restored_until(once, archive, first, operation):
            break
        for last in count() if is_every else [dice.randint(0, 60)]:
            shutil.rmtree(again, ignore_errors=True)
            shutil.copytree(once, again)
            is_over = not restored_until(again, archive, then, last)
            there = games_in(again)
            asides = [games_in(x) for x in again.glob(f"{swap.BEFORE}-*")]
            assert there in (before, here), (operation, last)
            assert before in (there, *asides), (operation, last)
            assert all(x in (before, here) for x in asides), (operation, last)
            found.add((there == here, len(asides)))
            if is_over:
                break
    assert operation > 40
    assert found >= {(False, 0), (True, 1)}
    assert (True, 2) in found or not is_every


@pytest.mark.parametrize("trouble", ["is_full", "is_broken"])
def test_a_full_or_broken_disk_changes_nothing_and_the_table_goes_on(
    started: Path, trouble: str
) -> None:
    """From each operation of one write on."""
    with Disk(started, random.Random(1)) as disk, closing(Database(started)) as base:
        journals, refused = Journals(base), 0
        for operation in range(1, len(ENTRIES) + 1):
            entry = ENTRIES[operation - 1]
            disk.before(operation, lambda: setattr(disk, trouble, True))
            try:
                journals.append(GAME, entry)
            except JournalFault as fault:
                refused += ("full" if trouble == "is_full" else "I/O") in str(fault)
                assert base.answers()
                assert tuple(journals.entries(GAME)) == ENTRIES[: operation - 1]
                setattr(disk, trouble, False)
                journals.append(GAME, entry)
            setattr(disk, trouble, False)
            assert tuple(journals.entries(GAME)) == ENTRIES[:operation]
        assert refused >= 4


def test_a_dead_process_neither_reads_nor_writes(started: Path) -> None:
    with Disk(started, random.Random(1)) as disk:
        with closing(Database(started)) as database:
            disk.cut(is_power=False)
            left = {path: path.read_bytes() for path in started.iterdir()}
            with pytest.raises(JournalFault):
                database.answers()
            with pytest.raises(JournalFault):
                Journals(database).append(GAME, ENTRIES[0])
            with pytest.raises(RuntimeError, match="close every connection"):
                disk.leave()
        del left[started / SHARED]
        assert all(path.read_bytes() == was for path, was in left.items())
        assert (started / f"{FILE_NAME}-wal").exists()
        disk.leave()
        assert play_on(started) == (0, len(ENTRIES))


def test_one_seed_leaves_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secrets, "randbelow", lambda _most: 7)

    def left(name: str, seed: int) -> list[tuple[str, bytes]]:
        """All files after each of several cuts."""
        dice, folder = random.Random(seed), tmp_path / name
        seen: list[tuple[str, bytes]] = []
        with Disk(folder, dice) as disk:
            for _ in range(6):
                disk.cut_after(dice.randint(0, 60), is_power=dice.random() < 0.7)
                try:
                    play_on(folder)
                except JournalFault:
                    assert disk.is_cut
                disk.leave()
                (folder / SHARED).unlink(missing_ok=True)
                files = sorted(folder.iterdir())
                seen += ((path.name, path.read_bytes()) for path in files)
        return seen

    assert left("one", 3) == left("another", 3)
    assert left("third", 4) != left("fourth", 5)


def test_a_slow_disk_lets_time_pass_at_each_sync(started: Path) -> None:
    waited: list[int] = []
    with (
        Disk(started, random.Random(1), waited.append) as disk,
        closing(Database(started)) as database,
    ):
        disk.slow_ms, journals = 700, Journals(database)
        journals.append(GAME, ENTRIES[0])
        first = len(waited)
        journals.append(GAME, ENTRIES[1])
        assert waited == [700] * (first + 1)
        assert first > 0


def test_what_python_syncs_itself_is_synced(tmp_path: Path) -> None:
    path = tmp_path / "kept.sqlite"
    for syncs in (True, False):
        outcomes = set()
        for seed in range(20):
            with Disk(tmp_path, random.Random(seed)) as disk:
                with closing(sqlite3.connect(path, isolation_level=None)) as file:
                    file.execute("PRAGMA synchronous=OFF")
                    file.execute("CREATE TABLE rows (text)")
                if syncs:
                    for what in (path, tmp_path):
                        handle = os.open(what, os.O_RDONLY)
                        os.fsync(handle)
                        os.close(handle)
                disk.cut(is_power=True)
                disk.leave()
                outcomes.add(path.exists() and path.stat().st_size)
            path.unlink(missing_ok=True)
        assert (outcomes == {2 * 4096}) == syncs


def test_what_a_callback_raises_comes_out_of_the_disk(started: Path) -> None:
    def trip(_ms: int) -> None:
        raise LookupError("no such clock")

    with Disk(started, random.Random(1), trip) as disk:
        with closing(Database(started)) as database:
            disk.slow_ms = 5
            with pytest.raises(JournalFault):
                Journals(database).append(GAME, ENTRIES[0])
            with pytest.raises(LookupError, match="no such clock"):
                _ = disk.operations
            disk.slow_ms = 0
        assert disk.operations > 0


def test_a_python_that_hides_its_sqlite_is_told_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(vfs, "_sqlite3", SimpleNamespace())
    with pytest.raises(RuntimeError, match="use a Python that is linked"):
        vfs.Vfs()


def test_files_elsewhere_and_later_ones_are_the_machines_own(tmp_path: Path) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    with Disk(folder, random.Random(1)) as disk:
        with closing(sqlite3.connect(tmp_path / "elsewhere")) as file:
            file.execute("CREATE TABLE rows (text)")
        assert disk.operations == 0
        with closing(sqlite3.connect(folder / "here")) as file:
            file.execute("CREATE TABLE rows (text)")
        assert (before := disk.operations) > 0
    with closing(sqlite3.connect(folder / "later")) as file:
        file.execute("CREATE TABLE rows (text)")
    assert disk.operations == before
