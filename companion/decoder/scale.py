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
        by: How many times smaller than the frame it is.
        grey: (height, width) uint8.
        screens: Screens in this view's band, largest first, at most SCREENS_MAX.
        left_off: Screens beyond that number that could be prints.
        afar: Screens whose lines are too fine to be read; at full size only.
    """

    by: int
    grey: Grey
    screens: tuple[Screen, ...]
    left_off: tuple[Screen, ...]
    afar: tuple[Screen, ...]


def views(grey: Grey, family: Family = Family.CARRIER) -> Iterator[View]:
    """Yield the views of a frame that hold a tile, largest first.

    Args:
        grey: (height, width) uint8.
        family: How the prints that are sought hide their picture.
    """
    small, size_before = grey, 1
    for size in SIZES:
        if min(grey.shape) < TILE * size:
            return
        small, size_before = shrink(small, size // size_before), size
        screens, too_fine = _find_in_band(small, size, family)
        read, others = screens[:SCREENS_MAX], screens[SCREENS_MAX:]
        unread = tuple(screen for screen in others if screen.cells >= CELLS_UNREAD)
        yield View(size, small, read, unread, too_fine)


def _find_in_band(
    small: Grey, size: int, family: Family
) -> tuple[tuple[Screen, ...], tuple[Screen, ...]]:
    """Return the screens in a view's band, and those whose lines are too fine."""
    low = 0 if size == SIZES[0] else LINE_MIN
    high = math.inf if size == SIZES[-1] else LINE_MAX
    if family is Family.STRIPS:
        strips = find_strips(small)
        return tuple(s for s in strips if low <= s.pixels_per_line < high), ()
    tiles = measure_tiles(small)
    too_fine = find_too_fine(tiles) if size == SIZES[0] else ()
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
        by: How many times smaller the part is.
        left, top: Where the part begins, in pixels of the frame.
    """

    by: int
    left: int = 0
    top: int = 0

    def convert_field(self, field: Field) -> Field:
        """Convert a hidden picture."""
        x, y = (np.array(field.origin_px) * self.by + self._start()).tolist()
        return replace(
            field,
            origin_px=(x, y),
            step_px=field.step_px * self.by,
            frequency=(field.frequency[0] / self.by, field.frequency[1] / self.by),
        )

    def convert_faces(self, faces: tuple[Face, ...]) -> tuple[Face, ...]:
        """Convert faces."""
        return tuple(self._convert_face(face) for face in faces)

    def convert_judgement(self, judgement: Judgement) -> Judgement:
        """Convert a judgement's faces."""
        return replace(judgement, faces=self.convert_faces(judgement.faces))

    def _start(self) -> NDArray[np.float64]:
        """Return the frame position of the part's first pixel."""
        # Its middle is that of the square of pixels that it stands for, *by* a side.
        return np.array([self.left, self.top]) + (self.by - 1) / 2

    def _convert_face(self, face: Face) -> Face:
        x, y = (np.array(face.centre_px) * self.by + self._start()).tolist()
        box = (face.box_px * self.by + self._start()).astype(np.float32)
        return replace(face, centre_px=(x, y), box_px=box)
