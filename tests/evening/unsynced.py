"""What was written and never synced: who loses power keeps some part of it, or none."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from os import unlink  # The machine's own: the disk puts its acts before os.unlink.
from pathlib import Path
from typing import NamedTuple

SECTOR = 512


class _Note(NamedTuple):
    """A write since the last sync; without new bytes a truncation to *offset*."""

    offset: int
    old: bytes
    new: bytes | None
    old_size: int

    def sectors(self) -> Iterator[tuple[int, bytes | None]]:
        """Yield what the disk does of it at a time."""
        if self.new is None:
            yield self.offset, None
            return
        at, end = self.offset, self.offset + len(self.new)
        while at < end:
            until = min(end, at - at % SECTOR + SECTOR)
            yield at, self.new[at - self.offset : until - self.offset]
            at = until


class File:
    """A file that SQLite wrote to, by whatever name, or by none any more."""

    def __init__(self, path: bytes) -> None:
        self.handle = os.open(path, os.O_RDWR)
        self.is_log = path.endswith(b"-wal")
        self.notes: list[_Note] = []
        self.folder_to_sync = b""

    def __del__(self) -> None:
        os.close(self.handle)

    def is_at(self, path: Path) -> bool:
        return os.path.samestat(path.stat(), os.fstat(self.handle))

    def size(self) -> int:
        return os.lseek(self.handle, 0, os.SEEK_END)

    def content(self) -> bytes:
        return os.pread(self.handle, self.size(), 0)

    def write(self, offset: int, new: bytes) -> None:
        old = os.pread(self.handle, len(new), offset)
        self.notes.append(_Note(offset, old, new, self.size()))
        os.pwrite(self.handle, new, offset)

    def truncate(self, size: int) -> None:
        old = os.pread(self.handle, max(0, self.size() - size), size)
        self.notes.append(_Note(size, old, None, self.size()))
        os.ftruncate(self.handle, size)

    def lose_power(self, dice: random.Random) -> None:
        """Keep what was synced, and as much of the rest as the dice say."""
        content = bytearray(self.content())
        for note in reversed(self.notes):
            content[note.offset : note.offset + len(note.old)] = note.old
            del content[note.old_size :]
        for offset, new in self._survivors(dice):
            content.extend(bytes(max(0, offset - len(content))))
            if new is None:
                del content[offset:]
            else:
                content[offset : offset + len(new)] = new
        os.pwrite(self.handle, content, 0)
        os.ftruncate(self.handle, len(content))
        self.notes.clear()

    def _survivors(self, dice: random.Random) -> list[tuple[int, bytes | None]]:
        sectors = [sector for note in self.notes for sector in note.sectors()]
        share = dice.choice((0.0, dice.random(), 1.0))
        if dice.random() < 0.5:
            return sectors[: round(share * len(sectors))]
        return [sector for sector in sectors if dice.random() < share]


class Name(NamedTuple):
    """A name that a file got or lost since its folder was last synced."""

    path: bytes
    file: File
    is_new: bool

    def take_back(self) -> None:
        """Let a new file be gone, or one that was deleted be there again.

        Python may have moved either, or put another in its place; that stays.
        """
        path = Path(os.fsdecode(self.path))
        if not self.is_new:
            if path.parent.exists() and not path.exists():
                path.write_bytes(self.file.content())
        elif path.exists() and self.file.is_at(path):
            unlink(path)
