"""A table that can write nothing: said everywhere, until it is over; its pages show."""

from __future__ import annotations

import os
import resource
import socket
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from html import unescape
from http.client import HTTPConnection
from pathlib import Path
from typing import Self

import psycopg
import pytest
from click.testing import CliRunner, Result

from cli import main
from companion.health import Condition
from companion.store.books import look_at_books
from companion.store.postgres import MUTE_S
from hardware.doctor.running import ask_table
from tests.caddy import HERE, until
from tests.companion.store.small_disk import small_disk
from tests.pairs import HOLDERS, asked
from tests.phone_http import open_table
from tests.postgres import Server, missing
from tests.running import RunningTable
from tests.test_pairs import hear
from web.http.server import listen
from web.http.standing_in import standing_in

IN_POSTGRES = pytest.mark.skipif(bool(missing()), reason=missing())
NO_LIMIT = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
READ_ONLY = "the games can be read now, but not written"
TOO_LARGE = "a file of the games has become as large as it may"
FULL = "the table's disk is full"
OWN_WORDS = ""
NEWS = b"event: game"
FED_S = 0.2
NOTICED_S = 20


class Evening:
    """A game of two seats at a running table, whose watchdog is fed.

    Args:
        folder: Where its data lies.
        url: The PostgreSQL database of its games; empty for a file.
        options: Further options of ``serve``.
    """

    def __init__(self, folder: Path, url: str = "", *options: str) -> None:
        self.url, self.data = url, folder / "data"
        self._ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._ear.bind(str(folder / "notify"))
        self._ear.settimeout(20)
        watched = {"NOTIFY_SOCKET": str(folder / "notify")}
        watched["WATCHDOG_USEC"] = str(int(FED_S * 10 * 1_000_000))
        self.table = RunningTable(
            self.data, None, "--no-vault", options, database=url, settings=watched
        )
        self._taps, self.phones = 0, []
        try:
            address = f"http://{HERE}:{self.table.port}"
            seats = (("red", "hat"), ("blue", "dog"))
            code = self.table.code or ""
            self.game, self.host, others = open_table(address, code, seats)
            self.phones, self.red = [self.host, *others], others[0]
        except BaseException:
            self.__exit__()
            raise

    def pay(self) -> tuple[int, str, str]:
        """Pay a dollar; return the status, the words and the remedy of the answer."""
        self._taps += 1
        payment = {"payer": "red", "payee": "blue", "amount": 1, "reason": "other"}
        tap = f"pay-a-dollar-{self._taps}"
        status, said = self.red.command(self.game, tap, type="Pay", **payment)
        return status, said.get("error", ""), said.get("remedy", "")

    def status(self, path: str) -> int:
        return self.red.get(path)[0]

    def ask(self, *questions: str) -> None:
        with psycopg.connect(self.url, autocommit=True) as connection:
            for question in questions:
                connection.execute(question.encode())

    def is_fed(self) -> bool:
        """Tell whether the watchdog is fed from now on."""
        self._ear.setblocking(False)
        try:
            while self._ear.recv(4096):
                pass
        except BlockingIOError:
            self._ear.settimeout(20)
        return all(self._ear.recv(4096) == b"WATCHDOG=1" for _ in range(3))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for phone in self.phones:
            phone.close()
        self.table.kill()
        self._ear.close()


Trouble = Callable[[Evening, Server | None], AbstractContextManager[str]]


@contextmanager
def file_at_its_limit(evening: Evening, _: Server | None) -> Iterator[str]:
    pid, limit = evening.table.pid, resource.RLIMIT_FSIZE
    largest = max(x.stat().st_size for x in evening.data.iterdir() if x.is_file())
    resource.prlimit(pid, limit, (largest, resource.RLIM_INFINITY))
    yield TOO_LARGE
    resource.prlimit(pid, limit, NO_LIMIT)


@contextmanager
def server_read_only(evening: Evening, _: Server) -> Iterator[str]:
    reload = "SELECT pg_reload_conf()"
    evening.ask("ALTER SYSTEM SET default_transaction_read_only = on", reload)
    try:
        yield READ_ONLY
    finally:
        evening.ask("ALTER SYSTEM RESET default_transaction_read_only", reload)


@contextmanager
def server_on_a_full_disk(evening: Evening, server: Server) -> Iterator[str]:
    folder = server.folder / "small"
    with small_disk(folder, "1m") as disk:
        owner = server.folder.stat()
        os.chown(disk, owner.st_uid, owner.st_gid)
        evening.ask(
            f"CREATE TABLESPACE small LOCATION '{disk}'",
            "ALTER TABLE entries SET TABLESPACE small",
            "ALTER TABLE entries SET (fillfactor = 10)",  # Each tap needs a new page.
        )
        ballast = disk / "ballast"
        with ballast.open("wb", buffering=0) as file:
            try:
                while file.write(bytes(4096)):
                    pass
            except OSError:
                pass
        yield FULL
        ballast.unlink()
        until(lambda: evening.status("/alive") == 200)
        evening.ask(
            "ALTER TABLE entries SET TABLESPACE pg_default", "DROP TABLESPACE small"
        )
    folder.rmdir()


@contextmanager
def server_at_its_limit(evening: Evening, server: Server) -> Iterator[str]:
    ((pid, _),) = asked(evening.url, HOLDERS)
    evening.ask(
        "INSERT INTO entries SELECT 'x', n, 'c' || n, 'x', 0, repeat('x', 1500)::bytea"
        " FROM generate_series(1, 12000) AS n",
        "ALTER TABLE entries SET (fillfactor = 10)",
    )
    server.allow_files(pid, str(16 << 20))  # Which its log's files do not exceed.
    yield OWN_WORDS
    server.allow_files(pid, "unlimited")


def alive(port: int, **settings: str) -> Result:
    """Ask as a container's health check does."""
    told = {f"COMPANION_SERVE_{name}": text for name, text in settings.items()}
    told["COMPANION_SERVE_PORT"] = str(port)
    return CliRunner().invoke(main, ["alive"], env=told)


TROUBLES = [
    pytest.param(file_at_its_limit, "", id="a file at its limit"),
    pytest.param(
        *(server_read_only, "p"),
        marks=[IN_POSTGRES, pytest.mark.slow],
        id="PostgreSQL read-only",
    ),
    pytest.param(
        *(server_on_a_full_disk, "p"),
        marks=[IN_POSTGRES, pytest.mark.slow],
        id="PostgreSQL on a full disk",
    ),
    pytest.param(
        *(server_at_its_limit, "p"),
        marks=[IN_POSTGRES, pytest.mark.slow],
        id="PostgreSQL at its limit",
    ),
]


def check_that_it_is_said(evening: Evening, cause: str) -> None:
    """Expect that phone, supervisor, doctor and banker hear of it, and pages show."""
    status, words, remedy = evening.pay()
    for _ in range(20):  # What the last page still has room for.
        if status == 503:
            break
        status, words, remedy = evening.pay()
    assert status == 503
    assert cause in words
    assert remedy
    assert "free some space" not in remedy or cause == FULL
    assert evening.status("/alive") == 503
    for path in ("/alive?pages", f"/g/{evening.game}/", f"/g/{evening.game}/history"):
        assert evening.status(path) == 200, path
    found = {x.topic: x for x in ask_table(HERE, evening.table.port)}["games.writing"]
    assert found.condition is Condition.FAIL
    assert cause in found.words
    bank = unescape(evening.host.get(f"/g/{evening.game}/bank")[1])
    assert (f"Nothing can be written down: {cause}." if cause else "needs help") in bank
    told = alive(evening.table.port)
    assert told.exit_code == 1
    assert cause in " ".join(told.output.split())
    assert evening.is_fed()
    assert evening.status("/alive") == 503


@pytest.mark.parametrize(("trouble", "kept"), TROUBLES)
def test_it_is_said_until_it_is_over(
    tmp_path: Path, request: pytest.FixtureRequest, trouble: Trouble, kept: str
) -> None:
    server, url = None, ""
    if kept:
        server = request.getfixturevalue("postgres")
        url = request.getfixturevalue("postgres_url")
    with Evening(tmp_path, url) as evening:
        assert evening.pay()[0] == 200
        assert evening.status("/alive") == 200
        with trouble(evening, server) as cause:
            check_that_it_is_said(evening, cause)
        until(lambda: evening.status("/alive") == 200, evening.table.log.read_text)
        (found, *_) = ask_table(HERE, evening.table.port)
        assert (found.topic, found.condition) == ("games.writing", Condition.OK)
        assert evening.pay()[0] == 200


def test_an_open_page_hears_of_it_and_of_its_end(tmp_path: Path) -> None:
    with Evening(tmp_path) as evening:
        asking = HTTPConnection(HERE, evening.table.port, timeout=20)
        asking.request("GET", f"/stream?game={evening.game}")
        with closing(asking), asking.getresponse() as stream:
            hear(stream, NEWS)  # What was told so far.
            with file_at_its_limit(evening, None) as cause:
                check_that_it_is_said(evening, cause)
                hear(stream, NEWS)
            until(lambda: evening.status("/alive") == 200, evening.table.log.read_text)
            hear(stream, NEWS)


def test_a_disk_that_is_full_from_the_start_is_said_before_anybody_taps(
    tmp_path: Path,
) -> None:
    with Evening(tmp_path) as evening:
        evening.table.kill()
        largest = max(x.stat().st_size for x in evening.data.iterdir() if x.is_file())
        limit, before = resource.RLIMIT_FSIZE, resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(limit, (largest, before[1]))  # The program inherits it.
        try:
            table = RunningTable(evening.data, None, "--no-vault")
        finally:
            resource.setrlimit(limit, before)
        with table:
            told = alive(table.port)
            assert told.exit_code == 1
            assert TOO_LARGE in " ".join(told.output.split())


@pytest.mark.slow
def test_a_file_that_turned_read_only_is_said_to_be(tmp_path: Path) -> None:
    """By the number in its header that tells older SQLite not to write."""
    with Evening(tmp_path) as evening:
        file = evening.data / "companion.sqlite"
        with closing(sqlite3.connect(file)) as other:
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)").close()
        with file.open("r+b") as header:
            header.seek(18)
            header.write(b"\x03")
        check_that_it_is_said(evening, READ_ONLY)


@pytest.mark.slow
@IN_POSTGRES
def test_a_server_that_answers_nothing_more_is_noticed_and_said(tmp_path: Path) -> None:
    """Its kernel still confirms what is sent to it."""
    with Server() as server, Evening(tmp_path, server.url("club")) as evening:
        server.freeze()
        since_s = time.monotonic()
        until(lambda: evening.status("/alive") == 503, evening.table.log.read_text)
        assert time.monotonic() - since_s < NOTICED_S
        assert evening.table.wait() == 1
        assert time.monotonic() - since_s < NOTICED_S
        log = evening.table.log.read_text()
        assert "has not answered for 5 s; see whether its disk or its server" in log
        assert f"connection_lost error=no answer for {MUTE_S:.0f} s" in log
        with pytest.raises(
            AssertionError, match=r"expected an answer.*timeout expired"
        ):
            RunningTable(evening.data, None, "--no-vault", database=evening.url)
        assert "timeout expired" in look_at_books(evening.data, evening.url).words
        server.thaw()
        with RunningTable(evening.data, None, "--no-vault", database=evening.url):
            assert asked(evening.url, "SELECT max(revision) > 2 FROM entries")


def test_a_table_is_alive_wherever_it_listens_and_while_it_stands_by(
    tmp_path: Path,
) -> None:
    options = ("--host", "127.0.0.2", "--base", "/1", "--proxy", HERE)
    with RunningTable(tmp_path / "data", None, "--no-vault", options) as table:
        told = alive(table.port, HOST="127.0.0.2", BASE="/1")
        assert told.exit_code == 0, told.output
        (found,) = ask_table("127.0.0.2", table.port)
        assert (found.topic, found.condition) == ("table.health", Condition.OK)
        nobody = alive(table.port, HOST="127.0.0.3")
    assert nobody.exit_code == 1
    assert f"expected an answer from the table on port {table.port}" in nobody.output
    with listen("0.0.0.0", 0) as waiting, standing_in(waiting):
        told = alive(waiting.getsockname()[1], HOST="0.0.0.0")
    assert told.exit_code == 0, told.output
    assert "stands by" in told.output
