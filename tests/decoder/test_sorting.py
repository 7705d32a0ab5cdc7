"""Sorting photos by one thing: two kinds of one face, and nothing that differs less."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.decoder.sorting import (
    Kinds,
    Split,
    find_best_split,
    find_lone,
    measure_split,
)

Float = NDArray[np.float32]

MASK = np.s_[8:16, 6:24]


def piece(*, masked: bool, seed: int, noise: float = 0.1) -> Float:
    """A face, -1..1, as one photo shows it: a head, and a mask or none."""
    y, x = np.mgrid[:36, :30]
    drawn = np.where(np.hypot((x - 15) / 13, (y - 18) / 16) < 1, 1.0, -1.0)
    drawn[26:29, 10:20] = -1
    if masked:
        drawn[MASK] = -1
    rough = np.random.default_rng(seed).normal(0, noise, drawn.shape)
    return np.asarray(drawn + rough, np.float32)


def pieces(fakes: Sequence[bool], noise: float = 0.1) -> list[Float | None]:
    return [piece(masked=k, seed=n, noise=noise) for n, k in enumerate(fakes)]


def is_same(one: Kinds, other: Sequence[int | None]) -> bool:
    """Whether two ways to sort are one, whichever kind is called 0."""
    swapped = tuple(None if kind is None else 1 - kind for kind in other)
    return one in (tuple(other), swapped)


@pytest.mark.parametrize(
    "kinds",
    [
        (0, 0, 1, 1),
        (1, 0, 0, 1, 0, 1),
        (0, 1, 0, 0, 0, 0, 0, 1),
        (1, 1, 0, 1, 0, 1, 1, 1, 1, 1),
    ],
)
def test_faces_with_mask_and_without_fall_apart(kinds: tuple[int, ...]) -> None:
    split = find_best_split(pieces([kind == 1 for kind in kinds]))
    assert split is not None
    assert split.is_clear
    assert is_same(split.kinds, kinds)
    assert split.apart > 0.8
    assert split.common > 0.6


def test_a_photo_without_the_thing_has_no_kind() -> None:
    shown = pieces([False, True, True, False, True])
    shown[1] = None
    split = find_best_split(shown)
    assert split is not None
    assert is_same(split.kinds, (0, None, 1, 0, 1))


@pytest.mark.parametrize("fakes_count", [0, 1, 5, 6])
def test_one_kind_or_too_few_of_the_other_are_no_two_kinds(fakes_count: int) -> None:
    split = find_best_split(pieces([n < fakes_count for n in range(6)]))
    assert split is not None
    assert not split.is_clear


@pytest.mark.parametrize("count", [0, 1, 3])
def test_less_than_two_photos_of_each_are_not_sorted(count: int) -> None:
    assert find_best_split([*pieces([False] * count), None, None]) is None
    assert measure_split(pieces([False, False, True]), (0, 0, 1)) is None


def test_two_things_are_not_two_kinds_of_one() -> None:
    shown = pieces([False] * 6)
    for number in (1, 3, 5):
        shown[number] = -piece(masked=False, seed=number)
    split = measure_split(shown, (0, 1, 0, 1, 0, 1))
    assert split is not None
    assert split.apart > 0.8
    assert split.common < 0
    assert not split.is_clear
    best = find_best_split(shown)
    assert best is not None
    assert best.worth == 0, "not even if both measures speak against it"


def test_a_photo_with_the_wrong_label_lies_with_the_others() -> None:
    shown = pieces([False, False, False, True, True, True])
    right = measure_split(shown, (0, 0, 0, 1, 1, 1))
    wrong = measure_split(shown, (0, 0, 1, 1, 1, 1))
    assert right is not None
    assert wrong is not None
    assert right.is_clear
    assert wrong.apart < 0
    assert not wrong.is_clear


def test_a_photo_is_not_measured_by_its_own_copy() -> None:
    # Noise only: each photo lies nearer to a mean that it is part of.
    shown = pieces([False] * 6, noise=1.0)
    split = measure_split(shown, (0, 0, 0, 1, 1, 1))
    assert split is not None
    assert split.apart < 0.35


@pytest.mark.parametrize(
    ("apart", "difference", "common", "is_clear"),
    [
        (0.9, 0.5, 0.8, True),
        (0.3, 0.5, 0.8, False),
        (0.9, 0.1, 0.8, False),
        (0.9, 0.5, 0.3, False),
    ],
)
def test_a_split_is_clear_if_everything_is(
    apart: float, difference: float, common: float, is_clear: bool
) -> None:
    assert Split((0, 1), apart, difference, common).is_clear is is_clear


@pytest.mark.parametrize("lone", [0, 3, 5])
def test_the_only_photo_of_its_kind_is_found(lone: int) -> None:
    assert find_lone(pieces([k == lone for k in range(6)])) == lone
    assert find_lone(pieces([k != lone for k in range(6)])) == lone


@pytest.mark.parametrize("fakes", [[False] * 6, [False, True] * 3, [False, True, True]])
def test_no_photo_is_called_the_only_one_of_its_kind_that_is_not(
    fakes: list[bool],
) -> None:
    assert find_lone(pieces(fakes)) is None
