"""A rulebook with look-up tables: groups of deeds, buildings, decks, unknown figures.

A board never changes: a figure, card or space that somebody types in during a game
makes another board.
"""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from companion.errors import quoted
from companion.game.box_key import BoxValue, key_of, taken_apart
from companion.game.card_code import does_the_same, is_alike, word_of, written_card
from companion.game.rulebook import (
    AMOUNTS,
    STREET,
    Rulebook,
    RuleCard,
    RuleDeed,
    Unknown,
)
from companion.game.spaces import KINDS, READABLE, SpaceKind
from companion.game.unknown_figures import unknown_figures, with_known
from companion.words import say
from companion.words.money import AMOUNT_MAX, amount_from
from companion.words.report import unexpected


class Board:
    """One game's rulebook with its look-ups; boards with equal rules are equal.

    Attributes:
        rules: The rulebook that the board was made from.
        index: Place of a deed in the rulebook, by its id.
        deed_at: For each space: the place of its deed; ``None`` without one.
        members: For each deed: the places of all deeds of its group.
        sites: The same for building: a railroad is built on by itself.
        tickets: The place of the deck of bus tickets; ``None`` without one.
        groups: The places of each group's deeds, one entry a group, in board order.
        kinds: Kinds of buildings, in the order of the bank's box.
        used: For each deed and building level: how many of each kind stand there.
        deck_index: Place of a deck in the rulebook, by its id.
        jail: The board number of jail.
        unknown: Figures that are not known yet.
        likely: Figures that are played with as they probably are, by key.
    """

    __slots__ = (
        "cards",
        "deck_index",
        "deed_at",
        "groups",
        "index",
        "jail",
        "kinds",
        "likely",
        "members",
        "rules",
        "sites",
        "size",
        "tickets",
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
        self.sites = tuple(
            members if rules.deeds[i].kind == STREET else (i,)
            for i, members in enumerate(self.members)
        )
        self.deed_at = tuple(self.index.get(space.deed) for space in rules.spaces)
        self.groups = tuple(dict.fromkeys(self.members))
        self.kinds = tuple(kind for kind, _ in rules.pieces)
        self.used = tuple(_used(self.kinds, deed.ladder) for deed in rules.deeds)
        self.deck_index = {deck.id: i for i, deck in enumerate(rules.decks)}
        used_up = (i for i, deck in enumerate(rules.decks) if deck.is_used_up)
        self.tickets = next(used_up, None)
        self.cards = {card.id: card for card in rules.cards}
        self.unknown: tuple[Unknown, ...] = unknown_figures(rules)
        self.likely: dict[str, Unknown] = {one.key: one for one in rules.likely}
        kinds = [space.kind for space in rules.spaces]
        self.jail = kinds.index(SpaceKind.JAIL) if SpaceKind.JAIL in kinds else 0

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

    def name_of(self, word: str) -> str:
        """The name of the deed with the id *word*; any other word unchanged."""
        at = self.index.get(word)
        return word if at is None else self.rules.deeds[at].name

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

    def is_open(self, deck_id: str) -> bool:
        """Whether cards of that deck lie open, and whoever takes one keeps it."""
        at = self.deck_index.get(deck_id)
        return at is not None and self.rules.decks[at].face_up > 0

    def stays_in_hand(self, card: RuleCard) -> bool:
        """Whether the card is kept until it is used, as all of an open deck are."""
        return card.is_kept or self.is_open(card.deck)

    def may_be_fake(self, word: str) -> bool:
        """Whether the card with that id or code may be a fake.

        One given by its code may be, unless such a card is only in decks without fakes.
        """
        card = self.card(word)
        crooked = {deck.id for deck in self.rules.decks if deck.has_fakes}
        if card is None or not crooked:
            return False
        decks = {card.deck} if card.deck else self._decks_with(card)
        return not decks or not crooked.isdisjoint(decks)

    def _decks_with(self, card: RuleCard) -> set[str]:
        """The decks that list a card which does the same."""
        return {x.deck for x in self.rules.cards if does_the_same(x, card)}

    def is_called(self, card: str, word: str) -> bool:
        """Whether *word* means the card with the id *card*: by id, effect or code."""
        found, written = self.card(card), written_card(word, self.rules)
        if word == card or found is None:
            return word == card
        return word == found.effect or (
            written is not None and does_the_same(written, found)
        )

    def card_in(self, deck_id: str, word: str) -> RuleCard | None:
        """The card of a deck that *word* names: by its id there, or by its code."""
        known = self.cards.get(word)
        if known is not None and known.deck == deck_id:
            return known
        return written_card(word, self.rules) or known

    def open_card(self, deck_id: str, word: str) -> str:
        """The id of the card of an open deck that *word* names, by id or by code.

        A card that the deck does not list has the code of a card that is kept.
        """
        card = self.card_in(deck_id, word)
        if card is None or card.deck:
            return word
        found = (x.id for x in self.cards_of(deck_id) if does_the_same(x, card))
        return next(found, word_of(replace(card, is_kept=True), self.rules))

    def is_double(self, dice: tuple[int, ...], special: str) -> bool:
        """Whether a roll is a double.

        Args:
            dice: The numbers shown.
            special: What the other die shows if that is no number, or empty.
        """
        rules = self.rules.dice
        if special and special == rules.lock_face:
            return bool(rules.lock_can_double) and dice == (rules.lock_counts_as,)
        return len(dice) > 1 and dice[0] == dice[1] and not self.is_triple(dice)

    def is_triple(self, dice: tuple[int, ...]) -> bool:
        """Whether three dice show the same, where that takes the token anywhere."""
        goes_anywhere = self.rules.dice.triples == "move-anywhere"
        return goes_anywhere and len(dice) == 3 and len(set(dice)) == 1

    def rent_dice(self, dice: tuple[int, ...]) -> int:
        """The sum of the dice that count for the rent of a utility."""
        is_white = self.rules.rent.utility_dice == "white"
        return sum(dice[: self.rules.dice.plain] if is_white else dice)

    def next_of_kind(self, space: int, kind: str) -> int:
        """The next space of that kind ahead of *space*; *space* if there is none."""
        for steps in range(1, self.size + 1):
            ahead = (space + steps) % self.size
            if self.rules.spaces[ahead].kind == kind:
                return ahead
        return space

    def with_reading(
        self, key: str, value: BoxValue | None, *, is_likely: bool = False
    ) -> Board:
        """A board on which the real box says *value* at *key*.

        A card of a deck that already lists it, or takes no more, changes nothing.

        Args:
            key: As edition files name it.
            value: What the box says.
            is_likely: Nobody has read it: the amount is what it probably is.

        Raises:
            Malformed: If this game's box cannot say that.
        """
        one = taken_apart(key)
        if one.is_space and isinstance(value, str):
            return self._with_space(one.of, value)
        if one.is_card and isinstance(value, str):
            return self._with_card(value, one.of)
        if type(value) is not int or not 0 <= value <= AMOUNT_MAX:
            raise unexpected(amount_from(0), str(value), say("type it again"))
        return Board(with_known(self.rules, key, value, is_likely=is_likely))

    def is_likely(self, deed: str, figure: str) -> bool:
        """Whether nobody knows that figure of a deed, and it is played with."""
        return key_of("deed", deed, figure) in self.likely

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
        card = replace(card, is_kept=card.is_kept or self.is_open(deck_id))
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
        space = replace(spaces[number], kind=KINDS[kind], name=name, effect=effect)
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
