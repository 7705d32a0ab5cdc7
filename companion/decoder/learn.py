"""Learns a deck from a few photos, labelled real or fake, or not sorted at all.

Nobody has to mark the faces. The hidden picture of each photo is recovered, and a
*thing* that these pictures share, a face or symbol, may be the face of the deck. Words
used here:

- Copy: one place where a photo shows a thing; `things.py` finds them.
- Portrait: a thing's copies and their average; `portrait.py` makes them.
- Kind of photo: 0 or 1; in labelled photos, 0 is real and 1 is fake. (A `things.Kind`
  is something else: one thing and all its places.)
- Split: a division of the photos into two kinds by a thing's copies. The face wears a
  mask on one kind of note only, so a clear split makes the thing a *candidate*.
- Trial: each photo is read with a deck that a candidate makes of the others. If one is
  read wrong, or too many are unsure, the candidate is refused.
- Family of prints: a way to hide pictures, see `deck.Family`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from companion.decoder.deck import Deck, Family
from companion.decoder.fit import Face
from companion.decoder.ink import draw_unlabelled_face, side_by_side
from companion.decoder.memory import pack_example
from companion.decoder.portrait import (
    LIKENESS_FIRST,
    LIKENESS_LATER,
    SURE_MINS,
    HiddenPicture,
    Portrait,
    average_copies,
    first_portrait,
    redraw_box,
    refit,
    turn_upright,
)
from companion.decoder.report import hint_for
from companion.decoder.runs import direction_of, match_deck, measure_run, replace_runs
from companion.decoder.sorting import (
    Kinds,
    Split,
    find_best_split,
    find_lone,
    measure_split,
)
from companion.decoder.things import (
    Kind,
    drop_edge_ink,
    find_kinds,
    least_shown,
    measure_ink,
)
from companion.decoder.tiles import Pixels
from companion.decoder.unscramble import (
    OTHER_FAMILIES,
    Photo,
    refuse_twins,
    settle_choices,
    unscramble,
)
from companion.decoder.verdict import Reason, Verdict, verdict_of
from companion.errors import Malformed
from companion.words import Words, say

PHOTOS_MIN, PHOTOS_MAX = 2, 5
"""How many photos of each kind `learn` takes."""

UNSORTED_MIN, UNSORTED_MAX = 6, 10
"""How many photos `sort_out` takes."""

Outcome = TypeVar("Outcome")
"""What a lesson makes: `Learnt` or `Sorted`."""

ADVICE = say(
    "take each photo flat, in focus, without glare, the note filling the picture"
)

ROUNDS = 3
"""How often the box around a thing is redrawn from what all its copies show."""

SURELY_APART = 0.6
"""`Split.apart` from which a candidate is taken for the face, ending the search."""

# The trial of candidates.

TRIALS_MAX = 4
"""Most candidates that are tried, best first."""

UNSURE_SHARE = 0.3
"""Largest share of unsure photos in a trial: one of four, two of seven."""

UNSURE_MAX, UNSURE_MAX_CLEAR = 1, 2
"""Most unsure photos in a trial.

The second is for photos that people have sorted, and for splits from CLEARLY_APART."""

CLEARLY_APART = 0.9
"""`Split.apart` from which UNSURE_MAX_CLEAR counts."""


@dataclass(frozen=True, slots=True, eq=False)
class Learnt:
    """A learnt deck, and how far it can be trusted.

    Attributes:
        deck: The deck.
        picture: (rows, columns) uint8: the plain face, the masked one and their
            difference, dark on light.
        right_count: How many photos were read right with a deck made of the others.
        photos_count: How many photos were used.
        left_out: A sentence for each photo that was left out: which, and why.
    """

    deck: Deck
    picture: NDArray[np.uint8]
    right_count: int
    photos_count: int
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Sorted:
    """Photos sorted into two kinds; a person must say which kind wears the mask.

    Attributes:
        kinds: For each photo 0 or 1; None if it was left out.
        faces: The faces of kinds 0 and 1, (rows, columns) uint8, dark on light.
        left_out: A sentence for each photo that was left out: which, and why.
        _learnt: The deck if kind 0 wears the mask, and that if kind 1 does.
    """

    kinds: Kinds
    faces: tuple[NDArray[np.uint8], NDArray[np.uint8]]
    left_out: tuple[str, ...]
    _learnt: tuple[Learnt, Learnt]

    def learnt(self, masked: int) -> Learnt:
        """Return the deck for the answer that kind 0 or 1 wears the mask."""
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
    shots = list(zip([*real, *fake], names, kinds, strict=True))
    return _teach(shots, name, _Lesson.make_deck)


def sort_out(photos: list[Pixels], name: str) -> Sorted:
    """Learn a deck from unsorted photos, sorting them into two kinds.

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
    shots = [
        (frame, say("photo {number}", number=k + 1), None)
        for k, frame in enumerate(photos)
    ]
    return _teach(shots, name, _Lesson.sort_photos)


def _teach(
    shots: Sequence[tuple[Pixels, Words, int | None]],
    name: str,
    make_outcome: Callable[[_Lesson], Outcome],
) -> Outcome:
    """Try each family of prints in turn until a lesson succeeds.

    Args:
        shots: Frame, name and kind of each photo; the kind is None if unknown.
        name: The name of the deck.
        make_outcome: The method of `_Lesson` that makes the result.

    Raises:
        Malformed: If no family succeeds. The refusal is that of the first other family
            that suits most photos; if none does, that of the carrier family.
    """
    try:
        return make_outcome(_Lesson([unscramble(*photo) for photo in shots], name))
    except Malformed as error:
        carrier_refusal = error
    # The first refusal says most: later families may take lines for seams of strips.
    refusals: list[Malformed] = []
    for family in OTHER_FAMILIES:
        unscrambled = [unscramble(*photo, family=family) for photo in shots]
        usable = sum(photo.fault is None for photo in unscrambled)
        if 2 * usable <= len(unscrambled):
            continue
        # An interlaced photo has two pictures: one is hidden, one only camouflage.
        for photos in settle_choices(unscrambled):
            try:
                return make_outcome(_Lesson(photos, name, family))
            except Malformed as error:
                refusals.append(error)
    raise refusals[0] if refusals else carrier_refusal


@dataclass(frozen=True, slots=True, eq=False)
class _Candidate:
    """A thing that may be the face.

    Attributes:
        portrait: The thing's copies and their average.
        split: How the copies divide the photos into two kinds.
    """

    portrait: Portrait
    split: Split

    @property
    def is_surely_face(self) -> bool:
        """Whether every photo shows the thing, and the two kinds lie far apart."""
        return all(self.portrait.copies) and self.split.apart >= SURELY_APART


class _Lesson:
    """Photos to learn from, and the steps from them to a deck.

    Args:
        photos: The photos; those with a fault are left out.
        name: The name of the deck.
        family: How the prints hide their pictures.

    Raises:
        Malformed: If one photo was given twice.
    """

    def __init__(
        self, photos: list[Photo], name: str, family: Family = Family.CARRIER
    ) -> None:
        refuse_twins(photos)
        self._all = photos
        self._name = name
        self._family = family
        self._usable = [photo for photo in photos if photo.fault is None]
        self._is_sorted = all(photo.kind is not None for photo in photos)
        fields = [photo.hidden for photo in self._usable]
        if family is Family.STRIPS:
            # A plain face has few edges to prove it, so only reading asks for proof.
            fields = [replace(field, proof=None) for field in fields]
        self._pictures = [
            HiddenPicture(field, photo.sign)
            for field, photo in zip(fields, self._usable, strict=True)
        ]

    def make_deck(self) -> Learnt:
        """Make a deck from labelled photos.

        Raises:
            Malformed: If the photos do not suffice; says what to do.
        """
        labels = tuple(photo.kind for photo in self._usable)
        if min(labels.count(0), labels.count(1)) < PHOTOS_MIN:
            raise self._too_few_error()
        labelled, clear, _ = self._find_candidates(labels)
        best = self._find_best(labelled)
        if best is None:
            raise Malformed(self._why_labels_fail(labels, clear))
        return best[1]

    def sort_photos(self) -> Sorted:
        """Sort the photos into two kinds, and make a deck for either answer.

        Raises:
            Malformed: If the photos do not suffice; says what to do.
        """
        _, clear, portraits = self._find_candidates(None)
        best = self._find_best(clear)
        if best is None:
            raise Malformed(self._why_not_sorted(portraits))
        candidate, kind_1_masked = best
        kind_0_masked = _swap_kinds(kind_1_masked)
        names = (photo.name for photo in self._usable)
        kind_of = dict(zip(names, candidate.split.kinds, strict=True))
        faces = (
            draw_unlabelled_face(kind_1_masked.deck.plain),
            draw_unlabelled_face(kind_1_masked.deck.masked),
        )
        kinds = tuple(kind_of.get(photo.name) for photo in self._all)
        return Sorted(
            kinds, faces, kind_1_masked.left_out, (kind_0_masked, kind_1_masked)
        )

    def _find_best(
        self, candidates: list[_Candidate]
    ) -> tuple[_Candidate, Learnt] | None:
        """Return the candidate whose deck reads most photos right, unless all fail."""
        likely = sorted(candidates, key=_rate, reverse=True)[:TRIALS_MAX]
        for sure_min in SURE_MINS:
            passed: list[tuple[_Candidate, Learnt]] = []
            for candidate in likely:
                learnt = self._try_candidate(candidate, sure_min)
                if learnt is not None:
                    passed.append((candidate, learnt))
                    if learnt.right_count == len(self._usable):
                        break
            if passed:
                return max(passed, key=lambda pair: pair[1].right_count)
        return None

    def _too_few_error(self) -> Malformed:
        return Malformed(self._explain_left_out(())[0], hint_for(self._all))

    def _explain_left_out(self, dropped: Sequence[Photo]) -> tuple[Words, ...]:
        """Say why each photo with a fault, and each in *dropped*, is not used."""
        faults = [(photo, photo.fault) for photo in self._all if photo.fault]
        faults += [(photo, Reason.COVERED) for photo in dropped]
        return tuple(
            say("{photo} could not be used, {why}", photo=photo.name, why=fault.words)
            for photo, fault in faults
        )

    def _find_candidates(
        self, labels: Kinds | None
    ) -> tuple[list[_Candidate], list[_Candidate], list[Portrait]]:
        """Find the things that may be the face.

        Returns:
            The candidates that divide the photos as *labels* do; the candidates that
            divide them clearly in any way; and the portraits of all things.

        Raises:
            Malformed: If too few photos can be used.
        """
        if len(self._pictures) < 2 * PHOTOS_MIN:
            raise self._too_few_error()
        inks = [measure_ink(shown.field, shown.sign) for shown in self._pictures]
        if self._family is not Family.CARRIER:
            inks = [drop_edge_ink(ink) for ink in inks]
        directions = [direction_of(shown.field.frequency) for shown in self._pictures]
        labelled: list[_Candidate] = []
        clear: list[_Candidate] = []
        portraits: list[Portrait] = []
        for things in find_kinds(inks, directions):
            for thing in things:
                portrait = _make_portrait(thing, self._pictures)
                if portrait is None:
                    continue
                portraits.append(portrait)
                pieces = portrait.pieces
                labelled_split = measure_split(pieces, labels) if labels else None
                if labelled_split and labelled_split.is_clear:
                    labelled.append(_Candidate(portrait, labelled_split))
                best_split = find_best_split(pieces)
                if best_split and best_split.is_clear:
                    clear.append(_Candidate(portrait, best_split))
            if any(found.is_surely_face for found in (labelled if labels else clear)):
                break
        return labelled, clear, portraits

    def _why_labels_fail(self, labels: Kinds, clear: list[_Candidate]) -> Words:
        """Say why labelled photos make no deck; for *clear* see `_find_candidates`."""
        for candidate in sorted(clear, key=_rate, reverse=True)[:TRIALS_MAX]:
            mislabelled = _find_mislabelled(candidate.split.kinds, labels)
            if len(mislabelled) == 1 and self._find_best([candidate]) is not None:
                return say(
                    "{photo} shows the face of the other notes; check which it is, or "
                    "leave it out",
                    photo=self._usable[mislabelled[0]].name,
                )
        return say(
            "no face was found that all photos show and that differs between real and "
            "fake; {advice}, check which are which, or add photos",
            advice=ADVICE,
        )

    def _why_not_sorted(self, portraits: list[Portrait]) -> Words:
        """Say why unsorted photos show no two kinds."""
        for portrait in portraits:
            lone = find_lone(portrait.pieces) if all(portrait.copies) else None
            if lone is not None:
                return say(
                    "only {photo} shows another face than all others; add one more "
                    "note of its kind",
                    photo=self._usable[lone].name,
                )
        return say(
            "the photos do not show two kinds of one face; add photos until there are "
            "two notes of each kind, real and fake"
        )

    def _try_candidate(self, candidate: _Candidate, sure_min: float) -> Learnt | None:
        """Try a candidate: read each photo with a deck made of the other photos.

        Args:
            candidate: The candidate.
            sure_min: One of SURE_MINS; it decides how the face's box is drawn.

        Returns:
            The deck of all photos; None if the candidate is refused: a photo is read
            wrong, or too many are unsure or show no face.
        """
        kinds = candidate.split.kinds
        portrait = _finish_portrait(candidate.portrait, self._pictures, kinds, sure_min)
        if portrait is None:
            return None
        used = []
        for photo, kind in enumerate(kinds):
            if kind is not None and portrait.copies[photo]:
                used.append(photo)
        unsure = 0
        for photo in used:
            verdict = self._read_unlearnt(photo, used, portrait, kinds)
            if verdict is verdict_of(is_fake=kinds[photo] == 0):
                return None  # The verdict is wrong.
            unsure += verdict is Verdict.UNSURE
        unsure_max = self._most_unsure(candidate.split, len(used))
        if len(used) < least_shown(len(self._usable)) or unsure > unsure_max:
            return None
        return self._finish_deck(portrait, used, kinds, len(used) - unsure)

    def _finish_deck(
        self, portrait: Portrait, used: list[int], kinds: Kinds, right_count: int
    ) -> Learnt:
        """Make the deck of a candidate that passed, with the used photos as lesson."""
        lesson = [
            pack_example(self._pictures[photo].field, is_fake=kinds[photo] == 1)
            for photo in used
        ]
        deck = replace(self._build_deck(portrait, used), lesson=tuple(lesson))
        dropped = [
            photo for number, photo in enumerate(self._usable) if number not in used
        ]
        left_out = self._explain_left_out(dropped)
        return Learnt(deck, side_by_side(deck), right_count, len(used), left_out)

    def _most_unsure(self, split: Split, used_count: int) -> int:
        """Return how many of the used photos may be unsure in a trial."""
        is_clear = self._is_sorted or split.apart >= CLEARLY_APART
        most = UNSURE_MAX_CLEAR if is_clear else UNSURE_MAX
        return min(most, int(UNSURE_SHARE * used_count))

    def _read_unlearnt(
        self, photo: int, used: list[int], portrait: Portrait, kinds: Kinds
    ) -> Verdict:
        """Read a photo with the deck that the other photos make.

        That deck has the same box around the face as the deck of all photos, but its
        averages leave out the copies of this photo.
        """
        others = [number for number in used if number != photo]
        other_kinds: list[int | None] = [None] * len(kinds)
        copies: list[tuple[Face, ...]] = [()] * len(kinds)
        for number in others:
            other_kinds[number] = kinds[number]
            copies[number] = portrait.copies[number]
        portrait = replace(portrait, copies=tuple(copies))
        for _ in range(2):  # Refitted copies make a sharper average.
            if not _shows_both(portrait, other_kinds):
                return Verdict.UNSURE
            portrait = average_copies(portrait, other_kinds)
            portrait = refit(portrait, self._pictures, LIKENESS_LATER)
        deck = self._build_deck(portrait, others)
        return match_deck(self._pictures[photo].field, deck).judgement.verdict

    def _build_deck(self, portrait: Portrait, used: list[int]) -> Deck:
        """Build a deck from a portrait and the print runs of the used photos."""
        runs = []
        for photo in used:
            faces = portrait.copies[photo]
            frequency = self._pictures[photo].field.frequency
            if faces:
                runs.append(measure_run(faces, frequency, self._usable[photo].shift))
        deck = replace_runs(portrait.deck, runs)
        return replace(deck, name=self._name, family=self._family)


def _swap_kinds(learnt: Learnt) -> Learnt:
    """Exchange the plain and the masked face of a learnt deck."""
    deck = learnt.deck
    lesson = tuple(
        replace(example, is_fake=not example.is_fake) for example in deck.lesson
    )
    swapped = replace(deck, plain=deck.masked, masked=deck.plain, lesson=lesson)
    return replace(learnt, deck=swapped, picture=side_by_side(swapped))


def _rate(candidate: _Candidate) -> float:
    """Rate a candidate by its split, its copies, and the photos that show it.

    More copies help a little; each photo without a copy harms much.
    """
    copies = [len(faces) for faces in candidate.portrait.copies]
    shown_share = sum(map(bool, copies)) / len(copies)
    return candidate.split.worth * float(np.mean(copies) ** 0.25) * shown_share**2


def _find_mislabelled(kinds: Kinds, labels: Kinds) -> list[int]:
    """Return the photos whose labels contradict a split.

    A split does not say which kind is real; whichever contradicts fewer labels is.
    """
    in_split = [photo for photo, kind in enumerate(kinds) if kind is not None]
    different = [photo for photo in in_split if kinds[photo] != labels[photo]]
    if 2 * len(different) <= len(in_split):
        return different
    return [photo for photo in in_split if photo not in different]


def _make_portrait(thing: Kind, pictures: list[HiddenPicture]) -> Portrait | None:
    """Average the copies of a thing; None if too few photos show it, or no box fits."""
    least = least_shown(len(pictures))
    portrait = first_portrait(thing, pictures)
    for _ in range(ROUNDS):
        portrait = refit(portrait, pictures, LIKENESS_FIRST)
        if sum(map(bool, portrait.copies)) < least:
            return None
        tries = (redraw_box(portrait, pictures, None, value) for value in SURE_MINS)
        redrawn = next((found for found in tries if found is not None), None)
        if redrawn is None:
            return None
        portrait = redrawn
    portrait = refit(portrait, pictures, LIKENESS_FIRST)
    if sum(map(bool, portrait.copies)) < least:
        return None
    return refit(average_copies(portrait, None), pictures, LIKENESS_FIRST)


def _finish_portrait(
    portrait: Portrait, pictures: list[HiddenPicture], kinds: Kinds, sure_min: float
) -> Portrait | None:
    """Turn a portrait upright, and average a template from each kind of photo.

    None if one kind has no copy, or no box fits.
    """
    portrait = refit(turn_upright(portrait, kinds), pictures, LIKENESS_FIRST)
    if not _shows_both(portrait, kinds):
        return None
    redrawn = redraw_box(portrait, pictures, kinds, sure_min)
    if redrawn is None:
        return None
    for likeness_min in (LIKENESS_FIRST, LIKENESS_LATER):
        redrawn = refit(redrawn, pictures, likeness_min)
        if not _shows_both(redrawn, kinds):
            return None
        redrawn = average_copies(redrawn, kinds)
    return refit(redrawn, pictures, LIKENESS_LATER)


def _shows_both(portrait: Portrait, kinds: Sequence[int | None]) -> bool:
    """Tell whether a portrait has copies from both kinds of photos."""
    shown = {kind for kind, faces in zip(kinds, portrait.copies, strict=True) if faces}
    return {0, 1} <= shown
