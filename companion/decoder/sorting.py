"""Sorts photos into two kinds by one thing that they show: with a mask, or without.

Each photo shows several copies of the thing; their average is the photo's *piece*. If
the thing is the face, the pieces fall into two groups, plain and masked. A `Split` is a
division into two groups, and how good it is: each photo must lie with its own group
even if the group's mean leaves it out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float32]
Kinds = tuple[int | None, ...]
"""For each photo its kind, 0 or 1; None for a photo that does not count."""

AXES = 3
"""How many principal axes of the photos' differences are tried."""

SOFTEN = 1.0
"""Standard deviation, in elements, of a blur of pieces that hides small misfits."""

DIFFERENCE_BLUR = 1.5
"""Standard deviation, in elements, of the blur of squared differences."""

DIFFERENCE_PART = 10
"""Only the largest 1 / DIFFERENCE_PART of the squared differences is averaged."""

SPLIT_PHOTOS_MIN = 4
"""Least number of photos with a piece: two groups of two."""

APART_MIN = 0.35
"""Least `Split.apart` of a clear split."""

DIFFERENCE_MIN = 0.12
"""Least `Split.difference` of a clear split; 4 is the most possible."""

LONE_MIN = 4.0
"""Factor by which a lone photo must differ more from the rest than any other does."""

COMMON_MIN = 0.4
"""Least `Split.common` of a clear split: faces are the same except for the mask."""


@dataclass(frozen=True, slots=True)
class Split:
    """Photos in two groups.

    Attributes:
        kinds: The group of each photo.
        apart: Where the photo that fits worst lies between the groups: 1 at the mean of
            its own group, 0 in the middle, less than 0 nearer to the other group.
        difference: Mean square of the groups' difference, over the tenth of the piece
            where they differ most.
        common: Correlation of the groups' means.
    """

    kinds: Kinds
    apart: float
    difference: float
    common: float

    @property
    def is_clear(self) -> bool:
        """Whether the groups are two kinds of one face."""
        return (
            self.apart >= APART_MIN
            and self.difference >= DIFFERENCE_MIN
            and self.common >= COMMON_MIN
        )

    @property
    def worth(self) -> float:
        """The quality of the split, to compare it with others; 0 is the worst."""
        apart, common = max(0.0, self.apart), max(0.0, self.common)
        return apart * math.sqrt(min(1.0, self.difference)) * common


def find_lone(pieces: Sequence[Float | None]) -> int | None:
    """Find the one photo that differs from all others, while those are alike.

    Args:
        pieces: The piece of each photo; None if it shows no copy.

    Returns:
        The index of the photo; None if there is none, or fewer than SPLIT_PHOTOS_MIN
        have a piece.
    """
    soft = {
        number: np.asarray(cv2.GaussianBlur(piece, (0, 0), SOFTEN), np.float32)
        for number, piece in enumerate(pieces)
        if piece is not None
    }
    if len(soft) < SPLIT_PHOTOS_MIN:
        return None
    apart = {}
    for photo, piece in soft.items():
        rest = np.mean([other for k, other in soft.items() if k != photo], axis=0)
        apart[photo] = _measure_difference(piece, np.asarray(rest, np.float32))
    lone, second = sorted(apart, key=lambda photo: -apart[photo])[:2]
    is_lone = apart[lone] >= max(2 * DIFFERENCE_MIN, LONE_MIN * apart[second])
    return lone if is_lone else None


def _measure_difference(piece: Float, other: Float) -> float:
    """Average the squared difference of two pieces, see DIFFERENCE_PART."""
    squares = cv2.GaussianBlur((piece - other) ** 2, (0, 0), DIFFERENCE_BLUR)
    return float(np.sort(squares, axis=None)[-squares.size // DIFFERENCE_PART :].mean())


def measure_split(pieces: Sequence[Float | None], kinds: Kinds) -> Split | None:
    """Measure how well given groups divide the photos.

    Args:
        pieces: The piece of each photo; None if it shows no copy.
        kinds: The group of each photo.

    Returns:
        The split; None if a group has fewer than two pieces.
    """
    kept = tuple(
        None if piece is None else kind
        for piece, kind in zip(pieces, kinds, strict=True)
    )
    if min(kept.count(0), kept.count(1)) < 2:
        return None
    rows = [
        cv2.GaussianBlur(piece, (0, 0), SOFTEN).ravel()
        for piece, kind in zip(pieces, kept, strict=True)
        if piece is not None and kind is not None
    ]
    vectors = np.array(rows, np.float64)
    groups = np.array([kind for kind in kept if kind is not None])
    apart = _measure_apart(vectors @ vectors.T, groups)
    shape = next(piece.shape for piece in pieces if piece is not None)
    means = [vectors[groups == kind].mean(axis=0) for kind in (0, 1)]
    difference = _measure_difference(means[0].reshape(shape), means[1].reshape(shape))
    return Split(kept, apart, difference, float(np.corrcoef(means)[0, 1]))


def _measure_apart(gram: NDArray[np.float64], groups: NDArray[np.intp]) -> float:
    """Compute `Split.apart`, each photo left out of its own group's mean.

    Args:
        gram: (photos, photos) scalar products of all pieces with one another.
        groups: (photos,) 0 or 1.
    """
    worst = np.inf
    for own in range(len(groups)):
        rest = np.arange(len(groups)) != own
        sides = [(groups == kind) & rest for kind in (0, 1)]
        weights = [side / side.sum() for side in sides]
        # The axis from one group's mean to the other's, and the point between them.
        axis, middle = weights[1] - weights[0], (weights[0] + weights[1]) / 2
        length = axis @ gram @ axis + 1e-9
        place = 2 * (axis @ gram[:, own] - axis @ gram @ middle) / length
        worst = min(worst, place if groups[own] == 1 else -place)
    return float(worst)


def find_best_split(pieces: Sequence[Float | None]) -> Split | None:
    """Find the best division of the photos in two; None if too few have a piece."""
    splits = (measure_split(pieces, kinds) for kinds in _likely_kinds(pieces))
    return max((s for s in splits if s), key=lambda s: s.worth, default=None)


def _likely_kinds(pieces: Sequence[Float | None]) -> Iterator[Kinds]:
    """Yield divisions of the photos: the first two or more along a principal axis."""
    shown = {k: piece.ravel() for k, piece in enumerate(pieces) if piece is not None}
    photos = list(shown)
    if len(photos) < SPLIT_PHOTOS_MIN:
        return
    vectors = np.array(list(shown.values()), np.float64)
    vectors -= vectors.mean(axis=0)
    # Eigenvectors come in columns, that of the largest eigenvalue last.
    _, axes = np.linalg.eigh(vectors @ vectors.T)
    for axis in axes.T[: -1 - AXES : -1]:
        order = np.argsort(axis)
        for count in range(2, len(photos) - 1):
            kinds: list[int | None] = [None] * len(pieces)
            for place, index in enumerate(order.tolist()):
                kinds[photos[index]] = int(place >= count)
            yield tuple(kinds)
