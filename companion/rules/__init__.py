"""The rules of the game: what is allowed, and which events a command leads to.

All functions are pure. ``decide`` turns a command into events or refuses it; ``step``
also returns the game after those events. ``legal_commands`` and ``legal_moves`` list
what would be accepted. ``refusal`` says why one command is refused, and
``out_of_turn`` why every command of its kind is.

A *box* is an edition of the game. The modules here import those with commands and
events under one letter: ``c`` commands and ``m`` moves; ``e`` events at the table, and
the events of deeds (``d``), of the decoder (``f``), of play (``p``), of the vault
(``r``) and of bus tickets (``t``).
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
