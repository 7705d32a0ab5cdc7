"""What stands out over many evenings: who won how often, and the greatest of each kind.

Each game that has ended is read once, from its entries alone. People are known by their
names: the same name is the same person, whatever its capitals and spaces.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import msgspec

from companion.game import events as e
from companion.game import play_events as p
from companion.game.journal import Entry, standing
from companion.game.stage import Stage
from companion.units import Dollars, Seat
from companion.views.story import Reader


class Rented(msgspec.Struct, frozen=True):
    """The biggest rent that somebody was paid."""

    name: str
    amount: Dollars


class Evening(msgspec.Struct, frozen=True):
    """A game that has ended.

    Attributes:
        edition: The id of its box.
        ms: Milliseconds played.
        won: The names of those who won.
        played: The names of those who played, whether they were left or not.
        scores: Name and score of those who were left.
        rents: The biggest rents, by who was paid.
    """

    title: str
    edition: str
    ms: int
    won: tuple[str, ...]
    played: tuple[str, ...]
    scores: tuple[tuple[str, Dollars], ...]
    rents: tuple[Rented, ...]


class Person(msgspec.Struct, frozen=True):
    """Somebody over all evenings.

    Attributes:
        key: By which the same person is known.
        name: As it was written on the latest evening.
        best: The greatest fortune at the end of a game; ``None`` without any.
        edition: With which box that was.
    """

    key: str
    name: str
    wins: int
    games: int
    best: Dollars | None
    edition: str


class Greatest(msgspec.Struct, frozen=True):
    """What stands out: people, those who won most first; the longest, the biggest."""

    people: tuple[Person, ...]
    longest: Evening | None
    rent: tuple[Rented, Evening] | None


def key_of(name: str) -> str:
    """Return by what a person is known: the name without its capitals and spaces."""
    return "".join(name.casefold().split())


def evening(read: Iterable[Entry]) -> Evening | None:
    """Read a game from its entries, the oldest first; ``None`` if it has not ended."""
    reader, names = Reader(), dict[str, str]()
    title = edition = ""
    end: p.PlayEnded | None = None
    played: tuple[Seat, ...] = ()
    for entry in standing(read):
        reader.read(entry)
        for event in entry.events:
            if isinstance(event, e.GameOpened):
                title, edition = event.name, event.terms.edition
            elif isinstance(event, e.SeatAdded | e.SeatRenamed):
                names[event.seat] = event.name
            elif isinstance(event, p.PlayBegun):
                end, played = None, event.seats
            else:
                end = _end(end, event)
    if end is None:
        return None
    return Evening(
        title=title,
        edition=edition,
        ms=reader.ms,
        won=tuple(names[seat] for seat in end.winners),
        played=tuple(names[seat] for seat in played),
        scores=tuple(
            (names[seat], score)
            for seat, score in end.scores
            if seat not in reader.gone
        ),
        rents=tuple(
            Rented(names[rent.payee], rent.amount)
            for rent in reader.rents.values()
            if rent.payee in names
        ),
    )


def _end(end: p.PlayEnded | None, event: object) -> p.PlayEnded | None:
    """Return how a game has ended by *event*; a table may agree on something else."""
    if isinstance(event, p.PlayEnded):
        return event
    if not isinstance(event, p.PositionCorrected | p.PositionGiven):
        return end
    found = event.position
    if found.base is not Stage.OVER:
        return None
    return p.PlayEnded(winners=found.winners, scores=found.scores)


def greatest(evenings: Sequence[Evening], left_out: Collection[str]) -> Greatest:
    """Return what stands out of *evenings*, the latest first.

    Args:
        evenings: Games that have ended.
        left_out: The keys of people who do not want to be listed.
    """
    people: dict[str, Person] = {}
    for one in evenings:
        won, scores = {key_of(name) for name in one.won}, dict(one.scores)
        for name in one.played:
            key = key_of(name)
            kept = people.get(key) or Person(key, name, 0, 0, None, "")
            wins, games = kept.wins + (key in won), kept.games + 1
            person = msgspec.structs.replace(kept, wins=wins, games=games)
            score = scores.get(name)
            if score is not None and (kept.best is None or score > kept.best):
                person = msgspec.structs.replace(
                    person, best=score, edition=one.edition
                )
            people[key] = person
    listed = [one for key, one in people.items() if key not in left_out]
    listed.sort(key=lambda one: (-one.wins, -(one.best or 0)))
    rents = [
        (rent, one)
        for one in evenings
        for rent in one.rents
        if key_of(rent.name) not in left_out
    ]
    return Greatest(
        people=tuple(listed),
        longest=max(evenings, key=lambda one: one.ms, default=None),
        rent=max(rents, key=lambda x: x[0].amount, default=None),
    )
