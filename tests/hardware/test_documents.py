"""The hardware's documents agree with its code."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.lock.states import mermaid
from companion.ports import Signal
from hardware.pins import Pins, pin_table
from hardware.signals import PATTERNS
from hardware.wiring.draw import FILE, draw

HARDWARE = Path(__file__).parents[2] / "hardware"
README = (HARDWARE / "README.md").read_text(encoding="utf-8")


def test_readme_has_the_pin_table() -> None:
    assert pin_table(Pins()) in README


def test_readme_has_the_lock_as_the_table_has_it() -> None:
    assert f"```mermaid\n{mermaid()}```" in README


def test_figure_is_as_the_pins_have_it() -> None:
    assert FILE.read_text(encoding="utf-8") == draw(Pins())
    assert "BCM 26 · pin 37" in draw(Pins(coil=26, spare=17))


def test_figure_shows_every_wire_but_the_spare() -> None:
    for wire, bcm in Pins().named():
        assert (f"BCM {bcm} ·" in draw(Pins())) == (wire != "spare")


@pytest.mark.parametrize("script", sorted((HARDWARE / "bench").glob("[a-z]*.py")))
def test_bench_scripts_fit_on_a_card_and_are_mentioned(script: Path) -> None:
    assert len(script.read_text().splitlines()) <= 25
    assert f"hardware.bench.{script.stem}" in README


def test_readme_has_a_row_for_each_signal() -> None:
    rows = README.split("## Lights and sounds")[1].splitlines()
    assert sum(row.startswith("| ") for row in rows) == 2 + len(Signal) == 9
    assert len(PATTERNS) == len(Signal)
