"""Every game script holds: the rule sheets, sentence by sentence."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.game import Game
from companion.game.journal import Entry, Journal
from companion.script import Outcome, export_script, run_script
from tests.digest import digest

GAMES = Path(__file__).parent / "games"
SCRIPTS = sorted(GAMES.glob("*.game"))
SOURCE = re.compile(r"^# Source: \S.{9,}", re.MULTILINE)


def play(path: Path) -> Outcome:
    outcome = run_script(path.read_text(encoding="utf-8"), path.name)
    assert outcome.ok, (
        f"{outcome.file}:{outcome.line}: wanted {outcome.wanted}; "
        f"got {outcome.got}\n{outcome.position}"
    )
    return outcome


def folded(entries: tuple[Entry, ...]) -> Game:
    journal = Journal(lambda after: entries[after:])
    for entry in entries:
        journal.append(entry)
    assert journal.game is not None
    return journal.game


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_every_line_of_a_script_holds_and_its_game_plays_back(path: Path) -> None:
    first = play(path)
    again = run_script(export_script(first.entries), "again")
    assert again.ok, f"{path.name}: line {again.line}: {again.wanted}: {again.got}"
    assert digest(folded(first.entries)) == digest(folded(again.entries))


def test_every_script_names_its_source() -> None:
    nameless = [
        f"{path.name}:1: expected a line '# Source: ...'"
        for path in SCRIPTS
        if not SOURCE.match(path.read_text(encoding="utf-8"))
    ]
    assert not nameless, "\n".join(nameless)


def test_each_script_is_in_the_table_of_rules() -> None:
    table = (GAMES / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z0-9-]+)`", table))
    missing = {path.stem for path in SCRIPTS} - named
    assert not missing, f"README.md does not name {sorted(missing)}"
