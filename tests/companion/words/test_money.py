from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import Malformed
from companion.words.money import AMOUNT_MAX, AMOUNT_MIN, dollars_text, parse_dollars

AMOUNTS = st.integers(AMOUNT_MIN, AMOUNT_MAX)


@pytest.mark.parametrize(
    ("amount", "currency", "text"),
    [
        (0, "$", "$0"),
        (50, "$", "$50"),
        (1200, "$", "$1,200"),
        (1200, "£", "£1,200"),
        (1_000_000, "$", "$1,000,000"),
        (-3000, "$", "\u2212$3,000"),
    ],
)
def test_amounts_are_printed_with_sign_and_commas(amount, currency, text):
    assert dollars_text(amount, currency) == text


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("1200", 1200),
        ("$1,200", 1200),
        ("£1,200", 1200),
        ("1 200", 1200),
        ("1\u00a0200", 1200),
        (" $ 5 ", 5),
        ("60\u00a0$", 60),
        ("1200€", 1200),
        ("1,000,000", 1_000_000),
        ("1", 1),
    ],
)
def test_what_people_type_is_read(text, amount):
    assert parse_dollars(text) == amount


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "0",
        "$0",
        "007",
        "0x10",
        "1.5",
        "1,5",
        "12,00",
        "1,200 300",
        "1_000",
        "-5",
        "\u22125",
        "+5",
        "1e3",
        "$$5",
        "five",
        "\u0661\u0662",
        "\uff11\uff12",
        "\u00b2",
        "1000001",
        "1,000,001",
        "9" * 5000,
        "5\n",
        "5\t",
    ],
)
def test_everything_else_is_refused_with_wanted_and_got(text):
    with pytest.raises(
        Malformed, match=r"expected a whole amount from \$1 to \$1,000,000"
    ):
        parse_dollars(text)


def test_an_error_never_quotes_a_flood():
    with pytest.raises(Malformed) as caught:
        parse_dollars("9" * 100_000)
    assert len(str(caught.value)) < 200


@given(AMOUNTS, st.sampled_from("$£€"))
def test_what_is_printed_is_read_back(amount, currency):
    assert parse_dollars(dollars_text(amount, currency)) == amount


@given(st.text(max_size=60))
def test_any_text_is_an_amount_in_range_or_malformed(text):
    try:
        amount = parse_dollars(text)
    except Malformed:
        return
    assert AMOUNT_MIN <= amount <= AMOUNT_MAX
