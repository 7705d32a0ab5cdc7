"""How the fields of an event read in a sentence: ``$60``, or the name of a seat.

A sentence is a *template* such as ``{seat} bought {deed} for {amount}``, with fields of
an event in braces. ``worded`` and ``filled`` put the fields in. The type of a field
decides how its value is worded; ``WORDS`` has a function for each type. The *names* map
ids to what players call them; the caller brings them (``history.names_of``).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from string import Formatter
from typing import get_type_hints

import msgspec

from companion.game.card_words import drawn_card, name_of_card
from companion.game.ledger import Reason
from companion.game.position import Auction, Bundle
from companion.game.spaces import data_words
from companion.game.stage import Ending
from companion.units import (
    Account,
    CardId,
    ChoiceWord,
    DataWord,
    DeedId,
    Dollars,
    DrawnCardId,
    HotelCount,
    KeyCount,
    Level,
    Levels,
    LotId,
    Seat,
    SpaceCount,
    SpaceNumber,
    TargetWord,
    TicketCount,
)
from companion.views.agreed import correction_text
from companion.words import Value, Words, say, say_count
from companion.words.amount import Amount
from companion.words.lists import with_ands, with_commas
from companion.words.money import dollars_text

Names = Mapping[str, str]
"""The names of seats, accounts, deeds, cards and spaces, by their ids."""

Write = Callable[..., Value]
"""A function of a value and the names that puts the value into words."""

REASON_WORDS: dict[Reason, str] = {
    Reason.START: say("to start with"),
    Reason.SALARY: say("salary"),
    Reason.RENT: say("rent"),
    Reason.PURCHASE: say("for a purchase"),
    Reason.GUESS: say("for a guess"),
    Reason.SALE: say("for a sale"),
    Reason.MORTGAGE: say("for a mortgage"),
    Reason.TAX: say("tax"),
    Reason.FINE: say("as a fine"),
    Reason.CARD: say("by a card"),
    Reason.DEAL: say("for a trade"),
    Reason.GIFT: say("as a gift"),
    Reason.FAKE: say("for a fake"),
    Reason.RICHES: say("of the riches"),
    Reason.LEAVING: say("on leaving"),
    Reason.CORRECTION: say("as a correction"),
    Reason.OTHER: "",
}
"""The words after an amount in a sentence; empty if no reason was given."""

LEVELS: tuple[Words, ...] = (
    say("nothing"),
    say("one house"),
    say("two houses"),
    say("three houses"),
    say("four houses"),
    say("a hotel"),
    say("a skyscraper"),
)
"""What stands on a street in words, by its level: houses, hotel, skyscraper."""


def space_key(number: int) -> str:
    """Return the key of a space's name in ``Names``, given its board number."""
    return f"space@{number}"


def name_of(account: str, names: Names) -> str:
    """Return the name of a seat, account or deed; an id without one is unchanged."""
    return names.get(account, account)


def keys_text(count: int) -> Words:
    """Say a number of keys: ``2 keys``."""
    return say_count(count, "one key", "{count} keys")


def hotels_text(count: int) -> Words:
    """Say a number of hotels: ``2 hotels``."""
    return say_count(count, "one hotel", "{count} hotels")


def tickets_text(count: int) -> Words:
    """Say a number of bus tickets: ``2 bus tickets``."""
    return say_count(count, "one bus ticket", "{count} bus tickets")


def jail_cards_text(count: int) -> Words:
    """Say a number of cards to leave jail."""
    return say_count(count, "a card to leave jail", "{count} cards to leave jail")


def level_text(level: int) -> str:
    """Say what stands on a street of a *level*; beyond ``LEVELS``, a skyscraper."""
    return LEVELS[min(level, len(LEVELS) - 1)]


def levels_text(levels: Levels, names: Names) -> str:
    """Say what stands on each street of a group."""
    return with_ands(
        say("{deed}: {standing}", deed=name_of(deed, names), standing=level_text(level))
        for deed, level in levels
    )


PIECE_WORDS = {
    "house": say("a house"),
    "hotel": say("a hotel"),
    "skyscraper": say("a skyscraper"),
    "depot": say("a depot"),
}
"""One building in words, by its kind."""


def piece_words(kind: str) -> str:
    """Return ``a house`` for ``house``; an unlisted kind is returned unchanged."""
    return PIECE_WORDS.get(kind, kind)


def _lot(lot: str, names: Names) -> str:
    """Name a deed, or a building of the bank, that is auctioned."""
    return name_of(piece_words(lot), names)  # Only one of them knows *lot*.


def _lots(auction: Auction, names: Names) -> str:
    return with_commas(_lot(lot, names) for lot in auction.lots)


def hand_words(jail_cards: int, hotels: int, tickets: int) -> list[str]:
    """List cards to leave jail, loose hotels and bus tickets, each kind if any."""
    words: list[str] = []
    if jail_cards:
        words.append(jail_cards_text(jail_cards))
    if hotels:
        words.append(hotels_text(hotels))
    if tickets:
        words.append(tickets_text(tickets))
    return words


def bundle_text(side: Bundle, names: Names) -> str:
    """Say what one side of a trade gives; a debt, without its amount."""
    words: list[str] = [name_of(deed, names) for deed in side.deeds]
    words += hand_words(side.jail_cards, side.hotels, side.tickets)
    if side.cash:
        words.append(dollars_text(side.cash))
    if side.debt:
        words.append(say("the debt"))
    return with_ands(words) or say("nothing")


def _dice(dice: tuple[int, ...], _: Names) -> str:
    """List the numbers on some dice; empty for none."""
    words = [str(pips) for pips in dice]
    if len(words) < 2:
        return "".join(words)
    return say("{first} and {last}", first=", ".join(words[:-1]), last=words[-1])


def _pieces(pieces: tuple[int, int], _: Names) -> str:
    """Say how many keys and how many hotels of the vault there are."""
    keys, hotels = pieces
    if keys and hotels:  # The sentence goes on with "and" and the money.
        return with_commas((keys_text(keys), hotels_text(hotels)))
    return keys_text(keys) if keys else hotels_text(hotels)


def _standing(standing: tuple[int, int], _: Names) -> str:
    """Say what stands on a street, given its level and its number of hotels."""
    level, hotels = standing
    return hotels_text(hotels) if hotels else level_text(level)


def _standing_piece(standing: tuple[int, int, str], names: Names) -> str:
    """Say what stands on a deed: hotels, else a kind of building, else its level."""
    level, hotels, kind = standing
    if kind and not hotels:
        return piece_words(kind)
    return _standing((level, hotels), names)


def _space(number: int, names: Names) -> str:
    """Return the name of a space, or its number in words if it has no name."""
    return names.get(space_key(number)) or say("space {space}", space=number)


CHOICES: dict[str, Words] = {
    "ticket": say("a bus ticket"),
    "cash": say("the money"),
    "move": say("on to the next card"),
    "pay": say("pay"),
    "go-to-jail": say("go to jail"),
    "keep": say("keep the card in hand"),
}
"""The choices that are neither a seat nor a deed nor a space, by their ids."""


def choice_text(word: str, names: Names) -> str:
    """Say what somebody chooses: an act, or a seat, a deed or a space by its name.

    *word* is a key of ``CHOICES``, an id, or a space written as ``space_key`` does.
    """
    number = word.rpartition("@")[2]
    space = names.get(space_key(int(number))) if number.isdigit() else None
    return CHOICES.get(word) or space or name_of(word, names)


WORDS: dict[object, Write] = {
    Seat: name_of,
    Account: name_of,
    DeedId: name_of,
    DeedId | None: name_of,
    TargetWord: name_of,
    ChoiceWord: choice_text,
    CardId: lambda card, names: name_of_card(names, card),
    DrawnCardId: lambda card, names: drawn_card(names, card),
    LotId: _lot,
    SpaceNumber: _space,
    SpaceCount: lambda count, _: say_count(count, "{count} space", "{count} spaces"),
    Dollars: lambda amount, _: dollars_text(amount),
    Dollars | None: lambda amount, _: dollars_text(amount),
    Reason: lambda reason, _: REASON_WORDS[reason],
    DataWord: lambda word, _: data_words(word),
    KeyCount: lambda count, _: keys_text(count),
    HotelCount: lambda count, _: hotels_text(count),
    tuple[KeyCount, HotelCount]: _pieces,
    TicketCount: lambda count, _: tickets_text(count),
    tuple[Level, HotelCount]: _standing,
    tuple[Level, HotelCount, str]: _standing_piece,
    Levels: levels_text,
    tuple[int, ...]: _dice,
    tuple[Seat, ...]: lambda seats, names: with_ands(
        name_of(seat, names) for seat in seats
    ),
    tuple[str, ...]: correction_text,
    Ending: lambda how, _: how.words,
    Auction: _lots,
    Bundle: bundle_text,
}
"""The function that words a field, by its type; any other value is not changed."""


def worded(
    template: str, fact: msgspec.Struct, names: Names, plural: str = "", **more: Value
) -> Words:
    """Put the fields of *fact*, and *more*, into a sentence.

    Args:
        template: A sentence with fields and properties of *fact* in braces.
        fact: An event, or another struct whose fields have types of ``WORDS``.
        names: The names of seats, deeds and so on, by their ids.
        plural: The sentence for a ``count`` other than one; *more* holds the count.
        more: Values for names in braces that are not fields of *fact*.
    """
    return Words(template, {**_values(template, fact, names), **more}, plural)


def _values(template: str, fact: msgspec.Struct, names: Names) -> dict[str, Value]:
    """Word the fields of *fact* that *template* names.

    If *fact* is marked as likely, so are its amounts.
    """
    is_likely = getattr(fact, "is_likely", False)
    values: dict[str, Value] = {}
    for name, write in _fields_in(type(fact), template):
        value = write(getattr(fact, name), names)
        if is_likely and isinstance(value, Amount):
            value = dollars_text(value.dollars, is_likely=True)
        values[name] = value
    return values


def filled(
    template: str, facts: Sequence[msgspec.Struct], names: Names, **more: Value
) -> Words:
    """Put the fields of several facts into a sentence.

    If several facts have a field, the value of the first counts.
    """
    values: dict[str, Value] = {}
    for fact in facts:
        values = {**_values(template, fact, names), **values}
    return Words(template, {**values, **more})


@cache
def _fields_in(
    kind: type[msgspec.Struct], template: str
) -> tuple[tuple[str, Write], ...]:
    """List the fields that *template* names, each with the wording of its type."""
    fields = {name for _, name, _, _ in Formatter().parse(template) if name}
    return tuple(
        (name, WORDS.get(_type_of(kind, name), _unchanged))
        for name in fields
        if hasattr(kind, name)
    )


def _unchanged(value: Value, _: Names) -> Value:
    """Return *value*, for which ``WORDS`` has no function."""
    return value


def _type_of(kind: type[msgspec.Struct], name: str) -> object:
    """Return the annotated type of a field or a property of *kind*."""
    member = inspect.getattr_static(kind, name)
    if isinstance(member, property):
        return get_type_hints(member.fget, include_extras=True)["return"]
    return get_type_hints(kind, include_extras=True)[name]
