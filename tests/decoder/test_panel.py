"""Which panels are one: those that lie on one another."""

from __future__ import annotations

import pytest

from companion.decoder.panel import Corners, is_on


def box(x: float, y: float, width: float, height: float) -> Corners:
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


@pytest.mark.parametrize(
    ("other", "wanted"),
    [
        (box(0, 0, 100, 50), True),
        (box(10, 10, 20, 20), True),  # A piece of it, off its middle.
        (box(-100, -100, 400, 400), True),
        (box(90, 0, 100, 50), False),  # A neighbour that touches it.
        (box(0, 60, 100, 50), False),
    ],
)
def test_a_panel_lies_on_another_when_a_middle_does(
    other: Corners, wanted: bool
) -> None:
    one = box(0, 0, 100, 50)
    assert is_on(one, other) is wanted
    assert is_on(other, one) is wanted
