"""How many of a thing fit on a sheet, and where the knife goes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from companion.printing.page import BLACK, Pages, Paper

PRINTER_MARGIN_MM = 4.2
"""What common printers cannot reach at a sheet's edge."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Equal things edge to edge in the middle of a sheet, so each cut serves two.

    In the middle, so that backs meet their fronts when the sheet is turned over.
    """

    paper: Paper
    item_mm: tuple[float, float]

    @property
    def shape(self) -> tuple[int, int]:
        """Columns and rows."""
        spare = 2 * PRINTER_MARGIN_MM
        width, height = self.paper.size_mm
        return (
            int((width - spare) // self.item_mm[0]),
            int((height - spare) // self.item_mm[1]),
        )

    @property
    def per_page(self) -> int:
        """Things on one sheet."""
        columns, rows = self.shape
        return columns * rows

    @property
    def corner_mm(self) -> tuple[float, float]:
        """Top left corner of the first thing."""
        columns, rows = self.shape
        width, height = self.paper.size_mm
        return (
            (width - columns * self.item_mm[0]) / 2,
            (height - rows * self.item_mm[1]) / 2,
        )

    def places_mm(self) -> Iterator[tuple[float, float]]:
        """Top left corners, row by row."""
        (columns, rows), (x, y) = self.shape, self.corner_mm
        for index in range(columns * rows):
            yield (
                x + index % columns * self.item_mm[0],
                y + index // columns * self.item_mm[1],
            )

    def draw_cut_marks(self, pages: Pages) -> None:
        """Short lines outside the things, in line with every cut."""
        (columns, rows), (x, y) = self.shape, self.corner_mm
        right = x + columns * self.item_mm[0]
        bottom = y + rows * self.item_mm[1]
        reach = 3.5
        for column in range(columns + 1):
            at = x + column * self.item_mm[0]
            for start, end in (
                (y - 0.8 - reach, y - 0.8),
                (bottom + 0.8, bottom + 0.8 + reach),
            ):
                pages.path(np.array([(at, start), (at, end)]), BLACK, 0.12)
        for row in range(rows + 1):
            at = y + row * self.item_mm[1]
            for start, end in (
                (x - 0.8 - reach, x - 0.8),
                (right + 0.8, right + 0.8 + reach),
            ):
                pages.path(np.array([(start, at), (end, at)]), BLACK, 0.12)
