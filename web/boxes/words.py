"""The values of an edition's figures, in words.

A value that is in no table here is shown as the file has it, in English.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.edition import Edition
from companion.edition.figures import Figure
from companion.edition.labels import is_dollars
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
"""Words that edition files use as values, as people say them."""


def value_words(edition: Edition, figure: Figure) -> tuple[str, ...]:
    """A figure's value in words, part by part; empty where it is unknown."""
    if figure.value is None:
        return ()
    if isinstance(figure.value, Mapping):
        return tuple(_pile(note, count) for note, count in figure.value.items())
    many = figure.value if isinstance(figure.value, tuple) else (figure.value,)
    if not many:
        return (VALUES["none"],)
    return tuple(_one(edition, figure, value) for value in many)


def _pile(note: int, count: int) -> str:
    return say("{count} x {note}", count=count, note=dollars_text(note))


def _one(edition: Edition, figure: Figure, value: object) -> str:
    if isinstance(value, bool):
        return say("Yes") if value else say("No")
    if isinstance(value, int):
        return _number(figure, value)
    word = str(value)
    for deed in edition.deeds:
        if deed.id == word:
            return deed.name
    return VALUES.get(word, word)


def _number(figure: Figure, value: int) -> str:
    if is_dollars(figure.part, figure.name):
        return dollars_text(value)
    if figure.name.endswith("_percent"):
        return say("{percent} %", percent=value)
    if figure.name.startswith("rent_dice"):
        return say("{times} times the dice", times=value)
    return str(value)


# Spaces.


def space_words(said: Mapping[str, Figure]) -> tuple[str, ...]:
    """What is printed on a space: its kind, what is paid there, and to whom."""
    kind = said["kind"].value
    if kind is None:
        return ()
    found = [VALUES.get(str(kind), str(kind))]
    if "amount" in said:
        amount = dollars_text(_whole(said["amount"].value))
        if said["pays_to"].value == "vault":
            found.append(say("{amount} into the vault", amount=amount))
        else:
            found.append(amount)
    if "effect" in said:
        found.append(VALUES["guess"])
    return tuple(found)


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0


# Cards.

Said = Mapping[str, object]
"""What is known of a card, by field; unknown fields are missing."""


def card_words(edition: Edition, said: Said) -> tuple[str, ...]:
    """What a card does, part by part; empty where it is unknown."""
    effect = said.get("effect")
    if effect is None:
        return ()
    place = edition.space(str(said["to"])).name if effect == "advance" else ""
    found = [effect_text(_as_played(str(effect), said), place)]
    if said.get("keep"):
        found.append(say("you keep it until you want to use it"))
    if said.get("full_group_needed") is False:
        found.append(say("also without the whole group"))
    copies, fakes = _whole(said.get("copies")), _whole(said.get("fakes"))
    if copies:
        found.append(say_count(copies, "{count} such card", "{count} such cards"))
    if fakes:
        found.append(say("{fakes} of them fake", fakes=fakes))
    return tuple(found)


def _as_played(effect: str, said: Said) -> RuleCard:
    """The card as games have it, as far as it is known."""
    times = _whole(said.get("times"))
    return RuleCard(
        id="",
        effect=effect,
        amount=_whole(said["amount"]) if "amount" in said else None,
        kind=str(said.get("kind", "")),
        times=times,
        is_dice=times > 2,
        spaces=_whole(said.get("spaces")),
        per=tuple(
            (x, _whole(said[f"per_{x}"])) for x in FOR_EACH if f"per_{x}" in said
        ),
        payer=str(said.get("source", "")),
    )
