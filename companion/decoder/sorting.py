"""Sorts photos into two kinds by one thing that they show: with a mask, or without.

Each photo shows several copies of the thing; their average is the photo's *piece*. If
the thing is the face, the pieces fall into two *groups*, plain and masked. A `Split` is
a division into two groups, and how good it is: each photo must lie with its own group
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

SPLIT_PHOTOS_MIN = 4
"""Least number of photos with a piece: two groups of two."""

AXES = 3
"""How many principal axes of the photos' differences are tried."""

# Comparing pieces.

PIECE_BLUR = 1.0
"""Standard deviation, in elements, of a blur of pieces that hides small misfits."""

DIFFERENCE_BLUR = 1.5
"""Standard deviation, in elements, of the blur of squared differences."""

DIFFERENCE_PART = 10
"""Only the largest 1 / DIFFERENCE_PART of the squared differences is averaged."""

# What makes a split clear, or a photo a lone one.

APART_MIN = 0.35
"""Least `Split.apart` of a clear split."""

DIFFERENCE_MIN = 0.12
"""Least `Split.difference` of a clear split; 4 is the most possible."""

COMMON_MIN = 0.4
"""Least `Split.common` of a clear split: faces are the same except for the mask."""

LONE_MIN = 4.0
"""Factor by which a lone photo must differ more from the rest than any other does."""


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
    blurred = {
        number: np.asarray(cv2.GaussianBlur(piece, (0, 0), PIECE_BLUR), np.float32)
        for number, piece in enumerate(pieces)
        if piece is not None
    }
    if len(blurred) < SPLIT_PHOTOS_MIN:
        return None
    apart = {}
    for photo, piece in blurred.items():
        rest = np.mean([blurred[other] for other in blurred if other != photo], axis=0)
        apart[photo] = _measure_difference(piece, np.asarray(rest, np.float32))
    lone, runner_up = sorted(apart, key=lambda photo: -apart[photo])[:2]
    is_lone = apart[lone] >= max(2 * DIFFERENCE_MIN, LONE_MIN * apart[runner_up])
    return lone if is_lone else None


def _measure_difference(first: Float, second: Float) -> float:
    """Average the squared difference of two pieces, see DIFFERENCE_PART."""
    squares = cv2.GaussianBlur((first - second) ** 2, (0, 0), DIFFERENCE_BLUR)
    largest = np.sort(squares, axis=None)[-squares.size // DIFFERENCE_PART :]
    return float(largest.mean())


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
        cv2.GaussianBlur(piece, (0, 0), PIECE_BLUR).ravel()
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


def _measure_apart(products: NDArray[np.float64], groups: NDArray[np.intp]) -> float:
    """Compute `Split.apart`, each photo left out of its own group's mean.

    Args:
        products: (photos, photos) scalar products of all pieces with one another.
        groups: (photos,) 0 or 1.
    """
    worst = np.inf
    for photo in range(len(groups)):
        is_other = np.arange(len(groups)) != photo
        in_group_0, in_group_1 = ((groups == kind) & is_other for kind in (0, 1))
        # The groups' means, as weights of the photos.
        mean_0, mean_1 = in_group_0 / in_group_0.sum(), in_group_1 / in_group_1.sum()
        axis, middle = mean_1 - mean_0, (mean_0 + mean_1) / 2
        length_squared = axis @ products @ axis + 1e-9
        along_axis = axis @ products[:, photo] - axis @ products @ middle
        place = 2 * along_axis / length_squared  # -1 at mean_0, 1 at mean_1.
        worst = min(worst, place if groups[photo] == 1 else -place)
    return float(worst)


def find_best_split(pieces: Sequence[Float | None]) -> Split | None:
    """Find the best division of the photos in two; None if too few have a piece."""
    tried = (measure_split(pieces, kinds) for kinds in _likely_kinds(pieces))
    splits = (split for split in tried if split is not None)
    return max(splits, key=lambda split: split.worth, default=None)


def _likely_kinds(pieces: Sequence[Float | None]) -> Iterator[Kinds]:
    """Yield divisions of the photos: the first two or more along a principal axis."""
    photos = [photo for photo, piece in enumerate(pieces) if piece is not None]
    if len(photos) < SPLIT_PHOTOS_MIN:
        return
    rows = [piece.ravel() for piece in pieces if piece is not None]
    vectors = np.array(rows, np.float64)
    vectors -= vectors.mean(axis=0)
    # Eigenvectors come in columns, that of the largest eigenvalue last.
    _, axes = np.linalg.eigh(vectors @ vectors.T)
    for axis in axes.T[: -1 - AXES : -1]:
        along_axis = [photos[index] for index in np.argsort(axis).tolist()]
        for count in range(2, len(photos) - 1):
            kinds: list[int | None] = [None] * len(pieces)
            for place, photo in enumerate(along_axis):
                kinds[photo] = int(place >= count)
            yield tuple(kinds)
