from __future__ import annotations

import pytest

from companion.words.hyphens import HYPHEN, LONG, PIECE, hyphenate
from tests.sample import each


@each(
    ("word", "seen"),
    [
        ("Bernard", "Bernard"),
        ("Alexandra", "Ale-xandra"),
        ("Mariechen", "Marie-chen"),
        ("Gustav-Adolf", "Gustav-Adolf"),
        ("Bartholomäusmaximiliane!", "Bartho-lo-mäus-ma-xi-mi-liane!"),
        ("Großtante Wilhelmine", "Groß-tante Wil-hel-mine"),
        ("Schlittschuhläufer", "Schlit-tschuh-läu-fer"),
        ("\u05d3\u05e0\u05d9", "\u05d3\u05e0\u05d9"),
    ],
)
def test_only_long_words_may_be_broken(word, seen):
    assert hyphenate(word).replace(HYPHEN, "-") == seen


@pytest.mark.parametrize("word", ["W" * 24, "Mississippi" * 2, "Rhythmusschwung"])
def test_no_piece_of_a_long_word_is_long(word):
    pieces = hyphenate(word).split(HYPHEN)
    assert "".join(pieces) == word
    assert max(map(len, pieces)) <= PIECE < LONG
