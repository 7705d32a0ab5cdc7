"""Playing again: a new game with the box, the options and the seats of one that ended.

The id of the new game follows from the id of the old one, so nothing has to be kept to
lead phones from one to the other, and a second tap opens nothing twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

from companion.errors import Why
from companion.game import Game
from companion.game import commands as c
from companion.game.envelope import AGAIN, opened_by
from companion.game.stage import Stage
from companion.rules.begin import SEATS_MIN
from companion.rules.drawing import Begin
from companion.sheets import Told
from companion.table.lid_reports import LID_IS_UP
from companion.table.service import TableService
from companion.units import BANK, GameId, Seat
from companion.words import say

AGAIN_RULE = Told("A game is played again once it has ended, or was put away.")

Complete = Callable[[c.Command], c.Command]
"""Puts into a command what chance decides (``drawing.completed``)."""


def is_over(game: Game) -> bool:
    """Whether a game has ended, or was put away."""
    has_ended = game.play is not None and game.play.base is Stage.OVER
    return has_ended or game.is_closed


def next_game(service: TableService, game_id: GameId) -> GameId | None:
    """The open game in which that one is played again, if there is one.

    If that one was played again, too, it is the last of them.
    """
    found = None
    while (opened := _follower(service, found or game_id)) is not None:
        found = opened
    return found


def _follower(service: TableService, game_id: GameId) -> GameId | None:
    states = {one.game_id: one.is_closed for one in service.games()}
    for follower in map(opened_by, _taps(game_id)):
        if follower not in states:
            return None
        if not states[follower]:  # Else it was put away, and there may be another.
            return follower
    raise AssertionError("there is always another number")


def _taps(game_id: GameId) -> Iterator[str]:
    """The command ids that open a follower of a game, one after another."""
    return (f"{AGAIN}{game_id}-{nth}" for nth in count(1))


def play_again(
    service: TableService, complete: Complete, game_id: GameId, *, has_lock: bool
) -> GameId:
    """Open a game like that one, with the same phones in the same seats.

    If the companion led that one, it leads the new one under the same options. A game
    that was opened so before is the answer as it stands.

    Args:
        service: All games.
        complete: Draws what a command needs.
        game_id: The game that has ended.
        has_lock: Whether a lock tells of its own lid; else people fill the vault first.

    Raises:
        Malformed: If there is no such game.
        Refused: ``wrong_stage`` before the game has ended; ``limit_reached`` if too
            many games are kept.
        JournalFault: If it could not be written; nothing was opened.
    """
    game = service.game(game_id)
    if not is_over(game):
        raise AGAIN_RULE.refuses(
            Why.WRONG_STAGE,
            say("this game is not over"),
            say("play it to its end, or put it away"),
        )
    opened = _follower(service, game_id)
    if opened is None:
        known = {one.game_id for one in service.games()}
        tap = next(tap for tap in _taps(game_id) if opened_by(tap) not in known)
        seats, held = {one.seat for one in game.present()}, service.phones.holders
        opened = service.open_game(
            game.terms.edition,
            game.name,
            tap,
            *map(complete, _as_before(game, has_lock=has_lock)),
            holders={at: phone for at, phone in held(game_id).items() if at in seats},
            is_tables_own=True,
        )
    service.tell(game_id)
    return opened


def _as_before(game: Game, *, has_lock: bool) -> Iterator[c.Command]:
    """Seat everybody where they sat, under the same banker, and begin as it began."""
    for one in game.present():
        yield c.AddSeat(
            by=c.TABLE,
            seat=one.seat,
            name=one.name,
            colour=one.colour,
            token=one.token,
        )
    if game.banker != BANK and game.seat(game.banker) is not None:
        yield c.HandBanker(by=BANK, to=Seat(game.banker))
    if game.is_locked:
        yield c.LockTable(by=c.TABLE)
    if game.board is not None and len(game.present()) >= SEATS_MIN:
        yield Begin(by=c.TABLE, options=dict(game.board.rules.options))
        if game.board.rules.vault is not None and not has_lock:
            yield LID_IS_UP
