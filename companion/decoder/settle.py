"""Chooses which of an interlaced print's two pictures is the hidden one, in each photo.

An interlaced print hides a picture behind a second one, the *camouflage*. The hidden
picture recurs from note to note, while the camouflage changes. So pictures vote for
those that resemble them; of all ways to choose one picture of each photo, the one with
the most mutual votes is taken. If the camouflage recurs as well, that may be the
camouflage of every photo; so the opposite choice is offered second.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from companion.decoder.things import count_agreement, drop_edge_ink, measure_ink
from companion.decoder.unscramble import Photo


def settle_choices(photos: list[Photo]) -> Iterator[list[Photo]]:
    """Yield the photos with the likely hidden picture of each as its field.

    Args:
        photos: Each has two pictures or a fault, and one or more has no fault. Photos
            of a family with a single picture are yielded unchanged.

    Yields:
        The likeliest choice, then the opposite choice for every photo.
    """
    good = [k for k, photo in enumerate(photos) if photo.fault is None]
    if not any(photos[k].other for k in good):
        yield photos
        return
    swapped = {}
    inks = []
    for k in good:
        swapped[k] = replace(photos[k], field=photos[k].other, other=photos[k].field)
        for photo in (photos[k], swapped[k]):
            inks.append(drop_edge_ink(measure_ink(photo.whole, photo.sign)))
    votes = count_agreement(inks)
    count = len(good)
    # All ways to choose, one a row: 1 takes the other picture of a photo, else 0.
    ways = (np.arange(2**count)[:, None] >> np.arange(count)) & 1
    taken = np.zeros((len(ways), 2 * count))
    np.put_along_axis(taken, 2 * np.arange(count) + ways, 1, axis=1)
    mutual_votes = ((taken @ votes) * taken).sum(axis=1)
    best = ways[mutual_votes.argmax()]
    for way in (best, 1 - best):
        others = {k for k, takes_other in zip(good, way, strict=True) if takes_other}
        yield [
            swapped[number] if number in others else photo
            for number, photo in enumerate(photos)
        ]
