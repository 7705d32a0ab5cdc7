"""The guide says each figure as the simulation has it."""

from __future__ import annotations

import re
from pathlib import Path

from tests.circuit.figures import FIGURES, GUIDE, Figure
from tests.circuit.netlist import nodes, stage
from tests.sample import each

ROOT = Path(__file__).parents[2]


@each("figure", [figure for figure in FIGURES if figure.words])
def test_the_guide_says_the_figure(figure: Figure) -> None:
    said = " ".join((ROOT / GUIDE).read_text("utf-8").split())
    is_said = re.search(rf"(?<![\d.]){re.escape(figure.words)}(?!\d)", said)
    assert is_said, f"{GUIDE} does not say {figure.words!r}"


def test_no_leg_is_on_two_nets() -> None:
    legs = [leg for joined in stage().values() for leg in joined]
    assert len(legs) == len(set(legs)) == len(nodes(stage()))
