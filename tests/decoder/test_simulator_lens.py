"""The simulated film and lens do what the optics of two gratings says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.decoder.simulator_lens import (
    AIDS,
    Overlay,
    contrast,
    covered,
    moire,
    shows,
    simulate_through,
)
from benchmarks.decoder.simulator_print import TEXTURE_PX_PER_MM, Print, printed
from tests.sample import SLOW

pytestmark = SLOW  # What only benchmarks use.

STRAIGHT = {
    "film": Overlay("film", 0.0, 1.0, 0.0, (0.0, 0.0), opening=0.5, dark=1.0),
    "lens": Overlay("lens", 0.0, 1.0, 0.0, (0.0, 0.0), opening=0.2, dark=0.0),
}


def print_() -> Print:
    return printed("house", 0, is_fake=True, variant=1)


def tone(shown: Print) -> np.ndarray:
    """Light off the panel's ground, left to right, in cells of two periods or so."""
    assert shown.clear is not None
    x0, y0 = shown.style.panel_at_mm
    left, top = round(x0 * TEXTURE_PX_PER_MM), round(y0 * TEXTURE_PX_PER_MM)
    cut = (slice(top, top + 800), slice(left, left + 1300))
    light = shown.clear[cut] / 255.0 * (1 - shown.coverage[cut] / 255.0)
    return light.reshape(40, 20, 65, 20).mean(axis=(1, 3))


@pytest.mark.parametrize("aid", AIDS)
def test_half_a_period_out_of_step_swaps_dark_and_light(aid: str) -> None:
    at = np.linspace(0, 1, 24, endpoint=False)
    over, half = contrast(print_(), STRAIGHT[aid], at), at + 0.5
    turned = contrast(print_(), STRAIGHT[aid], half)
    assert np.abs(over + turned).max() < 0.1
    assert np.abs(over).max() > 0.9


@pytest.mark.parametrize("aid", AIDS)
def test_in_step_the_picture_shows_in_two_tones(aid: str) -> None:
    over = STRAIGHT[aid]
    steps = np.linspace(0, 1, 16, endpoint=False)
    best = steps[int(np.abs(contrast(print_(), over, steps)).argmax())]
    seen = tone(covered(print_(), replace(over, phase=float(best))))
    low, high = np.quantile(seen, [0.03, 0.97])
    assert high - low > 0.3 * 0.9
    # The print alone has no tones at all.
    bare = replace(print_(), clear=np.full_like(print_().coverage, 255))
    assert tone(bare).std() < 0.4 * seen.std()


def test_a_degree_of_turn_makes_moire_bands_of_24_mm() -> None:
    turned = replace(STRAIGHT["film"], turn_deg=1.0)
    # Along the lines, which is across the bands.
    angle = np.radians(print_().style.deck.screen.angle_deg + 90)
    ends = np.array([[0.0, 0.0], [np.cos(angle) * 24.25, np.sin(angle) * 24.25]])
    first, last = moire(print_(), turned, ends)
    assert abs(last - first) == pytest.approx(1, abs=0.02)


def test_faces_show_in_step_and_vanish_a_quarter_of_a_period_off() -> None:
    steps = np.linspace(0, 1, 32, endpoint=False)
    over = STRAIGHT["film"]
    curve = np.abs(contrast(print_(), over, steps))
    best, worst = steps[int(curve.argmax())], steps[int(curve.argmin())]
    assert shows(print_(), replace(over, phase=float(best))).all()
    assert not shows(print_(), replace(over, phase=float(worst))).any()


@pytest.mark.parametrize("aid", AIDS)
def test_the_same_arguments_make_the_same_frame(aid: str) -> None:
    one, other = (
        simulate_through(aid, 5, "easy", size_px=(320, 240), pixels_per_line=2.0)
        for _ in range(2)
    )
    assert (one.image == other.image).all()
    assert one.notes[0].verdict == other.notes[0].verdict
