"""What was said to be on a stick is on it, whatever else a stick loses.

The stick here is a folder and, beside it, what of that folder has really been written:
only what was synced. If the plug is pulled, of all the rest any sectors stay, in any
order; a file may be as long as it was meant to be, with old bytes or zeros in it; and a
name that was not synced may be gone.
"""

from __future__ import annotations

import errno
import os
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import cast

import pytest

from companion.game.codec import entries_to_json
from companion.game.events import GameOpened
from companion.game.journal import Entry
from companion.store import Database, Journals
from companion.store.copies import ENDING, Copier, export_of, lines_of
from companion.store.reader import Reader
from companion.units import GameId
from tests.companion.store.test_copies import evening, named, same
from tests.sample import proven, tens


class Killed(BaseException):
    """The process ended here; what it wrote is not lost by that."""


def never() -> None:
    """Fail at nothing."""


class Stick:
    """A folder on a stick, of which only what is synced is really there."""

    def __init__(self, folder: Path, dice: random.Random) -> None:
        self.folder, self.dice = folder, dice
        folder.mkdir()
        self.fails: Callable[[], BaseException | None] = never
        self._sector = dice.choice((512, 4096))
        self._contents: dict[Path, bytes] = {}
        self._failed: dict[Path, bytes] = {}
        self._names: dict[Path, set[str]] = {folder: set()}
        self._fsync, self._advise = os.fsync, os.posix_fadvise

    def plug_in(self, patch: pytest.MonkeyPatch) -> None:
        patch.setattr(os, "fsync", self.fsync)
        patch.setattr(os, "posix_fadvise", self.fadvise)

    def fsync(self, handle: int) -> None:
        path = Path(os.readlink(f"/proc/self/fd/{handle}"))
        if not path.is_relative_to(self.folder):
            return self._fsync(handle)
        failure = self.fails()
        if failure is not None and (self.dice.random() < 0.5 or path.is_dir()):
            raise failure
        if path.is_dir():
            self._names[path] = set(os.listdir(path))
        elif failure is not None:  # Some was written; the kernel keeps the rest as if.
            self._contents[path] = self._torn(path)
        elif path not in self._failed:
            self._contents[path] = path.read_bytes()
        elif (now := path.read_bytes()) != (meant := self._failed[path]):
            # Only what was changed since is written: none of what had failed.
            old = self._contents.get(path, b"").ljust(len(now), b"\0")[: len(meant)]
            whole = old + now[len(meant) :]
            cut = len(meant) // self._sector * self._sector
            self._contents[path] = whole[:cut] + now[cut:]
        if failure is not None:
            self._failed[path] = path.read_bytes()
            raise failure
        return None

    def fadvise(self, handle: int, offset: int, count: int, advice: int) -> None:
        """Forget what the memory has of a file, so that it is read anew."""
        path = Path(os.readlink(f"/proc/self/fd/{handle}"))
        assert (offset, count, advice) == (0, 0, os.POSIX_FADV_DONTNEED)
        if path in self._failed:
            del self._failed[path]
            path.write_bytes(self._contents[path])

    def pull(self) -> None:
        """Pull the plug: make the folder what is really there."""
        contents = {}
        for path in sorted(self.folder.rglob("*")):
            ways = path.relative_to(self.folder).parents
            is_lost = any(
                one.name not in self._names.get(one.parent, set())
                and self.dice.random() < 0.5
                for one in (path, *(self.folder / way for way in ways if way.name))
            )
            if path.is_file() and not is_lost:
                contents[path] = self._torn(path)
        shutil.rmtree(self.folder)
        self.folder.mkdir()
        self._failed, self._contents, self._names = {}, {}, {}
        for path, content in contents.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            self._contents[path] = content
        for path in (self.folder, *self.folder.rglob("*")):
            if path.is_dir():
                self._names[path] = set(os.listdir(path))

    def _torn(self, path: Path) -> bytes:
        """Return what of a file is there: what was synced, and any of the rest."""
        old, new = self._contents.get(path, b""), path.read_bytes()
        new = new if path not in self._failed else old
        if old == new:
            return old
        size = self.dice.choice((len(old), len(new), self.dice.randint(0, len(new))))
        size = max(size, len(old))
        old = old.ljust(size, b"\0")
        parts = []
        for at in range(0, size, self._sector):
            source = new if self.dice.random() < 0.5 else old
            parts.append(source[at : at + self._sector])
        torn = b"".join(parts)
        return torn.ljust(size, b"\0")[:size]


class Table:
    """A table with two games, and a process beside it that copies them."""

    def __init__(self, folder: Path, stick: Stick, seed: int) -> None:
        self.store = Database(folder)
        self.journals = Journals(self.store)
        self.stick = stick
        self.left = {number: evening(number) for number in (2 * seed, 2 * seed + 1)}
        self.copier: Copier | None = None
        self.acknowledged: dict[GameId, int] = {}

    @contextmanager
    def reading(self) -> Iterator[Reader]:
        yield cast("Reader", self.store)

    def play(self, count: int) -> None:
        for number, entries in self.left.items():
            new, self.left[number] = entries[:count], entries[count:]
            if new:
                self.journals.append(named(number), *new)

    def copy(self) -> None:
        """Copy as the process does, which is started anew if it ended."""
        try:
            self.copier = self.copier or Copier(self.stick.folder, self.reading)
            while self.copier.copy():
                pass
            self.acknowledged = dict(self.journals.latest())
        except Killed:
            self.copier = None
        except OSError:
            assert self.stick.fails is not never

    def check(self) -> None:
        """See that the stick has what was acknowledged, and nothing else."""
        for game_id, count in self.acknowledged.items():
            ours = [*self.journals.entries(game_id)]
            lengths = [0]
            for path in self.stick.folder.rglob(f"{game_id}-*{ENDING}"):
                lines = [entry for _, entry in lines_of(BytesIO(path.read_bytes()))]
                lengths.append(len(lines))
                if lines:
                    assert same(
                        export_of(path.read_bytes()), _export(ours[: len(lines)])
                    )
            assert max(lengths) >= count, (game_id, lengths, count)


def _export(entries: list[Entry]) -> bytes:
    opening = entries[0].events[0]
    assert isinstance(opening, GameOpened)
    return b"".join(entries_to_json(opening.name, entries))


@tens("seed", range(200), proven)
def test_what_was_acknowledged_is_there_when_the_plug_is_pulled(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = random.Random(f"lost {seed}")
    stick = Stick(tmp_path / f"stick {seed}", dice)
    stick.plug_in(monkeypatch)
    table = Table(tmp_path / f"data {seed}", stick, seed % 20)
    with closing(table.store):
        for _ in range(dice.randint(2, 12)):
            table.play(dice.choice((1, 3, 30)))
            failure = dice.choice((None, None, Killed(), OSError(errno.EIO, "EIO")))
            failures = iter([*[None] * dice.randint(0, 4), failure])
            stick.fails = partial(next, failures, None)
            table.copy()
            if dice.random() < 0.3:
                stick.pull()
                table.copier = None
                table.check()
        stick.fails = never
        table.copier = None
        table.copy()
        stick.pull()
        table.check()
        assert table.acknowledged == table.journals.latest()
