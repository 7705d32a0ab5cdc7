"""Putting a folder of restored games in the place of what is there: all of it or none.

A restored table is prepared in ``PREPARED`` inside the table's own folder. One rename
to ``DECIDED`` decides; from then on the old files move out and the new ones move in,
and whatever interrupts that, whoever opens the folder next goes on where it stopped.
"""

from __future__ import annotations

import os
import shutil
from itertools import count
from pathlib import Path
from typing import Final

FILE_NAME: Final = "companion.sqlite"
FOLDERS: Final = ("decks", "editions")
"""What else the table's owner or the program keeps beside the file."""

PREPARED: Final = "companion.restoring"
DECIDED: Final = "companion.restored"
BEFORE: Final = "companion.before-restore"
NEW, OLD = "new", "old"

BESIDE = tuple(f"{FILE_NAME}{end}" for end in ("-wal", "-shm", "-journal"))
"""What SQLite keeps beside the file; beside another file it would damage that."""


def prepared(directory: Path) -> Path:
    """An empty folder in which the new files are to be laid before ``decide``."""
    shutil.rmtree(directory / PREPARED, ignore_errors=True)
    new = directory / PREPARED / NEW
    new.mkdir(parents=True)
    (directory / PREPARED / OLD).mkdir()
    return new


def decide(directory: Path) -> None:
    """From here on the new files count, even if the plug is pulled at once."""
    for folder, _, names in os.walk(directory / PREPARED):
        for name in names:
            to_disk(Path(folder, name))
        to_disk(Path(folder))
    (directory / PREPARED).rename(directory / DECIDED)
    to_disk(directory)


def finish(directory: Path) -> Path | None:
    """Move the old files out and the new ones in, if that was decided.

    Each step may have been done before; who calls this holds the folder's lock.

    Returns:
        The folder with what was there before, itself a whole table's; ``None`` if there
        was nothing, or nothing was decided.
    """
    decided = directory / DECIDED
    if not decided.exists():
        return None
    for name in (FILE_NAME, *FOLDERS):
        if (decided / NEW / name).exists():
            for old in (*BESIDE, name) if name == FILE_NAME else (name,):
                if (directory / old).exists():
                    (directory / old).rename(decided / OLD / old)
            (decided / NEW / name).rename(directory / name)
    to_disk(directory)
    kept = None
    if (decided / OLD).exists() and any((decided / OLD).iterdir()):
        kept = next(
            path
            for number in count(1)
            if not (path := directory / f"{BEFORE}-{number}").exists()
        )
        (decided / OLD).rename(kept)
    shutil.rmtree(decided)
    to_disk(directory)
    return kept


def to_disk(path: Path) -> None:
    """Have the disk itself keep a file's content, or a folder's names."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
