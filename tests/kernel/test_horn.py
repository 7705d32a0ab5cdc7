"""A horn goes where its pulses send it: that it could be elsewhere is what counts."""

from __future__ import annotations

import pytest

from tests.kernel.horn import PERIOD_US, place_us
from tests.kernel.scope import Pulse

LONG_US = 100 * PERIOD_US


def pulses(*widths_us: int) -> list[Pulse]:
    """Return pulses of these widths, a period apart."""
    return [Pulse(n * PERIOD_US, n * PERIOD_US + w) for n, w in enumerate(widths_us)]


@pytest.mark.parametrize("is_digital", [False, True])
def test_without_pulses_it_stays(is_digital: bool) -> None:
    assert place_us([], LONG_US, start_us=1234, is_digital=is_digital) == 1234


@pytest.mark.parametrize("is_digital", [False, True])
def test_a_quarter_turn_takes_150_ms(is_digital: bool) -> None:
    sent = pulses(*[2000] * 10)
    halfway, there = (
        place_us(sent, 2000 + time_us, start_us=1000, is_digital=is_digital)
        for time_us in (75_000, 150_000)
    )
    assert halfway == pytest.approx(1500)
    assert there == pytest.approx(2000)


@pytest.mark.parametrize(
    ("is_digital", "is_at"), [(False, 1000 - 2000 / 15), (True, 500)]
)
def test_a_cut_pulse_moves_it_a_digital_one_to_the_end(
    is_digital: bool, is_at: float
) -> None:
    sent = pulses(1000, 300)
    found = place_us(sent, LONG_US, start_us=1000, is_digital=is_digital)
    assert found == pytest.approx(is_at)
