"""What only real pins have: levels of lights, functions, and other owners."""

from __future__ import annotations

import pytest
from gpiozero.pins.mock import MockFactory

from companion.errors import DeviceFault, Refused
from companion.ports import Line, Signal
from hardware.vault.coil import REST_MS
from hardware.vault.gpio_vault import PATTERNS, SILENCE, GpioVault, Note, SignalPlayer
from hardware.vault.pins import Pins
from tests.fakes import FakeClock
from tests.hardware.vault.rigs import GpioRig
from tests.sample import each

OUTPUTS = ("latch", "led_green", "led_red", "buzzer")
INPUTS = ("wheel_a", "wheel_b", "m_button", "yellow_button", "lid")


@pytest.fixture
def rig():
    rig = GpioRig(FakeClock())
    yield rig
    rig.device.close()


def lit(rig: GpioRig) -> set[str]:
    return {wire for wire in OUTPUTS if rig.pin(wire).state}


def test_outputs_are_low_and_inputs_pulled_up_after_construction(rig: GpioRig) -> None:
    assert lit(rig) == set()
    assert {rig.pin(wire).function for wire in OUTPUTS} == {"output"}
    assert {rig.pin(wire).function for wire in INPUTS} == {"input"}
    assert {rig.pin(wire).pull for wire in INPUTS} == {"up"}
    assert {rig.pin(wire).bounce for wire in INPUTS} == {None}
    assert {rig.pin(wire).edges for wire in INPUTS} == {"both"}


def test_coil_pin_is_never_high_during_construction(rig: GpioRig) -> None:
    assert [bool(state.state) for state in rig.pin("latch").states] == [False]


@pytest.mark.parametrize(
    ("signal", "wires"),
    [
        (Signal.ACCEPTED, {"led_green", "buzzer"}),
        (Signal.RIGHT, {"led_green", "buzzer"}),
        (Signal.WRONG, {"led_red", "buzzer"}),
        (Signal.ALARM, {"led_red", "buzzer"}),
    ],
)
def test_signal_lights_its_lights(rig: GpioRig, signal: Signal, wires) -> None:
    rig.device.signal(signal)
    assert lit(rig) == wires
    rig.clock.advance(5000)
    assert lit(rig) == set()


def test_close_lets_the_pins_go_and_keeps_the_factory(rig: GpioRig) -> None:
    rig.device.signal(Signal.ALARM)
    rig.device.release(1000)
    rig.device.close()
    assert {rig.pin(wire).function for wire in (*OUTPUTS, *INPUTS)} == {"input"}
    again = GpioVault(rig.pins, rig.clock, pin_factory=rig.factory)
    assert not any(again.levels().values())
    again.close()


def test_closed_vault_cannot_be_read(rig: GpioRig) -> None:
    rig.device.close()
    with pytest.raises(DeviceFault, match="closed"):
        rig.device.levels()


@each("wire", [*OUTPUTS, *INPUTS])
def test_whichever_pin_is_missing_the_others_are_let_go(wire: str) -> None:
    factory, clock = MockFactory(), FakeClock()
    bcm = getattr(Pins(), wire)
    factory.pin(bcm)
    factory.reserve_pins(factory, bcm)
    with pytest.raises(DeviceFault, match=f"taken .*GPIO{bcm} .*stop it first"):
        GpioVault(Pins(), clock, pin_factory=factory)
    factory.release_pins(factory, bcm)
    GpioVault(Pins(), clock, pin_factory=factory).close()
    assert not factory.pin(Pins().latch).states[0].state


def test_pins_are_the_ones_asked_for() -> None:
    factory, clock = MockFactory(), FakeClock()
    device = GpioVault(Pins(latch=26), clock, pin_factory=factory)
    clock.advance(REST_MS)
    device.release(100)
    assert factory.pin(26).state
    assert 17 not in factory.pins
    assert "BCM 26" in repr(device)
    device.close()


def test_an_earlier_program_may_have_pulled_just_before_the_start() -> None:
    clock = FakeClock()
    device = GpioVault(Pins(), clock, pin_factory=MockFactory())
    assert device.rest_ms() == REST_MS
    with pytest.raises(Refused, match="wait 5 s"):
        device.release(400)
    clock.advance(REST_MS)
    device.release(400)
    device.close()


def test_edge_before_anybody_listens_is_only_a_level(rig: GpioRig) -> None:
    rig.contact(Line.LID, True)
    assert rig.device.levels()[Line.LID]


@pytest.mark.parametrize("wire", OUTPUTS)
def test_output_left_on_by_a_killed_program_is_off_at_once(wire: str) -> None:
    factory = MockFactory()
    pin = factory.pin(getattr(Pins(), wire))
    pin.function = "output"
    pin.state = True
    device = GpioVault(Pins(), FakeClock(), pin_factory=factory)
    assert not pin.state
    device.close()


def test_every_signal_has_a_pattern_that_ends_dark_and_silent() -> None:
    assert list(PATTERNS) == list(Signal)
    for notes in PATTERNS.values():
        assert notes[0].is_loud
        assert notes[-1] == SILENCE
        assert sum(note.length_ms for note in notes) <= 2000


def test_patterns_are_distinct() -> None:
    assert len(set(PATTERNS.values())) == len(PATTERNS)


def test_pattern_is_played_in_time() -> None:
    clock, shown = FakeClock(), []
    player = SignalPlayer(
        lambda note: shown.append((clock.monotonic_ns() // 1_000_000, note)), clock
    )
    player.play(Signal.WRONG_TIME)
    clock.advance(1000)
    red, dark = Note(False, True, True, 60), Note(False, False, False, 60)
    assert shown == [(0, red), (60, dark), (120, red), (180, SILENCE)]


def test_new_pattern_cuts_the_old_one_short() -> None:
    clock, shown = FakeClock(), []
    player = SignalPlayer(shown.append, clock)
    player.play(Signal.ALARM)
    clock.advance(150)
    shown.clear()
    player.play(Signal.ACCEPTED)
    clock.advance(5000)
    assert shown == list(PATTERNS[Signal.ACCEPTED])


def test_closed_player_is_dark_and_stays_so() -> None:
    clock, shown = FakeClock(), []
    player = SignalPlayer(shown.append, clock)
    player.play(Signal.ALARM)
    player.close()
    player.play(Signal.ALARM)
    clock.advance(5000)
    assert shown[1:] == [SILENCE]


def test_broken_light_stops_nobody(caplog: pytest.LogCaptureFixture) -> None:
    def show(note: Note) -> None:
        raise OSError("the LED is gone")

    player = SignalPlayer(show, FakeClock())
    player.play(Signal.RIGHT)
    player.close()
    assert caplog.text.count("signal_not_shown") == 2
