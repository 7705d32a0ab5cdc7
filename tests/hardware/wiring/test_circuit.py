"""No level of the Pi's pin can hold the coil, by the simulation of the coil's stage.

This holds for the circuit as drawn, with its parts at the limits of their tolerance.
Bad solder, a broken chip and a shorted transistor are not covered: the fuse is there
for those, and the bench tests.
"""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.vault.coil import ON_NS_MAX, WINDOW_NS
from hardware.vault.pins import Pins
from hardware.wiring.nets import PULL_MS, TOLERANCE, nets
from tests.hardware.wiring.circuit import US, Circuit, Interval
from tests.sample import each

MINUTE_US = 60_000 * US
WINDOW_US = WINDOW_NS // 1_000
ON_US_MAX = ON_NS_MAX // 1_000
DEFAULT_PULSE_US = 400 * US

LEAST, MOST = TOLERANCE
WORST = {1: MOST, 2: LEAST}
"""The longest pull and the shortest lock-out that the parts allow."""
KINDEST = {1: LEAST, 2: MOST}

waveforms = st.lists(
    st.tuples(
        st.integers(1, 5_000 * US) | st.integers(1, 50 * US) | st.just(2_790 * US),
        st.booleans(),
    ),
    max_size=60,
).map(
    lambda steps: list(
        zip(
            itertools.accumulate(gap for gap, _ in steps),
            (level for _, level in steps),
            strict=True,
        )
    )
)


def busiest_us(flows: list[Interval]) -> int:
    """Return the longest time on within any 20 s.

    Only spans that begin or end with a pull need to be looked at.
    """
    starts = [began for began, _ in flows] + [e - WINDOW_US for _, e in flows]
    return max(
        (
            sum(max(0, min(e, s + WINDOW_US) - max(b, s)) for b, e in flows)
            for s in starts
        ),
        default=0,
    )


def toggling(half_period_us: int, until_us: int) -> list[tuple[int, bool]]:
    times = range(half_period_us, until_us, half_period_us)
    return list(zip(times, itertools.cycle((True, False)), strict=False))


@settings(deadline=None)  # The machine may be busy; the circuit's time is not its own.
@given(waveforms, st.sampled_from([WORST, KINDEST, {}]))
def test_no_waveform_holds_the_coil(waveform, stretch) -> None:
    """No pull is too long, and no 20 s have more time on than the program allows."""
    flows = Circuit(stretch=stretch).run(waveform, 6 * MINUTE_US)
    for began_us, ended_us in flows:
        assert ended_us - began_us <= PULL_MS * US * stretch.get(1, 1.0) + US
    assert busiest_us(flows) <= ON_US_MAX


@each("half_ms", [10, 247, 494, 1_645, 3_290, 3_300])
def test_a_toggling_pin_gets_the_coil_a_sixth_of_the_time_at_most(half_ms: int) -> None:
    """As when a kernel or a program flips the pin for ever."""
    flows = Circuit().run(toggling(half_ms * US, MINUTE_US), MINUTE_US)
    assert flows
    assert sum(e - b for b, e in flows) <= MINUTE_US // 6 + PULL_MS * US


def test_the_worst_waveform_with_the_worst_parts_comes_near_a_quarter() -> None:
    """The pin is high, but for an edge as soon as each lock-out is over."""
    waveform = [
        (at_us + edge_us, level)
        for at_us in range(0, MINUTE_US, 2_800 * US)
        for edge_us, level in ((0, True), (2_790 * US, False))
    ]
    flows = Circuit(stretch=WORST).run(waveform, MINUTE_US)
    assert 0.2 * WINDOW_US < busiest_us(flows) <= ON_US_MAX


def test_a_pin_that_stays_high_gets_one_pull() -> None:
    flows = Circuit().run([(1_000, True)], 10 * MINUTE_US)
    assert flows == [(1_000, 1_000 + round(0.7 * 150_000 * 4.7))]


@pytest.mark.parametrize("stretch", [WORST, KINDEST, {}])
def test_the_vaults_own_pull_passes_uncut(stretch) -> None:
    """A pull is 400 ms and comes again after 4 s; parts are at both limits."""
    waveform = [
        (at_us + length_us, level)
        for at_us in range(0, MINUTE_US, 4_000 * US)
        for length_us, level in ((0, True), (DEFAULT_PULSE_US, False))
    ]
    flows = Circuit(stretch=stretch).run(waveform, MINUTE_US)
    assert flows == [
        (at_us, at_us + DEFAULT_PULSE_US) for at_us in range(0, MINUTE_US, 4_000 * US)
    ]


def test_a_short_pulse_stays_short() -> None:
    flows = Circuit().run([(0, True), (50 * US, False)], MINUTE_US)
    assert flows == [(0, 50 * US)]


def test_a_pull_in_the_lock_out_is_not_heard() -> None:
    """The lock is then jammed, and the next press of M pulls again."""
    waveform = [(0, True), (400_000, False), (2_000_000, True), (2_400_000, False)]
    assert Circuit().run(waveform, MINUTE_US) == [(0, 400_000)]


@pytest.mark.parametrize("is_free_high", [False, True])
@each("leg", ["Pi.11", "R1.1", "R1.2", "U2.3", "R5.1", "R5.2", "Q1.G"])
def test_a_wire_that_is_off_pulls_nothing(leg: str, is_free_high: bool) -> None:
    circuit = Circuit(cut=[leg], is_free_high=is_free_high)
    assert circuit.run(toggling(300 * US, MINUTE_US), MINUTE_US) == []


@pytest.mark.parametrize("is_free_high", [False, True])
@each("leg", ["U1.10", "U1.5", "U1.2", "U1.13", "U2.1", "U2.2"])
def test_a_wire_that_is_off_at_a_chip_pulls_nothing_by_itself(
    leg: str, is_free_high: bool
) -> None:
    """The input may read high; a pull may then be longer, but none begins alone."""
    circuit = Circuit(cut=[leg], is_free_high=is_free_high)
    pulse = [(10_000_000, True), (10_400_000, False)]
    for began, ended in circuit.run(pulse, MINUTE_US):
        assert began == 10_000_000
        assert ended <= 10_000_000 + PULL_MS * US


def test_chips_without_their_supply_pull_nothing() -> None:
    circuit = Circuit(is_powered=False)
    assert circuit.run([(0, True)], MINUTE_US) == []


def test_one_shots_that_wake_up_in_a_pulse_pull_nothing_by_themselves() -> None:
    circuit = Circuit()
    circuit.power_up_on()
    assert circuit.run([(10_000_000, True), (10_100_000, False)], MINUTE_US) == [
        (10_000_000, 10_100_000)
    ]


def rewired(leg: str, net: str) -> dict[str, tuple[str, ...]]:
    """Return the nets with *leg* moved to *net*."""
    joined = {
        name: tuple(other for other in legs if other != leg)
        for name, legs in nets(Pins()).items()
    }
    joined[net] = (*joined[net], leg)
    return joined


def test_the_proof_sees_a_one_shot_without_its_lock_out() -> None:
    """With U1's leg 2 on the pin itself, a toggling pin would hold the coil."""
    circuit = Circuit(rewired("U1.2", "fire"))
    waveform = [(at, (at // US) % 500 < 495) for at in range(0, 30_000_000, 5 * US)]
    assert busiest_us(circuit.run(waveform, 30_000_000)) > ON_US_MAX


def test_the_proof_sees_an_and_that_trusts_the_pin() -> None:
    circuit = Circuit(rewired("U2.2", "3.3 V"))
    assert busiest_us(circuit.run([(0, True)], MINUTE_US)) > ON_US_MAX


def test_the_proof_sees_swapped_resistors() -> None:
    joined = rewired("R4.2", "lock-out RC")
    joined["lock-out RC"] = tuple(leg for leg in joined["lock-out RC"] if leg != "R3.2")
    joined["pull RC"] = (*joined["pull RC"], "R3.2")
    (flow,) = Circuit(joined).run([(0, True)], MINUTE_US)
    assert flow[1] - flow[0] > 3_000_000
