"""A correction as people say it: ``3 houses on Connecticut Avenue``.

A *correction* changes the position to what the table agreed on. The journal keeps it
in the words of game scripts (``companion/rules/correcting.py``), such as
``connecticut-avenue houses 3``: a *subject*, a *topic* and the *values* of the topic. A
few concern the whole table and have no subject: ``turn red``. The tables at the end
list the function or the sentence that words each topic.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.game.spaces import data_words
from companion.game.stage import Stage
from companion.rules.seats import COLOURS
from companion.units import BANK, VAULT
from companion.words import Words, counted, say, say_count, told
from companion.words.lists import with_ands
from companion.words.money import dollars_text

Names = Mapping[str, str]
"""What people call each seat, account, deed, space and card, by its id."""

Values = tuple[str, ...]
"""The words of a correction that follow its topic."""

Write = Callable[[str, Values, Names], str]
"""A function that words one topic, given the subject, the values and the names."""


def correction_text(words: tuple[str, ...], names: Names) -> str:
    """Put the *words* of a correction into a short sentence in lower case.

    An unknown correction stays as it is, with names for ids.
    """
    if len(words) >= 2 and words[0] in OF_TABLE:
        return OF_TABLE[words[0]](words[0], words[1:], names)
    if len(words) >= 2:
        subject, topic, values = words[0], words[1], words[2:]
        name = _name(subject, names)
        if topic in STATES:
            return Words(STATES[topic], {"seat": name, "deed": name})
        if values and topic in (pieces := _pieces_of(subject)):
            singular, plural = pieces[topic]
            return say_count(_count(values[0]), singular, plural, where=name)
        if values and topic in OF_SUBJECT:
            return OF_SUBJECT[topic](subject, values, names)
    return " ".join(names.get(word, word) for word in words)


def _pieces_of(subject: str) -> Pieces:
    """Return the sentences for the pieces that such a subject has."""
    if subject in COLOURS:
        return {**ON_DEED, **IN_HAND}
    if subject == VAULT:
        return {**ON_DEED, **IN_VAULT}
    return {**ON_DEED, **AT_BANK} if subject == BANK else ON_DEED


def _name(word: str, names: Names) -> str:
    return names.get(word) or names.get(f"space@{word}") or data_words(word)


def _names(words: Values, names: Names) -> str:
    return with_ands(_name(word, names) for word in words)


def _amount(word: str) -> str:
    """Return a number as an amount in dollars, and any other word unchanged."""
    return dollars_text(int(word)) if word.isdigit() else word


def _count(word: str) -> int:
    return int(word) if word.isdigit() else 0


# The topics of seats.


def _say_space(seat: str, values: Values, names: Names) -> str:
    """Word ``red on boardwalk``: the space of a token."""
    space = _name(values[0], names)
    return say("{seat} stands on {space}", seat=_name(seat, names), space=space)


def _say_cash(seat: str, values: Values, names: Names) -> str:
    """Word ``red cash 500``: the money of a seat or another account."""
    return say("{who} has {amount}", who=_name(seat, names), amount=_amount(values[0]))


def _say_deeds(seat: str, values: Values, names: Names) -> str:
    """Word ``red owns boardwalk``: one or more deeds of a seat."""
    return say(
        "{seat} owns {deeds}", seat=_name(seat, names), deeds=_names(values, names)
    )


def _say_cards(seat: str, values: Values, names: Names) -> str:
    """Word ``red cards none``, or the kept cards of a seat."""
    who = _name(seat, names)
    if values == ("none",):
        return say("{seat} has no cards", seat=who)
    return say("{seat} has these cards: {cards}", seat=who, cards=_names(values, names))


def _say_debt(seat: str, values: Values, names: Names) -> str:
    """Word ``red owes 50 to blue``; the creditor is the bank if none is named."""
    who = _name(seat, names)
    if not _count(values[0]):
        return say("{seat} owes nothing", seat=who)
    creditor = _name(values[2] if len(values) > 2 else BANK, names)
    return say(
        "{debtor} owes {creditor} {amount}",
        debtor=who,
        creditor=creditor,
        amount=_amount(values[0]),
    )


# The topics of deeds.


def _say_owner(deed: str, values: Values, names: Names) -> str:
    """Word ``boardwalk owner red``, or ``boardwalk owner none``."""
    if values == ("none",):
        return say("nobody owns {deed}", deed=_name(deed, names))
    return say(
        "{seat} owns {deeds}", seat=_name(values[0], names), deeds=_name(deed, names)
    )


# The topics of the table as a whole, which have no subject.


def _say_turn(_: str, values: Values, names: Names) -> str:
    """Word ``turn red``."""
    return say("it is {seat}'s turn", seat=_name(values[0], names))


def _say_doubles(_: str, values: Values, __: Names) -> str:
    """Word ``doubles 1``: the doubles rolled in a row."""
    singular, plural = counted("one double so far", "{count} doubles so far")
    return say_count(_count(values[0]), singular, plural)


def _say_stage(_: str, values: Values, __: Names) -> str:
    """Word ``stage roll``: what the table waits for."""
    stages = {stage.value: stage.words for stage in Stage if stage.words}
    return say("the table waits for {stage}", stage=stages.get(values[0], values[0]))


def _say_top(_: str, values: Values, names: Names) -> str:
    """Word ``top chance …``: the next cards of a deck, which stay secret."""
    return say("the next cards lie ready: {deck}", deck=_name(values[0], names))


def _say_face_up(_: str, values: Values, names: Names) -> str:
    """Word ``faceup …``: the cards that lie face up."""
    return say("these cards lie open: {cards}", cards=_names(values, names))


def _say_end(_: str, values: Values, __: Names) -> str:
    """Word ``end first-bankruptcy``: how the game ends from now on."""
    if values == ("all-owned",):
        return say("the game ends when all streets are owned")
    return say("you play on until one player is out")


OF_SUBJECT: Mapping[str, Write] = {
    "on": _say_space,
    "cash": _say_cash,
    "owns": _say_deeds,
    "cards": _say_cards,
    "owes": _say_debt,
    "owner": _say_owner,
}
"""The topics of seats and deeds."""

Pieces = Mapping[str, tuple[str, str]]
"""Topic -> the sentence for one piece, and that for any other number of them."""

ON_DEED: Pieces = {
    "houses": counted("one house on {where}", "{count} houses on {where}"),
    "hotels": counted("one hotel on {where}", "{count} hotels on {where}"),
    "skyscrapers": counted(
        "one skyscraper on {where}", "{count} skyscrapers on {where}"
    ),
    "depots": counted("one depot on {where}", "{count} depots on {where}"),
}

IN_HAND: Pieces = {
    "chips": counted("{where} has one green chip", "{where} has {count} green chips"),
    "hotels": counted(
        "{where} has one hotel in hand", "{where} has {count} hotels in hand"
    ),
    "tickets": counted("{where} has one bus ticket", "{where} has {count} bus tickets"),
}

AT_BANK: Pieces = {
    "houses": counted("the bank has one house", "the bank has {count} houses"),
    "hotels": counted("the bank has one hotel", "the bank has {count} hotels"),
    "skyscrapers": counted(
        "the bank has one skyscraper", "the bank has {count} skyscrapers"
    ),
    "depots": counted("the bank has one depot", "the bank has {count} depots"),
    "tickets": counted(
        "the bank has one bus ticket", "the bank has {count} bus tickets"
    ),
    "keys": counted("the bank has one key", "the bank has {count} keys"),
}

IN_VAULT: Pieces = {
    "keys": counted("one key in the vault", "{count} keys in the vault"),
    "hotels": counted("one hotel in the vault", "{count} hotels in the vault"),
}

OF_TABLE: Mapping[str, Write] = {
    "turn": _say_turn,
    "doubles": _say_doubles,
    "stage": _say_stage,
    "top": _say_top,
    "faceup": _say_face_up,
    "end": _say_end,
}
"""The topics of the table as a whole, with which a correction begins."""

STATES: Mapping[str, str] = {
    "jailed": told("{seat} is in jail"),
    "free": told("{seat} is out of jail"),
    "bankrupt": told("{seat} is bankrupt"),
    "mortgaged": told("{deed} is mortgaged"),
    "unmortgaged": told("{deed} is not mortgaged"),
    "bare": told("nothing stands on {deed}"),
    "locked": told("the vault is locked"),
    "open": told("the vault is open"),
    "shut": told("the vault is shut, but not locked"),
}
"""The sentences of the topics that take no values."""
