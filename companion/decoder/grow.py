"""Teaches a learnt deck one more photo, of a note that people have checked.

A learnt deck keeps its *lesson*: the hidden pictures of the photos that it was learnt
from, its *examples*. The new photo's picture joins them, and the deck's templates and
print runs are averaged anew. The new deck must read the new photo right, and every
photo that the old deck read right; so no deck gets worse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from companion.decoder.deck import LESSON_MAX, Deck, Example
from companion.decoder.fit import Face
from companion.decoder.ink import side_by_side
from companion.decoder.learn import Learnt
from companion.decoder.memory import field_of, pack_example
from companion.decoder.phase import Field
from companion.decoder.portrait import (
    LIKENESS_LATER,
    SEEN_MIN,
    Portrait,
    average_copies,
)
from companion.decoder.runs import (
    decks_by_run,
    match_deck,
    measure_run,
    replace_runs,
    turn_between,
)
from companion.decoder.tiles import Pixels
from companion.decoder.unscramble import unscramble
from companion.decoder.verdict import Verdict, verdict_of
from companion.errors import Malformed
from companion.words import say

SAME_PHOTO_BELOW = 0.1
"""Mean difference below which two hidden pictures are taken to be of one photo.

Packing changes a picture by 0.05; two photos of one note differ by about 0.5.
"""

COPIES_SPREAD = 0.04
"""How much less likeness than its photo's clearest face a copy may have.

139 of 154 photos of drawn decks joined their deck at this value, 133 at 0.08, and only
116 at 0.15, which lets other symbols pass for copies of the face.
"""


def grow(deck: Deck, frame: Pixels, *, is_fake: bool) -> Learnt:
    """Make a new deck from a learnt deck and one more photo.

    Args:
        deck: A learnt deck, which is not changed.
        frame: (height, width, 3) uint8 BGR of one note.
        is_fake: Whether it is fake, as the plastic lens has shown.

    Raises:
        Malformed: If nothing can be learnt from the photo, or the new deck would read
            an earlier photo worse; says what to do.
    """
    if not 0 < len(deck.lesson) < LESSON_MAX:
        raise Malformed(
            say("this deck can learn from no more photos"), say("learn a deck anew")
        )
    example = _make_example(frame, deck, is_fake=is_fake)
    if any(_are_one_photo(example, earlier) for earlier in deck.lesson):
        raise Malformed(
            say("the deck knows this photo already"),
            say("photograph the note once more"),
        )
    if _read_example(example, deck) is verdict_of(is_fake=not is_fake):
        raise Malformed(
            say("the deck is sure that this note is the other kind"),
            say("look through the lens again, and photograph the note once more"),
        )
    lesson = (*deck.lesson, example)
    grown = replace(_average_lesson(deck, lesson), lesson=lesson)
    is_right = [_reads_right(taught, grown) for taught in lesson]
    if not is_right[-1]:
        raise Malformed(
            say("nothing can be learnt from this photo"),
            say("take it again, nearer and sharper, without glare"),
        )
    for still_right, earlier in zip(is_right[:-1], deck.lesson, strict=True):
        if not still_right and _reads_right(earlier, deck):
            raise Malformed(
                say("with this photo the deck would read an earlier one worse"),
                say("photograph the note once more, nearer and sharper"),
            )
    return Learnt(grown, side_by_side(grown), sum(is_right), len(lesson))


def _make_example(frame: Pixels, deck: Deck, *, is_fake: bool) -> Example:
    """Unscramble a photo and pack its hidden picture as an example.

    Raises:
        Malformed: If the photo cannot be used.
    """
    name = say("the new photo")
    photo = unscramble(frame, name, int(is_fake), family=deck.family)
    if photo.fault is not None:
        why = photo.fault.words
        raise Malformed(
            say("{photo} could not be used, {why}", photo=photo.name, why=why)
        )
    # Of an interlaced print's two pictures, the hidden one has the deck's face.
    fields = [photo.hidden]
    if photo.second_field is not None:
        fields.append(photo.second_field)
    likest = max(fields, key=lambda field: match_deck(field, deck).likeness)
    return pack_example(likest, is_fake=is_fake)


def _are_one_photo(first: Example, second: Example) -> bool:
    first_soft, _ = first.unpacked()
    second_soft, _ = second.unpacked()
    if first_soft.shape != second_soft.shape:
        return False
    return float(np.abs(first_soft - second_soft).mean()) < SAME_PHOTO_BELOW


def _read_example(example: Example, deck: Deck) -> Verdict:
    return match_deck(field_of(example), deck).judgement.verdict


def _reads_right(example: Example, deck: Deck) -> bool:
    return _read_example(example, deck) is verdict_of(is_fake=example.is_fake)


def _find_copies(field: Field, deck: Deck) -> tuple[Face, ...]:
    """Find the deck's faces that are clear enough to learn from."""
    match = match_deck(field, deck)
    least = max(LIKENESS_LATER, match.likeness - COPIES_SPREAD)
    return tuple(
        face for face in match.faces if face.likeness >= least and face.seen > SEEN_MIN
    )


def _average_lesson(deck: Deck, lesson: Sequence[Example]) -> Deck:
    """Average a deck's templates and print runs over all photos of a lesson.

    Raises:
        Malformed: If no copy of the face is found in the last photo, in the real photos
            or in the fake ones.
    """
    # The generator unpacks one photo at a time, to save memory.
    copies = tuple(_find_copies(field_of(example), deck) for example in lesson)
    kinds = [int(example.is_fake) for example in lesson]
    shown_kinds = {kind for kind, faces in zip(kinds, copies, strict=True) if faces}
    if not copies[-1] or len(shown_kinds) < 2:
        raise Malformed(
            say("none of the deck's faces is to be seen in this photo"),
            say("take it again, nearer and sharper, without glare"),
        )
    runs = [
        measure_run(faces, example.frequency, _shift_of(deck, faces, example.frequency))
        for example, faces in zip(lesson, copies, strict=True)
        if faces
    ]
    return replace_runs(average_copies(Portrait(deck, copies), kinds).deck, runs)


def _shift_of(
    deck: Deck, faces: Sequence[Face], frequency: tuple[float, float]
) -> float:
    """Return the shift of the print run whose lines lie most like a photo's."""
    own_run = measure_run(faces, frequency, deck.shift)
    return min(decks_by_run(deck), key=lambda run: turn_between(run, own_run)).shift
