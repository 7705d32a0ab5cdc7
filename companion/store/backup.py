"""Backs up everything that a table knows to one file, and restores a table from it.

The file is a zip of the folders ``decks`` and ``editions``, ``about.json``, and the
database as one SQLite file, even if PostgreSQL kept it. It holds the vault's code and
the phones' seats, so nobody but its owner may read it.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import zipfile
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import (
    AbstractContextManager,
    closing,
    contextmanager,
    nullcontext,
    suppress,
)
from pathlib import Path
from typing import IO, BinaryIO, Final

import msgspec
import sqlalchemy as sa

from companion.as_json import to_json
from companion.errors import DeviceFault, JournalFault, Malformed, quoted
from companion.files import check_file, opened, to_disk
from companion.store import schema, swap
from companion.store.base import Store
from companion.store.database import (
    ROW_BYTES_MAX,
    Database,
    claim_folder,
    examine,
    read_or_draw_id,
)
from companion.store.journals import PAGE, Journals
from companion.store.owner import as_owner
from companion.store.phones import Phones
from companion.store.postgres import Postgres
from companion.store.reader import Reader, reading_file
from companion.store.swap import FILE_NAME, FOLDERS
from companion.units import GameId

FORMAT: Final = "table-companion backup 1"
"""What ``about.json`` says about the format."""

ABOUT: Final = "about.json"
"""The file in a backup that describes it."""

NAME = re.compile(r"(?!\.)[^/\\\x00-\x1f\x7f]{1,100}\.(?:deck|jpg|txt|toml)")
"""Matches the names of decks, pictures and editions; their folders give no others."""

PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The compressions that Python can unpack in chunks."""

FILES_MAX = 1_000
"""The most files in a backup, ``about.json`` not counted."""

FILE_BYTES_MAX = 16 * 1024 * 1024
"""The largest deck, picture or edition."""

FILES_BYTES_MAX = 512 * 1024 * 1024
"""The most bytes of all of these; a full shelf of the largest decks takes 400 MB."""

DATABASE_BYTES_MAX = 1024 * 1024 * 1024
"""The largest database."""

ABOUT_BYTES_MAX = 100_000
"""The largest ``about.json``."""

CHUNK_BYTES = 1024 * 1024
"""How much is read or copied at a time."""


class About(msgspec.Struct, frozen=True):
    """The contents of ``about.json``.

    Attributes:
        format: ``FORMAT``.
        version: The version of the companion that made the backup.
        games_count: How many games the backup holds.
        damaged: Ids of games that could not be read when the backup was made.
    """

    format: str
    version: str
    games_count: int
    damaged: tuple[str, ...] = ()


def back_up(
    database: Reader | Store, file: Path, version: str, *, may_replace: bool = False
) -> About:
    """Write everything that the table of *database* knows to *file*.

    A table may serve meanwhile. An earlier *file* stays until the new one is complete
    and on the disk.

    Raises:
        Malformed: If *file* exists and may not be replaced, or would be larger than a
            restore accepts.
        DeviceFault: If it cannot be written.
        JournalFault: If the database is damaged.
    """
    own = database.directory / FILE_NAME
    if file.exists() and (not may_replace or file.resolve() == own.resolve()):
        raise Malformed(
            f"expected a new file, got {file}, which is there already",
            "choose another name; an earlier backup is replaced with --force",
        )
    scratch = file.with_name(f".{file.name}.making")  # A name that nobody else gives.
    making, copy = scratch / "zip", scratch / FILE_NAME
    try:
        check_file(file)
        shutil.rmtree(scratch, ignore_errors=True)  # A backup that was killed left it.
        scratch.mkdir(mode=0o700)
        with _open_private(making) as out:
            _open_private(copy).close()
            database.copy_to(copy)
            examine(copy)
            with reading_file(copy, "immutable=1", copy) as copied:
                about = _describe(Journals(copied), version)
            _pack(out, about, copy, database.directory)
            out.flush()
            os.fsync(out.fileno())
        making.replace(file)
        to_disk(file.parent)
    except JournalFault:
        raise
    except OSError as error:
        raise DeviceFault(
            f"cannot write {file}: {error.strerror or error}",
            "choose another folder, or make some room",
        ) from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return about


def _open_private(path: Path) -> IO[bytes]:
    """Create a file that only its owner can read."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    return os.fdopen(os.open(path, flags, 0o600), "wb")


def _describe(journals: Journals, version: str) -> About:
    """Describe a backup; this reads every game."""
    games = [game.game_id for game in journals.games()]
    damaged = tuple(
        game_id for game_id in games if _find_damage(journals, game_id, is_game=True)
    )
    return About(FORMAT, version, len(games), damaged)


def _find_damage(journals: Journals, journal_id: str, *, is_game: bool) -> str:
    """Return what is wrong with a journal; empty if it can be read and replayed."""
    try:
        if not is_game:
            deque(journals.entries(journal_id), maxlen=0)
        elif not journals.replayed(GameId(journal_id)).game:
            return f"there are no entries of game {journal_id}"
    except JournalFault as fault:
        return str(fault)
    return ""


def _pack(out: IO[bytes], about: About, copy: Path, directory: Path) -> None:
    """Write the zip."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo(ABOUT), to_json(about))
        _add_file(archive, FILE_NAME, copy.open("rb"))
        with as_owner(directory):
            paths = list(own_files(directory))
        for path, name in paths:
            with suppress(FileNotFoundError):  # It was thrown away just now.
                with as_owner(directory):  # Root must not follow a link elsewhere.
                    file = opened(path)
                _add_file(archive, name, file)


def _add_file(archive: zipfile.ZipFile, name: str, file: BinaryIO) -> None:
    """Add an open file to the zip, then close it."""
    info = zipfile.ZipInfo(name)  # No date: a Pi without network does not know it.
    info.compress_type = zipfile.ZIP_DEFLATED
    with file, archive.open(info, "w") as packed:
        shutil.copyfileobj(file, packed, CHUNK_BYTES)


def own_files(directory: Path) -> Iterator[tuple[Path, str]]:
    """Yield decks and editions, each with its path and its name in the backup.

    Raises:
        Malformed: If there are more, or larger ones, than a restore accepts.
    """
    count = size = 0
    for folder in FOLDERS:
        for path in sorted((directory / folder).glob("*")):
            try:
                state = path.lstat()
            except FileNotFoundError:
                continue  # It was thrown away just now.
            if not stat.S_ISREG(state.st_mode) or not NAME.fullmatch(path.name):
                continue
            own_size = state.st_size
            count, size = count + 1, size + own_size
            is_too_large = own_size > FILE_BYTES_MAX or size > FILES_BYTES_MAX
            if count == FILES_MAX or is_too_large:
                raise Malformed(
                    f"expected fewer than {FILES_MAX:,} decks and editions, none "
                    f"larger than {FILE_BYTES_MAX:,} bytes and all together no larger "
                    f"than {FILES_BYTES_MAX:,}, got {path}, too",
                    "move it elsewhere: no restore would take it",
                )
            yield path, f"{folder}/{path.name}"


# Restoring.


class Restored(msgspec.Struct, frozen=True):
    """The result of a restore.

    Attributes:
        about: The backup's description of itself.
        place: Where the games are now.
        kept: The folder with the earlier table; ``None`` if there was none.
    """

    about: About
    place: str
    kept: Path | None


def restore(
    source: BinaryIO, directory: Path, url: str = "", *, may_replace: bool
) -> Restored:
    """Replace the table in *directory* by the one in a backup.

    If it is interrupted, either the whole old table or the whole new one is there. Only
    decks and editions beside PostgreSQL are moved before the games count; if that is
    interrupted, repeat the restore. What is refused changes nothing.

    The place stays the table that it was: to browsers and at home it keeps its id, and
    a place without one draws its own. That of the backup may be in use elsewhere.

    Args:
        source: The backup; a stranger may have made it.
        directory: The folder that keeps the games; nobody else has it open.
        url: The PostgreSQL database that keeps the games instead; may be empty.
        may_replace: Whether games that are there may be moved aside.

    Raises:
        Malformed: If *source* is damaged or no backup, or there are games that may not
            be replaced.
        JournalFault: If PostgreSQL refuses it, or stops.
        DeviceFault: If *directory* is open in another process or cannot be written.
    """
    remedy = "nothing was changed; make some room, or check who may write there"
    with _lock_place(directory, url, may_replace=may_replace) as place:
        try:
            new = swap.prepare(directory)
            with _damage_as_malformed(), zipfile.ZipFile(_ByChunks(source)) as archive:
                about = _read_about(archive)
                _unpack(archive, _list_members(archive, directory), new)
            _check_database(new, about, place.table_id)
            with place.taking(new):
                swap.decide(directory)
                remedy = "it is half done; restore again with --replace"
                kept = swap.finish(directory)
        except JournalFault as fault:
            if (directory / swap.PREPARED).exists():  # It was refused before.
                raise
            raise JournalFault(fault.message, remedy) from fault
        except OSError as error:
            raise DeviceFault(
                f"cannot write to {directory}: {error.strerror or error}", remedy
            ) from error
        finally:
            shutil.rmtree(directory / swap.PREPARED, ignore_errors=True)
        return Restored(about, place.name, kept)


class _Place(msgspec.Struct, frozen=True):
    """The place that is restored.

    Attributes:
        name: Its name.
        table_id: The id of the table there, which it keeps.
        taking: Given the unpacked folder, returns the context within which its files
            are moved in; PostgreSQL has all rows by then, which count afterwards.
    """

    name: str
    table_id: str
    taking: Callable[[Path], AbstractContextManager[None]]


@contextmanager
def _lock_place(directory: Path, url: str, *, may_replace: bool) -> Iterator[_Place]:
    """Keep other processes out of the place that is restored."""
    if not url:
        _check_folder(directory, may_replace=may_replace)
        with claim_folder(directory):
            table_id = read_or_draw_id(directory / FILE_NAME)
            yield _Place(str(directory), table_id, lambda _: nullcontext())
        return
    with closing(Postgres(directory, url)) as database:
        journals = Journals(database)
        count, has_any = len(journals.games()), bool(journals.ids())
        if count and not may_replace:
            raise _refuse_replacing(database.place, f"{count} of them")

        @contextmanager
        def taking(new: Path) -> Iterator[None]:
            if has_any:
                old = new.parent / swap.OLD / FILE_NAME
                _open_private(old).close()
                database.copy_to(old)
            with database.taking(new / FILE_NAME):
                (new / FILE_NAME).unlink()
                yield  # Before the rows of before are gone, their copy is kept.

        yield _Place(database.place, database.table_id, taking)


class _ByChunks:
    """A zip file that refuses to read more than a chunk at once.

    ``zipfile`` reads the zip's list of files at once, however long it is.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        """Read up to ``CHUNK_BYTES``; raise ``Malformed`` for more."""
        excess = CHUNK_BYTES + 1
        content = self._file.read(min(size, excess) if size >= 0 else excess)
        if len(content) == excess:
            raise _refuse_damaged("its list of files is too long")
        return content


def _check_folder(directory: Path, *, may_replace: bool) -> None:
    """Raise ``Malformed`` if a folder has games that may not be replaced."""
    if not any((directory / name).exists() for name in (FILE_NAME, swap.DECIDED)):
        return
    try:
        with closing(Database(directory)) as database:
            count = len(Journals(database).games())
            games = f"{count} of them" if count else ""
    except JournalFault:
        games = "a file that cannot be read"
    if games and not may_replace:
        raise _refuse_replacing(f"{directory}", games)


def _refuse_replacing(place: str, games: str) -> Malformed:
    return Malformed(
        f"expected a place without games, got {place} with {games}",
        "--replace moves what is there aside and keeps it",
    )


BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    RuntimeError,  # It needs a password, or a compression that Python lacks.
    ValueError,
)
"""The errors of ``zipfile`` for a file that is damaged or no zip."""


@contextmanager
def _damage_as_malformed() -> Iterator[None]:
    """Turn the errors of ``zipfile`` into ``Malformed``."""
    try:
        yield
    except Malformed:
        raise
    except BROKEN as error:
        raise _refuse_damaged(str(error)) from error


def _refuse_damaged(what: str) -> Malformed:
    return Malformed(
        f"expected a whole backup, got one that is none or is damaged: {what}",
        "nothing was changed; take another file that companion backup made",
    )


def _read_about(archive: zipfile.ZipFile) -> About:
    """Read the backup's description, after checking how its files are packed."""
    for info in archive.infolist():
        if info.compress_type not in PACKED:
            what = f"{quoted(info.filename)} is packed in another way than ours"
            raise _refuse_damaged(what)
    if ABOUT not in archive.namelist():
        raise _refuse_damaged(f"it has no {ABOUT}")
    if archive.getinfo(ABOUT).file_size > ABOUT_BYTES_MAX:
        raise _refuse_damaged(f"its {ABOUT} is too large")
    about = msgspec.json.decode(archive.read(ABOUT), type=About)
    if about.format != FORMAT:
        raise Malformed(
            f"expected a {FORMAT}, got {quoted(about.format)}", "update the companion"
        )
    return about


ROOM_BYTES = 16 * 1024 * 1024
"""Space that a restore leaves free on the disk."""


def _list_members(archive: zipfile.ZipFile, directory: Path) -> list[zipfile.ZipInfo]:
    """List the files to unpack, after checking their names and sizes.

    Raises:
        Malformed: If no backup of ours has such a name or size.
        DeviceFault: If the disk has too little room.
    """
    members = [info for info in archive.infolist() if info.filename != ABOUT]
    names = {info.filename for info in members}
    if len(archive.infolist()) != len(names) + 1 or len(names) > FILES_MAX:
        raise _refuse_damaged("it has too many files, or one twice")
    if FILE_NAME not in names:
        raise _refuse_damaged(f"it has no {FILE_NAME}")
    for info in members:
        folder, _, name = info.filename.partition("/")
        is_file = folder in FOLDERS and NAME.fullmatch(name)
        if info.filename != FILE_NAME and not is_file:
            raise _refuse_damaged(f"it has a file {quoted(info.filename)}")
        limit = FILE_BYTES_MAX if is_file else DATABASE_BYTES_MAX
        if info.file_size > limit:
            raise _refuse_damaged(
                f"{quoted(info.filename)} is larger than {limit:,} bytes"
            )
    size = sum(info.file_size for info in members)
    if size - archive.getinfo(FILE_NAME).file_size > FILES_BYTES_MAX:
        raise _refuse_damaged(
            f"its decks and editions take more than {FILES_BYTES_MAX:,} bytes"
        )
    needed = size + ROOM_BYTES
    free = shutil.disk_usage(directory).free
    if needed > free:
        raise DeviceFault(f"expected {needed:,} free bytes, got {free:,}")
    return members


def _unpack(
    archive: zipfile.ZipFile, members: list[zipfile.ZipInfo], new: Path
) -> None:
    """Unpack *members* into the empty folder *new*."""
    for folder in FOLDERS:
        (new / folder).mkdir(mode=0o700)
    for info in members:
        with archive.open(info) as packed, _open_private(new / info.filename) as file:
            shutil.copyfileobj(packed, file, CHUNK_BYTES)


READ_WHOLE = frozenset(
    (schema.about, schema.journals, schema.phones, schema.holdings, schema.requests)
)
"""Tables that the program reads as a whole."""


def _find_too_large(database: Database) -> Iterator[str]:
    """Yield the names of tables from which too much would be read at once."""
    for table in schema.metadata.sorted_tables:
        for selected in _bytes_read_at_once(table):
            with database.reading() as connection:
                sizes = connection.execute(selected).scalars()
                if max((size or 0 for size in sizes), default=0) > ROW_BYTES_MAX:
                    yield table.name


ROW_BYTES = 50
"""Estimated size of a row in memory, without its values."""


def _bytes_read_at_once(table: sa.Table) -> Iterator[sa.Select[int]]:
    """Yield queries for the sizes of the parts in which a table is read.

    A few tables are read whole, the entries page by page, and all others game by game.
    A stranger's table may have values of the wrong type, and gaps between numbers.
    """
    size = sum(map(_size_of, table.c), sa.literal(ROW_BYTES))
    if table is schema.entries:
        journal = table.c.journal_id.label("journal")
        number = sa.func.row_number().over(
            partition_by=table.c.journal_id, order_by=table.c.revision
        )
        page = (number // PAGE).label("page")
        pages = sa.select(size.label("size"), journal, page).subquery().c
        yield sa.select(sa.func.sum(pages.size)).group_by(pages.journal, pages.page)
        ids = sa.select(table.c.journal_id.label("id")).distinct().subquery().c
        yield sa.select(sa.func.sum(_size_of(ids.id) + ROW_BYTES))
    else:
        of_games = [] if table in READ_WHOLE else [table.c.game_id]
        yield sa.select(sa.func.sum(size)).group_by(*of_games)


def _size_of(column: sa.ColumnElement[object]) -> sa.ColumnElement[int]:
    """Return the length of a column's value in bytes, 0 for NULL."""
    # Cast, since the length of a text would end at its first NUL character.
    length = sa.func.length(sa.cast(column, sa.LargeBinary))
    return sa.func.coalesce(length, 0)


def _check_database(new: Path, about: About, table_id: str) -> None:
    """Raise ``Malformed`` unless the whole database can be read and replayed.

    Then it is given the id of the table that it replaces.
    """
    try:
        _read_all(new, about, table_id)
    except JournalFault as fault:
        what = str(fault).replace(f"{new}/", "").partition(";")[0]
        raise _refuse_damaged(what[:300]) from fault


def _read_all(new: Path, about: About, table_id: str) -> None:
    """Read everything in an unpacked database once, as the program would."""
    examine(new / FILE_NAME)
    with closing(Database(new)) as database:
        if names := database.triggers_and_views():
            raise _refuse_damaged(f"its file acts by itself: {names[:3]}")
        for table in _find_too_large(database):
            raise _refuse_damaged(f"table {table} holds too much to be read at once")
        Phones(database)
        journals = Journals(database)
        games = {game.game_id for game in journals.games()}
        for journal_id in sorted({*journals.ids(), *games} - {*about.damaged}):
            damage = _find_damage(journals, journal_id, is_game=journal_id in games)
            if damage:
                raise JournalFault(damage)
        # A stranger's cache cannot be trusted. Of a damaged game it may be the witness.
        journals.snapshots.clear(but=about.damaged)
        database.become(table_id)
