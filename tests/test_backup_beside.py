"""A backup beside a table that serves: every game of one moment, and nobody waits.

Goal: a backup that the real command makes while twenty phones tap is a state that the
table was in. Method: five games in one running table, four phones each, paying over
HTTP as fast as they may; ``companion backup`` is typed again and again. Each backup is
restored by ``companion restore`` and compared, by SQL alone, with what the table kept
in the end: each game must be its beginning. That all games are of one moment is told
by the phones, which note when they sent a payment and when its answer came: what is in
the backup was sent before some instant, and what is not was answered after it.
"""

from __future__ import annotations

import http.client
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from click.testing import CliRunner

from cli import main
from companion.health import Condition
from companion.store.books import look_at_books
from tests.phone_http import HttpPhone, let_in, open_table
from tests.running import PATIENCE_S, ROOT, RunningTable
from tests.sample import proven

SEATS = (("red", "hat"), ("blue", "car"), ("green", "duck"), ("orange", "cat"))
GAMES = 5
TAPS_BETWEEN = 25
"""How many more payments are answered before the next backup begins."""

Rows = list[tuple[Any, ...]]
Run = Callable[..., str]


def here(*words: str, database: str = "") -> str:
    """Run the program's command in this process, which is quicker; it must succeed."""
    done = CliRunner().invoke(main, words, env={"COMPANION_DATABASE": database})
    assert done.exit_code == 0, done.output
    return done.output


def apart(*words: str, database: str = "") -> str:
    """Run the real program in a process of its own; it must succeed."""
    known = {k: v for k, v in os.environ.items() if "COMPANION" not in k}
    done = subprocess.run(
        [sys.executable, "-m", "cli", *words],
        cwd=ROOT,
        env=known | ({"COMPANION_DATABASE": database} if database else {}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class Load:
    """Twenty phones at five games, each with its own connection.

    Attributes:
        times: Game -> revision -> when its payment was sent and when it was answered.
    """

    def __init__(self, address: str, code: str) -> None:
        game, host, phones = open_table(address, code, SEATS)
        games = [(game, phones)]
        for number in range(1, GAMES):
            form = {"edition": "classic", "name": f"Load {number}"}
            _, where = host.post("/games", **form, command_id=f"open-game-{number}")
            games.append((where.split("/")[2], []))
            for colour, token in SEATS:
                games[-1][1].append(
                    self._sat(address, host, games[-1][0], colour, token)
                )
        host.close()
        self.times: dict[str, dict[int, tuple[float, float]]] = {
            g: {} for g, _ in games
        }
        self._is_over = threading.Event()
        self._threads = [
            threading.Thread(target=self._pay, args=(phone, game, place))
            for game, phones in games
            for place, phone in enumerate(phones)
        ]

    def _sat(
        self, address: str, host: HttpPhone, game: str, colour: str, token: str
    ) -> HttpPhone:
        phone, form = HttpPhone(address), {"name": colour, "colour": colour}
        phone.get(f"/g/{game}/join")
        words = form | {"token": token, "command_id": f"sit-down-{game}-{colour}"}
        assert phone.post(f"/g/{game}/join", **words)[0] == 303
        let_in(host, game)
        phone.close()
        return phone

    def _pay(self, phone: HttpPhone, game: str, place: int) -> None:
        payer, payee = SEATS[place][0], SEATS[(place + 1) % len(SEATS)][0]
        payment = {"type": "Pay", "payer": payer, "payee": payee, "amount": 1}
        number = 0
        try:
            while not self._is_over.is_set():
                number += 1
                sent = time.monotonic()
                status, answer = phone.command(game, f"{payer}-{number:06d}", **payment)
                if status == 429:  # Faster than a thumb may be: it says when to go on.
                    self._is_over.wait(0.02)
                    continue
                assert status == 200, answer
                self.times[game][answer["revision"]] = sent, time.monotonic()
        except (http.client.HTTPException, OSError):
            assert self._is_over.is_set(), "the table went away"
        finally:
            phone.close()

    @property
    def answers_count(self) -> int:
        """How many payments were answered so far."""
        return sum(len(times) for times in self.times.values())

    def wait_for(self, answers_count: int) -> None:
        """Wait until so many payments were answered."""
        give_up = time.monotonic() + PATIENCE_S
        while self.answers_count < answers_count:
            assert time.monotonic() < give_up, f"{self.answers_count} answers"
            self._is_over.wait(0.005)

    @contextmanager
    def going_on(self) -> Iterator[None]:
        """Let all phones pay during the block."""
        for thread in self._threads:
            thread.start()
        try:
            yield
        finally:
            self._is_over.set()
            for thread in self._threads:
                thread.join()


def entries_of(rows: Rows) -> dict[str, Rows]:
    """Return the entries of each journal, in order."""
    found: dict[str, Rows] = {}
    for journal, *entry in sorted(rows):
        found.setdefault(journal, []).append(tuple(entry))
    return found


ENTRIES = "journal, revision, command_id, actor, at_ms, events"
TABLES = {
    "entries": f"SELECT {ENTRIES} FROM entries",
    "holdings": "SELECT journal, seat, phone FROM holdings",
    "phones": "SELECT phone, token_sha256 FROM phones",
}


def state_of(data: Path, database: str = "") -> dict[str, Rows]:
    """Return what is on disk, read without any code of the companion's."""
    if database:
        with psycopg.connect(database) as server:
            return {
                name: sorted(server.execute(query.encode()).fetchall())
                for name, query in TABLES.items()
            }
    with closing(sqlite3.connect(data / "companion.sqlite")) as file:
        return {name: sorted(file.execute(q)) for name, q in TABLES.items()}


def moment_of(
    counts: Mapping[str, int], load: Load, begun: float, ended: float
) -> tuple[float, float]:
    """Return between which instants each game had just that many entries.

    There was none if the first is later than the second.
    """
    after, before = begun, ended
    for game, times in load.times.items():
        after = max([after, *(t[0] for r, t in times.items() if r <= counts[game])])
        before = min([before, *(t[1] for r, t in times.items() if r > counts[game])])
    return after, before


def check_backups(
    tmp_path: Path,
    load: Load,
    live: dict[str, Rows],
    made: list[tuple[float, float]],
    run: Run,
) -> None:
    """Restore each backup, and expect a state that the table was in."""
    whole, all_counts = entries_of(live["entries"]), []
    for number, (begun, ended) in enumerate(made):
        restored = tmp_path / f"restored-{number}"
        file = str(tmp_path / f"{number}.zip")
        said = run("restore", file, "--data", str(restored))
        assert said == f"{GAMES} games restored to {restored}\n"
        books = look_at_books(restored)
        assert books.condition is Condition.OK, books
        state = state_of(restored)
        assert state["holdings"] == live["holdings"]
        assert state["phones"] == live["phones"]
        kept = entries_of(state["entries"])
        assert kept.keys() == whole.keys()
        for game, entries in kept.items():
            assert entries == whole[game][: len(entries)], f"backup {number}, {game}"
        all_counts.append({game: len(entries) for game, entries in kept.items()})
        after, before = moment_of(all_counts[-1], load, begun, ended)
        assert after <= before, f"backup {number} is of no moment"
    # It would be seen if games were copied one after the other.
    one, other = all_counts[0], all_counts[-1]
    first = next(iter(load.times))
    mixed = {**other, first: one[first]}
    after, before = moment_of(mixed, load, made[0][0], made[-1][1])
    assert after > before, "two backups are of the same moment; wait for more between"


def prove(tmp_path: Path, database: str, backups_count: int, run: Run) -> None:
    data = tmp_path / "data"
    data.mkdir()
    made = []
    with RunningTable(data, vault="--no-vault", database=database) as table:
        assert table.code is not None
        load = Load(table.address, table.code)
        with load.going_on():
            for number in range(backups_count):
                load.wait_for(load.answers_count + TAPS_BETWEEN)
                begun, file = time.monotonic(), str(tmp_path / f"{number}.zip")
                said = run("backup", file, "--data", str(data), database=database)
                made.append((begun, time.monotonic()))
                assert f": {GAMES} games, " in said
            with pytest.raises(AssertionError, match="open in another companion"):
                run("restore", file, "--data", str(data), database=database)
            load.wait_for(load.answers_count + TAPS_BETWEEN)
        assert table.stop() == 0
    check_backups(tmp_path, load, state_of(data, database), made, run)


@pytest.mark.parametrize("backups_count", [2, *proven([20])])
def test_each_backup_beside_twenty_phones_is_a_moment_of_the_table(
    tmp_path: Path, backups_count: int
) -> None:
    prove(tmp_path, "", backups_count, here if backups_count == 2 else apart)


@pytest.mark.slow
def test_each_backup_beside_twenty_phones_on_postgresql_is_one_too(
    tmp_path: Path, postgres_url: str
) -> None:
    prove(tmp_path, postgres_url, 20, apart)
