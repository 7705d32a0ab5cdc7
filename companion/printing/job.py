"""How a document is printed: paper, printer, pitch, and the seed that picks fakes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.errors import Malformed
from companion.printing.deck import HOUSE, PrintDeck
from companion.printing.page import Pages, Paper

DPIS = (300, 600, 1200)
"""Dots an inch of the printers that are supported."""

SCALES = (0.95, 1.05)
"""A printer that is off by more was set to fit to the page."""

OFFSET_MAX_MM = 10
"""Farthest that a print may be moved, in each direction."""


@dataclass(frozen=True, slots=True)
class Job:
    """How to print.

    Attributes:
        dpi: The printer's true dots an inch: 300, 600 or 1200.
        seed: Decides what is fake; take a new one each time, or players learn it.
        is_duplex: Whether a page of backs follows every page of fronts.
        pitch_mm: Distance from line to line, 0.25 to 0.60; the calibration strip shows
            which pitches a printer can print.
        scale: 1 if the printer is true; 100 / 98.5 if it prints 100 mm as 98.5 mm.
        offset_mm: How far everything is moved on the paper, to the right and down.
    """

    paper: Paper = Paper.A4
    dpi: int = 600
    seed: int = 0
    is_duplex: bool = False
    pitch_mm: float = HOUSE.screen.pitch_mm
    scale: float = 1.0
    offset_mm: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        if self.dpi not in DPIS:
            raise Malformed(f"expected dpi 300, 600 or 1200, got {self.dpi!r}")
        if not 0.25 <= self.pitch_mm <= 0.6:
            raise Malformed(f"expected pitch_mm in 0.25..0.60, got {self.pitch_mm!r}")
        if not SCALES[0] <= self.scale <= SCALES[1]:
            raise Malformed(
                f"expected scale in {SCALES[0]}..{SCALES[1]}, got {self.scale:.4g}",
                "print at 100 %, not 'fit to page', and measure the line again",
            )
        if not all(abs(moved) <= OFFSET_MAX_MM for moved in self.offset_mm):
            limits = f"-{OFFSET_MAX_MM}..{OFFSET_MAX_MM}"
            raise Malformed(f"expected offset_mm in {limits}, got {self.offset_mm!r}")

    @property
    def deck(self) -> PrintDeck:
        """The house deck at this job's pitch."""
        return replace(HOUSE, screen=replace(HOUSE.screen, pitch_mm=self.pitch_mm))

    @property
    def dots_an_inch(self) -> float:
        """The dots that this printer sets on a true inch of paper."""
        return self.dpi * self.scale

    def pages(self, title: str) -> Pages:
        """Begin a document that is drawn in true mm on this printer's paper."""
        return Pages(self.paper, title, self.scale, self.offset_mm)
