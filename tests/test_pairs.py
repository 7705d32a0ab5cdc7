"""A pair of servers on one PostgreSQL: whatever dies, what was answered counts once.

Method: five tables of four phones pay each other through a real Caddy; again and again
the server that writes is killed, or PostgreSQL loses its power, or the writer's
connection is cut. Each phone taps until it is answered; in the end the books of each
game have what was answered, and nothing else.
"""

from __future__ import annotations

import http.client
import json
import os
import signal
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Self
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

import psycopg
import pytest

from benchmarks import club
from tests import caddy
from tests.caddy import HERE, Caddy, until
from tests.pairs import HOLDERS, Pair, asked
from tests.postgres import Server, missing
from tests.running import PATIENCE_S, free_port
from tests.sample import proven, volume

pytestmark = [
    pytest.mark.skipif(caddy.PROGRAM is None, reason=caddy.NO_CADDY),
    pytest.mark.skipif(bool(missing()), reason=missing()),
]

LOOK_S = 0.005
GAPS = (
    "SELECT journal, count(*), max(revision), count(DISTINCT command_id) FROM entries"
    " GROUP BY journal HAVING count(*) <> max(revision)"
    " OR count(DISTINCT command_id) <> count(*)"
)
"""Games whose entries are not numbered without a gap, or have one tap twice."""

STRANGERS = """
CREATE SCHEMA watched;
CREATE TABLE watched.writes (pid integer, had_lock boolean);
CREATE FUNCTION watched.note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
INSERT INTO watched.writes SELECT pg_backend_pid(), EXISTS (SELECT FROM pg_locks
WHERE locktype = 'advisory' AND granted AND pid = pg_backend_pid()); RETURN NULL;
END $$;
CREATE TRIGGER note AFTER INSERT OR UPDATE OR DELETE ON entries
FOR EACH STATEMENT EXECUTE FUNCTION watched.note();
"""
"""Has PostgreSQL itself note whether who writes an entry has the writer's lock."""

AGAIN = {(502, "2"), (503, "2")}
"""What a page says that nobody could be asked for: its status, and when it repeats."""

PAID = "SELECT count(*) FROM entries WHERE command_id ~ '^(both-are|one-is)-'"


@pytest.fixture
def server() -> Iterator[Server]:
    """Start a PostgreSQL that may be killed."""
    with Server() as started:
        yield started


@pytest.fixture
def pair(server: Server, tmp_path: Path) -> Iterator[Pair]:
    with Pair(tmp_path, server.url("club"), "/1") as started:
        yield started


@pytest.fixture
def address(pair: Pair, tmp_path: Path) -> Iterator[str]:
    """Return the address of the pair, behind a proxy."""
    with Caddy(tmp_path, *pair.ports, free_port(), free_port()) as proxy:
        yield f"{proxy.address}/1"


def played(
    pair: Pair, address: str, what: str, times: int, kill: Callable[[], float]
) -> None:
    """Have a club play while *kill* is done so often; all must add up in the end."""
    load = club.Load(
        *(address, pair.code),
        tables=5,
        phones=4,
        play_s=850,
        pace_s=1.5,
        kill=kill,
        kill_every_s=0.5,
        kill_count=times,
    )
    told = club.run(load)
    found = told["takeovers_s"]
    assert isinstance(found, list)
    waits = [one for one in found if one is not None]
    figures = {
        "what": what,
        "n": len(waits),
        "median_s": round(statistics.median(waits), 2),
        "longest_s": max(waits),
        "acknowledged": told["acknowledged"],
        "payments": told["payments"],
    }
    sys.stdout.write(f"{json.dumps(figures)}\n")
    assert told["wrong_books"] == []
    assert len(waits) == len(found) == times, found
    assert asked(pair.url, GAPS) == []


@pytest.mark.parametrize("times", [*proven([3]), *volume([50])])
def test_kill_9_of_who_writes_loses_no_payment(
    pair: Pair, address: str, times: int
) -> None:
    def kill() -> float:
        pair.be_whole()
        os.kill(pair.writer()[1], signal.SIGKILL)
        return time.perf_counter()

    played(pair, address, "kill -9 of the server that writes", times, kill)
    assert sum(pair.ended) == times, pair.log()


@pytest.mark.parametrize("times", [*proven([2]), *volume([20])])
def test_postgres_without_power_loses_no_payment(
    server: Server, pair: Pair, address: str, times: int
) -> None:
    def kill() -> float:
        pair.be_whole()
        before = tuple(pair.ended)
        server.kill()
        at = time.perf_counter()
        server.start()
        until(lambda: all(x > y for x, y in zip(pair.ended, before, strict=True)))
        return at

    played(pair, address, "PostgreSQL killed and started again", times, kill)


class Watch:
    """Looks all the time who has the lock, over a connection of its own.

    Attributes:
        seen: The sessions that had it, one after another.
        looks: How often it has looked.
        wrong: What must never be: two at a time, or fewer entries than before.
    """

    def __init__(self, url: str) -> None:
        self.seen: list[int] = []
        self.looks = 0
        self.wrong: list[object] = []
        self._url, self._ending = url, threading.Event()
        self._thread = threading.Thread(target=self._look)

    def _look(self) -> None:
        entries = 0
        with psycopg.connect(self._url, autocommit=True) as connection:
            while not self._ending.wait(LOOK_S):
                holders = [row[0] for row in connection.execute(HOLDERS.encode())]
                row = connection.execute("SELECT count(*) FROM entries").fetchone()
                if row is None or row[0] < entries or len(holders) > 1:
                    self.wrong.append((holders, entries, row))
                    continue
                self.looks, entries = self.looks + 1, row[0]
                if holders and holders != self.seen[-1:]:
                    self.seen += holders

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        self._thread.join()


@pytest.mark.parametrize("times", [*proven([2]), *volume([10])])
def test_who_has_lost_the_lock_writes_nothing_more(
    pair: Pair, address: str, times: int
) -> None:
    with psycopg.connect(pair.url, autocommit=True) as connection:
        connection.execute(STRANGERS.encode())

    def cut() -> float:
        pair.be_whole()
        assert asked(pair.url, GAPS) == []
        asked(pair.url, f"SELECT pg_terminate_backend({pair.writer()[0]})")
        return time.perf_counter()

    with Watch(pair.url) as watch:
        played(pair, address, "the writer's connection cut", times, cut)
    writers = "SELECT DISTINCT pid, had_lock FROM watched.writes"
    assert watch.wrong == []
    assert watch.looks > times
    wrote = set(asked(pair.url, writers))
    assert wrote
    assert wrote <= {(x, True) for x in watch.seen}  # Some had no time to write.
    assert len(watch.seen) == times + 1


@pytest.mark.slow
def test_a_frozen_writer_keeps_its_lock_until_it_is_killed(pair: Pair) -> None:
    writer, other = pair.writer(), pair.other()
    asks = (
        "SELECT query_start FROM pg_stat_activity"
        f" WHERE application_name LIKE 'companion {other} on %'"
    )
    os.kill(writer[1], signal.SIGSTOP)
    try:
        times: set[object] = set()

        def has_asked_often() -> bool:
            times.update(row[0] for row in asked(pair.url, asks))
            return len(times) > 4

        until(has_asked_often, pair.log)
        assert pair.writer() == writer
    finally:
        os.kill(writer[1], signal.SIGKILL)
    pair.be_whole()  # Either the one that stood by leads, or the killed one's next.
    assert pair.writer()[1] != writer[1]


class Jar:
    """A phone that keeps the cookies of all servers together, as a browser does."""

    def __init__(self, proxy: Caddy) -> None:
        self._proxy = proxy.address
        self._opener = build_opener(HTTPCookieProcessor(CookieJar()))

    def ask(self, path: str, **form: str) -> str:
        """Ask, or send a form, and go where that leads; return where that is."""
        body = urlencode(form).encode() or None
        asking = Request(f"{self._proxy}{path}", body, {"Origin": self._proxy})
        with self._opener.open(asking, timeout=PATIENCE_S) as answer:
            return str(answer.url).removeprefix(self._proxy)

    def sit_down(self, base: str, code: str) -> str:
        """Open a game and take a seat in it; return the game's address."""
        self.ask(f"{base}/start")
        self.ask(f"{base}/start", code=code)
        form = {"edition": "classic", "name": "Mine", "command_id": "open-my-game"}
        where = self.ask(f"{base}/games", **form)
        game = f"{base}/g/{where.split('/')[3]}"
        self.ask(f"{game}/join")
        seat = {"name": "Ada", "colour": "red", "token": "hat"}
        self.ask(f"{game}/join", command_id="sit-down-as-ada", **seat)
        return game

    def pay(self, game: str, tap: str) -> None:
        """Pay from its seat, which nobody can who has none."""
        payment = {"payer": "red", "payee": "pot", "amount": "1", "reason": "other"}
        self.ask(f"{game}/do/pay", command_id=tap, **payment)

    def told(self, game: str) -> bytes:
        """Return how many changes its page of a game has been told of."""
        with self._opener.open(f"{self._proxy}{game}/", timeout=PATIENCE_S) as answer:
            return bytes(answer.read().partition(club.MARK)[2].partition(b'"')[0])


@contextmanager
def got(proxy: Caddy, path: str, kind: str) -> Iterator[http.client.HTTPResponse]:
    """Ask for something; gives the answer, unread."""
    connection = http.client.HTTPConnection(HERE, proxy.port, PATIENCE_S)
    with closing(connection):
        connection.request("GET", path, headers={"Accept": kind})
        with connection.getresponse() as answer:
            yield answer


def hear(stream: http.client.HTTPResponse, told: bytes) -> None:
    """Read a stream until it tells of that; one that has ended never does."""
    while told not in (line := stream.readline()):
        assert line, f"wanted {told!r}, got the end of the stream"


@pytest.mark.slow
def test_one_pair_dies_and_the_other_notices_nothing(
    server: Server, tmp_path: Path
) -> None:
    with (
        Pair(tmp_path, server.url("club_1"), "/1") as one,
        Pair(tmp_path, server.url("club_2"), "/2") as two,
        Caddy(tmp_path, *one.ports, *two.ports) as proxy,
        ExitStack() as streams,
    ):
        jar = Jar(proxy)
        first = jar.sit_down("/1", one.code)
        second = jar.sit_down("/2", two.code)
        path = f"/2/stream?game={second.rpartition('/')[2]}"
        live = [
            streams.enter_context(got(proxy, path, "text/event-stream"))
            for _ in range(5)
        ]
        for game in (first, second):
            jar.pay(game, "both-are-there")
        one.end()
        for number in range(10):
            jar.pay(second, f"one-is-there-{number}")
        with got(proxy, f"{first}/", "text/html") as answer:
            page = answer.read().decode()
            assert (answer.status, answer.headers["Refresh"]) in AGAIN, page
        assert "This page tries again by itself" in page
        jar.pay(second, "one-is-still-there")
        one.start()
        jar.ask(first + "/")  # The page tries again by itself, until one leads.
        for game in (first, second):
            jar.pay(game, "both-are-back")
        for stream in live:
            hear(stream, jar.told(second))
        assert two.ended == [0, 0]
    assert [asked(x.url, PAID) for x in (one, two)] == [[(2,)], [(13,)]]
