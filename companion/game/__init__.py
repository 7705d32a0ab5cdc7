"""What a game is: its money, board and position, its events, and the journal of them.

``game.after(event)`` is the one way in which a game changes.
"""

from companion.game.game import Game, opened

__all__ = ["Game", "opened"]
