"""A game as data: its money, board and position, its events, and their journal.

``game.after(event)`` is the only way in which a game changes.
"""

from companion.game.game import Game, new_game

__all__ = ["Game", "new_game"]
