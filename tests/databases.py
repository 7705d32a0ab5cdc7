"""The same tests on each kind of database: a file, and a PostgreSQL server's.

A module takes part with ``pytestmark = ON_BOTH``. Its own names ``Database``,
``restore`` and ``reading_beside`` then stand for either kind: a folder that is opened
twice leads to the same PostgreSQL database twice. What looks into the file itself is
``@of_file``, and runs on files only. On PostgreSQL it is a proof, but for those that
are ``@quick_on_both``.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, closing
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from companion.edition import Edition
from companion.store import Journals, Store, backup, postgres
from companion.store.postgres import Postgres
from companion.store.reader import Reader, reading_beside
from companion.table.importing import read_import, write_import
from companion.units import GameId, TimeMs
from tests.postgres import Server
from tests.running import PATIENCE_S

ON_BOTH = pytest.mark.usefixtures("kept_by")
of_file = pytest.mark.of_file
quick_on_both = pytest.mark.quick_on_both
KINDS = ("file", "postgres")
_NUMBERS = count(1)


def import_game(
    journals: Journals, text: bytes, edition: Callable[[str], Edition], here: int = 0
) -> GameId:
    """Take in an exported game, and return its id."""
    game = read_import(text, edition)
    write_import(journals, game, TimeMs(0), here)
    return game.game_id


class OnServer:
    """PostgreSQL databases by the folder that belongs to each."""

    def __init__(self, server: Server, ending: ExitStack) -> None:
        self._server, self._ending = server, ending
        self._urls: dict[Path, str] = {}

    def url(self, directory: Path) -> str:
        """Return where the games of a folder are kept."""
        if directory not in self._urls:
            name = f"both_{next(_NUMBERS)}"
            self._urls[directory] = self._server.url(name)
            self._ending.callback(self._server.drop, name)
        return self._urls[directory]

    def open(self, directory: Path) -> Store:
        """Open the games of a folder."""
        url = self.url(directory)
        return self._ending.enter_context(closing(Postgres(directory, url)))

    def reading_beside(self, directory: Path) -> AbstractContextManager[Reader]:
        """Read the games of a folder beside whoever has them open."""
        return reading_beside(directory, self.url(directory))

    def restore(
        self, source: BinaryIO, directory: Path, **how: bool
    ) -> backup.Restored:
        """Make the games of a folder those of a backup."""
        return backup.restore(source, directory, self.url(directory), **how)


def keep_on_server(module: Any, server: Server, ending: ExitStack) -> None:
    """Have the names of a module of tests stand for databases of *server*."""
    found, patch = OnServer(server, ending), pytest.MonkeyPatch()
    ending.callback(patch.undo)
    patch.setattr(postgres, "BEAT_S", PATIENCE_S)  # Transactions are counted.
    for name, stands_for in (
        ("Database", found.open),
        ("restore", found.restore),
        ("reading_beside", found.reading_beside),
    ):
        if hasattr(module, name):
            patch.setattr(module, name, stands_for)
