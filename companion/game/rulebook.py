"""The rules of one guided game as they stood when it began.

Written into the journal by the event that begins guided play, so that a later
correction of an edition's file, or a change in how such files are read, cannot
change an evening that is already on disk. The sections are those of edition files
(``companion/game/sections.py``); spaces, deeds and cards are worked out for the engine.
``companion.edition.snapshot`` makes one from an edition and the table's options.
"""

from __future__ import annotations

import msgspec

from companion.game.box_key import taken_apart
from companion.game.notes import Notes
from companion.game.sections import (
    Auction,
    Bankruptcy,
    Buildings,
    Buying,
    Dice,
    End,
    Jail,
    Money,
    Mortgage,
    Rent,
    StreetSale,
    Tickets,
    Trade,
    Train,
)
from companion.game.spaces import OWNED, SpaceKind
from companion.units import DeedId, Dollars

Counts = tuple[tuple[str, int], ...]
"""How many of what: ``(("house", 32), ("hotel", 12))``."""


STREET, RAILROAD, UTILITY = OWNED
"""The kinds of deeds."""

HOUSE, HOTEL, SKYSCRAPER, DEPOT = "house", "hotel", "skyscraper", "depot"
"""The kinds of buildings."""

BUS_DECK = "bus"
"""The deck of bus tickets."""

AMOUNTS = ("collect", "collect-each", "pay", "pay-each", "to-vault", "choice")
"""Effects of cards that print an amount."""


class RuleSpace(msgspec.Struct, frozen=True, omit_defaults=True):
    """One space of the board; its place in the tuple is its board number.

    Attributes:
        kind: What is printed there, as scripts say it.
        name: As printed.
        deed: The deed that is bought here, or empty.
        amount: What a tax costs; ``None`` if unknown.
        pays_to: Who gets the tax: ``bank`` or ``vault``.
        effect: What the space does beyond its kind: ``guess``, or empty.
        likely: The kind that is probably printed on a space whose print is unknown; it
            counts as ``rest`` until people read it off. Empty for a known space.
    """

    kind: SpaceKind
    name: str
    deed: str = ""
    amount: Dollars | None = None
    pays_to: str = "bank"
    effect: str = ""
    likely: str = ""

    @property
    def acts_as(self) -> SpaceKind:
        """The kind whose landing happens here; Free Parking may grant a guess."""
        return SpaceKind.GUESS_FOR_FREE if self.effect else self.kind


class RuleDeed(msgspec.Struct, frozen=True, omit_defaults=True):
    """One deed with every figure that the engine needs.

    Attributes:
        kind: ``street``, ``railroad`` or ``utility``.
        space: Its board number.
        price: At the bank; ``None`` if unknown.
        mortgage: What the bank lends on it; ``None`` if unknown.
        rents: Streets: bare, then one per step of *ladder*. Railroads: by how many
            the owner has. Utilities: a factor on the dice, by how many the owner has.
        depot_rents: Railroads with a depot: by how many the owner has.
        rent_group: Rent of a bare street in a complete group, if printed.
        rent_near_group: Rent of a bare street in a group that lacks one, if printed.
        ladder: What each building step is: ``house``, ``house``, ... ``hotel``.
        costs: What each step costs; as long as *ladder*.
        is_locked: Whether it can be got only with a key from the vault.
        unmortgage: What lifting its mortgage costs, if printed.
        likely: What figures that nobody knows probably are, where the edition says so:
            the field of the file, and the amount. They are no facts.
    """

    id: DeedId
    name: str
    kind: SpaceKind
    group: str
    space: int
    price: Dollars | None = None
    mortgage: Dollars | None = None
    rents: tuple[Dollars | None, ...] = ()
    rent_group: Dollars | None = None
    rent_near_group: Dollars | None = None
    ladder: tuple[str, ...] = ()
    costs: tuple[Dollars | None, ...] = ()
    depot_rents: tuple[Dollars | None, ...] = ()
    is_locked: bool = False
    unmortgage: Dollars | None = None
    likely: tuple[tuple[str, Dollars], ...] = ()


class RuleCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a card does, in the words of the game scripts.

    Attributes:
        to: The board number that ``advance`` goes to.
        kind: What ``advance-nearest`` looks for.
        times: Multiple of the rent or of fresh dice there.
        is_dice: Whether that multiple is of fresh dice.
        spaces: How far ``move-back`` goes.
        per: ``repairs``: dollars for each standing building.
        is_kept: Whether it stays in the hand until used.
        payer: Who pays ``to-vault``: ``seat``, or the bank if empty.
    """

    id: str
    effect: str
    deck: str = ""
    to: int = 0
    amount: Dollars | None = None
    kind: str = ""
    times: int = 1
    is_dice: bool = False
    spaces: int = 0
    per: Counts = ()
    collects_go: bool = True
    is_kept: bool = False
    payer: str = ""


class RuleDeck(msgspec.Struct, frozen=True, omit_defaults=True):
    """A deck; *cards* in the order of the data.

    Attributes:
        is_complete: Whether these are all its cards. If not, people name the card
            drawn from the real deck, and the program keeps no pile.
        size: How many different cards the box has; 0 if *is_complete*.
        absent: Effects that none of its cards has.
        face_up: How many cards lie open, of which the mover takes one and keeps it; 0
            if a card is drawn.
        has_fakes: Whether some of its cards are fake.
        is_used_up: Whether a card that was drawn never comes back.
    """

    id: str
    cards: tuple[str, ...]
    is_complete: bool = True
    size: int = 0
    absent: tuple[str, ...] = ()
    face_up: int = 0
    has_fakes: bool = False
    is_used_up: bool = False


class RuleVault(msgspec.Struct, frozen=True, omit_defaults=True):
    """The vault of the game: what goes into it, and what a guess costs.

    Attributes:
        keys: Keys in the whole box; its hotels are in ``Rulebook.pieces``.
        first_keys: Keys in the vault when play begins; likewise *first_hotels*.
        refill_money: Dollars put in at each refilling; likewise *refill_keys* and
            *refill_hotels*, while the bank has any left.
        codes: The numbers on the wheel.
        guess_fee: What a guess on a paid space costs.
        guess_fee_to: Who gets that fee.
        first_notes: The first filling note by note: value and how many, the largest
            first; likewise *refill_notes*. Empty if the box does not say.
        is_toy: Whether guesses count at any time, as with the original toy.
        shows_tries: Whether the table sees the numbers tried since the last locking.
    """

    keys: int
    first_keys: int
    first_hotels: int
    refill_money: Dollars
    refill_keys: int
    refill_hotels: int
    codes: tuple[int, ...]
    guess_fee: Dollars
    guess_fee_to: str = "bank"
    first_notes: Notes = ()
    refill_notes: Notes = ()
    is_toy: bool = False
    shows_tries: bool = False


class RuleDecoder(msgspec.Struct, frozen=True, omit_defaults=True):
    """Fake notes and cards, and how others may look for them.

    Attributes:
        chips: How many decoder chips each seat has.
        reward: Dollars from the bank for finding a fake card.
        payee_inspects: Whether whoever is paid may look at the money, too.
        chance_in_hand: How many cards of an open deck a seat may hold; 0 for any.
        grace: Seconds for which something lies on the table at the least.
    """

    chips: int
    reward: Dollars
    payee_inspects: bool = True
    chance_in_hand: int = 1
    grace: int = 0


class Unknown(msgspec.Struct, frozen=True, omit_defaults=True):
    """A figure that is printed somewhere, and that the table can type in.

    Attributes:
        key: As edition files name it: ``deed.boardwalk.mortgage``.
        likely: What it probably is, or ``None`` if there is nothing to tell by.
        like: The other deed that *likely* was taken from; empty if it was worked out
            from the same deed.
    """

    key: str
    likely: Dollars | None = None
    like: str = ""

    @property
    def of(self) -> str:
        """The id of the deed or the card that prints it."""
        return taken_apart(self.key).of

    @property
    def figure(self) -> str:
        """The field of the file: ``mortgage``, ``rent_hotel``, ``amount``."""
        return taken_apart(self.key).field


class Rulebook(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything that the rules of a guided game ask for.

    The sections are the edition's own, as the table's options leave them.

    Attributes:
        edition: The edition's id, for showing; no rule depends on it.
        pieces: What the bank has at the start.
        vault: The vault's rules; ``None`` without a vault.
        decoder: How fakes are found; ``None`` where there are none.
        ends_at_bankruptcies: How many end the game; 0 to play to the last seat.
        dealt_each: Deeds dealt to each seat at the start, and paid for.
        time_limit: Minutes; 0 for none.
        has_own_decks: Whether the program draws; otherwise people name real cards.
        dice_by: ``typed`` from the real ones, ``rolled`` by the panel, or ``either``.
        has_clips: Whether the board holds clips, so a game is packed away as it is.
        options: The table's choices that led to all this, for writing them out.
        is_vault_paid_on_go: Whether landing on GO fills the vault, as passing does.
        likely: Figures that nobody knows and that stand in *deeds* as they probably
            are, because the table wants to play with those. They are no facts.
        undo_by: Who takes an act back: ``any`` seat, or its author and the banker:
            ``own``.
    """

    edition: str
    spaces: tuple[RuleSpace, ...]
    deeds: tuple[RuleDeed, ...]
    cards: tuple[RuleCard, ...] = ()
    decks: tuple[RuleDeck, ...] = ()
    pieces: Counts = ()
    money: Money
    dice: Dice
    jail: Jail
    buying: Buying
    auction: Auction
    rent: Rent
    buildings: Buildings
    mortgage: Mortgage
    trade: Trade
    bankruptcy: Bankruptcy
    end: End
    vault: RuleVault | None = None
    decoder: RuleDecoder | None = None
    street_sale: StreetSale | None = None
    train: Train | None = None
    tickets: Tickets | None = None
    ends_at_bankruptcies: int = 0
    dealt_each: int = 0
    time_limit: int = 0
    has_own_decks: bool = True
    dice_by: str = "either"
    has_clips: bool = False
    options: tuple[tuple[str, str], ...] = ()
    is_vault_paid_on_go: bool = True
    likely: tuple[Unknown, ...] = ()
    undo_by: str = "any"
