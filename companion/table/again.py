"""Playing again: a new game with the edition, options and seats of one that ended.

The new game is the *follower* of the old one. Nothing is stored about that: the id of
the tap that opens a follower is made from the old game's id, and its own id from that
of the tap. So phones find their way to the new game, and a second tap opens no second
one.
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
"""Fills in what chance decides in a command (``drawing.completed``)."""


def is_over(game: Game) -> bool:
    """Tell whether a game can be played again: it has ended, or was put away."""
    has_ended = game.play is not None and game.play.base is Stage.OVER
    return has_ended or game.is_closed


def next_game(service: TableService, game_id: GameId) -> GameId | None:
    """Return the open game in which that one is played again; None if there is none.

    A follower may have a follower itself; the last one is returned.
    """
    latest = None
    while (follower := _find_open_follower(service, latest or game_id)) is not None:
        latest = follower
    return latest


def _find_open_follower(service: TableService, game_id: GameId) -> GameId | None:
    """Return the open follower of a game; None if there is none."""
    is_closed_by_id = {game.game_id: game.is_closed for game in service.games()}
    for follower in map(opened_by, _opening_taps(game_id)):
        if follower not in is_closed_by_id:
            return None
        if not is_closed_by_id[follower]:
            return follower
        # This follower was put away; the next one may be open.
    raise AssertionError("there is always another number")


def _opening_taps(game_id: GameId) -> Iterator[str]:
    """Yield the command ids that open the followers of a game."""
    return (f"{AGAIN}{game_id}-{number}" for number in count(1))


def play_again(
    service: TableService, complete: Complete, game_id: GameId, *, has_lock: bool
) -> GameId:
    """Open a game like that one, with the same phones in the same seats.

    If the companion led that one, it leads the new one. If an open follower exists,
    that is returned as it stands.

    Args:
        service: All games.
        complete: Fills in what chance decides.
        game_id: The game that has ended.
        has_lock: Whether a lock reports the vault's lid. If not, it is reported as open
            here, so that people can fill the vault.

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
    opened = _find_open_follower(service, game_id)
    if opened is None:
        used_ids = {summary.game_id for summary in service.games()}
        tap = next(
            tap for tap in _opening_taps(game_id) if opened_by(tap) not in used_ids
        )
        seats = {state.seat for state in game.present()}
        held = service.phones.holders(game_id)
        opened = service.open_game(
            game.terms.edition,
            game.name,
            tap,
            *map(complete, _as_before(game, has_lock=has_lock)),
            holders={seat: phone for seat, phone in held.items() if seat in seats},
            is_tables_own=True,
        )
    service.tell(game_id)
    return opened


def _as_before(game: Game, *, has_lock: bool) -> Iterator[c.Command]:
    """Yield the commands that bring a new game to where *game* began.

    Everybody keeps the seat, the banker the bank, and the table the options.
    """
    for state in game.present():
        yield c.AddSeat(
            by=c.TABLE,
            seat=state.seat,
            name=state.name,
            colour=state.colour,
            token=state.token,
        )
    if game.banker != BANK and game.seat(game.banker) is not None:
        yield c.HandBanker(by=BANK, to=Seat(game.banker))
    if game.is_locked:
        yield c.LockTable(by=c.TABLE)
    if game.board is not None and len(game.present()) >= SEATS_MIN:
        yield Begin(by=c.TABLE, options=dict(game.board.rules.options))
        if game.board.rules.vault is not None and not has_lock:
            yield LID_IS_UP
