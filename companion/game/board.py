"""The board: a rulebook with look-up tables for deeds, buildings, decks and figures.

A *rulebook* lists the spaces, deeds, decks and cards of one game; a ``Board`` answers
questions about them. A *figure* is a printed amount. Some figures, cards and spaces are
unknown until somebody reads them off the real box; typing one in makes another board,
for a board never changes.
"""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from companion.errors import quoted
from companion.game.box_key import BoxValue, key_of, split_key
from companion.game.card_code import (
    does_the_same,
    is_alike,
    space_number,
    word_of,
    written_card,
)
from companion.game.rulebook import (
    STREET,
    Rulebook,
    RuleCard,
    RuleDeed,
    Unknown,
)
from companion.game.spaces import KINDS, READABLE, SpaceKind
from companion.game.unknown_figures import (
    lacks_amount,
    unknown_figures,
    with_known,
)
from companion.words import say
from companion.words.money import AMOUNT_MAX, amount_from
from companion.words.report import unexpected


class Board:
    """One game's rulebook with its look-ups; boards with equal rules are equal.

    The *index* of a deed or a deck is its place in the rulebook, from 0.

    Attributes:
        rules: The rulebook that the board was made from.
        size: The number of spaces.
        index: Id of a deed -> its index.
        deed_at: By space: the index of its deed; ``None`` if it has no deed.
        members: By deed: the indexes of all deeds of its group.
        sites: By deed: the indexes of the deeds that are built on evenly: the whole
            group of a street; for any other deed, only its own.
        tickets: The index of the deck of bus tickets; ``None`` if there is none.
        groups: By group, in board order: the indexes of its deeds.
        kinds: The kinds of buildings, in the order of the rulebook's ``pieces``.
        used: By deed and building level: the number of buildings of each kind there.
        deck_index: Id of a deck -> its index.
        cards: Id of a card -> the card.
        jail: The board number of jail; 0 on a board without a jail.
        unknown: The figures that are unknown.
        likely: The figures played with at their likely amounts, by key.
        read: The figures typed in during this game, and who did (``Rulebook.read``).
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
        "read",
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
        self.index: dict[str, int] = {
            deed.id: index for index, deed in enumerate(rules.deeds)
        }
        by_group: dict[str, list[int]] = {}
        for index, deed in enumerate(rules.deeds):
            by_group.setdefault(deed.group, []).append(index)
        self.members = tuple(tuple(by_group[deed.group]) for deed in rules.deeds)
        self.sites = tuple(
            members if rules.deeds[index].kind == STREET else (index,)
            for index, members in enumerate(self.members)
        )
        self.deed_at = tuple(self.index.get(space.deed) for space in rules.spaces)
        self.groups = tuple(dict.fromkeys(self.members))
        self.kinds = tuple(kind for kind, _ in rules.pieces)
        self.used = tuple(
            _count_buildings(self.kinds, deed.ladder) for deed in rules.deeds
        )
        self.deck_index = {deck.id: index for index, deck in enumerate(rules.decks)}
        used_up = (index for index, deck in enumerate(rules.decks) if deck.is_used_up)
        self.tickets = next(used_up, None)
        self.cards = {card.id: card for card in rules.cards}
        self.unknown: tuple[Unknown, ...] = unknown_figures(rules)
        self.likely: dict[str, Unknown] = {
            figure.key: figure for figure in rules.likely
        }
        self.read = dict(rules.read)
        jails = (
            number
            for number, space in enumerate(rules.spaces)
            if space.kind == SpaceKind.JAIL
        )
        self.jail = next(jails, 0)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self.rules == other.rules

    def __hash__(self) -> int:
        return hash((self.rules.edition, self.size))

    def __repr__(self) -> str:
        return f"Board({self.rules.edition!r})"

    def deed_on(self, space: int) -> RuleDeed | None:
        """Return the deed that is bought on that space, or ``None``."""
        index = self.deed_at[space]
        return None if index is None else self.rules.deeds[index]

    def name_of(self, word: str) -> str:
        """Return the name of the deed or space *word*; any other word unchanged."""
        index = self.index.get(word)
        if index is not None:
            return self.rules.deeds[index].name
        numbers = map(str, range(self.size))
        return self.rules.spaces[int(word)].name if word in numbers else word

    def card(self, word: str) -> RuleCard | None:
        """Return the card with that id or with the code *word*, or ``None``."""
        return self.cards.get(word) or written_card(word, self.rules)

    def deck_of(self, card: str) -> int | None:
        """Return the index of the deck whose pile the program keeps for that card.

        Return ``None`` if *card* is a code, or if people draw from the real deck, since
        some of its cards are unknown.
        """
        listed = self.cards.get(card)
        index = self.deck_index.get(listed.deck) if listed else None
        if index is None or not self.rules.decks[index].is_complete:
            return None
        return index

    def is_open(self, deck_id: str) -> bool:
        """Return whether cards of that deck lie face up, to be taken and kept."""
        index = self.deck_index.get(deck_id)
        return index is not None and self.rules.decks[index].face_up > 0

    def stays_in_hand(self, card: RuleCard) -> bool:
        """Return whether the card stays in the hand until it is used."""
        return card.is_kept or self.is_open(card.deck)

    def may_be_fake(self, word: str) -> bool:
        """Return whether the card with that id or code may be a fake.

        A code may mean a fake unless every deck that lists such a card is free of
        fakes.
        """
        card = self.card(word)
        with_fakes = {deck.id for deck in self.rules.decks if deck.has_fakes}
        if card is None or not with_fakes:
            return False
        decks = {card.deck} if card.deck else self._decks_with(card)
        return not decks or not with_fakes.isdisjoint(decks)

    def _decks_with(self, card: RuleCard) -> set[str]:
        return {other.deck for other in self.rules.cards if does_the_same(other, card)}

    def is_called(self, card: str, word: str) -> bool:
        """Return whether *word* means that card: its id, its effect or its code."""
        known, written = self.card(card), written_card(word, self.rules)
        if word == card or known is None:
            return word == card
        return word == known.effect or (
            written is not None and does_the_same(written, known)
        )

    def card_in(self, deck_id: str, word: str) -> RuleCard | None:
        """Return the card of a deck that *word* names, by id or by code."""
        known = self.cards.get(word)
        if known is not None and known.deck == deck_id:
            return known
        return written_card(word, self.rules) or known

    def open_card(self, deck_id: str, word: str) -> str:
        """Return the id of the card of an open deck that *word* names, by id or code.

        A card that the deck does not list has its code as its id, with ``keep:``.
        """
        card = self.card_in(deck_id, word)
        if card is None or card.deck:
            return word
        for other in self.cards_of(deck_id):
            if does_the_same(other, card):
                return other.id
        return word_of(replace(card, is_kept=True), self.rules)

    def is_double(self, dice: tuple[int, ...], special: str) -> bool:
        """Return whether a roll is a double; *special* is a face without a number."""
        rules = self.rules.dice
        if special and special == rules.lock_face:
            return bool(rules.lock_can_double) and dice == (rules.lock_counts_as,)
        return len(dice) > 1 and dice[0] == dice[1] and not self.is_triple(dice)

    def is_triple(self, dice: tuple[int, ...]) -> bool:
        """Return whether the roll is three equal dice, which go to any space."""
        goes_anywhere = self.rules.dice.triples == "move-anywhere"
        is_triple = len(dice) == 3 and len(set(dice)) == 1
        return goes_anywhere and is_triple

    def rent_dice(self, dice: tuple[int, ...]) -> int:
        """Return the sum of the dice that count for the rent of a utility."""
        is_white = self.rules.rent.utility_dice == "white"
        return sum(dice[: self.rules.dice.plain] if is_white else dice)

    def next_of_kind(self, space: int, kind: str) -> int:
        """Return the next space of that kind ahead of *space*, or *space* itself."""
        for steps in range(1, self.size + 1):
            ahead = (space + steps) % self.size
            if self.rules.spaces[ahead].kind == kind:
                return ahead
        return space

    def with_reading(
        self,
        key: str,
        value: BoxValue | None,
        *,
        is_likely: bool = False,
        seat: str = "",
    ) -> Board:
        """Return a board on which the real box says *value* at *key*.

        The *seat* read it, or the table as a whole. An amount that *is_likely* was read
        by nobody. A card changes nothing if its
        deck lists it already, or is complete.

        Raises:
            Malformed: If this game's box cannot say that.
        """
        parts = split_key(key)
        if parts.is_space and isinstance(value, str):
            return self._with_space(parts.of, value)
        if parts.is_card and isinstance(value, str):
            return self._with_card(value, parts.of)
        if type(value) is not int or not 0 <= value <= AMOUNT_MAX:
            raise unexpected(amount_from(0), str(value), say("type it again"))
        rules = with_known(self.rules, key, value, is_likely=is_likely)
        read = {known: by for known, by in self.rules.read if known != key}
        if seat and not is_likely:
            read[key] = seat
        return Board(replace(rules, read=tuple(read.items())))

    def figure_key(self, of: str, figure: str) -> str:
        """Return the key of a figure, given the word of its deed, card or space."""
        if figure != "amount":
            return key_of("deed", of, figure)
        space = None if of in self.cards else space_number(self.rules, of)
        if space is None:
            return key_of("card", of, figure)
        return key_of("space", str(space), figure)

    def is_likely(self, deed: str, figure: str) -> bool:
        """Return whether the table plays with the likely amount of that figure."""
        return key_of("deed", deed, figure) in self.likely

    def is_unread(self, space: int) -> bool:
        """Return whether the print of that space, or its amount, is still unknown."""
        here = self.rules.spaces[space]
        return (bool(here.likely) and not here.name) or lacks_amount(here)

    def unlisted(self, deck_id: str, word: str) -> RuleCard | None:
        """Return the card with the code *word*, if the deck may have it unlisted.

        Its id is the standard code for what it does. Return ``None`` if *word* is no
        code, or if the deck lists such a card, has none, or has only known cards.
        """
        card, index = written_card(word, self.rules), self.deck_index.get(deck_id)
        if card is None or index is None or not self.has_unlisted(deck_id):
            return None
        if card.effect in self.rules.decks[index].absent:
            return None
        card = replace(card, is_kept=card.is_kept or self.is_open(deck_id))
        card = replace(
            card,
            id=word_of(card, self.rules),
            deck=deck_id,
            collects_go=card.effect == "advance",
        )
        is_listed = any(is_alike(card, known) for known in self.cards_of(deck_id))
        return None if card.id in self.cards or is_listed else card

    def has_unlisted(self, deck_id: str) -> bool:
        """Return whether the deck has cards whose effects are not known yet."""
        index = self.deck_index.get(deck_id)
        if index is None or self.rules.decks[index].is_complete:
            return False
        size = self.rules.decks[index].size
        return not size or self.known_count(deck_id) < size

    def known_count(self, deck_id: str) -> int:
        """Count the cards of that deck that are known well enough to be played."""
        playable = [card for card in self.cards_of(deck_id) if not card.lacks_amount]
        return len(playable)

    def cards_of(self, deck_id: str) -> tuple[RuleCard, ...]:
        """Return the cards of a deck that the rulebook lists."""
        return tuple(card for card in self.rules.cards if card.deck == deck_id)

    def _with_card(self, deck_id: str, word: str) -> Board:
        """Return a board on which the deck lists the card with the code *word*."""
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
        """Return a board on which the space number *word* is of that kind."""
        spaces = self.rules.spaces
        number = int(word) if word in map(str, range(self.size)) else None
        if number is None or not spaces[number].likely:
            raise unexpected(say("a space that nobody knew"), word)
        if kind not in READABLE:
            known = ", ".join(READABLE)
            raise unexpected(say("one of {known}", known=known), quoted(kind))
        name = kind.replace("-", " ").capitalize()
        effect = next((space.effect for space in spaces if space.kind == kind), "")
        space = replace(spaces[number], kind=KINDS[kind], name=name, effect=effect)
        changed = (*spaces[:number], space, *spaces[number + 1 :])
        return Board(replace(self.rules, spaces=changed))


@cache
def _count_buildings(
    kinds: tuple[str, ...], ladder: tuple[str, ...]
) -> tuple[tuple[int, ...], ...]:
    """Count the buildings of each kind at each level of a ladder, from level 0 on.

    A step of another kind replaces those before it, as a hotel replaces the houses.
    """
    rows = [dict.fromkeys(kinds, 0)]
    for kind in ladder:
        below = rows[-1]
        rows.append({**dict.fromkeys(kinds, 0), kind: below[kind] + 1})
    return tuple(tuple(row.values()) for row in rows)
