"""What a phone is told of devices and mistakes can be translated, or is generic."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from companion.health import Condition
from companion.lock.health import vault_findings
from companion.lock.keeper import DIED
from companion.lock.states import VaultState
from companion.lock.view import Lid, VaultView
from companion.words import Words
from tests.running import ROOT

DEVICES = [
    "lessons",
    "lesson_photo",
    "growing",
    "deck_folder",
    "examiner",
    "background",
]
ROOMS = [
    *sorted((ROOT / "web").rglob("*.py")),
    *(ROOT / "hardware" / f"{name}.py" for name in DEVICES),
]
SPOKEN = {
    "Malformed": (0, 1),
    "Refused": (1, 2),
    "Problem": (2, 3),
    "DeviceFault": (0,),
}
"""Errors that a page shows, and which of their arguments are sentences."""

EXCUSED = {
    "json_forms.py",  # Told to programs alone.
    "server.py",  # Told to whoever starts the table.
}


def bare(path: Path) -> list[str]:
    """Sentences of errors that are written down as they stand."""
    found = []
    for call in ast.walk(ast.parse(path.read_text())):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            for at in SPOKEN.get(call.func.id, ()):
                said = call.args[at] if at < len(call.args) else None
                is_text = isinstance(said, ast.Constant) and bool(said.value)
                if said is not None and (is_text or isinstance(said, ast.JoinedStr)):
                    found.append(f"{path.name}:{call.lineno}: {ast.unparse(said)}")
    return found


@pytest.mark.parametrize("path", ROOMS, ids=lambda path: path.stem)
def test_an_error_that_a_page_shows_can_be_translated(path: Path) -> None:
    assert path.name in EXCUSED or bare(path) == [], "put these into say()"


def view(fault: str) -> VaultView:
    return VaultView(
        state=VaultState.FAULT,
        lid=Lid.UNKNOWN,
        number=1,
        tries_count=0,
        coil_wait_ms=0,
        yellow_count=0,
        fault=fault,
        is_writable=True,
        device="",
        has_hands=False,
    )


@pytest.mark.parametrize(("fault", "is_spoken"), [("GPIO18 gone", False), (DIED, True)])
def test_what_a_driver_says_is_no_part_of_a_translated_sentence(
    fault: str, *, is_spoken: bool
) -> None:
    finding = next(iter(vault_findings(view(fault), None, is_alive=True)))
    assert finding.condition is Condition.FAIL
    assert isinstance(finding.words, Words) == is_spoken
    assert fault in finding.words
