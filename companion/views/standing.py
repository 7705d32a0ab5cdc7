"""Who sits at a game and how it stands, in one short line for a list of games.

A list may hold hundreds of games, most of them forgotten. So a game that is in memory
tells by its state; any other by those few of its entries that seat somebody, begin the
game or end it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from companion.game import Game
from companion.game import events as e
from companion.game import play_events as p
from companion.game.journal import TAKING_BACK, Entry, counting_entries
from companion.game.stage import Stage
from companion.rules.begin import is_playing
from companion.units import Account
from companion.views.evenings import end_after
from companion.words import say
from companion.words.lists import enumerated

SEATING: Final = (e.SeatAdded, e.SeatRenamed)
BEGINNING: Final = (e.BankingBegun, p.PlayBegun)
ENDING: Final = (p.PlayEnded, p.PositionCorrected, p.PositionGiven)
TELLING: Final = (
    *(e.GameOpened, e.SeatRemoved),
    *(*SEATING, *BEGINNING, *ENDING, *TAKING_BACK),
)
"""The events that ``standing_by`` needs to see."""


class Standing(msgspec.Struct, frozen=True):
    """A game in a list.

    Attributes:
        names: Who sits at it, the first to sit down first.
        words: How it stands; empty where that would have to be read.
        is_over: Somebody has won, or nobody can any more.
    """

    names: tuple[str, ...] = ()
    words: str = ""
    is_over: bool = False


def standing(game: Game) -> Standing:
    """Return how a game stands that is in memory."""
    names = {str(one.seat): one.name for one in game.present()}
    words = ""
    is_over = game.play is not None and game.play.base is Stage.OVER
    if not game.has_begun:
        words = say("not begun")
    elif game.play is not None and is_over:
        every = {str(one.seat): one.name for one in game.seats}
        words = _won(every[seat] for seat in game.play.winners)
    elif is_playing(game) and game.play is not None:
        mover = names.get(game.play.mover.seat)
        words = say("{who}'s turn", who=mover) if mover else ""
    else:
        words = _leads(game, names)
    return Standing(tuple(names.values()), words, is_over)


def standing_by(entries: Iterable[Entry]) -> Standing:
    """Return how a game stands by its entries with ``TELLING`` events."""
    names: dict[str, str] = {}
    left: set[str] = set()
    has_begun, end = True, None
    for entry in counting_entries(entries):
        for event in entry.events:
            if isinstance(event, e.GameOpened):
                has_begun = event.awaits is e.Awaits.NOTHING
            elif isinstance(event, SEATING):
                names[event.seat] = event.name
                left.discard(event.seat)
            elif isinstance(event, e.SeatRemoved):
                left.add(event.seat)
            has_begun |= isinstance(event, BEGINNING)
            end = None if isinstance(event, BEGINNING) else end_after(end, event)
    words = ""
    if not has_begun:
        words = say("not begun")
    elif end is not None:
        words = _won(names[seat] for seat in end.winners)
    present = tuple(name for seat, name in names.items() if seat not in left)
    return Standing(present, words, end is not None)


def _won(names: Iterable[str]) -> str:
    winners = list(names)
    if not winners:
        return say("nobody won")
    return say("{who} won", who=enumerated(winners))


def _leads(game: Game, names: dict[str, str]) -> str:
    """Say who has the most money; nothing where two have as much."""
    money = sorted(((game.ledger[Account(seat)], seat) for seat in names), reverse=True)
    if len(money) < 2 or money[0][0] == money[1][0]:
        return ""
    return say("{who} leads", who=names[money[0][1]])
