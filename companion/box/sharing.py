"""Comparing a file that another table shared with what this table knows of the box.

Only what the program itself lacks is taken from the file; it becomes a reading like
those that were typed in. Everything else stays as this table has it.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.edition import Edition, load
from companion.edition.british import UK
from companion.edition.own import Readings, askable, can_say, value_at
from companion.errors import Malformed
from companion.game.box_key import BoxValue, key_of
from companion.words import say


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """What a file says about a box, sorted by what this table knew before.

    Attributes:
        new: What this table did not know, by key.
        same: What this table has read the same way.
        other: What this table has read differently: the file's word, then its own.
    """

    new: dict[str, BoxValue]
    same: dict[str, BoxValue]
    other: dict[str, tuple[BoxValue, BoxValue]]


def shared_edition(text: str, name: str, base: Edition) -> Edition:
    """The edition in a file that somebody shared.

    Args:
        text: The file.
        name: Its name, for messages.
        base: The edition as this table has it, without what was read off its box.

    Raises:
        EditionFault: With every mistake in the file, if it has any.
        Malformed: If the file is about another box.
    """
    theirs = load(text, name)
    box = theirs.inherits.edition if theirs.inherits else theirs.id
    ours = {base.id.removesuffix(UK)}
    ours |= {base.inherits.edition} if base.inherits else set()
    if box not in ours:
        raise Malformed(
            say("this file is about another box: {box}", box=box),
            say("open the page of that box and read it there"),
        )
    return theirs


def compared(base: Edition, theirs: Edition, ours: Readings) -> Compared:
    """What a shared file says, compared with what this table read.

    Args:
        base: The edition without what was read off this table's box.
        theirs: The edition in the file.
        ours: What this table read, by key.
    """
    said = dict(said_in(base, theirs))
    return Compared(
        new={key: value for key, value in said.items() if key not in ours},
        same={key: value for key, value in said.items() if ours.get(key) == value},
        other={
            key: (value, ours[key])
            for key, value in said.items()
            if key in ours and ours[key] != value
        },
    )


def said_in(base: Edition, theirs: Edition) -> Iterator[tuple[str, BoxValue]]:
    """What *theirs* says of all that *base* does not know, by key."""
    for key in askable(base):
        value = value_at(theirs, key)
        if value is not None:
            yield key, value
    for card in theirs.cards:
        key = key_of("card", card.id, "deck")
        if can_say(base, key, card.deck):
            yield key, card.deck
