"""Records over many evenings: who won how often, and the greatest of each kind.

An *evening* is a game that has ended. Its facts are read from the entries of its
journal. Names that no two people may have at one table mean the same person.
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
from companion.words.names import likeness


class Rented(msgspec.Struct, frozen=True):
    """The biggest rent that a player received in one game, in dollars."""

    name: str
    amount: Dollars


class Evening(msgspec.Struct, frozen=True):
    """A game that has ended.

    Attributes:
        title: The name of the game.
        edition: The id of its edition.
        ms: The time that was played, in milliseconds.
        won: The names of the winners.
        played: The names of all players, even of those who were out at the end.
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
        key: The id of the person: the likeness of the name.
        name: The name as it was written on the latest evening.
        wins: The number of games won.
        games: The number of games played.
        best: The highest score at the end of a game; ``None`` if there is no score.
        edition: The id of the edition of *best*; may be empty.
        old_keys: The ids that older versions would have used.
    """

    key: str
    name: str
    wins: int = 0
    games: int = 0
    best: Dollars | None = None
    edition: str = ""
    old_keys: frozenset[str] = frozenset()


class Greatest(msgspec.Struct, frozen=True):
    """The records of all evenings.

    Attributes:
        people: Everybody who wants to be listed, the most wins first.
        left_out: Everybody else, by name.
        longest: The longest game; ``None`` if no game has ended.
        rent: The biggest rent, with its game; ``None`` if no rent was paid.
    """

    people: tuple[Person, ...]
    left_out: tuple[Person, ...]
    longest: Evening | None
    rent: tuple[Rented, Evening] | None


def _old_key(name: str) -> str:
    """Return the id that older versions gave a person; *Ann A* had that of *Anna*."""
    return "".join(name.casefold().split())


def evening(entries: Iterable[Entry]) -> Evening | None:
    """Return the facts of a game from its entries; ``None`` if it has not ended."""
    reader = Reader()
    names: dict[str, str] = {}
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
                end = end_after(end, event)
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


def end_after(end: p.PlayEnded | None, event: object) -> p.PlayEnded | None:
    """Return how the game has ended after *event*; ``None`` if it goes on.

    *end* is how it had ended before. If the table corrects the position later, that may
    change the winners, or let the game go on.
    """
    if isinstance(event, p.PlayEnded):
        return event
    if not isinstance(event, p.PositionCorrected | p.PositionGiven):
        return end
    position = event.position
    if position.base is not Stage.OVER:
        return None
    return p.PlayEnded(winners=position.winners, scores=position.scores)


def greatest(
    evenings: Sequence[Evening],
    left_out: Collection[str],
    old_left_out: Collection[str] = (),
) -> Greatest:
    """Return the records of *evenings*.

    Args:
        evenings: Games that have ended, the latest first.
        left_out: The keys of people who do not want to be listed.
        old_left_out: Such keys of older versions.
    """
    people: dict[str, Person] = {}
    for game in evenings:
        for key, names in _names_by_person(game).items():
            person = people.get(key) or Person(key, names[0])
            people[key] = _with_game(person, names, game)
    hidden = {
        key
        for key, person in people.items()
        if key in left_out or not person.old_keys.isdisjoint(old_left_out)
    }
    listed = [person for key, person in people.items() if key not in hidden]
    rents = [
        (rent, game)
        for game in evenings
        for rent in game.rents
        if likeness(rent.name) not in hidden
    ]
    return Greatest(
        people=tuple(sorted(listed, key=lambda one: (-one.wins, -(one.best or 0)))),
        left_out=tuple(people[key] for key in sorted(hidden)),
        longest=max(evenings, key=lambda game: game.ms, default=None),
        rent=max(rents, key=lambda pair: pair[0].amount, default=None),
    )


def _names_by_person(game: Evening) -> dict[str, list[str]]:
    """Return the names that each person had at the end, by the person's key.

    Whoever left the table may have left the name to somebody who stayed.
    """
    names: dict[str, list[str]] = {}
    for name in game.played:
        names.setdefault(likeness(name), []).append(name)
    return names


def _with_game(person: Person, names: Sequence[str], game: Evening) -> Person:
    """Return *person* with one more game, which was played under *names*."""
    counted = msgspec.structs.replace(
        person,
        wins=person.wins + any(likeness(one) == person.key for one in game.won),
        games=person.games + 1,
        old_keys=person.old_keys | {_old_key(name) for name in names},
    )
    scores = [score for name, score in game.scores if name in names]
    best = max(scores, default=None)
    if best is None or (person.best is not None and best <= person.best):
        return counted
    return msgspec.structs.replace(counted, best=best, edition=game.edition)
