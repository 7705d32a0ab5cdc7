"""What many threads want to have written at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import exc

from companion.game.journal import Entry
from companion.lock.events import WheelSet
from companion.store import Database, Journals
from companion.units import Revision, TimeMs
from tests.databases import ON_BOTH
from tests.running import PATIENCE_S
from tests.transactions import counted

pytestmark = ON_BOTH


def entry(revision: int) -> Entry:
    return Entry(
        Revision(revision), f"entry-{revision:04d}", "vault", TimeMs(0), (WheelSet(1),)
    )


class Crowd:
    """Threads that write while the first of them waits for the disk."""

    def __init__(self, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
        self.database = database
        self.errors: list[BaseException] = []
        self.threads: list[threading.Thread] = []
        self.is_writing, self.disk = threading.Event(), threading.Event()
        self.waiting = threading.Semaphore(0)
        wait = database._turn.wait

        def waited() -> None:
            self.waiting.release()  # Under the lock: it waits before anybody is told.
            wait()

        monkeypatch.setattr(database._turn, "wait", waited)

    def begin(self, act: Callable[[], None]) -> None:
        def run() -> None:
            try:
                act()
            except exc.IntegrityError as error:
                self.errors.append(error)

        self.threads.append(threading.Thread(target=run))
        self.threads[-1].start()

    def slow(self, _: object) -> None:
        self.is_writing.set()
        self.disk.wait(PATIENCE_S)

    def end(self) -> None:
        self.disk.set()
        for thread in self.threads:
            thread.join(PATIENCE_S)


@pytest.mark.parametrize("is_one_wrong", [False, True])
def test_who_waits_for_the_disk_is_written_together_and_fails_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_one_wrong: bool
) -> None:
    database = Database(tmp_path)
    journals = Journals(database)
    journals.append("journal-9", entry(1))
    crowd = Crowd(database, monkeypatch)
    crowd.begin(lambda: database.write(crowd.slow))
    assert crowd.is_writing.wait(PATIENCE_S)
    with counted(database) as begun:
        for number in range(5):
            crowd.begin(lambda at=number: journals.append(f"journal-{at}", entry(1)))
        if is_one_wrong:
            crowd.begin(lambda: journals.append("journal-9", entry(1)))
        for _ in crowd.threads[1:]:
            assert crowd.waiting.acquire(timeout=PATIENCE_S)
        crowd.end()
    assert len(crowd.errors) == is_one_wrong
    for number in (*range(5), 9):
        assert list(journals.entries(f"journal-{number}")) == [entry(1)]
    assert (len(begun) == 1) == (not is_one_wrong)
    database.close()
