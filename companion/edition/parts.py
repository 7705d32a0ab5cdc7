"""The parts of an edition's file, and short names for those that a bank needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

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
from companion.edition.rules import (
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
    StreetSale,
    Tickets,
    Timed,
    Trade,
    Train,
    VaultRules,
)
from companion.edition.shape import (
    Card,
    CardDeck,
    Deed,
    Group,
    Option,
    Space,
)
from companion.units import Dollars

TAX_KINDS: Final = ("income-tax", "luxury-tax")


@dataclass(frozen=True, kw_only=True)
class Parts:
    """Everything in an edition's file, and short names for what a bank needs of it."""

    about: About
    inherits: Inherits | None
    sources: tuple[Source, ...]
    board: BoardOrigin
    spaces: tuple[Space, ...]
    """In the order of play; the index is the board number."""
    groups: tuple[Group, ...]
    deeds: tuple[Deed, ...]
    """In board order."""
    decks: tuple[CardDeck, ...]
    cards: tuple[Card, ...]
    options: tuple[Option, ...]
    readings: tuple[OpenRule, ...]
    conflicts: tuple[Conflict, ...]
    remarks: tuple[Remark, ...]
    unknowns: tuple[str, ...]
    """What could not be found out, in words."""
    seats: Seats
    money: Money
    pieces: Pieces
    dice: Dice
    jail: Jail
    buying: Buying
    auction: Auction
    rent: Rent
    buildings: Buildings
    mortgage: Mortgage
    street_sale: StreetSale
    trade: Trade
    bankruptcy: Bankruptcy
    end: End
    quick: Quick | None
    timed: Timed | None
    vault: VaultRules | None
    decoder: Decoder | None
    tickets: Tickets | None
    train: Train | None
    origins: Mapping[str, Provenance] = field(repr=False)
    """Read it through ``provenance``."""
    inherited: frozenset[str] = field(repr=False)

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
    def start_notes(self) -> Mapping[int, int]:
        """The starting money in notes, value to count; empty if unknown."""
        return self.money.start_notes or {}

    @property
    def denominations(self) -> tuple[int, ...]:
        """The notes there are, ascending."""
        return self.money.denominations

    @property
    def quick_amounts(self) -> tuple[int, ...]:
        """Amounts one tap away, ascending."""
        return self.money.quick_amounts

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

    @property
    def jail_fine(self) -> Dollars:
        """What leaving jail costs."""
        return self.jail.fine

    @property
    def jail_fine_to(self) -> str:
        """Who gets that fine: ``bank`` or ``vault``."""
        return self.jail.fine_to

    @property
    def taxes(self) -> tuple[Space, ...]:
        """The tax spaces, in board order."""
        return tuple(space for space in self.spaces if space.kind in TAX_KINDS)
