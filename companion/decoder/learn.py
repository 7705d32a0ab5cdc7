"""Learning a deck from a few photos that are labelled real or fake.

Nobody marks the faces: photos are unscrambled, things that every panel shows several
times are averaged by label, and the thing whose averages differ most is the face. The
deck is then tried on each photo after learning from the others; if one is read wrong,
or not more than half are read right, learning is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.deck import Deck
from companion.decoder.faces import find_faces
from companion.decoder.fit import FINE_ROWS, Face
from companion.decoder.panel import corners_of
from companion.decoder.phase import Field, demodulate
from companion.decoder.reading import check_frame
from companion.decoder.recur import (
    PER_LINE,
    Patch,
    common_angle,
    flatten,
    recurring,
    upright,
)
from companion.decoder.scale import View, Way, views
from companion.decoder.screen import Screen
from companion.decoder.tiles import Pixels
from companion.decoder.twins import Print, are_one
from companion.decoder.verdict import Verdict, judge
from companion.decoder.whole import around, whole_of
from companion.errors import Malformed
from companion.words import say

Float = NDArray[np.float32]

PHOTOS_MIN, PHOTOS_MAX = 2, 5
SCREENS_MAX = 4
SHIFTS = (0.5, 1 / 3, 0.25)
LIKENESS_FIRST, LIKENESS_LATER = 0.62, 0.8
BARS = (LIKENESS_FIRST, LIKENESS_FIRST, LIKENESS_FIRST, LIKENESS_LATER)
"""How alike the copies of a patch must be, round by round; after every round but the
last, its box is redrawn."""

NEARLY = 0.85
"""A face must be at least this share as alike as the best one of its photo."""

DIFFERENCE_MIN = 0.1
"""Least mean square of the templates' difference where they differ most, at most 4."""

ADVICE = (
    "take 2 to 5 photos each of real and of fake notes: upright, flat, in focus, "
    "without glare, the note filling the picture"
)


@dataclass(frozen=True, slots=True, eq=False)
class Learnt:
    """A learnt deck, and how far it can be trusted.

    Attributes:
        picture: (rows, columns) uint8: the plain face, the masked one, what differs.
        right_count: How many photos were read right after learning from the others
            only; a photo does not count if the others teach nothing.
        photos_count: How many photos there were.
    """

    deck: Deck
    picture: NDArray[np.uint8]
    right_count: int
    photos_count: int


@dataclass(frozen=True, slots=True, eq=False)
class _Photo:
    """The clearest print of a photo: its hidden picture, and at what size it was found.

    Attributes:
        by: How many times smaller than the photo the picture was in which it was found.
    """

    field: Field
    by: int
    is_fake: bool


def learn(real: list[Pixels], fake: list[Pixels], name: str) -> Learnt:
    """A deck from photos.

    Args:
        real: 2 to 5 frames (height, width, 3) uint8 BGR, each of one real note.
        fake: 2 to 5 such frames of fake notes.
        name: The name of the deck.

    Raises:
        Malformed: If the photos do not suffice; says what to do.
    """
    for label, photos in (("real", real), ("fake", fake)):
        if not PHOTOS_MIN <= len(photos) <= PHOTOS_MAX:
            raise Malformed(
                f"expected {PHOTOS_MIN} to {PHOTOS_MAX} photos of {label} notes, "
                f"got {len(photos)}; {ADVICE}"
            )
    frames = [(f, False) for f in real] + [(f, True) for f in fake]
    shift, photos_ = _unscramble(frames)
    _refuse_twins(real, fake, photos_)
    angle = common_angle([p.field for p in photos_])
    flats = [flatten(p.field, angle) for p in photos_]
    first_fake = len(real)
    patches = recurring(flats, (0, 1, first_fake, first_fake + 1))
    teacher = _Teacher(photos_, shift, angle, name)
    grown = ((patch, teacher.grow(patch, photos_)) for patch in patches)
    best = max(
        ((patch, found) for patch, found in grown if found is not None),
        key=lambda one: one[1][0],
        default=None,
    )
    if best is None:
        raise Malformed(
            "expected a face that all photos show and that differs between real and "
            f"fake, got none; {ADVICE}, and check which are which"
        )
    patch, (_, deck) = best
    tries = [teacher.without(photo, patch) for photo in photos_]
    right, averaged = tries.count(True), _left_out(deck, photos_)
    # With one photo less, the others may teach nothing, but nothing wrong either.
    if averaged < len(photos_) or False in tries or 2 * right <= len(photos_):
        raise Malformed(
            "expected a deck that reads every photo right by what the others teach, "
            f"got {min(right, averaged)} of "
            f"{len(photos_)}; {ADVICE}, and check which are which"
        )
    return Learnt(deck, _picture(deck), right, len(photos_))


def _unscramble(frames: list[tuple[Pixels, bool]]) -> tuple[float, list[_Photo]]:
    """The shift that explains the photos best, and their hidden pictures."""
    screens = []
    for number, (frame, _) in enumerate(frames, 1):
        check_frame(frame)
        found = _screens(np.ascontiguousarray(frame[:, :, 1]))
        if not found:
            raise Malformed(
                f"expected a scrambled print in every photo, got none in photo "
                f"{number}; {ADVICE}"
            )
        screens.append(found)
    trials = [
        (shift, [_clearest(found, shift) for found in screens]) for shift in SHIFTS
    ]
    shift, found_ = max(
        trials, key=lambda t: float(np.median([f.evenness for f, _ in t[1]]))
    )
    for number, (field, _) in enumerate(found_, 1):
        if field.minority < 0.03 or field.coherence < 0.85:
            raise Malformed(
                f"expected a clear hidden picture in every photo, got none in photo "
                f"{number}; {ADVICE}"
            )
    photos = [
        _Photo(field, by, is_fake)
        for (field, by), (_, is_fake) in zip(found_, frames, strict=True)
    ]
    return shift, [_turned_upright(p, photos) for p in photos]


def _refuse_twins(real: list[Pixels], fake: list[Pixels], photos: list[_Photo]) -> None:
    """Refuse a photo that was given twice: its copy would vouch for it in the test.

    Raises:
        Malformed: If two photos are the same; says which.
    """
    names = [say("real photo {number}", number=k + 1) for k in range(len(real))]
    names += [say("fake photo {number}", number=k + 1) for k in range(len(fake))]
    prints = [
        _print_in(frame, photo)
        for frame, photo in zip([*real, *fake], photos, strict=True)
    ]
    for (one, first), (other, second) in combinations(
        zip(names, prints, strict=True), 2
    ):
        if are_one(first, second):
            raise Malformed(
                say(
                    "{one} and {other} are the same picture; take every photo anew, "
                    "of another note if you have one",
                    one=one,
                    other=other,
                )
            )


def _print_in(frame: Pixels, photo: _Photo) -> Print:
    field = Way(photo.by).field(photo.field)
    corners = np.array(corners_of(field, ()))
    low, high = corners.min(axis=0), corners.max(axis=0)
    limit = frame.shape[1::-1]
    x0, y0, x1, y1 = np.clip([*low, *high], 0, [*limit, *limit]).astype(int).tolist()
    return Print(frame[:, :, 1], (x0, y0, x1, y1), field.frequency)


def _screens(grey: Pixels) -> list[tuple[View, Screen]]:
    """The largest line screens at every size, with the picture each was found in."""
    return [(v, screen) for v in views(grey) for screen in v.screens[:SCREENS_MAX]]


def _clearest(screens: list[tuple[View, Screen]], shift: float) -> tuple[Field, int]:
    """The clearest hidden picture of some screens, and how many times smaller it is."""
    fields = [(demodulate(v.grey, screen, shift), v.by) for v, screen in screens]
    return max(fields, key=lambda found: _clearness(found[0]))


def _clearness(field: Field) -> float:
    area = float((field.weight > 0.5).sum()) / field.samples_per_line**2
    hides = 1.0 if field.minority > 0.04 else 0.1
    return area * max(0.05, field.evenness - 0.4) * hides


def _turned_upright(photo: _Photo, photos: list[_Photo]) -> _Photo:
    angle = common_angle([p.field for p in photos])
    return replace(
        photo,
        field=replace(photo.field, frequency=upright(photo.field.frequency, angle)),
    )


@dataclass(frozen=True, slots=True)
class _Teacher:
    """Makes decks from patches.

    Attributes:
        photos: All photos of the lesson.
        shift, angle_deg, name: Passed on to the deck.
    """

    photos: list[_Photo]
    shift: float
    angle_deg: float
    name: str

    def grow(self, patch: Patch, photos: list[_Photo]) -> tuple[float, Deck] | None:
        """Grow a patch into a deck: find it in all photos, average by label, repeat.

        Returns:
            How good the deck is, and the deck; None if nothing comes of the patch.
        """
        rows = patch.pixels.shape[0]
        scale = FINE_ROWS / rows
        pixels = cv2.resize(
            patch.pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC
        ).astype(np.float32)
        pixels = np.clip(pixels, -1, 1)
        lines = rows / PER_LINE
        deck = Deck(self.name, self.angle_deg, self.shift, lines, pixels, pixels)
        for bar in BARS:
            found = [_faces(deck, p, bar) for p in photos]
            if sum(len(f) >= 2 for f in found) < len(photos) - 1 or not all(found):
                return None
            made = _averaged if bar == LIKENESS_LATER else _framed
            averaged = made(deck, photos, found)
            if averaged is None:
                return None
            deck = averaged
        counts = [len(f) for f in found]
        difference = _difference(deck)
        if difference < DIFFERENCE_MIN:
            return None
        return difference * min(counts) * float(np.mean(counts)), deck

    def without(self, photo: _Photo, patch: Patch) -> bool | None:
        """Whether a photo is read right by the deck that the others make of the patch.

        None if they make no deck of it, or the reading is unsure.
        """
        grown = self.grow(patch, [p for p in self.photos if p is not photo])
        verdict = _verdict(grown[1], photo) if grown is not None else Verdict.UNSURE
        return None if verdict is Verdict.UNSURE else verdict is _wanted(photo)


def _verdict(deck: Deck, photo: _Photo) -> Verdict:
    return judge(photo.field, find_faces(photo.field, deck), 0.0).verdict


def _wanted(photo: _Photo) -> Verdict:
    return Verdict.FAKE if photo.is_fake else Verdict.REAL


def _faces(deck: Deck, photo: _Photo, bar: float) -> list[Face]:
    """The upright faces of the deck in a photo that are alike enough."""
    found = [
        f for f in find_faces(photo.field, deck) if f.seen > 0.8 and _is_upright(f)
    ]
    best = max((f.likeness for f in found), default=0.0)
    return [f for f in found if f.likeness >= max(bar, NEARLY * best)]


def _is_upright(face: Face) -> bool:
    return bool(face.box_px[3][1] > face.box_px[0][1])


def _averaged(deck: Deck, photos: list[_Photo], found: list[list[Face]]) -> Deck:
    """The deck with each template replaced by the mean of its label's faces."""
    means = []
    for is_fake in (False, True):
        patches = [
            _even(f.patch)
            for p, faces in zip(photos, found, strict=True)
            if p.is_fake is is_fake
            for f in faces
        ]
        means.append(np.mean(patches, axis=0).astype(np.float32))
    return replace(deck, plain=means[0], masked=means[1])


def _framed(deck: Deck, photos: list[_Photo], found: list[list[Face]]) -> Deck | None:
    """The same, with the templates' box redrawn around what every copy shows."""
    copies: dict[bool, list[Float]] = {False: [], True: []}
    for photo, faces in zip(photos, found, strict=True):
        copies[photo.is_fake].extend(_even(around(photo.field, f)) for f in faces)
    return whole_of(deck, copies[False], copies[True])


def _even(patch: Float) -> Float:
    """The patch scaled so that its two states lie near -1 and 1."""
    low, high = np.quantile(patch, [0.1, 0.95])
    even = (patch - low) / max(high - low, 0.2) * 2 - 1
    return np.asarray(np.clip(even, -1.2, 1.2), np.float32)


def _difference(deck: Deck) -> float:
    """Mean square of the templates' difference, over the tenth that differs most."""
    off = cv2.GaussianBlur((deck.masked - deck.plain) ** 2, (0, 0), 1.5)
    return float(np.sort(off, axis=None)[-off.size // 10 :].mean())


def _left_out(deck: Deck, photos: list[_Photo]) -> int:
    """How many photos are read right by a deck averaged without them."""
    found = [_faces(deck, p, LIKENESS_LATER) for p in photos]
    right = 0
    for k, photo in enumerate(photos):
        others = [p for p in photos if p is not photo]
        rest = _averaged(deck, others, [f for i, f in enumerate(found) if i != k])
        right += _verdict(rest, photo) is _wanted(photo)
    return right


def _picture(deck: Deck) -> NDArray[np.uint8]:
    """Plain face, masked face and what differs, side by side, enlarged."""
    off = np.abs(deck.masked - deck.plain) - 1
    row = np.concatenate([deck.plain, deck.masked, off], axis=1)
    grey = np.clip(np.rint(127.5 * row + 127.5), 0, 255).astype(np.uint8)
    return np.asarray(np.kron(grey, np.ones((5, 5), np.uint8)), np.uint8)
