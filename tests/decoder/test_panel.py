"""Which panels are one: those that lie on one another."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.decoder import Kind, house_deck, read
from companion.decoder.panel import Corners, is_on
from tests.decoder.screens import panel
from tests.sample import each


def box(x: float, y: float, width: float, height: float) -> Corners:
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


@each(
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


@pytest.mark.parametrize(
    ("item_mm", "wanted"),
    [((100.0, 50.0), Kind.NOTE), ((88.0, 63.0), Kind.CARD), (None, Kind.PANEL)],
)
def test_what_carries_a_panel_is_what_its_deck_says(
    item_mm: tuple[float, float] | None, wanted: Kind
) -> None:
    deck = replace(house_deck(), item_mm=item_mm)
    (first, *_) = read(panel(deck, is_fake=True, pixels_per_line=4.0), deck)
    assert first.kind is wanted


def test_the_built_in_deck_stands_on_notes_and_cards_so_it_says_neither() -> None:
    assert house_deck().item_mm is None
