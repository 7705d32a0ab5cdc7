from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import Malformed
from companion.words.money import (
    AMOUNT_MAX,
    AMOUNT_MIN,
    MILLION,
    dollars_text,
    parse_dollars,
    read_dollars,
)
from tests.sample import each

AMOUNTS = st.integers(AMOUNT_MIN, AMOUNT_MAX)


@each(
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


@each(
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
        ("\u0661\u0662", 12),
        ("\uff11\uff12", 12),
        ("\u2066$\u20691,200\ufeff", 1200),
    ],
)
def test_what_people_type_is_read(text, amount):
    assert parse_dollars(text) == amount


@each(
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
        "1.200",
        "1,2000",
        "1,200,00",
        "\u00b2",
        "5\u00b2",
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


WRITTEN = st.sampled_from(
    ("{sign}{number}", "{number}\u00a0{sign}", "\u2067{number} {sign}\u2069")
)
"""Where languages put the sign of money."""


@given(
    AMOUNTS,
    WRITTEN,
    st.sampled_from(("$", "£", "€", "M", "kr", "R$", "Fr.", "[-]", "元")),
    st.sampled_from((",", ".", "\u202f", "\u00a0", "\u2019", "-", "")),
)
def test_what_is_printed_is_read_back(amount, written, currency, gap):
    def write(amount: int) -> str:
        return written.format(sign=currency, number=f"{amount:,}".replace(",", gap))

    assert read_dollars(write(amount), write(1_000_000)) == amount


@given(AMOUNTS, st.sampled_from("$£€"))
def test_what_english_prints_is_read_back(amount, currency):
    assert parse_dollars(dollars_text(amount, currency)) == amount


def test_only_what_nobody_typed_is_neither_an_amount_nor_refused():
    assert read_dollars(" \u200e\u00a0") is None
    assert read_dollars("0") == 0
    with pytest.raises(Malformed) as refused:
        parse_dollars(" \u200e\u00a0")
    assert refused.value.plain == "no amount was typed"


def test_a_refusal_quotes_what_people_see():
    with pytest.raises(Malformed, match="'1 x'"):
        parse_dollars("\u200e1\u00a0x")


def test_too_much_is_called_too_much_however_it_is_written():
    for text in ("1000001", "1,000,001", "\u0662000000"):
        with pytest.raises(Malformed) as refused:
            read_dollars(text)
        assert "is too much: $1,000,000 at most" in refused.value.plain


@pytest.mark.parametrize(
    ("typed", "amount"),
    [("1.400", 1400), ("1.400\u00a0$", 1400), ("$ 1.000.000", 1_000_000)],
)
def test_what_another_language_writes_is_read_where_it_is_spoken(typed, amount):
    assert read_dollars(typed, "1.000.000\u00a0$") == amount
    with pytest.raises(Malformed, match="expected a whole amount"):
        read_dollars(typed)


@each("typed", ["1.4", "1.40", "1,40", "10,00", "10.00", "1.0000"])
def test_a_fraction_is_never_another_amount(typed):
    for million in (MILLION, "1.000.000\u00a0$"):
        with pytest.raises(Malformed):
            read_dollars(typed, million)


@given(st.text(max_size=60))
def test_any_text_is_an_amount_in_range_or_malformed(text):
    try:
        amount = parse_dollars(text)
    except Malformed:
        return
    assert AMOUNT_MIN <= amount <= AMOUNT_MAX
