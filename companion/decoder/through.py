"""Reads a print under the plastic lens or a film grating, which unscramble it.

The camera sees a picture in tones, of either sign: where lens or film is half a period
out of step, dark and light change places, in bands. So every face is sought and fitted
with a sign of its own, and then judged like a face of a bare print. If lines were
found, they give size and direction; otherwise the search has only the faces to go by,
and asks more likeness of them.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.decoder.carrier import carrier_error
from companion.decoder.deck import Deck
from companion.decoder.film import tones_of
from companion.decoder.fit import FINE_ROWS, Face, Peak, aids_of, fit_face
from companion.decoder.hidden import COHERENCE_MIN
from companion.decoder.phase import Field, demodulate
from companion.decoder.scale import ToFrame, View, shrink
from companion.decoder.screen import Screen, find_screens
from companion.decoder.seek import HEIGHTS_PX, Place, degrees_apart, heights, seek
from companion.decoder.tiles import measure_tiles
from companion.decoder.tones import cut_around, field_of
from companion.decoder.verdict import SEEN_MIN, Judgement, Verdict, judge

LIKENESS_FIRST, LIKENESS_MIN = 0.86, 0.82
"""The least likeness of a print's clearest face, and of the others that agree with it.

Without lines to guide the search, clutter reaches 0.82 at some size and direction."""

FACES_MIN = 2
"""How many faces must agree: a lens shows several, and one alone may be a logo."""

FITS_MAX, FITS_GUIDED_MAX = 40, 6
"""How many places are fitted at first; faces found there tell where others may be.

The second number is for prints whose lines have told size and direction already."""

ENOUGH_PX = 110.0
"""Height of a face that suffices: if faces are larger, the picture is scaled down."""

AREA_PX = 3_200_000
"""Pixels of a frame searched without lines; larger frames are scaled down first."""

SCORE_FIRST, SCORE_SECOND = 0.7, 0.64
"""Where lines guide the search, the best two places must have these scores."""

TONES_PURE, SCORE_MIXED = 2, 0.78
"""After TONES_PURE pictures of `tones_of`, mixtures are tried only from this score.

All of 28 films that were read showed their faces in the first two."""

UNEVEN_MIN = 0.2
"""Least `Field.uneven` of lines in two states that may be a film's.

Of 25 films whose lines have two states and whose faces show, 24 had 0.21 and more; the
one with 0.12 is not read. Two in three bare prints of other decks are below. Lines in
one state have no such limit: a film in step everywhere is as even as stripes.
"""

FILM_CROSSED_MAX = 0.2
"""Most `Screen.crossed` of a film, whose lines run in one direction.

Of 29 films that were read, the most had 0.17. Halftone pictures of faces in plain sight
passed for films with 0.39 and more, and with 0.1 to 0.2 where the camera had moved.
"""

CROSSED_LINE_PX = 3.5
"""Pixels a line at which `Screen.crossed` is measured, or up to twice as many."""

FILM_APART_MAX = 0.2
"""Most `carrier_error` of a film's lines against the faces that it shows.

A film has the pitch and the direction of the print below it. 20 films differed by 0.16
at most; of eleven halftones that passed the other tests, nine by 0.28 and more.
"""

CELLS_MIN = 3000
"""Least line cells of a film: half a panel, which has 6,000 or more."""

SCREENS_MAX = 3
"""How many screens of a frame are tried as film, the largest first."""

MORE_MAX = 16
PRINTS_MAX = 3

SCALE_MAX, TURN_MAX_DEG, FAR_FACES = 1.25, 26.0, 8.0
"""The most by which faces of one print differ: ratio of heights, direction in degrees,
and distance in face heights."""


class Through(enum.StrEnum):
    """What may lie between the camera and the print."""

    NOTHING = "nothing"
    LENS = "lens"  # The plastic lens, or a film grating.


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A hidden picture that a lens or film shows.

    Attributes:
        field: Its tones around the faces that count.
        faces: The faces that count.
        judgement: The judgement on them.
    """

    field: Field
    faces: tuple[Face, ...]
    judgement: Judgement


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The lines of a screen, as a bare print would have them.

    Attributes:
        screen: Where the lines are.
        field: The clearest picture that they may hide; None if none is laced in.
        is_bare: Whether they have two states, as a bare print's do; then a film is
            assumed only if the plain tones show faces as well.
    """

    screen: Screen
    field: Field | None
    is_bare: bool


def shown_on(
    view: View, runs: tuple[Deck, ...], lines: Iterable[Lines]
) -> tuple[Shown, ...]:
    """Find prints under a film, whose lines give size and direction of the faces.

    Args:
        view: A frame at one size.
        runs: The deck whose faces are sought, once with each of its print runs.
        lines: The lines of the view's screens, largest first.

    Returns:
        The pictures found, in pixels of the frame.
    """
    large = [own for own in lines if own.screen.cells >= CELLS_MIN][:SCREENS_MAX]
    films = [own for own in large if _may_be_film(view, own)]
    shown = []
    for run in runs:
        for film in films:
            on_screen = _on_screen(view.grey, film, run)
            if on_screen is not None:
                shown.append(_moved(on_screen, ToFrame(view.by)))
    return tuple(shown)


def _may_be_film(view: View, lines: Lines) -> bool:
    """Tell whether lines are clear, but not as even as those of a bare print."""
    field = lines.field or demodulate(view.grey, lines.screen)
    is_uneven = not lines.is_bare or field.uneven >= UNEVEN_MIN
    return field.coherence >= COHERENCE_MIN and is_uneven


def _on_screen(grey: NDArray[np.uint8], lines: Lines, deck: Deck) -> Shown | None:
    """Return the first picture that tones or lines show; None if none has two faces.

    Bare lines count as a film's only if the plain tones show faces as well: each of 13
    such films had scores of 0.78 and 0.7 or more in them.
    """
    screen = lines.screen
    height_px = deck.face_height_lines * screen.pixels_per_line
    by = max(1, round(height_px / ENOUGH_PX))
    height_px /= by
    if height_px < HEIGHTS_PX[0]:
        return None
    x, y = screen.frequency
    turn = math.degrees(math.atan2(y, x)) - deck.angle_deg
    x0, y0, x1, y1 = screen.box_px
    room = int(height_px * by)
    left, top = max(0, x0 - room), max(0, y0 - room)
    cut = shrink(grey[top : y1 + room, left : x1 + room], by)
    clearest = 0.0
    for number, (tones, step) in enumerate(tones_of(cut, (x * by, y * by))):
        if number >= TONES_PURE and clearest < SCORE_MIXED:
            return None
        small_px = height_px / step
        sizes = [small_px / 1.1, small_px * 1.1]  # Half way, a face scores enough.
        places = seek(tones, deck, sizes, (turn, turn + 180))
        best = [place.score for place in places[:2]]
        clearest = max([clearest, *best])
        if len(best) < FACES_MIN or best[0] < SCORE_FIRST or best[1] < SCORE_SECOND:
            if lines.is_bare:
                return None
            continue
        fitter = _Fitter(tones, deck, (small_px,))
        for shown in _prints(fitter, places, FITS_GUIDED_MAX):
            moved = _moved(shown, ToFrame(by * step, left, top))
            off = carrier_error(screen.frequency, moved.judgement.faces, deck)
            is_film = off <= FILM_APART_MAX and _run_one_way(grey, screen)
            return moved if is_film else None
    return None


def _run_one_way(grey: NDArray[np.uint8], screen: Screen) -> bool:
    """Tell whether lines have one direction only, unlike the dots of a halftone.

    A tile holds too few coarse lines to tell, so these are measured at a smaller size.
    """
    by = max(1, int(screen.pixels_per_line / CROSSED_LINE_PX))
    if by == 1:
        return screen.crossed <= FILM_CROSSED_MAX
    x0, y0, x1, y1 = screen.box_px
    found = find_screens(measure_tiles(shrink(grey[y0:y1, x0:x1], by)))
    return bool(found) and found[0].crossed <= FILM_CROSSED_MAX


def shown_in(grey: NDArray[np.uint8], deck: Deck) -> tuple[Shown, ...]:
    """Find prints under a lens anywhere in a frame, of any size and direction.

    Args:
        grey: (height, width) uint8.
        deck: The deck whose faces are sought.

    Returns:
        The pictures found, in pixels of *grey*.
    """
    by = math.ceil(math.sqrt(grey.size / AREA_PX))
    small = shrink(grey, by)
    sizes = heights(small.shape)
    places = seek(small, deck, sizes, None)
    found = _prints(_Fitter(small, deck, tuple(sizes)), places, FITS_MAX)
    return tuple(_moved(shown, ToFrame(by)) for shown in found)


def shows_in_mirror(grey: NDArray[np.uint8], deck: Deck) -> bool:
    """Tell whether a frame shows a mirrored print under a lens.

    It is searched at half the size to save time, since this is asked whenever nothing
    was found; a note held towards a mirror or a phone's front is near anyway.
    """
    flipped = np.ascontiguousarray(shrink(grey, 2)[:, ::-1])
    return any(
        s.judgement.verdict is not Verdict.UNSURE for s in shown_in(flipped, deck)
    )


@dataclass(frozen=True, slots=True)
class _Lie:
    """How a face lies: height and middle in pixels, and the direction of its right."""

    height_px: float
    turn_deg: float
    x: float
    y: float

    def agrees(self, other: _Lie) -> bool:
        """Tell whether both faces may belong to one print."""
        ratio = self.height_px / other.height_px
        far = math.hypot(self.x - other.x, self.y - other.y)
        return (
            1 / SCALE_MAX < ratio < SCALE_MAX
            and degrees_apart(self.turn_deg, other.turn_deg) <= TURN_MAX_DEG
            and far <= FAR_FACES * other.height_px
        )

    def is_on(self, other: _Lie) -> bool:
        """Tell whether both are the same face."""
        far = math.hypot(self.x - other.x, self.y - other.y)
        return far < 0.5 * other.height_px


def _lie_of(face: Face) -> _Lie:
    """Return how a fitted face lies."""
    right, down = face.box_px[1] - face.box_px[0], face.box_px[3] - face.box_px[0]
    turn = math.degrees(math.atan2(float(right[1]), float(right[0])))
    return _Lie(float(np.hypot(*down)), turn, *face.centre_px)


def _lie_at(place: Place) -> _Lie:
    """Return how a face at a place would lie."""
    return _Lie(place.height_px, place.turn_deg, place.x, place.y)


class _Fitter:
    """Fits faces in one frame; caches its tones at the size that was used last."""

    def __init__(
        self, grey: NDArray[np.uint8], deck: Deck, sizes_px: tuple[float, ...]
    ) -> None:
        self.grey, self.deck, self.sizes_px = grey, deck, sizes_px
        self.kept: tuple[float, Field, NDArray[np.float32]] | None = None

    def _near(self, height_px: float) -> float:
        """Return the searched size that is nearest to *height_px*."""
        return min(self.sizes_px, key=lambda h: abs(math.log(h / height_px)))

    def tones(self, height_px: float) -> tuple[Field, NDArray[np.float32]]:
        """Return the tones at the size nearest *height_px*, and tones times trust."""
        near = self._near(height_px)
        if self.kept is None or self.kept[0] != near:
            self.kept = None  # Free it first: a small computer has memory for one.
            field = field_of(self.grey, self.deck, near)
            self.kept = near, field, field.soft * field.weight
        return self.kept[1], self.kept[2]

    def clear(self, places: Iterable[Place]) -> list[Face]:
        """Fit faces at some places; return the clear ones, most alike first."""
        by_size = sorted(places, key=lambda place: self._near(place.height_px))
        fits = [self._fit(place) for place in by_size]
        good = [f for f in fits if f is not None and f.likeness >= LIKENESS_MIN]
        seen = [f for f in good if f.seen >= SEEN_MIN]
        return _single(sorted(seen, key=lambda f: -f.likeness))

    def _fit(self, place: Place) -> Face | None:
        """Fit a face at a place; None if there is none."""
        field, shown = self.tones(place.height_px)
        turn = math.radians(place.turn_deg)
        size = place.height_px / FINE_ROWS / field.step_px
        cos, sin = size * math.cos(turn), size * math.sin(turn)
        x, y = (
            (at - start) / field.step_px
            for at, start in zip((place.x, place.y), field.origin_px, strict=True)
        )
        start = Peak(place.score, np.array([[cos, -sin, x], [sin, cos, y]]))
        return fit_face(start, field, shown, aids_of(self.deck), place.sign)


def _single(faces: list[Face]) -> list[Face]:
    """Drop repetitions: of faces that lie on one another, the first is kept."""
    kept: list[Face] = []
    for face in faces:
        if not any(_lie_of(face).is_on(_lie_of(other)) for other in kept):
            kept.append(face)
    return kept


def _prints(fitter: _Fitter, places: list[Place], fits_max: int) -> Iterable[Shown]:
    """Group faces that agree into prints, and seek more faces near those found."""
    left = fitter.clear(places[:fits_max])
    for _ in range(PRINTS_MAX):
        if not left or left[0].likeness < LIKENESS_FIRST:
            return
        first = _lie_of(left[0])
        also = [p for p in places if _lie_at(p).agrees(first)][:MORE_MAX]
        faces = [f for f in left if _lie_of(f).agrees(first)]
        faces = _single(faces + fitter.clear(also))
        faces = [f for f in faces if _lie_of(f).agrees(first)]
        left = [f for f in left if not _lie_of(f).agrees(first)]
        if len(faces) < FACES_MIN:
            continue
        field = cut_around(fitter.tones(first.height_px)[0], tuple(faces))
        field = replace(field, frequency=_carrier(first, fitter.deck))
        judgement = judge(field, tuple(faces), 0.0, fitter.deck)
        if len(judgement.faces) >= FACES_MIN:
            yield Shown(field, tuple(faces), judgement)


def _carrier(lie: _Lie, deck: Deck) -> tuple[float, float]:
    """Return the lines' frequency, (x, y) periods a pixel, that a face implies."""
    size = deck.face_height_lines / lie.height_px
    angle = math.radians(lie.turn_deg + deck.angle_deg)
    return size * math.cos(angle), size * math.sin(angle)


def _moved(shown: Shown, to_frame: ToFrame) -> Shown:
    """Convert a picture to pixels of the frame that the smaller one was made from."""
    return Shown(
        to_frame.field(shown.field),
        to_frame.faces(shown.faces),
        to_frame.judgement(shown.judgement),
    )
