"""The page about the format names all of it, and its examples hold."""

from __future__ import annotations

import re
import subprocess
from importlib import resources
from typing import get_args

from click.testing import CliRunner

from cli import main
from companion.edition import editions, load, problems
from companion.edition.model import ITEMS, SECTIONS
from companion.edition.origin import CONFIDENCES, About
from companion.edition.shape import (
    DEED_FIGURES,
    CardDeck,
    Deed,
    Effect,
    Option,
    Space,
)
from companion.game.spaces import SpaceKind
from tests.sample import each

README = (resources.files("companion") / "editions" / "README.md").read_text("utf-8")
WORDS = set(re.findall(r"`([^`\n]+)`", README))
EXAMPLES = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)


@each(
    "words",
    [
        CONFIDENCES,
        editions(),
        tuple(SpaceKind),
        get_args(Effect),
        DEED_FIGURES,
        tuple(SECTIONS),
        tuple(f"[[{key}]]" for key in ITEMS),
        ("[edition]", "[board]", "[inherits]", "[deed_basis]"),
        *(shape.__struct_fields__ for shape in (About, Space, CardDeck, Option)),
        tuple(set(Deed.__struct_fields__) - set(DEED_FIGURES)),
    ],
)
def test_the_page_names_every_word_of_the_format(words):
    assert set(words) <= WORDS


def test_the_example_of_an_own_edition_loads():
    [own] = [example for example in EXAMPLES if "our-house" in example]
    edition = load(own, "our-house.toml")
    assert edition.jail.fine == 100
    assert edition.start_money == 1500


def test_the_example_of_mistakes_is_what_the_program_says():
    [own] = [example for example in EXAMPLES if "our-house" in example]
    [line] = problems(own.replace("value = 100", "value = -100"), "our-house.toml")
    assert line in README


COMMANDS = "".join(re.findall(r"```sh\n(.*?)```", README, re.DOTALL)).splitlines()
EVENING = "edition our-house\nseats red blue\nexpect red cash 1500\n"


def test_the_commands_of_the_page_do_what_it_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    [own] = [example for example in EXAMPLES if "our-house" in example]
    (tmp_path / "our-house.toml").write_text(own, encoding="utf-8")
    (tmp_path / "our-evening.game").write_text(EVENING, encoding="utf-8")
    assert len(COMMANDS) == 7
    printed = {line: run(line) for line in COMMANDS}
    assert "our-house: " in printed["companion edition list --data data"]
    assert "no mistakes" in printed["companion edition check our-house.toml"]
    assert printed[COMMANDS[-1]] == "our-evening.game: every line holds\n"


def run(line):
    """What a line of the page prints; a table is not started, only its options read."""
    program, *words = line.split()
    if program != "companion":
        subprocess.run([program, *words], check=True)
        return ""
    if words[0] == "serve":
        main.commands["serve"].make_context("serve", words[1:])
        return ""
    ran = CliRunner().invoke(main, words)
    assert ran.exit_code == 0, ran.output
    return ran.output
