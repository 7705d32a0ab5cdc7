"""A stranger's edition file is refused before it keeps the table busy."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.edition import load
from companion.edition.bounds import (
    FIGURES_MAX,
    LENGTH_MAX,
    LISTED_MAX,
    NAMES_MAX,
    NESTED_MAX,
    TABLES_MAX,
    why_too_large,
)
from companion.edition.catalogue import load_file
from companion.edition.library import BUILT_IN, builtin_text, problems
from companion.edition.read import FAULTS_MAX
from companion.errors import EditionFault
from tests.sample import each

NAMES = "8 names in one key"
HEADERS = "1,000 headers"
FIGURES = "8,000 figures"
VALUES = "8,000 values in lists"
NESTED = "20 lists inside one another"


@each(
    ("text", "most"),
    [
        ("a." * 90_000 + "a = 1", NAMES),
        ("[" + "a." * 90_000 + "a]", NAMES),
        ("[[" + "a . " * 40_000 + "a]]", NAMES),
        ("x = {" + "a." * 90_000 + "a = 1}", NAMES),
        ('"".' * 60_000 + "a = 1", NAMES),
        ("'.'." * 45_000 + "a = 1", NAMES),
        ('"a".b.' * 30_000 + "a = 1", NAMES),
        ("x = {t='''a'''', " + "a." * 60_000 + "a = 1}", NAMES),
        ('x = {t="""a""""", ' + "a." * 60_000 + "a = 1}", NAMES),
        ("[" + "a." * NAMES_MAX + "a]\n" + "k = 1\n" * 9, NAMES),
        ("[a]\n" * 40_000, HEADERS),
        ("[[a]]\r\n" * 25_000, HEADERS),
        ("".join(f"[a.b{i}]\n" for i in range(TABLES_MAX + 1)), HEADERS),
        ("".join(f"k{i} = 1\n" for i in range(FIGURES_MAX + 1)), FIGURES),
        ("a = {" + "k=1," * 40_000 + "}", FIGURES),
        ("a = [" + "1," * 90_000 + "]", VALUES),
        ("a = " + "[" * 90_000, NESTED),
        ("a = " + "{a=[" * 40 + "]}" * 40, NESTED),
        ("a = [\n" + "[" * 190_000, NESTED),
        (" " * 300_000, "200,000 characters, got 300,000"),
        ('a = """' + "x" * LENGTH_MAX, "200,000 characters, got 200,007"),
    ],
)
def test_a_file_that_would_take_long_is_refused_unread(text: str, most: str) -> None:
    report = problems(text, "mean.toml")
    assert len(report) == 1
    assert report[0].startswith(f"mean.toml: expected at most {most}")


@each(
    "text",
    [
        'a = "' + "a." * 900 + '"',
        "a = '" + "[" * 900 + "'",
        'a = """' + "[x]\n" * 2_000 + '"""',
        "a = '''" + "k=1,\n" * 9_000 + "'''",
        "#" + "a." * 900,
        r'a = "\"' + "a." * 900 + '"',
        r'a = """\"""' + "a." * 900 + '"""',
        'a = ["' + "x," * 9_000 + '"]',
        "a = 0x" + "f" * 9_000,
        "a = 1.5\n" * 900,
    ],
)
def test_what_stands_in_text_and_comments_does_not_count(text: str) -> None:
    assert why_too_large(text) == ""


@each("edition", BUILT_IN)
def test_honest_files_are_far_from_every_bound(edition: str) -> None:
    text = builtin_text(edition)
    assert text is not None
    assert why_too_large(text * 3) == ""


@each("sign", ['"', "'", '"""', "'''", "#", "\\", '\\"""', "[", "."])
def test_every_text_has_an_answer(sign: str) -> None:
    assert isinstance(why_too_large(sign * 40_000), str)


def test_a_text_that_never_ends_is_gone_through_once() -> None:
    """Not once more for each of its quotes, which would take minutes."""
    assert why_too_large('a = """' + '\n\\"""' * 38_000 + "\\") == ""


def test_a_report_has_an_end() -> None:
    text = builtin_text("classic")
    assert text is not None
    report = problems("".join(f"x{i} = 1\n" for i in range(5_000)) + text, "mean.toml")
    assert len(report) == FAULTS_MAX + 1
    assert report[-1] == "mean.toml: and more; mend these first"
    with pytest.raises(EditionFault):
        load("".join(f"x{i} = 1\n" for i in range(5_000)), "mean.toml")


def test_a_line_of_the_report_has_an_end() -> None:
    report = problems(f'"{"k" * 100_000}" = 1', "mean.toml")
    assert max(map(len, report)) < 1_200


def test_a_file_that_is_too_long_is_not_read_to_its_end(tmp_path: Path) -> None:
    endless = tmp_path / "mean.toml"
    endless.touch()
    os.truncate(endless, 1 << 40)  # A hole, which takes no room.
    with pytest.raises(EditionFault, match="at most 200,000 bytes, got more"):
        load_file(endless)


def test_the_numbers_in_the_words_are_the_bounds() -> None:
    bounds = (NAMES_MAX, TABLES_MAX, FIGURES_MAX, LISTED_MAX, NESTED_MAX)
    words = (NAMES, HEADERS, FIGURES, VALUES, NESTED)
    assert all(w.startswith(f"{b:,} ") for w, b in zip(words, bounds, strict=True))
