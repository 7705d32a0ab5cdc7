"""One table with all its parts, and the entrance for everything that a phone sends.

A phone sends each *tap* in an envelope: a command, and the revision of the game that
its page showed. Dice and cards are thrown and drawn here, before the command reaches
the rules, and guesses at the vault are passed to its lock.

The program, the tests and the benchmarks all build tables with ``build_table``; nothing
is attached to a table later.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from msgspec.structs import replace

from companion.box.own_editions import OwnEditions
from companion.edition.catalogue import Catalogue
from companion.errors import Malformed
from companion.game import moves as m
from companion.game.commands import Command
from companion.game.envelope import Envelope, Receipt
from companion.ports import Clock
from companion.rules.drawing import Chance, Source, complete_command
from companion.store import Act, Journals, Phones, Store
from companion.table import again
from companion.table.lid_reports import LID_IS_UP
from companion.table.seating import Seating, draw_first_run_code
from companion.table.service import GAMES_MAX, TableService
from companion.table.vault_coupling import VaultCoupling, VaultParts
from companion.units import GameId
from companion.words import say


@dataclass(frozen=True, slots=True)
class Table:
    """One table.

    Attributes:
        service: All games; nothing else writes them.
        seating: Which phone holds which seat.
        editions: Returns an edition by its id, with this table's readings of its box.
        vault: The vault, coupled with the games; ``None`` if there is none.
        chance: Throws the dice and draws the cards.
    """

    service: TableService
    seating: Seating
    editions: OwnEditions
    vault: VaultCoupling | None
    chance: Chance

    def give(
        self,
        game_id: GameId,
        envelope: Envelope,
        *then: Command,
        also: Act | None = None,
    ) -> Receipt:
        """Carry out one tap of a phone, after throwing or drawing what it needs.

        A repeated tap gets its first answer; what was drawn for the repeat is lost.
        For *then* and *also* see ``TableService.submit``.

        Raises:
            Malformed: If the command makes no sense.
            Refused: By the rules, or because the page was too old.
        """
        command = envelope.command
        if self.vault is not None:
            receipt = self.vault.take(game_id, envelope)
            if receipt is not None:
                return receipt
        elif isinstance(command, m.Guess):
            return self.service.submit(game_id, _complete_toy_guess(envelope, command))
        ready = replace(envelope, command=self._complete(game_id, command))
        return self.service.submit(game_id, ready, *then, also=also)

    def begin_open(self, game_id: GameId, begin: Envelope) -> Receipt:
        """Begin a game, and report the lid as open: people still fill the vault."""
        return self.give(game_id, begin, LID_IS_UP)

    def _complete(self, game_id: GameId, command: Command) -> Command:
        """Fill in what chance decides."""
        game = self.service.game(game_id)
        edition = partial(self.editions, game.terms.edition)
        return complete_command(command, Source(game, edition, self.chance))

    def play_again(self, game_id: GameId) -> GameId:
        """Open a game like one that ended (``again.play_again``)."""
        complete = partial(self._complete, game_id)
        has_lock = self.vault is not None
        return again.play_again(self.service, complete, game_id, has_lock=has_lock)

    def next_game(self, game_id: GameId) -> GameId | None:
        """Return the open game in which one that ended is played again, or None."""
        follower = again.next_game(self.service, game_id)
        if follower is None:  # The usual case, found without reading the game.
            return None
        return follower if again.is_over(self.service.game(game_id)) else None


OFF_THE_WHEEL = -1
"""A number that the rules refuse as none of the wheel."""


def _complete_toy_guess(envelope: Envelope, guess: m.Guess) -> Envelope:
    """Complete a guess at the vault of the game box, a toy that is not connected.

    People type in whether the number was right; if it was, the lid is up.

    Raises:
        Malformed: If nobody has said what the toy did.
    """
    if guess.is_right is None:
        raise Malformed(
            say("you have not said yet whether the number was right"),
            say("tap what the vault did"),
        )
    number = guess.number or OFF_THE_WHEEL  # Only a script may hide what was guessed.
    guess = replace(guess, number=number, is_lid_up=guess.is_right)
    return replace(envelope, command=guess)


def build_table(
    database: Store,
    clock: Clock,
    catalogue: Catalogue | None = None,
    *,
    vault: VaultParts | None = None,
    chance: Chance | None = None,
    draw_first_code: Callable[[int], str] = draw_first_run_code,
    tell_first_code: Callable[[str], None] = lambda _code: None,
    games_max: int = GAMES_MAX,
) -> Table:
    """Build a table over its games on disk; nothing moves until its vault is started.

    Args:
        database: Where everything is kept.
        clock: The wall clock.
        catalogue: The editions as their files have them; by default the program's own.
        vault: The parts of its vault, if it has one.
        chance: Throws the dice and draws the cards; by default unpredictable.
        draw_first_code: Draws a new first-run code; takes the number of its digits.
        tell_first_code: Called with each first-run code that replaces another.
        games_max: How many games are kept.

    Raises:
        JournalFault: If the games or the vault's journal cannot be read.
        DeviceFault: If the vault's device cannot be opened.
    """
    journals = Journals(database)
    editions = OwnEditions(catalogue or Catalogue(), journals, clock)
    service = TableService(journals, Phones(database), clock, editions, games_max)
    return Table(
        service,
        Seating(service, draw_first_code, tell_first_code),
        editions,
        None if vault is None else VaultCoupling(service, journals, vault),
        chance or secrets.SystemRandom(),
    )
