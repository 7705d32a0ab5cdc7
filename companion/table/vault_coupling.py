"""Couples the vault's lock with the game: who may guess, and what the lid changes.

The *keeper* drives the lock. A *guess* is the number that a player sets on the wheel of
the locked vault; it is *due* when the rules let that player guess. The companion
*leads* a game if it follows every turn, and not only the money.

Before the lock accepts a press of M, its guess button, it asks here whether a guess is
due. The guess is written into the journals of lock and game in one transaction, and
only then does the bolt move. So after a power cut both journals have the guess or
neither, and a right guess still opens the lock. The state of the lid is reported to the
game until the game agrees with the lock.

The single worker thread of the keeper does all that the lock does. Phones only put a
press into its queue, just as a finger on the button does.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import count

from companion.errors import CompanionError, DamagedGame, JournalFault, Refused, Why
from companion.game import Game
from companion.game import moves as m
from companion.game.commands import Command
from companion.game.envelope import VAULTS_OWN, Envelope, Receipt
from companion.game.position import OPENING
from companion.health import Finding
from companion.lock.events import NumberGuessed, VaultEvent, remember
from companion.lock.keeper import KeeperSettings, VaultKeeper
from companion.lock.locksmith import DueGuess
from companion.lock.senses import YELLOW_PRESSES
from companion.lock.states import VaultState
from companion.lock.view import VaultView
from companion.ports import Clock, Hands, Line, VaultDevice
from companion.rules import may_give
from companion.rules.begin import is_playing
from companion.rules.vault import VAULT_LOCKED_RULE
from companion.sheets import Told
from companion.store import Act, Journals
from companion.table.lid_reports import LID_IS_UP, report_due
from companion.table.service import TableService
from companion.table.vault_journal import VaultJournal, update_heard
from companion.units import VAULT, GameId, Revision
from companion.views.book import result_of
from companion.views.vault_in_game import VaultInGame, vault_in_game
from companion.words import say

ONE_VAULT_RULE = Told("A table has one vault, which serves one game at a time.")

LOCK = "lock"
"""The topic of notices that pages draw the lock otherwise, as at a jam or a fault.

Its sentence and its wheel, which change more often, are told on the topic ``VAULT``.
"""

log = logging.getLogger(__name__)

REPORTS_MAX = 4
"""The most reports in a row; if lock and game still differ, more do not help."""

TAPS_MAX = 100
"""How many taps of phones are remembered, so that a repeated tap is one press."""

STOP_TIMEOUT_S = 5.0
"""How long ``stop`` waits for the thread."""

LOOK_AGAIN_S = 60.0
"""After so many seconds without a change, lock and game are compared anyway."""


@dataclass(frozen=True, slots=True)
class VaultParts:
    """The parts that a vault is built from.

    Attributes:
        device: Opens the device; takes whether the lid was shut when last known.
        clock: The keeper's own clock; nothing else uses it, so that nothing delays
            presses and lights.
        draw_code: Draws a new code, an unguessable number from 1 to 6.
        settings: Settings of the keeper.
    """

    device: Callable[[bool], VaultDevice]
    clock: Clock
    draw_code: Callable[[], int]
    settings: KeeperSettings | None = None


class VaultCoupling:
    """Couples one table with one vault; safe to call from any thread.

    Args:
        table: All games; the vault serves the one on the table.
        journals: Where the vault's own journal is kept.
        parts: The parts of the vault.

    Attributes:
        keeper: Drives the vault's lock.

    Raises:
        JournalFault: If the vault's journal cannot be read.
        DeviceFault: If the device cannot be opened.
    """

    def __init__(
        self, table: TableService, journals: Journals, parts: VaultParts
    ) -> None:
        self._table = table
        journal = self._journal = VaultJournal(journals, table.clock)
        remembered = journal.remembered()
        self.keeper = VaultKeeper(
            parts.device(remember(remembered).was_lid_shut),
            parts.clock,
            self.record,
            parts.draw_code,
            remembered=remembered,
            settings=parts.settings,
            gate=self.gate,
        )
        self.keeper.subscribe(self._update_game)
        self.keeper.subscribe(self._tell_pages)
        self._changes = table.subscribe()
        # Only the keeper's worker thread uses these.
        self._numbers, self._drawn = count(1), (VaultState.UNKNOWN, True)
        self._heard = update_heard(frozenset(), remembered)
        self._ignored_at: tuple[GameId, Revision] | None = None
        self._tapping = threading.RLock()
        self._taps: OrderedDict[tuple[str, str, str], Receipt] = OrderedDict()
        self._is_to_lock = False  # A phone shut the lid; no sensor felt it.
        self._thread: threading.Thread | None = None

    # Questions and reports of the lock; called by the keeper's worker.

    @contextmanager
    def gate(self) -> Iterator[DueGuess | None]:
        """Yield the guess that a press of M makes now; None if it makes none.

        Implements ``locksmith.Gate``.
        """
        with ExitStack() as led:  # Nobody can undo the roll until the guess counts.
            try:
                due = self._due_guess(led.enter_context(self._led()))
            except JournalFault as fault:  # Nobody knows whether one is due.
                log.warning("vault_not_asked said=%r", str(fault))
                due = None
            yield due

    def _due_guess(self, game_id: GameId | None) -> DueGuess | None:
        """Return the guess that is due in a game, or outside of any."""
        if game_id is None:
            return DueGuess()
        self._agree(game_id, VaultState.LOCKED)
        seat = self._guesser(self._table.game(game_id))
        if seat:
            return DueGuess(game_id, seat)
        self._ignore(game_id)
        return None

    def record(self, events: tuple[VaultEvent, ...]) -> None:
        """Write what the lock did into its journal, and a guess also into its game.

        Raises:
            JournalFault: If it could not be written; lock and game are as they were.
            Refused: If the game does not accept the guess.
        """
        guesses = (event for event in events if isinstance(event, NumberGuessed))
        guess = next(guesses, None)
        write = partial(self._write_guess, guess) if guess and guess.game else None
        self._journal.record(events, write)
        self._heard = update_heard(self._heard, events)

    def _write_guess(self, guessed: NumberGuessed, entry_id: str, also: Act) -> None:
        """Write a guess into its game, and into the lock's journal (*also*)."""
        guess = m.Guess(
            by=guessed.seat,
            number=guessed.number,
            is_right=guessed.is_right,
            is_lid_up=False,
        )
        tap = Envelope(guess, entry_id, is_tables_own=True)
        receipt = self._table.submit(guessed.game, tap, also=also)
        assert not receipt.is_repeat, "an entry of the lock has an id of its own"

    def _update_game(self, view: VaultView) -> None:
        """Bring the game up to date after a change of the vault."""
        self._press_yellow(view.state)
        with self._led() as game_id:
            if game_id is not None:
                self._agree(game_id, view.state)

    def _tell_pages(self, view: VaultView) -> None:
        """Tell open pages of a change, and of one that may change no game."""
        number, drawn = next(self._numbers), (view.state, view.is_writable)
        if drawn != self._drawn:
            self._table.notices.tell(LOCK, number)
            self._drawn = drawn
        self._table.notices.tell(VAULT, number)

    # For pages: the keeper's view of the vault, in the game's words.

    @property
    def hands(self) -> Hands | None:
        """Simulated hands for a simulated vault; ``None`` for a real one."""
        return self.keeper.hands

    def findings(self) -> tuple[Finding, ...]:
        """Report the condition of the vault (``VaultKeeper.findings``)."""
        return self.keeper.findings()

    def view(self, game_id: GameId | None = None) -> VaultView:
        """Return the vault as it is now, with the game's sentence if one is played.

        A page of *game_id* is told no sentence of another game.
        """
        in_game = self.seen(game_id)
        view = self.keeper.view()
        return view if in_game is None else replace(view, said=in_game.sentence)

    def seen(self, game_id: GameId | None = None) -> VaultInGame | None:
        """Return the vault as part of the game on the table.

        ``None`` if that is not *game_id*, is no led game with a vault, or is damaged.
        """
        with suppress(DamagedGame), self._led() as led:
            if led is None or game_id not in (None, led):
                return None
            game, view = self._table.game(led), self.keeper.view()

            def make() -> VaultInGame | None:
                return vault_in_game(game, view, self._table.latest_events(led))

            return result_of(game, (vault_in_game, view), make)
        return None

    def set_wheel(self, number: int) -> None:
        """Set the wheel's position to the *number* that people read off its pointer."""
        self.keeper.set_wheel(number)

    def clear_fault(self) -> None:
        """Go on after a fault or a forced lid, once a person has looked."""
        self.keeper.clear_fault()

    # Phones' commands.

    def take(self, game_id: GameId, envelope: Envelope) -> Receipt | None:
        """Pass a phone's guess or locking to the vault; ``None`` for other commands.

        Raises:
            Refused: If the rules refuse it now, if the game is not the one on the
                table, or if a real vault has to be locked by hand.
        """
        command = envelope.command
        if not isinstance(command, m.Guess | m.LockVault):
            return None
        with self._table.alone_with(game_id), self._tapping:
            tap = (game_id, command.by, envelope.command_id)
            if tap in self._taps:
                return self._taps[tap]
            self._check(game_id, command)
            if isinstance(command, m.Guess):
                self.keeper.guess(command.number)
            else:
                self._lock_by_hand()
            receipt = Receipt(self._table.revision(game_id))
            self._taps[tap] = receipt
            if len(self._taps) > TAPS_MAX:
                self._taps.popitem(last=False)
            return receipt

    def _check(self, game_id: GameId, command: m.Guess | m.LockVault) -> None:
        """Refuse what the rules would refuse, before a button is pressed."""
        if game_id != self._table.on_table() or not is_led(self._table.game(game_id)):
            raise ONE_VAULT_RULE.refuses(
                Why.WRONG_STAGE,
                say("the vault serves the game that was opened last"),
                say("put the other game away first"),
            )
        if isinstance(command, m.Guess):
            # The lock has not judged the guess yet. A right one hides no number.
            command = m.Guess(by=command.by, number=command.number, is_right=True)
        self._table.check(game_id, command)

    def _lock_by_hand(self) -> None:
        """Shut and lock a simulated vault; refuse to if it is a real one."""
        hands = self.keeper.hands
        if hands is None:
            raise VAULT_LOCKED_RULE.refuses(
                Why.VAULT_OPEN,
                say("the vault is locked at the vault"),
                say(
                    "shut the lid and press yellow three times; if it does not feel "
                    "its lid, a grown-up looks at the switch"
                ),
            )
        hands.shut_lid()
        self._is_to_lock = True
        self._press_yellow(self.keeper.view().state)

    def _press_yellow(self, state: VaultState) -> None:
        """Press yellow once the lock feels the lid that a phone shut."""
        hands = self.keeper.hands
        with self._tapping:
            if state is VaultState.SHUT and self._is_to_lock and hands is not None:
                for _ in range(YELLOW_PRESSES):
                    hands.press(Line.YELLOW_BUTTON)
            if state is not VaultState.OPEN:
                self._is_to_lock = False

    # Following the games: one may begin, or need the lid reported again.

    def start(self) -> None:
        """Let the vault work, and compare lock and game whenever a game changes."""
        self.keeper.start()
        self._thread = threading.Thread(
            target=self._follow, name="vault-coupling", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Stop the threads and close the device; may be called without ``start``."""
        self._table.notices.unsubscribe(self._changes)
        if self._thread is not None:
            self._thread.join(STOP_TIMEOUT_S)
        self.keeper.stop()

    def _follow(self) -> None:
        while self.follow(LOOK_AGAIN_S):
            pass

    def follow(self, wait_s: float) -> bool:
        """Compare lock and game at the next change, or after *wait_s*.

        Returns:
            False once the subscription is closed.
        """
        changed = self._changes.wait(wait_s)
        if changed is not None and set(changed) != {VAULT}:
            self.look()
        return changed is not None

    def look(self) -> None:
        """Have the worker compare lock and game; returns at once."""
        try:
            self.keeper.show_to(self._update_game)
        except Refused as refused:
            log.info("vault_not_looked reason=%r", refused.message)

    # Internals; the caller holds the lock of the game (``_led`` takes it itself).

    @contextmanager
    def _led(self) -> Iterator[GameId | None]:
        """Hold the game on the table; yield its id if ``is_led``, else None."""
        with self._table.at_current() as game_id:
            if game_id is not None and not is_led(self._table.game(game_id)):
                game_id = None
            yield game_id

    def _guesser(self, game: Game) -> str:
        """Return the seat whose guess is due; empty for none."""
        assert game.play is not None, "a game that is led is being played"
        seat = game.play.mover.seat
        return seat if may_give(game, seat, m.Guess) else ""

    def _agree(self, game_id: GameId, state: VaultState) -> None:
        """Report the state of the lock until the game agrees with it."""
        for _ in range(REPORTS_MAX):
            play = self._table.game(game_id).play
            if play is None or play.vault_contents is None:
                return
            tried = {(game_id, number) for number in play.vault_contents.tried}
            has_new_code = not tried <= self._heard  # It voids what was heard before.
            report = report_due(state, play.vault_contents, has_new_code=has_new_code)
            if report is None or not self._tell(game_id, report, "lid"):
                return

    def _ignore(self, game_id: GameId) -> None:
        """Note a press of M without a due guess; several in a row make one entry."""
        revision = self._table.revision(game_id)
        if self._ignored_at != (game_id, revision):
            self._tell(game_id, m.ReportPress(by=VAULT), "press")
            self._ignored_at = (game_id, self._table.revision(game_id))

    def _tell(self, game_id: GameId, command: Command, what: str) -> bool:
        """Submit a report to the game; if that fails, it is logged and due again later.

        Returns:
            Whether the game wrote it as a new entry.
        """
        revision = self._table.revision(game_id)
        envelope = Envelope(command, f"{VAULTS_OWN}{what}-{revision:08d}")
        try:
            return not self._table.submit(game_id, envelope).is_repeat
        except CompanionError as error:
            name = type(command).__name__
            log.warning("vault_not_told what=%s said=%r", name, str(error))
            return False


def is_led(game: Game) -> bool:
    """Tell whether the companion leads this game and the game has a vault."""
    has_vault = game.play is not None and game.play.vault_contents is not None
    return has_vault and is_playing(game) and not game.is_closed


def open_by_hand(table: TableService) -> None:
    """Report the lid as open in every game that waits for it, as no lock is connected.

    People open a jammed vault with a screwdriver, and the game box's own by hand. Each
    game is told when it is read from the disk, so that the program need not read all
    games as it starts.
    """
    table.on_read = partial(_open_by_hand, table)


def _open_by_hand(table: TableService, game_id: GameId) -> None:
    game = table.game(game_id)
    contents = game.play.vault_contents if game.play is not None else None
    if game.is_closed or contents is None or contents.lid != OPENING:
        return
    opened = Envelope(LID_IS_UP, f"{VAULTS_OWN}by-hand-{table.revision(game_id):08d}")
    try:
        table.submit(game_id, opened)
    except CompanionError as error:
        log.warning("vault_not_opened_by_hand said=%r", str(error))
