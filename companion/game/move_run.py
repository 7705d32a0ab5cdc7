"""A rule at work: it lets things happen one after another, and looks in between.

A ``MoveRun`` starts from a game and collects events; each is applied at once, so
that the rule's next line sees what the line before it made. Nothing outside
learns of it until the rule is done.
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
    """What happens while one move is carried out.

    Attributes:
        game: As it stands after the events so far.
        play: Its position.
        board: Its rules.
        events: So far, in order.
    """

    __slots__ = ("board", "events", "game", "play")

    board: Board
    play: Position

    def __init__(self, game: Game) -> None:
        self.events: list[GameEvent] = []
        self._see(game)

    def _see(self, game: Game) -> None:
        """Keep what every rule asks for at hand; before play begins there is none."""
        self.game = game
        if game.play is not None and game.board is not None:
            self.play = game.play
            self.board = game.board

    def add(self, event: GameEvent) -> None:
        """Let *event* happen."""
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
        """Move money that may not be there: then it is owed, and play waits."""
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
        """The bank pays."""
        self.pay(BANK, payee, amount, reason)
