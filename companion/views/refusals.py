"""Refusals as pages show them: whole sentences, with the names of the players.

A refusal has a *message*, which says what is wrong, and a *remedy*, which says what to
do instead. Both are clauses without a capital or a full stop, and they name seats by
their ids, such as ``red``.
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
    """Return the message and the remedy of a refusal, with players' names for seats.

    Args:
        refused: The refusal.
        names: The name of each seat.
        me: The seat of the reader, who is addressed as *you* if that seat lacks the
            money; may be empty.
    """
    if refused.why is Why.NAME_TAKEN:
        # In that message "red" is a colour, not the id of a seat.
        return refused.message, refused.remedy
    if me and isinstance(refused.message, Words):
        match refused.message.values:
            case {"payer": payer, "cash": cash, "amount": amount} if payer == me:
                message = say(
                    "You have {cash}; this costs {amount}", cash=cash, amount=amount
                )
                return message, refused.remedy
    return in_names(refused.message, names), in_names(refused.remedy, names)


def in_names(text: str, names: Mapping[str, str]) -> str:
    """Replace the id of every seat in *text* by the name of its player.

    After "the" the same word is a colour, and stays as it is.
    """
    if not names:
        return text
    if isinstance(text, Words):
        return text.with_values(lambda value: _value_in_names(value, names))
    if isinstance(text, Amount):
        return text
    ids = "|".join(re.escape(seat) for seat in names)
    return re.sub(rf"\b(?<!the )({ids})\b", lambda match: names[match[1]], text)


def _value_in_names(value: Value, names: Mapping[str, str]) -> Value:
    return in_names(value, names) if isinstance(value, str) else value


def sentence(message: str, remedy: str = "") -> str:
    """Join *message* and *remedy* as sentences with a capital and a full stop.

    Either may be empty. A message that already ends with a stop gets no second one.
    """
    if not message:
        return sentence(remedy) if remedy else ""
    if message[-1:] in ".!?":
        first = capital(message)
    else:
        first = capital(say("{sentence}.", sentence=capital(message)))
    if not remedy:
        return first
    return say("{first} {second}", first=first, second=sentence(remedy))
