"""Money moves between two accounts, and is never made nor lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import Refused, Why
from companion.game.ledger import Ledger, Reason, Transfer, check_amount, check_transfer
from companion.units import BANK, POT, Account
from companion.words.money import AMOUNT_MAX
from tests.sample import each

RED, BLUE = Account("red"), Account("blue")
ACCOUNTS = (BANK, POT, RED, BLUE)


def rich(red: int = 100, blue: int = 0) -> Ledger:
    return Ledger({BANK: -red - blue, RED: red, BLUE: blue, POT: 0})


def transfer(payer: Account, payee: Account, amount: int) -> Transfer:
    return Transfer(payer, payee, amount, Reason.OTHER)


def test_a_transfer_moves_exactly_its_amount() -> None:
    before = rich()
    after = before.after(transfer(RED, BLUE, 30))
    assert (after[RED], after[BLUE], after[BANK]) == (70, 30, -100)
    assert before[RED] == 100, "the older ledger is as it was"


@each(
    "bad",
    [
        transfer(RED, BLUE, 101),
        transfer(RED, BLUE, 0),
        transfer(RED, BLUE, -1),
        transfer(RED, RED, 1),
        transfer(RED, Account("eve"), 1),
        transfer(Account("eve"), RED, 1),
        transfer(POT, RED, 1),
    ],
)
def test_what_breaks_a_rule_stops_the_program(bad: Transfer) -> None:
    with pytest.raises(AssertionError):
        rich().after(bad)


@each(
    "balances",
    [{RED: 1}, {BANK: 1}, {BANK: -1}, {RED: -1, BANK: 1}, {RED: -5, BLUE: 5}],
)
def test_books_that_do_not_balance_are_never_opened(
    balances: dict[Account, int],
) -> None:
    with pytest.raises(AssertionError):
        Ledger(balances)


def test_an_account_is_opened_once_and_keeps_what_it_has() -> None:
    ledger = rich().with_accounts((RED, Account("green")))
    assert (ledger[RED], ledger[Account("green")]) == (100, 0)
    assert "eve" not in ledger
    with pytest.raises(KeyError):
        ledger[Account("eve")]


def test_equal_ledgers_are_equal_however_they_came_about() -> None:
    there_and_back = rich().after(transfer(RED, BLUE, 5)).after(transfer(BLUE, RED, 5))
    assert there_and_back == rich()
    assert hash(there_and_back) == hash(rich())
    assert rich() != rich(red=99)
    assert rich() != {"red": 100}
    assert "'red': 100" in repr(rich())


@given(
    st.lists(
        st.tuples(
            st.sampled_from((*ACCOUNTS, Account("eve"))),
            st.sampled_from((*ACCOUNTS, Account("eve"))),
            st.integers(-2, 200) | st.integers(AMOUNT_MAX - 1, AMOUNT_MAX + 1),
        ),
        max_size=30,
    )
)
def test_a_transfer_is_refused_exactly_when_it_would_break_a_rule(
    moves: list[tuple[Account, Account, int]],
) -> None:
    """The same rules in two places must agree: what passes, survives."""
    ledger = rich()
    for move in moves:
        attempt = transfer(*move)
        try:
            check_transfer(ledger, attempt)
        except Refused:
            if attempt.amount <= AMOUNT_MAX:
                with pytest.raises(AssertionError):
                    ledger.after(attempt)
            continue
        ledger = ledger.after(attempt)
    assert sum(ledger[account] for account in ledger) == 0


@each(
    ("bad", "why"),
    [
        (transfer(Account("eve"), Account("eve"), 0), Why.UNKNOWN_SEAT),
        (transfer(RED, Account("eve"), 9_999), Why.UNKNOWN_SEAT),
        (transfer(RED, RED, 9_999), Why.MALFORMED),
        (transfer(RED, BLUE, AMOUNT_MAX + 1), Why.MALFORMED),
        (transfer(RED, BLUE, 101), Why.CANNOT_AFFORD),
    ],
)
def test_the_first_reason_wins(bad: Transfer, why: Why) -> None:
    with pytest.raises(Refused) as refused:
        check_transfer(rich(), bad)
    assert refused.value.why is why


def test_who_cannot_afford_it_is_told_how_much_is_missing() -> None:
    with pytest.raises(Refused) as refused:
        check_transfer(rich(), transfer(RED, BLUE, 1_100))
    assert refused.value.message == "red has $100; this costs $1,100"
    assert refused.value.remedy == "raise $1,000 first"


def test_an_amount_has_its_limits() -> None:
    check_amount(1)
    check_amount(AMOUNT_MAX)
    check_amount(0, at_least=0)
    for amount in (0, -1, AMOUNT_MAX + 1):
        with pytest.raises(Refused, match=f"{amount} is no whole amount"):
            check_amount(amount)
