"""Reads a frame: finds the line screens in it, and gives a verdict on each.

View by view, until one settles something, the picture that each screen hides is
recovered, and the deck's faces are sought in it and judged. If no screen gets a
verdict, prints under a film or a lens are looked for. What was seen but not read
becomes an unsure reading that says why.

- *View*: the frame at one of several sizes; coarse lines are read in a smaller one.
- *Screen*: an area of parallel lines that may hide a picture.
- *Field*: that picture once recovered.
- *Carrier*: the wave of the lines. JPEG may keep no more of it than a coarser *alias*.
- *Candidate*: a finer frequency that the carrier may have if an alias was measured.
- *Match*: a deck's faces in a field, and the judgement on them.
- *Line cell*: a line period squared, in which areas are counted.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.carrier import LOST_FROM, true_carrier
from companion.decoder.deck import Deck, Family
from companion.decoder.faces import find_mirrored
from companion.decoder.fit import Face, best_likeness
from companion.decoder.hidden import COHERENCE_MIN, MINORITY_MIN, find_hidden
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
from companion.decoder.runs import Match, decks_by_run, match_deck
from companion.decoder.scale import ToFrame, View, views
from companion.decoder.screen import Screen, shares_at_aliases
from companion.decoder.through import (
    LensPicture,
    Lines,
    Through,
    find_under_film,
    find_under_lens,
    is_mirrored_under_lens,
)
from companion.decoder.tiles import FREQUENCY_MAX, Pixels, aliases_of
from companion.decoder.verdict import (
    COVERED_MIN,
    FAINT,
    SEEN_MIN,
    Judgement,
    Reason,
    Verdict,
    as_mirrored,
    judge,
)
from companion.errors import Malformed

# Which frames are read.

SIDE_MAX = 12_000
"""Longest side of a frame in pixels; 200 megapixels would be 16,000 by 12,500."""

AREA_MAX = 64_000_000
"""Most pixels of a frame."""

# Which candidates are tried, and which is chosen.

CANDIDATE_MIN = 0.25
"""Periods a pixel above which candidates are tried.

It is lower than `carrier.LOST_FROM`, since here a face must be found as well."""

CANDIDATE_ENERGY_MIN = 0.05
"""Least energy at a candidate, as a share of that of the measured lines.

Two carriers found in this way had 0.2 and 0.3; of 209 other candidates, nine in ten had
less than 0.07."""

LOST_AMPLITUDE_MAX = 8.0
"""Amplitude of lines, in grey levels, below which JPEG may have removed the carrier.

Then candidates from `carrier.LOST_FROM` on need no energy: one had 0.02. Of five
screens whose faces showed better at a candidate, the strongest had 6.7; of 44 that were
tried in vain, 27 had more than 8."""

PROOF_MIN = 0.83
"""Likeness of a face above which it proves the carrier, even without a verdict."""

PROOF_LEAD = 0.1
"""A proof replaces the clearest face if that is this far below ``PROOF_MIN``."""

# What is reported.

SCRAP_CELLS = 2000
"""Line cells below which lines without a face are not reported.

This is half of the smallest panel of 60 drawn decks. Of nine scraps of cloth, text and
boards beside simulated notes, eight had at most 1,173.
"""

SCRAP_SHARE = 0.5
"""The same limit as a share of the largest note in the frame that got a verdict."""

LINES_ONLY = frozenset(
    (Reason.TOO_FAR, Reason.BLURRED, Reason.NO_PICTURE, Reason.NOT_A_DECK_I_KNOW)
)
"""Reasons that describe lines only: no face was recognised."""

SETTLED = (Reason.MIRRORED, Reason.EYES_COVERED, Reason.CONTRADICTION)
"""Reasons after which no lens or film is looked for.

The deck's faces were seen in bare lines, so nothing lies on the print. Its light and
dark would mislead: a pen's strokes would count as a mask."""


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """The result for one note, card or panel in a frame.

    Attributes:
        confidence: Calibrated probability that the verdict is right, 0..1.
        reason: Why the verdict is unsure, else None.
        corners_px: The panel's four corners (x, y), clockwise from its own top left.
        pixels_per_line: Pixels from line to line; None without lines.
        picture: (rows, columns) uint8, the hidden picture, 128 where nothing is known;
            None if no picture was recovered.
        field, faces, judgement: The evidence, for `explain`.
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
    """Refuse a frame that is not (height, width, 3) uint8, or is empty or too large.

    Raises:
        Malformed: Says what was expected, what came and what to do.
    """
    expected = "expected a frame of shape (height, width, 3) and type uint8, BGR"
    if not isinstance(frame, np.ndarray):
        raise Malformed(f"{expected}, got {type(frame).__name__}", "pass a numpy array")
    if frame.ndim != 3 or frame.shape[2] != 3:
        remedies = {
            2: "turn grey into three channels first",
            4: "drop the alpha channel first",
        }
        channels = frame.shape[2] if frame.ndim == 3 else frame.ndim
        remedy = remedies.get(channels, "turn it into BGR first")
        raise Malformed(f"{expected}, got shape {frame.shape}", remedy)
    if frame.dtype != np.uint8:
        raise Malformed(
            f"{expected}, got type {frame.dtype}", "scale it to 0..255 first"
        )
    height, width = frame.shape[:2]
    if height * width > AREA_MAX or max(height, width) > SIDE_MAX:
        raise Malformed(
            f"expected at most {AREA_MAX // 1_000_000} megapixels and {SIDE_MAX} "
            f"pixels a side, got {width} x {height}",
            "cut out the note first",
        )
    if height * width == 0:
        raise Malformed(f"{expected}, got shape {frame.shape}", "it holds no pixels")


def read(
    frame: Pixels,
    deck: Deck,
    through: Through = Through.NOTHING,
    check: Callable[[], object] = lambda: None,
) -> tuple[Reading, ...]:
    """Read every note and card in a frame, clearest first.

    A frame without a scrambled print gives one unsure reading over the whole frame.
    Last come unsure readings without a picture: lines that are too fine or show nothing
    clear, and prints beyond the number that is read. Small scraps of lines without a
    face are left out.

    Args:
        frame: (height, width, 3) uint8, BGR, the whole frame, not modified.
        deck: The deck that the notes should belong to.
        through: LENS if a lens or film may lie on the print; then two or more faces
            that show plainly count, whatever they are printed on.
        check: Called between two steps; an exception that it raises ends the reading.

    Raises:
        Malformed: If the frame is not such an array, or too large.
    """
    check_frame(frame)
    grey = np.ascontiguousarray(frame[:, :, 1])
    lines_by_view: list[tuple[View, list[Lines]]] = []
    readings: list[Reading] = []
    for view in views(grey, deck.family):
        lines, view_readings = _read_view(view, deck, check)
        lines_by_view.append((view, lines))
        readings += view_readings
        if not _is_undecided(readings):
            break
    if _is_undecided(readings):
        check()
        pictures = _read_under_film(lines_by_view, deck)
        if not pictures and through is Through.LENS:
            pictures = list(find_under_lens(grey, deck))
            if not pictures and is_mirrored_under_lens(grey, deck):
                return (_build_empty(frame, Reason.MIRRORED),)
        if pictures:
            readings = [
                _build_reading(shown.field, shown.faces, shown.judgement, deck)
                for shown in pictures
            ]
    kept = _select_readings(readings, [view for view, _ in lines_by_view])
    return kept or (_build_empty(frame, Reason.NO_SCRAMBLED_PRINT),)


def _select_readings(
    readings: list[Reading], views_read: list[View]
) -> tuple[Reading, ...]:
    """Sort readings, drop repeats and scraps, and add what was seen but not read."""
    ranked = sorted(readings, key=_clearness_key, reverse=True)
    if ranked:
        for view in views_read:
            for screen in view.unread:
                ranked.append(_build_unread(view, screen, Reason.TOO_MANY))
    kept = _drop_repeats(_drop_scraps(ranked))
    if _is_undecided(ranked):
        kept += _report_too_fine(kept, views_read)
    return tuple(kept)


def _read_under_film(
    lines_by_view: list[tuple[View, list[Lines]]], deck: Deck
) -> list[LensPicture]:
    """Return the prints that a film unscrambles, in every view."""
    if deck.family is Family.STRIPS:
        return []  # A film leaves nothing of the seams of strips.
    pictures: list[LensPicture] = []
    for view, lines in lines_by_view:
        pictures += find_under_film(view, decks_by_run(deck), lines)
    return pictures


def _report_too_fine(readings: list[Reading], views: list[View]) -> list[Reading]:
    """Build readings of lines too fine to be read, where no other reading lies.

    Scraps and stripes, which hide nothing, are left out.
    """
    too_fine: list[Reading] = []
    for view in views:
        for screen in view.too_fine:
            reading = _build_unread(view, screen, Reason.TOO_FAR)
            if (
                _count_cells(reading) >= SCRAP_CELLS
                and not _lies_on(reading, [*readings, *too_fine])
                and not _is_stripes(demodulate(view.grey, screen))
            ):
                too_fine.append(reading)
    return too_fine


def _read_view(
    view: View, deck: Deck, check: Callable[[], object]
) -> tuple[list[Lines], list[Reading]]:
    """Return the lines of a view's screens, and readings where a picture may hide."""
    all_lines, readings = [], []
    for screen in view.screens:
        check()
        lines, reading = _read_screen(view, screen, deck)
        all_lines.append(lines)
        if reading is not None:
            readings.append(reading)
    return all_lines, readings


def _is_undecided(readings: list[Reading]) -> bool:
    """Tell whether no reading is settled, by a verdict or by a reason of SETTLED."""
    return all(
        reading.verdict is Verdict.UNSURE and reading.reason not in SETTLED
        for reading in readings
    )


def _clearness_key(reading: Reading) -> tuple[float, float, float]:
    """Return the key to sort readings by, higher for clearer ones."""
    return reading.confidence, best_likeness(reading.faces), _count_cells(reading)


def _count_cells(reading: Reading) -> float:
    """Return how many line cells a reading covers; 0 without lines."""
    if reading.field is not None:
        return reading.field.cells
    if reading.pixels_per_line is None:
        return 0.0
    outline = np.array(reading.corners_px, np.float32)
    return float(cv2.contourArea(outline)) / reading.pixels_per_line**2


def _drop_repeats(readings: list[Reading]) -> list[Reading]:
    """Drop unsure readings that lie on a clearer one; the clearest must come first."""
    kept: list[Reading] = []
    for reading in readings:
        if reading.verdict is not Verdict.UNSURE or not _lies_on(reading, kept):
            kept.append(reading)
    return kept


def _lies_on(reading: Reading, others: list[Reading]) -> bool:
    return any(is_on(reading.corners_px, other.corners_px) for other in others)


def _drop_scraps(readings: list[Reading]) -> list[Reading]:
    """Drop lines without a face that cover less than a note would.

    Notes in one frame are of similar size, so a note with a verdict raises the limit.
    """
    judged = [reading for reading in readings if reading.verdict is not Verdict.UNSURE]
    largest = max(map(_count_cells, judged), default=0.0)
    least = max(SCRAP_CELLS, SCRAP_SHARE * largest)

    def is_scrap(reading: Reading) -> bool:
        shows_face = best_likeness(reading.faces) >= COVERED_MIN
        is_lines = reading.reason in LINES_ONLY and not shows_face
        return is_lines and _count_cells(reading) < least

    return [reading for reading in readings if not is_scrap(reading)]


def _read_screen(
    view: View, screen: Screen, deck: Deck
) -> tuple[Lines, Reading | None]:
    """Return a screen's lines, and its reading; None if it can hide nothing."""
    shifts = tuple(dict.fromkeys(run.shift for run in decks_by_run(deck)))  # Each once.
    hidden = find_hidden(view.grey, screen, deck.family, shifts)
    fields = [field for field in hidden if field.minority >= MINORITY_MIN]
    clear = [field for field in fields if field.coherence >= COHERENCE_MIN]
    lines = Lines(screen, hidden[0] if hidden else None, is_bare=bool(clear))
    if not clear:
        if any(f.amplitude >= FAINT and f.cells >= SCRAP_CELLS for f in fields):
            return lines, _build_unread(view, screen, Reason.NO_PICTURE)
        return lines, None
    matches = [_try_carrier(field, view.grey, deck) for field in clear]
    best = max(matches, key=_best_visible_likeness)
    # Lines of a smaller view are too coarse to be JPEG's alias.
    if view.reduction == 1 and deck.family is not Family.STRIPS:
        best = _choose_carrier_by_faces(best, screen, view.grey, deck)
    if best.judgement.verdict is Verdict.UNSURE:
        best = _try_mirror(best)
    to_frame = ToFrame(view.reduction)
    return lines, _build_reading(
        to_frame.convert_field(best.field),
        to_frame.convert_faces(best.faces),
        to_frame.convert_judgement(best.judgement),
        deck,
    )


def _is_stripes(field: Field) -> bool:
    """Tell whether all lines are in one state, as in stripes or hatching."""
    return field.coherence >= COHERENCE_MIN and field.minority < MINORITY_MIN


def _try_carrier(
    field: Field, grey: Pixels, deck: Deck, *, is_candidate: bool = False
) -> Match:
    """Match the deck with a field, whose frequency is the assumed carrier."""
    glare = glare_on(grey, corners_of(field, ()))
    return match_deck(field, deck, glare, is_alias=is_candidate)


def _choose_carrier_by_faces(
    first: Match, screen: Screen, grey: Pixels, deck: Deck
) -> Match:
    """Choose the carrier that the faces prove: that of *first*, or a finer one."""
    best, measured = first, first.field
    if not first.judgement.faces:
        best = _try_candidates(first, screen, grey, deck)
    proving = tuple(face for face in best.faces if face.likeness > PROOF_MIN)
    if not proving:
        return best
    carrier = true_carrier(measured.frequency, proving, best.deck)
    best = replace(best, field=replace(measured, frequency=carrier))
    # It was a candidate that was too fine, and the faces refute it.
    if best.judgement.reason is Reason.TOO_FAR and carrier == measured.frequency:
        best = replace(best, judgement=first.judgement)
    return best


def _try_candidates(first: Match, screen: Screen, grey: Pixels, deck: Deck) -> Match:
    """Try each candidate for the carrier of some lines.

    Returns:
        The first match whose faces count; else one with a face that proves its
        carrier, see PROOF_LEAD; else *first*.
    """
    best = first
    least = max(CANDIDATE_MIN, 1 / first.field.pixels_per_line)  # Periods a pixel.
    energies = shares_at_aliases(screen, grey)
    # If the lines are an alias of the carrier, the carrier is among theirs.
    for candidate, energy in zip(aliases_of(*screen.frequency), energies, strict=True):
        frequency = math.hypot(*candidate)
        if not least < frequency < FREQUENCY_MAX:
            continue
        is_faint = first.field.amplitude < LOST_AMPLITUDE_MAX
        may_be_lost = is_faint and frequency >= LOST_FROM
        if energy < CANDIDATE_ENERGY_MIN and not may_be_lost:
            continue
        field = replace(first.field, frequency=candidate)
        match = _try_carrier(field, grey, deck, is_candidate=True)
        if match.judgement.faces:
            return match
        is_proof = _best_visible_likeness(match) > PROOF_MIN
        if is_proof and _best_visible_likeness(best) + PROOF_LEAD < PROOF_MIN:
            best = match
    return best


def _try_mirror(match: Match) -> Match:
    """Judge a match as mirrored if its faces are clearer in a mirror."""
    if match.judgement.reason in (Reason.TOO_FAR, Reason.EYES_COVERED):
        return match
    faces = find_mirrored(match.field, match.deck)
    judgement = judge(match.field, faces, 0.0, match.deck)
    is_clearer = best_likeness(faces) > best_likeness(match.judgement.faces)
    if judgement.verdict is Verdict.UNSURE or not is_clearer:
        return match
    return replace(match, judgement=as_mirrored(judgement))


def _best_visible_likeness(match: Match) -> float:
    """Return the likeness of the clearest face that mostly shows; 0 without one."""
    return best_likeness(face for face in match.faces if face.seen >= SEEN_MIN)


def _build_reading(
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


def _build_unread(view: View, screen: Screen, reason: Reason) -> Reading:
    """Build an unsure reading of lines that were seen but not read."""
    x0, y0, x1, y1 = (float(view.reduction * side) for side in screen.box_px)
    return Reading(
        verdict=Verdict.UNSURE,
        confidence=0.0,
        reason=reason,
        corners_px=((x0, y0), (x1, y0), (x1, y1), (x0, y1)),
        pixels_per_line=view.reduction * screen.pixels_per_line,
        kind=Kind.PANEL,
    )


def _build_empty(frame: Pixels, reason: Reason) -> Reading:
    """Build an unsure reading over the whole frame."""
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
