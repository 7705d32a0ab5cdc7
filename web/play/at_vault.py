"""The vault on a seat's page: our own lock, or the toy's vault that people watch."""

from __future__ import annotations

import msgspec

from companion.game import Game
from companion.game.commands import address_of
from companion.game.moves import LockVault
from companion.units import GameId
from companion.views.turn import Turn, turn_of
from companion.views.turn_words import fills_first
from companion.views.vault_in_game import VaultInGame, vault_in_game
from companion.views.vault_scene import Scene
from companion.words import say
from web.http.panel import panel

LOCKING = address_of(LockVault)


def vault_in_game_of(game_id: GameId) -> VaultInGame | None:
    """The vault in this game, as our lock reports it or as people have told it."""
    vault, table = panel().vault, panel().table
    if vault is not None:
        return vault.seen(game_id)
    return vault_in_game(table.game(game_id), None, table.latest_events(game_id))


def turn_here(game_id: GameId, game: Game, seat: str) -> Turn:
    """Return the turn of *seat*, without what no phone can do here and now.

    A tap shuts no real lid, and the vault serves only the game on the table. Nobody
    rolls before the vault is locked for the first time, unless it cannot be.
    """
    turn, vault = turn_of(game, seat), panel().vault
    if turn.dice is not None and game.play is not None and fills_first(game.play):
        seen = vault_in_game_of(game_id)
        if seen is not None and seen.scene is Scene.REFILL:
            turn = msgspec.structs.replace(turn, dice=None)
    serves = panel().table.current() == game_id
    if vault is None or (serves and vault.hands is not None):
        return turn
    kept = tuple(one for one in turn.buttons if one.verb != LOCKING)
    if serves or (turn.guessing is None and kept == turn.buttons):
        return msgspec.structs.replace(turn, buttons=kept)
    lines = (*turn.lines, ELSEWHERE)
    return msgspec.structs.replace(turn, buttons=kept, guessing=None, lines=lines)


ELSEWHERE = say(
    "The vault serves the game that was opened last. Put the other game away first."
)
