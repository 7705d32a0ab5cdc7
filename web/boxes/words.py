"""Words for the values of an edition's figures, which a page can show and translate.

A *figure* is one value in an edition file: an amount, a word such as ``any-time``, or a
list of them. Its words come *part by part*: a tuple, one text for each value in a list
or each statement about a card. A word that is not listed here is shown as in the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.edition import Edition
from companion.edition.figures import Figure, is_dollars
from companion.game.card_words import FOR_EACH, effect_text
from companion.game.rulebook import RuleCard
from companion.game.spaces import KINDS
from companion.words import say, say_count
from companion.words.money import dollars_text

VALUES: Final[Mapping[str, str]] = {
    **{word: kind.words for word, kind in KINDS.items()},
    "none": say("none"),
    "lock": say("one number is a lock"),
    "speed": say("a speed die"),
    "bank": say("The bank"),
    "vault": say("The vault"),
    "seat": say("another player"),
    "reach-or-pass": say("reaching or passing GO"),
    "reach-or-pass-go": say("reaching or passing GO"),
    "move-anywhere": say("move anywhere"),
    "roll-now": say("at once"),
    "next-turn": say("on the next turn"),
    "use-roll": say("pay and move by it"),
    "roll-again": say("pay and roll again"),
    "auction": say("an auction"),
    "stays": say("stays with the bank"),
    "at-once": say("at once"),
    "start": say("the lowest first bid"),
    "printed-price": say("its printed price"),
    "next-roll": say("the next roll"),
    "second-roll": say("the second roll after it"),
    "white": say("the white ones"),
    "all": say("all of them"),
    "house": say("house"),
    "hotel": say("hotel"),
    "skyscraper": say("skyscraper"),
    "full-group": say("the whole group"),
    "all-but-one": say("all but one of the group"),
    "full-group-of-hotels": say("hotels on the whole group"),
    "hand": say("your own hand"),
    "any-time": say("at any time"),
    "own-or-between": say("on your turn or between turns"),
    "up": say("up"),
    "houses-back": say("half its price, and houses come back"),
    "half-only": say("half its price"),
    "giver-hand": say("go back to who gives it"),
    "in-debt": say("in debt"),
    "board-price": say("the price on the board"),
    "cash": say("money"),
    "deed": say("deeds"),
    "deeds": say("deeds"),
    "mortgaged-deed": say("mortgaged deeds"),
    "jail-card": say("cards to leave jail"),
    "jail-cards": say("cards to leave jail"),
    "hotels": say("hotels"),
    "tickets": say("bus tickets"),
    "cards": say("cards"),
    "return": say("lie there to be bought again"),
    "one-left": say("the last player left"),
    "all-owned": say("the last street bought"),
    "first-bankruptcy": say("the first bankruptcy"),
    "last-seat": say("being left over"),
    "fake-cash": say("fake money"),
    "one-rent-each": say("one rent of each street"),
    "richest": say("the richest"),
    "everything": say("everything"),
    "green": say("green"),
    "red": say("red"),
    "inspector": say("who looked"),
    "deck-bottom": say("the bottom of the deck"),
    "out-of-game": say("out of the game"),
    "same-side": say("any space on your side of the board"),
    "next-unowned": say("the next deed without an owner"),
    "mr": say("the gentleman"),
    "bus": say("a bus"),
    "guess": say("a guess"),
}
"""Words for values in edition files, by value."""


def value_words(edition: Edition, figure: Figure) -> tuple[str, ...]:
    """Put a figure's value into words, part by part; empty if it is unknown."""
    if figure.value is None:
        return ()
    if isinstance(figure.value, Mapping):
        return tuple(
            say("{count} x {note}", count=count, note=dollars_text(note))
            for note, count in figure.value.items()
        )
    values = figure.value if isinstance(figure.value, tuple) else (figure.value,)
    if not values:
        return (VALUES["none"],)
    return tuple(_single_words(edition, figure, value) for value in values)


def _single_words(edition: Edition, figure: Figure, value: object) -> str:
    if isinstance(value, bool):
        return say("Yes") if value else say("No")
    if isinstance(value, int):
        return _number_words(figure, value)
    word = str(value)
    for deed in edition.deeds:
        if deed.id == word:
            return deed.name
    return VALUES.get(word, word)


def _number_words(figure: Figure, value: int) -> str:
    """Write a number as an amount, a percentage, a factor or a plain number."""
    if is_dollars(figure.part, figure.name):
        return dollars_text(value)
    if figure.name.endswith("_percent"):
        return say("{percent} %", percent=value)
    if figure.name.startswith("rent_dice"):
        return say("{times} times the dice", times=value)
    return str(value)


# Spaces.


def space_words(figures: Mapping[str, Figure]) -> tuple[str, ...]:
    """Put into words what is printed on a space; empty if its kind is unknown."""
    kind = figures["kind"].value
    if kind is None:
        return ()
    parts = [VALUES.get(str(kind), str(kind))]
    if "amount" in figures:
        amount = dollars_text(_int_or_0(figures["amount"].value))
        if figures["pays_to"].value == "vault":
            parts.append(say("{amount} into the vault", amount=amount))
        else:
            parts.append(amount)
    if "effect" in figures:
        parts.append(VALUES["guess"])
    return tuple(parts)


def _int_or_0(value: object) -> int:
    return value if isinstance(value, int) else 0


# Cards.

Known = Mapping[str, object]
"""The known fields of a card, by name; unknown ones are missing."""

TIMES_RENT_MAX: Final = 2
"""A card that multiplies by more means the dice, not the printed rent."""


def card_words(edition: Edition, known: Known) -> tuple[str, ...]:
    """Put into words what a card does, part by part; empty if its effect is unknown."""
    effect = known.get("effect")
    if effect is None:
        return ()
    place = edition.space(str(known["to"])).name if effect == "advance" else ""
    parts = [effect_text(_rule_card(str(effect), known), place)]
    if known.get("keep"):
        parts.append(say("you keep it until you want to use it"))
    if known.get("full_group_needed") is False:
        parts.append(say("also without the whole group"))
    copies, fakes = _int_or_0(known.get("copies")), _int_or_0(known.get("fakes"))
    if copies:
        parts.append(say_count(copies, "{count} such card", "{count} such cards"))
    if fakes:
        parts.append(say("{fakes} of them fake", fakes=fakes))
    return tuple(parts)


def _rule_card(effect: str, known: Known) -> RuleCard:
    """Build a card as the rules have it, to put it into words."""
    times = _int_or_0(known.get("times"))
    return RuleCard(
        id="",
        effect=effect,
        amount=_int_or_0(known["amount"]) if "amount" in known else None,
        kind=str(known.get("kind", "")),
        times=times,
        is_dice=times > TIMES_RENT_MAX,
        spaces=_int_or_0(known.get("spaces")),
        per=tuple(
            (piece, _int_or_0(known[f"per_{piece}"]))
            for piece in FOR_EACH
            if f"per_{piece}" in known
        ),
        payer=str(known.get("source", "")),
    )
