from __future__ import annotations

import pytest

from companion.table.buckets import BUCKETS_MAX, Buckets
from tests.fakes import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def buckets(clock: FakeClock) -> Buckets:
    return Buckets(clock, burst_count=3, per_s=2.0)


def test_a_burst_is_granted_and_the_next_one_waits(buckets):
    assert [buckets.wait_s("anna") for _ in range(4)] == [0, 0, 0, 1]


def test_tokens_come_back_with_time_and_never_beyond_the_burst(buckets, clock):
    for _ in range(3):
        buckets.wait_s("anna")
    clock.advance(500)
    assert [buckets.wait_s("anna") for _ in range(2)] == [0, 1]
    clock.advance(3_600_000)
    assert [buckets.wait_s("anna") for _ in range(4)] == [0, 0, 0, 1]


def test_a_refused_tap_costs_nothing(buckets, clock):
    for _ in range(50):
        buckets.wait_s("anna")
    clock.advance(500)
    assert buckets.wait_s("anna") == 0


def test_one_phone_does_not_slow_another(buckets):
    for _ in range(9):
        buckets.wait_s("anna")
    assert buckets.wait_s("ben") == 0


def test_only_so_many_phones_are_remembered(buckets):
    for number in range(BUCKETS_MAX + 50):
        buckets.wait_s(f"phone {number}")
    assert len(buckets._buckets) == BUCKETS_MAX
