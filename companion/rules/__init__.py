"""The rules of the game: what is allowed, and which events a command leads to.

All functions are pure. ``decide`` turns a command into events or refuses it; ``step``
gives the game after them as well; ``legal_commands`` and ``legal_moves`` list what
they would accept. ``refusal`` says why one command is refused, and ``out_of_turn`` why
all of its kind are.
"""

from companion.rules.commands_table import RULES
from companion.rules.deciding import (
    decide,
    keeps_bank,
    legal_commands,
    legal_moves,
    may_give,
    out_of_turn,
    refusal,
    step,
)

__all__ = [
    "RULES",
    "decide",
    "keeps_bank",
    "legal_commands",
    "legal_moves",
    "may_give",
    "out_of_turn",
    "refusal",
    "step",
]
