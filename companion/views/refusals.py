"""Refusals as pages show them: whole sentences, with the names of the players.

A refusal has a *message*, which says what is wrong, and a *remedy*, which says what to
do instead. Both are clauses without a capital or a full stop, and they name seats by
their ids, such as ``red``. The reader is *you* in them, by ``TO_READER``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from companion.errors import Refused, Why
from companion.words import Value, Words, capital, say, told
from companion.words.amount import Amount

TO_READER = {
    ("{by} bids for a building in this group", "by"): told(
        "you bid for a building in this group"
    ),
    ("{by} can still raise the money", "by"): told("you can still raise the money"),
    ("{by} cannot trade alone", "by"): told("you cannot trade alone"),
    ("{by} does not bid in this auction", "by"): told("you do not bid in this auction"),
    ("{by} does not have that card", "by"): told("you do not have that card"),
    ("{by} has asked for a building on {deed} already", "by"): told(
        "you have asked for a building on {deed} already"
    ),
    ("{by} has asked for that rent already", "by"): told(
        "you have asked for that rent already"
    ),
    ("{by} has no bus ticket", "by"): told("you have no bus ticket"),
    ("{by} has passed and bids no more", "by"): told("you have passed and bid no more"),
    ("{by} has room for a card", "by"): told("you have room for a card"),
    ("{by} has the money", "by"): told("you have the money"),
    ("{by} is in jail", "by"): told("you are in jail"),
    ("{by} is not in jail", "by"): told("you are not in jail"),
    ("{by} is out of the game", "by"): told("you are out of the game"),
    ("{by} leads with {bid}", "by"): told("you lead with {bid}"),
    ("{by} owes {amount}", "by"): told("you owe {amount}"),
    ("{debtor} owes {creditor} nothing", "creditor"): told("{debtor} owes you nothing"),
    ("{debtor} owes {creditor} nothing", "debtor"): told("you owe {creditor} nothing"),
    ("{deed} is not {by}'s", "by"): told("{deed} is not yours"),
    ("{owner} sells all buildings of the group first", "owner"): told(
        "sell all buildings of the group first"
    ),
    ("{owner} sells it first", "owner"): told("sell it first"),
    ("{payer} cannot pay itself", "payer"): told("you cannot pay yourself"),
    ("{payer} has {cash}; this costs {amount}", "payer"): told(
        "you have {cash}; this costs {amount}"
    ),
    ("{seat} already has {limit} open requests", "seat"): told(
        "you already have {limit} open requests"
    ),
    ("{seat} cannot ask itself", "seat"): told("you cannot ask yourself"),
    ("{seat} does not have so many {goods}", "seat"): told(
        "you do not have so many {goods}"
    ),
    ("{seat} has laid a card on the table", "seat"): told(
        "you have laid a card on the table"
    ),
    ("{seat} has laid money on the table", "seat"): told(
        "you have laid money on the table"
    ),
    ("{seat} has no {goods}", "seat"): told("you have no {goods}"),
    ("{seat} keeps the bank already", "seat"): told("you keep the bank already"),
    ("{seat} owes {by} no rent", "seat"): told("you owe yourself no rent"),
    ("{seat} owes {by} no rent", "by"): told("{seat} owes you no rent"),
    ("{who} asks for an undo already", "who"): told("you ask for an undo already"),
    ("{who} said no already", "who"): told("you said no already"),
    ("{who} was first and looks already", "who"): told("you look already"),
    ("it is {seat}'s turn, not {by}'s", "by"): told("it is {seat}'s turn, not yours"),
    ("no offer by {by} is open", "by"): told("no offer of yours is open"),
    ("no rent is due to {by} now", "by"): told("no rent is due to you now"),
    ("there is no offer for {by}", "by"): told("there is no offer for you"),
}
"""A template and the field that names its reader -> the template that says *you*."""


def refusal_text(
    refused: Refused, names: Mapping[str, str], me: str = ""
) -> tuple[str, str]:
    """Return the message and the remedy of a refusal, with players' names for seats.

    Args:
        refused: The refusal.
        names: The name of each seat.
        me: The seat of the reader, who is addressed as *you*; may be empty.
    """
    if refused.why is Why.NAME_TAKEN:
        # In that message "red" is a colour, not the id of a seat.
        return refused.message, refused.remedy
    message, remedy = (_to_reader(x, me) for x in (refused.message, refused.remedy))
    return in_names(message, names), in_names(remedy, names)


def _to_reader(text: str, me: str) -> str:
    """Say *you* for the seat *me*, where the sentence is about it."""
    if me and isinstance(text, Words):
        for field, value in text.values.items():
            to_reader = TO_READER.get((text.template, field))
            if value == me and to_reader:
                return Words(to_reader, text.values, is_capital=text.is_capital)
    return text


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
