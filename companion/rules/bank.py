"""Playing with the companion as the bank: paying, asking, correcting, undoing.

Source:
    The project's own house rules: every seat spends only its own money, and only
    the banker moves what belongs to others. The amounts of the salary and of
    what it adds to the vault are the edition's, from its data.
"""

from __future__ import annotations

from companion.errors import Refused, Why, quoted
from companion.game import Game
from companion.game import commands as c
from companion.game import events as e
from companion.game.game import Ask
from companion.game.ledger import Ledger, Reason, Transfer, check_amount, check_transfer
from companion.rules.rule import Events
from companion.rules.seats import known_seat
from companion.units import BANK, VAULT, Account
from companion.words import say
from companion.words.money import dollars_text


def may_spend(game: Game, by: str, account: str) -> bool:
    """Whether *by* may spend from *account*: as its owner, the banker or the table."""
    return by in (account, game.banker, c.TABLE)


def can_pay(game: Game, by: str) -> bool:
    """Whether *by* has anything to spend; the banker and the table always have."""
    return by in (game.banker, c.TABLE) or game.ledger[Account(by)] > 0


OWN_REASONS = frozenset(
    (Reason.START, Reason.SALARY, Reason.LEAVING, Reason.CORRECTION)
)
"""Reasons that only the program may give; from people they would fake the history."""


def pay(game: Game, command: c.Pay) -> Events:
    """Move money from one account to another."""
    for account in (command.payer, command.payee):
        _check_present(game, account)
    if not may_spend(game, command.by, command.payer):
        raise Refused(
            Why.NOT_YOURS,
            say("{payer}'s money is not yours", payer=command.payer),
            say("ask for it"),
        )
    _check_reason(command.reason)
    return _moved(
        game.ledger, command.payer, command.payee, command.amount, command.reason
    )


def can_ask(game: Game, by: str) -> bool:
    """Whether some seat for which *by* may ask has room for another request."""
    return any(
        may_spend(game, by, state.seat) and _asks_count(game, state.seat) < ASKS_MAX
        for state in game.present()
    )


def _asks_count(game: Game, seat: str) -> int:
    return sum(ask.seat == seat for ask in game.asks)


def _check_reason(reason: Reason) -> None:
    if reason in OWN_REASONS:
        wanted = ", ".join(x for x in Reason if x not in OWN_REASONS)
        raise Refused(
            Why.MALFORMED,
            say(
                "expected a reason of {wanted}, got {got}",
                wanted=wanted,
                got=reason.value,
            ),
            say("choose what the money is for"),
        )


def _check_present(game: Game, account: str) -> None:
    """Refuse names that are no account, and the account of a seat that has left."""
    if account not in game.ledger or any(
        state.seat == account and state.is_away for state in game.seats
    ):
        raise Refused(
            Why.UNKNOWN_SEAT,
            say("nobody called {account} is at this table", account=quoted(account)),
            say("choose a seat, the bank, the pot or the vault"),
        )


def _moved(
    ledger: Ledger, payer: Account, payee: Account, amount: int, reason: Reason
) -> tuple[e.MoneyMoved, ...]:
    check_transfer(ledger, Transfer(payer, payee, amount, reason))
    return (e.MoneyMoved(payer=payer, payee=payee, amount=amount, reason=reason),)


def has_salary(game: Game, by: str) -> bool:
    """Whether the edition pays a salary and somebody is there to get it."""
    return game.terms.salary > 0 and bool(game.present())


def collect_salary(game: Game, command: c.CollectSalary) -> Events:
    """Pay the salary for GO, and what the bank puts into the vault with it."""
    seat = known_seat(game, command.seat)
    if not may_spend(game, command.by, seat):
        raise Refused(Why.NOT_YOURS, say("{seat}'s salary is not yours", seat=seat))
    terms, account = game.terms, Account(seat)
    paid = _moved(game.ledger, BANK, account, terms.salary, Reason.SALARY)
    if not terms.vault_salary:
        return paid
    return paid + _moved(game.ledger, BANK, VAULT, terms.vault_salary, Reason.SALARY)


def ask_money(game: Game, command: c.AskMoney) -> Events:
    """Put a request before the payer; nothing moves yet."""
    seat = known_seat(game, command.seat)
    _check_present(game, command.payer)
    if not may_spend(game, command.by, seat):
        raise Refused(Why.NOT_YOURS, say("{seat} asks for itself", seat=seat))
    _check_reason(command.reason)
    if str(command.payer) == seat:
        raise Refused(Why.MALFORMED, say("{seat} cannot ask itself", seat=seat))
    check_amount(command.amount)
    if _asks_count(game, seat) >= ASKS_MAX:
        raise Refused(
            Why.LIMIT_REACHED,
            say("{seat} already has {limit} open requests", seat=seat, limit=ASKS_MAX),
            say("withdraw one first"),
        )
    return (
        e.MoneyAsked(
            number=game.asks_count + 1,
            seat=seat,
            payer=command.payer,
            amount=command.amount,
            reason=command.reason,
        ),
    )


ASKS_MAX = 8
"""How many open requests one seat may have at a time."""


def is_asked(game: Game, by: str) -> bool:
    """Whether a request waits for *by* to answer."""
    return any(may_spend(game, by, ask.payer) for ask in game.asks)


def can_pay_ask(game: Game, by: str) -> bool:
    """Whether *by* can answer a request that its payer has the money for."""
    return any(
        may_spend(game, by, ask.payer)
        and (ask.payer == BANK or game.ledger[ask.payer] >= ask.amount)
        for ask in game.asks
    )


def is_asking(game: Game, by: str) -> bool:
    """Whether *by* has a request that it can withdraw."""
    return any(may_spend(game, by, ask.seat) for ask in game.asks)


def _open_ask(game: Game, number: int) -> Ask:
    ask = game.ask(number)
    if ask is None:
        raise Refused(
            Why.NOT_ASKED,
            say("request {number} is not open", number=number),
            say("it was answered already"),
        )
    return ask


def _asked_of(game: Game, by: str, number: int) -> Ask:
    ask = _open_ask(game, number)
    if not may_spend(game, by, ask.payer):
        raise Refused(
            Why.NOT_YOURS,
            say("request {number} is for {payer}", number=number, payer=ask.payer),
        )
    return ask


def pay_ask(game: Game, command: c.PayAsk) -> Events:
    """Pay a request in full."""
    ask = _asked_of(game, command.by, command.number)
    paid = _moved(game.ledger, ask.payer, Account(ask.seat), ask.amount, ask.reason)
    return (*paid, e.AskAnswered(number=ask.number, answer=e.Answer.PAID))


def decline_ask(game: Game, command: c.DeclineAsk) -> Events:
    """Say no to a request."""
    ask = _asked_of(game, command.by, command.number)
    return (e.AskAnswered(number=ask.number, answer=e.Answer.DECLINED),)


def withdraw_ask(game: Game, command: c.WithdrawAsk) -> Events:
    """Take one's own request back."""
    ask = _open_ask(game, command.number)
    if not may_spend(game, command.by, ask.seat):
        raise Refused(
            Why.NOT_YOURS,
            say("request {number} is {seat}'s", number=ask.number, seat=ask.seat),
        )
    return (e.AskAnswered(number=ask.number, answer=e.Answer.WITHDRAWN),)


def correct_balance(game: Game, command: c.CorrectBalance) -> Events:
    """Set a balance the table agreed on; the bank gives or takes the difference."""
    _check_present(game, command.account)
    if command.account == BANK:
        raise Refused(
            Why.MALFORMED,
            say("the bank has what the others have not"),
            say("correct a seat"),
        )
    check_amount(command.balance, at_least=0)
    was = game.ledger[command.account]
    if command.balance == was:
        raise Refused(
            Why.MALFORMED,
            say(
                "{account} has {was} already",
                account=command.account,
                was=dollars_text(was),
            ),
        )
    return (e.BalanceCorrected(account=command.account, was=was, now=command.balance),)


def can_undo(game: Game, by: str) -> bool:
    """Whether there is something to take back, and *by* did it or keeps the bank.

    In guided play any seat may undo: money moves only by the rules there.
    """
    return game.undo_next is not None and (
        game.is_guided or by in (game.undo_actor, game.banker, c.TABLE)
    )


def undo(game: Game, command: c.Undo) -> Events:
    """Take back the last action; a seat takes back only its own."""
    if game.undo_next is None:
        raise Refused(Why.NOT_UNDOABLE, say("there is nothing to take back"))
    if not can_undo(game, command.by):
        raise Refused(
            Why.NOT_YOURS,
            say("the last action was {who}'s", who=game.undo_actor or BANK),
            say("ask {who} or the banker", who=game.undo_actor or BANK),
        )
    return (e.Undone(revision=game.undo_next),)


def can_redo(game: Game, by: str) -> bool:
    """Whether something was taken back, and *by* had done it or keeps the bank.

    In guided play any seat may restore it.
    """
    return game.redo_next is not None and (
        game.is_guided or by in (game.redo_actor, game.banker, c.TABLE)
    )


def redo(game: Game, command: c.Redo) -> Events:
    """Restore what was last taken back; a seat restores only its own."""
    if game.redo_next is None:
        raise Refused(Why.NOT_UNDOABLE, say("nothing was taken back"))
    if not can_redo(game, command.by):
        raise Refused(
            Why.NOT_YOURS,
            say("what was taken back was {who}'s", who=game.redo_actor or BANK),
            say("ask {who} or the banker", who=game.redo_actor or BANK),
        )
    return (e.Redone(revision=game.redo_next),)
