"""Why a write failed, in words for the people at the table.

Both kinds of database name their errors: SQLite by a word such as ``SQLITE_FULL``,
PostgreSQL by a code such as ``53100``. Where SQLite only says that the system refused
something, the system is asked by a small write beside the games.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path
from tempfile import TemporaryFile
from typing import NamedTuple

from sqlalchemy import exc

from companion.store.swap import FILE_NAME
from companion.words import Words, say

TRIED_BYTES = 1 << 16
"""The size of a trial write: more than an act at the table writes."""


class Cause(NamedTuple):
    """What keeps the games from being written, and what to do about it."""

    words: Words
    remedy: Words


FULL = Cause(
    say("the table's disk is full"), say("free some space on the table's disk")
)
TOO_LARGE = Cause(
    say("a file of the games has become as large as it may"),
    say("have whoever built the table allow it larger files"),
)
READ_ONLY = Cause(
    say("the games can be read now, but not written"),
    say("have whoever built the table make it writable again, and start it again"),
)
BROKEN = Cause(
    say("the table's disk makes mistakes"),
    say("make a backup of the games, and give the table another disk"),
)
HELD = Cause(
    say("another program holds the games"), say("end that program, then try again")
)
DAMAGED = Cause(
    say("the file with the games is damaged"),
    say("move it aside, and restore a backup"),
)

CAUSES = {
    "SQLITE_FULL": FULL,
    "SQLITE_READONLY": READ_ONLY,
    "SQLITE_PERM": READ_ONLY,
    "SQLITE_IOERR": BROKEN,
    "SQLITE_BUSY": HELD,
    "SQLITE_LOCKED": HELD,
    "SQLITE_CORRUPT": DAMAGED,
    "SQLITE_NOTADB": DAMAGED,
    # PostgreSQL's manual, appendix A.
    "53100": FULL,  # disk_full
    "25006": READ_ONLY,  # read_only_sql_transaction
    "42501": READ_ONLY,  # insufficient_privilege, of a user or of a file
    "58030": BROKEN,  # io_error
    "55P03": HELD,  # lock_not_available
    "XX001": DAMAGED,  # data_corrupted
    "XX002": DAMAGED,  # index_corrupted
    "ENOSPC": FULL,
    "EDQUOT": FULL,
    "EFBIG": TOO_LARGE,
    "EROFS": READ_ONLY,
    "EACCES": READ_ONLY,
    "EPERM": READ_ONLY,
}
"""The causes by the names that SQLite, PostgreSQL and the system give to errors."""

OF_SYSTEM = ("SQLITE_IOERR", "SQLITE_CANTOPEN")
"""SQLite's names for whatever the system may refuse."""


def cause_of(error: exc.DBAPIError, directory: Path) -> Cause | None:
    """Return the cause of a failed write; ``None`` for one that the table lacks.

    Args:
        error: The database's error.
        directory: The folder of the SQLite file.
    """
    code = getattr(error.orig, "sqlstate", None)
    if code is None:  # Longer names, as of SQLITE_IOERR_WRITE, say where it failed.
        name = getattr(error.orig, "sqlite_errorname", "")
        code = "_".join(name.split("_")[:2])
        if code in OF_SYSTEM:
            return CAUSES.get(_refusal(directory)) or CAUSES.get(code)
    return CAUSES.get(code)


def _refusal(directory: Path) -> str:
    """Return the name of the error of a write past the end of our longest file.

    It is empty if the system takes that write. None of our files is opened: closing it
    would end SQLite's locks.
    """
    files = tuple(directory.glob(f"{FILE_NAME}*"))
    if not all(os.access(path, os.W_OK) for path in files):
        return "EACCES"
    try:
        with TemporaryFile(dir=directory) as file:
            file.seek(max((path.stat().st_size for path in files), default=0))
            file.write(bytes(TRIED_BYTES))
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, "")
    return ""
