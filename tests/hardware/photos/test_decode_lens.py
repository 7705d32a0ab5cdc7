"""`companion decode --lens` reads what a lens shows; without it, nothing is guessed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli import main

SHOWN = Path(__file__).parents[2] / "decoder/through"


@pytest.mark.parametrize(
    ("words", "wanted"),
    [(["--lens"], "fake"), ([], "unsure")],
    ids=["told", "not told"],
)
def test_a_lens_is_read_where_it_was_told_of(words: list[str], wanted: str) -> None:
    photo = str(SHOWN / "lens_fake.jpg")
    ran = CliRunner().invoke(main, ["decode", "--json", *words, photo])
    assert ran.exit_code == 0, ran.output
    (first, *_) = json.loads(ran.stdout)["readings"]
    assert first["verdict"] == wanted
