"""The vault on a seat's page: our own lock, or the toy's vault moved by hand.

With our own lock the program knows the lid and the number on the wheel. Without it the
players move the toy's vault, and tell the program what they have done.
"""

from __future__ import annotations

import msgspec

from companion.game import Game
from companion.game.commands import address_of
from companion.game.moves import LockVault
from companion.units import GameId
from companion.views.turn import Turn, turn_of
from companion.views.turn_words import must_fill_first
from companion.views.vault_in_game import Scene, VaultInGame, vault_in_game
from companion.words import say
from web.http.panel import panel

LOCKING = address_of(LockVault)
"""The verb of the button that locks the vault."""


def vault_in_game_of(game_id: GameId) -> VaultInGame | None:
    """Return the vault's part in a game, as our lock or the players report it."""
    vault, table = panel().vault, panel().table
    if vault is not None:
        return vault.seen(game_id)
    return vault_in_game(table.game(game_id), None, table.latest_events(game_id))


def turn_here(game_id: GameId, game: Game, seat: str) -> Turn:
    """Return the turn of *seat*, without the buttons that cannot work now.

    Nobody rolls before the vault is first locked. With our own lock, a tap locks it
    only in a simulation, and only the game on the table can use it.
    """
    turn, vault = turn_of(game, seat), panel().vault
    if turn.dice is not None and game.play is not None and must_fill_first(game.play):
        in_game = vault_in_game_of(game_id)
        if in_game is not None and in_game.scene is Scene.REFILL:
            turn = msgspec.structs.replace(turn, dice=None)
    is_on_table = panel().table.current() == game_id
    if vault is None or (is_on_table and vault.hands is not None):
        return turn
    buttons = tuple(button for button in turn.buttons if button.verb != LOCKING)
    if is_on_table or (turn.guessing is None and buttons == turn.buttons):
        return msgspec.structs.replace(turn, buttons=buttons)
    lines = (*turn.lines, ELSEWHERE)
    return msgspec.structs.replace(turn, buttons=buttons, guessing=None, lines=lines)


ELSEWHERE = say(
    "The vault serves the game that was opened last. Put the other game away first."
)
"""The line on the page of a game that is not on the table."""
