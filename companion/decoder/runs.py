"""Print runs: the direction, size and shift that the lines have around a face.

The notes of one game may come from several *print runs*. All show the same faces, but
their lines differ: in *direction* on the upright note, in how many *lines* a face is
high, and in the *shift*, by how much of a period lines move where a picture is hidden.
A deck lists the runs that it knows.

`match_deck` reads a hidden picture by the run that fits it best. A deck learnt from a
few photos may not know all runs, so a run is also sought in the picture itself: in
*places* that look like the deck's face, each of which votes for a size and direction.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from companion.decoder.deck import RUNS_MAX, Deck, Run, clamp_lines
from companion.decoder.faces import HOPE_ALIASED, HOPE_MIN, find_faces
from companion.decoder.fit import Face, best_likeness
from companion.decoder.phase import Field
from companion.decoder.seek import SCALE_STEP, Place, degrees_apart, seek
from companion.decoder.verdict import Judgement, judge

# Comparing runs.

TURN_SAME_DEG, LINES_SAME, SHIFT_SAME = 8.0, 1.12, 0.1
"""Two photos of one run differ by less than this in direction, in lines a face (a
ratio) and in shift (periods).

This allows for a tilt of 20 degrees and a face printed a little askew."""

TURN_KNOWN_DEG, LINES_KNOWN = 12.0, 1.1
"""A picture is of a run that the deck knows if its lines differ by less than this in
direction and in lines a face (a ratio).

Of 188 notes of drawn decks that were read, 184 were within 10 degrees and 6 %."""

SURE_LIKENESS = 0.94
"""Likeness of a face from which no other print run is tried."""

# Seeking a run in a hidden picture.

LINES_REACH = 1.35
"""How many times larger or smaller than known the faces of an unknown run may be."""

LEVELS = 80.0
"""Grey levels from 127.5 that stand for 1 in a hidden picture."""

PLACES_MAX = 24
"""How many places vote for direction and size."""

SCORE_MIN = 0.7
"""Least score of the best place; below it, the picture does not show the deck's face.

Of 22 notes of runs that a deck did not know and that were read, the least had 0.77; of
62 panels without the deck's faces, half had less than 0.68."""

VOTE_POWER = 6
"""A place's vote for a direction and size is its score raised to this power.

Faces score 0.9, parts of faces 0.6, but in more places. Of 28 panels of runs that a
deck did not know, 6 were unsure with a power of 1, 1 with 4, none with 6.
"""

TURN_AGREE_DEG = 20.0
"""Places that agree are turned by less than this against one another."""


def measure_run(
    faces: Sequence[Face], frequency: tuple[float, float], shift: float
) -> Run:
    """Measure the print run of one photo by the faces in it.

    Args:
        faces: The faces in it, at least one.
        frequency: Frequency of its lines, (x, y) periods a pixel.
        shift: The shift of its lines, in periods.
    """
    # The lines in a face's height, counted to its right and down.
    counts = []
    for face in faces:
        rows, columns = face.patch.shape
        top_left, top_right, _, low_left = face.box_px.astype(np.float64)
        right, down = (top_right - top_left) * rows / columns, low_left - top_left
        counts.append(np.array([right, down]) @ np.array(frequency))
    to_right, to_down = np.mean(counts, axis=0)
    angle_deg = math.degrees(math.atan2(to_down, to_right))
    lines = float(np.median([np.hypot(*count) for count in counts]))
    return Run(_fold(angle_deg), shift, clamp_lines(lines))


def turn_between(first: Run | Deck, second: Run | Deck) -> float:
    """Return the degrees between the lines of two print runs, 0 to 90."""
    return abs(_fold(first.angle_deg - second.angle_deg))


def lines_between(first: Run | Deck, second: Run | Deck) -> float:
    """Return the ratio of two runs' lines a face, 1 or more."""
    ratio = first.face_height_lines / second.face_height_lines
    return max(ratio, 1 / ratio)


def _fold(angle_deg: float) -> float:
    """Fold a direction to -90..90 degrees, since lines look alike from both sides."""
    return (angle_deg + 90) % 180 - 90


def may_be_one_run(first: Run, second: Run) -> bool:
    """Tell whether two photos may be of one print run."""
    return (
        turn_between(first, second) < TURN_SAME_DEG
        and lines_between(first, second) < LINES_SAME
        and abs(first.shift - second.shift) < SHIFT_SAME
    )


def group_runs(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Group the print runs of some photos, the run of most photos first."""
    groups: list[list[Run]] = []
    for run in runs:
        for group in groups:
            if may_be_one_run(_average_runs(group), run):
                group.append(run)
                break
        else:
            groups.append([run])
    groups.sort(key=len, reverse=True)
    return tuple(_average_runs(group) for group in groups[:RUNS_MAX])


def replace_runs(deck: Deck, runs: Sequence[Run]) -> Deck:
    """Replace a deck's print runs by those of some photos, at least one."""
    first, *more = group_runs(runs)
    return replace(deck.of_run(first), runs=tuple(more))


def _average_runs(runs: Sequence[Run]) -> Run:
    # Doubled angles make a direction and its opposite equal.
    doubled = [2 * math.radians(run.angle_deg) for run in runs]
    sine, cosine = sum(map(math.sin, doubled)), sum(map(math.cos, doubled))
    return Run(
        math.degrees(math.atan2(sine, cosine) / 2),
        float(np.median([run.shift for run in runs])),
        float(np.median([run.face_height_lines for run in runs])),
    )


@lru_cache(maxsize=8)
def decks_by_run(deck: Deck) -> tuple[Deck, ...]:
    """Return the deck as if each of its print runs were the only one."""
    own = Run(deck.angle_deg, deck.shift, deck.face_height_lines)
    return tuple(deck.of_run(run) for run in (own, *deck.runs))


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """A deck's faces in a hidden picture, and the judgement on them.

    Attributes:
        field: The hidden picture.
        deck: The deck, with the print run that fits best as its only one.
        faces: The faces found in the field.
        judgement: The judgement on these faces.
    """

    field: Field
    deck: Deck
    faces: tuple[Face, ...]
    judgement: Judgement

    @property
    def likeness(self) -> float:
        """The likeness of the clearest face."""
        return best_likeness(self.faces)


def match_deck(
    field: Field, deck: Deck, glare: float = 0.0, *, is_alias: bool = False
) -> Match:
    """Find the deck's faces in a hidden picture, and judge them.

    Each print run is tried, and the one with the clearest faces counts.

    Args:
        field: A screen's hidden picture, made with a shift of the deck.
        deck: The deck whose faces are sought.
        glare: See `judge`.
        is_alias: Whether the frequency of the lines is a guess: then only runs that the
            deck knows are tried. Of 31 such pictures, none got a verdict with another
            run.
    """
    hope = HOPE_ALIASED if is_alias else HOPE_MIN
    best = None
    for run_deck in _likely_decks(field, deck, any_run=not is_alias):
        faces = find_faces(field, run_deck, hope)
        judgement = judge(field, faces, glare, run_deck)
        if judgement.faces and not _is_known_run(field, judgement.faces, deck):
            judgement = judge(field, faces, glare, run_deck, is_known_run=False)
        match = Match(field, run_deck, faces, judgement)
        if best is None or match.likeness > best.likeness:
            best = match
        if best.likeness >= SURE_LIKENESS:
            break
    assert best is not None, "a deck has at least one run"
    return best


def _is_known_run(field: Field, faces: Sequence[Face], deck: Deck) -> bool:
    """Tell whether the lines around some faces are of a run that the deck knows."""
    measured = measure_run(faces, field.frequency, deck.shift)
    return any(
        turn_between(measured, known) < TURN_KNOWN_DEG
        and lines_between(measured, known) < LINES_KNOWN
        for known in decks_by_run(deck)
    )


def _likely_decks(field: Field, deck: Deck, *, any_run: bool) -> Iterator[Deck]:
    """Yield the deck with each of its runs; if *any_run*, also with one sought here."""
    yield from decks_by_run(deck)
    may_have_more = bool(deck.runs or deck.lesson)
    run = find_run(field, deck) if any_run and may_have_more else None
    if run is not None:
        yield deck.of_run(run)


def find_run(field: Field, deck: Deck) -> Run | None:
    """Find the print run of a hidden picture; None if it does not show the deck's face.

    Faces are sought at every turn, and at the sizes of known runs give or take
    LINES_REACH.
    """
    lines = [run.face_height_lines for run in decks_by_run(deck)]
    least, most = min(lines) / LINES_REACH, max(lines) * LINES_REACH
    steps = math.ceil(math.log(most / least) / math.log(SCALE_STEP))
    # The hidden picture is searched like a frame whose pixels are its elements.
    line_px = field.samples_per_line
    sizes_px = [line_px * least * SCALE_STEP**step for step in range(steps + 1)]
    shown = np.clip(field.soft * field.weight * LEVELS + 127.5, 0, 255)
    places = seek(shown.astype(np.uint8), deck, sizes_px, None)[:PLACES_MAX]
    if not places or places[0].score < SCORE_MIN:
        return None
    agreed = _most_voted(places)
    turns = np.exp(1j * np.radians([place.turn_deg for place in agreed])).sum()
    x, y = field.frequency
    angle_deg = math.degrees(math.atan2(y, x) - math.atan2(turns.imag, turns.real))
    height_px = float(np.mean([place.height_px for place in agreed]))
    return Run(_fold(angle_deg), deck.shift, clamp_lines(height_px / line_px))


def _most_voted(places: Sequence[Place]) -> list[Place]:
    """Return the group with the most votes: a place and all that agree with it."""

    def votes_of(group: list[Place]) -> float:
        """Add up the votes of a group."""
        return sum(place.score**VOTE_POWER for place in group)

    groups = [[other for other in places if _agree(place, other)] for place in places]
    return max(groups, key=votes_of)


def _agree(place: Place, other: Place) -> bool:
    """Tell whether two places are alike in size, direction and sign."""
    size_ratio = other.height_px / place.height_px
    is_turned_alike = degrees_apart(place.turn_deg, other.turn_deg) < TURN_AGREE_DEG
    return (
        is_turned_alike
        and place.sign == other.sign
        and 1 / LINES_SAME < size_ratio < LINES_SAME
    )


def direction_of(frequency: tuple[float, float]) -> float:
    """Return the direction across lines in degrees, 0 = right, growing towards down."""
    return math.degrees(math.atan2(frequency[1], frequency[0]))
