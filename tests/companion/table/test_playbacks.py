"""A long game is played back beside the table once it is open, and damage is said."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from companion.errors import DamagedGame, JournalFault, Malformed
from companion.game import commands as c
from companion.game.envelope import Envelope
from companion.game.journal import EVERY, WINDOW
from companion.store import Database, Journals, Store, schema
from companion.store import journals as store
from companion.table import TableService, build_table, playbacks
from companion.table.playbacks import DELAY_MS, PAUSE_MS
from companion.units import GameId
from hardware.clock import SystemClock
from tests.databases import ON_BOTH, of_file
from tests.fakes import FakeClock
from tests.long_game import BLUE, POORER, RED, damage, long_game
from tests.scene import pay

pytestmark = ON_BOTH

LONG = 2 * EVERY - 10
WHOLE_MS = 10_000
"""More than a playback takes by the clock, with all its pauses."""


class Room:
    """A table with one long game, which has a snapshot, and one short one."""

    def __init__(self, folder: Path, count: int = LONG) -> None:
        self.database: Store = Database(folder)
        self.game = long_game(Journals(self.database), count)
        self.clock = FakeClock()
        self.table = build_table(self.database, self.clock).service
        self.table.game(self.game)  # Which takes the snapshot.
        self.short = self.table.open_game("classic", "Sunday", "command-short")
        self.ids = 0
        self.restart()

    def restart(self) -> None:
        self.table.close()
        self.clock = FakeClock()
        self.table = build_table(self.database, self.clock).service

    def pay(self) -> None:
        self.ids += 1
        tap = Envelope(pay("red", "blue", 1), f"command-new-{self.ids}")
        self.table.submit(self.game, tap)

    def check_is_closed(self) -> None:
        """Expect that nobody can look into the game, or tap, and others go on."""
        for act in (
            self.pay,
            lambda: self.table.game(self.game),
            lambda: self.table.seat_view(self.game, "red"),
            lambda: self.table.each_entry(self.game),
            lambda: self.table.play_back(self.game),
            lambda: self.table.remove_game(self.game),
        ):
            with pytest.raises(DamagedGame, match="entries and snapshot disagree"):
                act()
        self.table.game(self.short)
        self.ids += 1
        self.clock.advance(9)  # The game on the table is the one that came last.
        close = Envelope(c.CloseGame(by=c.TABLE), f"command-close-{self.ids}")
        self.table.submit(self.short, close)
        self.short = self.table.open_game("classic", "New", f"command-open-{self.ids}")
        assert self.table.current() == self.short


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    made = Room(tmp_path)
    yield made
    made.table.close()
    made.database.close()


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


def snapshot(database: Store) -> tuple[object, ...] | None:
    with database.transaction() as connection:
        return connection.execute(schema.snapshots.select()).first()


def test_ten_seconds_after_it_opened_a_damaged_game_is_closed(room: Room) -> None:
    damage(room.database, room.game, *POORER)
    evidence = snapshot(room.database)
    for _ in range(2):  # A restart finds the same.
        room.restart()
        listener = room.table.subscribe({room.game})
        room.pay()
        room.clock.advance(DELAY_MS - 1)
        latest = room.table.revision(room.game)
        assert listener.wait(0) == {room.game: latest}
        room.clock.advance(WHOLE_MS)
        assert listener.wait(0) == {room.game: latest + 1}
        room.check_is_closed()
        assert snapshot(room.database) == evidence
        room.table.notices.unsubscribe(listener)


def test_a_sound_game_is_played_back_once_and_goes_on(
    room: Room, decoded: list[bytes]
) -> None:
    room.pay()
    decoded.clear()
    room.clock.advance(DELAY_MS)
    assert len(decoded) < LONG, "a part at a time"
    room.clock.advance(PAUSE_MS)
    room.pay()
    room.clock.advance(WHOLE_MS)
    assert len(decoded) == LONG + 2
    room.table.play_back(room.game)
    room.clock.advance(WHOLE_MS)
    assert len(decoded) == LONG + 2
    assert room.clock.waiting_count == 0
    room.pay()


def test_a_short_game_is_not_played_back(room: Room) -> None:
    room.table.game(room.short)
    assert room.clock.waiting_count == 0


def test_a_new_snapshot_waits_for_the_playback(room: Room) -> None:
    """It would take the place of the only witness."""
    before = snapshot(room.database)
    for _ in range(2 * EVERY - LONG + WINDOW):
        room.pay()
    assert snapshot(room.database) == before
    room.clock.advance(DELAY_MS + WHOLE_MS)
    room.pay()
    after = snapshot(room.database)
    assert before is not None
    assert after is not None
    assert (before[1], after[1]) == (EVERY, 2 * EVERY)


def test_a_game_that_grew_is_compared_where_its_snapshot_was_taken(room: Room) -> None:
    damage(room.database, room.game, *POORER)
    for _ in range(2 * EVERY - LONG + 1):
        room.pay()
    room.clock.advance(DELAY_MS)
    room.pay()
    room.clock.advance(WHOLE_MS)
    room.check_is_closed()


def test_an_undo_that_reads_the_damaged_entries_hides_nothing(room: Room) -> None:
    damage(room.database, room.game, *POORER)
    before = room.table.game(room.game)
    while room.table.game(room.game).undoable[-1].revision > EVERY:
        oldest = room.table.game(room.game).undoable[0]
        undo = c.UndoTo(by=c.TABLE, revision=oldest.revision)
        room.table.submit(room.game, Envelope(undo, f"command-undo-{oldest.revision}"))
    after = room.table.game(room.game)
    assert sum(before.ledger[seat] for seat in (RED, BLUE)) == 2 * 1_500
    assert sum(after.ledger[seat] for seat in (RED, BLUE)) == 2 * 1_500 - 8
    room.clock.advance(DELAY_MS + WHOLE_MS)
    room.check_is_closed()


def test_an_export_does_not_wait_for_it(room: Room) -> None:
    damage(room.database, room.game, *POORER)
    with pytest.raises(DamagedGame):
        room.table.play_back(room.game)
    room.check_is_closed()
    room.clock.advance(DELAY_MS + WHOLE_MS)
    room.check_is_closed()


def test_of_two_long_games_one_is_played_back_after_the_other(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = long_game(Journals(room.database), LONG, "command-other")
    room.restart()
    room.table.game(other)
    room.restart()
    read: list[GameId] = []
    entries = Journals._read

    def reading(self: Journals, journal_id: GameId, *args: object, **more: int):
        read.append(journal_id)
        return entries(self, journal_id, *args, **more)

    damage(room.database, other, *POORER)
    room.table.game(other)
    room.table.game(room.game)
    monkeypatch.setattr(Journals, "_read", reading)
    room.clock.advance(DELAY_MS + WHOLE_MS)
    assert read == sorted(read, key=[other, room.game].index)
    assert set(read) == {other, room.game}
    room.pay()
    with pytest.raises(DamagedGame):
        room.table.game(other)


@pytest.mark.parametrize("moment_ms", [0, DELAY_MS, DELAY_MS + 4 * PAUSE_MS])
def test_a_game_may_be_put_away_and_removed_meanwhile(
    room: Room, moment_ms: int
) -> None:
    damage(room.database, room.game, *POORER)
    room.table.game(room.game)
    room.clock.advance(moment_ms)
    close = Envelope(c.CloseGame(by=c.TABLE), "command-close")
    room.table.submit(room.game, close)
    room.clock.advance(PAUSE_MS)
    room.table.remove_game(room.game)
    room.clock.advance(DELAY_MS + WHOLE_MS)
    assert room.clock.waiting_count == 0
    with pytest.raises(Malformed):
        room.table.game(room.game)
    assert room.table.open_game("classic", "Friday", "command-open") == room.game
    room.table.game(room.game)


def test_a_game_that_was_put_away_meanwhile_is_closed_all_the_same(room: Room) -> None:
    damage(room.database, room.game, *POORER)
    room.table.game(room.game)
    room.clock.advance(DELAY_MS)
    close = Envelope(c.CloseGame(by=c.TABLE), "command-close")
    room.table.submit(room.game, close)
    room.clock.advance(WHOLE_MS)
    room.check_is_closed()


@pytest.mark.parametrize("moment_ms", [0, DELAY_MS])
def test_a_table_that_is_closed_meanwhile_reads_nothing_more(
    room: Room, decoded: list[bytes], moment_ms: int
) -> None:
    room.table.game(room.game)
    room.clock.advance(moment_ms)
    decoded.clear()
    room.table.close()
    room.clock.advance(DELAY_MS + WHOLE_MS)
    assert decoded == []
    assert room.clock.waiting_count == 0


def test_a_game_that_cannot_be_opened_is_not_read_again_and_again(
    room: Room, decoded: list[bytes]
) -> None:
    damage(room.database, room.game, LONG - 1, b"payer", b"prayer")
    room.restart()
    for number in range(3):
        with pytest.raises(DamagedGame, match=f"entry {LONG - 1} is unreadable"):
            room.table.game(room.game)
        assert room.table.current() == room.short
        assert bool(decoded) == (number == 0)
        decoded.clear()


def test_a_disk_that_fails_meanwhile_says_nothing_about_the_game(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    damage(room.database, room.game, *POORER)
    room.table.game(room.game)

    def fails(*_: object, **__: object) -> None:
        raise JournalFault("the disk does not answer")

    with monkeypatch.context() as broken:
        broken.setattr(Journals, "_read", fails)
        room.clock.advance(DELAY_MS)
        with pytest.raises(JournalFault, match="does not answer"):
            room.table.play_back(room.game)
    room.pay()
    room.clock.advance(2 * DELAY_MS - 1)
    room.pay()
    room.clock.advance(WHOLE_MS)
    room.check_is_closed()


@of_file
def test_the_game_is_free_meanwhile(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.table.game(room.game)
    was_free: list[bool] = []
    read = store.events_from_json
    with ThreadPoolExecutor(1) as other_phone:

        def reading(text: bytes) -> tuple[object, ...]:
            if len(was_free) < 3:
                was_free.append(other_phone.submit(is_free, room).result())
            return read(text)

        monkeypatch.setattr(store, "events_from_json", reading)
        room.clock.advance(DELAY_MS)
    assert was_free == [True] * 3


def is_free(room: Room) -> bool:
    lock = room.table.alone_with(room.game)
    is_mine = bool(lock.acquire(blocking=False))  # type: ignore[attr-defined]
    if is_mine:
        lock.release()  # type: ignore[attr-defined]
    return is_mine


@of_file
def test_a_real_clock_finds_it_in_its_own_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Room(tmp_path)
    damage(made.database, made.game, *POORER)
    monkeypatch.setattr(playbacks, "DELAY_MS", 0)
    with closing(made.database), closing(SystemClock()) as clock:
        table: TableService = build_table(made.database, clock).service
        listener = table.subscribe({made.game})
        with closing(table):
            table.game(made.game)
            assert listener.wait(30) == {made.game: LONG + 1}
            with pytest.raises(DamagedGame):
                table.game(made.game)
