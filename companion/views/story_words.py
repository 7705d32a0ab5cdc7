"""The story of an evening in a few sentences, made from the facts of its game."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from companion.game.events import MoneyMoved
from companion.game.journal import Entry
from companion.views.history import sentence
from companion.views.story import Facts, OldDebt, Rent, Sale, Throws
from companion.views.telling import game_events
from companion.views.wording import Names, name_of, worded
from companion.words import counted, say, say_count, told
from companion.words.money import dollars_text

NamesAt = Callable[[int], Names]

LATEST = 1 << 62
"""A revision later than any entry: facts of the whole game use the final names."""

ROLLS_MIN = 5
"""A seat with fewer rolls is not compared for luck."""

MINUTE_MS = 60_000


class Chapter(msgspec.Struct, frozen=True):
    """One fact of the story, in words.

    Attributes:
        kind: ``rent``, ``debt`` and so on; also the name of its picture.
        text: A sentence with its full stop.
        more: A second sentence that adds to it; may be empty.
    """

    kind: str
    text: str
    more: str = ""


def story(facts: Facts, names_at: NamesAt) -> tuple[Chapter, ...]:
    """Return the chapters in the order in which they are told, without empty ones.

    Args:
        facts: The facts of the game.
        names_at: Returns the names of all seats and deeds at a revision.
    """
    chapters = [write(facts, names_at(when(facts))) for write, when in CHAPTERS]
    chapters.insert(1, _turning(facts, names_at))
    return tuple(chapter for chapter in chapters if chapter is not None)


STRONGEST = (
    *("turning", "vault", "rent", "fakes", "sale", "dice"),
    *("earned", "jailed", "ridden", "visited", "debt"),
)
"""The kinds of chapters from which the moments are taken, the strongest first."""


def moments(chapters: Iterable[Chapter], count: int) -> tuple[str, ...]:
    """Return the sentences of the strongest chapters, at most *count* of them."""
    texts = {chapter.kind: chapter.text for chapter in chapters}
    return tuple(texts[kind] for kind in STRONGEST if kind in texts)[:count]


def own_moment(facts: Facts, seat: str, names_at: NamesAt) -> str:
    """Tell *seat* its own best moment, for its own phone; may be empty."""
    taken = [riches.amount for riches in facts.opened if riches.seat == seat]
    if taken:
        most = dollars_text(max(taken))
        return say("You opened the vault and took {amount}.", amount=most)
    if facts.turning is not None and facts.turning.seat == seat:
        if facts.turning.entry is None:
            return say("You were ahead from the first move to the last.")
        turn = facts.turning.turn
        return say("From turn {turn} on nobody was richer than you.", turn=turn)
    rent = next((x for x in facts.rents if x.payee == seat), None)
    if rent is not None:
        text = told("{payer} paid you {amount} of rent.")
        if rent.deed is not None:
            text = told("{payer} paid you {amount} for {deed}.")
        return worded(text, rent, names_at(rent.revision))
    best = luckiest(facts.throws)
    lucky = best is not None and best.seat == seat
    return say("You had the luckiest dice.") if lucky else ""


def _length(facts: Facts, _: Names) -> Chapter | None:
    turns = say_count(facts.turns, "{count} turn", "{count} turns")
    if not facts.turns:
        return None
    time = time_words(facts.ms)
    if not time:
        return Chapter("length", say("The game took {turns}.", turns=turns))
    return Chapter(
        "length", say("The game took {turns} in {time}.", turns=turns, time=time)
    )


def time_words(ms: int) -> str:
    """Say milliseconds in hours and minutes; empty for less than a minute."""
    hours, rest = divmod(ms // MINUTE_MS, 60)
    minutes = say_count(rest, "{count} minute", "{count} minutes")
    if not hours:
        return minutes if rest else ""
    hours_words = say_count(hours, "{count} hour", "{count} hours")
    return say("{hours} and {minutes}", hours=hours_words, minutes=minutes)


def _turning(facts: Facts, names_at: NamesAt) -> Chapter | None:
    turning = facts.turning
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
    """Return the biggest payment of an entry as a sentence, or else its first event."""
    events = game_events(entry)
    paid = [event for event in events if isinstance(event, MoneyMoved)]
    best = max(paid, key=lambda event: event.amount) if paid else events[0]
    happened = sentence(best, names)
    return say("{said}.", said=happened) if happened else ""


def _rent(facts: Facts, names: Names) -> Chapter | None:
    if facts.rent is None:
        return None
    text = told("The biggest rent was {amount}: {payer} paid it to {payee}.")
    if facts.rent.deed is not None:
        text = told(
            "The biggest rent was {amount}: {payer} paid it to {payee} for {deed}."
        )
    return Chapter("rent", worded(text, facts.rent, names))


def _vault(facts: Facts, names: Names) -> Chapter | None:
    if not facts.opened:
        return None
    best = max(facts.opened, key=lambda riches: riches.amount)
    text = say_count(
        len(facts.opened),
        "The vault opened once: {who} took {amount}.",
        "The vault opened {count} times. {who} took the most: {amount}.",
        who=name_of(best.seat, names),
        amount=dollars_text(best.amount),
    )
    return Chapter("vault", text)


def _earned(facts: Facts, names: Names) -> Chapter | None:
    if facts.earned is None:
        return None
    deed, amount = facts.earned
    text = say(
        "No deed earned more than {deed}: {amount} of rent.",
        deed=name_of(deed, names),
        amount=dollars_text(amount),
    )
    return Chapter("earned", text)


def _debt(facts: Facts, names: Names) -> Chapter | None:
    debt = facts.debt
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


def _sale(facts: Facts, names: Names) -> Chapter | None:
    if facts.sale is None:
        return None
    text = told("The dearest auction: {seat} paid {amount} for {lot}.")
    return Chapter("sale", worded(text, facts.sale, names))


def luckiest(throws: Iterable[Throws]) -> Throws | None:
    """Return the most pips on average, among seats that rolled often enough."""
    best = None
    for seat in throws:
        if seat.rolls < ROLLS_MIN:
            continue
        # Compared by cross-multiplying, so that no fraction is rounded.
        if best is None or seat.pips * best.rolls > best.pips * seat.rolls:
            best = seat
    return best


def _dice(facts: Facts, names: Names) -> Chapter | None:
    best = luckiest(facts.throws)
    if best is None:
        return None
    tenths = (best.pips * 20 + best.rolls) // (2 * best.rolls)  # Rounded half up.
    text = say(
        "{who} had the luckiest dice: {whole}.{tenth} pips a roll.",
        who=name_of(best.seat, names),
        whole=tenths // 10,
        tenth=tenths % 10,
    )
    return Chapter("dice", text, _doubles(facts, names))


def _doubles(facts: Facts, names: Names) -> str:
    most = max(facts.throws, key=lambda throws: throws.doubles)
    if not most.doubles:
        return ""
    return say_count(
        most.doubles,
        "Most doubles: {who}, {count} time.",
        "Most doubles: {who}, {count} times.",
        who=name_of(most.seat, names),
    )


def _visited(facts: Facts, names: Names) -> Chapter | None:
    if facts.visited is None:
        return None
    deed, count = facts.visited
    text = say_count(
        count,
        "The most visited place was {deed}: {count} landing.",
        "The most visited place was {deed}: {count} landings.",
        deed=name_of(deed, names),
    )
    return Chapter("visited", text)


def _jailed(facts: Facts, names: Names) -> Chapter | None:
    words = counted(
        "{who} went to jail most often: {count} time.",
        "{who} went to jail most often: {count} times.",
    )
    return _most_often("jailed", facts.jailed, words, names)


def _ridden(facts: Facts, names: Names) -> Chapter | None:
    words = counted(
        "{who} took the bus most often: {count} time.",
        "{who} took the bus most often: {count} times.",
    )
    return _most_often("ridden", facts.ridden, words, names)


def _most_often(
    kind: str, record: tuple[str, int] | None, words: tuple[str, str], names: Names
) -> Chapter | None:
    if record is None:
        return None
    seat, count = record
    singular, plural = words
    text = say_count(count, singular, plural, who=name_of(seat, names))
    return Chapter(kind, text)


def _fakes(facts: Facts, names: Names) -> Chapter | None:
    if not facts.looks:
        return None
    if facts.finder is None:
        text = say_count(
            facts.looks,
            "Somebody looked through the decoder once and found no fake.",
            "You looked through the decoder {count} times and found no fake.",
        )
        return Chapter("fakes", text)
    seat, count = facts.finder
    text = say_count(
        count,
        "{who} had the best nose for fakes: {count} found.",
        "{who} had the best nose for fakes: {count} found.",
        who=name_of(seat, names),
    )
    return Chapter("fakes", text, _caught(facts, names))


def _caught(facts: Facts, names: Names) -> str:
    if facts.caught is None:
        return ""
    seat, count = facts.caught
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
    (_rent, lambda facts: _at(facts.rent)),
    (_vault, _at_the_end),
    (_earned, _at_the_end),
    (_debt, lambda facts: _at(facts.debt)),
    (_sale, lambda facts: _at(facts.sale)),
    (_dice, _at_the_end),
    (_visited, _at_the_end),
    (_jailed, _at_the_end),
    (_ridden, _at_the_end),
    (_fakes, _at_the_end),
)
"""The writers of the chapters in the order of the story, except for the turning point.

Each stands with the revision whose names it uses; the turning point comes second.
"""
