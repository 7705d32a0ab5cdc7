"""A file that another table shared, beside what this table knows of the same box.

Only what the program itself lacks is taken from it, as a reading like those that
were typed in; on everything else this table's own word stays.
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
    """What a file says of a box, by what this table knew before.

    Attributes:
        new: What it did not know.
        same: What it knows just so.
        other: What it knows otherwise: the file's word, and this table's.
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
        EditionFault: With every mistake of the file, if it has any.
        Malformed: If it is about another box.
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
    """What a shared file says, beside what this table read.

    Args:
        base: The edition without what was read off this table's box.
        theirs: The edition in the file.
        readings: The last word of this table on each figure.
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
    """What *theirs* says of what *base* lacks: deeds, cards, spaces."""
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
