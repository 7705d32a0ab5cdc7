"""The number that opens a script's vault, which the game itself never gets.

A script states this *code* (``given vault code 3``, ``do vault lock code 5``). While
the script is played, ``CodeOfScript`` plays the part of the lock: the game gets only
the answer to each guess.

An exported script needs codes, too. They follow from the recorded guesses, without the
lock's real code: the number that was right, or else one that nobody tried.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.errors import Malformed
from companion.game import play_events as p
from companion.game import vault_contents_events as r  # For "riches".
from companion.game.commands import Command
from companion.game.journal import Entry
from companion.game.moves import CorrectPosition, Guess, LockVault
from companion.words.reading import number, one_word

CODE_WORDS = ("vault", "code")
"""The words before the code in a ``given`` line."""

CODE_MAX = 6
"""The largest number on the wheel."""

RELOCKED = ("vault", "locked")
"""The words of the correction that the vault is locked, with an unknown code."""

LOCKED_WITH = (*RELOCKED, "code")
"""The words of the same correction in a script; the code follows them."""


HIDDEN_WORD = "hidden"
"""The word in place of a wrong number that the table hides."""


class CodeOfScript:
    """The code that the script stated last; before that, no guess is right."""

    def __init__(self) -> None:
        self._number = 0  # There is no code, since the wheel has no 0.

    def set(self, words: tuple[str, ...]) -> None:
        """Set the code to the only word of *words*.

        Raises:
            Malformed: If that is no number on the wheel.
        """
        code = number(one_word(words), CODE_MAX)
        if not code:
            raise Malformed("expected a number of the wheel, got 0")
        self._number = code

    def without_code(self, command: Command) -> Command:
        """Return *command* as the game gets it: guesses answered, codes left out."""
        if isinstance(command, Guess):
            is_right = command.number == self._number != r.HIDDEN
            return replace(command, is_right=is_right)
        if isinstance(command, CorrectPosition) and command.words[:3] == LOCKED_WITH:
            return replace(command, words=RELOCKED)  # Only the lock knows the code.
        return command

    def after(self, command: Command, words: tuple[str, ...]) -> None:
        """Forget the code if *command* ended it, or set the new one in its words."""
        is_set = isinstance(command, CorrectPosition) and command.words[:2] == RELOCKED
        if isinstance(command, Guess) and command.is_right:
            self._number = 0  # There is no code until the vault is locked again.
        elif isinstance(command, LockVault) or is_set:
            self._number = 0
            if "code" in words:
                self.set(words[words.index("code") + 1 :])


# Codes of a recorded game.


def codes_in_hindsight(entries: tuple[Entry, ...]) -> Iterator[int]:
    """Yield a code for the beginning, and one for each later locking of the vault.

    Each code fits the guesses made until the next locking; it is 0 if no number fits.
    """
    wrong: set[int] = set()
    right = 0
    for entry in entries:
        for event in entry.events:
            if isinstance(event, r.GuessMade):
                if event.is_right:
                    right = event.number
                else:
                    wrong.add(event.number)
            elif is_locking(event):
                yield right or _untried(wrong)
                wrong, right = set(), 0
    yield right or _untried(wrong)


def is_locking(event: object) -> bool:
    """Return whether this event gives the vault another code."""
    if isinstance(event, p.PositionCorrected):
        return event.words == RELOCKED
    return isinstance(event, r.VaultRefilled)


def _untried(wrong: set[int]) -> int:
    """Return the lowest number of the wheel not in *wrong*; 0 if there is none."""
    numbers = range(1, CODE_MAX + 1)
    return next((number for number in numbers if number not in wrong), 0)


def code_words(code: int) -> str:
    """Return *code* as the end of a script line; empty for 0."""
    return f" code {code}" if code else ""
