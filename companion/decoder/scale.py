"""Views of a frame at several sizes, so that coarse lines are read in a smaller one.

A *view* is the frame made smaller by one of SIZES, with the *screens* (areas of
parallel lines) found in it. A screen is found by *tiles*, squares that can measure
lines of 2 to some 11 pixels; a note that fills a phone's picture has 17. Each view is
searched only for lines of its *band*, a range of pixels a line, so that no print is
read twice.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.deck import Family
from companion.decoder.fit import Face
from companion.decoder.phase import Field
from companion.decoder.screen import CROSSED_MAX, Screen, find_screens, find_too_fine
from companion.decoder.strips import find_strips
from companion.decoder.tiles import TILE, measure_tiles
from companion.decoder.verdict import Judgement

Grey = NDArray[np.uint8]

STEP = 3
"""How many times smaller each size is than the one before."""

SIZES = (1, STEP, STEP**2)
"""How many times smaller than the frame; the last is for 30 to 90 pixels a line."""

SCREENS_MAX = 24
"""How many screens of a view are read, largest first; a printed sheet has 10."""

CELLS_UNREAD = 3000
"""Area from which a screen beyond SCREENS_MAX may be a print: half a panel.

It is counted in line cells, squares as wide as a line period."""

LINE_MAX = 10.5
"""Pixels a line, in a view, from which lines belong to the next smaller view."""

LINE_MIN = 3.2
"""Pixels a line, in a view, below which lines belong to the next larger view.

STEP times this is a little less than LINE_MAX, since pitches measured in two views
differ by some percent."""

CROSSED_INTERLACED = 0.75
"""Highest `Screen.crossed` of interlaced prints.

Their pictures also show in tones, whose edges add to it: of prints that tiles can
locate, four in five have less than 0.5, others up to 0.65; weaves and halftones have 1
or so.
"""

CROSSED = {Family.CARRIER: CROSSED_MAX, Family.INTERLACED: CROSSED_INTERLACED}
"""Highest `Screen.crossed` of a print, by its family."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A frame at one size.

    Attributes:
        reduction: How many times smaller than the frame it is.
        grey: (height, width) uint8.
        screens: Screens in this view's band, largest first, at most SCREENS_MAX.
        unread: Screens beyond that number that could be prints.
        too_fine: Screens whose lines are too fine to be read; at full size only.
    """

    reduction: int
    grey: Grey
    screens: tuple[Screen, ...]
    unread: tuple[Screen, ...]
    too_fine: tuple[Screen, ...]


def views(grey: Grey, family: Family = Family.CARRIER) -> Iterator[View]:
    """Yield the views of a frame that hold a tile, largest first.

    Args:
        grey: (height, width) uint8.
        family: How the prints that are sought hide their picture.
    """
    small, reduction_before = grey, 1
    for reduction in SIZES:
        if min(grey.shape) < TILE * reduction:
            return
        small, reduction_before = (
            shrink(small, reduction // reduction_before),
            reduction,
        )
        screens, too_fine = _find_in_band(small, reduction, family)
        read, others = screens[:SCREENS_MAX], screens[SCREENS_MAX:]
        unread = tuple(screen for screen in others if screen.cells >= CELLS_UNREAD)
        yield View(reduction, small, read, unread, too_fine)


def _find_in_band(
    small: Grey, reduction: int, family: Family
) -> tuple[tuple[Screen, ...], tuple[Screen, ...]]:
    """Return the screens in a view's band, and those whose lines are too fine."""
    low = 0 if reduction == SIZES[0] else LINE_MIN
    high = math.inf if reduction == SIZES[-1] else LINE_MAX
    if family is Family.STRIPS:
        strips = find_strips(small)
        return tuple(s for s in strips if low <= s.pixels_per_line < high), ()
    tiles = measure_tiles(small)
    too_fine = find_too_fine(tiles) if reduction == SIZES[0] else ()
    return find_screens(tiles, CROSSED[family], (low, high)), too_fine


def shrink(grey: Grey, times: int) -> Grey:
    """Make a frame *times* smaller by averaging; pixels left over are cut off."""
    rows, columns = (max(1, side // times) for side in grey.shape)
    cut = np.ascontiguousarray(grey[: rows * times, : columns * times])
    if times == 1:
        return cut
    out = cv2.resize(cut, (columns, rows), interpolation=cv2.INTER_AREA)
    return np.asarray(out, np.uint8)


@dataclass(frozen=True, slots=True)
class ToFrame:
    """Converts what was found in a scaled-down part of a frame to pixels of the frame.

    Attributes:
        reduction: How many times smaller the part is.
        left, top: Where the part begins, in pixels of the frame.
    """

    reduction: int
    left: int = 0
    top: int = 0

    def convert_field(self, field: Field) -> Field:
        """Convert a hidden picture."""
        x, y = self._convert_px(np.array(field.origin_px)).tolist()
        frequency_x, frequency_y = field.frequency
        return replace(
            field,
            origin_px=(x, y),
            step_px=field.step_px * self.reduction,
            frequency=(frequency_x / self.reduction, frequency_y / self.reduction),
        )

    def convert_faces(self, faces: tuple[Face, ...]) -> tuple[Face, ...]:
        """Convert faces."""
        return tuple(self._convert_face(face) for face in faces)

    def convert_judgement(self, judgement: Judgement) -> Judgement:
        """Convert a judgement's faces."""
        return replace(judgement, faces=self.convert_faces(judgement.faces))

    def _convert_px(self, px: NDArray[np.floating]) -> NDArray[np.float64]:
        """Convert positions, x and y, of one point or of several."""
        # A pixel's middle is that of the square of the frame that it stands for.
        start = np.array([self.left, self.top]) + (self.reduction - 1) / 2
        return px * self.reduction + start

    def _convert_face(self, face: Face) -> Face:
        x, y = self._convert_px(np.array(face.centre_px)).tolist()
        box = self._convert_px(face.box_px).astype(np.float32)
        return replace(face, centre_px=(x, y), box_px=box)
