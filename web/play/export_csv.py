"""A game as a table for a spreadsheet: a row for each event of each entry."""

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
"""Time is UTC; the last column is ``yes`` for an entry that was taken back."""

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "\N{MINUS SIGN}")
"""Characters at the start of a cell that make a spreadsheet read it as a formula.

Their full-width forms and the like do so as well, also behind what nobody sees.
Source: the OWASP page on CSV injection.
"""


def entries_to_csv(
    entries: Iterable[Entry],
    names: Callable[[int], Mapping[str, str]],
    undone: Collection[int],
    tell: Callable[[str], str],
) -> Iterator[bytes]:
    """The entries as CSV in UTF-8 with a byte order mark, which spreadsheets expect.

    It comes in pieces, so that a long game is never whole in memory.

    Args:
        entries: Oldest first.
        names: What everybody and every deed was called at a revision.
        undone: Revisions of the entries that were taken back.
        tell: Puts a sentence into the reader's language.
    """
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(COLUMNS)
    yield codecs.BOM_UTF8
    for entry in entries:
        taken_back = "yes" if entry.revision in undone else ""
        called = names(entry.revision)
        when = datetime.fromtimestamp(entry.at_ms / 1000, tz=UTC)
        for event in entry.events:
            if not isinstance(event, Event):
                continue
            row = (
                str(entry.revision),
                when.isoformat(timespec="seconds"),
                entry.actor,
                type(event).__name__,
                tell(sentence(event, called)),
                *_payment(event),
                taken_back,
            )
            table.writerow([harmless(cell) for cell in row])
        yield text.getvalue().encode()
        text.seek(0)
        text.truncate()
    yield text.getvalue().encode()


def _payment(event: Event) -> tuple[str, str, str, str]:
    if not isinstance(event, MoneyMoved):
        return ("", "", "", "")
    return (event.payer, event.payee, str(event.amount), event.reason.value)


def harmless(cell: str) -> str:
    """*cell*, with an apostrophe before it if a spreadsheet could run it."""
    seen = (x for x in cell if x in FORMULA or unicodedata.category(x)[0] not in "CMZ")
    first = unicodedata.normalize("NFKD", next(seen, ""))
    return f"'{cell}" if first.startswith(FORMULA) else cell
