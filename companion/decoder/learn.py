"""Learning a deck from a few photos, labelled real or fake, or not sorted at all.

Nobody marks the faces: photos are unscrambled, the things that they have in common are
found (`things.py`) and averaged (`portrait.py`), and the thing whose averages fall into
two groups of photos is the face (`sorting.py`). The deck is then tried on each photo
after learning from the others; if one is read wrong, or too many are not read at all,
learning is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from companion.decoder.deck import Deck, Family
from companion.decoder.ink import face_by_ink, side_by_side
from companion.decoder.memory import remembered
from companion.decoder.portrait import (
    LIKENESS_FIRST,
    LIKENESS_LATER,
    Portrait,
    Sight,
    averaged,
    first_of,
    fitted,
    framed,
    turned_upright,
)
from companion.decoder.report import hint_for
from companion.decoder.runs import direction_of, known, run_of, with_runs
from companion.decoder.settle import settled
from companion.decoder.sorting import Kinds, Split, best_split, lone_of, split_by
from companion.decoder.things import SPARE, Kind, ink_of, kinds_in, off_the_edge
from companion.decoder.tiles import Pixels
from companion.decoder.unscramble import OTHERS, Photo, refuse_twins, unscrambled
from companion.decoder.verdict import Reason, Verdict, verdict_of
from companion.decoder.whole import SURE_MINS
from companion.errors import Malformed
from companion.words import Words, say

PHOTOS_MIN, PHOTOS_MAX = 2, 5
UNSORTED_MIN, UNSORTED_MAX = 6, 10

Outcome = TypeVar("Outcome")

ADVICE = say(
    "take each photo flat, in focus, without glare, the note filling the picture"
)

ROUNDS = 3
"""How often a thing's box is redrawn around what all copies show."""

SURELY_APART = 0.6
"""From this on, see `Split.apart`, no other way for photos to lie is tried."""

UNSURE_MAX, CLEARLY_APART = (1, 2), 0.9
"""Of how many photos the deck made of the others may be unsure: where nobody has sorted
the photos, less speaks for a split, unless its groups are as far apart as this."""

UNSURE_SHARE = 0.3
"""The same as a share of the photos: of four one, of seven two."""

TRIALS_MAX = 4
"""How many things are tried as the face, the most promising first."""


@dataclass(frozen=True, slots=True, eq=False)
class Learnt:
    """A learnt deck, and how far it can be trusted.

    Attributes:
        picture: (rows, columns) uint8: the plain face, the masked one, what differs;
            dark on light, as if printed.
        right_count: How many photos were read right after learning from the others
            only; a photo does not count if the others teach nothing.
        photos_count: How many photos there were, without those left out.
        left_out: For each photo that was left out a sentence: which, and why.
    """

    deck: Deck
    picture: NDArray[np.uint8]
    right_count: int
    photos_count: int
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Sorted:
    """Photos that fell into two kinds; which of them wears the mask is not known.

    Attributes:
        kinds: For each photo 0 or 1; None if it was left out.
        faces: Each kind's face, (rows, columns) uint8, dark on light.
        left_out: For each photo that was left out a sentence: which, and why.
    """

    kinds: Kinds
    faces: tuple[NDArray[np.uint8], NDArray[np.uint8]]
    left_out: tuple[str, ...]
    _learnt: tuple[Learnt, Learnt]

    def learnt(self, masked: int) -> Learnt:
        """Return the deck if the faces of this kind, 0 or 1, wear the mask."""
        return self._learnt[masked]


def learn(real: list[Pixels], fake: list[Pixels], name: str) -> Learnt:
    """Learn a deck from photos that somebody has sorted.

    Args:
        real: 2 to 5 frames (height, width, 3) uint8 BGR, each of one real note.
        fake: 2 to 5 such frames of fake notes.
        name: The name of the deck.

    Raises:
        Malformed: If the photos do not suffice; says what to do.
    """
    if not all(PHOTOS_MIN <= len(photos) <= PHOTOS_MAX for photos in (real, fake)):
        raise Malformed(
            say(
                "{least} to {most} photos each of real and of fake notes are needed; "
                "there are {real} and {fake}",
                least=PHOTOS_MIN,
                most=PHOTOS_MAX,
                real=len(real),
                fake=len(fake),
            ),
            ADVICE,
        )
    names = [say("real photo {number}", number=k + 1) for k in range(len(real))]
    names += [say("fake photo {number}", number=k + 1) for k in range(len(fake))]
    kinds = [0] * len(real) + [1] * len(fake)
    given = list(zip([*real, *fake], names, kinds, strict=True))
    return _taught(given, name, _Lesson.learnt)


def sort_out(photos: list[Pixels], name: str) -> Sorted:
    """Learn a deck from photos of any notes; the two kinds are found.

    Args:
        photos: 6 to 10 frames (height, width, 3) uint8 BGR, each of one note, at least
            two of each kind.
        name: The name of the deck.

    Raises:
        Malformed: If the photos do not suffice; says what to do.
    """
    if not UNSORTED_MIN <= len(photos) <= UNSORTED_MAX:
        raise Malformed(
            say(
                "{least} to {most} photos are needed; there are {count}",
                least=UNSORTED_MIN,
                most=UNSORTED_MAX,
                count=len(photos),
            ),
            ADVICE,
        )
    given = [
        (frame, say("photo {number}", number=k + 1), None)
        for k, frame in enumerate(photos)
    ]
    return _taught(given, name, _Lesson.sorted)


def _taught(
    given: Sequence[tuple[Pixels, Words, int | None]],
    name: str,
    outcome: Callable[[_Lesson], Outcome],
) -> Outcome:
    """Return what comes of a lesson, tried as one family of prints after the other.

    Args:
        given: Frame, name and kind of each photo, see `unscrambled`.
        name: The name of the deck.
        outcome: What is wanted of the lesson.

    Raises:
        Malformed: If it teaches nothing; says why of the family that most photos have.
    """
    try:
        return outcome(_Lesson([unscrambled(*photo) for photo in given], name))
    except Malformed as no:
        refusal = no
    # Lines pass for seams, so a later family says no more of the same print.
    refusals: list[Malformed] = []
    for family in OTHERS:
        every = [unscrambled(*photo, family=family) for photo in given]
        if 2 * sum(photo.fault is None for photo in every) > len(every):
            for photos in settled(every):
                try:
                    return outcome(_Lesson(photos, name, family))
                except Malformed as no:
                    refusals.append(no)
    raise (refusals or [refusal])[0]


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """A thing that may be the face, and how it divides the photos."""

    kind: Kind
    portrait: Portrait
    split: Split

    @property
    def is_everywhere(self) -> bool:
        """Whether every photo shows it."""
        return all(self.portrait.copies)


class _Lesson:
    """Photos to learn from.

    Args:
        photos: The photos, of which some may be of no use.
        name: The name of the deck.
        family: How the prints hide their pictures.

    Raises:
        Malformed: If a photo was given twice.
    """

    def __init__(
        self, photos: list[Photo], name: str, family: Family = Family.CARRIER
    ) -> None:
        refuse_twins(photos)
        self._all = photos
        self._name = name
        self._family = family
        self._good = [p for p in photos if p.fault is None]
        self._is_sorted = all(photo.kind is not None for photo in photos)
        # In strips a bare face proves little; proof is asked for when notes are read.
        is_asked = family is not Family.STRIPS
        fields = [
            p.whole if is_asked else replace(p.whole, proof=None) for p in self._good
        ]
        self._sights = [
            Sight(field, p.sign) for field, p in zip(fields, self._good, strict=True)
        ]

    def learnt(self) -> Learnt:
        """Make the deck of a lesson whose photos were sorted by somebody."""
        self._check_enough([p.kind for p in self._good])
        labels = tuple(p.kind for p in self._good)
        sorted_, free, _ = self._candidates(labels)
        learnt = self._first_good(sorted_)
        if learnt is None:
            raise Malformed(self._doubt(labels, free))
        return learnt[1]

    def sorted(self) -> Sorted:
        """Both decks of a lesson that nobody has sorted."""
        _, free, portraits = self._candidates(None)
        best = self._first_good(free)
        if best is None:
            raise Malformed(self._too_few(portraits))
        found, second = best
        first = _swapped(second)
        kinds = dict(zip((p.name for p in self._good), found.split.kinds, strict=True))
        pair = (face_by_ink(second.deck.plain), face_by_ink(second.deck.masked))
        every = tuple(kinds.get(photo.name) for photo in self._all)
        return Sorted(every, pair, second.left_out, (first, second))

    def _first_good(self, found: list[_Found]) -> tuple[_Found, Learnt] | None:
        """Find the best thing that makes a good deck, and the deck."""
        likely = sorted(found, key=_worth, reverse=True)[:TRIALS_MAX]
        for sure_min in SURE_MINS:
            good: list[tuple[_Found, Learnt]] = []
            for one in likely:
                learnt = self._tried(one, sure_min)
                if learnt is not None:
                    good.append((one, learnt))
                    if learnt.right_count == len(self._good):
                        break
            if good:
                return max(good, key=lambda pair: pair[1].right_count)
        return None

    def _check_enough(self, kinds: Sequence[int | None]) -> None:
        """Refuse a lesson with fewer than two good photos of a kind.

        Raises:
            Malformed: Says what is wrong with which.
        """
        if min(kinds.count(0), kinds.count(1)) < PHOTOS_MIN:
            raise Malformed(self._left_out(())[0], hint_for(self._all))

    def _left_out(self, dropped: Sequence[Photo]) -> tuple[Words, ...]:
        """Say of each photo that is of no use, or was dropped later, why."""
        faults = [(photo, photo.fault) for photo in self._all if photo.fault]
        faults += [(photo, Reason.COVERED) for photo in dropped]
        return tuple(
            say("{photo} could not be used, {why}", photo=photo.name, why=fault.words)
            for photo, fault in faults
        )

    def _candidates(
        self, labels: Kinds | None
    ) -> tuple[list[_Found], list[_Found], list[Portrait]]:
        """Find the things that divide photos as labelled, that do freely, and all."""
        if len(self._sights) < 2 * PHOTOS_MIN:
            raise Malformed(self._left_out(())[0], hint_for(self._all))
        inks = [ink_of(s.field, s.sign) for s in self._sights]
        if self._family is not Family.CARRIER:
            inks = [off_the_edge(ink) for ink in inks]
        ways = kinds_in(
            inks,
            [direction_of(s.field.frequency) for s in self._sights],
        )
        sorted_: list[_Found] = []
        free: list[_Found] = []
        portraits: list[Portrait] = []
        for kinds in ways:
            for kind in kinds:
                portrait = _portrait(kind, self._sights)
                if portrait is None:
                    continue
                portraits.append(portrait)
                pieces = portrait.pieces
                split, best = labels and split_by(pieces, labels), best_split(pieces)
                if split and split.is_clear:
                    sorted_.append(_Found(kind, portrait, split))
                if best and best.is_clear:
                    free.append(_Found(kind, portrait, best))
            main = sorted_ if labels else free
            if any(f.split.apart >= SURELY_APART and f.is_everywhere for f in main):
                break
        return sorted_, free, portraits

    def _doubt(self, labels: Kinds, free: list[_Found]) -> Words:
        """Say why labelled photos teach nothing."""
        for found in sorted(free, key=_worth, reverse=True)[:TRIALS_MAX]:
            off = _off(found.split.kinds, labels)
            if len(off) == 1 and self._first_good([found]) is not None:
                return say(
                    "{photo} shows the face of the other notes; check which it is, or "
                    "leave it out",
                    photo=self._good[off[0]].name,
                )
        return say(
            "no face was found that all photos show and that differs between real and "
            "fake; {advice}, check which are which, or add photos",
            advice=ADVICE,
        )

    def _too_few(self, portraits: list[Portrait]) -> Words:
        """Say why no two kinds were found in unsorted photos."""
        everywhere = (p.pieces for p in portraits if all(p.copies))
        lone = next((k for k in map(lone_of, everywhere) if k is not None), None)
        if lone is not None:
            return say(
                "only {photo} shows another face than all others; add one more note of "
                "its kind",
                photo=self._good[lone].name,
            )
        return say(
            "the photos do not show two kinds of one face; add photos until there are "
            "two notes of each kind, real and fake"
        )

    def _tried(self, found: _Found, sure_min: float) -> Learnt | None:
        """Try a thing's deck on every photo after learning from the others.

        None if it reads one wrong, or is unsure of too many.
        """
        kinds = found.split.kinds
        whole = _finished(found.portrait, self._sights, kinds, sure_min)
        if whole is None:
            return None
        shown = zip(whole.copies, kinds, strict=True)
        used = [
            k for k, (faces, kind) in enumerate(shown) if faces and kind is not None
        ]
        verdicts = [self._without(photo, used, whole, kinds) for photo in used]
        if any(
            v is verdict_of(is_fake=kinds[k] == 0)
            for v, k in zip(verdicts, used, strict=True)
        ):
            return None
        unsure, spare = verdicts.count(Verdict.UNSURE), len(self._good) // SPARE
        is_sure = self._is_sorted or found.split.apart >= CLEARLY_APART
        most = min(UNSURE_MAX[is_sure], int(UNSURE_SHARE * len(used)))
        if len(used) < len(self._good) - spare or unsure > most:
            return None
        lesson = (
            remembered(self._sights[k].field, is_fake=kinds[k] == 1) for k in used
        )
        deck = replace(self._deck(whole, used), lesson=tuple(lesson))
        dropped = [p for k, p in enumerate(self._good) if k not in used]
        return Learnt(
            deck,
            side_by_side(deck),
            len(used) - unsure,
            len(used),
            self._left_out(dropped),
        )

    def _without(
        self, photo: int, used: list[int], whole: Portrait, kinds: Kinds
    ) -> Verdict:
        """Read a photo with the deck that the others make.

        Only the box of the face is common: of the photo's own copies nothing is in any
        average.
        """
        rest = [k for k in used if k != photo]
        others = tuple(k if n in rest else None for n, k in enumerate(kinds))
        copies = tuple(c if n in rest else () for n, c in enumerate(whole.copies))
        portrait = replace(whole, copies=copies)
        for _ in range(2):
            if not _shows_both(portrait, others):
                return Verdict.UNSURE
            portrait = averaged(portrait, others)
            portrait = fitted(portrait, self._sights, LIKENESS_LATER)
        deck = self._deck(portrait, rest)
        return known(self._sights[photo].field, deck).judgement.verdict

    def _deck(self, portrait: Portrait, used: list[int]) -> Deck:
        fields = [sight.field for sight in self._sights]
        runs = [
            run_of(portrait.copies[k], fields[k].frequency, self._good[k].shift)
            for k in used
            if portrait.copies[k]
        ]
        deck = with_runs(portrait.deck, runs)
        return replace(deck, name=self._name, family=self._family)


def _swapped(learnt: Learnt) -> Learnt:
    """Exchange the kinds: what was plain wears the mask."""
    deck = learnt.deck
    lesson = tuple(replace(one, is_fake=not one.is_fake) for one in deck.lesson)
    other = replace(deck, plain=deck.masked, masked=deck.plain, lesson=lesson)
    return replace(learnt, deck=other, picture=side_by_side(other))


def _worth(found: _Found) -> float:
    copies = [len(faces) for faces in found.portrait.copies]
    shown = sum(map(bool, copies)) / len(copies)
    return found.split.worth * float(np.mean(copies) ** 0.25) * shown**2


def _off(kinds: Kinds, labels: Kinds) -> list[int]:
    """Return the photos whose labels do not fit a split."""
    known = [k for k, kind in enumerate(kinds) if kind is not None]
    off = [k for k in known if kinds[k] != labels[k]]
    return off if 2 * len(off) <= len(known) else [k for k in known if k not in off]


def _portrait(kind: Kind, sights: list[Sight]) -> Portrait | None:
    """Return the portrait of a kind of thing; None if too few photos show it."""
    least = len(sights) - len(sights) // SPARE
    portrait = first_of(kind, sights)
    for _ in range(ROUNDS):
        portrait = fitted(portrait, sights, LIKENESS_FIRST)
        if sum(map(bool, portrait.copies)) < least:
            return None
        every = (framed(portrait, sights, None, sure_min) for sure_min in SURE_MINS)
        redrawn = next((one for one in every if one is not None), None)
        if redrawn is None:
            return None
        portrait = redrawn
    portrait = fitted(portrait, sights, LIKENESS_FIRST)
    if sum(map(bool, portrait.copies)) < least:
        return None
    return fitted(averaged(portrait, None), sights, LIKENESS_FIRST)


def _finished(
    portrait: Portrait, sights: list[Sight], kinds: Kinds, sure_min: float
) -> Portrait | None:
    """Turn the portrait upright; None if a kind has no copy."""
    portrait = fitted(turned_upright(portrait, kinds), sights, LIKENESS_FIRST)
    if not _shows_both(portrait, kinds):
        return None
    redrawn = framed(portrait, sights, kinds, sure_min)
    if redrawn is None:
        return None
    for bar in (LIKENESS_FIRST, LIKENESS_LATER):
        redrawn = fitted(redrawn, sights, bar)
        if not _shows_both(redrawn, kinds):
            return None
        redrawn = averaged(redrawn, kinds)
    return fitted(redrawn, sights, LIKENESS_LATER)


def _shows_both(portrait: Portrait, kinds: Kinds) -> bool:
    shown = {k for k, faces in zip(kinds, portrait.copies, strict=True) if faces}
    return {0, 1} <= shown
