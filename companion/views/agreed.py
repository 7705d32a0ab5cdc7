"""A correction as people say it: ``3 houses on Connecticut Avenue``.

A correction is kept in the words of scripts (``companion/rules/correcting.py``), such
as ``connecticut-avenue houses 3``. Words that are no correction stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.game.spaces import data_words
from companion.game.stage import Stage
from companion.rules.seats import COLOURS
from companion.units import BANK, VAULT
from companion.words import counted, say, say_count
from companion.words.lists import with_ands
from companion.words.money import dollars_text

Names = Mapping[str, str]
Rest = tuple[str, ...]


def agreed(words: Rest, names: Names) -> str:
    """Put the *words* of a correction into a short sentence in lower case."""
    if len(words) >= 2 and words[0] in OF_TABLE:
        return OF_TABLE[words[0]](words[0], words[1:], names)
    if len(words) >= 2:
        subject, predicate, rest = words[0], words[1], words[2:]
        write = _own_words(subject).get(predicate) or OF_ALL.get(predicate)
        if write is not None and (rest or predicate in ALONE):
            return write(subject, rest, names)
    return " ".join(names.get(word, word) for word in words)


def _name(word: str, names: Names) -> str:
    """Return what people call a seat, a deed, a space or a card."""
    return names.get(word) or names.get(f"space@{word}") or data_words(word)


def _names(words: Rest, names: Names) -> str:
    return with_ands(_name(word, names) for word in words)


def _amount(word: str) -> str:
    return dollars_text(int(word)) if word.isdigit() else word


def _count(word: str) -> int:
    return int(word) if word.isdigit() else 0


def _on(seat: str, rest: Rest, names: Names) -> str:
    return say(
        "{seat} stands on {space}", seat=_name(seat, names), space=_name(rest[0], names)
    )


def _cash(seat: str, rest: Rest, names: Names) -> str:
    return say("{who} has {amount}", who=_name(seat, names), amount=_amount(rest[0]))


def _owns(seat: str, rest: Rest, names: Names) -> str:
    return say(
        "{seat} owns {deeds}", seat=_name(seat, names), deeds=_names(rest, names)
    )


def _jailed(seat: str, _: Rest, names: Names) -> str:
    return say("{seat} is in jail", seat=_name(seat, names))


def _free(seat: str, _: Rest, names: Names) -> str:
    return say("{seat} is out of jail", seat=_name(seat, names))


def _cards(seat: str, rest: Rest, names: Names) -> str:
    who = _name(seat, names)
    if rest == ("none",):
        return say("{seat} has no cards", seat=who)
    return say("{seat} has these cards: {cards}", seat=who, cards=_names(rest, names))


def _bankrupt(seat: str, _: Rest, names: Names) -> str:
    return say("{seat} is bankrupt", seat=_name(seat, names))


def _owes(seat: str, rest: Rest, names: Names) -> str:
    who = _name(seat, names)
    if not _count(rest[0]):
        return say("{seat} owes nothing", seat=who)
    creditor = _name(rest[2] if len(rest) > 2 else BANK, names)
    return say(
        "{debtor} owes {creditor} {amount}",
        debtor=who,
        creditor=creditor,
        amount=_amount(rest[0]),
    )


def _owner(deed: str, rest: Rest, names: Names) -> str:
    if rest == ("none",):
        return say("nobody owns {deed}", deed=_name(deed, names))
    return say(
        "{seat} owns {deeds}", seat=_name(rest[0], names), deeds=_name(deed, names)
    )


def _mortgaged(deed: str, _: Rest, names: Names) -> str:
    return say("{deed} is mortgaged", deed=_name(deed, names))


def _unmortgaged(deed: str, _: Rest, names: Names) -> str:
    return say("{deed} is not mortgaged", deed=_name(deed, names))


def _bare(deed: str, _: Rest, names: Names) -> str:
    return say("nothing stands on {deed}", deed=_name(deed, names))


def _pieces(singular: str, plural: str) -> Callable[[str, Rest, Names], str]:
    """Return a writer for a number of pieces on a deed, in a hand, or in the vault."""

    def write(subject: str, rest: Rest, names: Names) -> str:
        count = _count(rest[0])
        where = _name(subject, names)
        return say_count(count, singular, plural, where=where)

    return write


def _turn(_: str, rest: Rest, names: Names) -> str:
    return say("it is {seat}'s turn", seat=_name(rest[0], names))


def _doubles(_: str, rest: Rest, __: Names) -> str:
    singular, plural = counted("one double so far", "{count} doubles so far")
    return say_count(_count(rest[0]), singular, plural)


def _stage(_: str, rest: Rest, __: Names) -> str:
    known = {stage.value: stage.awaits for stage in Stage if stage.awaits}
    return say("the table waits for {stage}", stage=known.get(rest[0], rest[0]))


def _top(_: str, rest: Rest, names: Names) -> str:
    return say("the next cards lie ready: {deck}", deck=_name(rest[0], names))


def _faceup(_: str, rest: Rest, names: Names) -> str:
    return say("these cards lie open: {cards}", cards=_names(rest, names))


def _lid(words: str) -> Callable[[str, Rest, Names], str]:
    return lambda *_: words


Write = Callable[[str, Rest, Names], str]


def _own_words(subject: str) -> Mapping[str, Write]:
    """Return the words that mean something else of this subject than of a deed."""
    if subject in COLOURS:
        return OF_SEAT
    if subject == VAULT:
        return OF_VAULT
    return OF_BANK if subject == BANK else {}


OF_ALL: Mapping[str, Write] = {
    "on": _on,
    "cash": _cash,
    "owns": _owns,
    "jailed": _jailed,
    "free": _free,
    "cards": _cards,
    "bankrupt": _bankrupt,
    "owes": _owes,
    "owner": _owner,
    "mortgaged": _mortgaged,
    "unmortgaged": _unmortgaged,
    "bare": _bare,
    "houses": _pieces(*counted("one house on {where}", "{count} houses on {where}")),
    "hotels": _pieces(*counted("one hotel on {where}", "{count} hotels on {where}")),
    "skyscrapers": _pieces(
        *counted("one skyscraper on {where}", "{count} skyscrapers on {where}")
    ),
    "depots": _pieces(*counted("one depot on {where}", "{count} depots on {where}")),
}
"""The facts about a seat or a deed, by their words."""

OF_SEAT: Mapping[str, Write] = {
    "chips": _pieces(
        *counted("{where} has one green chip", "{where} has {count} green chips")
    ),
    "hotels": _pieces(
        *counted("{where} has one hotel in hand", "{where} has {count} hotels in hand")
    ),
    "tickets": _pieces(
        *counted("{where} has one bus ticket", "{where} has {count} bus tickets")
    ),
}
"""The facts about a seat whose words mean something else of a deed."""

OF_BANK: Mapping[str, Write] = {
    "houses": _pieces(
        *counted("the bank has one house", "the bank has {count} houses")
    ),
    "hotels": _pieces(
        *counted("the bank has one hotel", "the bank has {count} hotels")
    ),
    "skyscrapers": _pieces(
        *counted("the bank has one skyscraper", "the bank has {count} skyscrapers")
    ),
    "depots": _pieces(
        *counted("the bank has one depot", "the bank has {count} depots")
    ),
    "tickets": _pieces(
        *counted("the bank has one bus ticket", "the bank has {count} bus tickets")
    ),
    "keys": _pieces(*counted("the bank has one key", "the bank has {count} keys")),
}
"""The facts about the bank, by their words."""

OF_VAULT: Mapping[str, Write] = {
    "keys": _pieces(*counted("one key in the vault", "{count} keys in the vault")),
    "hotels": _pieces(
        *counted("one hotel in the vault", "{count} hotels in the vault")
    ),
    "locked": _lid(say("the vault is locked")),
    "open": _lid(say("the vault is open")),
    "shut": _lid(say("the vault is shut, but not locked")),
}
"""The facts about the vault, by their words."""

OF_TABLE: Mapping[str, Write] = {
    "turn": _turn,
    "doubles": _doubles,
    "stage": _stage,
    "top": _top,
    "faceup": _faceup,
}
"""The facts about the table as a whole, by their first words."""

ALONE = frozenset(
    (
        *("jailed", "free", "bankrupt", "mortgaged", "unmortgaged", "bare"),
        *("locked", "open", "shut"),
    )
)
"""Words that need no further word after them."""
