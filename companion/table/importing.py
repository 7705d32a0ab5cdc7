"""Takes in a game that was exported or copied, if it is whole and possible.

An export leaves out the vault's code, wrong numbers that were not told, which phone
holds which seat, and what has been packed. So phones take their seats anew, and this
table's vault serves the game, with its own code. Figures that the players typed in from
their box become readings of this table's box, as in a game that was played here.

A table that was restored may have fewer entries of a game than a copy of it. A copy
that begins with all that the table has makes that game longer, if people say so.

An import counts no games, as how many a table keeps is up to its phones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from companion.edition import Edition
from companion.errors import Malformed, quoted
from companion.game import events as e
from companion.game.codec import ExportedGame, entries_from_json
from companion.game.commands import TABLE
from companion.game.envelope import CONTINUED, opened_by
from companion.game.journal import NONSENSE, Entry, Journal, leaving
from companion.store import Journals
from companion.units import GameId, Revision, TimeMs
from companion.words import say


class Import(NamedTuple):
    """A game from outside, whose edition this table has."""

    game_id: GameId
    entries: tuple[Entry, ...]


def read_import(text: bytes, edition: Callable[[str], Edition]) -> Import:
    """Read an exported game; whether it can have happened is not checked yet.

    Args:
        text: Output of ``companion games export``; a stranger may have changed it.
        edition: Returns an edition of this table by its id.

    Raises:
        Malformed: If *text* is no exported game, or needs an edition that the table
            lacks.
    """
    exported = entries_from_json(text)
    opening, game_id = _read_opening(exported)
    try:
        edition(opening.terms.edition)
    except Malformed as error:
        raise Malformed(
            say(
                "the game needs the edition {name}: {why}",
                name=quoted(opening.terms.edition),
                why=str(error),
            ),
            say("put that edition's file into the folder editions beside the games"),
        ) from error
    return Import(game_id, exported.entries)


def write_import(
    journals: Journals, game: Import, now_ms: TimeMs, here: int = 0
) -> tuple[Entry, ...]:
    """Write the entries of a game that this table lacks, and return them, if any.

    Args:
        journals: The journals of this table.
        game: The game.
        now_ms: The wall clock.
        here: How many of its entries this table has, as people were told.

    Raises:
        Malformed: If the game cannot have happened, or if this table has it otherwise,
            or not *here* entries of it; nothing has changed.
        JournalFault: If it cannot be written; nothing has changed.
    """
    count = len(game.entries)
    ours = journals.latest().get(game.game_id, Revision(0))
    both = zip(journals.entries(game.game_id), game.entries, strict=False)
    for own, other in both:
        if leaving(own) != leaving(other):
            raise Malformed(
                say(
                    "this is another game: from entry {number} on it went otherwise "
                    "than the one on this table",
                    number=own.revision,
                ),
                say("keep its file; only one of the two can be on a table"),
            )
    if count <= ours:
        return ()
    if here != ours:
        raise Malformed(
            say(
                "this table has {ours} of {count} entries of it", ours=ours, count=count
            ),
            say(
                "see that nobody plays on here, then have the game go on from the copy"
            ),
        )
    new = game.entries
    if ours:
        went_on = (e.GameContinued(count=count - ours),)
        after = Revision(count + 1)
        new += (Entry(after, f"{CONTINUED}{after:08d}", TABLE, now_ms, went_on),)
    _check_possible(new)
    journals.append(game.game_id, *new[ours:])
    return new[ours:]


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


def _check_possible(entries: tuple[Entry, ...]) -> None:
    """Play the game through; each entry has to be possible after the one before."""
    journal = Journal(lambda after: entries[after:])
    for number, entry in enumerate(entries, 1):
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
        say(
            "entry {number} of the file cannot have happened: {why}",
            number=number,
            why=why,
        ),
        say("take a file that companion games export gave, as it is"),
    )
