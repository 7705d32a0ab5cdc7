"""The vault on a seat's page: the real lock's, or the toy's own that people watch."""

from __future__ import annotations

import msgspec

from companion.game import Game
from companion.moves import LockVault
from companion.views.heist import HeistView, heist_view
from companion.views.turn import Turn, turn_of
from web.panel import panel

LOCKING = ("kind", LockVault.__name__)


def heist_of(journal: str) -> HeistView | None:
    """The vault in this game, as the lock knows it, or as the people told it."""
    heist, table = panel().heist, panel().table
    if heist is not None:
        return heist.seen(journal)
    latest = table.entries(journal, table.revision(journal) - 1)
    return heist_view(table.game(journal), None, latest[-1].events if latest else ())


def turn_here(game: Game, seat: str) -> Turn:
    """The look of *seat*, with only what a phone can do: no tap shuts a real lid."""
    turn, heist = turn_of(game, seat), panel().heist
    if heist is None or heist.hands is not None:
        return turn
    kept = tuple(one for one in turn.buttons if LOCKING not in one.fields)
    return msgspec.structs.replace(turn, buttons=kept)
