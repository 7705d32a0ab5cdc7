"""Guesses that the lock has written down and that their games have yet to count.

A guess belongs to the seat that had the dice when M was pressed, as the lock's
journal says. Until its game has counted it, nobody plays on in that game: each
command counts it first, and waits where the game cannot be written down.
"""

from __future__ import annotations

import logging

from companion import moves as m
from companion.commands import CorrectBalance
from companion.envelope import Envelope
from companion.errors import CompanionError, JournalFault, Refused, Why
from companion.game import Game
from companion.rules.guided import is_playing
from companion.table import TableService
from companion.units import VAULT
from companion.vault_events import GuessRefused, NumberGuessed
from companion.vault_journal import VaultJournal
from companion.words import say

log = logging.getLogger(__name__)

NEVER_WAITING = (m.CorrectPosition, CorrectBalance)
"""What the table agrees on goes on: the way out, if a guess can never be counted."""


def is_led(game: Game) -> bool:
    """Whether the companion leads this game, and it is played with a vault."""
    has_vault = game.play is not None and game.play.riches is not None
    return has_vault and is_playing(game) and not game.is_closed


class Guesses:
    """The last guess of each game, until it is known to be counted.

    All of it under the table's lock.

    Args:
        table: All games.
        journal: The vault's own; a guess in it may have been counted or not.

    Raises:
        JournalFault: If the journal cannot be read.
    """

    def __init__(self, table: TableService, journal: VaultJournal) -> None:
        self._table = table
        self._journal = journal
        self._waiting = journal.last_guesses()

    def hear(self, event: NumberGuessed) -> None:
        """Count a guess that the lock has written down just now."""
        self._waiting[event.game] = (self._journal.revision, event)
        self.count(event.game)

    def is_waiting(self, journal: str) -> bool:
        """Whether a guess of this game is not known to be counted."""
        return journal in self._waiting

    def count(self, journal: str) -> None:
        """Give the game the guess that it has not got; it takes each only once."""
        if journal not in self._waiting:
            return
        game = self._table.game(journal)
        if game.play is None or not is_led(game):
            return  # It counts once the companion leads again.
        revision, event = self._waiting[journal]
        guess = m.Guess(
            by=event.seat or game.play.mover.seat,
            number=event.number,
            is_right=event.is_right,
            is_lid_up=False,
        )
        tap = Envelope(guess, f"vault-guess-{revision:08d}", is_tables_own=True)
        try:
            self._table.submit(journal, tap)
        except Refused as refused:
            log.warning("heist_refused what=Guess said=%r", str(refused))
            self._forget(journal)  # The table has agreed otherwise, for good.
        except CompanionError as error:
            log.warning("heist_not_counted what=Guess said=%r", str(error))
        else:
            del self._waiting[journal]

    def come_first(self, journal: str, envelope: Envelope) -> None:
        """Count what waits before *envelope* is decided (``TableService.before``).

        Raises:
            Refused: If it cannot be counted yet, and *envelope* has to wait, too.
        """
        if envelope.is_tables_own or envelope.command.by == VAULT:
            return
        self.count(journal)
        is_held_up = self.is_waiting(journal) and is_led(self._table.game(journal))
        if is_held_up and not isinstance(envelope.command, NEVER_WAITING):
            raise Refused(
                Why.WRONG_STAGE,
                say("the last guess at the vault is not written down yet"),
                say("make room on the companion's disk, then do it again"),
            )

    def _forget(self, journal: str) -> None:
        del self._waiting[journal]
        try:
            self._journal.record((GuessRefused(journal),))
        except JournalFault as fault:
            log.warning("heist_not_forgotten said=%r", str(fault))
