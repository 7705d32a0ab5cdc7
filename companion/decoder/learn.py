"""A deck from a few labelled photos: what recurs in all, and differs by label.

No clicks: photos are unscrambled, things that every panel shows several times are
averaged by label, and the thing whose averages differ most is the face. The deck is
then tried on each photo with that photo left out; if that fails, the answer is no.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder.deck import Deck
from companion.decoder.faces import find_faces
from companion.decoder.fit import FINE_ROWS, Face
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
from companion.decoder.scale import views
from companion.decoder.screen import Screen
from companion.decoder.verdict import Verdict, judge
from companion.decoder.whole import around, whole_of
from companion.errors import Malformed

Float = NDArray[np.float32]
Frame = NDArray[np.uint8]

PHOTOS_MIN, PHOTOS_MAX = 2, 5
SCREENS_MAX = 4
SHIFTS = (0.5, 1 / 3, 0.25)
LIKENESS_FIRST, LIKENESS_LATER = 0.62, 0.8
BARS = (LIKENESS_FIRST, LIKENESS_FIRST, LIKENESS_FIRST, LIKENESS_LATER)
"""How alike a patch's copies must be, round by round; its box is drawn anew but in
the last."""

NEARLY = 0.85
"""A face is at least so much alike as the best of its photo."""

DIFFERENCE_MIN = 0.1
"""Mean square of the templates' difference where a mask must be, of at most 4."""

ADVICE = (
    "take 2 to 5 photos each of real and of fake notes: upright, flat, in focus, "
    "without glare, the note filling the picture"
)


@dataclass(frozen=True, slots=True, eq=False)
class Learnt:
    """A learnt deck, and how far it can be trusted.

    Attributes:
        picture: (rows, columns) uint8, the plain face, the masked one, what differs.
        right_count, photos_count: Photos read right with themselves left out.
    """

    deck: Deck
    picture: NDArray[np.uint8]
    right_count: int
    photos_count: int


@dataclass(frozen=True, slots=True, eq=False)
class _Photo:
    field: Field
    is_fake: bool


def learn(real: list[Frame], fake: list[Frame], name: str) -> Learnt:
    """A deck from photos.

    Args:
        real: 2 to 5 frames (height, width, 3) uint8 BGR, each of one real note.
        fake: The same of fake notes.
        name: Of the deck.

    Raises:
        Malformed: If the photos do not suffice, with what to do.
    """
    for label, photos in (("real", real), ("fake", fake)):
        if not PHOTOS_MIN <= len(photos) <= PHOTOS_MAX:
            raise Malformed(
                f"expected {PHOTOS_MIN} to {PHOTOS_MAX} photos of {label} notes, "
                f"got {len(photos)}; {ADVICE}"
            )
    frames = [(f, False) for f in real] + [(f, True) for f in fake]
    shift, photos_ = _unscramble(frames)
    angle = common_angle([p.field for p in photos_])
    flats = [flatten(p.field, angle) for p in photos_]
    first_fake = len(real)
    patches = recurring(flats, (0, 1, first_fake, first_fake + 1))
    best = max(
        (
            d
            for p in patches
            if (d := _grow(p, photos_, shift, angle, name)) is not None
        ),
        key=lambda found: found[0],
        default=None,
    )
    if best is None:
        raise Malformed(
            "expected a face that all photos show and that differs between real and "
            f"fake, got none; {ADVICE}, and check which are which"
        )
    deck = best[1]
    right = _left_out(deck, photos_)
    if right < len(photos_):
        raise Malformed(
            f"expected a deck that reads every photo right, got {right} of "
            f"{len(photos_)}; {ADVICE}, and check which are which"
        )
    return Learnt(deck, _picture(deck), right, len(photos_))


def _unscramble(frames: list[tuple[Frame, bool]]) -> tuple[float, list[_Photo]]:
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
    shift, fields = max(
        trials, key=lambda t: float(np.median([f.evenness for f in t[1]]))
    )
    for number, field in enumerate(fields, 1):
        if field.minority < 0.03 or field.coherence < 0.85:
            raise Malformed(
                f"expected a clear hidden picture in every photo, got none in photo "
                f"{number}; {ADVICE}"
            )
    labels = [is_fake for _, is_fake in frames]
    photos = [_Photo(f, is_fake) for f, is_fake in zip(fields, labels, strict=True)]
    return shift, [_turned_upright(p, photos) for p in photos]


def _screens(grey: Frame) -> list[tuple[Frame, Screen]]:
    """The largest screens at every size, each with the picture it was found in."""
    return [
        (view.grey, screen)
        for view in views(grey)
        for screen in view.screens[:SCREENS_MAX]
    ]


def _clearest(screens: list[tuple[Frame, Screen]], shift: float) -> Field:
    """The hidden picture of the largest screen that two states explain."""
    fields = [demodulate(grey, screen, shift) for grey, screen in screens]
    return max(fields, key=_clearness)


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


def _grow(
    patch: Patch, photos: list[_Photo], shift: float, angle: float, name: str
) -> tuple[float, Deck] | None:
    """A patch to a deck: find it everywhere, average by label, again; and its worth."""
    rows = patch.pixels.shape[0]
    scale = FINE_ROWS / rows
    pixels = cv2.resize(
        patch.pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC
    ).astype(np.float32)
    pixels = np.clip(pixels, -1, 1)
    deck = Deck(name, angle, shift, rows / PER_LINE, pixels, pixels)
    for bar in BARS:
        found = [_faces(deck, p, bar) for p in photos]
        if sum(len(f) >= 2 for f in found) < len(photos) - 1:
            return None
        if not all(found):
            return None
        averaged = (
            _averaged(deck, photos, found)
            if bar == LIKENESS_LATER
            else _framed(deck, photos, found)
        )
        if averaged is None:
            return None
        deck = averaged
    counts = [len(f) for f in found]
    difference = _difference(deck)
    if difference < DIFFERENCE_MIN:
        return None
    return difference * min(counts) * float(np.mean(counts)), deck


def _faces(deck: Deck, photo: _Photo, bar: float) -> list[Face]:
    """What in a photo looks like the deck's face and stands upright."""
    found = [
        f for f in find_faces(photo.field, deck) if f.seen > 0.8 and _is_upright(f)
    ]
    best = max((f.likeness for f in found), default=0.0)
    return [f for f in found if f.likeness >= max(bar, NEARLY * best)]


def _is_upright(face: Face) -> bool:
    return bool(face.box_px[3][1] > face.box_px[0][1])


def _averaged(deck: Deck, photos: list[_Photo], found: list[list[Face]]) -> Deck:
    """The deck with each template the mean of its label's faces."""
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
    """The same, with the box drawn anew around what every copy shows."""
    copies: dict[bool, list[Float]] = {False: [], True: []}
    for photo, faces in zip(photos, found, strict=True):
        copies[photo.is_fake].extend(_even(around(photo.field, f)) for f in faces)
    return whole_of(deck, copies[False], copies[True])


def _even(patch: Float) -> Float:
    """Gain and level such that both states lie near -1 and 1."""
    low, high = np.quantile(patch, [0.1, 0.95])
    even = (patch - low) / max(high - low, 0.2) * 2 - 1
    return np.asarray(np.clip(even, -1.2, 1.2), np.float32)


def _difference(deck: Deck) -> float:
    """Mean square of the difference of the templates over its strongest tenth."""
    off = cv2.GaussianBlur((deck.masked - deck.plain) ** 2, (0, 0), 1.5)
    return float(np.sort(off, axis=None)[-off.size // 10 :].mean())


def _left_out(deck: Deck, photos: list[_Photo]) -> int:
    """How many photos are read right by a deck averaged without them."""
    found = [_faces(deck, p, LIKENESS_LATER) for p in photos]
    right = 0
    for k, photo in enumerate(photos):
        others = [p for i, p in enumerate(photos) if i != k]
        rest = _averaged(deck, others, [f for i, f in enumerate(found) if i != k])
        judgement = judge(photo.field, find_faces(photo.field, rest), 0.0)
        wanted = Verdict.FAKE if photo.is_fake else Verdict.REAL
        right += judgement.verdict is wanted
    return right


def _picture(deck: Deck) -> NDArray[np.uint8]:
    """Plain face, masked face and what differs, side by side, enlarged."""
    off = np.abs(deck.masked - deck.plain) - 1
    row = np.concatenate([deck.plain, deck.masked, off], axis=1)
    grey = np.clip(np.rint(127.5 * row + 127.5), 0, 255).astype(np.uint8)
    return np.asarray(np.kron(grey, np.ones((5, 5), np.uint8)), np.uint8)
