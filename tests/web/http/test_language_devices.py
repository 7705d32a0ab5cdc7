"""What a phone is told of devices and mistakes can be translated, or is generic."""

from __future__ import annotations

import ast
from pathlib import Path
from queue import Queue

import pytest

from companion.errors import Malformed
from companion.health import Condition
from companion.lock.keeper import DIED
from companion.lock.states import VaultState
from companion.lock.view import Lid, VaultView, vault_findings
from companion.words import Words
from hardware.photos.one_at_a_time import in_background
from tests.running import PATIENCE_S, ROOT
from tests.sample import each
from tests.web.conftest import Evening
from web.http.errors import problem_of
from web.http.server import TooManyPhotos

INNER = ["box", "decoder", "edition", "game", "rules", "table", "views"]
DEVICES = [
    "lessons",
    "lesson_photo",
    "deck_folder",
    "examiner",
    "one_at_a_time",
]
ROOMS = [
    *sorted((ROOT / "web").rglob("*.py")),
    *(ROOT / "hardware/photos" / f"{name}.py" for name in DEVICES),
    *(
        path
        for room in INNER
        for path in sorted((ROOT / "companion" / room).glob("*.py"))
    ),
]
SPOKEN = {
    "Malformed": (0, 1),
    "Refused": (1, 2),
    "Problem": (2, 3),
    "DeviceFault": (0, 1),
}
"""Errors that a page shows, and which of their arguments are sentences."""

EXCUSED = {
    "api.py",  # Told to programs alone.
    "server.py",  # Told to whoever starts the table.
    "catalogue.py",  # As it begins, likewise.
    "reading.py",  # Frames that no photo and no camera gives.
    "explain.py",  # A reading that nobody asks to have explained.
    "deck.py",  # ``DeckFolder`` says it in its own words.
    "shape.py",  # Words of scripts; a form asks in its own.
    "codec.py",  # Told to the command line alone.
    "importing.py",
}


def bare(path: Path) -> list[str]:
    """Sentences of errors that are written down as they stand."""
    found = []
    for call in ast.walk(ast.parse(path.read_text())):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            if any(keyword.arg == "plain" for keyword in call.keywords):
                continue  # That is what a page says.
            for at in SPOKEN.get(call.func.id, ()):
                said = call.args[at] if at < len(call.args) else None
                is_text = isinstance(said, ast.Constant) and bool(said.value)
                if said is not None and (is_text or isinstance(said, ast.JoinedStr)):
                    found.append(f"{path.name}:{call.lineno}: {ast.unparse(said)}")
    return found


@each("path", ROOMS)
def test_an_error_that_a_page_shows_can_be_translated(path: Path) -> None:
    assert path.name in EXCUSED or bare(path) == [], "put these into say()"


def view(fault: str) -> VaultView:
    return VaultView(
        state=VaultState.FAULT,
        lid=Lid.UNKNOWN,
        number=1,
        tries_count=0,
        rest_s=0,
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


MAKERS = Malformed("expected a deck, got b'hello'", "pass a whole one")


def test_what_fails_in_the_background_keeps_makers_words_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail() -> None:
        raise MAKERS

    said: Queue[tuple[str, str]] = Queue()
    in_background("growth", fail, lambda *words: said.put(words))
    told = said.get(timeout=PATIENCE_S)
    assert all(isinstance(words, Words) for words in told)
    assert "b'hello'" in caplog.text


@pytest.mark.parametrize(
    ("kind", "is_told"), [("application/json", 1), ("text/html", 0)]
)
def test_only_a_program_is_told_makers_words(
    evening: Evening, caplog: pytest.LogCaptureFixture, kind: str, *, is_told: bool
) -> None:
    caplog.set_level("INFO")
    with evening.house.app.test_request_context("/decks", headers={"Accept": kind}):
        problem = problem_of(MAKERS)
    assert ("b'hello'" in problem.message) == is_told
    assert ("b'hello'" in caplog.text) != is_told
    assert is_told or isinstance(problem.remedy, Words)


@pytest.mark.parametrize(
    ("headers", "said"),
    [
        ({}, "Other photos are arriving now."),
        ({"ACCEPT_LANGUAGE": "de-DE,de;q=0.9"}, "Gerade kommen andere Fotos an."),
        ({"ACCEPT_LANGUAGE": "en", "COOKIE": "a=b; language=de"}, "Gerade kommen"),
    ],
)
def test_a_photo_without_room_is_refused_in_the_phones_language(
    headers: dict[str, str], said: str
) -> None:
    _, _, body = TooManyPhotos(headers).to_response()
    assert body.decode().startswith(said)
    assert "generated" not in body.decode()
