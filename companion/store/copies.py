"""Copies of games, as they are played, in a folder: a USB stick, a share, a volume.

Each game has a file of lines, ``table-companion/<table>/<game>-1.copy``. A line is an
entry as an export has it, behind the sum of that entry and of the line before. So
whoever reads takes the lines that follow one another from the first on, and leaves out
whatever else a stick that was pulled has made of the file. Nothing is renamed, and no
file has to agree with another, since FAT promises neither.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from hashlib import blake2b
from io import BytesIO
from itertools import count, islice
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from companion.errors import DamagedGame, Malformed
from companion.files import content_of, opened, to_disk, write_whole
from companion.game.codec import (
    LENGTH_MAX,
    entry_from_json,
    entry_to_json,
    lines_to_json,
)
from companion.game.envelope import opened_by
from companion.game.events import GameOpened, SeatAdded, SeatRenamed
from companion.game.journal import Entry, leaving
from companion.store import backup
from companion.store.database import ROW_BYTES_MAX
from companion.store.journals import Journals
from companion.store.owner import as_owner
from companion.store.reader import Reader
from companion.store.swap import FOLDERS
from companion.units import GameId, Revision, TimeMs
from companion.words import say

FOLDER: Final = "table-companion"
"""The folder of all copies; a stick may hold other things, too."""

ENDING: Final = ".copy"

SEED: Final = b"table-companion copy 1"
"""What the first line's sum follows; lines of another form will have another one."""

FILE_BYTES_MAX: Final = LENGTH_MAX
"""How much of a game's file is read."""

BATCH: Final = 500
"""The most entries of a game that are written at once."""

NAMING: Final = (b'"SeatAdded"', b'"SeatRenamed"')
"""What is in an entry that names a person."""


def sum_after(last: bytes, entry: bytes) -> bytes:
    """Return the sum of an entry behind the line whose sum is *last*."""
    return blake2b(last + entry, digest_size=8).hexdigest().encode()


def lines_of(file: BinaryIO) -> Iterator[tuple[bytes, bytes]]:
    """Yield sum and entry of the lines that follow one another from the first on."""
    last = SEED
    for line in iter(partial(file.readline, ROW_BYTES_MAX), b""):
        total, _, entry = line.rstrip(b"\n").partition(b" ")
        if line.endswith(b"\n") and total == sum_after(last, entry):
            yield total, entry
            last = total


def export_of(content: bytes) -> bytes:
    """Return the exported game that a file has; ``Malformed`` if it has none."""
    entries = [entry for _, entry in lines_of(BytesIO(content))]
    opening = entry_from_json(entries[0]).events[0] if entries else None
    if not isinstance(opening, GameOpened):
        raise _refuse_empty()
    return lines_to_json(opening.name, entries)


def length(path: Path) -> int:
    """Return how many entries of a game a file has; 0 if it cannot be read."""
    with suppress(OSError), opened(path) as file:
        return sum(1 for _ in lines_of(file))
    return 0


def _refuse_empty() -> Malformed:
    return Malformed(
        say("there is no game in that file"), say("take another one of the copies")
    )


class Copy(msgspec.Struct, frozen=True):
    """What a file has of a game that the table lacks, or has otherwise.

    Attributes:
        file: The file, below the folder.
        people: The names of all who sat at it.
        count: How many entries it has.
        here: How many of these the table has, too; 0 if it lacks the game.
        is_other: Whether the game went on otherwise on the table.
    """

    file: str
    game_id: GameId
    title: str
    edition: str
    people: tuple[str, ...]
    last_ms: TimeMs
    count: int
    here: int = 0
    is_other: bool = False

    def is_past(self, revisions: Mapping[GameId, int]) -> bool:
        """Tell whether the table has gone on with this game, or thrown it away."""
        if self.is_other:
            return self.game_id not in revisions
        return revisions.get(self.game_id, 0) != self.here


class _End(msgspec.Struct):
    """The end of a game's copy: its file, and the last of its *count* lines."""

    path: Path | None = None  # There is none yet.
    size: int = 0
    count: int = 0
    total: bytes = SEED
    entry: Entry | None = None


_Due = list[tuple[GameId, _End, list[Entry]]]
"""The next entries of each game, and the end behind which they belong."""


class Copier:
    """Brings the copies of a table up to date, again and again.

    Args:
        folder: Where they are; it has to be there.
        reading: Opens what the table has at one moment.

    Attributes:
        found: The copies that are no copies of what the table has.
    """

    def __init__(
        self, folder: Path, reading: Callable[[], AbstractContextManager[Reader]]
    ) -> None:
        self.found: tuple[Copy, ...] = ()
        self._folder = folder
        self._reading = reading
        self._ends: dict[GameId, _End] | None = None  # Before the first look.
        self._stamp: object = None  # Of the folder, as this left it.
        self._stamps: dict[str, object] = {}  # Of decks and editions.

    def copy(self) -> bool:
        """Write what the folder lacks; return whether there is more to write.

        Nothing of the table is held open while the folder is read or written, as that
        may hang.

        Raises:
            OSError: If the folder cannot be read or written.
            CompanionError: If the games cannot be read.
        """
        ends, self._ends = self._ends, None  # Whatever fails, the folder is read anew.
        with self._reading() as reader:
            own, data = self._folder / FOLDER / reader.table_id, reader.directory
            revisions = Journals(reader).latest()
            if any(copy.is_past(revisions) for copy in self.found):
                ends = None
            due = None if ends is None else _due(Journals(reader), revisions, ends)
        if ends is None or due is None or not self._is_as_left(own, due):
            self._ends = self._look(own, revisions)
            return True
        for game_id, end, entries in due:
            ends[game_id] = _append(own, game_id, end, entries)
        self._copy_files(data, own)
        self._stamp = _stamp(own)
        self._ends = ends
        return any(len(entries) >= BATCH for _, _, entries in due)

    def _is_as_left(self, own: Path, due: _Due) -> bool:
        """Tell whether nobody has deleted, replaced or lengthened a file meanwhile."""
        return _stamp(own) == self._stamp and all(
            end.path is None or end.path.stat().st_size == end.size for _, end, _ in due
        )

    def _look(self, own: Path, revisions: dict[GameId, Revision]) -> dict[GameId, _End]:
        """Read all files, and return the ends of those that are gone on with."""
        for folder in (own.parent, own):
            _make(folder)
        to_disk(own)  # A process that was killed may have left files without a name.
        self._stamp = _stamp(own)
        self._stamps.clear()
        seen = []
        for path in sorted(own.parent.glob(f"*/*{ENDING}")):
            with suppress(OSError, Malformed, UnicodeError):  # Not one of ours.
                str(path).encode()
                seen.append((path, *_read(path, revisions)))
        ends: dict[GameId, _End] = {}
        found = []
        with self._reading() as reader:
            for path, copy, end, shared in seen:
                at = min(copy.count, revisions.get(copy.game_id, 0))
                here = Journals(reader).entries(copy.game_id, at - 1, at)
                with suppress(DamagedGame):
                    is_same = not at or [shared] == [*map(leaving, here)]
                    if not is_same or at < copy.count:
                        file = str(path.relative_to(self._folder))
                        of_table = {"file": file, "here": at, "is_other": not is_same}
                        found.append(msgspec.structs.replace(copy, **of_table))
                    elif path.parent == own:
                        known = ends.get(copy.game_id, end)
                        ends[copy.game_id] = max(known, end, key=lambda x: x.count)
        self.found = tuple(found)
        return ends

    def _copy_files(self, data: Path, own: Path) -> None:
        """Copy the decks and editions that have changed, each to a name of its own.

        The name begins with a sum, by which a file that was cut off is known.
        """
        for path, name in backup.own_files(data):
            with suppress(FileNotFoundError):  # It was thrown away just now.
                if (stamp := _stamp(path)) != self._stamps.get(name):
                    content = content_of(path, backup.FILE_BYTES_MAX)
                    target = own / f"{path.parent.name}/{_sum_of(content)}-{path.name}"
                    _make(target.parent)
                    if not _whole(target):
                        target.unlink(missing_ok=True)
                        _add(target, content)
                    to_disk(target.parent)
                    self._stamps[name] = stamp


def take_files(folder: Path, data: Path) -> None:
    """Put the decks and editions among the copies in *folder* beside the games.

    What is there already stays; of several of one name the latest is taken.
    """
    for kind in FOLDERS:
        paths = (path for path in folder.rglob(f"{kind}/*") if path.is_file())
        for path in sorted(paths, key=lambda one: -one.stat().st_mtime):
            target = data / kind / path.name.partition("-")[2]
            is_due = backup.NAME.fullmatch(target.name) and not target.exists()
            if is_due and (content := _whole(path)):
                with as_owner(data):
                    target.parent.mkdir(parents=True, exist_ok=True)
                    write_whole(target, content)


def _whole(path: Path) -> bytes:
    """Return the content of a deck or an edition; empty if it is not whole."""
    with suppress(OSError), _on_disk(path) as file:
        content = file.read(backup.FILE_BYTES_MAX)
        if path.name.startswith(f"{_sum_of(content)}-"):
            return content
    return b""


def _sum_of(content: bytes) -> str:
    return blake2b(content, digest_size=4).hexdigest()


def _stamp(path: Path) -> object:
    """Return what tells that a file, or a list of files, was changed or replaced."""
    status = path.stat()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _make(folder: Path) -> None:
    """Make a folder, unless it is there; the one above has to be there."""
    if not folder.is_dir():
        folder.mkdir()
    to_disk(folder.parent)


def _add(path: Path, content: bytes | bytearray) -> None:
    """Add to a file, which is made if missing; it is on the disk when this returns."""
    is_new = not path.exists()
    with opened(path, "ab") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    if is_new:
        to_disk(path.parent)


@contextmanager
def _on_disk(path: Path) -> Iterator[BinaryIO]:
    """Open a file as it is on the disk itself, not only in memory.

    A process that was killed leaves there what is written later, or never; a write that
    failed, what is not written any more.
    """
    with opened(path) as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        yield file


def _read(
    path: Path, revisions: Mapping[GameId, int]
) -> tuple[Copy, _End, Entry | None]:
    """Read the file of a game.

    The last is the latest of its entries whose place the table has filled, too.

    Raises:
        OSError: If it cannot be read.
        Malformed: If it has no game, or is larger than any.
    """
    people: dict[str, str] = {}
    end, shared, here = _End(path), b"", 0
    opening, game_id = None, GameId("")
    with _on_disk(path) as file:
        end.size = os.fstat(file.fileno()).st_size
        lines = lines_of(file) if end.size <= FILE_BYTES_MAX else ()
        for end.count, (end.total, line) in enumerate(lines, 1):
            if end.count == 1 or any(name in line for name in NAMING):
                entry = entry_from_json(line)
                for event in entry.events:
                    if isinstance(event, SeatAdded | SeatRenamed):
                        people[event.seat] = event.name
                    elif isinstance(event, GameOpened):
                        opening, game_id = event, opened_by(entry.command_id)
                        here = revisions.get(game_id, 0)
            if end.count <= here:
                shared = line
    if opening is None:
        raise _refuse_empty()
    end.entry = entry_from_json(line)
    names, terms, last_ms = tuple(people.values()), opening.terms, end.entry.at_ms
    copy = Copy("", game_id, opening.name, terms.edition, names, last_ms, end.count)
    return copy, end, entry_from_json(shared) if shared else None


def _due(
    journals: Journals, revisions: Mapping[GameId, int], ends: dict[GameId, _End]
) -> _Due | None:
    """Return the next entries of each game; ``None`` if one is not as it was."""
    due = []
    for game_id, revision in revisions.items():
        end = ends.setdefault(game_id, _End())
        if end.count != revision:
            after = max(0, end.count - 1)  # The last line has to be in its place still.
            try:
                new = [*islice(journals.entries(game_id, after), BATCH + 1)]
            except DamagedGame:
                continue  # Of the others there are copies still.
            if end.entry and [end.entry] != [*map(leaving, new[:1])]:
                return None
            due.append((game_id, end, new[bool(end.count) :]))
    return due


def _append(own: Path, game_id: GameId, end: _End, entries: list[Entry]) -> _End:
    """Write the next lines of a game's copy, and return its new end."""
    path = end.path or _free_path(own, game_id)
    content = bytearray(b"\n")  # What was written last may have been cut off.
    total = end.total
    for entry in entries:
        line = entry_to_json(entry)
        total = sum_after(total, line)
        content += b"%b %b\n" % (total, line)
    _add(path, content)
    size, count = end.size + len(content), end.count + len(entries)
    return _End(path, size, count, total, leaving(entries[-1]))


def _free_path(own: Path, game_id: GameId) -> Path:
    """Return a name that no file has; the same game may have gone on in two ways."""
    names = (own / f"{game_id}-{number}{ENDING}" for number in count(1))
    return next(path for path in names if not os.path.lexists(path))
