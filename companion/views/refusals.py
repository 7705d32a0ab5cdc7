"""Refusals as pages show them: whole sentences, with players' names, said to somebody.

What is said, and the rule behind it, comes from the check that refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from companion.errors import Refused, Why
from companion.words import Value, Words, capital, say
from companion.words.amount import Amount


def refusal_text(
    refused: Refused, names: Mapping[str, str], me: str = ""
) -> tuple[str, str]:
    """Return message and remedy of a refusal, with players' names for their seats.

    Args:
        refused: The refusal.
        names: What each seat is called.
        me: The seat whose player reads it, and is told what *you* have.
    """
    if refused.why is Why.NAME_TAKEN:  # It means the colour, not its seat.
        return refused.message, refused.remedy
    if me and isinstance(refused.message, Words):
        match refused.message.values:
            case {"payer": payer, "cash": cash, "amount": amount} if payer == me:
                words = say(
                    "You have {cash}; this costs {amount}", cash=cash, amount=amount
                )
                return words, refused.remedy
    return in_names(refused.message, names), in_names(refused.remedy, names)


def in_names(text: str, names: Mapping[str, str]) -> str:
    """Return *text* with every seat's id replaced by its player's name."""
    if not names:
        return text
    if isinstance(text, Words):
        return text.with_values(lambda value: _in_names(value, names))
    if isinstance(text, Amount):
        return text
    words = "|".join(re.escape(word) for word in names)
    return re.sub(rf"\b(?<!the )({words})\b", lambda m: names[m[1]], text)


def _in_names(value: Value, names: Mapping[str, str]) -> Value:
    return in_names(value, names) if isinstance(value, str) else value


def sentence(message: str, remedy: str = "") -> str:
    """Return *message* and *remedy* as sentences, with a capital and a full stop."""
    if not message:
        return sentence(remedy) if remedy else ""
    ends = message[-1:] in ".!?"  # It needs no full stop.
    whole = capital(message if ends else say("{sentence}.", sentence=capital(message)))
    if not remedy:
        return whole
    return say("{first} {second}", first=whole, second=sentence(remedy))
