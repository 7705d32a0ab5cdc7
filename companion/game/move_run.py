"""Carrying out one move: a rule adds events one by one, and sees the game in between.

A ``MoveRun`` starts from a game and collects the events of a move. Each event is
applied at once, so that the rule's next line sees its effect. The game that the run
started from never changes: the caller takes the events, or drops them if the rule
refuses the move.

Most events change only the position. The game around it is put together only when
somebody reads ``game``.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.game import Game
from companion.game.board import Board
from companion.game.decoder_events import PaymentLaid
from companion.game.events import GameEvent, MoneyMoved
from companion.game.ledger import Reason
from companion.game.play_events import DebtOwed, SeatBankrupted
from companion.game.playing import PLAY_AFTER
from companion.game.position import Payment, Position
from companion.units import BANK, Account, Dollars, Seat


class MoveRun:
    """The events of one move while it is carried out, and the game they lead to.

    Attributes:
        play: The position after the events so far; not set before guided play.
        board: The board; not set before guided play.
        events: The events so far, in order.
    """

    __slots__ = ("_game", "_is_behind", "board", "events", "play")

    board: Board
    play: Position

    def __init__(self, game: Game) -> None:
        self.events: list[GameEvent] = []
        self._continue_from(game)

    def _continue_from(self, game: Game) -> None:
        self._game = game
        self._is_behind = False
        if game.play is not None and game.board is not None:
            self.play = game.play
            self.board = game.board

    @property
    def game(self) -> Game:
        """The game after the events so far."""
        if self._is_behind:
            self._game = replace(self._game, play=self.play)
            self._is_behind = False
        return self._game

    def add(self, event: GameEvent) -> None:
        """Apply *event*, and add it to the events of the move."""
        self.events.append(event)
        apply = PLAY_AFTER.get(type(event))
        if apply is None or isinstance(event, SeatBankrupted):
            self._continue_from(self.game.after(event))
        else:
            self.play = apply(self.play, self.board, event)
            self._is_behind = True

    def balance(self, account: str) -> Dollars:
        """Return the balance of an account, in dollars."""
        return self._game.ledger[Account(account)]

    def cash(self, seat: str) -> Dollars:
        """Return the money in a seat's hand, without what it has laid on the table."""
        return self.balance(seat) - self.play.laid_by(seat)

    def pay(
        self,
        payer: str,
        payee: str,
        amount: Dollars,
        reason: Reason,
        how: str = "",
        *,
        is_likely: bool = False,
    ) -> None:
        """Move money that the payer is known to have; do nothing for $0.

        *how* says how the amount came about (``how.py``).
        """
        if amount:
            self.add(
                MoneyMoved(
                    payer=Account(payer),
                    payee=Account(payee),
                    amount=amount,
                    reason=reason,
                    is_likely=is_likely,
                    how=how,
                )
            )

    def make(self, payment: Payment) -> None:
        """Move the money of a payment, which the payer is known to have."""
        self.pay(
            payment.payer,
            payment.payee,
            payment.amount,
            payment.reason,
            payment.how,
            is_likely=payment.is_likely,
        )

    def owe(self, payment: Payment) -> None:
        """Let the payer owe what it cannot pay; play waits."""
        self.add(
            DebtOwed(
                debtor=payment.payer,
                creditor=payment.payee,
                amount=payment.amount,
                reason=payment.reason,
                how=payment.how,
            )
        )

    def lays(self, payment: Payment) -> bool:
        """Lay money on the table, so that others may look at it before it moves.

        Return ``False`` if the edition has no fakes or the amount is 0: then nothing
        was laid, and the caller moves the money at once.
        """
        if self.board.rules.decoder is None or not payment.amount:
            return False
        self.add(PaymentLaid(payment=payment))
        return True

    def charge(
        self, payer: Seat, payee: str, amount: Dollars, reason: Reason, how: str = ""
    ) -> None:
        """Take money from *payer*; in an edition with fakes it is first laid down.

        If *payer* has too little, it owes the amount, and play waits. $0 is never owed,
        even by who has laid more on the table than it still has.
        """
        payment = Payment(payer, Account(payee), amount, reason, how=how)
        if amount and amount > self.cash(payer):
            self.owe(payment)
        elif not self.lays(payment):
            self.make(payment)

    def earn(
        self,
        payee: str,
        amount: Dollars,
        reason: Reason,
        how: str = "",
        *,
        is_likely: bool = False,
    ) -> None:
        """Pay *payee* from the bank; do nothing for $0."""
        self.pay(BANK, payee, amount, reason, how, is_likely=is_likely)
