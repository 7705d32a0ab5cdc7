"""Playing with the companion as the bank: paying, asking for money, correcting.

The people play by hand, and the companion only keeps the *ledger*: the balance of each
*account*, which is a seat, the bank, the pot or the vault. The *banker* is the seat
that keeps the bank, or the bank itself if no seat does; commands of the whole *table*
count as the banker's. An *ask* is an open request of a seat for money.

Source:
    The project's own house rules: every seat spends only its own money, and only
    the banker moves what belongs to others. The salary, and the payment into the vault
    that goes with it, are in the edition's data.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.errors import Why, quoted
from companion.game import Game
from companion.game import commands as c
from companion.game import events as e
from companion.game.game import Ask
from companion.game.ledger import (
    SEAT_RULE,
    Reason,
    Transfer,
    check_amount,
    check_transfer,
)
from companion.game.move_run import MoveRun
from companion.rules.ending import count_again
from companion.rules.rule import (
    OWN_MONEY_RULE,
    Choices,
    Range,
    Who,
    rule,
    single_choice,
)
from companion.rules.seats import known_seat
from companion.rules.walking import settle
from companion.sheets import LIMIT_RULE, TYPED_RULE, Told
from companion.units import BANK, VAULT, Account
from companion.words import say
from companion.words.money import AMOUNT_MAX, AMOUNT_MIN, dollars_text

BY_HAND_RULE = Told("You do the banking yourselves: the companion only counts.")
BEGUN_RULE = Told("No money moves before the game has begun.")
ASKS_RULE = Told(
    "A request for money waits until somebody answers it or takes it back."
)


def may_spend(game: Game, by: str, account: str) -> bool:
    """Return whether *by* is the account's owner, the banker or the whole table."""
    return by in (account, game.banker, c.TABLE)


def check_begun(game: Game, by: str) -> None:
    """Refuse to move money before the game has begun, and say who can begin it."""
    if game.has_begun:
        return
    if by in (game.banker, c.TABLE):
        remedy = say("begin it first")
    elif game.banker == BANK:
        remedy = say("wait until it begins")
    else:
        remedy = say("wait until {who} begins it", who=game.banker)
    message = say("the game has not begun yet")
    raise BEGUN_RULE.refuses(Why.NOT_BEGUN, message, remedy)


OWN_REASONS = frozenset(
    (Reason.START, Reason.SALARY, Reason.LEAVING, Reason.CORRECTION)
)
"""Reasons that only the program may give, so that the history stays true."""


def check_pay(run: MoveRun, command: c.Pay) -> None:
    """Check that the payer has the money, and that ``by`` may spend it."""
    check_begun(run.game, command.by)
    for account in (command.payer, command.payee):
        _check_present(run.game, account)
    if not may_spend(run.game, command.by, command.payer):
        raise OWN_MONEY_RULE.refuses(
            Why.NOT_YOURS,
            say("{payer}'s money is not yours", payer=command.payer),
            say("ask for it"),
        )
    _check_reason(command.reason)
    check_transfer(
        run.game.ledger,
        Transfer(command.payer, command.payee, command.amount, command.reason),
    )


def pay(run: MoveRun, command: c.Pay) -> None:
    """Move money from one account to another."""
    run.pay(command.payer, command.payee, command.amount, command.reason)


def pay_choices(run: MoveRun, by: str) -> Iterator[Range]:
    """Offer to pay any amount; only the banker may pay more than *by* has."""
    if not run.game.has_begun:
        return
    is_banker = by in (run.game.banker, c.TABLE)
    most = AMOUNT_MAX if is_banker else run.balance(by)
    if most:
        yield Range(c.Pay, 1, most)


def _check_reason(reason: Reason) -> None:
    if reason in OWN_REASONS:
        raise TYPED_RULE.refuses(
            Why.MALFORMED,
            say("{got} is a reason that only the table gives", got=reason.value),
            say("choose what the money is for"),
        )


def _check_present(game: Game, account: str) -> None:
    """Refuse a name that is no account, or that of a seat that has left."""
    away = [state.seat for state in game.seats if state.is_away]
    if account not in game.ledger or account in away:
        raise SEAT_RULE.refuses(
            Why.UNKNOWN_SEAT,
            say("nobody called {account} is at this table", account=quoted(account)),
            say("choose a seat, the bank, the pot or the vault"),
        )


def check_salary(run: MoveRun, command: c.CollectSalary) -> None:
    """Check that there is a salary, and that ``by`` may collect it."""
    check_begun(run.game, command.by)
    seat = known_seat(run.game, command.seat)
    if not may_spend(run.game, command.by, seat):
        raise OWN_MONEY_RULE.refuses(
            Why.NOT_YOURS,
            say("{seat}'s salary is not yours", seat=seat),
            say("ask the banker"),
        )
    check_amount(run.game.terms.salary)


def collect_salary(run: MoveRun, command: c.CollectSalary) -> None:
    """Pay the salary for GO, and what the vault gets with it."""
    terms = run.game.terms
    run.earn(command.seat, terms.salary, Reason.SALARY)
    run.earn(VAULT, terms.vault_salary, Reason.SALARY)


def salary_choices(run: MoveRun, by: str) -> Iterator[c.CollectSalary]:
    """Offer to collect the salary of each seat."""
    for state in run.game.present():
        yield c.CollectSalary(by=by, seat=state.seat)


ASKS_MAX = 8
"""The most requests of one seat that may be open."""


def check_ask(run: MoveRun, command: c.AskMoney) -> None:
    """Check that a seat asks somebody else, for itself, and not too often."""
    check_begun(run.game, command.by)
    game = run.game
    seat = known_seat(game, command.seat)
    _check_present(game, command.payer)
    if not may_spend(game, command.by, seat):
        raise OWN_MONEY_RULE.refuses(
            Why.NOT_YOURS,
            say("{seat} asks for itself", seat=seat),
            say("ask in your own name"),
        )
    _check_reason(command.reason)
    if str(command.payer) == seat:
        raise TYPED_RULE.refuses(
            Why.MALFORMED,
            say("{seat} cannot ask itself", seat=seat),
            say("choose somebody else"),
        )
    check_amount(command.amount)
    if sum(ask.seat == seat for ask in game.asks) >= ASKS_MAX:
        raise LIMIT_RULE.refuses(
            Why.LIMIT_REACHED,
            say("{seat} already has {limit} open requests", seat=seat, limit=ASKS_MAX),
            say("withdraw one first"),
        )


def ask_money(run: MoveRun, command: c.AskMoney) -> None:
    """Ask the payer for money; nothing moves yet."""
    run.add(
        e.MoneyAsked(
            number=run.game.asks_count + 1,
            seat=command.seat,
            payer=command.payer,
            amount=command.amount,
            reason=command.reason,
        )
    )


def ask_choices(run: MoveRun, by: str) -> Iterator[c.AskMoney]:
    """Offer, for each seat, to ask the bank for the smallest amount."""
    for state in run.game.present():
        yield c.AskMoney(by=by, seat=state.seat, payer=BANK, amount=AMOUNT_MIN)


def _open_ask(game: Game, number: int) -> Ask:
    """Find the open request with this number, or refuse."""
    ask = game.ask(number)
    if ask is None:
        raise ASKS_RULE.refuses(
            Why.NOT_ASKED,
            say("request {number} was answered already", number=number),
            say("look at the open requests"),
        )
    return ask


def _answerable_ask(game: Game, by: str, number: int) -> Ask:
    """Find the open request that *by* wants to answer, or refuse."""
    ask = _open_ask(game, number)
    if not may_spend(game, by, ask.payer):
        raise OWN_MONEY_RULE.refuses(
            Why.NOT_YOURS,
            say("request {number} is for {payer}", number=number, payer=ask.payer),
            say("leave it to {who}", who=ask.payer),
        )
    return ask


def check_pay_ask(run: MoveRun, command: c.PayAsk) -> None:
    """Check that the payer was asked, and has the money."""
    ask = _answerable_ask(run.game, command.by, command.number)
    transfer = Transfer(ask.payer, Account(ask.seat), ask.amount, ask.reason)
    check_transfer(run.game.ledger, transfer)


def pay_ask(run: MoveRun, command: c.PayAsk) -> None:
    """Pay a request in full."""
    ask = _open_ask(run.game, command.number)
    run.pay(ask.payer, ask.seat, ask.amount, ask.reason)
    run.add(e.AskAnswered(number=ask.number, answer=e.Answer.PAID))


def check_decline(run: MoveRun, command: c.DeclineAsk) -> None:
    """Check that the request is open, and that ``by`` may answer it."""
    _answerable_ask(run.game, command.by, command.number)


def decline_ask(run: MoveRun, command: c.DeclineAsk) -> None:
    """Say no to a request."""
    run.add(e.AskAnswered(number=command.number, answer=e.Answer.DECLINED))


def check_withdraw(run: MoveRun, command: c.WithdrawAsk) -> None:
    """Check that the seat withdraws its own request."""
    ask = _open_ask(run.game, command.number)
    if not may_spend(run.game, command.by, ask.seat):
        raise OWN_MONEY_RULE.refuses(
            Why.NOT_YOURS,
            say("request {number} is {seat}'s", number=ask.number, seat=ask.seat),
            say("leave it to {who}", who=ask.seat),
        )


def withdraw_ask(run: MoveRun, command: c.WithdrawAsk) -> None:
    """Withdraw the seat's own request."""
    run.add(e.AskAnswered(number=command.number, answer=e.Answer.WITHDRAWN))


def each_open_ask(kind: type[c.PayAsk | c.DeclineAsk | c.WithdrawAsk]) -> Choices:
    """Return choices that offer a command of *kind* for each open request."""
    return lambda run, by: [kind(by=by, number=ask.number) for ask in run.game.asks]


def check_balance(run: MoveRun, command: c.CorrectBalance) -> None:
    """Check that the new balance is possible, and differs from the old one."""
    check_begun(run.game, command.by)
    game = run.game
    _check_present(game, command.account)
    if command.account == BANK:
        raise TYPED_RULE.refuses(
            Why.MALFORMED,
            say("the bank has what the others have not"),
            say("correct a seat"),
        )
    check_amount(command.balance, at_least=0)
    current = game.ledger[command.account]
    if command.balance == current:
        raise TYPED_RULE.refuses(
            Why.MALFORMED,
            say(
                "{account} has {was} already",
                account=command.account,
                was=dollars_text(current),
            ),
            say("leave it so, or type another amount"),
        )


def correct_balance(run: MoveRun, command: c.CorrectBalance) -> None:
    """Set the balance; the bank makes up the difference."""
    account, was = command.account, run.game.ledger[command.account]
    run.add(e.BalanceCorrected(account=account, was=was, now=command.balance))
    if run.game.is_guided and not count_again(run):
        settle(run)  # The new balance may be less than the money on the table.


def check_begin_banking(run: MoveRun, _: c.BeginBanking) -> None:
    """Check that the game has not begun yet; one seat is enough."""
    if run.game.has_begun:
        raise BEGUN_RULE.refuses(
            Why.WRONG_STAGE, say("the game has begun already"), say("play on")
        )


def begin_banking(run: MoveRun, _: c.BeginBanking) -> None:
    """Begin the game, with the companion as the bank."""
    run.add(e.BankingBegun())


def balance_choices(run: MoveRun, _by: str) -> Iterator[Range]:
    """Offer any new balance."""
    if run.game.has_begun:
        yield Range(c.CorrectBalance, 0, AMOUNT_MAX)


ROWS = (
    rule(
        c.BeginBanking,
        Who.BANKER,
        check_begin_banking,
        begin_banking,
        single_choice(c.BeginBanking),
    ),
    rule(c.Pay, Who.SEAT, check_pay, pay, pay_choices, is_by_hand=True),
    rule(
        c.CollectSalary,
        Who.SEAT,
        check_salary,
        collect_salary,
        salary_choices,
        is_by_hand=True,
    ),
    rule(c.AskMoney, Who.SEAT, check_ask, ask_money, ask_choices, is_by_hand=True),
    rule(
        c.PayAsk,
        Who.SEAT,
        check_pay_ask,
        pay_ask,
        each_open_ask(c.PayAsk),
        is_by_hand=True,
    ),
    rule(
        c.DeclineAsk, Who.SEAT, check_decline, decline_ask, each_open_ask(c.DeclineAsk)
    ),
    rule(
        c.WithdrawAsk,
        Who.SEAT,
        check_withdraw,
        withdraw_ask,
        each_open_ask(c.WithdrawAsk),
    ),
    rule(c.CorrectBalance, Who.BANKER, check_balance, correct_balance, balance_choices),
)
