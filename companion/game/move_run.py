"""Carrying out one move: a rule makes events one by one, and sees the game in between.

A ``MoveRun`` starts from a game and collects events; each is applied at once, so
that the rule's next line sees the effect of the line before. Nothing outside the run
changes until the rule is done.
"""

from __future__ import annotations

from companion.game import Game
from companion.game import play_events as p
from companion.game.board import Board
from companion.game.events import GameEvent, MoneyMoved
from companion.game.ledger import Reason
from companion.game.position import Position
from companion.units import BANK, Account, Dollars, Seat


class MoveRun:
    """The events of one move while it is carried out, and the game they lead to.

    Attributes:
        game: The game after the events so far.
        play: The position of that game.
        board: The board of that game.
        events: The events so far, in order.
    """

    __slots__ = ("board", "events", "game", "play")

    board: Board
    play: Position

    def __init__(self, game: Game) -> None:
        self.events: list[GameEvent] = []
        self._see(game)

    def _see(self, game: Game) -> None:
        """Keep position and board at hand; before guided play begins there are none."""
        self.game = game
        if game.play is not None and game.board is not None:
            self.play = game.play
            self.board = game.board

    def add(self, event: GameEvent) -> None:
        """Apply *event*, and keep it."""
        self.events.append(event)
        self._see(self.game.after(event))

    def cash(self, seat: str) -> Dollars:
        """What a seat has in hand."""
        return self.game.ledger[Account(seat)]

    def pay(self, payer: str, payee: str, amount: Dollars, reason: Reason) -> None:
        """Move money that is known to be there; nothing happens for $0."""
        if amount:
            self.add(
                MoneyMoved(
                    payer=Account(payer),
                    payee=Account(payee),
                    amount=amount,
                    reason=reason,
                )
            )

    def charge(self, payer: Seat, payee: str, amount: Dollars, reason: Reason) -> None:
        """Move money; if the payer has too little, it is owed and play waits."""
        if amount > self.cash(payer):
            self.add(
                p.DebtOwed(
                    debtor=payer,
                    creditor=Account(payee),
                    amount=amount,
                    reason=reason,
                )
            )
        else:
            self.pay(payer, payee, amount, reason)

    def earn(self, payee: str, amount: Dollars, reason: Reason) -> None:
        """Have the bank pay *payee*; nothing happens for $0."""
        self.pay(BANK, payee, amount, reason)
