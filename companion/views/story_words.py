"""The story of a game in a few sentences, made from its facts (``story``).

A *chapter* is one fact in words. Each function named ``_tell_...`` writes one kind of
chapter, or returns ``None`` if nothing of that kind happened; ``CHAPTERS`` lists them
in the order of the story. *Moments* are the sentences of the strongest chapters, where
there is no room for all.

A player may take another name during the game. A chapter about one moment uses the
names of that moment, and a chapter about the whole game those of its end.
"""

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
"""Returns the names of all seats and deeds at a revision of the game."""

LATEST = 1 << 62
"""A revision later than that of any entry."""

ROLLS_MIN = 5
"""A seat that rolled less often cannot have had the luckiest dice."""

MINUTE_MS = 60_000  # A minute in milliseconds.


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
    """Return the chapters of a game, in the order of the story."""
    chapters = [
        write(facts, names_at(revision_of(facts))) for write, revision_of in CHAPTERS
    ]
    chapters.insert(1, _tell_turning(facts, names_at))
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
    """Tell *seat* the best thing that it did itself; empty if nothing stands out."""
    amounts = [riches.amount for riches in facts.opened if riches.seat == seat]
    if amounts:
        most = dollars_text(max(amounts))
        return say("You opened the vault and took {amount}.", amount=most)
    if facts.turning is not None and facts.turning.seat == seat:
        if facts.turning.entry is None:
            return say("You were ahead from the first move to the last.")
        turn = facts.turning.turn
        return say("From turn {turn} on nobody was richer than you.", turn=turn)
    rent = next((rent for rent in facts.rents if rent.payee == seat), None)
    if rent is not None:
        text = told("{payer} paid you {amount} of rent.")
        if rent.deed is not None:
            text = told("{payer} paid you {amount} for {deed}.")
        return worded(text, rent, names_at(rent.revision))
    best = luckiest(facts.throws)
    is_luckiest = best is not None and best.seat == seat
    return say("You had the luckiest dice.") if is_luckiest else ""


def _tell_length(facts: Facts, _: Names) -> Chapter | None:
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
    hours, rest_minutes = divmod(ms // MINUTE_MS, 60)
    minutes = say_count(rest_minutes, "{count} minute", "{count} minutes")
    if not hours:
        return minutes if rest_minutes else ""
    hours_words = say_count(hours, "{count} hour", "{count} hours")
    return say("{hours} and {minutes}", hours=hours_words, minutes=minutes)


def _tell_turning(facts: Facts, names_at: NamesAt) -> Chapter | None:
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
    if turning.turn == 1:
        words = say("From the first turn on nobody was richer than {who}.", who=who)
        return Chapter("turning", words, _what_happened(entry, names))
    text = say(
        "The turning point was turn {turn}: from then on nobody was richer than {who}.",
        turn=turning.turn,
        who=who,
    )
    return Chapter("turning", text, _what_happened(entry, names))


def _what_happened(entry: Entry, names: Names) -> str:
    """Tell the biggest payment of an entry, or else its first event."""
    events = game_events(entry)
    payments = [event for event in events if isinstance(event, MoneyMoved)]
    main = max(payments, key=lambda event: event.amount) if payments else events[0]
    words = sentence(main, names)
    return say("{said}.", said=words) if words else ""


def _tell_rent(facts: Facts, names: Names) -> Chapter | None:
    if facts.rent is None:
        return None
    text = told("The biggest rent was {amount}: {payer} paid it to {payee}.")
    if facts.rent.deed is not None:
        text = told(
            "The biggest rent was {amount}: {payer} paid it to {payee} for {deed}."
        )
    return Chapter("rent", worded(text, facts.rent, names))


def _tell_vault(facts: Facts, names: Names) -> Chapter | None:
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


def _tell_earned(facts: Facts, names: Names) -> Chapter | None:
    if facts.earned is None:
        return None
    deed, amount = facts.earned
    text = say(
        "No deed earned more than {deed}: {amount} of rent.",
        deed=name_of(deed, names),
        amount=dollars_text(amount),
    )
    return Chapter("earned", text)


def _tell_debt(facts: Facts, names: Names) -> Chapter | None:
    """Tell of the longest debt: in minutes, or in steps if it lasted under one."""
    debt = facts.debt
    if debt is None:
        return None
    minutes = debt.ms // MINUTE_MS
    if minutes:
        singular, plural = counted(
            "The longest debt lasted {count} minute: "
            "{debtor} owed {creditor} {amount}.",
            "The longest debt lasted {count} minutes: "
            "{debtor} owed {creditor} {amount}.",
        )
    else:
        singular, plural = counted(
            "The longest debt was settled after {count} step: "
            "{debtor} owed {creditor} {amount}.",
            "The longest debt was settled after {count} steps: "
            "{debtor} owed {creditor} {amount}.",
        )
    count = minutes or debt.entries
    return Chapter("debt", worded(singular, debt, names, plural, count=count))


def _tell_sale(facts: Facts, names: Names) -> Chapter | None:
    if facts.sale is None:
        return None
    text = told("The highest bid: {seat} paid {amount} for {lot}.")
    return Chapter("sale", worded(text, facts.sale, names))


def luckiest(throws: Iterable[Throws]) -> Throws | None:
    """Return the throws with the most pips on average, of ``ROLLS_MIN`` or more."""
    best = None
    for of_seat in throws:
        if of_seat.rolls < ROLLS_MIN:
            continue
        # The averages are compared by cross-multiplying: no fraction is rounded.
        if best is None or of_seat.pips * best.rolls > best.pips * of_seat.rolls:
            best = of_seat
    return best


def _tell_dice(facts: Facts, names: Names) -> Chapter | None:
    """Tell who had the luckiest dice, with the average pips to one decimal."""
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
    return Chapter("dice", text, _doubles_words(facts, names))


def _doubles_words(facts: Facts, names: Names) -> str:
    """Say who rolled the most doubles; empty if nobody did."""
    most = max(facts.throws, key=lambda throws: throws.doubles)
    if not most.doubles:
        return ""
    return say_count(
        most.doubles,
        "Most doubles: {who}, {count} time.",
        "Most doubles: {who}, {count} times.",
        who=name_of(most.seat, names),
    )


def _tell_visited(facts: Facts, names: Names) -> Chapter | None:
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


def _tell_jailed(facts: Facts, names: Names) -> Chapter | None:
    words = counted(
        "{who} went to jail most often: {count} time.",
        "{who} went to jail most often: {count} times.",
    )
    return _tell_most_often("jailed", facts.jailed, words, names)


def _tell_ridden(facts: Facts, names: Names) -> Chapter | None:
    words = counted(
        "{who} took the bus most often: {count} time.",
        "{who} took the bus most often: {count} times.",
    )
    return _tell_most_often("ridden", facts.ridden, words, names)


def _tell_most_often(
    kind: str, record: tuple[str, int] | None, words: tuple[str, str], names: Names
) -> Chapter | None:
    """Write the chapter of a *record*, which is a seat and a count.

    *words* are its sentence for a count of one and for any other count.
    """
    if record is None:
        return None
    seat, count = record
    singular, plural = words
    text = say_count(count, singular, plural, who=name_of(seat, names))
    return Chapter(kind, text)


def _tell_fakes(facts: Facts, names: Names) -> Chapter | None:
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
    return Chapter("fakes", text, _caught_words(facts, names))


def _caught_words(facts: Facts, names: Names) -> str:
    """Say whose fakes were found most often; empty if nobody's were."""
    if facts.caught is None:
        return ""
    seat, count = facts.caught
    return say_count(
        count,
        "Caught most often: {who}, {count} time.",
        "Caught most often: {who}, {count} times.",
        who=name_of(seat, names),
    )


def _revision_of(fact: Rent | OldDebt | Sale | None) -> int:
    """Return the revision at which *fact* happened; ``LATEST`` if it did not."""
    return LATEST if fact is None else fact.revision


def _latest(_: Facts) -> int:
    return LATEST


CHAPTERS: tuple[
    tuple[Callable[[Facts, Names], Chapter | None], Callable[[Facts], int]], ...
] = (
    (_tell_length, _latest),
    (_tell_rent, lambda facts: _revision_of(facts.rent)),
    (_tell_vault, _latest),
    (_tell_earned, _latest),
    (_tell_debt, lambda facts: _revision_of(facts.debt)),
    (_tell_sale, lambda facts: _revision_of(facts.sale)),
    (_tell_dice, _latest),
    (_tell_visited, _latest),
    (_tell_jailed, _latest),
    (_tell_ridden, _latest),
    (_tell_fakes, _latest),
)
"""For each chapter its writer, and the revision whose names it uses.

Only the turning point is missing: ``story`` puts it in second place.
"""
