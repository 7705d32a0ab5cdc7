"""A copy of every game is where the table is not, up to the last batch."""

from __future__ import annotations

import errno
import os
import random
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from io import BytesIO
from pathlib import Path
from typing import cast

import msgspec
import pytest
from msgspec.structs import replace

from companion.edition import builtin, editions
from companion.errors import Malformed
from companion.game.codec import entries_to_json
from companion.game.envelope import opened_by
from companion.game.events import BalanceCorrected
from companion.game.journal import Entry
from companion.store import Database, Journals
from companion.store.copies import (
    BATCH,
    ENDING,
    FOLDER,
    SEED,
    Copier,
    export_of,
    lines_of,
    sum_after,
    take_files,
)
from companion.store.reader import Reader
from companion.units import Account, GameId, Revision, TimeMs
from tests.databases import ON_BOTH, import_game
from tests.guided import Guided
from tests.sample import proven, tens

pytestmark = ON_BOTH


class Desk:
    """A table whose evenings are played elsewhere, and a stick in it."""

    def __init__(self, data: Path, stick: Path) -> None:
        self.data, self.stick = data, stick
        stick.mkdir(exist_ok=True)
        self.store = Database(data)
        self.journals = Journals(self.store)
        self.copier = Copier(stick, self.reading)

    @contextmanager
    def reading(self) -> Iterator[Reader]:
        """Read here; a reader beside it would belong into another process."""
        yield cast("Reader", self.store)

    def copy(self) -> None:
        while self.copier.copy():
            pass

    def add(self, number: int, entries: list[Entry]) -> None:
        self.journals.append(named(number), *entries)

    def exported(self) -> dict[GameId, bytes]:
        return {
            x.game_id: b"".join(
                entries_to_json(x.title, self.journals.entries(x.game_id))
            )
            for x in self.journals.games()
        }


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path / "data", tmp_path / "stick")
    with closing(made.store):
        yield made


def named(number: int) -> GameId:
    """Return the id of the game of an evening."""
    return opened_by(f"evening-{number:06d}")


def evening(number: int) -> list[Entry]:
    """Return the entries of a random evening."""
    dice = random.Random(f"copies {number}")
    boxes = tuple(editions())
    play = Guided(boxes[number % len(boxes)], seats=dice.randint(2, 4))
    for _ in play.play_on(dice, dice.randint(60, 200)):
        pass
    opening = replace(play.entries[0], command_id=f"evening-{number:06d}")
    return [opening, *play.entries[1:]]


def files(stick: Path) -> list[Path]:
    return sorted(path for path in stick.rglob(f"*{ENDING}") if path.is_file())


def exported(path: Path) -> bytes:
    return export_of(path.read_bytes())


def same(copied: bytes, export: bytes) -> bool:
    """Tell whether both are the same game, to the letter but for spaces."""
    return msgspec.json.format(copied, indent=0) == msgspec.json.format(
        export, indent=0
    )


def read_back(stick: Path, folder: Path) -> dict[GameId, bytes]:
    """Take all copies in on another table, and return what that one exports."""
    desk = Desk(folder, folder)
    with closing(desk.store):
        for path in files(stick):
            import_game(desk.journals, exported(path), builtin)
        return desk.exported()


@tens("seed", range(200), proven)
def test_what_was_copied_outlives_the_table(seed: int, tmp_path: Path) -> None:
    desk = Desk(tmp_path / f"data {seed}", tmp_path / f"stick {seed}")
    dice = random.Random(f"moments {seed}")
    copied: dict[GameId, bytes] = {}
    left = {number: evening(number) for number in (2 * seed, 2 * seed + 1)}
    for _ in range(dice.randint(1, sum(map(len, left.values())))):
        number = dice.choice([number for number in left if left[number]])
        desk.journals.append(named(number), left[number].pop(0))
        if dice.random() < 0.1:
            desk.copy()
            copied = desk.exported()
        if dice.random() < 0.05:  # The table starts anew.
            desk.copier = Copier(desk.stick, desk.reading)
    desk.store.close()
    shutil.rmtree(desk.data)
    assert read_back(desk.stick, tmp_path / f"other {seed}") == copied


# What a stick makes of it.


def test_whatever_follows_the_whole_lines_is_left_out_and_gone_on_behind(
    desk: Desk,
) -> None:
    entries = evening(0)
    half = len(entries) // 2
    desk.add(0, entries[:half])
    desk.copy()
    (file,) = files(desk.stick)
    whole, dice = file.read_bytes(), random.Random("torn")
    for number in range(100):
        cut = dice.randrange(len(whole) + 1)
        waste = dice.choice((b"", bytes(5_000), dice.randbytes(999), whole[-700:]))
        file.write_bytes(whole[:cut] + waste)
        kept = [entry for _, entry in lines_of(BytesIO(whole[:cut] + waste))]
        assert kept == [entry for _, entry in lines_of(BytesIO(whole))][: len(kept)]
        desk.copier = Copier(desk.stick, desk.reading)
        desk.copy()
        if kept:  # Else it is no game's file, and a new one is begun.
            assert files(desk.stick) == [file], number
        best = max(files(desk.stick), key=lambda one: len(exported(one)))
        assert same(exported(best), desk.exported()[named(0)]), number
        for path in files(desk.stick):
            path.unlink()
    desk.add(0, entries[half:])


def test_two_processes_that_write_at_once_spoil_nothing(desk: Desk) -> None:
    """One that hung wakes up behind its follower, with lines of long ago."""
    entries, stale = evening(1), Copier(desk.stick, desk.reading)
    desk.add(1, entries[:9])
    while stale.copy():
        pass
    desk.copy()
    for number in range(9, len(entries)):
        desk.add(1, entries[number : number + 1])
        for copier in random.Random(number).sample((stale, desk.copier), 2):
            copier.copy()
    assert same(exported(*files(desk.stick)), desk.exported()[named(1)])


@pytest.mark.parametrize("other", ["link", "pipe", "folder"])
def test_what_is_no_file_is_not_opened(desk: Desk, other: str) -> None:
    desk.add(2, evening(2))
    own = desk.stick / FOLDER / desk.store.table_id
    own.mkdir(parents=True)
    path = own / f"{named(2)}-1{ENDING}"
    if other == "link":
        path.symlink_to(desk.data / "companion.sqlite")
    elif other == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
    before = desk.exported()
    desk.copy()
    assert desk.exported() == before
    copy = own / f"{named(2)}-2{ENDING}"
    assert same(exported(copy), before[named(2)])


def test_a_full_stick_is_gone_on_with_once_there_is_room(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries, real, dice = evening(3), os.fsync, random.Random("full")
    desk.add(3, entries[:5])
    desk.copy()

    def full(handle: int) -> None:
        os.ftruncate(handle, dice.randint(0, os.fstat(handle).st_size))
        raise OSError(errno.ENOSPC, "no space")

    for entry in entries[5:30]:
        desk.add(3, [entry])
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="no space"):
            desk.copy()
        monkeypatch.setattr(os, "fsync", real)
        desk.copy()
        best = max(files(desk.stick), key=lambda one: len(exported(one)))
        assert same(exported(best), desk.exported()[named(3)])


# What somebody else does to the folder.


def test_a_folder_that_is_gone_is_missed_while_nothing_is_played(desk: Desk) -> None:
    desk.add(3, evening(3)[:9])
    desk.copy()
    away = desk.stick.with_name("away")
    desk.stick.rename(away)
    for _ in range(2):
        with pytest.raises(FileNotFoundError):
            desk.copy()
    desk.stick.mkdir()  # Another one is there.
    desk.copy()
    assert same(exported(*files(desk.stick)), desk.exported()[named(3)])
    shutil.rmtree(desk.stick)
    away.rename(desk.stick)
    desk.add(3, evening(3)[9:12])
    desk.copy()
    assert same(exported(*files(desk.stick)), desk.exported()[named(3)])


@pytest.mark.parametrize("is_due", [False, True])
@pytest.mark.parametrize("other", [None, b"", b"other\n"])
def test_a_file_that_somebody_deletes_or_replaces_is_written_anew(
    desk: Desk, other: bytes | None, is_due: bool
) -> None:
    desk.add(3, evening(3)[:9])
    desk.copy()
    (file,) = files(desk.stick)
    file.unlink()
    if other is not None:
        file.write_bytes(other)
    if is_due:
        desk.add(3, evening(3)[9:12])
    desk.copy()
    best = max(files(desk.stick), key=lambda one: one.stat().st_size)
    assert same(exported(best), desk.exported()[named(3)])


def test_one_of_two_that_write_the_same_file_is_never_left_behind(desk: Desk) -> None:
    """The card of a table was copied, and both write to one share."""
    twin = Desk(desk.data.with_name("twin"), desk.stick)
    with closing(twin.store):
        twin.store.table_id = desk.store.table_id
        for table in (desk, twin):
            table.add(3, evening(3)[:9])
            table.copy()
        for number in range(9, 20):
            desk.add(3, evening(3)[number : number + 1])
            twin.add(3, evening(4)[number : number + 1])
            for table in (desk, twin):
                table.copy()
                copied = map(exported, files(desk.stick))
                assert any(same(one, table.exported()[named(3)]) for one in copied)


def test_what_cannot_be_read_keeps_nothing_else_from_being_copied(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = desk.stick / FOLDER / desk.store.table_id
    own.mkdir(parents=True)
    desk.add(3, evening(3)[:9])
    desk.copy()
    (file,) = files(desk.stick)
    whole, tell_not = file.read_bytes(), os.posix_fadvise
    others = [own / f"{name}{ENDING}" for name in ("bad", "nobody", "\udce4")]
    for path in others:
        path.write_bytes(whole)
    with (own / f"huge{ENDING}").open("wb") as huge:
        huge.write(whole)
        huge.truncate(1 << 40)

    def advise(handle: int, *how: int) -> None:
        path = os.readlink(f"/proc/self/fd/{handle}")
        if "bad" in path:
            raise OSError(errno.EIO, "a bad sector")
        if "nobody" in path:
            raise PermissionError(errno.EACCES, "somebody else's")
        tell_not(handle, *how)

    monkeypatch.setattr(os, "posix_fadvise", advise)
    desk.copier = Copier(desk.stick, desk.reading)
    desk.add(3, evening(3)[9:12])
    desk.copy()
    assert same(exported(file), desk.exported()[named(3)])
    assert not desk.copier.found


def test_a_form_of_an_earlier_companion_is_the_same_game(desk: Desk) -> None:
    """Entries get new fields, with a value for those that were written before."""
    desk.add(3, evening(3)[:9])
    desk.copy()
    (file,) = files(desk.stick)
    old, last = b"", SEED
    for _, entry in lines_of(BytesIO(file.read_bytes())):
        entry = msgspec.json.format(entry, indent=0).replace(b":", b" :")
        last = sum_after(last, entry)
        old += last + b" " + entry + b"\n"
    file.write_bytes(old)
    desk.add(3, evening(3)[9:12])
    desk.copier = Copier(desk.stick, desk.reading)
    desk.copy()
    assert not desk.copier.found
    assert same(exported(*files(desk.stick)), desk.exported()[named(3)])


# Two tables, and a table that knows less than the stick.


def test_two_tables_with_two_sticks_and_one_in_the_other_mix_nothing(
    tmp_path: Path,
) -> None:
    one = Desk(tmp_path / "one", tmp_path / "first")
    two = Desk(tmp_path / "two", tmp_path / "second")
    with closing(one.store), closing(two.store):
        one.add(4, evening(4)[:20])
        two.add(5, evening(5)[:20])
        one.copy()
        two.copy()
        assert not one.copier.found
        two.copier = Copier(one.stick, two.reading)
        two.copy()
        (copy,) = two.copier.found
        assert (copy.game_id, copy.count, copy.here) == (named(4), 20, 0)
        assert copy.people[:2] == ("Red", "Blue")
        # The same game goes on at both, each in its own way.
        import_game(two.journals, exported(one.stick / copy.file), builtin)
        one.add(4, evening(4)[20:30])
        two.add(4, evening(9)[20:25])
        for _ in range(2):
            two.copy()
            one.copier = Copier(one.stick, one.reading)
            one.copy()
            two.copier = Copier(one.stick, two.reading)
        two.copy()
        folder = one.stick / FOLDER
        for table in (one, two):
            for game_id, export in table.exported().items():
                path = folder / table.store.table_id / f"{game_id}-1{ENDING}"
                assert same(exported(path), export)
        found = {copy.game_id: copy for copy in one.copier.found}
        assert (found[named(4)].is_other, found[named(4)].count) == (True, 25)
        assert (found[named(5)].is_other, found[named(5)].here) == (False, 0)


def test_a_table_that_was_restored_begins_another_file_and_says_what_lies_there(
    desk: Desk, tmp_path: Path
) -> None:
    entries = evening(6)
    desk.add(6, entries[:30])
    desk.copy()
    older = Desk(tmp_path / "older", desk.stick)
    with closing(older.store):
        older.store.table_id = desk.store.table_id
        older.add(6, entries[:20])
        older.copy()
        (copy,) = older.copier.found
        assert (copy.count, copy.here, copy.is_other) == (30, 20, False)
        first, second = files(desk.stick)
        assert same(exported(first), desk.exported()[named(6)])
        assert same(exported(second), older.exported()[named(6)])
        import_game(older.journals, exported(first), builtin, here=20)
        older.copier = Copier(desk.stick, older.reading)
        older.copy()
        assert not older.copier.found
        assert same(exported(first), older.exported()[named(6)])


def test_a_game_that_was_thrown_away_and_came_back_otherwise_is_not_mixed(
    desk: Desk,
) -> None:
    desk.add(7, evening(7)[:20])
    desk.copy()
    desk.journals.remove(named(7), "", ())
    other = [evening(7)[0], *evening(8)[1:26]]
    desk.add(7, other)
    desk.copy()
    first, second = files(desk.stick)
    assert exported(first).count(b"command_id") == 20
    assert same(exported(second), desk.exported()[named(7)])


def test_decks_and_editions_are_copied_once_each(desk: Desk, tmp_path: Path) -> None:
    folder = desk.data / "decks"
    folder.mkdir()
    (folder / "ours.deck").write_bytes(b"first")
    (folder / ".half").write_bytes(b"no")
    desk.copy()
    (folder / "ours.deck").write_bytes(b"second one")
    desk.copy()
    desk.copy()
    first, second = sorted(desk.stick.rglob("*.deck"), key=lambda x: x.stat().st_size)
    assert (first.read_bytes(), second.read_bytes()) == (b"first", b"second one")
    second.write_bytes(b"sec")
    desk.copier = Copier(desk.stick, desk.reading)
    desk.copy()
    assert second.read_bytes() == b"second one"
    second.write_bytes(b"sec")
    take_files(desk.stick, tmp_path / "new")
    assert (tmp_path / "new" / "decks" / "ours.deck").read_bytes() == b"first"
    assert [x.name for x in (tmp_path / "new").rglob("*.*")] == ["ours.deck"]


def test_long_games_are_copied_in_batches(desk: Desk) -> None:
    entries = evening(10)[:1]
    for revision in range(2, 2 * BATCH + 3):
        event = BalanceCorrected(account=Account("bank"), was=0, now=0)
        entries.append(
            Entry(Revision(revision), f"entry-{revision}", "table", TimeMs(0), (event,))
        )
    desk.add(10, entries)
    assert [desk.copier.copy() for _ in range(5)] == [True, True, True, False, False]
    assert same(exported(*files(desk.stick)), desk.exported()[named(10)])


def test_a_file_without_a_game_is_refused() -> None:
    with pytest.raises(Malformed, match="there is no game in that file"):
        export_of(b"nothing\n")
