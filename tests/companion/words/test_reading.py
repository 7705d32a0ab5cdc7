"""Single words of a line, and what is said of those that cannot be read."""

from __future__ import annotations

import pytest

from companion.errors import Malformed
from companion.words.reading import number, one_word, quoted_all
from tests.sample import each


@pytest.mark.parametrize(("text", "most", "read"), [("0", 3, 0), ("3", 3, 3)])
def test_a_number_up_to_the_most_is_read(text: str, most: int, read: int) -> None:
    assert number(text, most) == read


@each("text", ["", "-1", "4", "1.0", "٣", "0000000001"])
def test_any_other_text_is_no_number(text: str) -> None:
    with pytest.raises(Malformed, match="a number from 0 to 3"):
        number(text, 3)


def test_where_no_limit_is_given_it_is_that_of_amounts() -> None:
    with pytest.raises(Malformed, match=r"from \$0 to \$1,000,000"):
        number("1000001")


@pytest.mark.parametrize(("rest", "got"), [((), "nothing"), (("a", "b"), "'a b'")])
def test_one_word_is_neither_none_nor_two(rest: tuple[str, ...], got: str) -> None:
    assert one_word(("a",)) == "a"
    with pytest.raises(Malformed) as refused:
        one_word(rest)
    assert refused.value.got == got == quoted_all(rest)
