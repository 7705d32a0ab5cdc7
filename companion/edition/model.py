"""An edition as a value: its parts, and look-ups by name.

An *edition* is one variant of the board game: its board, title deeds, card decks and
the figures of its rules. A table may switch some rules, the edition's *options*.

Unknown figures are ``None``, never 0; ``provenance`` says how well each is known. An
edition is only built from a checked file, so its parts agree with one another.

A file has three kinds of parts. *Sections* such as ``[money]`` hold figures only;
*items* such as ``[[deed]]`` are arrays of tables; other *tables*, such as
``[edition]``, hold facts that are no figures.
"""

from __future__ import annotations

from typing import Annotated, Final, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from companion.edition.origin import (
    CONFIDENCES,
    About,
    BoardOrigin,
    Conflict,
    Inherits,
    OpenRule,
    Provenance,
    Remark,
    Source,
)
from companion.edition.shape import (
    DEED_FIGURES,
    RENT_STEPS,
    Card,
    CardDeck,
    Deed,
    Figure,
    Group,
    Option,
    Space,
    find_space,
)
from companion.game.sections import (
    Auction,
    Bankruptcy,
    Buildings,
    Buying,
    Decoder,
    Dice,
    End,
    Jail,
    Money,
    Mortgage,
    Pieces,
    Quick,
    Rent,
    Seats,
    Section,
    StreetSale,
    Tickets,
    Timed,
    Trade,
    Train,
    VaultRules,
    called,
)
from companion.sheets import Sheet
from companion.units import Dollars
from companion.words import say
from companion.words.report import undeclared


class Parts(msgspec.Struct, frozen=True, kw_only=True):
    """The content of an edition's file.

    A part's key there is the field's name, or the ``name`` that the field gives.
    """

    about: About = msgspec.field(name="edition")
    inherits: Inherits | None = None
    sources: tuple[Source, ...] = msgspec.field(name="source")
    board: BoardOrigin
    spaces: tuple[Space, ...] = msgspec.field(name="space")
    """The spaces in the order of play; the index is the board number."""
    groups: tuple[Group, ...] = msgspec.field(name="group")
    deeds: tuple[Deed, ...] = msgspec.field(name="deed")
    """The deeds in board order."""
    decks: tuple[CardDeck, ...] = msgspec.field(name="deck")
    cards: tuple[Card, ...] = msgspec.field(name="card")
    options: tuple[Option, ...] = msgspec.field(name="option")
    readings: tuple[OpenRule, ...] = msgspec.field(name="reading")
    conflicts: tuple[Conflict, ...] = msgspec.field(name="conflict")
    remarks: tuple[Remark, ...] = msgspec.field(name="remark")
    unknowns: tuple[str, ...] = ()
    """Facts that could not be found out, in words."""
    sheets: tuple[Sheet, ...] = ()
    """The rule sheets of the box, the one that counts first; empty if nobody said."""
    seats: Annotated[Seats, called("Players")]
    money: Annotated[Money, called("Money and notes")]
    pieces: Annotated[Pieces, called("Pieces")]
    dice: Annotated[Dice, called("Dice")]
    jail: Annotated[Jail, called("Jail")]
    buying: Annotated[Buying, called("Buying")]
    auction: Annotated[Auction, called("Auctions")]
    rent: Annotated[Rent, called("Rent")]
    buildings: Annotated[Buildings, called("Buildings")]
    mortgage: Annotated[Mortgage, called("Mortgages")]
    street_sale: Annotated[StreetSale, called("Streets back to the bank")]
    trade: Annotated[Trade, called("Trades")]
    bankruptcy: Annotated[Bankruptcy, called("Bankruptcy")]
    end: Annotated[End, called("The end")]
    quick: Annotated[Quick | None, called("The quick game")] = None
    """This section and those below are ``None`` if the edition has nothing like it."""
    timed: Annotated[Timed | None, called("The game with an agreed end")] = None
    vault: Annotated[VaultRules | None, called("The vault")] = None
    decoder: Annotated[Decoder | None, called("The decoder")] = None
    tickets: Annotated[Tickets | None, called("Bus tickets")] = None
    train: Annotated[Train | None, called("Train spaces")] = None
    origins: dict[str, Provenance] = {}
    """Not in the file: the origin of each figure; see ``Edition.provenance``."""
    inherited: frozenset[str] = frozenset()
    """Not in the file: keys of everything that came from another edition."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.about.id!r})"

    @property
    def id(self) -> str:
        """The word for the edition in scripts and settings: ``secret-vault``."""
        return self.about.id

    @property
    def name(self) -> str:
        """The name printed on the box."""
        return self.about.name

    @property
    def name_uk(self) -> str:
        """The name printed on the British box."""
        return self.about.name_uk or self.about.name

    @property
    def currency(self) -> str:
        """The sign before an amount."""
        return self.money.currency

    @property
    def currency_uk(self) -> str:
        """The sign of the British printing."""
        return self.money.currency_uk

    @property
    def start_money(self) -> Dollars:
        """The money of each seat before the first roll, in dollars."""
        return self.money.start_money

    @property
    def denominations(self) -> tuple[int, ...]:
        """The values of the notes, ascending; empty if nobody knows them."""
        return self.money.notes

    @property
    def note_keys(self) -> tuple[int, ...]:
        """The amounts that one tap adds: the box's own notes, if known."""
        return self.money.note_keys

    @property
    def salary(self) -> Dollars:
        """The salary for reaching or passing GO, in dollars."""
        return self.money.salary

    @property
    def salary_to_vault(self) -> Dollars:
        """The dollars that the bank puts into the vault with a salary."""
        return self.money.salary_to_vault or 0

    @property
    def seats_min(self) -> int:
        """The fewest players, as printed."""
        return self.seats.lowest

    @property
    def seats_max(self) -> int:
        """The most players, as printed."""
        return self.seats.highest

    @property
    def has_vault(self) -> bool:
        """Whether a vault belongs to the game."""
        return self.vault is not None

    @property
    def vault_first_money(self) -> Dollars:
        """The dollars in the vault at the start; 0 if there is no vault."""
        return self.vault.first_money if self.vault else 0


_FIELDS: Final = msgspec.structs.fields(Parts)
_HINTS: Final = get_type_hints(Parts)
_ARRAYS: Final = {
    field.encode_name for field in _FIELDS if get_origin(_HINTS[field.name]) is tuple
}
"""Keys of the file whose value is an array."""


def _shapes() -> dict[str, type[msgspec.Struct]]:
    """Map each key of a file to the shape of its table or entries."""
    shapes: dict[str, type[msgspec.Struct]] = {}
    for field in _FIELDS:
        hint = _HINTS[field.name]
        if get_origin(hint) is dict:  # ``origins`` is not in the file.
            continue
        for inner in (hint, *get_args(hint)):  # As in ``Quick | None``.
            if isinstance(inner, type) and issubclass(inner, msgspec.Struct):
                shapes[field.encode_name] = inner
    return shapes


_SHAPES: Final = _shapes()

ITEMS: Final = {key: shape for key, shape in _SHAPES.items() if key in _ARRAYS}
"""Arrays of the file: key -> shape of an entry."""

SECTIONS: Final = {
    key: shape for key, shape in _SHAPES.items() if issubclass(shape, Section)
}
"""Sections of the file, in which every key is a figure: key -> shape."""

TABLES: Final = {
    key: shape
    for key, shape in _SHAPES.items()
    if key not in ITEMS and key not in SECTIONS
}
"""All other tables of the file: key -> shape."""

OPTIONAL: Final = frozenset(f.encode_name for f in _FIELDS if not f.required)
"""Keys that a file may lack: an edition without a vault has no ``[vault]``."""


N = TypeVar("N", Group, Deed, CardDeck, Card)
"""The kinds of entries that have an id."""


class Edition(Parts, frozen=True, kw_only=True):
    """One edition of the game, equal to another with equal parts.

    A look-up by an unknown name raises ``Malformed``.
    """

    def __hash__(self) -> int:
        """Hash by id, so that results about an edition can be cached."""
        return hash(self.about.id)

    def space(self, word: str) -> Space:
        """Find a space of this board as ``find_space`` does."""
        return find_space(self.spaces, word)

    def deed(self, deed_id: str) -> Deed:
        """Return the deed of that id."""
        return _find_by_id(self.deeds, deed_id, "a deed")

    def group(self, group_id: str) -> Group:
        """Return the group of that id."""
        return _find_by_id(self.groups, group_id, "a group")

    def deck(self, deck_id: str) -> CardDeck:
        """Return the deck of that id."""
        return _find_by_id(self.decks, deck_id, "a deck")

    def card(self, card_id: str) -> Card:
        """Return the card of that id."""
        return _find_by_id(self.cards, card_id, say("a card of this edition"))

    def option(self, key: str) -> Option:
        """Return the option of that key."""
        for option in self.options:
            if option.key == key:
                return option
        known = [option.key for option in self.options]
        raise undeclared(say("an option of {edition}", edition=self.id), key, known)

    def members(self, group_id: str) -> tuple[Deed, ...]:
        """Return the deeds of a group, in board order."""
        self.group(group_id)
        return tuple(deed for deed in self.deeds if deed.group == group_id)

    def cards_of(self, deck_id: str) -> tuple[Card, ...]:
        """Return the known cards of a deck, in the order of the file."""
        self.deck(deck_id)
        return tuple(card for card in self.cards if card.deck == deck_id)

    def figure(self, deed_id: str, name: str) -> Figure | None:
        """Return one figure of a deed; ``None`` if it is printed but nobody knows it.

        Raises:
            Malformed: If there is no such deed, or its card has no such figure.
        """
        deed = self.deed(deed_id)
        value: Figure | None = getattr(deed, name) if name in DEED_FIGURES else None
        if value is None and name not in deed.unknown:
            known = [figure for figure in DEED_FIGURES if has_figure(deed, figure)]
            expected = say(
                "one of the figures of {deed} ({known})",
                deed=deed_id,
                known=", ".join(known),
            )
            raise undeclared(expected, name, known)
        return value

    def rents(self, deed_id: str) -> tuple[Dollars | None, ...]:
        """List the rents of a street: bare, then with each building."""
        deed, house_count = self.deed(deed_id), self.buildings.ladder.count("house")
        amounts: list[Dollars | None] = []
        for name in RENT_STEPS:
            if has_figure(deed, name):
                value = self.figure(deed_id, name)
                count = house_count if name == "rent_houses" else 1
                amounts += value if isinstance(value, tuple) else [value] * count
        return tuple(amounts)

    def provenance(self, key: str) -> Provenance:
        """Return the origin of a figure: ``money.salary``, ``deed.boardwalk.price``.

        One amount of a list has a number: ``rent_houses.4``. A figure without an origin
        of its own has that of its list, or else of its entry. An inherited figure is at
        most as well known as the inheritance itself.

        Raises:
            Malformed: If the file says nothing under that key.
        """
        entry = ".".join(key.split(".")[:2])
        for source_key in (key, key.rpartition(".")[0], entry):
            if source_key in self.origins:
                origin = self.origins[source_key]
                break
        else:
            raise undeclared(say("the key of a figure"), key, self.origins)
        if self.inherits is None or entry not in self.inherited:
            return origin
        if origin.confidence == "unknown":
            return origin  # Unknown in the base edition is unknown here.
        weaker = max(origin.confidence, self.inherits.confidence, key=CONFIDENCES.index)
        sources = dict.fromkeys((*origin.sources, *self.inherits.sources))
        return Provenance(confidence=weaker, sources=tuple(sources), note=origin.note)


def has_figure(deed: Deed, name: str) -> bool:
    """Return whether the deed's card prints that figure, known or not."""
    return name in deed.unknown or getattr(deed, name) is not None


def _find_by_id(entries: tuple[N, ...], entry_id: str, kind: str) -> N:
    """Return the entry of that id; ``Malformed``, expecting *kind*, without one."""
    for entry in entries:
        if entry.id == entry_id:
            return entry
    known = [entry.id for entry in entries]
    raise undeclared(kind, entry_id, known)
