"""A box that nobody can buy, played from its file alone: editions are data.

``sixth_box/harbour-lights.toml`` mixes what the built-in boxes have apart, and no line
of the program knows it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.edition.catalogue import read_catalogue
from companion.edition.snapshot import snapshot
from companion.script import export_script, run_script
from tests.companion.rules.test_engine_playouts import (
    check_agreement,
    correct_and_play,
    play_to_the_end,
)
from tests.guided import Guided
from tests.sample import each, tens

BOX = Path(__file__).parent / "sixth_box"
EDITIONS = read_catalogue([BOX / "harbour-lights.toml"])
SCRIPTS = sorted(BOX.glob("*.game"))
OPTIONS = ({}, {"rent": "automatic"}, {"decks": "cards"})


def table(seed: int) -> Guided:
    """Two to six seats at the sixth box; seeds take its options by turns."""
    seats, options = 2 + seed % 5, OPTIONS[seed % len(OPTIONS)]
    return Guided("harbour-lights", seats, options, EDITIONS)


def test_the_box_is_one_file_that_mixes_every_mechanic() -> None:
    assert EDITIONS.faults == ()
    rules = snapshot(EDITIONS("harbour-lights"))
    assert len(rules.spaces) == 28
    assert rules.dice.third_faces
    assert rules.tickets is not None
    assert rules.vault is not None
    assert rules.decoder is not None
    assert {"skyscraper", "depot"} <= {name for name, _ in rules.pieces}
    assert any(deck.has_fakes for deck in rules.decks)
    assert SCRIPTS
    assert all(x.read_text(encoding="utf-8").startswith("# Source: ") for x in SCRIPTS)


@each("path", SCRIPTS)
def test_every_line_of_its_scripts_holds(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    played = run_script(text, path.name, editions=EDITIONS)
    assert played.ok, f"line {played.line}: {played.wanted}: {played.got}"
    exported = export_script(played.entries, edition=EDITIONS)
    again = run_script(exported, "again", editions=EDITIONS)
    assert again.ok, f"line {again.line}: {again.wanted}: {again.got}"
    assert again.position == played.position


@pytest.mark.parametrize("seed", range(1))
def test_a_random_game_of_it_comes_to_its_end(seed: int) -> None:
    play_to_the_end(table(seed), seed)


@tens("seed", range(1, 200))
def test_200_random_games_of_it_come_to_their_end(seed: int) -> None:
    play_to_the_end(table(seed), seed)


@pytest.mark.parametrize("seed", range(2))
def test_any_correction_of_it_leaves_a_game_that_goes_on(seed: int) -> None:
    correct_and_play(table(seed), seed, steps=80)


@tens("seed", range(2, 100))
def test_100_games_of_it_full_of_corrections_go_on(seed: int) -> None:
    correct_and_play(table(seed), seed, steps=120)


@pytest.mark.parametrize("seed", range(2))
def test_what_is_listed_is_what_is_allowed(seed: int) -> None:
    play = table(seed)
    check_agreement(play.game)
