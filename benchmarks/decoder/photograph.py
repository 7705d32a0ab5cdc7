"""Photograph a note of a printed sheet, or one that the simulator draws itself.

    companion print notes --out notes.pdf
    python -m benchmarks.decoder.photograph --sheet notes.pdf --out note.jpg
    companion decode note.jpg

A sheet is turned into dots by PDFium, at 600 to the inch.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pypdfium2

from benchmarks.decoder.simulator import DIFFICULTIES, Frame, simulate
from benchmarks.decoder.simulator_print import TEXTURE_DPI, Print
from benchmarks.decoder.styles import STYLES, Ink
from companion.printing.faces import (
    CARD_MM,
    CARD_PANEL_AT_MM,
    NOTE_MM,
    NOTE_PANEL_AT_MM,
)
from companion.printing.layout import Grid
from companion.printing.page import Paper

BLACK_ON_WHITE = Ink("print", (0.04, 0.04, 0.04), (0.86, 0.86, 0.86))


def from_sheet(sheet: Path, paper: Paper, note: int, *, is_card: bool = False) -> Print:
    """Note number *note*, from 1, of a sheet's fronts, as ink on paper.

    Colours become the grey that they print as; what is fake is on the answer sheet,
    so this print's own truth about faces is empty.
    """
    size, panel_at = (
        (CARD_MM, CARD_PANEL_AT_MM) if is_card else (NOTE_MM, NOTE_PANEL_AT_MM)
    )
    grid = Grid(paper, size)
    page, place = divmod(note - 1, grid.per_page)
    corner = list(grid.places_mm())[place]
    document = pypdfium2.PdfDocument(sheet)
    fronts = document[page]
    right, low = (
        p - c - s for p, c, s in zip(paper.size_mm, corner, size, strict=True)
    )
    points = [mm * 72 / 25.4 for mm in (corner[0], low, right, corner[1])]
    shown = fronts.render(
        scale=TEXTURE_DPI / 72, crop=tuple(points), grayscale=True
    ).to_numpy()
    grey = np.array(shown[..., 0] if shown.ndim == 3 else shown, np.uint8)
    document.close()
    style = replace(
        STYLES["house"], inks=(BLACK_ON_WHITE,), item_mm=size, panel_at_mm=panel_at
    )
    return Print(style, False, TEXTURE_DPI, 255 - grey, (), 0.6, 0.5)


def photograph(arguments: argparse.Namespace) -> Frame:
    """The frame that the command line asks for."""
    shown = None
    if arguments.sheet:
        paper = Paper[arguments.paper.upper()]
        shown = from_sheet(
            arguments.sheet, paper, arguments.note, is_card=arguments.card
        )
    fixed: dict[str, object] = {} if shown is None else {"notes_count": 1}
    return simulate(arguments.seed, arguments.difficulty, ("house",), shown, **fixed)


def main() -> None:
    """Write one photograph, and say what is known of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--sheet", type=Path, help="a PDF of `companion print`")
    parser.add_argument("--note", type=int, default=1, help="which, from 1")
    parser.add_argument("--card", action="store_true", help="the sheet holds cards")
    parser.add_argument("--paper", default="a4", choices=["a4", "letter"])
    parser.add_argument("--difficulty", default="normal", choices=DIFFICULTIES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    frame = photograph(arguments)
    cv2.imwrite(str(arguments.out), frame.image)
    for note in frame.notes:
        said = "see the answer sheet" if arguments.sheet else note.verdict
        print(f"{arguments.out}: {said}, {note.pixels_per_line:.1f} pixels a line")


if __name__ == "__main__":
    main()
