"""Codes for what a card does: ``pay:100``, ``keep:guess``, ``move-back:3``.

A real card that the edition's data lacks is written as such a code. Game scripts, the
journal and the file of an owner's own box use the same code, there as the card's id.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

import msgspec
from msgspec.structs import replace

from companion.game.rulebook import Counts, Rulebook, RuleCard
from companion.game.spaces import SpaceKind
from companion.units import Dollars

JAIL_CARD = "jail-card"

KEPT = "keep:"
"""Stands before the effect of a card that stays in the hand until it is used."""

NEEDS_VAULT = ("guess", "to-vault", "pay-to-vault")
"""Effects that need a vault."""

SKIP_RENT = "skip-rent"
FREE_HOTEL = "free-hotel"
JAIL_SOMEONE = "jail-someone"
READY_CHIPS = "ready-chips"
CHOICE = "choice"
"""Effect: pay the amount, or go to jail."""

NEEDS_DECODER = (SKIP_RENT, FREE_HOTEL, JAIL_SOMEONE, READY_CHIPS)
"""Effects of boxes whose payments lie on the table before they are handed over."""

AMOUNT_BELOW = 1_000_000
STEPS_MAX = 99


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """What the code of a card says, independent of any edition.

    Attributes:
        effect: Name of the effect, as scripts write it.
        is_kept: Whether the card stays in the hand until used.
        amount: What is paid.
        place: The space that ``advance`` goes to, as scripts name it.
        spaces: How far ``move-back`` goes.
        per: ``repairs``: dollars for each standing building.
    """

    effect: str
    is_kept: bool = False
    amount: Dollars | None = None
    place: str = ""
    spaces: int = 0
    per: Counts = ()


Read = Callable[[str], "Written | None"]


def parsed(word: str) -> Written | None:
    """What the code *word* says, or ``None`` if it is no code of a card.

    >>> parsed("keep:collect:50").amount
    50
    """
    effect, colon, value = word.removeprefix(KEPT).partition(":")
    read = READERS.get(effect)
    if read is None:
        said = Written(effect=effect) if effect in PLAIN and not colon else None
    else:
        said = read(value)
    if said is None:
        return None
    is_kept = word.startswith(KEPT) or effect == JAIL_CARD
    return replace(said, effect=effect, is_kept=is_kept)


def written_card(word: str, rules: Rulebook) -> RuleCard | None:
    """The card whose code *word* is, or ``None`` if that game cannot have it."""
    said = parsed(word)
    if said is None or (said.effect in NEEDS_VAULT and rules.vault is None):
        return None
    if said.effect in NEEDS_DECODER and rules.decoder is None:
        return None
    space = space_number(rules, said.place) if said.place else 0
    if space is None or said.spaces >= len(rules.spaces):
        return None
    if not {kind for kind, _ in said.per} <= buildings(rules):
        return None
    is_by_seat = said.effect == "pay-to-vault"
    return RuleCard(
        word,
        "to-vault" if is_by_seat else said.effect,
        to=space,
        amount=said.amount,
        spaces=said.spaces,
        per=said.per,
        is_kept=said.is_kept,
        payer="seat" if is_by_seat else "",
    )


def buildings(rules: Rulebook) -> frozenset[str]:
    """The kinds of buildings that the box has any of."""
    return frozenset(kind for kind, count in rules.pieces if count)


def word_of(card: RuleCard, rules: Rulebook) -> str:
    """The standard code of *card*, however somebody wrote it."""
    effect = "pay-to-vault" if card.payer == "seat" else card.effect
    value = _value_of(card, rules)
    kept = KEPT if card.is_kept and effect != JAIL_CARD else ""
    return f"{kept}{effect}{':' if value else ''}{value}"


def is_alike(one: RuleCard, other: RuleCard) -> bool:
    """Whether both cards do the same, whatever they are called."""
    return _nameless(one) == _nameless(other)


def does_the_same(one: RuleCard, other: RuleCard) -> bool:
    """Whether both cards do the same, though one of them may be kept for later."""
    return is_alike(replace(one, is_kept=False), replace(other, is_kept=False))


def space_number(rules: Rulebook, word: str) -> int | None:
    """The board number that a script means by *word*, or ``None``."""
    spaces = list(enumerate(rules.spaces))
    found = [n for n, s in spaces if word and word in (s.deed, str(n))]
    if not found:
        kind, _, number = word.partition("@")
        found = [
            n
            for n, s in spaces
            if s.kind == kind and number in ("", str(n)) and not s.deed
            if kind != SpaceKind.REST
        ]
    return found[0] if len(found) == 1 else None


def space_word(rules: Rulebook, number: int) -> str:
    """The word of scripts for a space: its deed, its kind, or the kind and number."""
    space = rules.spaces[number]
    if space.deed:
        return space.deed
    if space_number(rules, space.kind) == number:
        return space.kind
    return str(number) if space.kind == SpaceKind.REST else f"{space.kind}@{number}"


def space_words(rules: Rulebook) -> Iterable[str]:
    """Every word that names a space, for guessing what a misspelt one meant."""
    for number, space in enumerate(rules.spaces):
        yield space.deed or space.kind
        yield f"{space.kind}@{number}"


def _nameless(card: RuleCard) -> RuleCard:
    return replace(card, id="", deck="", collects_go=True, per=tuple(sorted(card.per)))


def _value_of(card: RuleCard, rules: Rulebook) -> str:
    """The part of the code after the effect; empty if there is none."""
    if card.effect == "advance":
        return rules.spaces[card.to].deed or str(card.to)
    if card.per:
        prices = dict(card.per)
        known = (kind for kind, _ in rules.pieces if kind in prices)
        return ":".join(f"{kind}:{prices[kind]}" for kind in known)
    number = card.spaces or card.amount
    return str(number) if number else ""


def _whole(value: str, below: int) -> int | None:
    """A whole number from 1, or ``None``."""
    is_whole = value.isascii() and value.isdigit() and len(value) < len(str(below))
    return int(value) or None if is_whole else None


def _amount(value: str) -> Written | None:
    amount = _whole(value, AMOUNT_BELOW)
    return None if amount is None else Written(effect="", amount=amount)


def _place(value: str) -> Written | None:
    return Written(effect="", place=value) if value else None


def _steps(value: str) -> Written | None:
    spaces = _whole(value, STEPS_MAX + 1)
    return None if spaces is None else Written(effect="", spaces=spaces)


def _repairs(value: str) -> Written | None:
    """``house:25:hotel:100``; no kind of building twice."""
    words = value.split(":")
    pairs = [
        (kind, _whole(price, AMOUNT_BELOW))
        for kind, price in list(pairwise(words))[::2]
    ]
    per = tuple((kind, price) for kind, price in pairs if price is not None)
    kinds = {kind for kind, _ in per}
    is_said = len(words) == 2 * len(per) == 2 * len(kinds)
    return Written(effect="", per=per) if is_said else None


PLAIN = ("go-to-jail", JAIL_CARD, "guess", "nothing", *NEEDS_DECODER)
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

READERS: dict[str, Read] = {
    **dict.fromkeys(OF_AMOUNT, _amount),
    "advance": _place,
    "move-back": _steps,
    "repairs": _repairs,
}
"""Effect -> the function that reads the value after it."""
