"""The ledger: the balance of every account, in whole dollars.

A seat, the bank, the vault and the pot have an *account* each. Money moves between two
accounts by a *transfer*, for a reason from a fixed list.

Rule 1: nothing but a ``Transfer`` changes a balance.
Rule 2: only the bank goes below zero, so the sum of all balances is always 0.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from companion.errors import Refused, Why
from companion.sheets import TYPED_RULE, Told
from companion.units import BANK, Account, Dollars
from companion.words import say
from companion.words.money import AMOUNT_MAX, AMOUNT_MIN, dollars_text

NO_CREDIT_RULE = Told(
    "Nobody can have less than nothing. Only the bank never runs out."
)
SEAT_RULE = Told("You need a seat at this table to play.")


class Reason(enum.StrEnum):
    """Why money moved: a code from this table, never free text."""

    START = "start"  # A seat's starting money.
    SALARY = "salary"  # GO.
    RENT = "rent"
    PURCHASE = "purchase"  # A deed, a building, a card.
    GUESS = "guess"  # The fee for a guess at the vault.
    SALE = "sale"  # Something went back to the bank.
    MORTGAGE = "mortgage"
    TAX = "tax"
    FINE = "fine"  # Jail.
    CARD = "card"  # Chance, Community Chest.
    DEAL = "deal"  # Between two seats.
    GIFT = "gift"  # From the bank, for landing on a space.
    FAKE = "fake"  # A fake note that was found, or the reward for a fake card.
    RICHES = "riches"  # Into or out of the vault or the pot.
    LEAVING = "leaving"  # A seat leaves; what it has goes back to the bank.
    CORRECTION = "correction"  # The table agrees on another balance.
    OTHER = "other"


class Transfer(msgspec.Struct, frozen=True, tag_field="type", tag="transfer"):
    """A payment, for instance: Red pays Blue 50 for rent.

    Attributes:
        payer: The account that has less afterwards.
        payee: The account that has more afterwards; never the payer.
        amount: Whole dollars, from 1 to ``AMOUNT_MAX``; only a seat that leaves may
            return more.
    """

    payer: Account
    payee: Account
    amount: Dollars
    reason: Reason


class Ledger:
    """Every account's balance, frozen; ``after`` returns the next ledger.

    The bank is always there. Other accounts have to be opened before a transfer, so a
    misspelt name is an error and not a new account.
    """

    __slots__ = ("_balances",)

    def __init__(self, balances: Mapping[Account, Dollars] | None = None) -> None:
        self._balances: dict[Account, Dollars] = {BANK: 0, **(balances or {})}
        self.check()

    def __getitem__(self, account: Account) -> Dollars:
        return self._balances[account]

    def __contains__(self, account: object) -> bool:
        return account in self._balances

    def __iter__(self) -> Iterator[Account]:
        return iter(self._balances)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ledger) and self._balances == other._balances

    def __hash__(self) -> int:
        return hash(tuple(sorted(self._balances.items())))

    def __repr__(self) -> str:
        return f"Ledger({self._balances!r})"

    def with_accounts(self, accounts: Iterable[Account]) -> Ledger:
        """Return the ledger with those of *accounts* that are missing added at 0."""
        return Ledger({**dict.fromkeys(accounts, 0), **self._balances})

    def after(self, transfer: Transfer) -> Ledger:
        """Return the ledger after *transfer*.

        Raises:
            AssertionError: If the transfer breaks a rule of this file. The rules were
                checked before, so this is a bug and the program must stop.
        """
        payer, payee, amount = transfer.payer, transfer.payee, transfer.amount
        if amount < AMOUNT_MIN or payer == payee:
            raise AssertionError(f"no transfer between two accounts: {transfer}")
        if payer not in self._balances or payee not in self._balances:
            raise AssertionError(f"no such account in {self}: {transfer}")
        after = Ledger.__new__(Ledger)  # ``__init__`` would copy the balances again.
        after._balances = {**self._balances}
        after._balances[payer] -= amount
        after._balances[payee] += amount
        after.check()
        return after

    def check(self) -> None:
        """Assert both rules; runs after every transfer, in production too."""
        balances = self._balances
        total = sum(balances.values())
        if total != 0:  # Not ``assert``: that is gone under ``python -O``.
            raise AssertionError(f"balances sum to {total}, not 0: {self}")
        for account, balance in balances.items():
            if balance < 0 and account != BANK:
                raise AssertionError(f"{account} has {balance}: {self}")


def check_amount(amount: Dollars, *, at_least: Dollars = AMOUNT_MIN) -> None:
    """Refuse an amount that is out of range or no whole number of dollars.

    Raises:
        Refused: ``malformed``; also for a float or a bool.
    """
    if type(amount) is not int or not at_least <= amount <= AMOUNT_MAX:
        raise TYPED_RULE.refuses(
            Why.MALFORMED,
            say(
                "{amount} is no whole amount from {at_least} to {at_most:,}",
                at_least=at_least,
                at_most=AMOUNT_MAX,
                amount=repr(amount),
            ),
            say("type a whole number such as 150"),
        )


def check_transfer(ledger: Ledger, transfer: Transfer) -> None:
    """Refuse a transfer that would break the ledger's rules.

    Raises:
        Refused: ``unknown_seat`` for an account that was never opened;
            ``malformed`` for an amount out of range or a payment to oneself;
            ``cannot_afford`` if the payer has less than the amount.
    """
    payer, payee, amount = transfer.payer, transfer.payee, transfer.amount
    for account in (payer, payee):
        if account not in ledger:
            raise SEAT_RULE.refuses(
                Why.UNKNOWN_SEAT,
                say(
                    "there is no account {account}: only {known}",
                    known=", ".join(sorted(ledger)),
                    account=repr(account),
                ),
                say("choose one of them"),
            )
    check_amount(amount)
    if payer == payee:
        raise TYPED_RULE.refuses(
            Why.MALFORMED,
            say("{payer} cannot pay itself", payer=payer),
            say("choose somebody else"),
        )
    if payer != BANK and ledger[payer] < amount:
        raise short_of(NO_CREDIT_RULE, payer, ledger[payer], amount)


def short_of(rule: Told, payer: str, cash: Dollars, amount: Dollars) -> Refused:
    """Refuse, by *rule*, to let *payer* spend *amount* while it has only *cash*."""
    return rule.refuses(
        Why.CANNOT_AFFORD,
        say(
            "{payer} has {cash}; this costs {amount}",
            payer=payer,
            cash=dollars_text(cash),
            amount=dollars_text(amount),
        ),
        say("raise {amount} first", amount=dollars_text(amount - cash)),
    )
