"""The rules of the game: what is allowed, and which events a command leads to.

All functions are pure. ``decide`` turns a command into events or refuses it; ``step``
also returns the game after those events. ``legal_commands`` and ``legal_moves`` list
what would be accepted. ``refusal`` says why one command is refused, and ``out_of_turn``
why every command of its kind is. ``awaited_seats`` lists whom the table waits for.

A *box* is an edition of the game. A *command* is anything that a person or the lock
asks of the game; a *move* is a command of *guided* play, in which the companion leads
through *stages*: what the table waits for, such as a roll or a bid. A deed's *index* is
its place in the rulebook; its *ladder* lists its building steps, such as four houses
and then a hotel, and its *level* is how many of them stand.

Modules of commands and events have one letter here: ``c`` commands, ``m`` moves; ``e``
events at the table, ``d`` of deeds, ``f`` of fakes and the decoder, ``p`` of play,
``r`` of the vault's riches, ``t`` of bus tickets.
"""

from companion.rules.commands_table import RULES
from companion.rules.deciding import (
    awaited_seats,
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
    "awaited_seats",
    "decide",
    "keeps_bank",
    "legal_commands",
    "legal_moves",
    "may_give",
    "out_of_turn",
    "refusal",
    "step",
]
