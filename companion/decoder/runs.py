"""Print runs: which direction, size and shift the lines have around a face."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from companion.decoder.deck import RUNS_MAX, Deck, Run
from companion.decoder.fit import Face
from companion.decoder.phase import Field
from companion.decoder.seek import SCALE_STEP, Place, apart, seek

TURN_SAME_DEG, LINES_SAME, SHIFT_SAME = 8.0, 1.12, 0.1
"""Lines of one run differ by less than this in direction, in lines a face (ratio) and
in shift: as much as a tilt of 20 degrees and a face that is turned a little."""


LINES_REACH = 1.35
"""How many times larger or smaller than known the faces of an unknown run may be."""

LEVELS = 80.0
"""Grey levels of a hidden picture's unit, of 127."""

PLACES_MAX = 24
"""How many places are asked for direction and size."""

TURN_AGREE_DEG = 20.0
"""Faces of one panel are turned by less than this against one another."""


def run_of(faces: Sequence[Face], frequency: tuple[float, float], shift: float) -> Run:
    """The print run of one photo.

    Args:
        faces: Faces in it, upright in their boxes; at least one.
        frequency: Of its lines, (x, y) periods a pixel.
        shift: Periods between its two states.
    """
    normals = []
    for face in faces:
        rows, columns = face.patch.shape
        box = face.box_px.astype(np.float64)
        down, right = box[3] - box[0], (box[1] - box[0]) * rows / columns
        normals.append(np.array([right, down]) @ np.array(frequency))
    mean = np.mean(normals, axis=0)
    angle = math.degrees(math.atan2(mean[1], mean[0]))
    lines = float(np.median([np.hypot(*normal) for normal in normals]))
    # The sign of a carrier is arbitrary, so directions are told from -90 to 90.
    return Run((angle + 90) % 180 - 90, shift, min(80.0, max(8.0, lines)))


def is_same(one: Run, other: Run) -> bool:
    """Whether two photos may be of one print run."""
    turn = abs((one.angle_deg - other.angle_deg + 90) % 180 - 90)
    lines = max(one.face_height_lines, other.face_height_lines) / min(
        one.face_height_lines, other.face_height_lines
    )
    return (
        turn < TURN_SAME_DEG
        and lines < LINES_SAME
        and abs(one.shift - other.shift) < SHIFT_SAME
    )


def runs_of(runs: Sequence[Run]) -> tuple[Run, ...]:
    """The print runs of some photos, the one of most photos first, each once."""
    groups: list[list[Run]] = []
    for run in runs:
        near = next((g for g in groups if is_same(_mean(g), run)), None)
        if near is None:
            groups.append([run])
        else:
            near.append(run)
    groups.sort(key=len, reverse=True)
    return tuple(_mean(group) for group in groups[:RUNS_MAX])


def _mean(runs: Sequence[Run]) -> Run:
    doubled = [2 * math.radians(run.angle_deg) for run in runs]
    sine, cosine = sum(map(math.sin, doubled)), sum(map(math.cos, doubled))
    return Run(
        math.degrees(math.atan2(sine, cosine) / 2),
        float(np.median([run.shift for run in runs])),
        float(np.median([run.face_height_lines for run in runs])),
    )


def decks_for(field: Field, deck: Deck) -> Iterator[Deck]:
    """The deck as each of its print runs has it, then as this picture suggests.

    A deck whose photos were all of one run, and one that never was in a lesson, is
    believed to have no other.
    """
    yield deck.of_run(_first(deck))
    if not deck.runs:
        return
    for run in deck.runs:
        yield deck.of_run(run)
    run_ = run_in(field, deck)
    if run_ is not None:
        yield deck.of_run(run_)


def _first(deck: Deck) -> Run:
    return Run(deck.angle_deg, deck.shift, deck.face_height_lines)


def run_in(field: Field, deck: Deck) -> Run | None:
    """The print run that a hidden picture shows, if the deck's faces are in it.

    They are sought at every turn, and at every size that the deck's runs have or nearly
    have.
    """
    lines = [run.face_height_lines for run in (_first(deck), *deck.runs)]
    line_px = field.samples_per_line
    low, high = min(lines) / LINES_REACH, max(lines) * LINES_REACH
    count = math.ceil(math.log(high / low) / math.log(SCALE_STEP))
    sizes = [line_px * low * SCALE_STEP**k for k in range(count + 1)]
    shown = np.clip(field.soft * field.weight * LEVELS + 127.5, 0, 255)
    places = seek(shown.astype(np.uint8), deck, sizes, None)[:PLACES_MAX]
    if not places:
        return None
    groups = ([p for p in places if _agree(one, p)] for one in places)
    best = max(groups, key=lambda group: sum(p.score for p in group))
    turns = np.exp(1j * np.radians([p.turn_deg for p in best])).sum()
    x, y = field.frequency
    angle = math.degrees(math.atan2(y, x) - math.atan2(turns.imag, turns.real))
    height = float(np.mean([p.height_px for p in best])) / line_px
    return Run((angle + 90) % 180 - 90, deck.shift, min(80.0, max(8.0, height)))


def _agree(one: Place, other: Place) -> bool:
    ratio = other.height_px / one.height_px
    is_turned_alike = apart(one.turn_deg, other.turn_deg) < TURN_AGREE_DEG
    return (
        is_turned_alike
        and one.sign == other.sign
        and 1 / LINES_SAME < ratio < LINES_SAME
    )


def direction_of(frequency: tuple[float, float]) -> float:
    """Direction of a carrier in degrees, 0 = right, growing towards down."""
    return math.degrees(math.atan2(frequency[1], frequency[0]))
