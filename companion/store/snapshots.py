"""Snapshots of long games, so that they open without reading all of their entries.

A *mark* (``companion/game/journal.py``) is the state of a game after one of its
entries; a *snapshot* is a mark on disk. A game has at most one.

This is a cache: a game follows from its entries alone, and emptying the table costs
only time. A snapshot has a digest of the code that made it, of the entry after which it
was made, and of its content. If any of these has changed, or an earlier entry is
missing, the game is played back from its first entry.

It is also a witness: where the entries before it lead to another state, the game is
damaged (``Journals.playing_back``). Only a program other than the one that made it
throws it away then.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from functools import cache
from hashlib import blake2b
from pathlib import Path

import sqlalchemy as sa

import companion
from companion.errors import JournalFault, Malformed
from companion.game.codec import mark_from_json, mark_to_json
from companion.game.journal import Mark
from companion.store import schema
from companion.store.base import Opened
from companion.units import GameId

log = logging.getLogger(__name__)

ROOMS = ("game", "words")
"""The packages whose code turns events into a game; ``words`` parses amounts."""


class Snapshots:
    """All snapshots of one database."""

    def __init__(self, database: Opened) -> None:
        self._database = database
        # By game: the revision of the last mark that was or could not be stored.
        self._last_kept: dict[GameId, int] = {}

    def keep(self, game_id: GameId, mark: Mark | None) -> None:
        """Store a game's *mark* in place of its last one; log a failure."""
        if mark is None or self._last_kept.get(game_id) == mark.revision:
            return
        self._last_kept[game_id] = mark.revision
        try:
            self._write(game_id, mark)
        except (Malformed, NotImplementedError, JournalFault) as error:
            log.warning("snapshot_not_kept game=%s error=%r", game_id, str(error))

    def _write(self, game_id: GameId, mark: Mark) -> None:
        """Write a mark with its digest; ``Malformed`` if it could not be read back."""
        content = mark_to_json(mark)
        if mark_from_json(content) != mark:
            raise Malformed(f"expected {mark.revision} to be read back, got another")
        table = schema.snapshots
        with self._database.transaction() as connection:
            schema.delete(connection, table, game_id=game_id)
            digest = _digest(connection, game_id, mark.revision, content)
            row = {"game_id": game_id, "revision": mark.revision}
            connection.execute(
                table.insert(), {**row, "digest": digest, "content": content}
            )

    def latest(self, game_id: GameId) -> Mark | None:
        """Return the mark from which a game can go on; ``None`` without a valid one."""
        table, entries = schema.snapshots, schema.entries
        query = sa.select(table.c.revision, table.c.digest, table.c.content)
        with self._database.reading() as connection:
            row = connection.execute(query.filter_by(game_id=game_id)).first()
            if row is None:
                return None
            revision, digest, content = row
            count = connection.execute(
                sa.select(sa.func.count()).where(
                    entries.c.journal_id == game_id, entries.c.revision <= revision
                )
            ).scalar()
            is_valid = digest == _digest(connection, game_id, revision, content)
        if not is_valid or count != revision or not isinstance(content, bytes):
            return None
        try:
            mark = mark_from_json(content)
        except Malformed:
            return None
        self._last_kept[game_id] = mark.revision
        return mark

    def forget(self, game_id: GameId) -> None:
        """Forget a removed game, so that one with the same id may be kept again."""
        self._last_kept.pop(game_id, None)

    def clear(self, *, but: Collection[str] = ()) -> None:
        """Delete all snapshots, except those of some games.

        Each long game is then played back once.
        """
        others = schema.snapshots.c.game_id.not_in(but)
        with self._database.transaction() as connection:
            connection.execute(schema.snapshots.delete().where(others))
        self._last_kept.clear()


def _digest(
    connection: sa.Connection, game_id: GameId, revision: int, content: bytes
) -> bytes:
    query = sa.select(schema.entries).filter_by(journal_id=game_id, revision=revision)
    entry = connection.execute(query).first()
    digest = blake2b(program_digest(), digest_size=16)
    digest.update(repr(entry and tuple(entry)).encode())
    digest.update(content if isinstance(content, bytes) else b"")
    return digest.digest()


@cache
def program_digest() -> bytes:
    """Compute a digest of the code in ``ROOMS``."""
    digest = blake2b(digest_size=16)
    for room in ROOMS:
        for file in sorted(Path(companion.__path__[0], room).glob("*.py")):
            digest.update(file.read_bytes())
    return digest.digest()
