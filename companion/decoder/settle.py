"""Which of an interlaced print's two pictures is the hidden one, photo by photo.

What is hidden recurs from note to note, and camouflage does not recur in it: all
pictures vote for one another as if each were of a photo of its own, and those are
taken, one of each photo, whose votes agree most. Where the camouflage recurs as well,
say the same symbols on every note, that may be all camouflage; the lesson tells.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from companion.decoder.things import agreement, ink_of, off_the_edge
from companion.decoder.unscramble import Photo


def settled(photos: list[Photo]) -> Iterator[list[Photo]]:
    """Yield the photos, with the picture of each that may be the hidden one as field.

    Args:
        photos: Each with two pictures, or with a fault, but not all with a fault; those
            of a family that leaves one picture are settled as they are.

    Yields:
        The likeliest choice, then the pictures that it left.
    """
    good = [k for k, photo in enumerate(photos) if photo.fault is None]
    if not any(photos[k].other for k in good):
        yield photos
        return
    turned = {k: _turned(photos[k]) for k in good}
    every = [p for k in good for p in (photos[k], turned[k])]
    votes = agreement([off_the_edge(ink_of(p.whole, p.sign)) for p in every])
    count = len(good)
    # Of all ways to choose, as bits: 1 takes the other picture of a photo.
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
