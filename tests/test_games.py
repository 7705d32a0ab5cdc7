"""Every game script holds: the rule sheets, sentence by sentence.

The scripts that ``sample.txt`` names are quick: together they take every step of
``companion/rules`` that all scripts take. In the proofs all of them run, and the game
of each is played back. ``python -m tests.test_games`` chooses the sample anew.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from companion import rules
from companion.script import Outcome, export_script, run_script
from tests.digest import copied, digest, folded
from tests.evening.reckoning import reckoned
from tests.sample import each

GAMES = Path(__file__).parent / "games"
SCRIPTS = sorted(GAMES.glob("*.game"))
CHOSEN = GAMES / "sample.txt"
SAMPLE = [GAMES / f"{name}.game" for name in CHOSEN.read_text("utf-8").split()]
CHOOSE = "python -m tests.test_games"
SOURCE = re.compile(r"^# Source: \S.{9,}", re.MULTILINE)


def play(path: Path) -> Outcome:
    outcome = run_script(path.read_text(encoding="utf-8"), path.name)
    assert outcome.ok, (
        f"{outcome.file}:{outcome.line}: wanted {outcome.wanted}; "
        f"got {outcome.got}\n{outcome.position}"
    )
    return outcome


@each("path", SAMPLE)
def test_every_line_of_a_script_holds(path: Path) -> None:
    reckoned(play(path).entries)


@pytest.mark.slow
@each("path", SCRIPTS)
def test_every_line_of_a_script_holds_and_its_game_plays_back(path: Path) -> None:
    first = play(path)
    reckoned(first.entries)
    again = run_script(export_script(first.entries), "again")
    assert again.ok, f"{path.name}: line {again.line}: {again.wanted}: {again.got}"
    assert digest(copied(first.entries)) == digest(folded(again.entries))


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


# Which scripts are quick.

Step = tuple[str, int, int]
"""From one line of a file to the next; a function's own line is where it ends."""

RULES = str(Path(rules.__file__).parent)


def steps_of(path: Path) -> set[Step]:
    """Return the steps of a script through ``companion/rules``."""
    steps: set[Step] = set()

    def entered(frame: FrameType, _event: str, _arg: object) -> Any:
        file, first = frame.f_code.co_filename, frame.f_code.co_firstlineno
        at = first

        def went_on(frame: FrameType, event: str, _arg: object) -> Any:
            nonlocal at
            before, at = at, frame.f_lineno if event == "line" else first
            steps.add((file, before, at))
            return went_on

        return went_on if file.startswith(RULES) else None

    was = sys.gettrace()
    sys.settrace(entered)
    try:
        play(path)
    finally:
        sys.settrace(was)
    return steps


@pytest.mark.slow
@pytest.mark.volume
def test_the_sample_takes_every_step_that_all_scripts_take() -> None:
    taken = set().union(*map(steps_of, SAMPLE))
    further = [path.stem for path in SCRIPTS if not steps_of(path) <= taken]
    assert further == [], f"the sample lacks steps of these; choose anew: {CHOOSE}"


def chosen() -> Iterator[str]:
    """Choose a small sample: again and again the script that adds most."""
    steps = {path.stem: steps_of(path) for path in SCRIPTS}
    left = set().union(*steps.values())
    while left:
        best = max(steps, key=lambda name: len(steps[name] & left))
        left -= steps[best]
        yield best


if __name__ == "__main__":
    CHOSEN.write_text("\n".join((*sorted(chosen()), "")), encoding="utf-8")
