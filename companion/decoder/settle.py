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
    usable = [number for number, photo in enumerate(photos) if photo.fault is None]
    if not any(photos[number].second_field for number in usable):
        yield photos
        return
    swapped = {}  # The photos with their other picture, by number.
    inks = []  # Two for each usable photo.
    for number in usable:
        photo = photos[number]
        swapped[number] = replace(
            photo, field=photo.second_field, second_field=photo.field
        )
        for choice in (photo, swapped[number]):
            inks.append(drop_edge_ink(measure_ink(choice.hidden, choice.sign)))
    votes = count_agreement(inks)
    count = len(usable)
    # All ways to choose, one a row, by the digits of a binary number: 1 swaps a photo.
    ways = (np.arange(2**count)[:, None] >> np.arange(count)) & 1
    # For each way, 1 for each ink that it takes.
    taken = np.zeros((len(ways), 2 * count))
    np.put_along_axis(taken, 2 * np.arange(count) + ways, 1, axis=1)
    mutual_votes = ((taken @ votes) * taken).sum(axis=1)
    best = ways[mutual_votes.argmax()]
    for way in (best, 1 - best):
        to_swap = {number for number, swaps in zip(usable, way, strict=True) if swaps}
        yield [
            swapped[number] if number in to_swap else photo
            for number, photo in enumerate(photos)
        ]
