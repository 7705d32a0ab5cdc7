"""Draws PDF pages in mm from the top left; only this module uses reportlab.

Line screens are *stencils*: pictures of one bit a dot, at the printer's own resolution,
so that no grey and no resampling blurs them. Equal calls give equal bytes, since no
date is written. If the printer's scale is off, stencils are drawn with more or fewer
dots; all else is scaled.
"""

from __future__ import annotations

import enum
import zlib

import numpy as np
from numpy.typing import NDArray
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfdoc import (
    PDFArray,
    PDFDocument,
    PDFImageXObject,
    PDFName,
    PDFStream,
)
from reportlab.pdfgen.canvas import Canvas

from companion.printing.art import Placed, placed_points

Colour = tuple[float, float, float]
"""Red, green, blue, 0 to 1."""

BLACK: Colour = (0.0, 0.0, 0.0)
WHITE: Colour = (1.0, 1.0, 1.0)


class Paper(enum.Enum):
    """Sheets that printers take, upright: width and height in mm."""

    A4 = (210.0, 297.0)
    LETTER = (215.9, 279.4)

    @property
    def size_mm(self) -> tuple[float, float]:
        """The width and height of the sheet."""
        return self.value


class Align(enum.Enum):
    """The point of a text that lies at its position; values are reportlab's."""

    LEFT = "drawString"
    MIDDLE = "drawCentredString"
    RIGHT = "drawRightString"


class _Stencil(PDFImageXObject):  # type: ignore[misc]
    """A one-bit image: dots that are True get the current colour."""

    def __init__(self, name: str, dots: NDArray[np.bool_]) -> None:
        super().__init__(name)
        self.name = name
        self.height, self.width = dots.shape
        self.packed = zlib.compress(np.packbits(~dots, axis=1).tobytes(), 4) + b"\n"

    def format(self, document: PDFDocument) -> bytes:
        """Return the object as PDF writes it."""
        stream = PDFStream(content=self.packed, filters=[])
        entries = stream.dictionary
        entries["Type"] = PDFName("XObject")
        entries["Subtype"] = PDFName("Image")
        entries["Width"] = self.width
        entries["Height"] = self.height
        entries["ImageMask"] = "true"
        entries["BitsPerComponent"] = 1
        entries["Interpolate"] = "false"
        entries["Filter"] = PDFArray([PDFName("FlateDecode")])
        written: bytes = stream.format(document)
        return written


class Pages:
    """A PDF while it is drawn; positions in mm on paper, x to the right and y down.

    Args:
        paper: The sheet.
        title: The document's title in a PDF viewer.
        scale: How many mm of the PDF are one mm on paper; the sheet's middle stays put.
        offset_mm: How far everything is moved on paper, to the right and down.
    """

    def __init__(
        self,
        paper: Paper,
        title: str,
        scale: float = 1.0,
        offset_mm: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        self.width_mm, self.height_mm = paper.size_mm
        self.scale = scale
        self._mm = scale * mm
        right, down = offset_mm
        self._left = self.width_mm / 2 * mm + (right - self.width_mm / 2) * self._mm
        self._top = self.height_mm / 2 * mm - (down - self.height_mm / 2) * self._mm
        self._stencils = 0
        self._canvas = Canvas(
            "sheet.pdf",
            pagesize=(self.width_mm * mm, self.height_mm * mm),
            invariant=1,
            pageCompression=1,
        )
        self._canvas.setTitle(title)
        self._canvas.setCreator("companion print")
        # Print dialogs that heed it begin at 100 % instead of "fit to page".
        self._canvas.setViewerPreference("PrintScaling", "None")

    def _at(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """Convert a position in mm to PDF points."""
        return self._left + x_mm * self._mm, self._top - y_mm * self._mm

    def _trace(self, points_mm: NDArray[np.float64]) -> str:
        """Return the PDF operators of a path; reportlab takes ten times as long."""
        points = (self._left, self._top) + points_mm * (self._mm, -self._mm)
        steps = [f"{x:.2f} {y:.2f} l" for x, y in points.tolist()]
        return "n " + steps[0][:-1] + "m " + " ".join(steps[1:])

    def box(
        self, at_mm: tuple[float, float], size_mm: tuple[float, float], fill: Colour
    ) -> None:
        """Draw a filled rectangle with its top left corner at *at_mm*."""
        self._canvas.setFillColorRGB(*fill)
        width, height = size_mm
        x, y = self._at(at_mm[0], at_mm[1] + height)
        self._canvas.rect(x, y, width * self._mm, height * self._mm, 0, 1)

    def path(
        self, points_mm: NDArray[np.float64], colour: Colour, thick_mm: float = 0.2
    ) -> None:
        """Draw a line through (n, 2) points."""
        self._canvas.setStrokeColorRGB(*colour)
        self._canvas.setLineWidth(thick_mm * self._mm)
        self._canvas._code.append(f"{self._trace(points_mm)} S")

    def shape(self, points_mm: NDArray[np.float64], fill: Colour) -> None:
        """Draw a filled polygon through (n, 2) points, by the even-odd rule."""
        self._canvas.setFillColorRGB(*fill)
        self._canvas._code.append(f"{self._trace(points_mm)} h f*")

    def drawing(self, placed: Placed, ink: Colour, paper: Colour) -> None:
        """Draw a placed drawing in two colours."""
        for outline in placed.drawing.outlines:
            points = placed_points(placed, outline)
            self.shape(points, ink if outline.is_ink else paper)

    def text(
        self,
        at_mm: tuple[float, float],
        words: str,
        size_mm: float,
        colour: Colour = BLACK,
        align: Align = Align.LEFT,
        *,
        turn_deg: float = 0.0,
        bold: bool = False,
    ) -> None:
        """Write one line of text, turned clockwise by *turn_deg*.

        *at_mm* is on its base line; *size_mm* is the font size.
        """
        self._canvas.saveState()
        self._canvas.setFillColorRGB(*colour)
        self._canvas.setFont("Times-Bold" if bold else "Helvetica", size_mm * self._mm)
        self._canvas.translate(*self._at(*at_mm))
        self._canvas.rotate(-turn_deg)
        getattr(self._canvas, align.value)(0, 0, words)
        self._canvas.restoreState()

    def stencil(
        self,
        at_mm: tuple[float, float],
        dots: NDArray[np.bool_],
        dpi: int,
        ink: Colour = BLACK,
    ) -> None:
        """Draw one-bit dots, exactly *dpi* an inch, with their top left at *at_mm*.

        Callers draw them for the dots of a true inch of paper.
        """
        self._stencils += 1
        name = f"dots{self._stencils}"
        # reportlab has no public way to add an image mask.
        document = self._canvas._doc
        registered = document.getXObjectName(name)
        stencil = _Stencil(name, dots)
        self._canvas._setXObjects(stencil)
        document.Reference(stencil, registered)
        document.addForm(name, stencil)
        wide, tall = (side / dpi * 72 for side in dots.shape[::-1])  # PDF points.
        self._canvas.saveState()
        self._canvas.setFillColorRGB(*ink)
        left, top = self._at(*at_mm)
        # On the printer's grid of dots; else some rows would shift by one.
        self._canvas.translate(
            *(round(edge / 72 * dpi) / dpi * 72 for edge in (left, top - tall))
        )
        self._canvas.scale(wide, tall)
        self._canvas._code.append(f"/{registered} Do")
        self._canvas.restoreState()
        self._canvas._formsinuse.append(name)

    def heading(self, title: str, lines: tuple[str, ...]) -> None:
        """Write a title and a few lines, centred at the top of the page."""
        middle = self.width_mm / 2
        self.text((middle, 24), title, 9, BLACK, Align.MIDDLE, bold=True)
        for row, line in enumerate(lines):
            self.text((middle, 33 + 5.5 * row), line, 3.6, BLACK, Align.MIDDLE)

    def next_page(self) -> None:
        """End this page and begin a new one."""
        self._canvas.showPage()

    def pdf(self) -> bytes:
        """Return the bytes of the whole document."""
        written: bytes = self._canvas.getpdfdata()
        return written
