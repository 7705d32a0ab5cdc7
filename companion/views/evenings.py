"""Records over many evenings: who won how often, and the greatest of each kind.

Each game that has ended is read once, from its entries alone. A person is known by the
name: the same name is the same person, whatever its capitals and spaces.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import msgspec

from companion.game import events as e
from companion.game import play_events as p
from companion.game.journal import Entry, counting_entries
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
        won: The names of the winners.
        played: The names of all players, those who were out at the end included.
        scores: Name and score of each player who was still in at the end.
        rents: The biggest rent that each player was paid.
    """

    title: str
    edition: str
    ms: int
    won: tuple[str, ...]
    played: tuple[str, ...]
    scores: tuple[tuple[str, Dollars], ...]
    rents: tuple[Rented, ...]


class Person(msgspec.Struct, frozen=True):
    """A player over all evenings.

    Attributes:
        key: The id of the person (``key_of``).
        name: The name as it was written on the latest evening.
        best: The highest score at the end of a game; ``None`` without any.
        edition: The id of the box of that game.
    """

    key: str
    name: str
    wins: int
    games: int
    best: Dollars | None
    edition: str


class Greatest(msgspec.Struct, frozen=True):
    """The records of all evenings.

    Attributes:
        people: Everybody who wants to be listed, the most wins first.
        longest: The longest game; ``None`` without any.
        rent: The biggest rent, with its game; ``None`` without any.
    """

    people: tuple[Person, ...]
    longest: Evening | None
    rent: tuple[Rented, Evening] | None


def key_of(name: str) -> str:
    """Return the id of a person: the name in lower case, without its spaces."""
    return "".join(name.casefold().split())


def evening(entries: Iterable[Entry]) -> Evening | None:
    """Return the facts of a game from its entries; ``None`` if it has not ended."""
    reader, names = Reader(), dict[str, str]()
    title = edition = ""
    end: p.PlayEnded | None = None
    played: tuple[Seat, ...] = ()
    for entry in counting_entries(entries):
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
    """Return how the game has ended once *event* has happened; ``None`` if it goes on.

    Besides the end itself, only a position on which the table agrees may change it.
    """
    if isinstance(event, p.PlayEnded):
        return event
    if not isinstance(event, p.PositionCorrected | p.PositionGiven):
        return end
    position = event.position
    if position.base is not Stage.OVER:
        return None
    return p.PlayEnded(winners=position.winners, scores=position.scores)


def greatest(evenings: Sequence[Evening], left_out: Collection[str]) -> Greatest:
    """Return the records of *evenings*, which are the latest first.

    Args:
        evenings: Games that have ended.
        left_out: The keys of people who do not want to be listed.
    """
    people: dict[str, Person] = {}
    for game in evenings:
        won, scores = {key_of(name) for name in game.won}, dict(game.scores)
        for name in game.played:
            key = key_of(name)
            known = people.get(key) or Person(key, name, 0, 0, None, "")
            wins, games = known.wins + (key in won), known.games + 1
            person = msgspec.structs.replace(known, wins=wins, games=games)
            score = scores.get(name)
            if score is not None and (known.best is None or score > known.best):
                person = msgspec.structs.replace(
                    person, best=score, edition=game.edition
                )
            people[key] = person
    listed = [x for key, x in people.items() if key not in left_out]
    listed.sort(key=lambda x: (-x.wins, -(x.best or 0)))
    rents = [
        (rent, game)
        for game in evenings
        for rent in game.rents
        if key_of(rent.name) not in left_out
    ]
    return Greatest(
        people=tuple(listed),
        longest=max(evenings, key=lambda game: game.ms, default=None),
        rent=max(rents, key=lambda x: x[0].amount, default=None),
    )
