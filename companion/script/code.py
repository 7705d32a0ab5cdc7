"""The number that opens a script's vault: kept here, and in no game.

A script says it (``given vault code 3``, ``do vault lock code 5``), and plays the
lock: a guess goes into the game with only whether it was right.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.errors import Malformed
from companion.game.commands import Command
from companion.game.moves import CorrectPosition, Guess, LockVault
from companion.rules.placing import number, one_word

CODE_WORDS = ("vault", "code")
CODE_MAX = 6

RELOCKED = ("vault", "locked")
"""The table agrees that the vault is locked, with whatever number."""

LOCKED_WITH = (*RELOCKED, "code")
"""The same, when a script says with which."""


class CodeOfScript:
    """The code as the script said it; without one, no guess is right."""

    def __init__(self) -> None:
        self._number = 0

    def set(self, words: tuple[str, ...]) -> None:
        """The code is the one word that is left.

        Raises:
            Malformed: If it is no number of the wheel.
        """
        found = number(one_word(words), CODE_MAX)
        if not found:
            raise Malformed("expected a number of the wheel, got 0")
        self._number = found

    def told(self, order: Command) -> Command:
        """*order* with what the lock tells, where it is a guess."""
        if isinstance(order, Guess):
            return replace(order, is_right=order.number == self._number)
        if isinstance(order, CorrectPosition) and order.words[:3] == LOCKED_WITH:
            return replace(order, words=order.words[:2])  # The rest is for the lock.
        return order

    def after(self, order: Command, words: tuple[str, ...]) -> None:
        """A vault that was locked has the code that the line says."""
        is_set = isinstance(order, CorrectPosition) and order.words[:2] == RELOCKED
        if isinstance(order, Guess) and order.is_right:
            self._number = 0  # It opened: there is no code until it is locked.
        elif isinstance(order, LockVault) or is_set:
            self._number = 0
            if "code" in words:
                self.set(words[words.index("code") + 1 :])
