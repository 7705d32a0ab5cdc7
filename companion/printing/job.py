"""How a run is printed: paper, resolution, pitch, and the seed that picks the fakes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from companion.errors import Malformed
from companion.printing.deck import HOUSE, PrintDeck
from companion.printing.page import Paper

DPIS = (300, 600, 1200)


@dataclass(frozen=True, slots=True)
class Job:
    """How to print.

    Attributes:
        dpi: The printer's true dots an inch: 300, 600 or 1200.
        seed: Decides what is fake; take a new one for every run, or people learn it.
        is_duplex: Whether a page of backs follows every page of fronts.
        pitch_mm: From line to line, 0.25 to 0.60; the calibration strip shows which
            pitches a printer can print.
    """

    paper: Paper = Paper.A4
    dpi: int = 600
    seed: int = 0
    is_duplex: bool = False
    pitch_mm: float = field(default=HOUSE.screen.pitch_mm)

    def __post_init__(self) -> None:
        if self.dpi not in DPIS:
            raise Malformed(f"expected dpi 300, 600 or 1200, got {self.dpi!r}")
        if not 0.25 <= self.pitch_mm <= 0.6:
            raise Malformed(f"expected pitch_mm in 0.25..0.60, got {self.pitch_mm!r}")

    @property
    def deck(self) -> PrintDeck:
        """The house deck at this job's pitch."""
        return replace(HOUSE, screen=replace(HOUSE.screen, pitch_mm=self.pitch_mm))
