"""The sections of an edition's file: the mechanics of the edition as figures.

Each class is one section. Each field is one *figure*, here any value that the rules
depend on, not only an amount. In the file every figure has its own confidence and
sources. ``called`` gives the words under which people read a figure. ``None``: the
edition has no such thing, or the figure is unknown; the file's confidence tells which.
The engine depends on these figures, never on an edition's id.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final, Literal

import msgspec

from companion.words import say
from companion.words.money import AMOUNT_MAX

SEATS_LEAST: Final = 2
"""The smallest number of seats at a table of this program."""

SEATS_MOST: Final = 8
"""The largest number of seats at a table of this program."""

SIDES: Final = 4
"""The sides of a board, all of one length, with a corner at each end."""

DOLLARS: Final = msgspec.Meta(extra={"unit": "dollars"})
"""The mark on the type of a figure that is an amount of dollars."""

# Types of fields, with the limits that the file must keep.
FileAmount = Annotated[int, msgspec.Meta(ge=0, le=AMOUNT_MAX), DOLLARS]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]
Count = Annotated[int, msgspec.Meta(ge=1, le=1000)]
Notes = dict[int, Count]
"""Value of a note -> the number of such notes."""
SeatCount = Annotated[int, msgspec.Meta(ge=1, le=12)]
Percent = Annotated[int, msgspec.Meta(ge=0, le=100)]
Amounts = Annotated[
    tuple[Count, ...], msgspec.Meta(min_length=1, max_length=12), DOLLARS
]
Texts = tuple[Text, ...]
PieceCount = Annotated[int, msgspec.Meta(ge=0, le=400)]
Receiver = Literal["bank", "vault"]
Building = Literal["house", "hotel", "skyscraper"]


def called(label: str | Callable[[int], str]) -> msgspec.Meta:
    """Return the mark for a field that people call *label*.

    For a list of figures, *label* makes the words from a figure's number in it, from 1.
    """
    return msgspec.Meta(
        extra={"called": say(label) if isinstance(label, str) else label}
    )


class Section(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Parent of all sections."""


class Seats(Section, frozen=True, kw_only=True):
    """The number of players that the box is for; in bank mode, 2 to 8 may play."""

    lowest: Annotated[SeatCount, called("Fewest players")]
    highest: Annotated[SeatCount, called("Most players")]


class Money(Section, frozen=True, kw_only=True):
    """The starting money, the salary, the notes and the taxes."""

    currency: Annotated[
        str, msgspec.Meta(min_length=1, max_length=3), called("Sign of the money")
    ]
    currency_uk: Annotated[str, called("Sign of the money in London")] = "£"
    start_money: Annotated[
        int, msgspec.Meta(ge=1, le=1_000_000), DOLLARS, called("Everybody begins with")
    ]
    denominations: Annotated[Amounts | None, called("Notes there are")] = None
    quick_amounts: Annotated[Amounts | None, called("Amounts one tap away")] = None
    """Keys on a phone, ascending, if the notes are unknown."""
    salary: Annotated[FileAmount, called("Salary")]
    salary_when: Annotated[
        Literal["reach-or-pass"], called("The salary is paid for")
    ] = "reach-or-pass"
    salary_to_vault: Annotated[
        FileAmount | None, called("With each salary, into the vault")
    ] = None
    start_notes: Annotated[Notes | None, called("The first money in notes")] = None
    start_notes_older: Annotated[Notes | None, called("The same in older boxes")] = None
    bank_notes: Annotated[Notes | None, called("Notes in the whole box")] = None
    fake_notes: Annotated[Notes | None, called("Fake notes in the box")] = None
    income_tax_older: Annotated[
        FileAmount | None, called("Income tax in older boxes")
    ] = None
    income_tax_older_percent: Annotated[
        Percent | None, called("Or so much of all you own")
    ] = None
    """The percentage of all that a seat owns, which it may pay instead."""
    luxury_tax_older: Annotated[
        FileAmount | None, called("Luxury tax in older boxes")
    ] = None

    @property
    def notes(self) -> tuple[int, ...]:
        """The values of the notes, ascending; empty if they are unknown."""
        return self.denominations or ()

    @property
    def note_keys(self) -> tuple[int, ...]:
        """The amounts that one tap adds: the box's own notes if they are known."""
        return self.denominations or self.quick_amounts or ()


class Pieces(Section, frozen=True, kw_only=True):
    """The pieces in the box."""

    houses: Annotated[PieceCount, called("Houses")]
    hotels: Annotated[PieceCount, called("Hotels")]
    deeds: Annotated[PieceCount, called("Deeds")]
    skyscrapers: Annotated[PieceCount, called("Skyscrapers")] = 0
    depots: Annotated[PieceCount, called("Depots")] = 0
    keys: Annotated[PieceCount, called("Keys")] = 0
    tickets: Annotated[PieceCount, called("Bus tickets")] = 0
    chips: Annotated[PieceCount, called("Chips")] = 0
    chips_each: Annotated[PieceCount, called("Chips for each player")] = 0
    movers: Annotated[PieceCount | None, called("Tokens")] = None
    location_clips: Annotated[PieceCount | None, called("Clips for your place")] = None
    money_clips: Annotated[PieceCount | None, called("Clips for your money")] = None
    chance_cards: Annotated[PieceCount, called("Chance cards")]
    community_chest_cards: Annotated[PieceCount, called("Community Chest cards")]


class Dice(Section, frozen=True, kw_only=True):
    """The dice, and what doubles do."""

    plain: Annotated[int, msgspec.Meta(ge=1, le=3), called("Dice with six numbers")]
    special: Annotated[Literal["none", "lock", "speed"], called("The special die")] = (
        "none"
    )
    """``lock``: one die has a lock in place of a number. ``speed``: a third die."""
    special_faces: Annotated[tuple[str, ...] | None, called("Its six faces")] = None
    doubles_roll_again: Annotated[bool, called("Doubles roll again")] = True
    doubles_to_jail: Annotated[
        Count, called("So many doubles in a row send to jail")
    ] = 3
    triples: Annotated[Literal["none", "move-anywhere"], called("Triples")] = "none"
    lock_counts_as: Annotated[
        Annotated[int, msgspec.Meta(ge=0, le=6)] | None, called("The lock counts as")
    ] = None
    """In spaces."""
    lock_can_double: Annotated[bool | None, called("The lock can be a double")] = None
    lock_in_jail_guesses: Annotated[
        bool | None, called("The lock brings a guess in jail")
    ] = None

    @property
    def lock_face(self) -> str:
        """The face that one die has in place of a number; empty if no die has one."""
        return "vault" if self.special == "lock" else ""

    @property
    def third_faces(self) -> tuple[str, ...]:
        """The six faces of a third die; empty if two dice are rolled."""
        if self.special != "speed":
            return ()
        return self.special_faces or ()


class Jail(Section, frozen=True, kw_only=True):
    """Getting out of jail, and what stays allowed inside."""

    fine: Annotated[FileAmount, called("Leaving jail costs")]
    fine_to: Annotated[Receiver, called("Who gets that")] = "bank"
    pay_then: Annotated[Literal["roll-now", "next-turn"], called("Whoever pays moves")]
    """When a seat that has paid may move."""
    attempts: Annotated[Count, called("Rolls to get out")]
    fine_turns: Annotated[
        Count | None, called("The fine may be paid on so many turns")
    ] = None
    """``None``: before each roll."""
    third_roll: Annotated[
        Literal["use-roll", "roll-again"], called("After the last roll")
    ]
    """After paying, the failed roll moves the token, or a new one does."""
    doubles_roll_again: Annotated[bool, called("Doubles out of jail roll again")] = (
        False
    )
    dice: Annotated[int, msgspec.Meta(ge=2, le=3), called("Dice in jail")] = 2
    collects_rent: Annotated[bool, called("Rent is collected in jail")] = True
    inspects: Annotated[bool | None, called("The decoder may be used in jail")] = None
    """``None`` if there is no decoder."""


class Buying(Section, frozen=True, kw_only=True):
    """Landing on a deed that nobody owns."""

    declined: Annotated[Literal["auction", "stays"], called("What nobody buys")]
    locked_deeds: Annotated[tuple[str, ...], called("Got with a key only")] = ()
    """The deeds that a seat can get only with a key from the vault."""
    unlock_when: Annotated[Literal["at-once"] | None, called("A key is used")] = None


class Auction(Section, frozen=True, kw_only=True):
    """Bidding for a deed or a last building."""

    start: Annotated[Count, DOLLARS, called("Lowest first bid")]
    step: Annotated[Count, DOLLARS, called("A new bid is higher by at least")]
    no_bid: Annotated[Literal["stays"], called("Without a bid")] = "stays"
    buildings_start: Annotated[
        Literal["start", "printed-price"] | None, called("The last building begins at")
    ] = None
    """*start*, or the price of the building."""

    @property
    def is_last_piece_at_price(self) -> bool:
        """Whether the bidding for a last building opens at its price."""
        return self.buildings_start == "printed-price"


class Rent(Section, frozen=True, kw_only=True):
    """The rent for a landing, and until when the owner may ask for it."""

    deadline: Annotated[
        Literal["next-roll", "second-roll"], called("Rent may be asked until")
    ]
    must_ask: Annotated[bool, called("The owner has to ask")] = True
    full_group_times: Annotated[Count, called("Whole group, no house: rent times")]
    all_but_one_times: Annotated[
        Count, called("All but one of a group: rent times")
    ] = 1
    mortgaged_members_matter: Annotated[
        bool, called("A mortgage in the group spoils that")
    ] = False
    """Whether one mortgage spoils the full-group rent of the other deeds."""
    utility_dice: Annotated[
        Literal["white", "all"] | None, called("Dice that count for utilities")
    ] = None
    nearest_utility_times: Annotated[
        Count | None, called("Card to a utility: times the dice")
    ] = None

    @property
    def turns(self) -> int:
        """The number of turns after which the next roll ends the claim to a rent."""
        return 1 if self.deadline == "next-roll" else 2


class Buildings(Section, frozen=True, kw_only=True):
    """The order in which buildings go up, what building needs, and selling them."""

    ladder: Annotated[tuple[Building, ...], called("What is built, in order")]
    """The kind of each step on a street; a hotel replaces the houses."""
    build_when: Annotated[
        Literal["full-group", "all-but-one"], called("Building needs")
    ]
    skyscraper_when: Annotated[
        Literal["full-group-of-hotels"] | None, called("A skyscraper needs")
    ] = None
    evenly: Annotated[bool, called("Build evenly")]
    source: Annotated[Literal["bank", "hand"], called("Buildings come from")] = "bank"
    """``hand``: hotels come out of the vault, and a seat builds those in its hand."""
    during: Annotated[Literal["any-time", "own-or-between"], called("When to build")]
    blocked_by_mortgage: Annotated[
        bool | None, called("A mortgage in the group forbids it")
    ] = None
    sale_percent: Annotated[Percent | None, called("The bank takes back for")] = None
    sale_rounding: Annotated[Literal["up", "none"], called("Halves are rounded")] = (
        "none"
    )
    hotel_sale: Annotated[
        Literal["houses-back", "half-only", "none"], called("A hotel sold")
    ]
    """What the bank gives for a hotel in addition to half its price."""
    depot_cost: Annotated[FileAmount | None, called("A depot costs")] = None
    depot_sale: Annotated[FileAmount | None, called("A depot sells for")] = None
    depot_rent_times: Annotated[Count | None, called("Rent with a depot: times")] = None
    outside_group_by_card: Annotated[
        bool, called("A card builds without the group")
    ] = False
    traded_hotels: Annotated[
        Literal["giver-hand"] | None, called("Hotels on a street that is traded")
    ] = None


class Mortgage(Section, frozen=True, kw_only=True):
    """Borrowing on a deed that the seat keeps."""

    exists: Annotated[bool, called("There are mortgages")]
    interest_percent: Annotated[Percent | None, called("Lifting costs more by")] = None
    interest_rounding: Annotated[Literal["up"] | None, called("Halves are rounded")] = (
        None
    )
    taker_pays_interest: Annotated[
        bool | None, called("Whoever takes it over pays interest")
    ] = None

    @property
    def is_lifting_printed(self) -> bool:
        """Whether lifting a mortgage costs what the deed prints."""
        return self.exists and self.interest_percent is None


class StreetSale(Section, frozen=True, kw_only=True):
    """Giving a street back to the bank for money."""

    exists: Annotated[bool, called("Streets can be sold to the bank")]
    when: Annotated[Literal["in-debt", "any-time"] | None, called("When")] = None
    price: Annotated[Literal["board-price"] | None, called("For how much")] = None


class Trade(Section, frozen=True, kw_only=True):
    """What may change hands between seats."""

    items: Annotated[
        tuple[
            Literal["cash", "deed", "mortgaged-deed", "jail-card", "hotels", "tickets"],
            ...,
        ],
        called("What can be traded"),
    ]
    blocked_by_buildings: Annotated[bool, called("Buildings have to go first")]
    blocked_by: Annotated[
        Literal["group", "street"], called("Buildings in the way stand on")
    ] = "group"
    """The buildings that must go: the whole group's, or the street's own."""
    when: Annotated[Literal["between-moves", "any-time"], called("When to trade")] = (
        "between-moves"
    )
    """``any-time``: also while somebody buys or bids."""

    @property
    def is_any_time(self) -> bool:
        """Whether seats may also trade while somebody buys or bids."""
        return self.when == "any-time"


class Bankruptcy(Section, frozen=True, kw_only=True):
    """Leaving the game with a debt."""

    to_seat: Annotated[
        tuple[Literal["cash", "deeds", "jail-cards", "cards"], ...],
        called("The creditor gets"),
    ]
    to_bank: Annotated[
        Literal["auction", "return"], called("Deeds that go to the bank")
    ]


class End(Section, frozen=True, kw_only=True):
    """When the game is over, and what counts towards winning."""

    when: Annotated[Literal["one-left", "all-owned"], called("It ends with")]
    when_other: Annotated[Literal["first-bankruptcy"] | None, called("Or with")] = None
    score: Annotated[
        tuple[Literal["last-seat", "cash", "fake-cash", "one-rent-each"], ...],
        called("What counts"),
    ]

    @property
    def counts(self) -> Literal["rents", "worth"]:
        """How owned deeds count in a score: one rent each, or all they are worth."""
        return "rents" if "one-rent-each" in self.score else "worth"


class Quick(Section, frozen=True, kw_only=True):
    """The printed shorter game."""

    deeds_dealt_each: Annotated[Count, called("Deeds dealt to each")]
    dealt_deeds_are_paid: Annotated[bool, called("Dealt deeds are paid for")]
    houses_before_hotel: Annotated[Count, called("Houses before a hotel")]
    hotel_sale: Annotated[Literal["half-only"], called("A hotel sold")]
    ends_at_bankruptcies: Annotated[Count, called("Ends at so many bankruptcies")]
    worth: Annotated[Texts, called("What counts")]


class Timed(Section, frozen=True, kw_only=True):
    """The game with an agreed end."""

    winner: Annotated[Literal["richest"], called("Who wins")]


class VaultRules(Section, frozen=True, kw_only=True):
    """The vault: what is put into it, and who may guess its code."""

    first_money: Annotated[FileAmount, called("Money in it at first")]
    first_notes: Annotated[Notes | None, called("That money in notes")] = None
    first_keys: Annotated[PieceCount, called("Keys in it at first")]
    first_hotels: Annotated[PieceCount, called("Hotels in it at first")]
    refill_money: Annotated[FileAmount, called("Money after an opening")]
    refill_notes: Annotated[Notes | None, called("That money in notes")] = None
    refill_keys: Annotated[PieceCount, called("Keys after an opening")]
    """The keys put in after an opening, while the bank has any."""
    refill_hotels: Annotated[PieceCount, called("Hotels after an opening")]
    codes: Annotated[
        tuple[Count, ...], msgspec.Meta(min_length=2, max_length=12), called("Codes")
    ]
    code_digits: Annotated[Count, called("Digits of a code")]
    guess_fee: Annotated[FileAmount, called("A guess costs")]
    guess_fee_to: Annotated[Receiver | None, called("Who gets the fee of a guess")] = (
        None
    )
    guess_by: Annotated[Texts, called("What brings a guess")]
    guess_before_move: Annotated[bool, called("Guess first, then move")]
    opener_takes: Annotated[Literal["everything"], called("Who opens it takes")]


class Decoder(Section, frozen=True, kw_only=True):
    """Fake notes and cards, and how players look for them."""

    checks: Annotated[Texts, called("What can be fake")]
    pattern: Annotated[Text, called("The hidden pattern")]
    fake_mark: Annotated[Text, called("Sign of a fake")]
    real_mark: Annotated[Text, called("Sign of a real one")]
    alignment: Annotated[Text, called("How to hold it")]
    lens: Annotated[Text, called("The lens")]
    shape: Annotated[Text, called("The decoder looks like")]
    pattern_colour: Annotated[Text | None, called("Colour of the pattern")] = None
    pattern_place: Annotated[Text | None, called("Place of the pattern")] = None
    symbols: Annotated[Text | None, called("Signs in the pattern")] = None
    chip_ready: Annotated[Literal["green"], called("A chip that is ready")]
    chip_used: Annotated[Literal["red"], called("A chip that is used")]
    chips_ready_again: Annotated[
        Literal["reach-or-pass-go"], called("Chips are ready again at")
    ]
    payee_inspects: Annotated[bool, called("Whoever is paid may look")]
    change_inspected: Annotated[bool, called("Change may be looked at")]
    notes_per_inspection: Annotated[Count, called("Notes for one chip")]
    fake_note_goes_to: Annotated[Literal["inspector"], called("A fake note goes to")]
    fake_card_reward: Annotated[FileAmount, called("Reward for a fake card")]
    fake_card_goes_to: Annotated[Literal["deck-bottom"], called("A fake card goes to")]
    chance_in_hand: Annotated[Count | None, called("Chance cards in hand, at most")] = (
        None
    )


class Tickets(Section, frozen=True, kw_only=True):
    """Bus tickets."""

    total: Annotated[Count, called("Tickets in all")]
    plain: Annotated[Count, called("Plain tickets")]
    expire: Annotated[Count, called("Tickets that end all others")]
    expire_is_ticket: Annotated[bool, called("Such a one is a ticket, too")]
    used: Annotated[Literal["out-of-game"], called("A used ticket goes")]
    reach: Annotated[Literal["same-side"], called("A ticket takes you to")]


class Train(Section, frozen=True, kw_only=True):
    """Train spaces, which carry the mover on to a deed."""

    goes_to: Annotated[Literal["next-unowned"], called("It takes you to")]
    spaces: Annotated[Count, called("Train spaces")]
    pays_salary: Annotated[bool, called("The salary is paid on the way")]
