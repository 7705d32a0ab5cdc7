"""A digest of a whole position, to compare games by."""

from __future__ import annotations

import hashlib
from functools import cache

import msgspec
from msgspec.structs import FieldInfo

from companion.as_json import to_json
from companion.game import Game


def digest(game: Game) -> str:
    """32 hexadecimal digits over the position and every seat's money.

    Two games with the same digest are in the same position. Names, colours and history
    do not count, nor do empty accounts, which a seat that left also has. Nor does what
    stands at its default, so a field that positions gain later leaves old games theirs.
    """
    ledger = game.ledger
    money = sorted((str(account), ledger[account]) for account in ledger)
    money = [(account, balance) for account, balance in money if balance]
    text = to_json((_told(game.play), money))
    return hashlib.blake2b(text, digest_size=16).hexdigest()


def _told(part: object) -> object:
    """A part of a position by the names of its fields, without those at their default.

    The fields stand in the order of their names: they may change places.
    """
    if isinstance(part, msgspec.Struct):
        return {
            field.name: _told(value)
            for field in _fields(type(part))
            if (value := getattr(part, field.name)) != field.default
        }
    if isinstance(part, tuple):
        return [_told(one) for one in part]
    return part


@cache
def _fields(kind: type[msgspec.Struct]) -> list[FieldInfo]:
    return sorted(msgspec.structs.fields(kind), key=lambda field: field.name)
