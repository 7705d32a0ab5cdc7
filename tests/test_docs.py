"""Documents agree with the code: what they say can be run is run."""

from __future__ import annotations

import doctest
import re
import subprocess
import tomllib
from importlib.util import find_spec
from pathlib import Path

import click
import cv2
import pytest
from click.testing import CliRunner

from cli import main
from companion.decoder.verdict import Reason
from companion.edition import builtin
from companion.printing import Job
from companion.printing.sheets import dealt_notes
from tests.sample import each
from tests.walk import PICTURE, draw, walk

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = [
    path
    for path in sorted(ROOT.rglob("*.md"))
    if not re.search(r"/(\.|node_modules/|dist/)", f"/{path.relative_to(ROOT)}")
]


VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
    "project"
]["version"]


def shell_lines(text: str) -> list[str]:
    blocks = re.findall(r"^ *```sh\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)
    lines = (line.strip() for block in blocks for line in block.splitlines())
    return [line for line in lines if line]


def test_the_readme_begins_with_what_it_is_a_picture_and_how_to_try_it() -> None:
    first_screen = README.split("## What it does")[0]
    assert first_screen.startswith("# Table Companion\n\n**")
    assert re.search(r"!\[[^]]+\]\(([^)]+)\)", first_screen)
    assert shell_lines(first_screen) == [
        "make run",
        "make test",
        f"pipx install ./table_companion-{VERSION}-py3-none-any.whl",
        "companion serve --simulated",
    ]
    assert re.findall(r"^\d\.", first_screen, re.MULTILINE) == ["1.", "2.", "3."]
    assert "independent of the publishers" in README


def test_the_readmes_example_of_the_core_holds() -> None:
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted >= 8
    assert result.failed == 0


@each("line", shell_lines(README))
def test_every_command_of_the_readme_exists(line: str) -> None:
    program, *words = line.removeprefix("sudo ").removeprefix("bash ").split()
    if program == "pipx":
        assert words == ["install", f"./table_companion-{VERSION}-py3-none-any.whl"]
        return
    if program == "python3":
        assert words == [
            "-m",
            "zipfile",
            "-e",
            f"table-companion-{VERSION}-pi.zip",
            ".",
        ]
        return
    program = program.removeprefix(
        "table-companion/"
    )  # So a bundle's folder is called.
    if program == "systemctl":
        assert (ROOT / f"systemd/{words[-1]}.service").exists(), line
        return
    if program == "systemd/install":
        tasks = (ROOT / program).read_text(encoding="utf-8")
        assert all(f"{word}_companion()" in tasks for word in words or ["install"])
        return
    if program == "make":
        made = subprocess.run(
            ["make", "--dry-run", *words], cwd=ROOT, capture_output=True, check=False
        )
        assert made.returncode == 0, made.stderr
        return
    if program == "python":
        assert find_spec(words[words.index("-m") + 1]), line
        return
    assert program == "companion"
    command: click.Command = main
    while isinstance(command, click.Group):
        found = command.get_command(click.Context(command), words.pop(0))
        assert found is not None, line
        command = found
    options = {name for option in command.params for name in option.opts}
    assert {word for word in words if word.startswith("--")} <= options, line


@each("path", DOCUMENTS)
def test_documents_name_the_version_that_there_is(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    named = re.findall(r"table[-_]companion-(\d[\d.]*\d)", text)
    named += re.findall(r"\bversions?/? ?(\d+\.\d+\.\d+)-1\b", text)
    assert set(named) <= {VERSION}


@pytest.mark.slow
def test_the_walk_from_a_sheet_to_a_verdict_ends_as_the_readme_says(
    tmp_path: Path,
) -> None:
    printed = walk(tmp_path)
    assert printed[-1].startswith("photo.jpg: fake, 99 % sure\n")
    assert f"```text\n{printed[-1]}```" in README
    assert _third_note_is_fake()
    draw(tmp_path, tmp_path / "walk.jpg")
    made, kept = (cv2.imread(str(p)) for p in (tmp_path / "walk.jpg", PICTURE))
    assert made is not None
    assert kept is not None
    assert abs(made.shape[1] - kept.shape[1]) < 50
    assert PICTURE.stat().st_size < 100_000


def _third_note_is_fake() -> bool:
    """Return the walk's answer for the note in the photograph."""
    amounts = builtin("crooked-cash").denominations
    return dealt_notes(tuple(map(str, amounts)), 20, 6, Job(seed=7))[2].is_fake


def test_an_option_of_serve_is_also_a_variable() -> None:
    shown = CliRunner().invoke(main, ["serve"], env={"COMPANION_SERVE_PORT": "high"})
    assert shown.exit_code == 2
    assert "COMPANION_SERVE_PORT" in README
    assert "'high' is not a valid integer" in shown.output


@each("path", DOCUMENTS)
def test_links_between_documents_lead_somewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for target, anchor in re.findall(r"\]\((?!\w+:)([^)#\s]*)#?([^)\s]*)\)", text):
        to = path.parent / target if target else path
        assert to.exists(), f"{path.name}: {target}"
        assert not anchor or anchor in anchors(to), f"{path.name}: {target}#{anchor}"


def anchors(document: Path) -> set[str]:
    """Return what a git host calls the headings of a document in an address."""
    text = re.sub(r"(?ms)^```.*?^```", "", document.read_text(encoding="utf-8"))
    headings = re.findall(r"(?m)^#+ (.+)$", text.lower())
    return {re.sub(r"[^\w -]", "", line).replace(" ", "-") for line in headings}


def test_each_reason_to_be_unsure_is_told_to_players() -> None:
    text = (ROOT / "companion/decoder/README.md").read_text(encoding="utf-8")
    for reason in Reason:
        assert f"\n| {reason.words} | " in text


@each("path", DOCUMENTS)
def test_each_document_is_a_page_of_the_site(path: Path) -> None:
    pages = (ROOT / "release/site/mkdocs.yml").read_text(encoding="utf-8")
    assert f": {path.relative_to(ROOT)}\n" in pages
