"""Digests of positions, by which games are compared."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache

import msgspec
from msgspec.structs import FieldInfo

from companion.as_json import to_json
from companion.game import Game
from companion.game.journal import Entry, Journal, leaving


def folded(entries: tuple[Entry, ...]) -> Game:
    """Return the game to which *entries* lead."""
    journal = Journal(lambda after: entries[after:])
    for entry in entries:
        journal.append(entry)
    assert journal.game is not None
    return journal.game


def copied(entries: Iterable[Entry]) -> Game:
    """Return the game of a copy of *entries*, which lacks the numbers that it hides."""
    return folded(tuple(map(leaving, entries)))


REMEMBERED = ("asked", "lapsed")
"""Fields that only the words of a refusal read: history, which no rule asks for."""


def digest(game: Game) -> str:
    """Return 32 hexadecimal digits over the position and every seat's money.

    Two games with the same digest are in the same position. Names, colours and history
    do not count, nor do empty accounts, which a seat that left also has. Nor do fields
    at their default, so a new field leaves old games their digest; nor ``REMEMBERED``.
    """
    ledger = game.ledger
    money = sorted((str(account), ledger[account]) for account in ledger)
    money = [(account, balance) for account, balance in money if balance]
    text = to_json((_told(game.play), money))
    return hashlib.blake2b(text, digest_size=16).hexdigest()


def _told(part: object) -> object:
    """Return the fields of a part of a position, by their names, without defaults.

    They are sorted, as they may change places in the code.
    """
    if isinstance(part, msgspec.Struct):
        return {
            field.name: _told(value)
            for field in _fields(type(part))
            if (value := getattr(part, field.name)) != field.default
            and field.name not in REMEMBERED
        }
    if isinstance(part, tuple):
        return [_told(one) for one in part]
    return part


@cache
def _fields(kind: type[msgspec.Struct]) -> list[FieldInfo]:
    return sorted(msgspec.structs.fields(kind), key=lambda field: field.name)
