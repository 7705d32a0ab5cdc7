"""What is allowed, and what follows from it: pure functions from a command to events.

``decide`` answers a command; ``legal_commands`` and ``legal_moves`` say which it takes.
"""

from companion.rules.commands_table import (
    BY_HAND,
    MOVES,
    RULES,
    SEAT_COMMANDS,
    decide,
    is_at_table,
    keeps_bank,
    legal_commands,
    legal_moves,
)

__all__ = [
    "BY_HAND",
    "MOVES",
    "RULES",
    "SEAT_COMMANDS",
    "decide",
    "is_at_table",
    "keeps_bank",
    "legal_commands",
    "legal_moves",
]
