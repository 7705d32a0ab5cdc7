"""The vault on a seat's page: our own lock, or the toy's vault that people watch."""

from __future__ import annotations

import msgspec

from companion.game import Game
from companion.game.commands import address_of
from companion.game.moves import LockVault
from companion.units import GameId
from companion.views.turn import Turn, turn_of
from companion.views.vault_in_game import VaultInGame, vault_in_game
from web.http.panel import panel

LOCKING = address_of(LockVault)


def vault_in_game_of(game_id: GameId) -> VaultInGame | None:
    """The vault in this game, as our lock reports it or as people have told it."""
    vault, table = panel().vault, panel().table
    if vault is not None:
        return vault.seen(game_id)
    latest = table.entries(game_id, table.revision(game_id) - 1)
    return vault_in_game(table.game(game_id), None, latest[-1].events if latest else ())


def turn_here(game: Game, seat: str) -> Turn:
    """The turn of *seat*, without what no phone can do: a tap shuts no real lid."""
    turn, vault = turn_of(game, seat), panel().vault
    if vault is None or vault.hands is not None:
        return turn
    kept = tuple(one for one in turn.buttons if one.verb != LOCKING)
    return msgspec.structs.replace(turn, buttons=kept)
