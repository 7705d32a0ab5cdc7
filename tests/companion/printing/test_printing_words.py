"""What a sheet tells its reader to type is what the command takes."""

from __future__ import annotations

import re

import click

from companion.console import print_sheets
from companion.printing import (
    Job,
    cards_pdf,
    dial_pdf,
    lens_pdf,
    notes_pdf,
)
from tests.companion.printing.pdf_reading import sheets
from tests.companion.printing.strip import strip_pdf

JOB = Job(dpi=300, seed=8)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def options_of(command: click.Command) -> set[str]:
    return {name for option in command.params for name in option.opts}


def test_every_option_on_paper_is_one_of_the_command_that_printed_it() -> None:
    printed = {
        "notes": notes_pdf(("$10",), 2, 1, JOB),
        "cards": cards_pdf(JOB),
        "lens": lens_pdf(JOB),
        "dial": dial_pdf(JOB),
    }
    assert isinstance(print_sheets, click.Group)
    assert set(printed) <= set(print_sheets.commands)
    named: set[str] = set()
    for name, pdf in printed.items():
        words = " ".join(word for page in sheets(pdf) for word in page.words)
        found = set(OPTION.findall(words))
        assert found <= options_of(print_sheets.commands[name]), name
        named |= found
    assert named == {"--pitch-mm", "--scale"}


def test_every_patch_of_the_strip_says_how_to_print_in_its_pitch() -> None:
    (page,) = sheets(strip_pdf(JOB))
    words = " ".join(page.words)
    for pitch in ("0.25", "0.30", "0.34", "0.42", "0.50", "0.60"):
        assert f"--pitch-mm {pitch}" in words
        job = Job(pitch_mm=float(pitch))
        assert job.deck.screen.pitch_mm == float(pitch)
