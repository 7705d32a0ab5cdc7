"""Two servers of one table, with their games in one PostgreSQL database.

One of them writes, the other stands by. One that ends is started again at once, as by
systemd.
"""

from __future__ import annotations

import http.client
import os
import re
import signal
import threading
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Self, cast

import psycopg
from psycopg.abc import Query

from companion.store.postgres import LOCK
from tests.caddy import HERE, until
from tests.running import PATIENCE_S, RunningTable, free_port

HOLDERS = (
    "SELECT lock.pid, activity.application_name"
    " FROM pg_locks AS lock JOIN pg_stat_activity AS activity USING (pid)"
    f" WHERE lock.locktype = 'advisory' AND lock.granted AND lock.objid = {LOCK}"
    " AND lock.database ="
    " (SELECT oid FROM pg_database WHERE datname = current_database())"
)
MARK = "/static/mark.svg"
"""A file that only the leading server gives out."""


def asked(url: str, question: str) -> list[Any]:
    """Return the rows with which a database answers a question."""
    with psycopg.connect(url, autocommit=True) as connection:
        return list(connection.execute(cast("Query", question)))


class Pair:
    """Two servers of one table, until its block ends.

    Args:
        folder: The folder of their data and logs.
        url: The URL of their database.
        base: The path before all their addresses.

    Attributes:
        code: The digits for the first phone, printed at the first start.
        ports: The ports on which they listen.
        ended: How often each of them has ended by itself, or was killed.
    """

    def __init__(self, folder: Path, url: str, base: str) -> None:
        self.url, self._data = url, folder / f"data{base[1:]}"
        self.ports = free_port(), free_port()
        self.ended = [0, 0]
        self.code = ""
        self._options = ("--base", base, "--proxy", HERE, "--phones", "240")
        self._tables: list[RunningTable] = []
        self._threads: list[threading.Thread] = []
        self._is_kept = False

    def _started(self, at: int, *, is_awaited: bool) -> RunningTable:
        return RunningTable(
            self._data.with_name(f"{self._data.name}{'ab'[at]}"),
            self.ports[at],
            "--no-vault",
            self._options,
            database=self.url,
            is_awaited=is_awaited,
        )

    def _keep(self, at: int) -> None:
        while True:
            self._tables[at].wait()
            if not self._is_kept:
                return
            self.ended[at] += 1
            self._tables[at] = self._started(at, is_awaited=False)
            if not self._is_kept:  # It was ended meanwhile.
                os.kill(self._tables[at].pid, signal.SIGKILL)

    def start(self) -> None:
        """Start both, and wait until one leads and the other stands by."""
        self._tables = [self._started(0, is_awaited=True)]
        self.code = self.code or self._tables[0].code or ""
        self._tables.append(self._started(1, is_awaited=False))
        self._is_kept = True
        self._threads = [threading.Thread(target=self._keep, args=(x,)) for x in (0, 1)]
        for thread in self._threads:
            thread.start()
        self.be_whole()

    def end(self) -> None:
        """Kill both for good."""
        self._is_kept = False
        for table in self._tables:
            with suppress(ProcessLookupError):
                os.kill(table.pid, signal.SIGKILL)
        for thread in self._threads:
            thread.join()

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def be_whole(self) -> None:
        """Wait until one leads and the other stands by."""
        until(lambda: sorted(map(status, self.ports)) == [200, 503], self.log)

    def writer(self) -> tuple[int, int]:
        """Return the ids of the session and of the process that have the lock."""
        (found,) = asked(self.url, HOLDERS)
        return found[0], program(found[1])

    def other(self) -> int:
        """Return the process id of the one that stands by."""
        (pid,) = {table.pid for table in self._tables} - {self.writer()[1]}
        return pid

    def log(self) -> str:
        """Return the end of both logs."""
        found = self._data.parent.glob(f"{self._data.name}?.log")
        return "\n".join(path.read_text()[-3_000:] for path in sorted(found))


def status(port: int) -> int:
    """Return a server's status for ``MARK``; 0 if nobody answers."""
    with closing(http.client.HTTPConnection(HERE, port, PATIENCE_S)) as connection:
        try:
            connection.request("GET", MARK)
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return 0


def program(named: str) -> int:
    """Return the process id in the name of a session, "companion 812 on club"."""
    found = re.match(r"companion (\d+) on ", named)
    assert found is not None, named
    return int(found[1])
