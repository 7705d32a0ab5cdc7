"""A rulebook with look-up tables: groups of deeds, buildings, decks, unknown figures.

A board never changes: a figure, card or space that somebody types in during a game
makes another board.
"""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from companion.errors import Malformed, quoted
from companion.game.box_key import READABLE, BoxKey, BoxValue, taken_apart
from companion.game.card_code import is_alike, word_of, written_card
from companion.game.rulebook import AMOUNTS, HOTEL, Rulebook, RuleCard, RuleDeed
from companion.game.unknown_figures import Unknown, unknown_figures
from companion.units import Dollars
from companion.words import say
from companion.words.common import common
from companion.words.money import AMOUNT_MAX, dollars_text
from companion.words.report import unexpected

STREET, RAILROAD, UTILITY = "street", "railroad", "utility"


class Board:
    """One game's rulebook with its look-ups; boards with equal rules are equal.

    Attributes:
        rules: The rulebook that the board was made from.
        index: Place of a deed in the rulebook, by its id.
        deed_at: For each space: the place of its deed; ``None`` without one.
        members: For each deed: the places of all deeds of its group.
        groups: The places of each group's deeds, one entry a group, in board order.
        kinds: Kinds of buildings, in the order of the bank's box.
        used: For each deed and building level: how many of each kind stand there.
        deck_index: Place of a deck in the rulebook, by its id.
        jail: The board number of jail.
        unknown: Figures that are not known yet.
    """

    __slots__ = (
        "cards",
        "deck_index",
        "deed_at",
        "groups",
        "index",
        "jail",
        "kinds",
        "members",
        "rules",
        "size",
        "unknown",
        "used",
    )

    def __init__(self, rules: Rulebook) -> None:
        self.rules = rules
        self.size = len(rules.spaces)
        self.index: dict[str, int] = {d.id: i for i, d in enumerate(rules.deeds)}
        self.members = tuple(
            tuple(i for i, other in enumerate(rules.deeds) if other.group == deed.group)
            for deed in rules.deeds
        )
        self.deed_at = tuple(self.index.get(space.deed) for space in rules.spaces)
        self.groups = tuple(dict.fromkeys(self.members))
        self.kinds = tuple(kind for kind, _ in rules.pieces)
        self.used = tuple(_used(self.kinds, deed.ladder) for deed in rules.deeds)
        self.deck_index = {deck.id: i for i, deck in enumerate(rules.decks)}
        self.cards = {card.id: card for card in rules.cards}
        self.unknown: tuple[Unknown, ...] = unknown_figures(rules)
        kinds = [space.kind for space in rules.spaces]
        self.jail = kinds.index("jail") if "jail" in kinds else 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self.rules == other.rules

    def __hash__(self) -> int:
        return hash((self.rules.edition, self.size))

    def __repr__(self) -> str:
        return f"Board({self.rules.edition!r})"

    def deed_on(self, space: int) -> RuleDeed | None:
        """The deed that is bought on that space, or ``None``."""
        at = self.deed_at[space]
        return None if at is None else self.rules.deeds[at]

    def card(self, word: str) -> RuleCard | None:
        """The card with that id, or the one whose code *word* is, or ``None``."""
        return self.cards.get(word) or written_card(word, self.rules)

    def deck_of(self, card: str) -> int | None:
        """The place of the deck that keeps a card; ``None`` for one given by its code.

        Also ``None`` if some cards of the deck are unknown: then people draw from the
        real deck, and the program keeps no pile of it.
        """
        found = self.cards.get(card)
        at = self.deck_index.get(found.deck) if found else None
        return at if at is not None and self.rules.decks[at].is_complete else None

    def is_double(self, dice: tuple[int, ...], special: str) -> bool:
        """Whether a roll is a double.

        Args:
            dice: The numbers shown.
            special: What the other die shows if that is no number, or empty.
        """
        if special:
            rules = self.rules.dice
            return bool(rules.lock_can_double) and dice == (rules.lock_counts_as,)
        return len(dice) > 1 and dice[0] == dice[1]

    def next_of_kind(self, space: int, kind: str) -> int:
        """The next space of that kind ahead of *space*; *space* if there is none."""
        for steps in range(1, self.size + 1):
            ahead = (space + steps) % self.size
            if self.rules.spaces[ahead].kind == kind:
                return ahead
        return space

    def with_reading(self, key: str, value: BoxValue | None) -> Board:
        """A board on which the real box says *value* at *key*.

        A card of a deck that already lists it, or takes no more, changes nothing.

        Raises:
            Malformed: If this game's box cannot say that.
        """
        one = taken_apart(key)
        if one.is_space and isinstance(value, str):
            return self._with_space(one.of, value)
        if one.is_card and isinstance(value, str):
            return self._with_card(value, one.of)
        if type(value) is not int or not 0 <= value <= AMOUNT_MAX:
            raise unexpected(
                say(
                    "a whole amount from {least} to {most}",
                    least=dollars_text(0),
                    most=dollars_text(AMOUNT_MAX),
                ),
                str(value),
                say("type it again"),
            )
        return self._with_figure(one, value)

    def _with_figure(self, one: BoxKey, amount: Dollars) -> Board:
        card, at = self.cards.get(one.of), self.index.get(one.of)
        if one.part == "card" and card is not None:
            read = _with_amount(card, one.field, amount)
            cards = tuple(read if x is card else x for x in self.rules.cards)
            return Board(replace(self.rules, cards=cards))
        if one.part == "deed" and at is not None:
            deed = _with_figure(self.rules.deeds[at], one.field, amount)
            deeds = (*self.rules.deeds[:at], deed, *self.rules.deeds[at + 1 :])
            return Board(replace(self.rules, deeds=deeds))
        raise unexpected(say("a deed of this edition"), quoted(one.of))

    def is_unread(self, space: int) -> bool:
        """Whether it is not known yet what is printed on that space."""
        here = self.rules.spaces[space]
        return bool(here.likely) and not here.name

    def unlisted(self, deck_id: str, word: str) -> RuleCard | None:
        """The card whose code *word* is, if the deck may have it but does not list it.

        Its id is the standard code for what it does. ``None`` if *word* is no code, if
        the card is listed already, and if every card of the deck is known.
        """
        card, at = written_card(word, self.rules), self.deck_index.get(deck_id)
        if card is None or at is None or not self.has_unlisted(deck_id):
            return None
        if card.effect in self.rules.decks[at].absent:
            return None
        named = replace(
            card,
            id=word_of(card, self.rules),
            deck=deck_id,
            collects_go=card.effect == "advance",
        )
        if named.id in self.cards or any(
            is_alike(named, known) for known in self.cards_of(deck_id)
        ):
            return None
        return named

    def has_unlisted(self, deck_id: str) -> bool:
        """Whether the deck has cards whose effects are not known yet."""
        at = self.deck_index.get(deck_id)
        if at is None or self.rules.decks[at].is_complete:
            return False
        size = self.rules.decks[at].size
        return not size or self.known_count(deck_id) < size

    def known_count(self, deck_id: str) -> int:
        """How many cards of that deck are known well enough to be played."""
        return sum(
            card.effect not in AMOUNTS or card.amount is not None
            for card in self.cards_of(deck_id)
        )

    def cards_of(self, deck_id: str) -> tuple[RuleCard, ...]:
        """The cards of a deck that the rulebook lists."""
        return tuple(card for card in self.rules.cards if card.deck == deck_id)

    def _with_card(self, deck_id: str, word: str) -> Board:
        card = self.unlisted(deck_id, word)
        if card is None:
            return self
        decks = (
            replace(deck, cards=(*deck.cards, card.id)) if deck.id == deck_id else deck
            for deck in self.rules.decks
        )
        cards = (*self.rules.cards, card)
        return Board(replace(self.rules, cards=cards, decks=tuple(decks)))

    def _with_space(self, word: str, kind: str) -> Board:
        spaces = self.rules.spaces
        number = int(word) if word in map(str, range(self.size)) else -1
        if number < 0 or not spaces[number].likely:
            raise unexpected(say("a space that nobody knew"), word)
        if kind not in READABLE:
            wanted = ", ".join(READABLE)
            raise unexpected(say("one of {known}", known=wanted), quoted(kind))
        name = kind.replace("-", " ").capitalize()
        effect = next((space.effect for space in spaces if space.kind == kind), "")
        space = replace(spaces[number], kind=kind, name=name, effect=effect)
        changed = (*spaces[:number], space, *spaces[number + 1 :])
        return Board(replace(self.rules, spaces=changed))


@cache
def _used(
    kinds: tuple[str, ...], ladder: tuple[str, ...]
) -> tuple[tuple[int, ...], ...]:
    """For each level: how many of each kind stand; a new kind replaces the last."""
    rows = [dict.fromkeys(kinds, 0)]
    for kind in ladder:
        last = rows[-1]
        rows.append({**dict.fromkeys(kinds, 0), kind: last[kind] + 1})
    return tuple(tuple(row.values()) for row in rows)


PLAIN_FIGURES = ("price", "mortgage", "unmortgage")


def _with_amount(card: RuleCard, figure: str, amount: Dollars) -> RuleCard:
    if figure != "amount" or card.effect not in AMOUNTS:
        raise unexpected(say("the amount of {card}", card=card.id), quoted(figure))
    return replace(card, amount=amount)


def _with_figure(deed: RuleDeed, figure: str, amount: Dollars) -> RuleDeed:
    if figure in PLAIN_FIGURES:
        return replace(deed, **{figure: amount})
    if figure == "rent" and deed.kind == STREET:
        return replace(deed, rents=(amount, *deed.rents[1:]))
    if figure == "rent_full_group" and deed.kind == STREET:
        return replace(deed, rent_group=amount)
    piece, _, what = figure.partition("_")
    if what == "cost" and piece in deed.ladder:
        pairs = zip(deed.ladder, deed.costs, strict=True)
        costs = tuple(amount if kind == piece else cost for kind, cost in pairs)
        return replace(deed, costs=costs)
    if figure in HOTEL_RENTS and deed.ladder.count(HOTEL) >= HOTEL_RENTS[figure]:
        at = deed.ladder.index(HOTEL) + HOTEL_RENTS[figure]
        rents = (*deed.rents[:at], amount, *deed.rents[at + 1 :])
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
"""Rents that deeds print -> the number of hotels that they are for."""
