"""A rulebook made ready for questions: who belongs to which group, how far, how much.

Nothing here changes in the course of a game but figures that somebody types in,
and those make another board.
"""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from companion.errors import Malformed, quoted
from companion.game.card_code import is_alike, word_of, written_card
from companion.game.rulebook import AMOUNTS, HOTEL, Rulebook, RuleCard, RuleDeed
from companion.game.unknown_figures import Unknown, unknown_figures
from companion.units import Dollars
from companion.words import say
from companion.words.common import common

STREET, RAILROAD, UTILITY = "street", "railroad", "utility"


class Board:
    """One game's rulebook with its look-ups; equal to another of equal rules.

    Attributes:
        rules: What it was made from.
        index: Place of a deed in the rulebook, by its id.
        members: By deed: the places of all deeds of its group.
        groups: The same once for each group, in board order.
        kinds: Kinds of buildings, in the order of the bank's box.
        used: By deed, by level: how many of each kind stand there.
        deck_index: Place of a deck, by its id.
        jail: The board number of jail.
        unknown: Figures that nobody has read to us yet.
    """

    __slots__ = (
        "cards",
        "deck_index",
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
        deed = self.rules.spaces[space].deed
        return self.rules.deeds[self.index[deed]] if deed else None

    def card(self, word: str) -> RuleCard | None:
        """The card with that id, or the one written as its effect, or ``None``."""
        return self.cards.get(word) or written_card(word, self.rules)

    def deck_of(self, card: str) -> int | None:
        """The place of the deck that a card lies in; ``None`` for a written one.

        Cards of a deck that nobody knows whole lie on the table, and not here.
        """
        found = self.cards.get(card)
        at = self.deck_index.get(found.deck) if found else None
        return at if at is not None and self.rules.decks[at].is_complete else None

    def is_double(self, dice: tuple[int, ...], special: str) -> bool:
        """Whether a roll is a double.

        Args:
            dice: What has a number.
            special: What the other die shows if that has none, or empty.
        """
        if special:
            return self.rules.special_doubles and dice == (self.rules.special_adds,)
        return len(dice) > 1 and dice[0] == dice[1]

    def next_of_kind(self, space: int, kind: str) -> int:
        """The next space of that kind ahead of *space*; itself if there is none."""
        for steps in range(1, self.size + 1):
            ahead = (space + steps) % self.size
            if self.rules.spaces[ahead].kind == kind:
                return ahead
        return space

    def all_known(self) -> tuple[str, ...]:
        """Every deed's id, for guessing what a misspelt one meant."""
        return tuple(self.index)

    def with_figure(self, deed_id: str, figure: str, amount: Dollars) -> Board:
        """The board on which the figure of that deed, or card, is *amount*.

        Raises:
            Malformed: If there is no such deed, or its card has no such figure.
        """
        at = self.index.get(deed_id)
        if at is None and deed_id in self.cards:
            cards = (
                _with_amount(card, figure, amount) if card.id == deed_id else card
                for card in self.rules.cards
            )
            return Board(replace(self.rules, cards=tuple(cards)))
        if at is None:
            raise Malformed(
                say("expected a deed of this edition, got {got}", got=quoted(deed_id))
            )
        deed = _with_figure(self.rules.deeds[at], figure, amount)
        deeds = (*self.rules.deeds[:at], deed, *self.rules.deeds[at + 1 :])
        return Board(replace(self.rules, deeds=deeds))

    def is_unread(self, space: int) -> bool:
        """Whether nobody has read to us yet what is printed on that space."""
        here = self.rules.spaces[space]
        return bool(here.likely) and not here.name

    def unlisted(self, deck_id: str, word: str) -> RuleCard | None:
        """The card of that deck that *word* means, if the data lacks it.

        It goes by the one word for what it does. ``None`` for no card, for one that
        is listed, and where every card of the deck is known.
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
        """Whether the deck has cards of which nobody could say what they do."""
        at = self.deck_index.get(deck_id)
        if at is None or self.rules.decks[at].is_complete:
            return False
        size = self.rules.decks[at].size
        return not size or self.known_count(deck_id) < size

    def known_count(self, deck_id: str) -> int:
        """Of how many cards of that deck everything is known that a game needs."""
        return sum(
            card.effect not in AMOUNTS or card.amount is not None
            for card in self.cards_of(deck_id)
        )

    def cards_of(self, deck_id: str) -> tuple[RuleCard, ...]:
        """The cards of a deck that the data has."""
        return tuple(card for card in self.rules.cards if card.deck == deck_id)

    def with_card(self, deck_id: str, word: str) -> Board:
        """The board on which that card is one of that deck's."""
        card = self.unlisted(deck_id, word)
        if card is None:
            return self
        decks = (
            replace(deck, cards=(*deck.cards, card.id)) if deck.id == deck_id else deck
            for deck in self.rules.decks
        )
        cards = (*self.rules.cards, card)
        return Board(replace(self.rules, cards=cards, decks=tuple(decks)))

    def with_space(self, number: int, kind: str) -> Board:
        """The board on which that space, so far unknown, is of that kind.

        Raises:
            Malformed: If the space is known, or cannot be of that kind.
        """
        spaces = self.rules.spaces
        if not 0 <= number < self.size or not spaces[number].likely:
            raise Malformed(
                say("expected a space that nobody knew, got {number}", number=number)
            )
        if kind not in READABLE:
            wanted = ", ".join(READABLE)
            raise Malformed(
                say(
                    "expected one of {known}, got {got}", known=wanted, got=quoted(kind)
                )
            )
        name = kind.replace("-", " ").capitalize()
        effect = next((space.effect for space in spaces if space.kind == kind), "")
        space = replace(spaces[number], kind=kind, name=name, effect=effect)
        changed = (*spaces[:number], space, *spaces[number + 1 :])
        return Board(replace(self.rules, spaces=changed))


READABLE = ("rest", "chance", "guess-for-free", "pay-to-guess", "free-parking")
"""What the table can read off a space that nobody knew."""


@cache
def _used(
    kinds: tuple[str, ...], ladder: tuple[str, ...]
) -> tuple[tuple[int, ...], ...]:
    """By level: how many of each kind stand there; another kind replaces the last."""
    rows = [dict.fromkeys(kinds, 0)]
    for kind in ladder:
        last = rows[-1]
        rows.append({**dict.fromkeys(kinds, 0), kind: last[kind] + 1})
    return tuple(tuple(row.values()) for row in rows)


PLAIN_FIGURES = ("price", "mortgage", "unmortgage")


def _with_amount(card: RuleCard, figure: str, amount: Dollars) -> RuleCard:
    if figure != "amount" or card.effect not in AMOUNTS:
        raise Malformed(
            say(
                "expected the amount of {card}, got {got}",
                card=card.id,
                got=quoted(figure),
            )
        )
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
"""Rents that deeds print, by how many hotels."""
