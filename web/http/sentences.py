"""Messages of the core as pages show them: whole sentences, with players' names."""

from __future__ import annotations

import re

from companion.errors import Refused, Why
from companion.views.history import COMMON_NAMES
from companion.views.table import SeatRow, TableView
from companion.words import Value, Words, capital, say
from companion.words.amount import Amount


def names_in(view: TableView) -> dict[str, str]:
    """What every account is called in a sentence, by its id."""
    return {**COMMON_NAMES, **{row.seat: row.name for row in view.seats}}


def refusal_text(
    refused: Refused, view: TableView, me: SeatRow | None = None
) -> tuple[str, str]:
    """Message and remedy of a refusal, with players' names for their seats.

    Whoever holds the phone, *me*, is told what *you* have.
    """
    if refused.why is Why.NAME_TAKEN:  # It means the colour, not its seat.
        return refused.message, refused.remedy
    if me is not None and isinstance(refused.message, Words):
        match refused.message.values:
            case {"payer": me.seat, "cash": cash, "amount": amount}:
                words = say(
                    "You have {cash}; this costs {amount}", cash=cash, amount=amount
                )
                return words, refused.remedy
    names = {row.seat: row.name for row in view.seats}
    return in_names(refused.message, names), in_names(refused.remedy, names)


def in_names(text: str, names: dict[str, str]) -> str:
    """*text* with every seat's id replaced by its player's name."""
    if not names:
        return text
    if isinstance(text, Words):
        return text.with_values(lambda value: _in_names(value, names))
    if isinstance(text, Amount):
        return text
    words = "|".join(re.escape(word) for word in names)
    return re.sub(rf"\b(?<!the )({words})\b", lambda m: names[m[1]], text)


def _in_names(value: Value, names: dict[str, str]) -> Value:
    return in_names(value, names) if isinstance(value, str) else value


def sentence(message: str, remedy: str = "") -> str:
    """*message* and *remedy* as sentences, with a capital and a full stop."""
    if not message:
        return sentence(remedy) if remedy else ""
    ends = message[-1:] in "!?"  # It needs no full stop.
    whole = capital(message if ends else say("{sentence}.", sentence=capital(message)))
    if not remedy:
        return whole
    return say("{first} {second}", first=whole, second=sentence(remedy))
