"""Chooses which of an interlaced print's two pictures is the hidden one, in each photo.

The hidden picture recurs from note to note, while its camouflage changes. So all
pictures vote for those that resemble them, and of the ways to choose one picture of
each photo, the one with the most mutual votes is taken. Where the camouflage recurs as
well, that may be all camouflage, so the opposite choice is offered second.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from companion.decoder.things import agreement, ink_of, off_the_edge
from companion.decoder.unscramble import Photo


def settle_choices(photos: list[Photo]) -> Iterator[list[Photo]]:
    """Yield the photos with the likely hidden picture of each as its field.

    Args:
        photos: Each has two pictures or a fault, and at least one has no fault. Photos
            of a family with a single picture are yielded as they are.

    Yields:
        The likeliest choice, then the opposite choice for every photo.
    """
    good = [k for k, photo in enumerate(photos) if photo.fault is None]
    if not any(photos[k].other for k in good):
        yield photos
        return
    turned = {k: _turned(photos[k]) for k in good}
    pictures = [p for k in good for p in (photos[k], turned[k])]
    votes = agreement([off_the_edge(ink_of(p.whole, p.sign)) for p in pictures])
    count = len(good)
    # All ways to choose, as bits: 1 takes the other picture of a photo.
    ways = (np.arange(2**count)[:, None] >> np.arange(count)) & 1
    taken = np.zeros((len(ways), 2 * count))
    np.put_along_axis(taken, 2 * np.arange(count) + ways, 1, axis=1)
    worth = ((taken @ votes) * taken).sum(axis=1)
    best = ways[worth.argmax()]
    for way in (best, 1 - best):
        chosen = {k for k, other in zip(good, way.tolist(), strict=True) if other}
        yield [turned[k] if k in chosen else p for k, p in enumerate(photos)]


def _turned(photo: Photo) -> Photo:
    """Exchange the two pictures of a photo."""
    return replace(photo, field=photo.other, other=photo.field)
