"""Lays out notes or cards on a sheet, with cut marks and a ruler of 100 mm."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from companion.printing.page import BLACK, Align, Pages, Paper

PRINTER_MARGIN_MM = 4.2
"""The margin in which common printers cannot print."""

CUT_MARK_MM = 4.3
"""How far cut marks reach out from the items."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Notes or cards of one size, edge to edge in the middle of a sheet.

    One cut serves two items, and backs lie behind their fronts when the sheet is turned
    over.
    """

    paper: Paper
    item_mm: tuple[float, float]

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of columns and rows."""
        spare = 2 * PRINTER_MARGIN_MM
        width, height = self.paper.size_mm
        return (
            int((width - spare) // self.item_mm[0]),
            int((height - spare) // self.item_mm[1]),
        )

    @property
    def per_page(self) -> int:
        """The number of items on one sheet."""
        columns, rows = self.shape
        return columns * rows

    @property
    def corner_mm(self) -> tuple[float, float]:
        """The top left corner of the first item."""
        columns, rows = self.shape
        width, height = self.paper.size_mm
        return (
            (width - columns * self.item_mm[0]) / 2,
            (height - rows * self.item_mm[1]) / 2,
        )

    def places_mm(self) -> Iterator[tuple[float, float]]:
        """Yield the top left corners of all items, row by row."""
        (columns, _), (x, y) = self.shape, self.corner_mm
        for index in range(self.per_page):
            yield (
                x + index % columns * self.item_mm[0],
                y + index // columns * self.item_mm[1],
            )

    def draw_cut_marks(self, pages: Pages) -> None:
        """Draw short lines outside the items, in line with every cut."""
        (columns, rows), (x, y) = self.shape, self.corner_mm
        right = x + columns * self.item_mm[0]
        bottom = y + rows * self.item_mm[1]
        for column in range(columns + 1):
            cut = x + column * self.item_mm[0]
            for start, end in (
                (y - CUT_MARK_MM, y - 0.8),
                (bottom + 0.8, bottom + CUT_MARK_MM),
            ):
                pages.path(np.array([(cut, start), (cut, end)]), BLACK, 0.12)
        for row in range(rows + 1):
            cut = y + row * self.item_mm[1]
            for start, end in (
                (x - CUT_MARK_MM, x - 0.8),
                (right + 0.8, right + CUT_MARK_MM),
            ):
                pages.path(np.array([(start, cut), (end, cut)]), BLACK, 0.12)


def draw_ruler(pages: Pages, foot_mm: float = 24.0) -> None:
    """Draw a line of 100 mm, and what to do if it measures more or less.

    It lies *foot_mm* above the foot of the sheet, and takes 2 mm above itself and 2.5
    mm below, since a sheet of cards has no more room.
    """
    x, y = pages.width_mm / 2 - 50, pages.height_mm - foot_mm
    pages.path(np.array([(x, y), (x + 100, y)]), BLACK, 0.25)
    for tick in range(0, 101, 10):
        tall = 2.0 if tick % 50 == 0 else 1.2
        pages.path(np.array([(x + tick, y), (x + tick, y - tall)]), BLACK, 0.25)
    words = (
        "100 mm: measure it. If it is not, print at 100 %, not 'fit to page'. If it "
        f"still measures 98.5, say: --scale {round(100 * pages.scale, 2):g}/98.5"
    )
    pages.text((pages.width_mm / 2, y + 2.1), words, 2.4, BLACK, Align.MIDDLE)
