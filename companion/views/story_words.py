"""The story of an evening in a few sentences, made from its facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from companion.game.event import Event
from companion.game.events import MoneyMoved
from companion.game.journal import Entry
from companion.views.history import sentence
from companion.views.story import Facts, OldDebt, Rent, Sale, Throws
from companion.views.wording import Names, name_of, worded
from companion.words import counted, say, say_count, told
from companion.words.money import dollars_text

NamesAt = Callable[[int], Names]

LATEST = 1 << 62
"""A revision later than any entry: facts about the whole game use the final names."""

ROLLS_MIN = 5
"""Fewer rolls than this say nothing about luck."""

MINUTE_MS = 60_000


class Chapter(msgspec.Struct, frozen=True):
    """One thing to tell.

    Attributes:
        kind: ``rent``, ``debt`` and so on; also the name of its picture.
        text: A sentence with its full stop.
        more: A second sentence that adds to it; may be empty.
    """

    kind: str
    text: str
    more: str = ""


def story(found: Facts, names: NamesAt) -> tuple[Chapter, ...]:
    """The chapters in the order in which they are told; empty ones are left out.

    Args:
        found: The facts of the game.
        names: Gives the names of everybody and every deed at a revision.
    """
    told = [write(found, names(when(found))) for write, when in CHAPTERS]
    told.insert(1, _turning(found, names))
    return tuple(chapter for chapter in told if chapter is not None)


STRONGEST = (
    *("turning", "vault", "rent", "fakes", "sale", "dice"),
    *("earned", "jailed", "ridden", "visited", "debt"),
)
"""The kinds of chapters that are worth calling out, the strongest first."""


def moments(chapters: Iterable[Chapter], count: int) -> tuple[str, ...]:
    """Return the sentences of the strongest chapters, at most *count* of them."""
    texts = {one.kind: one.text for one in chapters}
    return tuple(texts[kind] for kind in STRONGEST if kind in texts)[:count]


def own_moment(found: Facts, seat: str, names_at: NamesAt) -> str:
    """Say the best that happened to *seat*, to its own phone; may be empty."""
    taken = [one.amount for one in found.opened if one.seat == seat]
    if taken:
        most = dollars_text(max(taken))
        return say("You opened the vault and took {amount}.", amount=most)
    if found.turning is not None and found.turning.seat == seat:
        if found.turning.entry is None:
            return say("You were ahead from the first move to the last.")
        turn = found.turning.turn
        return say("From turn {turn} on nobody was richer than you.", turn=turn)
    rent = next((one for one in found.rents if one.payee == seat), None)
    if rent is not None:
        text = told("{payer} paid you {amount} of rent.")
        if rent.deed is not None:
            text = told("{payer} paid you {amount} for {deed}.")
        return worded(text, rent, names_at(rent.revision))
    best = luckiest(found.throws)
    lucky = best is not None and best.seat == seat
    return say("You had the luckiest dice.") if lucky else ""


def _length(found: Facts, _: Names) -> Chapter | None:
    turns = say_count(found.turns, "{count} turn", "{count} turns")
    if not found.turns:
        return None
    time = time_words(found.ms)
    if not time:
        return Chapter("length", say("The game took {turns}.", turns=turns))
    return Chapter(
        "length", say("The game took {turns} in {time}.", turns=turns, time=time)
    )


def time_words(ms: int) -> str:
    """Say so many milliseconds in hours and minutes; empty for less than a minute."""
    hours, rest = divmod(ms // MINUTE_MS, 60)
    minutes = say_count(rest, "{count} minute", "{count} minutes")
    if not hours:
        return minutes if rest else ""
    hours_words = say_count(hours, "{count} hour", "{count} hours")
    return say("{hours} and {minutes}", hours=hours_words, minutes=minutes)


def _turning(found: Facts, names_at: NamesAt) -> Chapter | None:
    turning = found.turning
    if turning is None:
        return None
    entry = turning.entry
    names = names_at(LATEST if entry is None else entry.revision)
    who = name_of(turning.seat, names)
    if entry is None:
        return Chapter(
            "turning", say("{who} was ahead from the first move to the last.", who=who)
        )
    text = say(
        "The turning point was turn {turn}: from then on nobody was richer than {who}.",
        turn=turning.turn,
        who=who,
    )
    return Chapter("turning", text, _what_happened(entry, names))


def _what_happened(entry: Entry, names: Names) -> str:
    """The biggest payment of an entry as a sentence, or else its act."""
    events = [one for one in entry.events if isinstance(one, Event)]
    paid = [one for one in events if isinstance(one, MoneyMoved)]
    best = max(paid, key=lambda one: one.amount) if paid else events[0]
    said = sentence(best, names)
    return say("{said}.", said=said) if said else ""


def _rent(found: Facts, names: Names) -> Chapter | None:
    if found.rent is None:
        return None
    text = told("The biggest rent was {amount}: {payer} paid it to {payee}.")
    if found.rent.deed is not None:
        text = told(
            "The biggest rent was {amount}: {payer} paid it to {payee} for {deed}."
        )
    return Chapter("rent", worded(text, found.rent, names))


def _vault(found: Facts, names: Names) -> Chapter | None:
    if not found.opened:
        return None
    best = max(found.opened, key=lambda one: one.amount)
    text = say_count(
        len(found.opened),
        "The vault opened once: {who} took {amount}.",
        "The vault opened {count} times. {who} took the most: {amount}.",
        who=name_of(best.seat, names),
        amount=dollars_text(best.amount),
    )
    return Chapter("vault", text)


def _earned(found: Facts, names: Names) -> Chapter | None:
    if found.earned is None:
        return None
    deed, amount = found.earned
    text = say(
        "No deed earned more than {deed}: {amount} of rent.",
        deed=name_of(deed, names),
        amount=dollars_text(amount),
    )
    return Chapter("earned", text)


def _debt(found: Facts, names: Names) -> Chapter | None:
    debt = found.debt
    if debt is None:
        return None
    minutes = debt.ms // MINUTE_MS
    if minutes:
        one, many = counted(
            "The longest debt lasted {count} minute: "
            "{debtor} owed {creditor} {amount}.",
            "The longest debt lasted {count} minutes: "
            "{debtor} owed {creditor} {amount}.",
        )
    else:
        one, many = counted(
            "The longest debt was settled after {count} step: "
            "{debtor} owed {creditor} {amount}.",
            "The longest debt was settled after {count} steps: "
            "{debtor} owed {creditor} {amount}.",
        )
    count = minutes or debt.entries
    return Chapter("debt", worded(one, debt, names, many, count=count))


def _sale(found: Facts, names: Names) -> Chapter | None:
    if found.sale is None:
        return None
    text = told("The dearest auction: {seat} paid {amount} for {lot}.")
    return Chapter("sale", worded(text, found.sale, names))


def luckiest(throws: Iterable[Throws]) -> Throws | None:
    """Who rolled the most pips on average, among those who rolled often enough."""
    enough = [one for one in throws if one.rolls >= ROLLS_MIN]
    best = None
    for one in enough:  # Compared by cross-multiplying: no fraction is rounded.
        if best is None or one.pips * best.rolls > best.pips * one.rolls:
            best = one
    return best


def _dice(found: Facts, names: Names) -> Chapter | None:
    best = luckiest(found.throws)
    if best is None:
        return None
    tenths = (best.pips * 20 + best.rolls) // (2 * best.rolls)  # Rounded half up.
    text = say(
        "{who} had the luckiest dice: {whole}.{tenth} pips a roll.",
        who=name_of(best.seat, names),
        whole=tenths // 10,
        tenth=tenths % 10,
    )
    return Chapter("dice", text, _doubles(found, names))


def _doubles(found: Facts, names: Names) -> str:
    most = max(found.throws, key=lambda one: one.doubles)
    if not most.doubles:
        return ""
    return say_count(
        most.doubles,
        "Most doubles: {who}, {count} time.",
        "Most doubles: {who}, {count} times.",
        who=name_of(most.seat, names),
    )


def _visited(found: Facts, names: Names) -> Chapter | None:
    if found.visited is None:
        return None
    deed, count = found.visited
    text = say_count(
        count,
        "The most visited place was {deed}: {count} landing.",
        "The most visited place was {deed}: {count} landings.",
        deed=name_of(deed, names),
    )
    return Chapter("visited", text)


def _jailed(found: Facts, names: Names) -> Chapter | None:
    if found.jailed is None:
        return None
    seat, count = found.jailed
    text = say_count(
        count,
        "{who} went to jail most often: {count} time.",
        "{who} went to jail most often: {count} times.",
        who=name_of(seat, names),
    )
    return Chapter("jailed", text)


def _ridden(found: Facts, names: Names) -> Chapter | None:
    if found.ridden is None:
        return None
    seat, count = found.ridden
    text = say_count(
        count,
        "{who} took the bus most often: {count} time.",
        "{who} took the bus most often: {count} times.",
        who=name_of(seat, names),
    )
    return Chapter("ridden", text)


def _fakes(found: Facts, names: Names) -> Chapter | None:
    if not found.looks:
        return None
    if found.finder is None:
        text = say_count(
            found.looks,
            "Somebody looked through the decoder once and found no fake.",
            "You looked through the decoder {count} times and found no fake.",
        )
        return Chapter("fakes", text)
    seat, count = found.finder
    text = say_count(
        count,
        "{who} had the best nose for fakes: {count} found.",
        "{who} had the best nose for fakes: {count} found.",
        who=name_of(seat, names),
    )
    return Chapter("fakes", text, _caught(found, names))


def _caught(found: Facts, names: Names) -> str:
    if found.caught is None:
        return ""
    seat, count = found.caught
    return say_count(
        count,
        "Caught most often: {who}, {count} time.",
        "Caught most often: {who}, {count} times.",
        who=name_of(seat, names),
    )


def _at(fact: Rent | OldDebt | Sale | None) -> int:
    return LATEST if fact is None else fact.revision


def _at_the_end(_: Facts) -> int:
    return LATEST


CHAPTERS: tuple[
    tuple[Callable[[Facts, Names], Chapter | None], Callable[[Facts], int]], ...
] = (
    (_length, _at_the_end),
    (_rent, lambda found: _at(found.rent)),
    (_vault, _at_the_end),
    (_earned, _at_the_end),
    (_debt, lambda found: _at(found.debt)),
    (_sale, lambda found: _at(found.sale)),
    (_dice, _at_the_end),
    (_visited, _at_the_end),
    (_jailed, _at_the_end),
    (_ridden, _at_the_end),
    (_fakes, _at_the_end),
)
"""The chapters in the order in which they are told, each with the revision whose names
it uses; the turning point is inserted as the second."""
