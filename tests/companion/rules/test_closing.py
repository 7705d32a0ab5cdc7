"""The file is let go when nobody writes in it, and then nobody writes any more."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from companion.errors import JournalFault
from companion.store import Database, base
from tests.running import PATIENCE_S


class Writer:
    """A thread in the middle of a transaction, until it is let go on."""

    def __init__(self, file: Database) -> None:
        self.found: list[object] = []
        self.file, self._inside, self._go_on = (
            file,
            threading.Event(),
            threading.Event(),
        )
        self._thread = threading.Thread(target=self._write)
        self._thread.start()
        assert self._inside.wait(PATIENCE_S)

    def _write(self) -> None:
        with self.file.transaction() as connection:
            self._inside.set()
            self._go_on.wait(PATIENCE_S)
            self.found.append(connection.exec_driver_sql("SELECT 1").scalar())

    def go_on(self) -> None:
        self._go_on.set()
        self._thread.join(PATIENCE_S)


def test_closing_waits_for_who_is_writing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "CLOSE_TIMEOUT_S", 2 * PATIENCE_S)
    writer = Writer(Database(tmp_path))
    closing = threading.Thread(target=writer.file.close)
    closing.start()
    closing.join(0.1)
    assert closing.is_alive()
    writer.go_on()
    closing.join(PATIENCE_S)
    assert writer.found == [1]
    with (
        pytest.raises(JournalFault, match=r"is closed; start the companion again"),
        writer.file.transaction(),
    ):
        pass
    Database(tmp_path).close()


def test_closing_does_not_wait_for_a_dead_disk_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "CLOSE_TIMEOUT_S", 0.01)
    writer = Writer(Database(tmp_path))
    writer.file.close()
    writer.go_on()
    assert writer.found == [1]
    writer.file.close()
