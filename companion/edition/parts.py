"""The parts of an edition's file, and short names for those that a bank needs."""

from __future__ import annotations

from typing import Annotated, Final, get_args, get_origin, get_type_hints

import msgspec

from companion.edition.origin import (
    About,
    BoardOrigin,
    Conflict,
    Inherits,
    OpenRule,
    Provenance,
    Remark,
    Source,
)
from companion.edition.shape import Card, CardDeck, Deed, Group, Option, Space
from companion.game.field_types import called
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
)
from companion.units import Dollars


class Parts(msgspec.Struct, frozen=True, kw_only=True):
    """Everything in an edition's file, and short names for what a bank needs of it.

    Each field is a table of the file, a section of it, or an array of tables; its name
    there differs where the field says so.
    """

    about: About = msgspec.field(name="edition")
    inherits: Inherits | None = None
    sources: tuple[Source, ...] = msgspec.field(name="source")
    board: BoardOrigin
    spaces: tuple[Space, ...] = msgspec.field(name="space")
    """In the order of play; the index is the board number."""
    groups: tuple[Group, ...] = msgspec.field(name="group")
    deeds: tuple[Deed, ...] = msgspec.field(name="deed")
    """In board order."""
    decks: tuple[CardDeck, ...] = msgspec.field(name="deck")
    cards: tuple[Card, ...] = msgspec.field(name="card")
    options: tuple[Option, ...] = msgspec.field(name="option")
    readings: tuple[OpenRule, ...] = msgspec.field(name="reading")
    conflicts: tuple[Conflict, ...] = msgspec.field(name="conflict")
    remarks: tuple[Remark, ...] = msgspec.field(name="remark")
    unknowns: tuple[str, ...] = ()
    """What could not be found out, in words."""
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
    """This and what follows: ``None`` if the edition has no such thing."""
    timed: Annotated[Timed | None, called("The game with an agreed end")] = None
    vault: Annotated[VaultRules | None, called("The vault")] = None
    decoder: Annotated[Decoder | None, called("The decoder")] = None
    tickets: Annotated[Tickets | None, called("Bus tickets")] = None
    train: Annotated[Train | None, called("Train spaces")] = None
    origins: dict[str, Provenance] = {}
    """Not in the file as such. Read it through ``provenance``."""
    inherited: frozenset[str] = frozenset()
    """Likewise: the keys of what came from another edition."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.about.id!r})"

    @property
    def id(self) -> str:
        """The word that scripts and settings use: ``secret-vault``."""
        return self.about.id

    @property
    def name(self) -> str:
        """As printed on the box."""
        return self.about.name

    @property
    def name_uk(self) -> str:
        """As printed on the British box, where that differs."""
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
        """What each seat gets before the first roll."""
        return self.money.start_money

    @property
    def denominations(self) -> tuple[int, ...]:
        """The notes there are, ascending; none where nobody knows them."""
        return self.money.notes

    @property
    def note_keys(self) -> tuple[int, ...]:
        """What one tap adds to an amount: the box's own notes, where they are known."""
        return self.money.note_keys

    @property
    def salary(self) -> Dollars:
        """What reaching or passing GO pays."""
        return self.money.salary

    @property
    def salary_to_vault(self) -> Dollars:
        """What the bank puts into the vault along with a salary."""
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
        """What lies in the vault at the start; 0 without one."""
        return self.vault.first_money if self.vault else 0


_FIELDS: Final = msgspec.structs.fields(Parts)
_HINTS: Final = get_type_hints(Parts)
_LISTS: Final = {x.encode_name for x in _FIELDS if get_origin(_HINTS[x.name]) is tuple}


def _shapes() -> dict[str, type[msgspec.Struct]]:
    """Key in the file -> the shape of the table, the section or the entries there."""
    found: dict[str, type[msgspec.Struct]] = {}
    for field in _FIELDS:
        hint = _HINTS[field.name]
        kinds = () if get_origin(hint) is dict else (hint, *get_args(hint))
        for kind in kinds:
            if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
                found[field.encode_name] = kind
    return found


_SHAPES: Final = _shapes()

ITEMS: Final = {key: shape for key, shape in _SHAPES.items() if key in _LISTS}
"""Arrays of the file: key -> the shape of an entry."""

SECTIONS: Final = {
    key: shape for key, shape in _SHAPES.items() if issubclass(shape, Section)
}
"""Sections whose every key is a figure: key in the file -> shape."""

TABLES: Final = {
    key: shape
    for key, shape in _SHAPES.items()
    if key not in ITEMS and key not in SECTIONS
}
"""Tables of the file that do not hold figures."""

OPTIONAL: Final = frozenset(x.encode_name for x in _FIELDS if not x.required)
"""What a file may lack; without such a section the edition has no such thing."""
