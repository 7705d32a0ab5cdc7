"""An edition's mechanics as figures: one section of the file per class.

Each field is one figure of the file, with its own confidence and sources there.
``None`` means that the edition has no such thing, or that it is not known; its
provenance tells the two apart. The engine depends on these, never on an edition's id.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

from companion.edition.origin import Count, FileAmount, Text

Notes = dict[int, Count]
"""Value of a note -> how many."""

SEATS_LEAST: Final = 2
SEATS_MOST: Final = 8
"""As many as a table of this program can seat."""

Seatable = Annotated[int, msgspec.Meta(ge=1, le=12)]
Percent = Annotated[int, msgspec.Meta(ge=0, le=100)]
Amounts = Annotated[tuple[Count, ...], msgspec.Meta(min_length=1, max_length=12)]
Texts = tuple[Text, ...]
Few = Annotated[int, msgspec.Meta(ge=0, le=400)]
Receiver = Literal["bank", "vault"]
Building = Literal["house", "hotel", "skyscraper"]


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """Parent of every section whose fields are figures."""


class Seats(Section, frozen=True, kw_only=True):
    """How many play, as the box says; a bank-mode table may seat 2 to 8."""

    lowest: Seatable
    highest: Seatable


class Money(Section, frozen=True, kw_only=True):
    """What everyone starts with, what GO pays, which notes there are."""

    currency: Annotated[str, msgspec.Meta(min_length=1, max_length=3)]
    currency_uk: str = "£"
    start_money: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
    denominations: Amounts
    quick_amounts: Amounts
    """Amounts one tap away on a phone, ascending."""
    salary: FileAmount
    salary_when: Literal["reach-or-pass"] = "reach-or-pass"
    salary_to_vault: FileAmount | None = None
    """Bank to vault, each time a seat is paid its salary."""
    start_notes: Notes | None = None
    start_notes_older: Notes | None = None
    bank_notes: Notes | None = None
    """How many of each note the whole pack has."""
    fake_notes: Notes | None = None
    income_tax_older: FileAmount | None = None
    income_tax_older_percent: Percent | None = None
    """Percentage of all that a seat owns; the alternative to ``income_tax_older``."""
    luxury_tax_older: FileAmount | None = None


class Pieces(Section, frozen=True, kw_only=True):
    """What lies in the bank at the start."""

    houses: Few
    hotels: Few
    deeds: Few
    skyscrapers: Few = 0
    depots: Few = 0
    keys: Few = 0
    tickets: Few = 0
    chips: Few = 0
    chips_each: Few = 0
    movers: Few | None = None
    location_clips: Few | None = None
    money_clips: Few | None = None
    chance_cards: Few
    community_chest_cards: Few


class Dice(Section, frozen=True, kw_only=True):
    """What is thrown, and what doubles do."""

    plain: Annotated[int, msgspec.Meta(ge=1, le=3)]
    """Dice with six numbers."""
    special: Literal["none", "lock", "speed"] = "none"
    """``lock``: one die has a lock in place of a number. ``speed``: a third die."""
    special_faces: tuple[str, ...] | None = None
    doubles_roll_again: bool = True
    doubles_to_jail: Count = 3
    triples: Literal["none", "move-anywhere"] = "none"
    lock_counts_as: Annotated[int, msgspec.Meta(ge=0, le=6)] | None = None
    """What a rolled lock adds to the move."""
    lock_can_double: bool | None = None
    lock_in_jail_guesses: bool | None = None


class Jail(Section, frozen=True, kw_only=True):
    """Getting out, and what stays allowed inside."""

    fine: FileAmount
    fine_to: Receiver = "bank"
    pay_then: Literal["roll-now", "next-turn"]
    """When a seat that paid before rolling moves."""
    attempts: Count
    third_roll: Literal["use-roll", "roll-again"]
    """What moves the token after the last failed attempt was paid for."""
    doubles_roll_again: bool = False
    dice: Annotated[int, msgspec.Meta(ge=2, le=3)] = 2
    collects_rent: bool = True
    inspects: bool | None = None
    """Whether a seat in jail may use the decoder; None without one."""


class Buying(Section, frozen=True, kw_only=True):
    """Landing on a deed that nobody owns."""

    declined: Literal["auction", "stays"]
    locked_deeds: tuple[str, ...] = ()
    """Deeds got with a key only."""
    unlock_when: Literal["at-once"] | None = None


class Auction(Section, frozen=True, kw_only=True):
    """Bidding for a deed or a last building."""

    start: Count
    step: Count
    no_bid: Literal["stays"] = "stays"
    buildings_start: Literal["start", "printed-price"] | None = None
    """Where the bidding for a last building opens."""


class Rent(Section, frozen=True, kw_only=True):
    """What is due for a landing, and until when the owner may ask for it."""

    deadline: Literal["next-roll", "second-roll"]
    must_ask: bool = True
    full_group_times: Count
    all_but_one_times: Count = 1
    mortgaged_members_matter: bool = False
    """Whether a mortgaged deed spoils the full-group rent of the others."""
    utility_dice: Literal["white", "all"] | None = None
    nearest_utility_times: Count | None = None


class Buildings(Section, frozen=True, kw_only=True):
    """What can be built, in which order, and how it is sold again."""

    ladder: tuple[Building, ...]
    """Each step on one street; a hotel after houses replaces them."""
    build_when: Literal["full-group", "all-but-one"]
    skyscraper_when: Literal["full-group-of-hotels"] | None = None
    evenly: bool
    source: Literal["bank", "hand"] = "bank"
    """``hand``: hotels come out of the vault and are placed from the hand."""
    during: Literal["any-time", "own-or-between"]
    blocked_by_mortgage: bool | None = None
    sale_percent: Percent | None = None
    sale_rounding: Literal["up", "none"] = "none"
    hotel_sale: Literal["houses-back", "half-only", "none"]
    """What the bank gives for a hotel in addition to half its price."""
    depot_cost: FileAmount | None = None
    depot_sale: FileAmount | None = None
    depot_rent_times: Count | None = None
    outside_group_by_card: bool = False
    traded_hotels: Literal["giver-hand"] | None = None


class Mortgage(Section, frozen=True, kw_only=True):
    """Raising money on a deed that is kept."""

    exists: bool
    interest_percent: Percent | None = None
    interest_rounding: Literal["up"] | None = None
    taker_pays_interest: bool | None = None


class StreetSale(Section, frozen=True, kw_only=True):
    """Giving a street back to the bank for money."""

    exists: bool
    when: Literal["in-debt", "any-time"] | None = None
    price: Literal["board-price"] | None = None


class Trade(Section, frozen=True, kw_only=True):
    """What may change hands between seats."""

    items: tuple[
        Literal["cash", "deed", "mortgaged-deed", "jail-card", "hotels", "tickets"], ...
    ]
    blocked_by_buildings: bool
    """Whether a group's buildings must go before its deeds are traded."""


class Bankruptcy(Section, frozen=True, kw_only=True):
    """Leaving the game with a debt."""

    to_seat: tuple[Literal["cash", "deeds", "jail-cards", "cards"], ...]
    """What the creditor gets."""
    to_bank: Literal["auction", "return"]
    """What happens to the deeds when the bank is the creditor."""


class End(Section, frozen=True, kw_only=True):
    """When the game is over, and what counts towards winning."""

    when: Literal["one-left", "all-owned"]
    when_other: Literal["first-bankruptcy"] | None = None
    score: tuple[Literal["last-seat", "cash", "fake-cash", "one-rent-each"], ...]


class Quick(Section, frozen=True, kw_only=True):
    """The printed shorter game."""

    deeds_dealt_each: Count
    dealt_deeds_are_paid: bool
    houses_before_hotel: Count
    hotel_sale: Literal["half-only"]
    ends_at_bankruptcies: Count
    worth: Texts


class Timed(Section, frozen=True, kw_only=True):
    """The game with an agreed end."""

    winner: Literal["richest"]


class VaultRules(Section, frozen=True, kw_only=True):
    """The vault: what is put into it, and who may guess its code."""

    first_money: FileAmount
    first_notes: Notes | None = None
    first_keys: Few
    first_hotels: Few
    refill_money: FileAmount
    refill_notes: Notes | None = None
    refill_keys: Few
    """While the bank has any."""
    refill_hotels: Few
    codes: Annotated[tuple[Count, ...], msgspec.Meta(min_length=2, max_length=12)]
    code_digits: Count
    guess_fee: FileAmount
    guess_fee_to: Receiver | None = None
    guess_by: Texts
    """What gives a seat a guess, in words."""
    guess_before_move: bool
    opener_takes: Literal["everything"]


class Decoder(Section, frozen=True, kw_only=True):
    """Fake notes and cards, and how players look for them."""

    checks: Texts
    pattern: Text
    fake_mark: Text
    real_mark: Text
    alignment: Text
    lens: Text
    shape: Text
    pattern_colour: Text | None = None
    pattern_place: Text | None = None
    symbols: Text | None = None
    chip_ready: Literal["green"]
    chip_used: Literal["red"]
    chips_ready_again: Literal["reach-or-pass-go"]
    payee_inspects: bool
    change_inspected: bool
    notes_per_inspection: Count
    fake_note_goes_to: Literal["inspector"]
    fake_card_reward: FileAmount
    fake_card_goes_to: Literal["deck-bottom"]
    chance_in_hand: Count | None = None


class Tickets(Section, frozen=True, kw_only=True):
    """Bus tickets."""

    total: Count
    plain: Count
    expire: Count
    expire_is_ticket: bool
    used: Literal["out-of-game"]
    reach: Literal["same-side"]


class Train(Section, frozen=True, kw_only=True):
    """Train spaces, which carry the mover on to a deed."""

    goes_to: Literal["next-unowned"]
    spaces: Count
    pays_salary: bool


SECTIONS: Final[dict[str, type[Section]]] = {
    "seats": Seats,
    "money": Money,
    "pieces": Pieces,
    "dice": Dice,
    "jail": Jail,
    "buying": Buying,
    "auction": Auction,
    "rent": Rent,
    "buildings": Buildings,
    "mortgage": Mortgage,
    "street_sale": StreetSale,
    "trade": Trade,
    "bankruptcy": Bankruptcy,
    "end": End,
    "quick": Quick,
    "timed": Timed,
    "vault": VaultRules,
    "decoder": Decoder,
    "tickets": Tickets,
    "train": Train,
}
"""Key in the file -> its shape."""

OPTIONAL_SECTIONS: Final = frozenset(
    {"quick", "timed", "vault", "decoder", "tickets", "train"}
)
"""What an edition may lack; its absence means that the edition has no such thing."""
