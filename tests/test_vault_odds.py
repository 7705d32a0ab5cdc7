"""Each number is as likely to open the vault, and one of the six always does.

The code is drawn as the program draws it, and asked of the lock as people ask: by
pressing M at one number after the other, until the bolt is pulled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from companion.lock.events import LidShut, VaultAwoke, VaultEvent, remember
from companion.lock.locksmith import Locksmith, ReleaseSettings
from companion.lock.quadrature import NUMBER_COUNT
from companion.lock.states import VaultState
from companion.ports import Signal
from serving import draw_code
from tests.fakes import FakeClock
from tests.sample import each

NUMBERS = range(1, NUMBER_COUNT + 1)
LOCKINGS = 10_000
CHI_SQUARE_MAX = 20.515
"""Five degrees of freedom, 99.9 %: a fair draw is beyond it once in a thousand."""
DRAWS_MAX = 3
"""A fair draw is beyond it three times in a row once in a thousand million."""


class Spring:
    """A bolt that is always home again, and needs no rest."""

    def __init__(self) -> None:
        self.pulls = 0

    def release(self, _on_time_ms: int) -> None:
        self.pulls += 1

    def end_release(self) -> None:
        """It is home already."""

    def signal(self, _signal: Signal) -> None:
        """Nobody listens."""


class Lock:
    """A shut vault, and hands that lock and open it again and again."""

    def __init__(self, draw: Callable[[], int]) -> None:
        self.spring = Spring()
        self.written: list[VaultEvent] = []
        self.smith = Locksmith(
            self.spring,  # type: ignore[arg-type]
            FakeClock(),
            lambda events: self.written.extend(events),
            draw,
            remember((VaultAwoke(False), LidShut())),
            ReleaseSettings(),
        )
        self.smith.tend(is_lid_shut=True)

    def found(self) -> int:
        """Lock it, press M at one number after the other; the one that opened it."""
        self.smith.recode(1)
        assert self.smith.state is VaultState.LOCKED
        for number in NUMBERS:
            pulls = self.spring.pulls
            self.smith.press_m(number)
            if self.smith.state is VaultState.RELEASING:
                assert self.spring.pulls == pulls + 1
                self.smith.tend(is_lid_shut=False)
                self.smith.tend(is_lid_shut=True)
                return number
            assert self.spring.pulls == pulls
        raise AssertionError("no number opened it")


def is_even(lock: Lock) -> bool:
    """Whether no number opened it much more often than another."""
    counts = Counter(lock.found() for _ in range(LOCKINGS))
    expected = LOCKINGS / NUMBER_COUNT
    chi_square = sum((counts[x] - expected) ** 2 / expected for x in NUMBERS)
    return chi_square < CHI_SQUARE_MAX


def test_each_number_is_as_likely_and_six_guesses_always_open() -> None:
    lock = Lock(draw_code)
    assert any(is_even(lock) for _ in range(DRAWS_MAX))


@pytest.mark.slow
@pytest.mark.parametrize("numbers", [(1, 2, 3, 4, 5, 6, 6), (1, 2, 3, 4, 5)])
def test_the_odds_would_notice_an_uneven_draw(numbers: tuple[int, ...]) -> None:
    turn = iter(range(DRAWS_MAX * LOCKINGS))
    lock = Lock(lambda: numbers[next(turn) % len(numbers)])
    assert not any(is_even(lock) for _ in range(DRAWS_MAX))


@each("code", NUMBERS)
def test_only_its_own_number_opens_it(code: int) -> None:
    assert Lock(lambda: code).found() == code
