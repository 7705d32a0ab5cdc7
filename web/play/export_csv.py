"""Export of a game as CSV for spreadsheets: a row for each event of each entry.

A game's journal consists of *entries*, one for each command, numbered by their
*revision*. An entry holds the *events* that the command caused.
"""

from __future__ import annotations

import codecs
import csv
import io
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Final

from companion.game.event import Event
from companion.game.events import MoneyMoved
from companion.game.journal import Entry
from companion.views.history import sentence

COLUMNS: Final = (
    "revision",
    "time",
    "actor",
    "event",
    "words",
    "payer",
    "payee",
    "amount",
    "reason",
    "taken_back",
)
"""The header row. The time is in UTC; ``taken_back`` is ``yes`` for an undone entry."""

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "\N{MINUS SIGN}")
"""A spreadsheet runs a cell as a formula if it begins with one of these characters.

Invisible characters may precede it, and it may be in its full-width form.
Source: the OWASP page on CSV injection.
"""


def entries_to_csv(
    entries: Iterable[Entry],
    names: Callable[[int], Mapping[str, str]],
    undone: Collection[int],
    translate: Callable[[str], str],
) -> Iterator[bytes]:
    """Yield CSV in UTF-8, with the byte order mark that spreadsheets expect.

    Args:
        entries: The entries, oldest first.
        names: Returns the names of all players and deeds at a revision, by id.
        undone: The revisions of the entries that were undone.
        translate: Translates a sentence into the reader's language.
    """
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(COLUMNS)
    yield codecs.BOM_UTF8
    for entry in entries:
        taken_back = "yes" if entry.revision in undone else ""
        names_then = names(entry.revision)
        when = datetime.fromtimestamp(entry.at_ms / 1000, tz=UTC)
        for event in entry.events:
            if not isinstance(event, Event):
                continue
            row = (
                str(entry.revision),
                when.isoformat(timespec="seconds"),
                entry.actor,
                type(event).__name__,
                translate(sentence(event, names_then)),
                *_payment(event),
                taken_back,
            )
            table.writerow([harmless(cell) for cell in row])
        yield text.getvalue().encode()
        text.seek(0)
        text.truncate()
    yield text.getvalue().encode()


def _payment(event: Event) -> tuple[str, str, str, str]:
    """Return payer, payee, amount and reason; four empty texts if no money moved."""
    if not isinstance(event, MoneyMoved):
        return ("", "", "", "")
    return (event.payer, event.payee, str(event.amount), event.reason.value)


INVISIBLE: Final = ("C", "M", "Z")
"""The Unicode categories of invisible characters: controls, marks, separators."""


def harmless(cell: str) -> str:
    """Put an apostrophe before *cell* if a spreadsheet could run it as a formula."""
    for character in cell:
        is_invisible = unicodedata.category(character).startswith(INVISIBLE)
        if is_invisible and character not in FORMULA:
            continue
        plain = unicodedata.normalize("NFKD", character)
        return f"'{cell}" if plain.startswith(FORMULA) else cell
    return cell
