"""Imports a game that another table exported, if it is whole and possible.

An export leaves out the vault's code, wrong numbers that were not told, which phone
holds which seat, and what has been packed. So phones take their seats anew, and this
table's vault serves the game, with its own code. Figures that the players typed in from
their box become readings of this table's box, as in a game that was played here.

How many games a table keeps is up to how many phones it serves, which is not known
here. So an import counts no games, as a restore does not; a table that has too many
opens no new one.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.edition import Edition
from companion.errors import Malformed, quoted
from companion.game import events as e
from companion.game.codec import ExportedGame, entries_from_json
from companion.game.envelope import opened_by
from companion.game.journal import NONSENSE, Entry, Journal
from companion.store import Journals
from companion.units import GameId


def import_game(
    journals: Journals, text: bytes, edition: Callable[[str], Edition]
) -> GameId:
    """Write an exported game into *journals*, and return its id, which it keeps.

    Args:
        journals: The journals of this table.
        text: Output of ``companion games export``; a stranger may have changed it.
        edition: Returns an edition of this table by its id.

    Raises:
        Malformed: If *text* is no exported game, or if the game cannot have happened,
            is on this table already or needs an edition that the table lacks; nothing
            has changed.
        JournalFault: If it cannot be written; nothing has changed.
    """
    exported = entries_from_json(text)
    opening, game_id = _read_opening(exported)
    _check_new(journals, game_id)
    try:
        edition(opening.terms.edition)
    except Malformed as error:
        raise Malformed(
            f"the game needs the edition {quoted(opening.terms.edition)}: {error}",
            "put that edition's file into the folder editions beside the games",
        ) from error
    _check_possible(exported)
    journals.append(game_id, *exported.entries)
    return game_id


def _read_opening(exported: ExportedGame) -> tuple[e.GameOpened, GameId]:
    """Return the event that opens the game, and the game's id.

    Raises:
        Malformed: If the first entry does not open it.
    """
    first = exported.entries[0] if exported.entries else None
    opening = first.events[0] if first and first.events else None
    if (
        first is None
        or not isinstance(opening, e.GameOpened)
        or opening.name != exported.name
    ):
        raise _refuse_entry(1, f"it does not open the game {quoted(exported.name)}")
    try:
        return opening, opened_by(first.command_id)
    except Malformed as error:
        raise _refuse_entry(1, f"its id is {quoted(first.command_id)}") from error


def _check_new(journals: Journals, game_id: GameId) -> None:
    """Refuse a game that this table has already."""
    for game in journals.games():
        if game.game_id == game_id:
            raise Malformed(
                f"the game {quoted(game.title)} is on this table already",
                "to play from the file, put the game away and throw it away first",
            )


def _check_possible(exported: ExportedGame) -> None:
    """Play the game through; each entry has to be possible after the one before."""
    journal = Journal(lambda after: exported.entries[after:])
    for number, entry in enumerate(exported.entries, 1):
        try:
            journal.append(entry)
            _check_printable(entry)
        except NONSENSE as error:
            raise _refuse_entry(number, str(error)) from error
        if len(journal.revisions) != number:
            raise _refuse_entry(
                number, f"its id {quoted(entry.command_id)} came before"
            )


def _check_printable(entry: Entry) -> None:
    """Raise ``UnicodeError`` for text that UTF-8 cannot hold."""
    f"{entry.command_id}{entry.actor}".encode()


def _refuse_entry(number: int, why: str) -> Malformed:
    return Malformed(
        f"entry {number} of the file cannot have happened: {why}",
        "take a file that companion games export gave, as it is",
    )
