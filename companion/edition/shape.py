"""The shapes of an edition file's spaces, deeds, groups, decks, cards and options.

A *space* is a field of the board. What a player can own there is a *deed*: a street, a
railroad or a utility. Deeds of one colour or kind form a *group*. A *deck* has *cards*,
each with an *effect*. An *option* is a rule that a table may switch.

The reader (``companion.edition.read``) derives its checks and messages from the types
of the fields. Every figure can be unknown: ``None``, never 0.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

from companion.edition.origin import Candidate, Id, Shape
from companion.errors import Malformed
from companion.game.sections import Count, FileAmount, Text, called
from companion.game.spaces import DeedKind, SpaceKind
from companion.units import Dollars
from companion.words import say, say_count
from companion.words.money import AMOUNT_MAX

Rents = Annotated[tuple[FileAmount, ...], msgspec.Meta(min_length=1, max_length=8)]
"""Rents in dollars, by the number of houses, or of deeds owned, from 1 up."""

BoardNumber = Annotated[int, msgspec.Meta(ge=0, le=119)]
"""The number of a space: GO is 0, then in the direction of play."""

Times = Annotated[
    tuple[Annotated[int, msgspec.Meta(ge=0, le=AMOUNT_MAX)], ...],
    msgspec.Meta(min_length=1, max_length=8),
]
"""Factors on the dice, by the number of deeds owned, from 1 up."""

Pieces = Annotated[int, msgspec.Meta(ge=0, le=AMOUNT_MAX)]
"""A number of pieces, such as houses."""

CardId = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9.:-]*$", max_length=60)]
"""The id of a card; one that an owner typed in has its code: ``keep:collect:50``."""

Effect = Literal[
    "advance",
    "advance-nearest",
    "move-back",
    "collect",
    "collect-each",
    "pay",
    "pay-each",
    "repairs",
    "jail-card",
    "go-to-jail",
    "guess",
    "to-vault",
    "skip-rent",
    "free-hotel",
    "jail-someone",
    "ready-chips",
    "choice",
    "ticket",
    "expire",
    "nothing",
]
"""What a card does, in the words of the game scripts."""


class Space(Shape, frozen=True, kw_only=True):
    """One space of the board."""

    number: BoardNumber
    name: Text = ""
    """The printed name; empty if nobody knows it."""
    name_uk: Text = ""
    kind: Annotated[SpaceKind, called("What is printed there")]
    deed: Id | None = None
    amount: Annotated[FileAmount | None, called("How much")] = None
    """The dollars of a tax or a gift; ``None`` if nobody knows them."""
    pays_to: Literal["bank", "vault"] = "bank"
    """Who gets ``amount`` when it is paid."""
    effect: Literal["", "guess"] = ""
    """An effect beside that of the kind: Free Parking may grant a guess."""
    kind_candidate: SpaceKind | None = None
    """The likely kind of an unknown space, to be checked; never used as data."""
    is_new: bool = False
    """Whether the classic board lacks it."""


def _label_with_houses(count: int) -> str:
    return say_count(count, "Rent with {count} house", "Rent with {count} houses")


def _label_owning(count: int) -> str:
    return say("Rent, owning {owned} of them", owned=count)


def _label_owning_with_depot(count: int) -> str:
    return say("Rent with a depot, owning {owned} of them", owned=count)


class Deed(Shape, frozen=True, kw_only=True):
    """One title deed; a figure that is ``None`` is unknown or not on the card."""

    id: Id
    name: Text
    name_uk: Annotated[Text, called("Name in London")]
    kind: DeedKind
    group: Id
    space: BoardNumber
    locked: Annotated[bool, called("Got with a key only")] = False
    """Whether it costs a key from the vault, and no money."""
    is_new: bool = False
    price: Annotated[FileAmount | None, called("Price")] = None
    mortgage: Annotated[FileAmount | None, called("Mortgage value")] = None
    unmortgage: Annotated[FileAmount | None, called("Lifting the mortgage costs")] = (
        None
    )
    sale_to_bank: Annotated[FileAmount | None, called("The bank takes it back for")] = (
        None
    )
    house_cost: Annotated[FileAmount | None, called("A house costs")] = None
    hotel_cost: Annotated[FileAmount | None, called("A hotel costs")] = None
    hotel_also_needs_houses: Annotated[
        Pieces | None, called("Houses it takes besides")
    ] = None
    skyscraper_cost: Annotated[FileAmount | None, called("A skyscraper costs")] = None
    depot_cost: Annotated[FileAmount | None, called("A depot costs")] = None
    depot_sale: Annotated[FileAmount | None, called("A depot sells for")] = None
    rent: Annotated[FileAmount | None, called("Rent without buildings")] = None
    rent_all_but_one: Annotated[
        FileAmount | None, called("Rent with all but one of the group")
    ] = None
    rent_full_group: Annotated[
        FileAmount | None, called("Rent with the whole group")
    ] = None
    rent_houses: Annotated[Rents | None, called(_label_with_houses)] = None
    """By the number of houses, from 1 up."""
    rent_hotel: Annotated[FileAmount | None, called("Rent with a hotel")] = None
    rent_1_hotel: Annotated[FileAmount | None, called("Rent with a hotel")] = None
    rent_2_hotels: Annotated[FileAmount | None, called("Rent with two hotels")] = None
    rent_skyscraper: Annotated[FileAmount | None, called("Rent with a skyscraper")] = (
        None
    )
    rent_by_owned: Annotated[Rents | None, called(_label_owning)] = None
    """For railroads: by the number that the owner has, from 1 up."""
    rent_by_owned_with_depot: Annotated[
        Rents | None, called(_label_owning_with_depot)
    ] = None
    rent_dice_multiplier_by_owned: Annotated[Times | None, called(_label_owning)] = None
    """For utilities: the factor on the dice, by the number that the owner has."""
    unknown: tuple[str, ...] = ()
    """The figures that are on the card but that nobody knows."""
    candidates: tuple[Candidate, ...] = ()

    @property
    def likely(self) -> tuple[Candidate, ...]:
        """The probable values of figures that nobody knows."""
        return tuple(
            candidate
            for candidate in self.candidates
            if candidate.field in self.unknown and not candidate.printing
        )


DEED_FIGURES: Final = tuple(
    name
    for name in Deed.__struct_fields__
    if name.startswith(("rent", "house_", "hotel_", "skyscraper_", "depot_"))
    or name in ("price", "mortgage", "unmortgage", "sale_to_bank")
)
"""The fields of a deed that are figures, in the order of the card."""

LISTED_FIGURES: Final = (
    "rent_houses",
    "rent_by_owned",
    "rent_by_owned_with_depot",
    "rent_dice_multiplier_by_owned",
)
"""The figures of a deed that are lists of amounts."""

RENT_STEPS: Final = (
    "rent",
    "rent_houses",
    "rent_hotel",
    "rent_1_hotel",
    "rent_2_hotels",
    "rent_skyscraper",
)
"""The rents of a street in the order of building; each edition has some of them."""

Figure = Dollars | tuple[int, ...]
"""A figure of a deed: one amount, or a list of amounts."""


class Group(Shape, frozen=True, kw_only=True):
    """Deeds that belong together."""

    id: Id
    name: Text
    colour: Annotated[str, msgspec.Meta(pattern=r"^#[0-9a-f]{6}$")]
    """The colour on screens; our own choice, near the printed one."""


class CardDeck(Shape, frozen=True, kw_only=True):
    """A deck of cards."""

    id: Id
    name: Text
    size: Annotated[Count, called("Cards")]
    is_complete: bool = True
    """False if some of its cards are not known."""
    draw: Literal["top", "face-up"] = "top"
    """``face-up``: the mover takes one of the open cards."""
    face_up: Annotated[int, msgspec.Meta(ge=0, le=10)] = 0
    """How many cards lie open; 0 unless ``draw`` is ``face-up``."""
    printing: str = ""
    is_used: bool = True
    """False for a deck that only another printing has."""
    all_real: bool | None = None
    """Whether none of its cards is fake; ``None`` if the edition has no fakes."""
    some_kept: bool = False
    """Whether some cards may be kept until used."""
    known_absent: tuple[Effect, ...] = ()
    """Effects that surely no card has, although some cards are unknown."""

    @property
    def has_fakes(self) -> bool:
        """Whether each of its cards has a fake with the same content."""
        return self.all_real is False

    @property
    def kinds(self) -> int:
        """How many different cards there are; a real one and its fake count once."""
        return self.size // 2 if self.has_fakes else self.size


class CardOption(Shape, frozen=True, kw_only=True):
    """One effect on a card that lets the mover choose."""

    effect: Effect
    amount: FileAmount | None = None
    to: str = ""


class Card(Shape, frozen=True, kw_only=True):
    """A card by its effect; no printed text is kept."""

    id: CardId
    deck: Id
    effect: Annotated[Effect | None, called("What it does")] = None
    """``None`` if nobody knows what the card does."""
    to: str = ""
    """A space for ``advance``; ``bank`` for ``pay``; ``vault`` for ``to-vault``."""
    source: Annotated[Literal["", "bank", "seat"], called("Who pays")] = ""
    """Who pays ``collect`` and ``to-vault``; empty if unknown or irrelevant."""
    kind: DeedKind | None = None
    """What ``advance-nearest`` looks for."""
    if_owned: Literal["", "rent-times", "dice-times"] = ""
    """For ``advance-nearest``: whether the owner gets *times* the rent or the dice."""
    if_unowned: Literal["", "may-buy"] = ""
    times: Count | None = None
    """For ``advance-nearest``: the factor on the rent or on fresh dice."""
    collects_go: bool = False
    """Whether the salary is paid when the move passes GO."""
    amount: Annotated[FileAmount | None, called("How much")] = None
    spaces: Count | None = None
    """For ``move-back``: the number of spaces."""
    per_house: FileAmount | None = None
    per_hotel: FileAmount | None = None
    per_skyscraper: FileAmount | None = None
    per_depot: FileAmount | None = None
    keep: bool = False
    """Whether the card stays in hand until used."""
    copies: Count = 1
    """The number of such cards in the deck."""
    is_example: bool = False
    """Whether *count* is not known; the card only shows what the deck is like."""
    fakes: Annotated[int, msgspec.Meta(ge=0, le=10)] = 0
    """The number of copies that are fake."""
    full_group_needed: Annotated[
        bool | None, called("Whether it needs the whole group")
    ] = None
    options: tuple[CardOption, ...] = ()
    unknown: tuple[str, ...] = ()
    """The fields of this card that nobody knows."""


class Option(Shape, frozen=True, kw_only=True):
    """A rule reading or house rule that a table may switch."""

    key: Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z_]*$")]
    default: str
    choices: tuple[str, ...] = ()
    number_min: int | None = None
    number_max: int | None = None
    """If both bounds are given, every whole number between them is a choice, too."""
    led: str = ""
    """The default for games that phones begin; empty if it is *default*."""
    what: Text


def find_space(spaces: tuple[Space, ...], word: str) -> Space:
    """Find the space that a game script means by *word*.

    Args:
        spaces: A board in the order of play.
        word: A deed's id, a kind that only one space has, ``kind@number``, or a number.

    Raises:
        Malformed: If no space fits *word*, or several do.
    """
    matches = [space for space in spaces if word in (space.deed, str(space.number))]
    if not matches:
        kind, _, number = word.partition("@")
        matches = [
            space
            for space in spaces
            if space.kind == kind
            and number in ("", str(space.number))
            and space.deed is None
            and space.kind != SpaceKind.REST
        ]
    if len(matches) == 1:
        return matches[0]
    if matches:
        choices = ", ".join(f"{s.kind}@{s.number}" for s in matches)
        raise Malformed(
            f"expected one of {choices}; got {word!r}, which is all of them"
        )
    expected = f"a deed, a kind of space or a number from 0 to {len(spaces) - 1}"
    raise Malformed(f"expected {expected}; got {word!r}")
