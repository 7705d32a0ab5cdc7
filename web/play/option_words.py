"""An edition's options as questions to the players, with answers to tap.

An *option* is a point on which a table may choose how it plays, such as ``rent``:
``asked`` or ``automatic``. Before guided play begins, a page asks a question about
each. What has no row in the tables below is shown with the edition file's own words,
in English. Rules that the sheets leave open are told beside the options.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from companion.edition import Edition
from companion.edition.origin import OpenRule
from companion.edition.shape import Option
from companion.edition.snapshot import snapshot
from companion.game.unknown_figures import has_likely
from companion.words import Words, say, say_count

MINUTES: Final = (30, 45, 60, 90, 120)
"""Playing times in minutes that can be chosen with one tap."""


class Answer(msgspec.Struct, frozen=True):
    """A value of an option, and its words."""

    value: str
    words: str


class Question(msgspec.Struct, frozen=True):
    """An option as a question.

    Attributes:
        key: The name of the option.
        words: The question.
        answers: Values to choose from; empty if a number is typed.
        chosen: The value that is selected when the page opens.
        low: The smallest number that may be typed; 0 for a choice.
        high: The largest; 0 for a choice.
        is_common: Whether it is shown at once; other questions are folded away.
        hint: An explanation of the answers; may be empty.
    """

    key: str
    words: str
    answers: tuple[Answer, ...]
    chosen: str
    low: int = 0
    high: int = 0
    is_common: bool = False
    hint: str = ""


class LeftOpen(msgspec.Struct, frozen=True):
    """A rule that the sheets leave open, and how a game reads it.

    Attributes:
        topic: What is left open.
        words: The reading that the game follows.
        other: Another reading; empty if there is an option.
        question: The words of the option that decides; empty if there is none.
    """

    topic: str
    words: str
    other: str = ""
    question: str = ""


UNKNOWN: Final = "unknown_figures"
"""The option for a box of which some prices or rents are not known."""

COMMON: Final = (UNKNOWN, "quick", "rent")
"""The options that matter most to players."""

FIRST: Final = (*COMMON, "dice", "decks", "time_limit")
"""The first options on the page; the others follow in the edition's order."""

PREFERRED: Final[Mapping[str, str]] = {UNKNOWN: "likely", "rent": "automatic"}
"""Values that the page selects although they are not a script's default."""

HINTS: Final[Mapping[str, str]] = {
    UNKNOWN: say("You can type what a card really says at any time."),
    "rent": say("By itself is better with children; by the rules the owner asks."),
}
"""Explanations of the answers, by option."""

QUESTIONS: Final[Mapping[str, str]] = {
    UNKNOWN: say("Where nobody knows a figure"),
    "quick": say("How long shall it take?"),
    "dice": say("Who rolls the dice?"),
    "decks": say("Who draws the cards?"),
    "time_limit": say("When does it end?"),
    "rent": say("How is rent paid?"),
    "jail_pay": say("Who pays to leave jail moves"),
    "rent_deadline": say("Until when may rent be asked?"),
    "auction_start": say("The lowest first bid"),
    "auction_step": say("How much higher a new bid must be"),
    "lock_counts_as": say("How far the lock on the die moves"),
    "lock_doubles": say("Are a lock and a 1 a double?"),
    "go_fills_vault": say("When does GO fill the vault?"),
    "guess_fee_to": say("Who gets the fee for a guess?"),
    "end": say("When does it end?"),
    "toy": say("When does the vault hear M?"),
    "memory": say("Does everybody see the numbers tried?"),
    "undo": say("Who may take something back?"),
    "third_jail_roll": say("The third try in jail was no double"),
    "payee_inspects": say("May whoever is paid check a note?"),
    "fake_found": say("A fake is found in a purchase or trade"),
    "chance_in_hand": say("How many Chance cards in a hand?"),
    "sell": say("When do streets go back to the bank?"),
    "utility_dice": say("Which dice count for a utility?"),
    "nearest_utility": say("What does the nearest-utility card cost?"),
    "grace": say("How many seconds to say “Check a note”?"),
}
"""The words of the questions, by option."""

ANSWERS: Final[Mapping[tuple[str, str], str]] = {
    (UNKNOWN, "likely"): say("Play with the likely one, marked ≈"),
    (UNKNOWN, "ask"): say("Ask us each time"),
    ("quick", "off"): say("The whole game"),
    ("quick", "on"): say("Quick: two deeds each to begin with"),
    ("dice", "either"): say("As each of us likes"),
    ("dice", "typed"): say("We do, and type what they show"),
    ("dice", "rolled"): say("The phones do"),
    ("decks", "table"): say("The phones do"),
    ("decks", "cards"): say("We do: real cards lie on the table"),
    ("time_limit", "none"): say("When one is left"),
    ("rent", "asked"): say("The owner asks in time"),
    ("rent", "automatic"): say("By itself"),
    ("rent_deadline", "next-roll"): say("Until the next player rolls"),
    ("rent_deadline", "second-roll"): say("Until the one after that rolls"),
    ("lock_counts_as", "0"): say("Not at all"),
    ("lock_counts_as", "1"): say("One space"),
    ("lock_doubles", "no"): say("No"),
    ("lock_doubles", "yes"): say("Yes, if the lock counts as 1"),
    ("go_fills_vault", "reached"): say("When you reach it"),
    ("go_fills_vault", "passed"): say("Only when you pass it"),
    ("guess_fee_to", "bank"): say("The bank"),
    ("guess_fee_to", "vault"): say("The vault"),
    ("end", "all-owned"): say("With the last street"),
    ("end", "first-bankruptcy"): say("With the first bankruptcy"),
    ("toy", "off"): say("Only when a guess is due"),
    ("toy", "on"): say("Always, like the toy"),
    ("memory", "off"): say("No"),
    ("memory", "on"): say("Yes"),
    ("third_jail_roll", "roll-again"): say("Pay, then roll again"),
    ("third_jail_roll", "use-roll"): say("Pay, and move by that roll"),
    ("payee_inspects", "yes"): say("Yes, anybody but who pays"),
    ("payee_inspects", "no"): say("No, only the others"),
    ("fake_found", "more-notes"): say("Who pays takes other notes"),
    ("fake_found", "payer-chooses"): say("Who pays may call it off, too"),
    ("chance_in_hand", "1"): say("One"),
    ("chance_in_hand", "any"): say("As many as you like"),
    ("sell", "in-debt"): say("Only to pay a debt"),
    ("sell", "any-time"): say("At any time"),
    ("utility_dice", "white"): say("The two white ones"),
    ("utility_dice", "all"): say("All that moved you"),
    ("nearest_utility", "10"): say("Ten times the dice"),
    ("nearest_utility", "20"): say("Twenty times the dice"),
    ("undo", "any"): say("Anybody"),
    ("undo", "own"): say("Who did it, and the banker; others ask"),
    ("jail_pay", "roll-now"): say("At once"),
    ("jail_pay", "next-turn"): say("On the next turn"),
}
"""The words of the answers, by option and value."""


def questions(edition: Edition, chosen: Mapping[str, str]) -> tuple[Question, ...]:
    """Return a question for each option that matters, the common ones first.

    Args:
        edition: The edition that is played.
        chosen: The values chosen before, by option, if the page is shown again.
    """
    options = {
        option.key: option
        for option in edition.options
        if _matters(edition, option.key)
    }
    others = [key for key in options if key not in FIRST]
    in_order = [*(key for key in FIRST if key in options), *others]
    return tuple(_question(options[key], chosen) for key in in_order)


def left_open(edition: Edition, chosen: Mapping[str, str]) -> tuple[LeftOpen, ...]:
    """Return each rule that the sheets leave open, as a game with these options has it.

    The file's words are translated if the catalogue has them, as of a built-in edition.
    """
    return tuple(_left_open(edition, reading, chosen) for reading in edition.readings)


def _left_open(
    edition: Edition, reading: OpenRule, chosen: Mapping[str, str]
) -> LeftOpen:
    topic, first = Words(reading.topic, {}), Words(reading.first, {})
    if not reading.option:
        return LeftOpen(topic, first, other=Words(reading.other, {}))
    option = edition.option(reading.option)
    value = chosen.get(option.key, option.default)
    return LeftOpen(
        topic,
        first if value == option.default else _answer_words(option, value),
        question=QUESTIONS.get(option.key, option.what),
    )


def _matters(edition: Edition, key: str) -> bool:
    """Tell whether the choice for the option *key* makes a difference.

    If no deck is complete, only the real cards can be drawn; ``unknown_figures`` only
    matters if some figure has a likely value.
    """
    if key == UNKNOWN:
        return has_likely(snapshot(edition))
    if key == "decks":
        return any(deck.is_complete for deck in edition.decks if deck.is_used)
    return True


def _question(option: Option, chosen: Mapping[str, str]) -> Question:
    """Build the question about an option; a value from ``PREFERRED`` comes first."""
    values = list(option.choices)
    if option.key == "time_limit":
        values += [str(minutes) for minutes in MINUTES]
    usual = option.led or option.default  # ``led``: the default of led games.
    preferred = PREFERRED.get(option.key, usual)
    if option.key in PREFERRED:
        values.sort(key=lambda value: value != preferred)
    is_typed = option.number_min is not None and not values
    return Question(
        key=option.key,
        words=QUESTIONS.get(option.key, option.what),
        answers=tuple(Answer(value, _answer_words(option, value)) for value in values),
        chosen=chosen.get(option.key, preferred),
        low=(option.number_min or 0) if is_typed else 0,
        high=(option.number_max or 0) if is_typed else 0,
        is_common=option.key in COMMON,
        hint=HINTS.get(option.key, ""),
    )


def _answer_words(option: Option, value: str) -> str:
    if option.key == "time_limit" and value.isdigit():
        return say_count(int(value), "{count} minute", "{count} minutes")
    return ANSWERS.get((option.key, value), value.replace("-", " "))
