"""Chooses which of an interlaced print's two pictures is the hidden one, in each photo.

An interlaced print hides a picture behind a second one, the *camouflage*. The hidden
picture recurs from note to note, while the camouflage changes. So pictures vote for
those that resemble them; of all ways to choose one picture of each photo, the one with
the most mutual votes is taken. If the camouflage recurs as well, that may be wrong for
every photo; so the opposite choice is offered second.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

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

    def mutual_votes(way: tuple[int, ...]) -> float:
        taken = [2 * place + swaps for place, swaps in enumerate(way)]
        return float(votes[np.ix_(taken, taken)].sum())

    # All ways to choose: for each usable photo 1 if it is swapped, else 0.
    best = max(product((0, 1), repeat=len(usable)), key=mutual_votes)
    opposite = tuple(1 - swaps for swaps in best)
    for way in (best, opposite):
        to_swap = {number for number, swaps in zip(usable, way, strict=True) if swaps}
        yield [
            swapped[number] if number in to_swap else photo
            for number, photo in enumerate(photos)
        ]
