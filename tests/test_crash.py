"""Killed with -9 in the middle of everything, nothing that was promised is lost.

Goal: whatever a phone was told is on disk once, whenever the plug is pulled.
Method: a child process plays on a real store from three threads and prints each
receipt; it is killed after a random number of receipts and a random moment more.
The same directory is used again and again, so that each round also starts on
what the last kill left. The seed of a failing round is in its message.

What this cannot show: a kernel or a disk that lies about having written.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import selectors
import signal
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from companion.game.envelope import Envelope, Receipt
from companion.game.events import Undone
from companion.game.journal import Entry, Journal
from companion.store import Database, Journals
from companion.table import build_table
from companion.units import Revision, TimeMs
from tests.crash_child import play_until_killed
from tests.fakes import FakeClock
from tests.running import PATIENCE_S
from tests.sample import volume
from tests.scene import pay


def check_books(
    directory: Path, game: str, promised: Mapping[str, int], clue: str = ""
) -> int:
    """Assert that a table that was killed still holds all it promised.

    Opens *directory* as a restarted companion would, so nobody else may have it.

    Args:
        directory: Where the journal is.
        game: The game's id.
        promised: Revision by command id, of every receipt that anybody got.
        clue: What leads back to this round, for the message.

    Returns:
        How many entries the journal has.
    """
    database = Database(directory)
    try:
        journals = Journals(database)
        table = build_table(database, FakeClock()).service
        entries = tuple(journals.entries(game))
        _check_entries(entries, promised, clue)
        live = table.game(game)
        replay = Journal(lambda after: entries[after:])
        for entry in entries:
            replay.append(entry)
        assert replay.game == live, f"{clue}: the replay differs"
        balances = {account: live.ledger[account] for account in live.ledger}
        assert sum(balances.values()) == 0, f"{clue}: {balances}"
        for command_id in list(promised)[-20:]:
            entry = next(x for x in entries if x.command_id == command_id)
            same = pay("red", "blue", 1, entry.actor)
            again = table.submit(game, Envelope(same, command_id))
            first = Receipt(entry.revision, is_repeat=True)
            assert again == first, f"{clue}: {command_id} was carried out again"
        assert table.game(game) == live, f"{clue}: a repeated tap moved something"
        return len(entries)
    finally:
        database.close()


def _check_entries(
    entries: tuple[Entry, ...], promised: Mapping[str, int], clue: str
) -> None:
    revisions = [entry.revision for entry in entries]
    assert revisions == list(range(1, len(entries) + 1)), f"{clue}: {revisions}"
    on_disk = {entry.command_id: entry.revision for entry in entries}
    assert len(on_disk) == len(entries), f"{clue}: a command is there twice"
    for entry in entries:
        check_group(entry, clue)
    lost = {
        command_id: revision
        for command_id, revision in promised.items()
        if on_disk.get(command_id) != revision
    }
    assert not lost, f"{clue}: promised but not on disk: {lost}"


def check_group(entry: Entry, clue: str = "") -> int:
    """Assert that several steps were taken back whole, and give how many they were."""
    _, _, oldest = entry.command_id.partition("-to-")
    if not oldest:
        return 0
    undone = [one.revision for one in entry.events if isinstance(one, Undone)]
    assert len(undone) == len(entry.events), f"{clue}: {entry}"
    assert undone[-1] == int(oldest), f"{clue}: only part of it was taken back"
    assert undone == sorted(undone, reverse=True), f"{clue}: {undone}"
    return len(undone)


# Forked from a process that has imported everything and runs no thread: starting
# Python anew took most of a round.
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.crash_child", "tests.vault_child"])


class Victim:
    """A child that plays; reads its promises as they come.

    Args:
        directory: The folder it plays on.
        number: Tells *play* what to do: which round it is, or which step comes next.
        play: What the child does.
    """

    def __init__(
        self,
        directory: Path,
        number: int,
        play: Callable[[Connection, Path, int], None] = play_until_killed,
    ) -> None:
        self._reader, writer = FORKS.Pipe(duplex=False)
        self.process = FORKS.Process(target=play, args=(writer, directory, number))
        self.process.start()
        writer.close()  # The child's own end closes when it dies.
        self._out = self._reader.fileno()
        self._text = b""

    def read_until(self, lines_count: int) -> None:
        """Wait until so many lines have come."""
        give_up = time.monotonic() + PATIENCE_S
        with selectors.DefaultSelector() as selector:
            selector.register(self._out, selectors.EVENT_READ)
            while self._text.count(b"\n") < lines_count:
                if not selector.select(give_up - time.monotonic()):
                    break
                chunk = os.read(self._out, 65_536)
                if not chunk:
                    break
                self._text += chunk
        assert self._text.count(b"\n") >= lines_count, self._complaint()

    def kill(self, after_s: float) -> tuple[str, dict[str, int]]:
        """Kill it *after_s* from now; return the game and all it promised."""
        # Reading goes on meanwhile: a full pipe must not be what stops it.
        give_up = time.monotonic() + after_s
        with selectors.DefaultSelector() as selector:
            selector.register(self._out, selectors.EVENT_READ)
            while (left := give_up - time.monotonic()) > 0:
                if selector.select(left):
                    chunk = os.read(self._out, 65_536)
                    assert chunk, self._complaint()
                    self._text += chunk
        self.process.kill()
        while chunk := os.read(self._out, 65_536):
            self._text += chunk
        self.process.join(PATIENCE_S)
        assert self.process.exitcode == -signal.SIGKILL, self._complaint()
        self._reader.close()
        return self._promises()

    def _promises(self) -> tuple[str, dict[str, int]]:
        whole, _, _ = self._text.rpartition(b"\n")  # The last may be cut off.
        words = [line.split() for line in whole.decode().splitlines()]
        games = [word[1] for word in words if word[0] == "game"]
        return (games or [""])[0], {
            word[1]: int(word[2]) for word in words if word[0] == "ack"
        }

    def _complaint(self) -> str:
        self.process.kill()
        return f"the child stopped by itself: {self.process.exitcode}"


def kill_rounds(directory: Path, rounds: int, seed: int, first: int = 0) -> int:
    """Play and kill *rounds* times; return how many promises were checked."""
    dice = random.Random(seed)
    promised: dict[str, int] = {}
    for round_number in range(first, first + rounds):
        acks, after_s = dice.randint(0, 40), dice.uniform(0, 0.01)
        clue = f"seed {seed}, round {round_number}, {acks} acks + {after_s:.4f} s"
        victim = Victim(directory, round_number)
        victim.read_until(1 + acks)
        game, more = victim.kill(after_s)
        promised |= more
        check_books(directory, game, promised, clue)
    return len(promised)


def test_what_was_promised_survives_kill_9(tmp_path: Path) -> None:
    seed = random.randrange(1_000_000)
    for first in range(0, 50, 5):
        assert kill_rounds(tmp_path, rounds=5, seed=seed + first, first=first) > 0
        if _has_snapshot(tmp_path):
            return  # Where a machine is busy, some kills come before the first.
    pytest.fail("no kill met a snapshot")


def _has_snapshot(directory: Path) -> bool:
    with closing(Database(directory)) as database:
        journals = Journals(database)
        (game,) = journals.games()
        return journals.snapshots.latest(game.game_id) is not None


@pytest.mark.parametrize("evening", volume(range(8)))
def test_what_was_promised_survives_kill_9_at_200_moments(
    tmp_path: Path, evening: int
) -> None:
    """Eight evenings of 25 kills each."""
    seed = random.randrange(1_000_000)
    assert kill_rounds(tmp_path, rounds=25, seed=seed) >= 25


def test_a_companion_killed_while_it_starts_starts_again(tmp_path: Path) -> None:
    """The first start makes the file; each kill may leave any part of it."""
    dice = random.Random(5)
    for round_number in range(8):
        directory = tmp_path / str(round_number)
        victim = Victim(directory, round_number)
        victim.kill(dice.uniform(0, 0.06))
        survivor = Victim(directory, 9)
        survivor.read_until(3)
        game, promised = survivor.kill(0)
        check_books(directory, game, promised, f"start {round_number}")


def test_several_steps_are_taken_back_whole_or_not_at_all(tmp_path: Path) -> None:
    """Killed while the banker takes back several at once, again and again."""
    dice, groups = random.Random(11), 0
    for round_number in range(4):
        victim = Victim(tmp_path, round_number)
        victim.read_until(30)
        game, promised = victim.kill(dice.uniform(0, 0.01))
        check_books(tmp_path, game, promised, f"round {round_number}")
    database = Database(tmp_path)
    try:
        for entry in Journals(database).entries(game):
            groups += check_group(entry) > 1
    finally:
        database.close()
    assert groups > 0


def test_a_group_that_is_only_half_taken_back_is_seen() -> None:
    undone = (Undone(revision=Revision(9)), Undone(revision=Revision(8)))
    entry = Entry(Revision(10), "red-0-000001-to-7", "bank", TimeMs(0), undone)
    with pytest.raises(AssertionError, match="only part"):
        check_group(entry)


def test_the_checker_sees_what_is_missing_or_double(tmp_path: Path) -> None:
    """A proof that cannot fail proves nothing."""
    victim = Victim(tmp_path, 0)
    victim.read_until(12)
    game, promised = victim.kill(0)
    check_books(tmp_path, game, promised)
    with pytest.raises(AssertionError, match="promised but not on disk"):
        check_books(tmp_path, game, {**promised, "never-written": 7})
    wrong = {command_id: revision + 1 for command_id, revision in promised.items()}
    with pytest.raises(AssertionError, match="promised but not on disk"):
        check_books(tmp_path, game, wrong)
    entries = check_books(tmp_path, game, promised)
    database = Database(tmp_path)
    with database.transaction() as connection:
        connection.exec_driver_sql(f"DELETE FROM entries WHERE revision = {entries}")
    database.close()
    with pytest.raises(AssertionError, match="promised but not on disk"):
        check_books(tmp_path, game, {**promised, "the-last-one": entries})
