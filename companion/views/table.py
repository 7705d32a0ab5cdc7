"""The game as one seat, or the whole table, may see it.

Pages, JSON and streams are made from these views alone, so what they leave out, such as
the vault's code, cannot leak.

An *ask* is an open request for money: a seat asks a *payer*, who may pay or decline
it. A game is *guided* while the companion leads it by the rules of its box; otherwise
people play by hand, and the companion only keeps their money.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

import msgspec

from companion.game import Game
from companion.game.commands import Command
from companion.game.game import Ask, SeatState
from companion.game.ledger import Reason
from companion.game.stage import Stage
from companion.rules import RULES, keeps_bank, legal_commands, may_give
from companion.rules.bank import may_spend
from companion.rules.seats import full_box_limits
from companion.units import BANK, POT, VAULT, Account, Dollars, GameId, Revision
from companion.views.history import COMMON_NAMES, HistoryLine
from companion.words import say


class SeatRow(msgspec.Struct, frozen=True):
    """A seat as everybody sees it.

    Attributes:
        is_out: The seat is bankrupt or has left, in a game that the companion leads.
        has_left: The seat has left; one that is out but has not left is bankrupt.
    """

    seat: str
    name: str
    colour: str
    token: str
    balance: Dollars
    is_banker: bool
    has_phone: bool
    is_out: bool = False
    has_left: bool = False


class AskRow(msgspec.Struct, frozen=True):
    """An open request for money, and what the viewer may do about it.

    Attributes:
        payer: The seat or account that is asked.
        can_answer: The viewer may pay or decline it.
        can_pay: The viewer may pay it now.
        can_withdraw: The viewer made the request, and may take it back.
    """

    number: int
    seat: str
    payer: str
    amount: Dollars
    reason: Reason
    can_answer: bool
    can_pay: bool
    can_withdraw: bool


class TableView(msgspec.Struct, frozen=True):
    """What anybody at the table may see.

    Attributes:
        is_locked: Seats are taken only with the banker's consent.
        is_closed: The game was put away.
        banker: The seat that keeps the bank; empty if no seat does.
        bank: The bank's balance in dollars, like *pot* and *vault*; at most 0.
        seats: The seats at the table, the first to sit down first.
        lines: The latest entries, newest first.
    """

    game_id: GameId = msgspec.field(name="journal")
    name: str
    edition: str
    revision: Revision
    is_locked: bool
    is_closed: bool
    banker: str
    bank: Dollars
    pot: Dollars
    vault: Dollars
    has_vault: bool
    seats: tuple[SeatRow, ...]
    lines: tuple[HistoryLine, ...]

    def row(self, seat: str) -> SeatRow | None:
        """Return the row of *seat*; ``None`` if it does not sit at the table."""
        return next((row for row in self.seats if row.seat == seat), None)


class Commands(Set[str]):
    """The names of the commands that a seat may give now.

    Looking up one name, as pages do, asks the rules about that command only; iterating,
    as the JSON for programs does, about every command.
    """

    def __init__(self, game: Game, by: str) -> None:
        self._game, self._by = game, by

    def __contains__(self, name: object) -> bool:
        kind = KINDS.get(str(name))
        return kind is not None and may_give(self._game, self._by, kind)

    def __iter__(self) -> Iterator[str]:
        return (kind.__name__ for kind in legal_commands(self._game, self._by))

    def __len__(self) -> int:
        return sum(1 for _ in self)


KINDS = {kind.__name__: kind for kind in RULES}
"""Every kind of command, by the name of its class."""


class SeatView(msgspec.Struct, frozen=True):
    """What one phone may see and do.

    Attributes:
        by: Who gives the commands of this phone: its seat, ``bank`` or ``table``;
            empty for a guest.
        seat: The row of the phone's own seat; ``None`` if it holds none.
        is_banker: The phone may move everybody's money.
        commands: The names of the commands it may give now, such as ``Pay``.
        asks: The open requests that the phone's seat made or can answer, oldest first.
    """

    table: TableView
    by: str
    seat: SeatRow | None
    is_banker: bool
    commands: Commands
    salary: Dollars
    asks: tuple[AskRow, ...]

    def may(self, command: type[Command] | str) -> bool:
        """Return whether the rules allow *command* now with at least some arguments."""
        name = command if isinstance(command, str) else command.__name__
        return name in self.commands


def box_text(game: Game) -> str:
    """Say for how many players the box is, once it is full; empty before."""
    seats = full_box_limits(game)
    if seats is None:
        return ""
    least, most = seats
    players = len(game.present())
    if players <= most:
        return say("The box is for {least} to {most}.", least=least, most=most)
    return say(
        "The box is for {least} to {most}. With {players} its pieces may run short.",
        least=least,
        most=most,
        players=players,
    )


def table_view(
    game_id: GameId,
    revision: Revision,
    game: Game,
    held_seats: frozenset[str],
    lines: tuple[HistoryLine, ...],
) -> TableView:
    """Return the game as everybody at the table may see it.

    *held_seats* are those that some phone holds; *lines* are the latest entries.
    """
    return TableView(
        game_id=game_id,
        name=game.name,
        edition=game.terms.edition,
        revision=revision,
        is_locked=game.is_locked,
        is_closed=game.is_closed,
        banker=game.banker,
        bank=game.ledger[BANK],
        pot=game.ledger[POT],
        vault=game.ledger[VAULT],
        has_vault=game.terms.has_vault,
        seats=tuple(_seat_row(game, state, held_seats) for state in game.present()),
        lines=lines,
    )


def seat_view(table: TableView, game: Game, by: str) -> SeatView:
    """Return the game as one phone may see it; for *by*, see ``SeatView``."""
    return SeatView(
        table=table,
        by=by,
        seat=table.row(by),
        is_banker=bool(by) and keeps_bank(game, by),
        commands=Commands(game, by),
        salary=game.terms.salary,
        asks=tuple(
            _ask_row(game, ask, by)
            for ask in game.asks
            if may_spend(game, by, ask.payer) or may_spend(game, by, ask.seat)
        ),
    )


def _seat_row(game: Game, state: SeatState, held_seats: frozenset[str]) -> SeatRow:
    token = game.play.token(state.seat) if game.play and game.is_guided else None
    return SeatRow(
        seat=state.seat,
        name=state.name,
        colour=state.colour,
        token=state.token,
        balance=game.ledger[Account(state.seat)],
        is_banker=game.banker == state.seat,
        has_phone=state.seat in held_seats,
        is_out=token is not None and token.is_out,
        has_left=state.seat in game.left,
    )


def _ask_row(game: Game, ask: Ask, by: str) -> AskRow:
    """Return a request with what *by* may do about it.

    In a guided game it can be declined, but not paid.
    """
    can_answer = not game.is_closed and may_spend(game, by, ask.payer)
    has_money = ask.payer == BANK or game.ledger[ask.payer] >= ask.amount
    return AskRow(
        number=ask.number,
        seat=ask.seat,
        payer=ask.payer,
        amount=ask.amount,
        reason=ask.reason,
        can_answer=can_answer,
        can_pay=can_answer and has_money and not game.is_guided,
        can_withdraw=not game.is_closed and may_spend(game, by, ask.seat),
    )


def has_ended(game: Game) -> bool:
    """Return whether the game is over, and people do not go on by hand.

    ``again.is_over`` tells which games can be played again; those that go on by hand
    after their end can, too.
    """
    return game.is_guided and game.play is not None and game.play.base is Stage.OVER


def goes_on(game: Game) -> bool:
    """Return whether the game has neither ended nor been put away."""
    return not (game.is_closed or has_ended(game))


def names_in(view: TableView) -> dict[str, str]:
    """Return the name of every account in a sentence, by its id."""
    return {**COMMON_NAMES, **seat_names(view)}


def seat_names(view: TableView) -> dict[str, str]:
    """Return the players' names by their seats."""
    return {row.seat: row.name for row in view.seats}
