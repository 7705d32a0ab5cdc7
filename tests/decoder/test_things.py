"""Things that photos have in common: found at every turn and size, and nothing else."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.decoder.phase import Field
from companion.decoder.things import PER_LINE, Hit, Kind, find_kinds, measure_ink
from tests.sample import each

Float = NDArray[np.float32]
At = tuple[float, float, float, float]
"""Middle x and y and height of a thing, in line periods, and its turn in degrees."""

SIDE_LINES = 120
STENCIL = 64


def stencil(*strokes: Sequence[tuple[int, int]], disc: int = 0) -> Float:
    """A thing drawn in a circle 64 wide that it touches: polygons, and a disc."""
    drawn = np.zeros((STENCIL, STENCIL), np.uint8)
    if disc:
        cv2.circle(drawn, (32, 32), disc, 1, -1)
    for stroke in strokes:
        cv2.fillPoly(drawn, [np.array(stroke)], 0 if disc else 1)
    return drawn.astype(np.float32)


EYES = ([(14, 20), (26, 20), (26, 28), (14, 28)], [(38, 18), (46, 18), (46, 26)])
MOUTH = [(20, 44), (46, 40), (44, 48), (24, 52)]
MASK = [(8, 14), (56, 14), (56, 32), (8, 32)]

FACE = stencil(*EYES, MOUTH, disc=31)
MASKED = stencil(MASK, MOUTH, disc=31)
HAT = stencil([(32, 1), (60, 48), (4, 48)])
CROSS = stencil([(26, 1), (38, 1), (38, 63), (26, 63)], [(1, 26), (63, 26), (63, 38)])
BAR = stencil([(1, 26), (63, 26), (63, 38), (1, 38)])


def ink(*things: tuple[Float, At]) -> Float:
    """What `measure_ink` gives for a square panel that shows these things."""
    side = round(SIDE_LINES * PER_LINE)
    shown = np.zeros((side, side), np.float32)
    for thing, (x, y, height, turn_deg) in things:
        scale = height * PER_LINE / STENCIL
        matrix = cv2.getRotationMatrix2D((31.5, 31.5), -turn_deg, scale)
        matrix[:, 2] += np.array([x, y]) * PER_LINE - 31.5
        shown += cv2.warpAffine(thing, matrix, (side, side))
    return np.stack([shown, np.ones_like(shown)], axis=2)


def about(turn_deg: float, scale: float, *things: tuple[Float, At]) -> Float:
    """The same panel turned about its middle, and with finer lines or coarser ones."""
    turn, middle = math.radians(turn_deg), SIDE_LINES / 2
    moved = []
    for thing, (x, y, height, own_deg) in things:
        along, down = scale * (x - middle), scale * (y - middle)
        at = (
            middle + along * math.cos(turn) - down * math.sin(turn),
            middle + along * math.sin(turn) + down * math.cos(turn),
            scale * height,
            own_deg + turn_deg,
        )
        moved.append((thing, at))
    return ink(*moved)


def note(face: Float, more: Float) -> tuple[tuple[Float, At], ...]:
    return (
        (face, (38, 40, 24, 0)),
        (face, (80, 76, 24, 0)),
        (more, (82, 42, 18, 0)),
        (more, (40, 80, 18, 0)),
    )


def turn_between(one: Hit, other: Hit) -> float:
    """Degrees from one to the other, -180..180."""
    return (math.degrees(other.turn - one.turn) + 180) % 360 - 180


def of_size(kinds: list[Kind], heights: Sequence[float]) -> list[Kind]:
    """The kinds of which all places have about the height given for their photo."""
    return [
        kind
        for kind in kinds
        if all(abs(h.height_lines / heights[h.photo] - 1) < 0.1 for h in kind.hits)
    ]


@each(
    ("turns_deg", "scales"),
    [
        ((0, 0, 0, 0), (1, 1, 1, 1)),
        ((0, 5, -5, 8), (1, 1, 1, 1)),
        ((0, 90, 200, -45), (1, 1, 1, 1)),
        ((0, 0, 0, 0), (1, 1.2, 0.8, 1)),
        ((0, 120, 180, -70), (1, 0.8, 1.2, 1)),
    ],
)
def test_what_all_photos_show_is_found_any_way_up_and_at_any_size(
    turns_deg: Sequence[float], scales: Sequence[float]
) -> None:
    others = (HAT, CROSS, HAT, CROSS)
    inks = [
        about(turn, scale, *note(FACE, other))
        for turn, scale, other in zip(turns_deg, scales, others, strict=True)
    ]
    kinds = next(find_kinds(inks, turns_deg))
    (kind,) = of_size(kinds, [24 * scale for scale in scales])
    assert sorted(hit.photo for hit in kind.hits) == [0, 0, 1, 1, 2, 2, 3, 3]
    for one, other in combinations(kind.hits, 2):
        drawn = turns_deg[other.photo] - turns_deg[one.photo]
        off = (turn_between(one, other) - drawn + 180) % 360 - 180
        assert abs(off) <= 15, "a turn is known to a step of 15 degrees"


def test_a_face_and_the_same_with_a_large_mask_are_one_kind() -> None:
    faces, others = (FACE, MASKED, FACE, MASKED), (HAT, CROSS, CROSS, HAT)
    pairs = zip(faces, others, strict=True)
    kinds = next(find_kinds([ink(*note(*pair)) for pair in pairs], [0] * 4))
    kind = of_size(kinds, [24] * 4)[0]
    assert sorted(hit.photo for hit in kind.hits) == [0, 0, 1, 1, 2, 2, 3, 3]


def test_what_the_edge_of_a_panel_cuts_is_no_thing() -> None:
    whole = ((FACE, (40.0, 40.0, 24.0, 0.0)), (FACE, (80.0, 80.0, 24.0, 0.0)))
    cut = (FACE, (112.0, 40.0, 24.0, 0.0))
    (kind,) = next(find_kinds([ink(*whole, cut) for _ in range(4)], [0] * 4))
    assert len(kind.hits) == 8
    assert max(hit.x for hit in kind.hits) < 90


def test_where_a_photo_shows_no_thing_nothing_is_in_common() -> None:
    inks = [ink(*note(FACE, HAT))] * 3
    assert list(find_kinds([*inks, ink()], [0] * 4)) == []


def test_photos_of_different_things_have_none_in_common() -> None:
    inks = [
        ink((thing, (40, 40, 24, 0)), (thing, (80, 80, 24, 0)))
        for thing in (HAT, CROSS, FACE, BAR)
    ]
    assert not any(find_kinds(inks, [0] * 4))


@pytest.mark.parametrize("sign", [1, -1])
def test_ink_is_the_rarer_state_where_the_panel_can_be_trusted(sign: int) -> None:
    soft = np.full((80, 80), -sign, np.float32)
    soft[20:60, 20:60] = sign
    weight = np.ones_like(soft)
    weight[:, 40:] = 0
    # Two pixels an element and eight a line: four elements a line become 1.5.
    field = Field(soft, weight, (0, 0), 2, (0.125, 0), 9, 1, 0.1)
    shown = measure_ink(field, sign)
    assert shown.shape == (30, 30, 2)
    assert shown[12:18, 9:13] == pytest.approx(1)
    assert shown[12:18, 2:5, 0] == pytest.approx(0)
    assert shown[:, 18:] == pytest.approx(0)
