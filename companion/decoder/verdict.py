"""Judges a note by its faces: real, fake, or unsure and why.

A fake note's faces wear a mask, a real note's are plain. `fit` has compared each face
with the deck's two templates:

- *likeness*: how much it looks like the deck's face at all, -1..1;
- *mask*: where it lies between the plain template (-1) and the masked one (1);
- *seen*: how much of it lies where the panel can be trusted, 0..1;
- *shown*: the same of the places where the templates differ, such as the eyes.

Faces that are clear enough are *witnesses*; those like one of the templates *count*.
Each gives *evidence*, the log of the odds that it wears the mask. The sum for all faces
must be far enough from zero, on either side, and no witness may clearly contradict it;
else the reading is unsure.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass, replace

import numpy as np

from companion.decoder.deck import Deck
from companion.decoder.fit import Face, mean_likeness
from companion.decoder.phase import Field
from companion.decoder.screen import FINE_PX
from companion.words import say

# Which faces count.

TOGETHER_MIN = 0.92
"""Least likeness of a note's faces together, if the deck was learnt.

See `fit.mean_likeness`. Of 285 notes of drawn decks and of the built-in one, all that
could be read had 0.922 and more, except one with 0.916; of some 2,400 readings of other
decks' notes and of clutter, none had more than 0.889.
"""

UNKNOWN_RUN_MIN = 0.96
"""TOGETHER_MIN for lines of a print run that the deck does not know.

Most notes of other decks have such lines. Of 188 notes of drawn decks, four were of an
unknown run, and had 0.96 and more; of 700 frames read with decks whose face is little
more than a blot, the most alike had 0.909.
"""

TOGETHER_EXACT_MIN = 0.88
"""TOGETHER_MIN for a deck that was not learnt, since its face is known exactly.

With the built-in deck, the most alike in 740 frames of other decks or without a print
was 0.583; its own face without a chin has 0.865.
"""

FACE_MIN = 0.8
"""Least likeness of a clear face; from 0.6 to 0.8 the verdicts are the same."""

SEEN_MIN = 0.6
"""Least `Face.seen` of a clear face."""

SHOWN_MIN = 0.5
"""Least `Face.shown` of a clear face.

Of 663 faces of sound notes of drawn decks, the least had 0.58; of those whose eyes were
covered, two of three had less than 0.5.
"""

MASK_MAX = 1.5
"""Absolute value of `Face.mask` beyond which a face is like neither template.

Such a face, a symbol or a poor fit, does not count, but may contradict a verdict."""

NEARLY_ALIKE = 0.08
"""How much less alike than the clearest face a witness may be.

Likeness is measured within the outline here, see `fit.mean_likeness`. 0.06 loses one
of 196 notes of drawn decks, 0.1 none. A blot that resembles a face with a large mask is
less alike by 0.09.
"""

# What the faces prove.

DOUBT = 2.0
"""Standard deviation of `Face.mask` for a likeness, or a share shown, of 0.

It falls linearly to 0 for a likeness, or a share, of 1."""

SPREAD_BASE = 0.35
"""Standard deviation of `Face.mask` beyond what the picture's own noise explains."""

HIDDEN = 0.1
"""Prior probability that the eyes of all faces of a note are covered."""

HIDDEN_SPREAD = 0.5
"""Standard deviation of `Face.mask` if the eyes are covered; its mean is 0.

Of 280 faces that counted on notes with covered eyes, half had 0.43 and less."""

STRAY = 0.005
"""Likelihood of any value of `Face.mask` if a face is scratched, or is no face.

It limits the evidence of one face to 5 or so."""

EVIDENCE_MIN = 3.0
"""The reading is unsure if the evidence of all faces is nearer to zero than this."""

CONTRADICTION = 2.5
"""Evidence from which a witness against the verdict makes the reading unsure."""

CONFIDENCE_MAX = 0.999
"""The highest confidence that simulated photos can prove."""

# Why a reading is unsure.

SHOWN_WELL = 0.8
"""`Face.shown` from which nothing covers the eyes; 95 % of sound faces had more."""

BLIND_MIN = 0.9
"""Likeness from which a face that does not show its eyes is taken for a covered one.

Of seven notes with covered eyes, read with another deck, no face had more than 0.81.
"""

CLOSE_MIN = 3.0
"""Pixels a line below which coming closer is the first thing to try."""

GLARE_MIN = 0.12
"""Share of blown-out pixels around a panel from which a reflection is to blame.

It is about one face of the eight on a panel. 30 % less or more changes no reason of 31
unsure notes, some of them under lamps.
"""

FAINT = 12.0
"""Amplitude of the lines, in grey levels, below which blur may be to blame.

Of 12 blurred notes that were unsure none had more than 10; of 13 bent or crumpled ones
none less than 13.
"""

COHERENT_MIN, COHERENT_LARGE_MIN = 0.88, 0.915
"""Least `Field.coherence` of a clear picture; the second for large, dark lines.

Nine in ten of 136 prints that were read, most in hard conditions, had more than the
first. Sharp notes of unknown decks had 0.92 and more, bent and crumpled ones 0.84 to
0.91.
"""

AMPLITUDE_MIN = 3.0
"""Amplitude of the lines, in grey levels, below which they are blurred.

Of 136 prints that were read, 98 % had 4.4 and more. 30 % more changes the reason of 1
of 31 unsure notes.
"""

COVERED_MIN = 0.7
"""Likeness from which a face that is seen only in part counts as covered.

It is far below FACE_MIN, since a finger may hide the rest. 30 % less or more changes no
reason of 31 unsure notes.
"""


class Verdict(enum.StrEnum):
    """The result of reading a note."""

    REAL = "real"
    FAKE = "fake"
    UNSURE = "unsure"


def verdict_of(*, is_fake: bool) -> Verdict:
    """Return the right verdict on a note that is known to be fake or real."""
    return Verdict.FAKE if is_fake else Verdict.REAL


class Reason(enum.StrEnum):
    """Why a reading is unsure; `words` says what to do."""

    TOO_FAR = "too_far"  # Lines too fine for the picture.
    BLURRED = "blurred"  # Lines too faint.
    GLARE = "glare"  # A reflection on the panel.
    COVERED = "covered"  # No face is seen whole.
    EYES_COVERED = "eyes_covered"  # Faces are seen, but not where a mask would be.
    NO_PICTURE = "no_picture"  # Lines that show no clear picture.
    CONTRADICTION = "contradiction"  # Some faces say real, others fake.
    MIRRORED = "mirrored"  # Faces, but only in a mirror.
    NOT_A_DECK_I_KNOW = "not_a_deck_i_know"  # A clear picture without the deck's face.
    TOO_MANY = "too_many"  # A print beyond the number that is read in a frame.
    NO_SCRAMBLED_PRINT = "no_scrambled_print"  # No lines.

    @property
    def words(self) -> str:
        """One sentence for the players."""
        return WORDS[self]


WORDS = {
    Reason.TOO_FAR: say("too far away: bring the note closer"),
    Reason.BLURRED: say("blurred: hold still, and wait for the focus"),
    Reason.GLARE: say("a reflection hides the faces: tilt the note or move the lamp"),
    Reason.COVERED: say("no whole face to be seen: take the finger away"),
    Reason.EYES_COVERED: say(
        "the eyes are covered: tilt the note, or take away what lies on the faces"
    ),
    Reason.NO_PICTURE: say(
        "lines, but nothing hidden in them that I can undo: lay a note flat, in even "
        "light"
    ),
    Reason.CONTRADICTION: say("the faces do not agree: show the note again"),
    Reason.MIRRORED: say(
        "this picture is mirrored: use the camera on the phone's back, or turn its "
        "mirror off"
    ),
    Reason.NOT_A_DECK_I_KNOW: say(
        "a scrambled print, but not of a deck I know: choose its deck, or teach it"
    ),
    Reason.TOO_MANY: say("more prints than I can read at once: show fewer"),
    Reason.NO_SCRAMBLED_PRINT: say(
        "no scrambled print to be seen: lay a note there, or come closer"
    ),
}


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """The verdict that follows from the faces of one screen.

    Attributes:
        verdict: Real, fake or unsure.
        reason: Why the verdict is unsure, else None.
        evidence: Log of the odds that the note is fake, against real.
        confidence: Probability that the verdict is right, 0..1; if unsure, how near
            the reading came to a verdict.
        faces: The faces that counted.
    """

    verdict: Verdict
    reason: Reason | None
    evidence: float
    confidence: float
    faces: tuple[Face, ...]


def _normal_density(face: Face, mean: float, variance: float) -> float:
    """Return the normal density of a face's `mask`, clipped to -1..1."""
    distance = max(-1.0, min(1.0, face.mask)) - mean
    return math.exp(-(distance**2) / 2 / variance) / math.sqrt(2 * math.pi * variance)


def _likelihood(face: Face, mask: float) -> float:
    """Return the likelihood of a face if it wears a mask (*mask* 1) or none (-1)."""
    # Each of these is a standard deviation.
    unlike, not_shown = DOUBT * (1 - face.likeness), DOUBT * (1 - face.shown)
    variance = SPREAD_BASE**2 + face.spread**2 + (unlike**2 + not_shown**2)
    return _normal_density(face, mask, variance) + STRAY


def evidence_of(face: Face) -> float:
    """Return the log of the odds that one face wears a mask, against none."""
    return math.log(_likelihood(face, 1) / _likelihood(face, -1))


def _weigh_faces(faces: tuple[Face, ...]) -> tuple[float, float]:
    """Weigh three hypotheses: all faces wear the mask, none does, all eyes are covered.

    Returns:
        The log of the odds that the note is fake, against real; and the log of the odds
        that the eyes are covered, against the likelier of the other two.
    """
    masked = sum(math.log(_likelihood(face, 1)) for face in faces)
    plain = sum(math.log(_likelihood(face, -1)) for face in faces)
    # The prior of each of these two is half of what HIDDEN leaves.
    hidden = math.log(2 * HIDDEN / (1 - HIDDEN)) + sum(
        math.log(_normal_density(face, 0, HIDDEN_SPREAD**2 + face.spread**2))
        for face in faces
    )
    # Behind covered eyes real and fake are equally likely.
    half_hidden = hidden - math.log(2)
    fake, real = np.logaddexp(masked, half_hidden), np.logaddexp(plain, half_hidden)
    return float(fake - real), hidden - max(masked, plain)


def judge(
    field: Field,
    faces: tuple[Face, ...],
    glare: float,
    deck: Deck,
    *,
    is_known_run: bool = True,
) -> Judgement:
    """Judge a note: real, fake or unsure.

    Args:
        field: The hidden picture the faces were found in.
        faces: All faces found, of any likeness.
        glare: Share of blown-out white pixels around the panel, 0..1.
        deck: The deck whose faces were sought.
        is_known_run: Whether the deck knows the note's print run; else the faces must
            be more alike.
    """
    together_min = TOGETHER_EXACT_MIN
    if deck.is_learnt:
        together_min = TOGETHER_MIN if is_known_run else UNKNOWN_RUN_MIN
    witnesses = _find_witnesses(faces, deck)
    counted = tuple(face for face in witnesses if abs(face.mask) <= MASK_MAX)
    evidence, hidden = _weigh_faces(counted)
    is_masked = evidence > 0
    agreed = [face for face in counted if (face.mask > 0) is is_masked]
    if not agreed or mean_likeness(agreed, deck, masked=is_masked) < together_min:
        counted, evidence = (), 0.0
    # From log odds to a probability; exp must not overflow.
    confidence = min(CONFIDENCE_MAX, 1 / (1 + math.exp(-min(30.0, abs(evidence)))))
    shares = [evidence_of(face) for face in witnesses]
    is_contradicted = any(e * evidence < 0 and abs(e) > CONTRADICTION for e in shares)
    reason: Reason | None = None
    if not counted:
        reason, confidence = _why_no_face(field, faces, glare), 0.0
    elif is_contradicted:
        reason = Reason.CONTRADICTION
    elif abs(evidence) < EVIDENCE_MIN:
        least_shown = min(face.shown for face in counted)
        is_covered = hidden > 0 or least_shown < SHOWN_WELL
        reason = Reason.EYES_COVERED if is_covered else Reason.CONTRADICTION
    if reason is not None:
        return Judgement(Verdict.UNSURE, reason, evidence, confidence, counted)
    verdict = Verdict.FAKE if evidence > 0 else Verdict.REAL
    return Judgement(verdict, None, evidence, confidence, counted)


def _find_witnesses(faces: tuple[Face, ...], deck: Deck) -> list[Face]:
    """Return the faces that are clear, and nearly as alike as the clearest one.

    Symbols beyond MASK_MAX are among them, but none counts as the clearest face.
    """
    clear = [
        (face, mean_likeness([face], deck, masked=face.mask > 0))
        for face in faces
        if face.likeness >= FACE_MIN
        and face.seen >= SEEN_MIN
        and face.shown >= SHOWN_MIN
    ]
    best = max((alike for f, alike in clear if abs(f.mask) <= MASK_MAX), default=1.0)
    return [face for face, alike in clear if alike >= best - NEARLY_ALIKE]


def as_mirrored(judgement: Judgement) -> Judgement:
    """Turn the judgement on mirrored faces into an unsure one that says so.

    Even clear faces decide nothing: in the mirror, they may resemble another deck's.
    """
    return replace(judgement, verdict=Verdict.UNSURE, reason=Reason.MIRRORED, faces=())


def _why_no_face(field: Field, faces: tuple[Face, ...], glare: float) -> Reason:
    """Return the likeliest reason why no face counted."""
    if any(f.likeness >= BLIND_MIN and f.shown < SHOWN_MIN for f in faces):
        return Reason.EYES_COVERED
    if field.pixels_per_line < CLOSE_MIN:
        return Reason.TOO_FAR
    if glare > GLARE_MIN:
        return Reason.GLARE
    is_fine, is_faint = field.pixels_per_line < FINE_PX, field.amplitude < FAINT
    has_face = any(f.likeness >= FACE_MIN and f.seen >= SEEN_MIN for f in faces)
    coherence_min = COHERENT_MIN if is_fine or is_faint else COHERENT_LARGE_MIN
    is_blurred = field.amplitude < AMPLITUDE_MIN or (is_faint and has_face)
    if is_blurred or field.coherence < coherence_min:
        return why_lost(field)
    if any(f.likeness >= COVERED_MIN and f.seen < SEEN_MIN for f in faces):
        return Reason.COVERED
    return Reason.NOT_A_DECK_I_KNOW


def why_lost(field: Field) -> Reason:
    """Return the likeliest reason why lines show no clear picture."""
    if field.pixels_per_line < FINE_PX:
        return Reason.TOO_FAR
    return Reason.BLURRED if field.amplitude < FAINT else Reason.NO_PICTURE
