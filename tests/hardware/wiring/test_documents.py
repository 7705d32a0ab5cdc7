"""The hardware's documents and figures agree with its code."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import fields
from pathlib import Path

import pytest

from companion.ports import Signal
from hardware.camera.settings import CameraSettings
from hardware.vault.discover import VaultSettings
from hardware.vault.pins import GROUND, POWER, SUPPLY_3V3, SUPPLY_5V, Pins
from hardware.vault.signals import PATTERNS
from hardware.wiring.draw import FIGURES, FOLDER
from hardware.wiring.nets import (
    CHIP_NAMES,
    CHIPS,
    LEFT_OPEN,
    LOCK_OUT_MS,
    PARTS,
    PULL_MS,
    TOLERANCE,
    net_of,
)
from tests.hardware.wiring.tables import fuse_table, mermaid, net_table, pin_table
from tests.sample import each

ROOT = Path(__file__).parents[3]
HARDWARE = ROOT / "hardware"
README = (HARDWARE / "README.md").read_text(encoding="utf-8")
TEXTS = {
    name: re.findall(r"<tspan [^>]*>([^<]*)</tspan>", draw(Pins()))
    for name, draw in FIGURES.items()
}
"""Every line of text in each figure, in the order in which it is drawn."""


@pytest.mark.parametrize("table", [pin_table(Pins()), net_table(Pins()), fuse_table()])
def test_readme_has_the_tables_as_the_code_has_them(table: str) -> None:
    assert f"\n{table}\n" in README


def test_readme_has_the_lock_as_the_table_has_it() -> None:
    assert f"```mermaid\n{mermaid()}```" in README


@pytest.mark.parametrize("name", FIGURES)
def test_figure_is_as_pins_and_nets_have_it(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == FIGURES[name](Pins())
    assert f"(wiring/{name})" in README


def test_no_figure_is_left_over() -> None:
    assert {file.name for file in FOLDER.glob("*.svg")} == set(FIGURES)


def test_figures_follow_a_pin_that_was_moved() -> None:
    moved = Pins(coil=26)
    assert "BCM 26 · pin 37" in FIGURES["coil.svg"](moved)
    assert "coil: pin 37" in FIGURES["whole.svg"](moved)
    assert "coil · BCM 26" in FIGURES["chips.svg"](moved)


def test_every_wire_is_drawn_beside_its_circuit() -> None:
    tags = TEXTS["coil.svg"] + TEXTS["contacts.svg"]
    for _, bcm in Pins().named():
        assert sum(text.startswith(f"BCM {bcm} ·") for text in tags) == 1


@each("part", PARTS)
def test_every_part_is_drawn_listed_and_told_apart(part: str) -> None:
    drawn = " ".join(TEXTS["coil.svg"] + TEXTS["contacts.svg"])
    assert re.search(rf"\b{part}\b", drawn)
    assert part in listed_parts()


def listed_parts() -> set[str]:
    """Return all parts in the list of parts, including those within ``R11 to R16``."""
    text = README.split("## Parts")[1].split("## Pins")[0]
    parts = set(re.findall(r"\b[A-Z]{1,2}\d+\b", text))
    for kind, first, last in re.findall(r"\b([A-Z])(\d+) to [A-Z](\d+)", text):
        parts |= {f"{kind}{number}" for number in range(int(first), int(last) + 1)}
    return parts


def test_list_of_parts_has_the_values_of_the_nets() -> None:
    text = README.split("## Parts")[1].split("## Pins")[0]
    for part, value in PARTS.items():
        if part[0] in "RC" and part[1:].isdigit():
            assert value in text, part
    assert "R3: 1 MΩ; R4: 150 kΩ" in text


@pytest.mark.parametrize("chip", CHIPS)
def test_every_leg_of_a_chip_stands_beside_its_net(chip: str) -> None:
    """A row reads: net, number and name of the left leg, then those of the right."""
    on = net_of(Pins())
    labels = [
        [on.get(f"{chip}.{number}", "open"), str(number), leg.name]
        for number, leg in CHIPS[chip].items()
    ]
    half = len(labels) // 2
    assert rows_of(chip) == [
        left + right[::-1]
        for left, right in zip(labels[:half], labels[: half - 1 : -1], strict=True)
    ]


def rows_of(chip: str) -> list[list[str]]:
    """Return what is written in each row of legs, from left to right."""
    texts = [
        (float(x), float(y) + float(size), words)
        for x, y, size, words in re.findall(
            r'<text x="(.+?)" y="(.+?)" .*><tspan .* dy="(.+?)">([^<]*)</tspan></text>',
            FIGURES["chips.svg"](Pins()),
        )
    ]
    ((middle, top),) = (
        (x, y) for x, y, words in texts if words == f"{chip}  {CHIP_NAMES[chip]}"
    )
    rows = defaultdict(list)
    for x, y, words in sorted(texts):
        if abs(x - middle) < 130 and y > top + 20:
            rows[round(y)].append(words)
    return [rows[y] for y in sorted(rows)][: len(CHIPS[chip]) // 2]


def test_header_shows_all_its_pins_and_what_is_used() -> None:
    header = TEXTS["chips.svg"][TEXTS["chips.svg"].index("Header of the Pi") :]
    assert [int(text) for text in header if text.isdigit()] == list(range(1, 41))
    assert sum("BCM" in text for text in header) == len(fields(Pins))
    assert {SUPPLY_3V3, SUPPLY_5V, GROUND} <= {
        pin for pins in POWER.values() for pin in pins
    }


def test_coil_figure_numbers_every_leg_that_is_wired() -> None:
    texts = TEXTS["coil.svg"]
    numbers = [int(text) for text in texts if text.isdigit()]
    one_shots = [
        number
        for number, leg in CHIPS["U1"].items()
        if leg.role not in ("supply", "ground")
    ]
    assert sorted(numbers) == sorted([*one_shots, 1, 2, 3])
    words = " ".join(texts)
    assert "U1 leg 16, U2 leg 14: 3.3 V" in words
    assert "U1 leg 8, U2 leg 7: ground" in words
    assert "U2 legs 4, 5, 9, 10, 12, 13 (inputs): ground." in words
    open_legs = sorted(int(leg[3:]) for leg in LEFT_OPEN if leg.startswith("U2"))
    assert f"U2 legs {', '.join(map(str, open_legs))} (outputs): open." in words


def test_readme_says_how_long_pull_and_lock_out_are() -> None:
    assert f"R3 x C1 = {LOCK_OUT_MS / 1000:.1f} s" in README
    assert f"R4 x C2 = {PULL_MS / 1000:.1f} s" in README
    least, most = TOLERANCE
    pull = f"{PULL_MS * least / 1000:.2f} to {PULL_MS * most / 1000:.2f} s"
    lock_out = f"{LOCK_OUT_MS * least / 1000:.1f} to {LOCK_OUT_MS * most / 1000:.1f} s"
    assert f"{pull} in {lock_out}" in README


@pytest.mark.parametrize("kind", [VaultSettings, CameraSettings])
def test_every_setting_has_its_row(kind: type[VaultSettings | CameraSettings]) -> None:
    for item in fields(kind):
        name = "pin_..." if item.name == "pins" else item.name
        assert f"`COMPANION_{name.upper()}` |" in README


NAMED = sorted(set(re.findall(r"`(tests/[\w/.]+)(?:::(\w+))?`", README)))


@each(("file", "name"), NAMED)
def test_every_proof_that_is_named_exists(file: str, name: str) -> None:
    path = ROOT / file
    assert path.exists(), f"{file} is named in hardware/README.md and is not there"
    assert not name or f"def {name}(" in path.read_text(encoding="utf-8")


def test_every_failure_says_what_proves_it_or_that_nothing_does() -> None:
    rows = README.split("## What if")[1].split("\n## ")[0].splitlines()
    failures = [row.split(" | ") for row in rows if row.startswith("| ")][2:]
    assert len(failures) == 19
    for *_, proof in failures:
        assert "`tests/" in proof or "unproven" in proof or "logic, as" in proof


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
