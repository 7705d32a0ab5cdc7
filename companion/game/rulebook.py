"""The rulebook: the rules of one guided game as they stood when it began.

An *edition* is one version of the board game, described by a file. A rulebook is made
from an edition and the table's options (``companion.edition.snapshot``), and the event
that begins guided play writes it into the journal. So a later correction of the
edition's file cannot change a game that is already on disk.

The sections are those of edition files (``companion/game/sections.py``); spaces, deeds
and cards are prepared for the engine. ``None`` means that a *figure* (a printed amount)
is unknown. Some editions have a *likely* amount for it, which is a guess.
"""

from __future__ import annotations

import msgspec

from companion.game.box_key import split_key
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
    Seats,
    StreetSale,
    Tickets,
    Trade,
    Train,
)
from companion.game.spaces import OWNED, SpaceKind
from companion.units import DeedId, Dollars

Counts = tuple[tuple[str, int], ...]
"""Pairs of a kind and a number: ``(("house", 32), ("hotel", 12))``."""


STREET, RAILROAD, UTILITY = OWNED
"""The kinds of deeds."""

HOUSE, HOTEL, SKYSCRAPER, DEPOT = "house", "hotel", "skyscraper", "depot"
"""The kinds of buildings."""

BUS_DECK = "bus"
"""The deck of bus tickets."""

AMOUNTS = ("collect", "collect-each", "pay", "pay-each", "to-vault", "choice")
"""The effects of cards that print an amount."""


class RuleSpace(msgspec.Struct, frozen=True, omit_defaults=True):
    """One space of the board; its place in the tuple is its board number.

    Attributes:
        kind: What is printed there, in the words of scripts.
        name: The printed name.
        deed: The id of the deed that is bought here, or empty.
        amount: The amount of a tax or a gift; ``None`` if unknown.
        pays_to: The account that gets the tax: ``bank`` or ``vault``.
        effect: An effect in addition to that of the kind: ``guess``, or empty.
        likely: The likely kind of a space whose print is unknown; it counts as
            ``rest`` until people read it off the board. Empty for a known space.
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
        """The kind that decides what a landing does: a guess if *effect* is set."""
        return SpaceKind.GUESS_FOR_FREE if self.effect else self.kind


class RuleDeed(msgspec.Struct, frozen=True, omit_defaults=True):
    """One deed with every figure that the engine needs.

    Attributes:
        kind: ``street``, ``railroad`` or ``utility``.
        space: The board number of its space.
        price: The price at the bank.
        mortgage: The money that the bank lends on it.
        rents: For a street: the rent without buildings (*bare*), then one per step of
            *ladder*. For a railroad: one for each number of railroads that the owner
            has. For a utility: the factors on the dice, in the same way.
        depot_rents: For a railroad with a depot: its rents, in the same way.
        rent_group: The printed rent of a bare street in a complete group, if any.
        rent_near_group: The printed rent of a bare street whose owner lacks one street
            of the group, if any.
        ladder: The kind of building of each step: ``house``, ``house``, ... ``hotel``.
        costs: The cost of each step of *ladder*.
        is_locked: Whether a seat can get it only with a key from the vault.
        unmortgage: The printed cost of lifting its mortgage, if any.
        likely: Pairs of a field of the file and its likely amount, for unknown figures.
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
        kind: The kind of space that ``advance-nearest`` looks for.
        times: The multiple of the rent, or of fresh dice, that is paid there.
        is_dice: Whether that multiple is of fresh dice.
        spaces: The number of spaces that ``move-back`` goes.
        per: For ``repairs``: dollars for each standing building.
        is_kept: Whether the card stays in the hand until it is used.
        payer: The payer of ``to-vault``: ``seat``, or the bank if empty.
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

    @property
    def lacks_amount(self) -> bool:
        """Whether the card prints an amount that nobody knows."""
        return self.effect in AMOUNTS and self.amount is None


class RuleDeck(msgspec.Struct, frozen=True, omit_defaults=True):
    """A deck of cards, in the order of the edition's file.

    Attributes:
        is_complete: Whether *cards* are all its cards, and all their amounts are known.
            If not, people name the card drawn from the real deck, and the program keeps
            no pile.
        size: The number of its different cards; 0 if *is_complete*.
        absent: Effects that none of its cards has.
        face_up: The number of cards that lie open; the mover takes one of them and
            keeps it. 0 if a card is drawn from the pile.
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
        keys: The keys in the whole box; ``Rulebook.pieces`` has the hotels.
        first_keys: The keys in the vault when play begins.
        first_hotels: The hotels in the vault when play begins.
        refill_money: The dollars put in at each refilling.
        refill_keys: The keys put in, while the bank has any left.
        refill_hotels: The hotels put in, while the bank has any left.
        codes: The numbers on the wheel.
        guess_fee: The fee in dollars for a guess on a ``pay-to-guess`` space.
        guess_fee_to: The account that gets the fee.
        first_notes: The notes of the first filling; empty if the box does not say.
        refill_notes: The notes of a refilling; empty if the box does not say.
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
        chips: The number of decoder chips of each seat.
        reward: The dollars from the bank for finding a fake card.
        payee_inspects: Whether the seat that is paid may look at the money, too.
        chance_in_hand: The number of cards of an open deck that a seat may hold; 0 for
            any number.
        grace: The seconds for which something stays on the table at least, so that
            others have time to look.
        payer_chooses: Whether the payer may call a purchase or a trade off once a fake
            was found in its money.
    """

    chips: int
    reward: Dollars
    payee_inspects: bool = True
    chance_in_hand: int = 1
    grace: int = 0
    payer_chooses: bool = False


class Unknown(msgspec.Struct, frozen=True, omit_defaults=True):
    """A figure that is printed somewhere, and that the table can type in.

    Attributes:
        key: Its name in edition files: ``deed.boardwalk.mortgage``.
        likely: The likely amount, or ``None`` if nothing hints at it.
        like: The other deed that *likely* was taken from, if any.
    """

    key: str
    likely: Dollars | None = None
    like: str = ""

    @property
    def of(self) -> str:
        """The id of the deed or the card that prints it."""
        return split_key(self.key).of

    @property
    def figure(self) -> str:
        """The field of the file: ``mortgage``, ``rent_hotel``, ``amount``."""
        return split_key(self.key).field


class Rulebook(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything that the rules of a guided game depend on.

    Attributes:
        edition: The edition's id, only to be shown; no rule depends on it.
        pieces: The buildings that the bank has at the start.
        vault: The vault's rules; ``None`` if there is no vault.
        decoder: The rules for finding fakes; ``None`` if there are no fakes.
        ends_at_bankruptcies: The number of bankruptcies that ends the game; 0 to play
            until one seat is left.
        dealt_each: The deeds that each seat is dealt and pays for at the start.
        time_limit: The agreed minutes; 0 for no limit.
        has_own_decks: Whether the program draws cards; otherwise people name real ones.
        dice_by: ``typed`` from the real dice, ``rolled`` by the panel, or ``either``.
        has_clips: Whether clips hold everything on the board, so that a game can be
            packed away as it stands.
        options: The table's choices that led to these rules, to be written out.
        is_vault_paid_on_go: Whether the bank pays into the vault also when a seat lands
            on GO, and not only when it passes GO.
        likely: Unknown figures whose likely amounts stand in *deeds*, because the table
            chose to play with them.
        undo_by: Who may take an act back: ``any`` seat; or ``own`` for only the seat
            that acted and the banker.
        seats: How many players the box is for; more may play. ``None`` in old games.
        read: Pairs of a figure's key and the seat that typed it in during this game,
            or ``table``.
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
    seats: Seats | None = None
    read: tuple[tuple[str, str], ...] = ()

    def ending_by(self, word: str) -> Rulebook:
        """Return these rules with another end, as the option ``end`` says it."""
        is_alternate = word == self.end.when_other
        return msgspec.structs.replace(
            self,
            end=msgspec.structs.replace(
                self.end, when="one-left" if is_alternate else word
            ),
            ends_at_bankruptcies=1 if is_alternate else 0,
        )
