"""Old games play back to the digests that they had when they were kept.

``kept`` holds three games of each box as ``companion games export`` gives them, packed
by gzip, and beside each the digest after every 25th entry and after the last. They
were played by the random hands of ``tests/guided.py``, with undos and corrections, and
what these seldom do was done by hand: ``evening`` goes on by hand for a while,
``debts`` has what a debtor did, ``to-the-end`` has a winner. The rules of that day let
a seat that owed build and lift mortgages, and one in jail pay on its third turn.

They are never made anew: an old game stays what it was, and later rules might refuse
to play it. Where a digest differs, a game on somebody's disk has changed, and what
changed it is wrong. A newer game is added beside them by ``keep.py``.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from companion.edition import builtin, editions
from companion.game import Game
from companion.game import deed_events as d
from companion.game import events as e
from companion.game import moves as m
from companion.game import play_events as p
from companion.game import ticket_events as t
from companion.game import vault_contents_events as r
from companion.game.codec import ExportedGame, entries_from_json
from companion.game.decoder_events import VerdictGiven
from companion.game.journal import Entry, Journal
from companion.store import Database, Journals
from tests.companion.game.keep import EVERY, KEPT, digests
from tests.databases import import_game
from tests.guided import accepted
from tests.sample import each

NAMES = sorted(path.name.removesuffix(".json.gz") for path in KEPT.glob("*.json.gz"))
BYTES_MAX = 400_000
"""Of all kept games; they come with every copy of the project."""


def exported(name: str) -> bytes:
    return gzip.decompress((KEPT / f"{name}.json.gz").read_bytes())


@cache
def read(name: str) -> ExportedGame:
    return entries_from_json(exported(name))


@pytest.mark.parametrize("name", NAMES)
def test_an_old_game_plays_back_to_the_same_digests(name: str, tmp_path: Path) -> None:
    with closing(Database(tmp_path)) as database:
        journals = Journals(database)
        game = import_game(journals, exported(name), builtin)
        entries = tuple(journals.entries(game))
    assert entries == read(name).entries
    known = (KEPT / f"{name}.digests").read_text().splitlines()
    assert known[-1].startswith(f"{len(entries)} ")
    assert len(known) == -(-len(entries) // EVERY)
    assert list(digests(entries)) == known


def test_kept_games_are_few_and_small() -> None:
    files = sorted(path.name for path in KEPT.iterdir())
    assert files == sorted(
        f"{name}.{end}" for name in NAMES for end in ("digests", "json.gz")
    )
    assert sum(path.stat().st_size for path in KEPT.iterdir()) < BYTES_MAX


# What the games are kept for.


class Moment(NamedTuple):
    """An event, the entry that it stands in, and the game just before that entry."""

    event: object
    entry: Entry
    before: Game

    def owes(self, seat: str) -> bool:
        """Return whether *seat* owed anything."""
        return self.before.play is not None and self.before.play.owed_by(seat) > 0


class Old(NamedTuple):
    """A kept game played back: the game after each entry, and what counts in it."""

    games: tuple[Game, ...]
    moments: tuple[Moment, ...]


@cache
def played(name: str) -> Old:
    entries = read(name).entries
    journal = Journal(lambda after: entries[after:])
    games = tuple(journal.append(entry) for entry in entries)
    return Old(
        games,
        tuple(
            Moment(event, entry, before)
            for entry, before in zip(entries[1:], games[:-1], strict=True)
            if not journal.is_undone(entry.revision)
            for event in entry.events
        ),
    )


def of_box(box: str) -> list[str]:
    return [name for name in NAMES if played(name).games[0].terms.edition == box]


def is_open(game: Game) -> bool:
    """Return whether an offer waits that its taker can decline."""
    offers = game.play.offers if game.play is not None else ()
    return any(accepted(game, m.Reject(by=offer.taker)) for offer in offers)


Promise = Callable[[Moment], bool]


def any_of(*kinds: type[e.Event]) -> Promise:
    return lambda now: isinstance(now.event, kinds)


def is_bankruptcy(now: Moment) -> bool:
    return isinstance(now.event, p.SeatBankrupted) and not now.event.has_resigned


def is_flight(now: Moment) -> bool:
    return (
        isinstance(now.event, p.SeatBankrupted)
        and now.event.has_resigned
        and now.owes(now.event.seat)
    )


def is_debtors_building(now: Moment) -> bool:
    return isinstance(now.event, d.BuildingBought) and now.owes(now.event.seat)


def is_debtors_lifting(now: Moment) -> bool:
    return isinstance(now.event, d.MortgageLifted) and now.owes(now.event.seat)


def is_debtors_trade(now: Moment) -> bool:
    return isinstance(now.event, d.OfferAccepted) and now.owes(now.event.giver)


def is_late_fine(now: Moment) -> bool:
    """Return whether a fine was paid in place of the last attempt."""
    play, board = now.before.play, now.before.board
    return (
        isinstance(now.event, p.JailLeft)
        and now.event.how == "paid"
        and play is not None
        and board is not None
        and play.token_of(now.event.seat).tries == board.rules.jail.attempts - 1
    )


def is_sale_at_leisure(now: Moment) -> bool:
    return isinstance(now.event, d.DeedSold) and not now.owes(now.event.seat)


def is_opening(now: Moment) -> bool:
    return isinstance(now.event, r.GuessMade) and now.event.is_right


IN_EACH_BOX: dict[str, Promise] = {
    "an undo": any_of(e.Undone),
    "a redo": any_of(e.Redone),
    "an undo that was asked for": any_of(e.UndoAsked),
    "a correction": any_of(p.PositionCorrected),
    "a lot that was sold": any_of(d.LotSold),
    "an offer turned down": any_of(d.OfferRejected),
    "play by hand": any_of(p.PlayRested),
    "a return from it": any_of(p.PlayResumed),
    "a debt": any_of(p.DebtOwed),
    "a debt that was paid": any_of(p.DebtPaid),
    "a debtor's trade": is_debtors_trade,
    "a debtor's building": is_debtors_building,
    "a bankruptcy": is_bankruptcy,
    "a debtor who resigned": is_flight,
    "a fine on the third turn": is_late_fine,
    "a winner": any_of(p.PlayEnded),
}
IN_SOME_BOX: dict[str, tuple[Promise, set[str]]] = {
    "a debtor's lifted mortgage": (
        is_debtors_lifting,
        {"classic", "grab-and-go", "secret-vault", "mega"},
    ),
    "a quick game": (any_of(d.DeedDealt), {"grab-and-go"}),
    "the vault opened": (is_opening, {"secret-vault"}),
    "a guess declined": (any_of(r.GuessDeclined), {"secret-vault"}),
    "a verdict": (any_of(VerdictGiven), {"crooked-cash"}),
    "a street sold at any time": (is_sale_at_leisure, {"crooked-cash"}),
    "a bus": (any_of(t.TicketUsed), {"mega"}),
    "a group laid out": (any_of(d.GroupLevelled), {"mega"}),
}


@each("box", editions())
def test_the_old_games_of_a_box_hold_what_they_are_kept_for(box: str) -> None:
    promises = IN_EACH_BOX | {
        name: promise for name, (promise, boxes) in IN_SOME_BOX.items() if box in boxes
    }
    seen = [now for name in of_box(box) for now in played(name).moments]
    missing = [
        name for name, promise in promises.items() if not any(map(promise, seen))
    ]
    assert not missing


@each("box", editions())
def test_an_old_offer_waits_at_an_end_and_under_a_digest_of_another_game(
    box: str,
) -> None:
    games = {name: played(name).games for name in of_box(box)}
    at_end = {name for name in games if is_open(games[name][-1])}
    at_digest = {
        name for name in games if any(map(is_open, games[name][EVERY - 1 : -1 : EVERY]))
    }
    assert any(at_digest - {name} for name in at_end)


@each("box", editions())
def test_a_debtors_offer_waits_at_the_end_of_an_old_game(box: str) -> None:
    ends = [played(name).games[-1] for name in of_box(box)]
    assert any(is_open(game) and game.play and game.play.debts for game in ends)
