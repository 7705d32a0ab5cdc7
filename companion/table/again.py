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
from companion.game.envelope import Envelope, Receipt, opened_by
from companion.game.stage import Stage
from companion.rules.begin import SEATS_MIN
from companion.rules.drawing import Begin
from companion.sheets import Told
from companion.table.service import TableService
from companion.units import BANK, GameId, Seat
from companion.words import say

AGAIN_RULE = Told("A game is played again once it has ended, or was put away.")

Give = Callable[[GameId, Envelope], Receipt]
"""Carries out one command of a game."""


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
    return (f"again-{game_id}-{nth}" for nth in count(1))


def play_again(service: TableService, give: Give, game_id: GameId) -> GameId:
    """Open a game like that one, with the same phones in the same seats.

    If the companion led that one, it leads the new one under the same options. A game
    that was opened so before is the answer as it stands.

    Args:
        service: All games.
        give: Carries out a command after drawing what it needs (``Table.give``).
        game_id: The game that has ended.

    Raises:
        Malformed: If there is no such game.
        Refused: ``wrong_stage`` before the game has ended; ``limit_reached`` if too
            many games are kept.
        JournalFault: If it could not be written; the next tap goes on from there.
    """
    game = service.game(game_id)
    if not is_over(game):
        raise AGAIN_RULE.refuses(
            Why.WRONG_STAGE,
            say("this game is not over"),
            say("play it to its end, or put it away"),
        )
    opened = _follower(service, game_id) or _open(service, game_id, game)
    if service.game(opened).play is None:  # Else an earlier tap did all this.
        _seat_all(service, opened, game, service.phones.holders(game_id))
        _begin(service, give, opened, game)
    service.tell(game_id)
    return opened


def _open(service: TableService, game_id: GameId, game: Game) -> GameId:
    known = {one.game_id for one in service.games()}
    tap = next(tap for tap in _taps(game_id) if opened_by(tap) not in known)
    return service.open_game(game.terms.edition, game.name, tap)


def _seat_all(
    service: TableService, opened: GameId, game: Game, holders: dict[str, str]
) -> None:
    """Give everybody the same seat."""
    for state in game.present():
        sitting = c.AddSeat(
            by=c.TABLE,
            seat=state.seat,
            name=state.name,
            colour=state.colour,
            token=state.token,
        )
        receipt = service.submit(opened, _tap(sitting, f"again-seat-{state.seat}"))
        if state.seat in holders and not receipt.is_repeat:
            service.phones.hold(opened, state.seat, holders[state.seat])


def _begin(service: TableService, give: Give, opened: GameId, game: Game) -> None:
    """Give the bank to the same banker, and begin as that game began."""
    if game.banker != BANK and game.seat(game.banker) is not None:
        handing = c.HandBanker(by=BANK, to=Seat(game.banker))
        service.submit(opened, _tap(handing, "again-banker"))
    if game.is_locked:
        service.submit(opened, _tap(c.LockTable(by=c.TABLE), "again-lock"))
    if game.board is not None and len(game.present()) >= SEATS_MIN:
        options = dict(game.board.rules.options)
        give(opened, _tap(Begin(by=c.TABLE, options=options), "again-begin"))


def _tap(command: c.Command, command_id: str) -> Envelope:
    return Envelope(command, command_id, is_tables_own=True)
