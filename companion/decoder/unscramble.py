"""The photos of a lesson: the hidden picture of each, or why it cannot be used.

A *lesson* is the photos that a deck is learnt from, each of one note. A *screen* is an
area of lines in a *view*, the photo at one of several sizes. The *shift*, by which
lines move where the picture is, is not known yet; so several are tried, and the
clearest picture counts. Its *coherence*, 0..1, is how well it falls into two states. A
photo without a usable picture has a *fault*.

An interlaced print hides a picture behind a second one, the *camouflage*. The hidden
picture recurs from note to note, while the camouflage changes. So pictures vote for
those that resemble them; of all ways to choose one picture of each photo, the one with
the most mutual votes is taken. If the camouflage recurs as well, that may be wrong for
every photo; so the opposite choice is offered second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product

import numpy as np

from companion.decoder.deck import Family
from companion.decoder.hidden import find_hidden
from companion.decoder.panel import Corners, corners_of
from companion.decoder.phase import Field, demodulate
from companion.decoder.reading import check_frame
from companion.decoder.scale import Grey, ToFrame, views
from companion.decoder.screen import Screen
from companion.decoder.things import count_agreement, drop_edge_ink, measure_ink
from companion.decoder.tiles import Pixels
from companion.decoder.twins import Print, are_copies
from companion.decoder.verdict import Reason, why_lost
from companion.errors import Malformed
from companion.words import Words, say

SCREENS_MAX = 4
"""How many screens of each view are unscrambled, largest first."""

OTHER_FAMILIES = (Family.INTERLACED, Family.STRIPS)
"""Families that are tried, in this order, if the photos show no carrier prints."""

SHIFTS = (0.5, 0.42, 1 / 3, 0.25)
"""Shifts that are tried, in periods; one that is 0.05 off shows the picture as well."""

MINORITY_MIN = 0.03
"""Least share of the rarer state in a usable hidden picture."""

COHERENCE_MIN = 0.85
"""Least coherence of a usable hidden picture."""

COHERENCE_ZERO = 0.8
"""Coherence up to which a picture is worth next to nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A photo of a lesson.

    Attributes:
        name: What the web page calls it, such as "real photo 2".
        kind: 0 if known to be real, 1 if known to be fake, else None.
        frame: (height, width, 3) uint8 BGR, the photo itself.
        fault: Why its hidden picture cannot be used; None if it can.
        field: Its hidden picture; None if no picture was found.
        shift: The shift with which it was unscrambled.
        reduction: How many times smaller than the photo its view is.
        second_field: The other picture of an interlaced print; `settle_choices` finds
            which of the two is hidden.
    """

    name: Words
    kind: int | None
    frame: Pixels
    fault: Reason | None = None
    field: Field | None = None
    shift: float = 0.5
    reduction: int = 1
    second_field: Field | None = None

    @property
    def hidden(self) -> Field:
        """The hidden picture of a photo that has one."""
        assert self.field is not None, "a photo that can be used has a hidden picture"
        return self.field

    @property
    def in_photo(self) -> Field:
        """The hidden picture in pixels of the photo, not of a smaller view."""
        return ToFrame(self.reduction).convert_field(self.hidden)

    @property
    def sign(self) -> int:
        """1 if the rarer state of the hidden picture is positive, else -1."""
        panel = self.hidden.weight > 0.5
        return -1 if float((self.hidden.soft[panel] > 0).mean()) > 0.5 else 1

    @property
    def corners_px(self) -> Corners:
        """The corners of the print, in pixels of the photo."""
        return corners_of(self.in_photo, ())


def unscramble(
    frame: Pixels,
    name: Words,
    kind: int | None,
    check: Callable[[], object] = lambda: None,
    family: Family = Family.CARRIER,
) -> Photo:
    """Find a photo's clearest hidden picture, or the fault of the photo.

    Args:
        frame: (height, width, 3) uint8 BGR.
        name: See `Photo`.
        kind: See `Photo`.
        check: Called between two steps; an exception that it raises ends the work.
        family: How the print hides its picture.

    Raises:
        Malformed: If *frame* is not such an array, or too large.
    """
    check_frame(frame)
    grey = np.ascontiguousarray(frame[:, :, 1])
    has_lines, has_fine_lines = False, False
    best: Photo | None = None
    for view in views(grey, family):
        has_fine_lines |= bool(view.too_fine)
        has_lines |= bool(view.screens)
        for screen in view.screens[:SCREENS_MAX]:
            check()
            for field, second, shift in _recover_pictures(view.grey, screen, family):
                photo = Photo(
                    name,
                    kind,
                    frame,
                    field=field,
                    shift=shift,
                    reduction=view.reduction,
                    second_field=second,
                )
                best = max(best or photo, photo, key=_rate_clearness)
    if best is None:
        if has_lines:
            fault = Reason.NO_PICTURE
        else:
            fault = Reason.TOO_FAR if has_fine_lines else Reason.NO_SCRAMBLED_PRINT
        return Photo(name, kind, frame, fault)
    if best.hidden.coherence < COHERENCE_MIN:
        return replace(best, fault=why_lost(best.hidden))
    if best.hidden.minority < MINORITY_MIN:
        return replace(best, fault=Reason.NO_PICTURE)
    return best


def _recover_pictures(
    grey: Grey, screen: Screen, family: Family
) -> Iterator[tuple[Field, Field | None, float]]:
    """Yield each picture that a screen may hide, `Photo.second_field` and the shift."""
    if family is Family.CARRIER:
        for shift in SHIFTS:
            yield demodulate(grey, screen, shift), None, shift
        return
    fields = find_hidden(grey, screen, family, ())
    if fields:
        second = fields[1] if len(fields) > 1 else None
        yield fields[0], second, 0.5


def _rate_clearness(photo: Photo) -> float:
    """Rate a photo by the area and coherence of its hidden picture.

    If the rarer state hardly shows, perhaps nothing is hidden: the rating is a tenth.
    """
    field = photo.hidden
    factor = 1.0 if field.minority > MINORITY_MIN else 0.1
    return field.cells * max(0.01, field.coherence - COHERENCE_ZERO) * factor


def refuse_twins(photos: list[Photo]) -> None:
    """Refuse a photo that was given twice, since each copy would confirm the other.

    Raises:
        Malformed: If two photos are the same; says which.
    """
    with_pictures = [photo for photo in photos if photo.field is not None]
    prints = [(photo, _locate_print(photo)) for photo in with_pictures]
    for (first, first_print), (second, second_print) in combinations(prints, 2):
        are_labelled_apart = first.kind != second.kind
        if are_copies(first_print, second_print, in_spots=are_labelled_apart):
            raise Malformed(
                say(
                    "{one} and {other} are the same picture; take every photo anew, "
                    "of another note if you have one",
                    one=first.name,
                    other=second.name,
                )
            )


def _locate_print(photo: Photo) -> Print:
    corners = np.array(photo.corners_px)
    low, high = corners.min(axis=0), corners.max(axis=0)
    limit = photo.frame.shape[1::-1]  # Width and height.
    x0, y0 = np.clip(low, 0, limit).astype(int).tolist()
    x1, y1 = np.clip(high, 0, limit).astype(int).tolist()
    return Print(photo.frame[:, :, 1], (x0, y0, x1, y1), photo.in_photo.frequency)


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
