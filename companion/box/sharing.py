"""Compares a file that another table shared with this table's readings of the box.

A *reading* is a value that this table read off its box (``companion/box/readings.py``).
Only values that the program's own edition lacks are taken from the file; they then
count as readings of this table.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.edition import Edition, load
from companion.edition.library import UK
from companion.edition.own import Readings, accepts_reading, unknown_keys, value_at
from companion.errors import Malformed
from companion.game.box_key import BoxValue, key_of
from companion.words import say


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The values of a shared file, sorted by what this table has read before.

    Attributes:
        new: Values that this table has not read, by key.
        same: Values that this table has read, too, by key.
        other: Values that differ, by key: the file's, then this table's.
    """

    new: dict[str, BoxValue]
    same: dict[str, BoxValue]
    other: dict[str, tuple[BoxValue, BoxValue]]


def shared_edition(text: str, name: str, base: Edition) -> Edition:
    """Read the edition in a file that somebody shared.

    Args:
        text: The file.
        name: Its name, for messages.
        base: This table's edition, without readings.

    Raises:
        EditionFault: With every mistake in the file, if it has any.
        Malformed: If the file is about another box.
    """
    theirs = load(text, name)
    box = theirs.inherits.edition if theirs.inherits else theirs.id
    our_boxes = {base.id.removesuffix(UK)}
    if base.inherits:
        our_boxes.add(base.inherits.edition)
    if box not in our_boxes:
        raise Malformed(
            say("this file is about another box: {box}", box=box),
            say("open the page of that box and read it there"),
        )
    return theirs


def compare_file(base: Edition, theirs: Edition, ours: Readings) -> Comparison:
    """Compare the values of a shared file with this table's readings.

    Args:
        base: This table's edition, without readings.
        theirs: The edition in the file.
        ours: This table's readings.
    """
    values = dict(values_in(base, theirs))
    return Comparison(
        new={key: value for key, value in values.items() if key not in ours},
        same={key: value for key, value in values.items() if ours.get(key) == value},
        other={
            key: (value, ours[key])
            for key, value in values.items()
            if key in ours and ours[key] != value
        },
    )


def values_in(base: Edition, theirs: Edition) -> Iterator[tuple[str, BoxValue]]:
    """Yield key and value of everything that *theirs* has and *base* lacks."""
    for key in unknown_keys(base):
        value = value_at(theirs, key)
        if value is not None:
            yield key, value
    for card in theirs.cards:
        key = key_of("card", card.id, "deck")
        if accepts_reading(base, key, card.deck):
            yield key, card.deck
