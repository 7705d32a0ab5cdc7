"""Learns a deck from a few photos, labelled real or fake, or not sorted at all.

Nobody has to mark the faces. The hidden picture of each photo is recovered. A *thing*
is a face or symbol that these pictures share: `things.py` finds its *copies*, and
`portrait.py` averages them to a *portrait*. The face wears a mask on one kind of note
only, so a thing whose copies divide the photos into two kinds is a *candidate* for the
face. The division is its *split*.

Each likely candidate is tried: every photo is read with a deck made of all the others.
If one is read wrong, or too many are unsure, the candidate is refused. The best
candidate's deck is returned; if all are refused, learning fails.

A *kind* of photo is 0 or 1; in labelled photos, 0 is real and 1 is fake. (A
`things.Kind` is something else: one thing and all its places.) A *family* of prints is
a way to hide pictures, see `deck.Family`; in the carrier family, lines move.
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
    Portrait,
    Sight,
    average_copies,
    first_portrait,
    redraw_box,
    refit,
    turn_upright,
)
from companion.decoder.report import hint_for
from companion.decoder.runs import direction_of, match_deck, measure_run, replace_runs
from companion.decoder.settle import settle_choices
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
from companion.decoder.unscramble import OTHERS, Photo, refuse_twins, unscramble
from companion.decoder.verdict import Reason, Verdict, verdict_of
from companion.decoder.whole import SURE_MINS
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

UNSURE_MAX, UNSURE_MAX_CLEAR = 1, 2
"""Most unsure photos in the trial of a candidate.

The second is for photos that people have sorted, and for splits of CLEARLY_APART."""

CLEARLY_APART = 0.9
"""`Split.apart` from which two photos may be unsure, see UNSURE_MAX_CLEAR."""

UNSURE_SHARE = 0.3
"""Largest share of unsure photos in a trial: one of four, two of seven."""

TRIALS_MAX = 4
"""Most candidates that are tried, best first."""


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
    outcome: Callable[[_Lesson], Outcome],
) -> Outcome:
    """Try each family of prints in turn until a lesson succeeds.

    Args:
        shots: Frame, name and kind of each photo; the kind is None if unknown.
        name: The name of the deck.
        outcome: The method of `_Lesson` that makes the result.

    Raises:
        Malformed: If no family succeeds. The refusal is that of the first other family
            that suits most photos; if none does, that of the carrier family.
    """
    try:
        return outcome(_Lesson([unscramble(*photo) for photo in shots], name))
    except Malformed as error:
        carrier_refusal = error
    # The first refusal says most: later families may take lines for seams of strips.
    refusals: list[Malformed] = []
    for family in OTHERS:
        unscrambled = [unscramble(*photo, family=family) for photo in shots]
        usable = sum(photo.fault is None for photo in unscrambled)
        if 2 * usable <= len(unscrambled):
            continue
        # An interlaced photo has two pictures: one is hidden, one only camouflage.
        for photos in settle_choices(unscrambled):
            try:
                return outcome(_Lesson(photos, name, family))
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
    def is_everywhere(self) -> bool:
        """Whether every photo shows the thing."""
        return all(self.portrait.copies)


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
        self._good = [p for p in photos if p.fault is None]
        self._is_sorted = all(photo.kind is not None for photo in photos)
        fields = [photo.whole for photo in self._good]
        if family is Family.STRIPS:
            # A plain face has few edges to prove it, so only reading asks for proof.
            fields = [replace(field, proof=None) for field in fields]
        self._sights = [
            Sight(field, p.sign) for field, p in zip(fields, self._good, strict=True)
        ]

    def make_deck(self) -> Learnt:
        """Make a deck from labelled photos.

        Raises:
            Malformed: If the photos do not suffice; says what to do.
        """
        labels = tuple(photo.kind for photo in self._good)
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
        candidate, masked_1 = best
        masked_0 = _swap_kinds(masked_1)
        names = (photo.name for photo in self._good)
        kind_of = dict(zip(names, candidate.split.kinds, strict=True))
        faces = (
            draw_unlabelled_face(masked_1.deck.plain),
            draw_unlabelled_face(masked_1.deck.masked),
        )
        kinds = tuple(kind_of.get(photo.name) for photo in self._all)
        return Sorted(kinds, faces, masked_1.left_out, (masked_0, masked_1))

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
                    if learnt.right_count == len(self._good):
                        break
            if passed:
                return max(passed, key=lambda pair: pair[1].right_count)
        return None

    def _too_few_error(self) -> Malformed:
        """Build the refusal of a lesson with too few usable photos."""
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
        if len(self._sights) < 2 * PHOTOS_MIN:
            raise self._too_few_error()
        inks = [measure_ink(s.field, s.sign) for s in self._sights]
        if self._family is not Family.CARRIER:
            inks = [drop_edge_ink(ink) for ink in inks]
        directions = [direction_of(s.field.frequency) for s in self._sights]
        labelled: list[_Candidate] = []
        clear: list[_Candidate] = []
        portraits: list[Portrait] = []
        for things in find_kinds(inks, directions):
            for thing in things:
                portrait = _make_portrait(thing, self._sights)
                if portrait is None:
                    continue
                portraits.append(portrait)
                pieces = portrait.pieces
                by_label = measure_split(pieces, labels) if labels else None
                if by_label and by_label.is_clear:
                    labelled.append(_Candidate(portrait, by_label))
                best = find_best_split(pieces)
                if best and best.is_clear:
                    clear.append(_Candidate(portrait, best))
            fitting = labelled if labels else clear
            if any(c.split.apart >= SURELY_APART and c.is_everywhere for c in fitting):
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
                    photo=self._good[mislabelled[0]].name,
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
                    photo=self._good[lone].name,
                )
        return say(
            "the photos do not show two kinds of one face; add photos until there are "
            "two notes of each kind, real and fake"
        )

    def _try_candidate(self, candidate: _Candidate, sure_min: float) -> Learnt | None:
        """Try a candidate: read each photo with a deck made of the other photos.

        Args:
            candidate: The candidate.
            sure_min: One of `whole.SURE_MINS`; it decides how the face's box is drawn.

        Returns:
            The deck of all photos; None if the candidate is refused: a photo is read
            wrong, or too many are unsure or show no face.
        """
        kinds = candidate.split.kinds
        whole = _finish_portrait(candidate.portrait, self._sights, kinds, sure_min)
        if whole is None:
            return None
        used = []
        for photo, kind in enumerate(kinds):
            if kind is not None and whole.copies[photo]:
                used.append(photo)
        unsure = 0
        for photo in used:
            verdict = self._read_unlearnt(photo, used, whole, kinds)
            if verdict is verdict_of(is_fake=kinds[photo] == 0):
                return None  # The verdict is wrong.
            unsure += verdict is Verdict.UNSURE
        unsure_max = self._most_unsure(candidate.split, len(used))
        if len(used) < least_shown(len(self._good)) or unsure > unsure_max:
            return None
        return self._finish_deck(whole, used, kinds, len(used) - unsure)

    def _finish_deck(
        self, whole: Portrait, used: list[int], kinds: Kinds, right_count: int
    ) -> Learnt:
        """Make the deck of a candidate that passed, with the used photos as lesson."""
        lesson = [
            pack_example(self._sights[k].field, is_fake=kinds[k] == 1) for k in used
        ]
        deck = replace(self._build_deck(whole, used), lesson=tuple(lesson))
        dropped = [photo for k, photo in enumerate(self._good) if k not in used]
        left_out = self._explain_left_out(dropped)
        return Learnt(deck, side_by_side(deck), right_count, len(used), left_out)

    def _most_unsure(self, split: Split, used_count: int) -> int:
        """Return how many of the used photos may be unsure in a trial."""
        is_clear = self._is_sorted or split.apart >= CLEARLY_APART
        most = UNSURE_MAX_CLEAR if is_clear else UNSURE_MAX
        return min(most, int(UNSURE_SHARE * used_count))

    def _read_unlearnt(
        self, photo: int, used: list[int], whole: Portrait, kinds: Kinds
    ) -> Verdict:
        """Read a photo with the deck that the other photos make.

        That deck has the same box around the face as the deck of all photos, but its
        averages leave out the copies of this photo.
        """
        others = [k for k in used if k != photo]
        other_kinds: list[int | None] = [None] * len(kinds)
        copies: list[tuple[Face, ...]] = [()] * len(kinds)
        for k in others:
            other_kinds[k], copies[k] = kinds[k], whole.copies[k]
        portrait = replace(whole, copies=tuple(copies))
        for _ in range(2):  # Refitted copies make a sharper average.
            if not _shows_both(portrait, other_kinds):
                return Verdict.UNSURE
            portrait = average_copies(portrait, other_kinds)
            portrait = refit(portrait, self._sights, LIKENESS_LATER)
        deck = self._build_deck(portrait, others)
        return match_deck(self._sights[photo].field, deck).judgement.verdict

    def _build_deck(self, portrait: Portrait, used: list[int]) -> Deck:
        """Build a deck from a portrait and the print runs of the used photos."""
        runs = []
        for k in used:
            faces, frequency = portrait.copies[k], self._sights[k].field.frequency
            if faces:
                runs.append(measure_run(faces, frequency, self._good[k].shift))
        deck = replace_runs(portrait.deck, runs)
        return replace(deck, name=self._name, family=self._family)


def _swap_kinds(learnt: Learnt) -> Learnt:
    """Exchange the plain and the masked face of a learnt deck."""
    deck = learnt.deck
    lesson = tuple(replace(e, is_fake=not e.is_fake) for e in deck.lesson)
    other = replace(deck, plain=deck.masked, masked=deck.plain, lesson=lesson)
    return replace(learnt, deck=other, picture=side_by_side(other))


def _rate(candidate: _Candidate) -> float:
    """Rate a candidate by its split, its copies, and the photos that show it.

    More copies help a little; each photo without a copy harms much.
    """
    copies = [len(faces) for faces in candidate.portrait.copies]
    shown_share = sum(map(bool, copies)) / len(copies)
    return candidate.split.worth * float(np.mean(copies) ** 0.25) * shown_share**2


def _find_mislabelled(kinds: Kinds, labels: Kinds) -> list[int]:
    """Return the photos whose labels contradict a split.

    A split does not say which kind is real; the answer with fewer photos is returned.
    """
    sorted_photos = [k for k, kind in enumerate(kinds) if kind is not None]
    different = [k for k in sorted_photos if kinds[k] != labels[k]]
    if 2 * len(different) <= len(sorted_photos):
        return different
    return [k for k in sorted_photos if k not in different]


def _make_portrait(thing: Kind, sights: list[Sight]) -> Portrait | None:
    """Average the copies of a thing; None if too few photos show it, or no box fits."""
    least = least_shown(len(sights))
    portrait = first_portrait(thing, sights)
    for _ in range(ROUNDS):
        portrait = refit(portrait, sights, LIKENESS_FIRST)
        if sum(map(bool, portrait.copies)) < least:
            return None
        for sure_min in SURE_MINS:
            redrawn = redraw_box(portrait, sights, None, sure_min)
            if redrawn is not None:
                break
        else:
            return None
        portrait = redrawn
    portrait = refit(portrait, sights, LIKENESS_FIRST)
    if sum(map(bool, portrait.copies)) < least:
        return None
    return refit(average_copies(portrait, None), sights, LIKENESS_FIRST)


def _finish_portrait(
    portrait: Portrait, sights: list[Sight], kinds: Kinds, sure_min: float
) -> Portrait | None:
    """Turn a portrait upright, and average a template from each kind of photo.

    None if one kind has no copy, or no box fits.
    """
    portrait = refit(turn_upright(portrait, kinds), sights, LIKENESS_FIRST)
    if not _shows_both(portrait, kinds):
        return None
    redrawn = redraw_box(portrait, sights, kinds, sure_min)
    if redrawn is None:
        return None
    for likeness_min in (LIKENESS_FIRST, LIKENESS_LATER):
        redrawn = refit(redrawn, sights, likeness_min)
        if not _shows_both(redrawn, kinds):
            return None
        redrawn = average_copies(redrawn, kinds)
    return refit(redrawn, sights, LIKENESS_LATER)


def _shows_both(portrait: Portrait, kinds: Sequence[int | None]) -> bool:
    """Tell whether a portrait has copies from both kinds of photos."""
    shown = {kind for kind, faces in zip(kinds, portrait.copies, strict=True) if faces}
    return {0, 1} <= shown
