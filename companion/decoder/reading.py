"""Reading a frame: line screens, their hidden pictures and faces, a verdict each."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.carrier import LOST_FROM, believed
from companion.decoder.deck import Deck, Family
from companion.decoder.faces import find_mirrored
from companion.decoder.fit import Face
from companion.decoder.hidden import COHERENCE_MIN, MINORITY_MIN, hidden_in
from companion.decoder.panel import (
    Corners,
    Kind,
    corners_of,
    glare_on,
    is_on,
    kind_of,
    picture_of,
)
from companion.decoder.phase import Field, demodulate
from companion.decoder.runs import known, runs_apart
from companion.decoder.scale import View, Way, views
from companion.decoder.screen import Screen, shares_at_aliases
from companion.decoder.through import (
    Lines,
    Shown,
    Through,
    shown_in,
    shown_on,
    shows_in_mirror,
)
from companion.decoder.tiles import FREQUENCY_MAX, Pixels, aliases_of
from companion.decoder.verdict import (
    COVERED_MIN,
    FAINT,
    SEEN_MIN,
    Judgement,
    Reason,
    Verdict,
    judge,
    mirrored,
)
from companion.errors import Malformed

SIDE_MAX = 12_000
"""Longest side of a frame in pixels; 200 megapixels would be 16,000 by 12,500."""

AREA_MAX = 64_000_000

ALIASED_MIN = 0.25
"""Periods a pixel above which faces are sought on the carriers behind an alias: lower
than `carrier.LOST_FROM`, since here a face found is the proof."""

ALIAS_SHARE_MIN = 0.05
"""Share of the lines' energy that an alias of them has if it is the carrier.

Two that were read had 0.2 and 0.3; of 209 others, nine in ten had less than 0.07. A
carrier finer than `carrier.LOST_FROM` may have left nothing: one had 0.02."""

ALIAS_FAINT = 8.0
"""Amplitude, in grey levels, above which lines are no alias of a carrier that is lost:
JPEG leaves little of such waves. Of five screens on which an alias showed the faces
better, the strongest had 6.7; of 44 that were tried in vain, 27 had more than 8."""

ALIKE_MIN = 0.83
"""A face this alike shows which alias is the carrier, even if it decides no verdict."""

SCRAP_CELLS = 2000
"""Line cells (a line period squared) below which lines without a face are no note.

Half of the smallest panel of 60 drawn decks. Of nine scraps of cloth, text and boards
beside simulated notes, eight had at most 1,173.
"""

SCRAP_SHARE = 0.5
"""The same, as a share of the largest note that was judged in the frame."""

OF_LINES = frozenset(
    (Reason.TOO_FAR, Reason.BLURRED, Reason.NO_PICTURE, Reason.NOT_A_DECK_I_KNOW)
)
"""The reasons that say something of lines alone, not of a face or a lamp."""

SETTLED = (Reason.MIRRORED, Reason.EYES_COVERED, Reason.CONTRADICTION)
"""The deck's faces were seen in bare lines, so no lens or film lies on them, whoever
tells of one. In the tones that it would show all counts as seen, a pen's strokes as a
mask."""


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What was read from one note, card or panel in a frame.

    Attributes:
        confidence: Calibrated probability that the verdict is right, 0..1.
        reason: Why it is unsure, else None.
        corners_px: The panel's four corners (x, y), clockwise from its own top left.
        pixels_per_line: Pixels from line to line of its screen; None without a screen.
        picture: (rows, columns) uint8, the recovered hidden picture, 128 where nothing
            is known; None if there is none.
        field, faces, judgement: The evidence.
    """

    verdict: Verdict
    confidence: float
    reason: Reason | None
    corners_px: Corners
    pixels_per_line: float | None
    kind: Kind
    picture: NDArray[np.uint8] | None = None
    field: Field | None = None
    faces: tuple[Face, ...] = ()
    judgement: Judgement | None = None


def check_frame(frame: Pixels) -> None:
    """Refuse anything but a (height, width, 3) uint8 picture of allowed size.

    Raises:
        Malformed: Says what was expected, what came and what to do.
    """
    wanted = "expected a frame of shape (height, width, 3) and type uint8, BGR"
    if not isinstance(frame, np.ndarray):
        raise Malformed(f"{wanted}, got {type(frame).__name__}", "pass a numpy array")
    remedies = {
        (True, 2): "turn grey into three channels first",
        (True, 4): "drop the alpha channel first",
    }
    if frame.ndim != 3 or frame.shape[2] != 3:
        channels = frame.shape[2] if frame.ndim == 3 else frame.ndim
        remedy = remedies.get((True, channels), "turn it into BGR first")
        raise Malformed(f"{wanted}, got shape {frame.shape}", remedy)
    if frame.dtype != np.uint8:
        raise Malformed(f"{wanted}, got type {frame.dtype}", "scale it to 0..255 first")
    height, width = frame.shape[:2]
    if height * width > AREA_MAX or max(height, width) > SIDE_MAX:
        raise Malformed(
            f"expected at most {AREA_MAX // 1_000_000} megapixels and {SIDE_MAX} "
            f"pixels a side, got {width} x {height}",
            "cut out the note first",
        )
    if height * width == 0:
        raise Malformed(f"{wanted}, got shape {frame.shape}", "it holds no pixels")


def read(
    frame: Pixels,
    deck: Deck,
    through: Through = Through.NOTHING,
    check: Callable[[], object] = lambda: None,
) -> tuple[Reading, ...]:
    """Read every note and card in a frame, clearest first; never empty.

    A frame without any scrambled print gives one unsure reading over the whole frame,
    with that reason. Lines that are too fine to be read, that show no clear picture,
    and prints beyond the number that is read, give readings without a picture, after
    the others. Scraps with lines that show no face give none.

    Args:
        frame: (height, width, 3) uint8, BGR, the whole frame, not modified.
        deck: The deck that the notes should belong to.
        through: LENS if a lens or film may lie on the print; then two or more faces
            that show plainly count, whatever they are printed on.
        check: Called between two steps; what it raises ends the reading.

    Raises:
        Malformed: If the frame is not such an array, or too large.
    """
    check_frame(frame)
    grey = np.ascontiguousarray(frame[:, :, 1])
    seen: list[View] = []
    readings: list[Reading] = []
    lines: list[list[Lines]] = []
    for view in views(grey, deck.family):
        seen.append(view)
        own, found = _of_view(view, deck, check)
        lines.append(own)
        readings += found
        if not _is_open(readings):
            break
    if _is_open(readings):
        check()
        runs = runs_apart(deck)
        # A film lies over lines; over strips it leaves nothing of their seams.
        shown = tuple(
            one
            for view, on in zip(seen, lines, strict=True)
            if deck.family is not Family.STRIPS
            for one in shown_on(view, runs, on)
        )
        if not shown and through is Through.LENS:
            shown = shown_in(grey, deck)
            if not shown and shows_in_mirror(grey, deck):
                return (_empty(frame, Reason.MIRRORED),)
        readings = [_read_shown(one, deck) for one in shown] or readings
    readings.sort(key=_clearness, reverse=True)
    if readings:
        readings += [_unread(v, s, Reason.TOO_MANY) for v in seen for s in v.left_off]
    kept = _once_each(_without_scraps(readings))
    if _is_open(readings):
        kept = _with_afar(kept, seen)
    return tuple(kept) or (_empty(frame, Reason.NO_SCRAMBLED_PRINT),)


def _with_afar(kept: list[Reading], views: list[View]) -> list[Reading]:
    """Add lines that are too fine to be read and lie on none of the readings."""
    kept = kept.copy()
    for view in views:
        for screen in view.afar:
            reading = _unread(view, screen, Reason.TOO_FAR)
            if (
                _cells(reading) >= SCRAP_CELLS
                and not _lies_on(reading, kept)
                and not _hides_nothing(demodulate(view.grey, screen))
            ):
                kept.append(reading)
    return kept


def _of_view(
    view: View, deck: Deck, check: Callable[[], object]
) -> tuple[list[Lines], list[Reading]]:
    """Return the lines of every screen, and what was read from those that hide it."""
    lines, readings = [], []
    for screen in view.screens:
        check()
        own, reading = _read_screen(view, screen, deck)
        lines.append(own)
        if reading is not None:
            readings.append(reading)
    return lines, readings


def _is_open(readings: list[Reading]) -> bool:
    """Tell whether there is no verdict yet, nor anything that stands in its way."""
    return all(
        reading.verdict is Verdict.UNSURE and reading.reason not in SETTLED
        for reading in readings
    )


def _clearness(reading: Reading) -> tuple[float, float, float]:
    return reading.confidence, _alike(reading.faces), _cells(reading)


def _cells(reading: Reading) -> float:
    """Return how many line cells its lines cover; 0 without lines."""
    if reading.field is not None:
        return reading.field.cells
    if reading.pixels_per_line is None:
        return 0.0
    outline = np.array(reading.corners_px, np.float32)
    return float(cv2.contourArea(outline)) / reading.pixels_per_line**2


def _alike(faces: tuple[Face, ...]) -> float:
    """Return the likeness of the clearest face, 0 for none."""
    return max((face.likeness for face in faces), default=0.0)


def _once_each(readings: list[Reading]) -> list[Reading]:
    """Leave out unsure readings that lie on a clearer one; the clearest come first."""
    kept: list[Reading] = []
    for reading in readings:
        if reading.verdict is not Verdict.UNSURE or not _lies_on(reading, kept):
            kept.append(reading)
    return kept


def _lies_on(reading: Reading, others: list[Reading]) -> bool:
    return any(is_on(reading.corners_px, other.corners_px) for other in others)


def _without_scraps(readings: list[Reading]) -> list[Reading]:
    """Leave out scraps: lines too few for a note, in which is no face.

    Beside a note that was judged, another one has nearly as many.
    """
    judged = (_cells(r) for r in readings if r.verdict is not Verdict.UNSURE)
    least = max(SCRAP_CELLS, SCRAP_SHARE * max(judged, default=0.0))
    return [
        reading
        for reading in readings
        if reading.reason not in OF_LINES
        or _alike(reading.faces) >= COVERED_MIN
        or _cells(reading) >= least
    ]


def _read_screen(
    view: View, screen: Screen, deck: Deck
) -> tuple[Lines, Reading | None]:
    """Return what the lines of a screen are, and what was read if they may hide it."""
    shifts = dict.fromkeys(one.shift for one in runs_apart(deck))
    hidden = hidden_in(view.grey, screen, deck.family, tuple(shifts))
    fields = [field for field in hidden if field.minority >= MINORITY_MIN]
    clear = [field for field in fields if field.coherence >= COHERENCE_MIN]
    lines = Lines(screen, hidden[0] if hidden else None, is_bare=bool(clear))
    if not clear:
        sharp = (f for f in fields if f.amplitude >= FAINT and f.cells >= SCRAP_CELLS)
        return lines, _unread(view, screen, Reason.NO_PICTURE) if any(sharp) else None
    looks = [_seen_as(field, view.grey, deck) for field in clear]
    seen = first = max(looks, key=_alike_seen)
    field = seen.field
    # Lines so coarse that a smaller picture shows them have no aliases from JPEG.
    if view.by == 1 and deck.family is not Family.STRIPS:
        if not seen.judgement.faces:
            seen = _unaliased(seen, screen, view.grey, deck)
        hopeful = tuple(f for f in seen.faces if f.likeness > ALIKE_MIN)
        if hopeful:
            carrier = believed(field.frequency, hopeful, seen.deck)
            seen = replace(seen, field=replace(field, frequency=carrier))
            if seen.judgement.reason is Reason.TOO_FAR and carrier == field.frequency:
                seen = replace(seen, judgement=first.judgement)
    if seen.judgement.verdict is Verdict.UNSURE:
        seen = _in_mirror(seen)
    way = Way(view.by)
    field, faces = way.field(seen.field), way.faces(seen.faces)
    return lines, _reading(field, faces, way.judgement(seen.judgement), deck)


def _hides_nothing(field: Field) -> bool:
    """Tell whether all lines are in one state: stripes, hatching."""
    return field.coherence >= COHERENCE_MIN and field.minority < MINORITY_MIN


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """A field with one assumed carrier, and the faces and judgement that follow."""

    field: Field
    deck: Deck
    faces: tuple[Face, ...]
    judgement: Judgement


def _seen_as(
    field: Field, grey: Pixels, deck: Deck, *, is_alias: bool = False
) -> _Seen:
    glare = glare_on(grey, corners_of(field, ()))
    told = known(field, deck, glare, is_alias=is_alias)
    return _Seen(field, told.deck, told.faces, told.judgement)


def _unaliased(first: _Seen, screen: Screen, grey: Pixels, deck: Deck) -> _Seen:
    """Return the best of *first* and of what shows if its carrier is an alias."""
    best = first
    shares = shares_at_aliases(screen, grey)
    for other, share in zip(aliases_of(*screen.frequency), shares, strict=True):
        finer = math.hypot(*other)
        coarsest = max(ALIASED_MIN, 1 / first.field.pixels_per_line)
        if not coarsest < finer < FREQUENCY_MAX:
            continue
        is_lost = finer >= LOST_FROM and first.field.amplitude < ALIAS_FAINT
        if share < ALIAS_SHARE_MIN and not is_lost:
            continue
        field = replace(first.field, frequency=other)
        seen = _seen_as(field, grey, deck, is_alias=True)
        is_clearer = _alike_seen(seen) > ALIKE_MIN > _alike_seen(best) + 0.1
        if seen.judgement.faces or is_clearer:
            best = seen
        if seen.judgement.faces:
            break
    return best


def _in_mirror(seen: _Seen) -> _Seen:
    """Say of what was seen that it is mirrored, if its faces are clear only so."""
    if seen.judgement.reason in (Reason.TOO_FAR, Reason.EYES_COVERED):
        return seen
    faces = find_mirrored(seen.field, seen.deck)
    told = judge(seen.field, faces, 0.0, seen.deck)
    if told.verdict is Verdict.UNSURE or _alike(faces) <= _alike(seen.judgement.faces):
        return seen
    return replace(seen, judgement=mirrored(told))


def _alike_seen(seen: _Seen) -> float:
    """Return the likeness of the clearest face that mostly shows, 0 for none."""
    return _alike(tuple(face for face in seen.faces if face.seen >= SEEN_MIN))


def _read_shown(shown: Shown, deck: Deck) -> Reading:
    """Make the reading of a picture that a lens or film shows by itself."""
    return _reading(shown.field, shown.faces, shown.judgement, deck)


def _reading(
    field: Field, faces: tuple[Face, ...], judgement: Judgement, deck: Deck
) -> Reading:
    return Reading(
        verdict=judgement.verdict,
        confidence=judgement.confidence,
        reason=judgement.reason,
        corners_px=corners_of(field, judgement.faces),
        pixels_per_line=field.pixels_per_line,
        kind=kind_of(deck, judgement.faces),
        picture=picture_of(field),
        field=field,
        faces=faces,
        judgement=judgement,
    )


def _unread(view: View, screen: Screen, reason: Reason) -> Reading:
    """Make an unsure reading of lines that were seen but not read."""
    x0, y0, x1, y1 = (float(view.by * side) for side in screen.box_px)
    return Reading(
        verdict=Verdict.UNSURE,
        confidence=0.0,
        reason=reason,
        corners_px=((x0, y0), (x1, y0), (x1, y1), (x0, y1)),
        pixels_per_line=view.by * screen.pixels_per_line,
        kind=Kind.PANEL,
    )


def _empty(frame: Pixels, reason: Reason) -> Reading:
    """Make an unsure reading over the whole frame."""
    height, width = frame.shape[:2]
    corners = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    return Reading(
        verdict=Verdict.UNSURE,
        confidence=0.0,
        reason=reason,
        corners_px=tuple((float(x), float(y)) for x, y in corners),
        pixels_per_line=None,
        kind=Kind.PANEL,
    )
