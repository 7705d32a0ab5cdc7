"""The number that opens a script's vault: kept here, and in no game.

A script states the code (``given vault code 3``, ``do vault lock code 5``) and plays
the part of the lock: the game is told only whether a guess was right.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.errors import Malformed
from companion.game.commands import Command
from companion.game.moves import CorrectPosition, Guess, LockVault
from companion.words.reading import number, one_word

CODE_WORDS = ("vault", "code")
CODE_MAX = 6

RELOCKED = ("vault", "locked")
"""The correction that the vault is locked, with a number that is not told."""

LOCKED_WITH = (*RELOCKED, "code")
"""The same correction, when a script says with which number."""


class CodeOfScript:
    """The code as the script last stated it; without a code, no guess is right."""

    def __init__(self) -> None:
        self._number = 0

    def set(self, words: tuple[str, ...]) -> None:
        """Set the code to the only word of *words*.

        Raises:
            Malformed: If it is not a number on the wheel.
        """
        found = number(one_word(words), CODE_MAX)
        if not found:
            raise Malformed("expected a number of the wheel, got 0")
        self._number = found

    def told(self, order: Command) -> Command:
        """*order* as the game gets it: a guess with the lock's answer, and no code."""
        if isinstance(order, Guess):
            return replace(order, is_right=order.number == self._number)
        if isinstance(order, CorrectPosition) and order.words[:3] == LOCKED_WITH:
            return replace(order, words=order.words[:2])  # The code is the lock's.
        return order

    def after(self, order: Command, words: tuple[str, ...]) -> None:
        """After *order* was played: forget the code, or set the one in the line."""
        is_set = isinstance(order, CorrectPosition) and order.words[:2] == RELOCKED
        if isinstance(order, Guess) and order.is_right:
            self._number = 0  # Open: there is no code until it is locked again.
        elif isinstance(order, LockVault) or is_set:
            self._number = 0
            if "code" in words:
                self.set(words[words.index("code") + 1 :])
