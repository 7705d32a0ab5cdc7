"""Names as a page shows them; the seats' own tests have many more."""

from __future__ import annotations

import pytest

from companion.words.names import is_plain, tidy_name
from tests.sample import each


@each("space", [" ", "\n", "\r\n", "\t", "\u2028", "\xa0"])
def test_a_name_is_one_line_with_single_spaces(space: str) -> None:
    assert tidy_name(f"{space}Our{space}{space}notes{space}") == "Our notes"


@pytest.mark.parametrize("name", ["Größen & Töne", "\u05d3\u05e0\u05d9", "../x", "7"])
def test_a_name_may_be_of_any_letters(name: str) -> None:
    assert tidy_name(name) == name
    assert is_plain(name)


@each("name", ["", "a\0b", "a\u202eb", "a\ud800", "\u3164", "\u200d"])
def test_what_cannot_be_seen_or_bends_the_page_is_no_name(name: str) -> None:
    assert not is_plain(tidy_name(name))
