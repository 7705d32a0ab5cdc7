"""Codes for what a card does: ``pay:100``, ``keep:guess``, ``move-back:3``.

A *code* is the name of an *effect*, with a value after a colon if the effect has one
(dollars, a space, a number of spaces); ``keep:`` before it means that the card stays in
the hand. People describe a real card that the edition's data lacks by its code. Game
scripts and the journal use codes, too, and the file of an owner's own box uses them as
card ids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec
from msgspec.structs import replace

from companion.game.rulebook import Counts, Rulebook, RuleCard
from companion.game.spaces import SpaceKind
from companion.units import Dollars

JAIL_CARD = "jail-card"
"""Effect: leave jail; such a card is kept even without ``keep:``."""

KEPT = "keep:"
"""The prefix of a card that stays in the hand until it is used."""

NEEDS_VAULT = ("guess", "to-vault", "pay-to-vault")
"""Effects that need a vault; the bank pays ``to-vault``, the seat ``pay-to-vault``."""

SKIP_RENT = "skip-rent"
FREE_HOTEL = "free-hotel"
JAIL_SOMEONE = "jail-someone"
READY_CHIPS = "ready-chips"
NEEDS_DECODER = (SKIP_RENT, FREE_HOTEL, JAIL_SOMEONE, READY_CHIPS)
"""Effects that need a decoder, so only editions with fakes have them."""

CHOICE = "choice"
"""Effect: pay the amount, or go to jail."""

AMOUNT_BELOW = 1_000_000
"""Every amount in a code is below this number of dollars."""

STEPS_MAX = 99
"""The largest number of spaces after ``move-back``."""


class CardCode(msgspec.Struct, frozen=True, kw_only=True):
    """The meaning of a card's code, independent of any edition.

    Attributes:
        effect: Name of the effect, as scripts write it.
        is_kept: Whether the card stays in the hand until it is used.
        place: The space that ``advance`` goes to, as scripts name it.
        spaces: The number of spaces that ``move-back`` goes.
        per: For ``repairs``: dollars for each standing building, by kind.
    """

    effect: str
    is_kept: bool = False
    amount: Dollars | None = None
    place: str = ""
    spaces: int = 0
    per: Counts = ()


ReadValue = Callable[[str], "CardCode | None"]
"""Reads the value after an effect; the code that it returns lacks the effect."""


def parse_code(text: str) -> CardCode | None:
    """Return the meaning of the code *text*, or ``None`` if it is no code.

    >>> parse_code("keep:collect:50").amount
    50
    """
    effect, colon, value = text.removeprefix(KEPT).partition(":")
    code: CardCode | None = None
    if effect in VALUE_READERS:
        code = VALUE_READERS[effect](value)
    elif effect in PLAIN_EFFECTS and not colon:
        code = CardCode(effect=effect)
    if code is None:
        return None
    is_kept = text.startswith(KEPT) or effect == JAIL_CARD
    return replace(code, effect=effect, is_kept=is_kept)


def written_card(text: str, rules: Rulebook) -> RuleCard | None:
    """Return the card with the code *text*, or ``None`` if the game cannot have it."""
    code = parse_code(text)
    if code is None or (code.effect in NEEDS_VAULT and rules.vault is None):
        return None
    if code.effect in NEEDS_DECODER and rules.decoder is None:
        return None
    space = space_number(rules, code.place) if code.place else 0
    if space is None or code.spaces >= len(rules.spaces):
        return None
    if not {kind for kind, _ in code.per} <= buildings(rules):
        return None
    is_by_seat = code.effect == "pay-to-vault"
    return RuleCard(
        text,
        "to-vault" if is_by_seat else code.effect,
        to=space,
        amount=code.amount,
        spaces=code.spaces,
        per=code.per,
        is_kept=code.is_kept,
        payer="seat" if is_by_seat else "",
    )


def buildings(rules: Rulebook) -> frozenset[str]:
    """Return the kinds of buildings that the box has."""
    return frozenset(kind for kind, count in rules.pieces if count)


def word_of(card: RuleCard, rules: Rulebook) -> str:
    """Return the standard code of *card*, however somebody wrote it."""
    effect = "pay-to-vault" if card.payer == "seat" else card.effect
    value = _value_of(card, rules)
    kept = KEPT if card.is_kept and effect != JAIL_CARD else ""
    return f"{kept}{effect}{':' if value else ''}{value}"


def is_alike(card: RuleCard, other: RuleCard) -> bool:
    """Return whether both cards do the same, whatever their ids are."""
    return _without_name(card) == _without_name(other)


def does_the_same(card: RuleCard, other: RuleCard) -> bool:
    """Return whether both cards do the same; one may be kept and the other not."""
    return is_alike(replace(card, is_kept=False), replace(other, is_kept=False))


def space_number(rules: Rulebook, word: str) -> int | None:
    """Return the board number that a script means by *word*, or ``None``.

    The word may be the deed of the space, its number, or the kind of a space without a
    deed; for one of several spaces of that kind, ``@`` and the number follow:
    ``chance@7``. A ``rest`` space can only be named by its number.
    """
    if not word:
        return None
    spaces = list(enumerate(rules.spaces))
    matches = [number for number, space in spaces if word in (space.deed, str(number))]
    if not matches:
        kind, _, wanted = word.partition("@")
        matches = [
            number
            for number, space in spaces
            if space.kind == kind
            and kind != SpaceKind.REST
            and wanted in ("", str(number))
            and not space.deed
        ]
    return matches[0] if len(matches) == 1 else None


def space_word(rules: Rulebook, number: int) -> str:
    """Return the word of scripts for the space with this board number.

    It is the space's deed, its kind if no other space is of that kind, or both kind and
    number: ``chance@7``. A ``rest`` space has only its number.
    """
    space = rules.spaces[number]
    if space.deed:
        return space.deed
    if space_number(rules, space.kind) == number:
        return space.kind
    return str(number) if space.kind == SpaceKind.REST else f"{space.kind}@{number}"


def space_words(rules: Rulebook) -> Iterable[str]:
    """Yield every word that names a space, for suggesting what a typo meant."""
    for number, space in enumerate(rules.spaces):
        yield space.deed or space.kind
        yield f"{space.kind}@{number}"


def _without_name(card: RuleCard) -> RuleCard:
    """Return *card* reduced to what it does, with its prices in a fixed order."""
    return replace(card, id="", deck="", collects_go=True, per=tuple(sorted(card.per)))


def _value_of(card: RuleCard, rules: Rulebook) -> str:
    """Return the part of the code after the effect, if any."""
    if card.effect == "advance":
        return rules.spaces[card.to].deed or str(card.to)
    if card.per:
        prices = dict(card.per)
        kinds = (kind for kind, _ in rules.pieces if kind in prices)
        return ":".join(f"{kind}:{prices[kind]}" for kind in kinds)
    number = card.spaces or card.amount
    return str(number) if number else ""


def _read_whole(value: str, below: int) -> int | None:
    """Read a whole number from 1 to one less than *below*, which is a power of ten.

    Return ``None`` if *value* is anything else.
    """
    is_whole = value.isascii() and value.isdigit() and len(value) < len(str(below))
    if not is_whole:
        return None
    return int(value) or None


def _read_amount(value: str) -> CardCode | None:
    amount = _read_whole(value, AMOUNT_BELOW)
    return None if amount is None else CardCode(effect="", amount=amount)


def _read_place(value: str) -> CardCode | None:
    return CardCode(effect="", place=value) if value else None


def _read_steps(value: str) -> CardCode | None:
    spaces = _read_whole(value, STEPS_MAX + 1)
    return None if spaces is None else CardCode(effect="", spaces=spaces)


def _read_repairs(value: str) -> CardCode | None:
    """Read ``house:25:hotel:100``; each kind of building may be named only once."""
    parts = value.split(":")
    kinds, amounts = parts[::2], parts[1::2]
    if len(kinds) != len(amounts):
        return None
    prices: dict[str, Dollars] = {}
    for kind, amount in zip(kinds, amounts, strict=True):
        price = _read_whole(amount, AMOUNT_BELOW)
        if price is None or kind in prices:
            return None
        prices[kind] = price
    return CardCode(effect="", per=tuple(prices.items()))


PLAIN_EFFECTS = ("go-to-jail", JAIL_CARD, "guess", "nothing", *NEEDS_DECODER)
"""Effects without a value; with ``nothing``, the bank has nothing to do."""

OF_AMOUNT = (
    "collect",
    "collect-each",
    "pay",
    "pay-each",
    "to-vault",
    "pay-to-vault",
    CHOICE,
)
"""Effects whose value is an amount of dollars."""

VALUE_READERS: dict[str, ReadValue] = {
    **dict.fromkeys(OF_AMOUNT, _read_amount),
    "advance": _read_place,
    "move-back": _read_steps,
    "repairs": _read_repairs,
}
"""Effect -> the function that reads the value after it."""
