"""What was done by hand, as lines of a script: who paid, sat down or left."""

from __future__ import annotations

from companion.game import Game
from companion.game import events as e
from companion.game.journal import Entry
from companion.game.ledger import Reason
from companion.units import BANK, VAULT, Account, Dollars

Payment = tuple[str, str, Dollars]


def hand_lines(entry: Entry, before: Game, after: Game, terms: e.Terms) -> list[str]:
    """The lines of an entry that is no act of guided play.

    Args:
        entry: What was written down.
        before: The game before the entry.
        after: The game after it.
        terms: The money terms of the script's game, such as salary and start money.
    """
    moved = [one for one in entry.events if isinstance(one, e.MoneyMoved)]
    if moved and not before.is_guided:
        return _paid(moved, terms)
    told = {account: before.ledger[account] for account in before.ledger}
    lines: list[str] = []
    for event in entry.events:
        if isinstance(event, e.SeatAdded):
            lines += _sits_down(event.seat, is_guided=before.is_guided)
            account = Account(event.seat)
            told[account] = told.get(account, 0) + terms.start_money
        elif isinstance(event, e.SeatRemoved):
            lines.append(f"do table leave {event.seat}")
            told[Account(event.seat)] = 0
    return lines + [
        f"do table balance {account} {after.ledger[account]}"
        for account in after.ledger
        if account != BANK and after.ledger[account] != told[account]
    ]


def _paid(moved: list[e.MoneyMoved], terms: e.Terms) -> list[str]:
    """A salary line, if the script's edition pays as much; else who paid whom."""
    payments: list[Payment] = [(one.payer, one.payee, one.amount) for one in moved]
    first = moved[0]
    salary: list[Payment] = [(BANK, first.payee, terms.salary)]
    if terms.vault_salary:
        salary.append((BANK, VAULT, terms.vault_salary))
    if first.reason is Reason.SALARY and payments == salary:
        return [f"do table salary {first.payee}"]
    return [f"do table pay {payer} {payee} {much}" for payer, payee, much in payments]


def _sits_down(seat: str, *, is_guided: bool) -> list[str]:
    """The lines for a seat that joins; guided play is interrupted for it, then resumed.

    The ``undo`` takes back the ``rest``; the seat stays.
    """
    joins = f"do table join {seat}"
    return ["do table rest", joins, "do table undo"] if is_guided else [joins]
