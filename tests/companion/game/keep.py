"""Keeps an exported game: ``python -m tests.companion.game.keep NAME GAME.json``.

A game that is kept already is never written anew.
"""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator
from pathlib import Path

from companion.game.codec import entries_from_json
from companion.game.journal import Entry, Journal
from tests.digest import digest

KEPT = Path(__file__).parent / "kept"
EVERY = 25
"""A digest is kept after so many entries, and after the last."""


def digests(entries: tuple[Entry, ...]) -> Iterator[str]:
    """Play *entries* back; yield a line of revision and digest now and then."""
    journal = Journal(lambda after: entries[after:])
    for entry in entries:
        game = journal.append(entry)
        if entry.revision % EVERY == 0 or entry is entries[-1]:
            yield f"{entry.revision} {digest(game)}"


def keep(name: str, text: bytes) -> None:
    """Write an exported game and its digests to the kept games, compressed.

    Raises:
        FileExistsError: If a game of that name is kept already.
    """
    lines = "\n".join(digests(entries_from_json(text).entries))
    with (KEPT / f"{name}.json.gz").open("xb") as file:
        file.write(gzip.compress(text, mtime=0))
    (KEPT / f"{name}.digests").write_text(f"{lines}\n")


if __name__ == "__main__":
    keep(sys.argv[1], Path(sys.argv[2]).read_bytes())
