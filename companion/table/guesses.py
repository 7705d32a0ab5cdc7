"""Guesses that the lock has written down but their games have not counted yet.

A guess belongs to the seat that had the dice when M was pressed, as the lock's
journal says. Until its game has counted it, nobody plays on there: before each
command the guess is counted, and if it cannot be written, the command is refused.
"""

from __future__ import annotations

import logging

from companion.errors import CompanionError, JournalFault, Refused, Why
from companion.game import Game
from companion.game import moves as m
from companion.game.commands import CorrectBalance
from companion.game.envelope import Envelope
from companion.lock.events import GuessRefused, NumberGuessed
from companion.rules.begin import is_playing
from companion.table.service import TableService
from companion.table.vault_journal import VaultJournal
from companion.units import VAULT, GameId
from companion.words import say

log = logging.getLogger(__name__)

NEVER_WAITING = (m.CorrectPosition, CorrectBalance)
"""Corrections never wait: they are the way out if a guess can never be counted."""


def guess_id(entry_id: str) -> str:
    """The command id under which a game counts the guess of that entry of the lock."""
    return f"vault-guess-{entry_id.removeprefix('vault-')}"


def is_led(game: Game) -> bool:
    """Whether the companion leads this game, and it is played with a vault."""
    has_vault = game.play is not None and game.play.vault_contents is not None
    return has_vault and is_playing(game) and not game.is_closed


class Guesses:
    """The last guess of each game, until it is known to be counted.

    Every method is called under the table's lock.

    Args:
        table: All games.
        journal: The vault's own; its game may or may not have counted a guess in it.

    Raises:
        JournalFault: If the journal cannot be read.
    """

    def __init__(self, table: TableService, journal: VaultJournal) -> None:
        self._table = table
        self._journal = journal
        self._waiting = journal.last_guesses()

    def hear(self, event: NumberGuessed) -> None:
        """Count a guess that the lock has written down just now."""
        self._waiting[event.game] = (self._journal.latest_id, event)
        self.count(event.game)

    def is_waiting(self, game_id: GameId) -> bool:
        """Whether a guess of this game is not known to be counted."""
        return game_id in self._waiting

    def count(self, game_id: GameId) -> None:
        """Submit the waiting guess to its game, where it takes effect only once."""
        if game_id not in self._waiting:
            return
        game = self._table.game(game_id)
        if game.play is None or not is_led(game):
            return  # It is counted once the companion leads again.
        entry_id, event = self._waiting[game_id]
        guess = m.Guess(
            by=event.seat or game.play.mover.seat,
            number=event.number,
            is_right=event.is_right,
            is_lid_up=False,
        )
        tap = Envelope(guess, guess_id(entry_id), is_tables_own=True)
        try:
            self._table.submit(game_id, tap)
        except Refused as refused:
            log.warning("vault_refused what=Guess said=%r", str(refused))
            self._forget(game_id)  # The rules refuse it: it never counts.
        except CompanionError as error:
            log.warning("vault_not_counted what=Guess said=%r", str(error))
        else:
            del self._waiting[game_id]

    def come_first(self, game_id: GameId, envelope: Envelope) -> None:
        """Count a waiting guess before *envelope* is decided (``TableService.before``).

        Raises:
            Refused: If the guess cannot be counted yet, so *envelope* has to wait too.
        """
        if envelope.is_tables_own or envelope.command.by == VAULT:
            return
        self.count(game_id)
        is_held_up = self.is_waiting(game_id) and is_led(self._table.game(game_id))
        if is_held_up and not isinstance(envelope.command, NEVER_WAITING):
            raise Refused(
                Why.WRONG_STAGE,
                say("the last guess at the vault is not written down yet"),
                say("make room on the companion's disk, then do it again"),
            )

    def _forget(self, game_id: GameId) -> None:
        del self._waiting[game_id]
        try:
            self._journal.record((GuessRefused(game_id),))
        except JournalFault as fault:
            log.warning("vault_not_forgotten said=%r", str(fault))
