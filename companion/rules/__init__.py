"""The rules of the game: what is allowed, and which events a command leads to.

All functions are pure. ``decide`` turns a command into events or refuses it; ``step``
gives the game after them as well; ``legal_commands`` and ``legal_moves`` list what
they would accept.
"""

from companion.rules.commands_table import RULES
from companion.rules.deciding import (
    decide,
    keeps_bank,
    legal_commands,
    legal_moves,
    step,
)

__all__ = [
    "RULES",
    "decide",
    "keeps_bank",
    "legal_commands",
    "legal_moves",
    "step",
]
