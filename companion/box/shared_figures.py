"""Comparing a file that another table shared with what this table knows of the box.

Only figures that the program itself lacks are taken from the file; they become
readings like those that were typed in. Everything else stays as this table has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from companion.box.own_figures import typeable
from companion.box.readings import CARD_FIGURE, SPACE_FIGURE, BoxReading, Said
from companion.edition import Edition, load
from companion.edition.british import UK
from companion.edition.own_cards import can_have, is_open
from companion.edition.shape import Card, Deed
from companion.errors import Malformed
from companion.game.board import READABLE
from companion.game.card_code import parsed
from companion.words import say


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """What a file says about a box, sorted by what this table knew before.

    Attributes:
        new: What this table did not know.
        same: What this table has read the same way.
        other: What this table has read differently: the file's word, then its own.
    """

    new: tuple[Said, ...]
    same: tuple[Said, ...]
    other: tuple[tuple[Said, Said], ...]


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
            say("expected a file about this box, got one about {box}", box=box),
            say("open the page of that box and read it there"),
        )
    return theirs


def compared(
    base: Edition, theirs: Edition, readings: Iterable[BoxReading]
) -> Compared:
    """What a shared file says, compared with what this table read.

    Args:
        base: The edition without what was read off this table's box.
        theirs: The edition in the file.
        readings: This table's latest reading of each figure.
    """
    ours = {
        (one.of, one.figure): Said(
            of=one.of, figure=one.figure, amount=one.amount, kind=one.kind
        )
        for one in readings
    }
    new, same, other = [], [], []
    for one in said_in(base, theirs):
        known = ours.get((one.of, one.figure))
        if known is None:
            new.append(one)
        elif known == one:
            same.append(one)
        else:
            other.append((one, known))
    return Compared(new=tuple(new), same=tuple(same), other=tuple(other))


def said_in(base: Edition, theirs: Edition) -> Iterator[Said]:
    """What *theirs* says about deeds, cards and spaces that *base* does not know."""
    wanted = typeable(base)
    entries: tuple[Deed | Card, ...] = (*theirs.deeds, *theirs.cards)
    for entry in entries:
        for figure in entry.__struct_fields__:
            amount = getattr(entry, figure)
            if (entry.id, figure) in wanted and amount is not None:
                yield Said(of=entry.id, figure=figure, amount=amount)
    for card in theirs.cards:
        if parsed(card.id) and is_open(base, card.deck) and can_have(base, card.id):
            yield Said(of=card.id, figure=CARD_FIGURE, kind=card.deck)
    for space in theirs.spaces:
        of = str(space.number)
        is_read = f"space.{of}" not in theirs.inherited and space.kind in READABLE
        if is_read and (of, SPACE_FIGURE) in wanted:
            yield Said(of=of, figure=SPACE_FIGURE, kind=space.kind)
