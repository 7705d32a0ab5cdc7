"""The hardware's documents and figures agree with its code."""

from __future__ import annotations

import re
from dataclasses import fields
from itertools import chain
from pathlib import Path

import pytest

from companion.ports import Signal
from hardware.camera.settings import CameraSettings
from hardware.vault.discover import VaultSettings
from hardware.vault.gpio_vault import PATTERNS
from hardware.vault.pins import SERVO_BCM, Pins
from hardware.wiring.draw import FIGURES, FOLDER
from hardware.wiring.nets import BOX, COIL, PARTS, SERVO, Nets
from tests.hardware.wiring.tables import mermaid, net_table, pin_table
from tests.sample import each

ROOT = Path(__file__).parents[3]
HARDWARE = ROOT / "hardware"
README = (HARDWARE / "README.md").read_text(encoding="utf-8")
BUILD_A = "Build A: a coil from a reservoir"
BUILD_B = "Build B: a servo from a reservoir"
CHAPTERS = {
    "The box": (BOX, ("contacts.svg", "box-board.svg")),
    BUILD_A: (COIL, ("coil.svg", "coil-board.svg")),
    BUILD_B: (SERVO, ("servo.svg", "servo-board.svg")),
}
"""The chapters to solder by: the nets and the figures of each."""
TEXTS = {
    name: re.findall(r"<tspan [^>]*>([^<]*)</tspan>", draw())
    for name, draw in FIGURES.items()
}
"""Every line of text in each figure, in the order in which it is drawn."""


def chapter(heading: str) -> str:
    """Return what stands below *heading* in the README."""
    return README.split(f"\n## {heading}\n")[1].split("\n## ")[0]


def test_readme_has_the_pins_as_the_code_has_them() -> None:
    assert f"\n{pin_table(Pins())}\n" in chapter("Settings")


@each("heading", CHAPTERS)
def test_chapter_has_its_nets_its_figures_and_its_parts(heading: str) -> None:
    nets, figures = CHAPTERS[heading]
    text = chapter(heading)
    assert f"\n{net_table(nets)}" in text
    for figure in figures:
        assert f"(wiring/{figure})" in text
    for part in parts_of(nets):
        for figure in figures:
            assert re.search(rf"\b{part}\b", " ".join(TEXTS[figure])), part
        assert part in listed_parts(text), part
        assert part[0] not in "RC" or PARTS[part] in text, part


def parts_of(nets: Nets) -> set[str]:
    return {leg.split(".")[0] for leg in chain(*nets.values())} - {"Pi"}


def listed_parts(text: str) -> set[str]:
    """Return all parts that *text* names outside its nets, with those of R10 to R14."""
    text = re.sub(r"\| net \|(.|\n)*?\n\n", "", text)
    parts = set(re.findall(r"\b[A-Z]{1,2}\d+\b", text))
    for kind, first, last in re.findall(r"\b([A-Z])(\d+) to [A-Z](\d+)", text):
        parts |= {f"{kind}{number}" for number in range(int(first), int(last) + 1)}
    return parts


def test_readme_has_the_lock_as_the_table_has_it() -> None:
    assert f"```mermaid\n{mermaid()}```" in README


@pytest.mark.parametrize("name", FIGURES)
def test_figure_is_as_pins_and_nets_have_it(name: str) -> None:
    drawn = (FOLDER / name).read_text(encoding="utf-8")
    assert drawn == FIGURES[name]()
    width = float(drawn.split('viewBox="')[1].split()[2])
    assert width <= 33 * 36, "text would be less than 11 pixels high"
    assert f"(wiring/{name})" in README


def test_no_figure_is_left_over() -> None:
    assert {file.name for file in FOLDER.glob("*.svg")} == set(FIGURES)


def test_every_wire_is_drawn_once_beside_its_circuit() -> None:
    figures = chain(*(figures for _, figures in CHAPTERS.values()))
    tags = [text for figure in figures for text in TEXTS[figure]]
    for bcm in (SERVO_BCM, *(bcm for _, bcm in Pins().named())):
        assert sum(text.startswith(f"BCM {bcm} ·") for text in tags) == 1


def test_header_shows_all_its_pins() -> None:
    numbers = [int(text) for text in TEXTS["whole.svg"] if text.isdigit()]
    assert numbers == list(range(1, 41))


@pytest.mark.parametrize("kind", [VaultSettings, CameraSettings])
def test_every_setting_has_its_row(kind: type[VaultSettings | CameraSettings]) -> None:
    for item in fields(kind):
        if item.name == "pins":
            assert "| `COMPANION_PIN_...` |" in README
        else:
            value = item.default
            shown = int(value) if isinstance(value, bool) else value
            default = f"`{shown}`" if shown != "" else ""
            row = rf"\| `COMPANION_{item.name.upper()}` \| {re.escape(default)} ?\|"
            assert re.search(row, README), row


NAMED = sorted(set(re.findall(r"`(tests/[\w/.]+)(?:::(\w+))?`", README)))


@each(("file", "name"), NAMED)
def test_every_proof_that_is_named_exists(file: str, name: str) -> None:
    path = ROOT / file
    assert path.exists(), f"{file} is named in hardware/README.md and is not there"
    assert not name or f"def {name}(" in path.read_text(encoding="utf-8")


def test_every_failure_says_what_proves_it_or_that_nothing_does() -> None:
    rows = [row for row in chapter("What if").splitlines() if row.startswith("| ")]
    failures = [row.split(" | ") for row in rows[2:]]
    assert failures
    for *_, proof in failures:
        assert "`tests/" in proof or "unproven" in proof


def test_nothing_is_promised_that_no_pin_does() -> None:
    assert "camera light" not in README.lower()
    assert "spare pin" not in README.lower()


@pytest.mark.parametrize("script", sorted((HARDWARE / "bench").glob("[a-z]*.py")))
def test_bench_scripts_fit_on_a_card_and_are_mentioned(script: Path) -> None:
    assert len(script.read_text().splitlines()) <= 25
    assert f"hardware.bench.{script.stem}" in README


def test_readme_has_a_row_for_each_signal() -> None:
    rows = README.split("## Lights and sounds")[1].splitlines()
    assert sum(row.startswith("| ") for row in rows) == 2 + len(Signal) == 9
    assert len(PATTERNS) == len(Signal)
