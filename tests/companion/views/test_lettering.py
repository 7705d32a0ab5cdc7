"""Names fit into their rectangles, whatever they are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.edition import builtin, editions
from companion.views.board_layout import arrange_parts, lay_out
from companion.views.lettering import LINE_PERCENT, break_lines, fit_words, width_of

NAMES = sorted(
    {
        name
        for one in editions()
        for space in builtin(one).spaces
        for name in (space.name, space.name_uk)
        if name
    }
)


@given(st.text(max_size=60), st.integers(40, 300), st.integers(20, 120))
def test_whatever_is_written_stays_inside(text: str, width: int, height: int) -> None:
    letters = fit_words(text, width, height)
    assert all(width_of(line, letters.size) <= width for line in letters.lines)
    assert len(letters.lines) * letters.size * LINE_PERCENT <= height * 100 or (
        letters.size == 9
        and len(letters.lines) == max(1, height * 100 // (9 * LINE_PERCENT))
    )


@given(st.text(max_size=60), st.integers(40, 300))
def test_breaking_lines_loses_no_word(text: str, width: int) -> None:
    assert " ".join(break_lines(text, width, 12)).split() == text.split()


def test_every_printed_name_is_whole_on_a_board_of_its_size() -> None:
    for one in editions():
        spaces = builtin(one).spaces
        cells = lay_out(len(spaces))
        for space, cell in zip(spaces, cells, strict=True):
            parts = arrange_parts(cell, is_deed=space.deed is not None, has_note=True)
            for name in (space.name, space.name_uk):
                letters = fit_words(name, parts.name.width, parts.name.height)
                assert "…" not in "".join(letters.lines), (one, name)
                assert not name or letters.size >= 13, (one, name, letters)


def test_a_word_that_is_too_long_ends_in_an_ellipsis() -> None:
    letters = fit_words("Donaudampfschifffahrtsgesellschaftsstrasse", 60, 30)
    assert letters.lines == ("Donaudampfsc…",)


def test_short_words_are_large_and_on_one_line() -> None:
    assert fit_words("GO", 100, 60, 27) == fit_words("GO", 1000, 600, 27)
    assert fit_words("GO", 100, 60, 27).lines == ("GO",)
