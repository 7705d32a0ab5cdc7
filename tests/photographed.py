"""Notes and cards of ``companion print``, photographed: what lies before the camera.

The answer sheet says which are fakes; nobody asks it but the test. Each photograph of
the same note is another one: from elsewhere, in another light.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.decoder.photograph import from_sheet
from benchmarks.decoder.simulator import simulate
from companion.printing.job import Job
from companion.printing.page import Paper
from companion.printing.sheets import (
    Item,
    cards_pdf,
    dealt_notes,
    notes_pdf,
    shuffled_cards,
)

EACH, FAKES_EACH = 3, 1

PHOTOGRAPHS_MAX = 12
"""How many photographs are kept, of 9 MB each: taking one again takes a second."""


class Run:
    """One print run of notes and cards.

    Args:
        folder: Where the sheets are kept.
        amounts: What the notes are worth, the smallest first.
        seed: Decides what is fake.
    """

    def __init__(self, folder: Path, amounts: tuple[int, ...], seed: int) -> None:
        self._amounts = amounts
        self._job = Job(seed=seed)
        labels = tuple(f"${amount}" for amount in amounts)
        self._notes = dealt_notes(labels, EACH, FAKES_EACH, self._job)
        self._cards = shuffled_cards(self._job)
        self._sheets = {False: folder / "notes.pdf", True: folder / "cards.pdf"}
        self._sheets[False].write_bytes(notes_pdf(labels, EACH, FAKES_EACH, self._job))
        self._sheets[True].write_bytes(cards_pdf(self._job))
        self.photograph = lru_cache(PHOTOGRAPHS_MAX)(self._photograph)

    def note(self, amount: int, *, is_fake: bool) -> int:
        """Return the number of a note of that value, from 1."""
        return _number_of(self._notes, self._amounts.index(amount), is_fake=is_fake)

    def card(self, pair: int, *, is_fake: bool) -> int:
        """Return the number of a card of one pair, from 1."""
        return _number_of(self._cards, pair, is_fake=is_fake)

    def _photograph(
        self, number: int, take: int, *, is_card: bool
    ) -> NDArray[np.uint8]:
        """Photograph a note or card; each *take* is another photograph."""
        sheet = self._sheets[is_card]
        shown = from_sheet(sheet, Paper.A4, number, is_card=is_card)
        seed = 1_000_000 * self._job.seed + 10_000 * is_card + 100 * number + take
        frame = simulate(seed, "normal", ("house",), shown, notes_count=1)
        return frame.image


def _number_of(items: tuple[Item, ...], rank: int, *, is_fake: bool) -> int:
    return next(
        number
        for number, item in enumerate(items, 1)
        if item.rank == rank and item.is_fake is is_fake
    )
