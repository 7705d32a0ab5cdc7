"""Codes of the vault that fit a recorded game.

They are computed from the recorded guesses alone: the number that was right, or else
one that nobody tried. The lock's real code is never read.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.game import play_events as p
from companion.game import vault_contents_events as r
from companion.game.journal import Entry
from companion.script.code import CODE_MAX, RELOCKED


def codes_in_hindsight(entries: tuple[Entry, ...]) -> Iterator[int]:
    """Yield a fitting code for each locking, with the first one; 0 if none fits."""
    wrong: set[int] = set()
    right = 0
    for entry in entries:
        for event in entry.events:
            if isinstance(event, r.GuessMade):
                if event.is_right:
                    right = event.number
                else:
                    wrong.add(event.number)
            elif is_locking(event):
                yield right or _untried(wrong)
                wrong, right = set(), 0
    yield right or _untried(wrong)


def is_locking(event: object) -> bool:
    """Return whether the vault has another code after this event."""
    if isinstance(event, p.PositionCorrected):
        return event.words == RELOCKED
    return isinstance(event, r.VaultRefilled)


def _untried(wrong: set[int]) -> int:
    """Return the lowest number that is not in *wrong*; 0 if there is none."""
    numbers = range(1, CODE_MAX + 1)
    return next((number for number in numbers if number not in wrong), 0)


def code_words(code: int) -> str:
    """Return the words for *code* at the end of a script line; empty for 0."""
    return f" code {code}" if code else ""
