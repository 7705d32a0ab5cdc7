"""Setting one figure of a deed, a card or a space in a rulebook.

A *figure* is one printed amount. Its *key*, such as ``deed.boardwalk.rent_hotel``, says
what prints it, and which of its amounts it is (``box_key.py``).
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.errors import Malformed, quoted
from companion.game.box_key import key_of, split_key
from companion.game.rulebook import AMOUNTS, HOTEL, STREET, Rulebook, RuleCard, RuleDeed
from companion.game.spaces import PAYING
from companion.units import Dollars
from companion.words import say
from companion.words.common import common
from companion.words.report import unexpected


def with_figure(rules: Rulebook, key: str, amount: Dollars | None) -> Rulebook:
    """Return *rules* with *amount* (``None``: unknown) as the figure at *key*.

    Raises:
        Malformed: If there is no such figure.
    """
    part, entry_id, field = split_key(key)
    if part == "card" and any(card.id == entry_id for card in rules.cards):
        cards = tuple(
            _with_card_figure(card, field, amount) if card.id == entry_id else card
            for card in rules.cards
        )
        return replace(rules, cards=cards)
    if part == "deed" and any(deed.id == entry_id for deed in rules.deeds):
        deeds = tuple(
            _with_deed_figure(deed, field, amount) if deed.id == entry_id else deed
            for deed in rules.deeds
        )
        return replace(rules, deeds=deeds)
    for number, space in enumerate(rules.spaces):
        if key == key_of("space", str(number), "amount") and space.kind in PAYING:
            priced = replace(space, amount=amount)
            before, after = rules.spaces[:number], rules.spaces[number + 1 :]
            return replace(rules, spaces=(*before, priced, *after))
    raise unexpected(say("a deed of this edition"), quoted(entry_id))


PLAIN_FIGURES = ("price", "mortgage", "unmortgage")
"""The figures of a deed that are fields of the same name in ``RuleDeed``."""


def _with_card_figure(card: RuleCard, figure: str, amount: Dollars | None) -> RuleCard:
    """Return *card* with that amount; refuse if it prints none."""
    if figure != "amount" or card.effect not in AMOUNTS:
        plain = say("no amount is printed on {card}", card=card.id)
        wanted = say("the amount of {card}", card=card.id)
        remedy = say("choose another figure")
        raise unexpected(wanted, quoted(figure), remedy, plain=plain)
    return replace(card, amount=amount)


def _with_deed_figure(deed: RuleDeed, figure: str, amount: Dollars | None) -> RuleDeed:
    """Return *deed* with that figure; refuse if it does not print it."""
    if figure in PLAIN_FIGURES:
        return replace(deed, **{figure: amount})
    if figure == "rent" and deed.kind == STREET:
        return replace(deed, rents=(amount, *deed.rents[1:]))
    if figure == "rent_full_group" and deed.kind == STREET:
        return replace(deed, rent_group=amount)
    piece, _, suffix = figure.partition("_")
    if suffix == "cost" and piece in deed.ladder:
        pairs = zip(deed.ladder, deed.costs, strict=True)
        costs = tuple(amount if kind == piece else cost for kind, cost in pairs)
        return replace(deed, costs=costs)
    if figure in HOTEL_RENTS and deed.ladder.count(HOTEL) >= HOTEL_RENTS[figure]:
        index = deed.ladder.index(HOTEL) + HOTEL_RENTS[figure]
        rents = (*deed.rents[:index], amount, *deed.rents[index + 1 :])
        return replace(deed, rents=rents)
    raise Malformed(
        say(
            "{deed} has no such figure: {figure}",
            deed=deed.name,
            figure=common(figure.replace("_", " ")),
        ),
        say("choose another figure"),
    )


HOTEL_RENTS = {"rent_hotel": 1, "rent_1_hotel": 1, "rent_2_hotels": 2}
"""Name of a printed rent -> the number of hotels on the street."""
