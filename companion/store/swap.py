"""Replaces a folder of games by restored ones: all of them or none.

The new files are prepared in ``PREPARED``, inside the table's own folder. Renaming that
to ``DECIDED`` decides; then the old files move out and the new ones in. If that is
interrupted, the next process that opens the folder completes it. The next restore
empties ``PREPARED``, so it must never hold the only copy of anything.
"""

from __future__ import annotations

import os
import shutil
from itertools import count
from pathlib import Path
from typing import Final

from companion.files import to_disk

FILE_NAME: Final = "companion.sqlite"
"""The database file in the folder of games."""

FOLDERS: Final = ("decks", "editions")
"""Folders beside the file, for decks and editions."""

PREPARED: Final = "companion.restoring"
"""The folder for new files that do not count yet."""

DECIDED: Final = "companion.restored"
"""The name of that folder once they count."""

BEFORE: Final = "companion.before-restore"
"""The final name of the folder with the old files; a number is added to it."""

NEW, OLD = "new", "old"
"""Folders inside it: files to move in, and files that were moved out."""

BESIDE = tuple(f"{FILE_NAME}{end}" for end in ("-wal", "-shm", "-journal"))
"""Files that SQLite keeps beside a database; they would damage any other database."""


def prepare(directory: Path) -> Path:
    """Make an empty folder for the new files, which ``decide`` takes.

    A restore by version 1.0.0 that was killed may have left the only copy there of the
    games that it replaced.
    """
    left = directory / PREPARED / OLD
    if left.exists() and any(left.iterdir()):
        left.rename(_find_free_name(directory))
        to_disk(directory)
    shutil.rmtree(directory / PREPARED, ignore_errors=True)
    new = directory / PREPARED / NEW
    new.mkdir(parents=True)
    (directory / PREPARED / OLD).mkdir()
    return new


def decide(directory: Path) -> None:
    """Make the new files count from now on, even if the plug is pulled at once."""
    for folder, _, names in os.walk(directory / PREPARED):
        for name in names:
            to_disk(Path(folder, name))
        to_disk(Path(folder))
    (directory / PREPARED).rename(directory / DECIDED)
    to_disk(directory)


def finish(directory: Path) -> Path | None:
    """Move the old files out and the new ones in, if ``decide`` was called.

    An earlier process may have done some of the steps. The caller holds the folder's
    lock.

    Returns:
        The folder with the old files; ``None`` if there were none, or nothing was
        decided.
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
        to_disk(decided / OLD)
        kept = _find_free_name(directory)
        (decided / OLD).rename(kept)
    shutil.rmtree(decided)
    to_disk(directory)
    return kept


def _find_free_name(directory: Path) -> Path:
    paths = (directory / f"{BEFORE}-{number}" for number in count(1))
    return next(path for path in paths if not path.exists())
