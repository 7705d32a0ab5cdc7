"""The verdict rule alone: faces in, and what they may and may not decide."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.decoder import Reason, Verdict, house_deck
from companion.decoder.fit import Face, aids_of, mean_likeness
from companion.decoder.phase import Field
from companion.decoder.verdict import TOGETHER_MIN, judge
from tests.sample import each

FIELD = Field(
    soft=np.zeros((4, 4), np.float32),
    weight=np.ones((4, 4), np.float32),
    origin_px=(0.0, 0.0),
    step_px=2,
    frequency=(0.2, 0.1),
    amplitude=20.0,
    coherence=0.97,
    minority=0.2,
)
HOUSE = house_deck()
AIDS = aids_of(HOUSE)
NOISE = np.random.default_rng(4).normal(0, 0.6, (6, *AIDS.plain.shape))
FACE = Face(
    centre_px=(0.0, 0.0),
    box_px=np.zeros((4, 2), np.float32),
    likeness=0.97,
    mask=1.0,
    spread=0.05,
    seen=1.0,
    shown=1.0,
    patch=AIDS.masked,
)
REAL = replace(FACE, mask=-1.0, patch=AIDS.plain)
NEITHER = replace(FACE, mask=0.05)
BLIND = replace(FACE, shown=0.4)
OFF = tuple(replace(FACE, mask=mask) for mask in (0.25, 0.2, 0.19, 0.2, 0.27))
"""Five faces of a real note under a white strip over the eyes; it was 99.9 % fake."""
NEARLY = replace(FACE, likeness=0.81, mask=1.6)
SOLID = replace(FACE, patch=np.asarray(AIDS.within[1].reshape(AIDS.plain.shape)))
"""A blot with the outline of the face."""


@each(
    ("faces", "glare", "changes", "wanted"),
    [
        ((FACE,), 0.0, {}, Verdict.FAKE),
        ((REAL,), 0.0, {}, Verdict.REAL),
        ((REAL, REAL, NEITHER), 0.0, {}, Verdict.REAL),
        ((NEITHER,), 0.0, {}, Reason.EYES_COVERED),
        ((BLIND,) * 5, 0.0, {}, Reason.EYES_COVERED),
        ((BLIND,) * 5, 0.5, {"coherence": 0.82}, Reason.EYES_COVERED),
        ((replace(BLIND, likeness=0.82),) * 5, 0.0, {}, Reason.NOT_A_DECK_I_KNOW),
        ((REAL, BLIND, BLIND), 0.0, {}, Verdict.REAL),
        (OFF, 0.0, {}, Reason.EYES_COVERED),
        ((replace(FACE, mask=0.7),) * 3, 0.0, {}, Verdict.FAKE),
        ((REAL, REAL, FACE), 0.0, {}, Reason.CONTRADICTION),
        ((SOLID,), 0.0, {}, Reason.NOT_A_DECK_I_KNOW),
        ((SOLID,) * 5, 0.0, {}, Reason.NOT_A_DECK_I_KNOW),
        ((replace(FACE, likeness=0.82),) * 2, 0.0, {}, Verdict.FAKE),
        ((replace(FACE, likeness=0.79),) * 5, 0.0, {}, Reason.NOT_A_DECK_I_KNOW),
        ((replace(FACE, seen=0.3),), 0.0, {}, Reason.COVERED),
        ((), 0.0, {}, Reason.NOT_A_DECK_I_KNOW),
        ((), 0.5, {}, Reason.GLARE),
        ((), 0.0, {"coherence": 0.82}, Reason.NO_PICTURE),
        ((), 0.0, {"coherence": 0.9}, Reason.NO_PICTURE),
        ((), 0.0, {"coherence": 0.82, "amplitude": 8.0}, Reason.BLURRED),
        ((), 0.0, {"coherence": 0.9, "amplitude": 8.0}, Reason.NOT_A_DECK_I_KNOW),
        ((NEARLY,), 0.0, {"amplitude": 8.0}, Reason.BLURRED),
        ((NEARLY,), 0.0, {}, Reason.NOT_A_DECK_I_KNOW),
        ((), 0.0, {"amplitude": 1.0}, Reason.BLURRED),
        ((), 0.5, {"frequency": (0.4, 0.1)}, Reason.TOO_FAR),
    ],
)
def test_faces_decide_as_far_as_they_agree_and_are_clear(
    faces: tuple[Face, ...],
    glare: float,
    changes: dict[str, float],
    wanted: Verdict | Reason,
) -> None:
    judgement = judge(replace(FIELD, **changes), faces, glare, HOUSE)
    assert (judgement.reason or judgement.verdict) is wanted
    assert (judgement.verdict is Verdict.UNSURE) is (judgement.reason is not None)
    assert 0 <= judgement.confidence < 1


def test_more_faces_make_surer() -> None:
    dim = replace(FACE, likeness=0.9, spread=0.6)
    one, three = judge(FIELD, (dim,), 0.0, HOUSE), judge(FIELD, (dim,) * 3, 0.0, HOUSE)
    assert one.confidence < three.confidence
    assert one.evidence < three.evidence


def test_noise_on_each_face_goes_where_they_are_taken_together() -> None:
    dim = [replace(FACE, patch=np.asarray(AIDS.masked + n, np.float32)) for n in NOISE]
    one, six = (mean_likeness(some, HOUSE, masked=True) for some in (dim[:1], dim))
    assert one < TOGETHER_MIN < six
    assert judge(FIELD, (dim[0],), 0.0, HOUSE).reason is Reason.NOT_A_DECK_I_KNOW
    assert judge(FIELD, tuple(dim), 0.0, HOUSE).verdict is Verdict.FAKE


@each(
    ("pitch_mm", "is_known_run", "alike", "wanted"),
    [
        (0.42, True, 0.89, Verdict.FAKE),
        (0.42, False, 0.89, Verdict.FAKE),
        (0.42, True, 0.87, Reason.NOT_A_DECK_I_KNOW),
        (None, True, 0.89, Reason.NOT_A_DECK_I_KNOW),
        (None, True, 0.93, Verdict.FAKE),
        (None, False, 0.93, Reason.NOT_A_DECK_I_KNOW),
        (None, False, 0.97, Verdict.FAKE),
    ],
)
def test_faces_must_be_more_alike_if_the_deck_was_learnt_or_the_run_is_unknown(
    pitch_mm: float | None, is_known_run: bool, alike: float, wanted: Verdict | Reason
) -> None:
    deck = replace(HOUSE, pitch_mm=pitch_mm)
    noisy = (
        replace(FACE, patch=np.asarray(AIDS.masked + part * NOISE[0], np.float32))
        for part in np.linspace(0, 2, 400)
    )
    face = next(f for f in noisy if mean_likeness([f], deck, masked=True) < alike)
    found = judge(FIELD, (face,), 0.0, deck, is_known_run=is_known_run)
    assert (found.reason or found.verdict) is wanted


def test_another_symbol_among_faces_speaks_only_where_it_is_as_alike() -> None:
    symbol = replace(FACE, mask=1.9)
    assert judge(FIELD, (symbol,) * 3, 0.0, HOUSE).verdict is Verdict.UNSURE
    less = replace(symbol, patch=SOLID.patch)
    assert judge(FIELD, (REAL, REAL, less), 0.0, HOUSE).verdict is Verdict.REAL
    found = judge(FIELD, (REAL, REAL, symbol), 0.0, HOUSE)
    assert found.reason is Reason.CONTRADICTION


@pytest.mark.parametrize(
    ("pixels_per_line", "wanted"), [(3.1, Reason.TOO_FAR), (4.0, Reason.BLURRED)]
)
def test_what_is_blurred_and_fine_is_rather_too_far(
    pixels_per_line: float, wanted: Reason
) -> None:
    frequency = (1 / pixels_per_line, 0.0)
    dim = replace(FIELD, coherence=0.82, amplitude=8.0, frequency=frequency)
    assert judge(dim, (), 0.0, HOUSE).reason is wanted
