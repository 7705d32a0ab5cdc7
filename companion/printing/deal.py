"""Decides which notes or cards of a print run are fake, and draws their serials.

A *run* is everything that is printed at once. Its items are of several *kinds*: the
denominations of notes, or the pairs of Chance cards.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.errors import Malformed

NOTES_EACH_MAX = 200
"""Most items of one kind in a run."""


@dataclass(frozen=True, slots=True)
class Item:
    """One note or card of a run.

    Attributes:
        serial: Printed on the item, and on the answer sheet if it is fake; it gives
            nothing away by itself.
        rank: The number of its kind, from 0.
        scene_seed: The seed for placing faces and symbols in its panel.
    """

    serial: str
    rank: int
    is_fake: bool
    scene_seed: int


def deal(kinds_count: int, each: int, fakes_each: int, seed: int) -> tuple[Item, ...]:
    """Draw a run of *each* items of every kind, *fakes_each* of them fake.

    The kinds come one after the other, as a bank sorts its notes. Within a kind real
    and fake are shuffled, and serials are drawn at random from a thousand numbers or
    more, so neither place nor number gives a fake away.

    Raises:
        Malformed: If a count is out of range.
    """
    if not 1 <= each <= NOTES_EACH_MAX:
        raise Malformed(f"expected 1..{NOTES_EACH_MAX} of each kind, got {each!r}")
    if not 0 <= fakes_each <= each:
        raise Malformed(f"expected 0..{each} fakes of each kind, got {fakes_each!r}")
    draw = np.random.default_rng(seed)
    total = kinds_count * each
    numbers = draw.permutation(max(1000, 2 * total))[:total]
    seeds = draw.integers(0, 2**31, total)
    items = []
    for rank in range(kinds_count):
        fakes = set(draw.permutation(each)[:fakes_each].tolist())
        for place in range(each):
            index = rank * each + place
            serial = f"{chr(ord('A') + rank % 26)}{int(numbers[index]):04d}"
            items.append(Item(serial, rank, place in fakes, int(seeds[index])))
    return tuple(items)
