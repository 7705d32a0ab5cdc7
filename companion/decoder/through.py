"""Reads a print under the plastic lens or a film grating, which unscramble it.

Both show the hidden picture as *tones*, light and dark areas. Where the lens or film is
half a period out of step with the print, dark and light change places, so the tones
have bands of either *sign*. So every face is sought and fitted with a sign of its own,
and then judged like a face of a bare print.

A *film* is a grating of printed lines, which show in the frame as a screen. They tell
the size and direction of the faces, which guides the search. Under a lens there are no
lines; every size and direction is tried, and a greater likeness demanded.

A *place* is where a search saw something like a face, and its *score* says how much; a
*pose* is where a face lies, how large and how turned.
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
from companion.decoder.fit import FINE_ROWS, Face, Peak, aids_of, fit_face
from companion.decoder.hidden import COHERENCE_MIN
from companion.decoder.phase import Field, demodulate
from companion.decoder.scale import ToFrame, View, shrink
from companion.decoder.screen import Screen, find_screens
from companion.decoder.seek import (
    HEIGHTS_PX,
    Place,
    degrees_apart,
    heights_to_seek,
    seek,
)
from companion.decoder.tiles import measure_tiles
from companion.decoder.tones import cut_around, make_tone_field, recover_tones
from companion.decoder.verdict import SEEN_MIN, Judgement, Verdict, judge

# Which lines may be a film's.

SCREENS_MAX = 3
"""How many screens of a frame are tried as film, largest first."""

CELLS_MIN = 3000
"""Least line cells of a film: half a panel, which has 6,000 or more."""

UNEVEN_MIN = 0.2
"""Least `Field.uneven` of lines in two states that may be a film's.

Of 25 films whose lines have two states and whose faces show, 24 had 0.21 and more; the
one with 0.12 is not read. Two in three bare prints of other decks are below. Lines in
one state have no such limit: a film in step everywhere is as even as stripes.
"""

FILM_CROSSED_MAX = 0.2
"""Highest `Screen.crossed` of a film, whose lines run in one direction.

Of 29 films that were read, the most had 0.17. Halftone pictures of faces in plain sight
passed for films with 0.39 and more, and with 0.1 to 0.2 where the camera had moved.
"""

CROSSED_LINE_PX = 3.5
"""Pixels a line, or a few more, to which coarse lines are scaled down for that test."""

FILM_APART_MAX = 0.2
"""Highest `carrier.carrier_error` of a film's lines, by the faces seen through it.

A film has the pitch and the direction of the print below it. 20 films had 0.16 at most;
of eleven halftones that passed the other tests, nine had 0.28 and more.
"""

# Where faces are sought.

AREA_PX = 3_200_000
"""Pixels of a frame searched without lines; larger frames are scaled down first."""

ENOUGH_PX = 110.0
"""About the greatest height of a face under a film; larger ones are scaled down."""

SIZE_SLACK = 1.1
"""The size that lines give is multiplied and divided by this; both are searched.

At a size half way between the two a face still scores enough."""

SCORE_FIRST, SCORE_SECOND = 0.7, 0.64
"""Least scores of the best two places under a film."""

TONES_PURE = 2
"""How many pictures of `recover_tones` are always searched.

All of 28 films that were read showed their faces in these."""

SCORE_MIXED = 0.78
"""Least score in the first TONES_PURE pictures for which the others are searched."""

# Which faces make a print.

FITS_MAX, FITS_GUIDED_MAX = 40, 6
"""How many places are fitted at first under a lens, and under a film.

Faces found there tell where others may be."""

MORE_MAX = 16
"""Most places fitted because they agree with a print's clearest face."""

LIKENESS_FIRST, LIKENESS_MIN = 0.86, 0.82
"""The least likeness of a print's clearest face, and of the others that agree with it.

Without lines to guide the search, clutter reaches 0.82 at some size and direction."""

FACES_MIN = 2
"""How many faces must agree: a lens shows several, and one alone may be a logo."""

PRINTS_MAX = 3
"""Most prints read in one search."""

SCALE_MAX = 1.25
"""Largest ratio of the heights of two faces of one print."""

TURN_MAX_DEG = 26.0
"""Largest angle between two faces of one print."""

FAR_FACES = 8.0
"""Most distance, in face heights, between two faces of one print."""

SAME_FACES = 0.5
"""Distance, in face heights, below which two fits are of one face."""


class Through(enum.StrEnum):
    """What may lie between the camera and the print."""

    NOTHING = "nothing"
    LENS = "lens"  # The plastic lens, or a film grating.


@dataclass(frozen=True, slots=True, eq=False)
class LensPicture:
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
        field: The clearest picture that they may hide, or None.
        is_bare: Whether they have two states, like a bare print's; then a film is
            assumed only if the plain tones show faces.
    """

    screen: Screen
    field: Field | None
    is_bare: bool


def find_under_film(
    view: View, runs: tuple[Deck, ...], lines: Iterable[Lines]
) -> tuple[LensPicture, ...]:
    """Find prints under a film, whose lines give size and direction of the faces.

    Args:
        view: A frame at one size.
        runs: The deck whose faces are sought, once with each of its print runs.
        lines: The lines of each of the view's screens, largest first.

    Returns:
        The pictures found, in pixels of the frame.
    """
    large = [of_one for of_one in lines if of_one.screen.cells >= CELLS_MIN]
    films = [of_one for of_one in large[:SCREENS_MAX] if _may_be_film(view, of_one)]
    pictures = []
    for run in runs:
        for film in films:
            picture = _read_film(view.grey, film, run)
            if picture is not None:
                pictures.append(_to_frame(picture, ToFrame(view.reduction)))
    return tuple(pictures)


def _may_be_film(view: View, lines: Lines) -> bool:
    """Tell whether lines are clear, but not as even as those of a bare print."""
    field = lines.field or demodulate(view.grey, lines.screen)
    is_uneven = not lines.is_bare or field.uneven >= UNEVEN_MIN
    return field.coherence >= COHERENCE_MIN and is_uneven


def _read_film(grey: NDArray[np.uint8], lines: Lines, deck: Deck) -> LensPicture | None:
    """Return the first picture of `recover_tones` that shows two faces, or None.

    If the lines may be a bare print's, the first picture, the plain tones, must show
    faces: in each of 13 such films, the best two places scored 0.78 and 0.7 or more.
    """
    screen = lines.screen
    height_px = deck.face_height_lines * screen.pixels_per_line
    factor = max(1, round(height_px / ENOUGH_PX))  # By which the frame is scaled down.
    height_px /= factor
    if height_px < HEIGHTS_PX[0]:
        return None
    x, y = screen.frequency
    turn = math.degrees(math.atan2(y, x)) - deck.angle_deg
    x0, y0, x1, y1 = screen.box_px
    margin = int(height_px * factor)
    left, top = max(0, x0 - margin), max(0, y0 - margin)
    cut = shrink(grey[top : y1 + margin, left : x1 + margin], factor)
    clearest = 0.0
    pictures = recover_tones(cut, (x * factor, y * factor))
    for number, (tones, step) in enumerate(pictures):
        if number >= TONES_PURE and clearest < SCORE_MIXED:
            return None
        rows = height_px / step  # The height of a face in this picture.
        sizes = [rows / SIZE_SLACK, rows * SIZE_SLACK]
        places = seek(tones, deck, sizes, (turn, turn + 180))
        scores = [*(place.score for place in places[:2]), 0.0, 0.0]
        first, second = scores[:2]
        clearest = max(clearest, first, second)
        if first < SCORE_FIRST or second < SCORE_SECOND:
            if lines.is_bare:
                return None
            continue
        fitter = _Fitter(tones, deck, (rows,))
        for found in _find_prints(fitter, places, FITS_GUIDED_MAX):
            picture = _to_frame(found, ToFrame(factor * step, left, top))
            apart = carrier_error(screen.frequency, picture.judgement.faces, deck)
            is_film = apart <= FILM_APART_MAX and _have_one_direction(grey, screen)
            return picture if is_film else None
    return None


def _have_one_direction(grey: NDArray[np.uint8], screen: Screen) -> bool:
    """Tell whether lines have one direction only, unlike the dots of a halftone.

    Coarse lines are scaled down first, since too few fit into a tile.
    """
    factor = max(1, int(screen.pixels_per_line / CROSSED_LINE_PX))
    if factor == 1:
        return screen.crossed <= FILM_CROSSED_MAX
    x0, y0, x1, y1 = screen.box_px
    screens = find_screens(measure_tiles(shrink(grey[y0:y1, x0:x1], factor)))
    return bool(screens) and screens[0].crossed <= FILM_CROSSED_MAX


def find_under_lens(grey: NDArray[np.uint8], deck: Deck) -> tuple[LensPicture, ...]:
    """Find prints under a lens anywhere in a frame: (height, width) uint8.

    The pictures found are in pixels of *grey*.
    """
    factor = math.ceil(math.sqrt(grey.size / AREA_PX))
    small = shrink(grey, factor)
    sizes = heights_to_seek(small.shape)
    places = seek(small, deck, sizes, None)
    pictures = _find_prints(_Fitter(small, deck, tuple(sizes)), places, FITS_MAX)
    return tuple(_to_frame(picture, ToFrame(factor)) for picture in pictures)


def is_mirrored_under_lens(grey: NDArray[np.uint8], deck: Deck) -> bool:
    """Tell whether a frame shows a mirrored print under a lens.

    Half the size saves time and suffices: a note held towards a mirror, or towards the
    camera on a phone's front, is near.
    """
    flipped = np.ascontiguousarray(shrink(grey, 2)[:, ::-1])
    return any(
        picture.judgement.verdict is not Verdict.UNSURE
        for picture in find_under_lens(flipped, deck)
    )


@dataclass(frozen=True, slots=True)
class _Pose:
    """How a face lies in the searched picture.

    Attributes:
        height_px: Its height in pixels.
        turn_deg: The direction of its own right; 0 is the picture's right.
        x, y: Its middle in pixels.
    """

    height_px: float
    turn_deg: float
    x: float
    y: float

    def agrees(self, other: _Pose) -> bool:
        """Tell whether both faces may belong to one print."""
        ratio = self.height_px / other.height_px
        far = math.hypot(self.x - other.x, self.y - other.y)
        return (
            1 / SCALE_MAX < ratio < SCALE_MAX
            and degrees_apart(self.turn_deg, other.turn_deg) <= TURN_MAX_DEG
            and far <= FAR_FACES * other.height_px
        )

    def is_same_face(self, other: _Pose) -> bool:
        far = math.hypot(self.x - other.x, self.y - other.y)
        return far < SAME_FACES * other.height_px


def _pose_of(face: Face) -> _Pose:
    right, down = face.box_px[1] - face.box_px[0], face.box_px[3] - face.box_px[0]
    turn = math.degrees(math.atan2(float(right[1]), float(right[0])))
    return _Pose(float(np.hypot(*down)), turn, *face.centre_px)


def _pose_at(place: Place) -> _Pose:
    return _Pose(place.height_px, place.turn_deg, place.x, place.y)


class _Fitter:
    """Fits a deck's faces in one picture of tones.

    Fitting needs the tones as a field, made for one size of face. The last field is
    kept, since the next face is often of the same size.

    Args:
        grey: (height, width) uint8, the picture.
        deck: The deck whose faces are fitted.
        sizes_px: The heights of a face for which fields are made.
    """

    def __init__(
        self, grey: NDArray[np.uint8], deck: Deck, sizes_px: tuple[float, ...]
    ) -> None:
        self._grey, self.deck, self._sizes_px = grey, deck, sizes_px
        self._cache: tuple[float, Field, NDArray[np.float32]] | None = None

    def _nearest_size(self, height_px: float) -> float:
        return min(self._sizes_px, key=lambda size: abs(math.log(size / height_px)))

    def field_for(self, height_px: float) -> tuple[Field, NDArray[np.float32]]:
        """Return the field for faces of this height, and its `soft` times `weight`."""
        size = self._nearest_size(height_px)
        if self._cache is None or self._cache[0] != size:
            self._cache = None  # Free it first: a small computer has memory for one.
            field = make_tone_field(self._grey, self.deck, size)
            self._cache = size, field, field.soft * field.weight
        return self._cache[1], self._cache[2]

    def fit_faces(self, places: Iterable[Place]) -> list[Face]:
        """Fit faces at some places; return the clear ones, clearest first."""
        by_size = sorted(places, key=lambda place: self._nearest_size(place.height_px))
        fits = [self._fit(place) for place in by_size]
        alike = [f for f in fits if f is not None and f.likeness >= LIKENESS_MIN]
        clear = [face for face in alike if face.seen >= SEEN_MIN]
        return _drop_repeats(sorted(clear, key=lambda face: -face.likeness))

    def _fit(self, place: Place) -> Face | None:
        field, shown = self.field_for(place.height_px)
        turn = math.radians(place.turn_deg)
        scale = place.height_px / FINE_ROWS / field.step_px
        cos, sin = scale * math.cos(turn), scale * math.sin(turn)
        x = (place.x - field.origin_px[0]) / field.step_px
        y = (place.y - field.origin_px[1]) / field.step_px
        start = Peak(place.score, np.array([[cos, -sin, x], [sin, cos, y]]))
        return fit_face(start, field, shown, aids_of(self.deck), place.sign)


def _drop_repeats(faces: list[Face]) -> list[Face]:
    """Keep the first of faces that are one."""
    kept: list[Face] = []
    for face in faces:
        pose = _pose_of(face)
        if not any(pose.is_same_face(_pose_of(better)) for better in kept):
            kept.append(face)
    return kept


def _find_prints(
    fitter: _Fitter, places: list[Place], fits_max: int
) -> Iterable[LensPicture]:
    """Group faces that agree into prints, the print with the clearest face first.

    Args:
        fitter: Fits faces in the searched picture.
        places: Places in it that look like a face, best first.
        fits_max: At how many places faces are fitted at first.

    Yields:
        The prints, in pixels of the searched picture.
    """
    rest = fitter.fit_faces(places[:fits_max])
    for _ in range(PRINTS_MAX):
        if not rest or rest[0].likeness < LIKENESS_FIRST:
            return
        first = _pose_of(rest[0])
        agreeing_places = [p for p in places if _pose_at(p).agrees(first)][:MORE_MAX]
        faces = [f for f in rest if _pose_of(f).agrees(first)]
        faces = _drop_repeats(faces + fitter.fit_faces(agreeing_places))
        # A fit may have moved away from its place.
        faces = [f for f in faces if _pose_of(f).agrees(first)]
        rest = [f for f in rest if not _pose_of(f).agrees(first)]
        if len(faces) < FACES_MIN:
            continue
        field = cut_around(fitter.field_for(first.height_px)[0], tuple(faces))
        field = replace(field, frequency=_implied_frequency(first, fitter.deck))
        judgement = judge(field, tuple(faces), 0.0, fitter.deck)
        if len(judgement.faces) >= FACES_MIN:
            yield LensPicture(field, tuple(faces), judgement)


def _implied_frequency(pose: _Pose, deck: Deck) -> tuple[float, float]:
    """Return the frequency, (x, y) periods a pixel, that a face's lines must have."""
    size = deck.face_height_lines / pose.height_px
    angle = math.radians(pose.turn_deg + deck.angle_deg)
    return size * math.cos(angle), size * math.sin(angle)


def _to_frame(shown: LensPicture, to_frame: ToFrame) -> LensPicture:
    return LensPicture(
        to_frame.convert_field(shown.field),
        to_frame.convert_faces(shown.faces),
        to_frame.convert_judgement(shown.judgement),
    )
