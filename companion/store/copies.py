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
from contextlib import AbstractContextManager, suppress
from functools import partial
from hashlib import blake2b
from io import BytesIO
from itertools import count, islice
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from companion.errors import DamagedGame, Malformed
from companion.files import NotAFile, content_of, opened, to_disk, write_whole
from companion.game.codec import (
    LENGTH_MAX,
    entry_from_json,
    entry_to_json,
    lines_to_json,
)
from companion.game.envelope import opened_by
from companion.game.events import GameOpened, SeatAdded, SeatRenamed
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
    count: int = 0
    total: bytes = SEED
    entry: bytes = b""


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
        self._stamps: dict[str, tuple[int, int]] = {}  # Of decks and editions.

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
        if ends is None or due is None:
            self._ends = self._look(own, revisions)
            return True
        for game_id, end, entries in due:
            ends[game_id] = _append(own, game_id, end, entries)
        self._copy_files(data, own)
        self._ends = ends
        return any(len(entries) >= BATCH for _, _, entries in due)

    def _look(self, own: Path, revisions: dict[GameId, Revision]) -> dict[GameId, _End]:
        """Read all files, and return the ends of those that are gone on with."""
        for folder in (own.parent, own):
            _make(folder)
        self._stamps.clear()
        seen = []
        for path in sorted(own.parent.glob(f"*/*{ENDING}")):
            with suppress(NotAFile, FileNotFoundError, Malformed):  # Not one of ours.
                seen.append((path, *_read(path, revisions)))
        ends: dict[GameId, _End] = {}
        found = []
        with self._reading() as reader:
            for path, copy, end, shared in seen:
                at = min(copy.count, revisions.get(copy.game_id, 0))
                here = Journals(reader).entries(copy.game_id, at - 1, at)
                with suppress(DamagedGame):
                    is_same = not at or shared in map(entry_to_json, here)
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
            status = path.stat()
            stamp = status.st_size, status.st_mtime_ns
            if self._stamps.get(name) == stamp:
                continue
            with opened(path) as file:
                content = file.read()
            target = own / path.parent.name / f"{_sum_of(content)}-{path.name}"
            _make(target.parent)
            if not is_whole(target):
                target.unlink(missing_ok=True)
                _add(target, content)
            self._stamps[name] = stamp


def take_files(folder: Path, data: Path) -> None:
    """Put the decks and editions among the copies in *folder* beside the games.

    What is there already stays.
    """
    for kind in FOLDERS:
        for path in sorted(folder.rglob(f"{kind}/*")):
            target = data / kind / path.name.partition("-")[2]
            if (
                backup.NAME.fullmatch(target.name)
                and is_whole(path)
                and not target.exists()
            ):
                content = content_of(path, backup.FILE_BYTES_MAX)
                with as_owner(data):
                    target.parent.mkdir(parents=True, exist_ok=True)
                    write_whole(target, content)


def is_whole(path: Path) -> bool:
    """Tell whether a deck or an edition is there, and was not cut off."""
    try:
        with opened(path) as file:
            return path.name.startswith(f"{_sum_of(file.read())}-")
    except (FileNotFoundError, NotAFile):
        return False


def _sum_of(content: bytes) -> str:
    return blake2b(content, digest_size=4).hexdigest()


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


def _read(path: Path, revisions: Mapping[GameId, int]) -> tuple[Copy, _End, bytes]:
    """Read the file of a game.

    The last is the latest of its entries whose place the table has filled, too.

    Raises:
        Malformed: If it has no game.
    """
    people: dict[str, str] = {}
    end, shared, here = _End(path), b"", 0
    opening, game_id = None, GameId("")
    with opened(path) as file:
        for end.count, (end.total, end.entry) in enumerate(lines_of(file), 1):
            if end.count == 1 or any(name in end.entry for name in NAMING):
                entry = entry_from_json(end.entry)
                for event in entry.events:
                    if isinstance(event, SeatAdded | SeatRenamed):
                        people[event.seat] = event.name
                    elif isinstance(event, GameOpened):
                        opening, game_id = event, opened_by(entry.command_id)
                        here = revisions.get(game_id, 0)
            if end.count <= here:
                shared = end.entry
    if opening is None:
        raise _refuse_empty()
    last_ms = entry_from_json(end.entry).at_ms
    names, terms = tuple(people.values()), opening.terms
    copy = Copy("", game_id, opening.name, terms.edition, names, last_ms, end.count)
    return copy, end, shared


def _due(
    journals: Journals, revisions: Mapping[GameId, int], ends: dict[GameId, _End]
) -> list[tuple[GameId, _End, list[bytes]]] | None:
    """Return the next entries of each game; ``None`` if one is not as it was."""
    due = []
    for game_id, revision in revisions.items():
        end = ends.setdefault(game_id, _End())
        if end.count != revision:
            after = max(0, end.count - 1)  # The last line has to be in its place still.
            entries = islice(journals.entries(game_id, after), BATCH + 1)
            try:
                new = [entry_to_json(entry) for entry in entries]
            except DamagedGame:
                continue  # Of the others there are copies still.
            if end.count and new[:1] != [end.entry]:
                return None
            due.append((game_id, end, new[bool(end.count) :]))
    return due


def _append(own: Path, game_id: GameId, end: _End, entries: list[bytes]) -> _End:
    """Write the next lines of a game's copy, and return its new end."""
    path = end.path or _free_path(own, game_id)
    content = bytearray(b"\n")  # What was written last may have been cut off.
    total = end.total
    for entry in entries:
        total = sum_after(total, entry)
        content += b"%b %b\n" % (total, entry)
    _add(path, content)
    return _End(path, end.count + len(entries), total, (end.entry, *entries)[-1])


def _free_path(own: Path, game_id: GameId) -> Path:
    """Return a name that no file has; the same game may have gone on in two ways."""
    names = (own / f"{game_id}-{number}{ENDING}" for number in count(1))
    return next(path for path in names if not os.path.lexists(path))
