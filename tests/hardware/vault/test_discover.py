from __future__ import annotations

from dataclasses import fields
from math import exp
from pathlib import Path

import pytest

from companion.errors import DeviceFault, Malformed
from companion.lock.events import SecretCode, VaultAwoke, VaultLocked, remember
from companion.ports import Line
from hardware.vault import discover, gpio_chip
from hardware.vault.discover import VaultSettings, find_vault, read_settings
from hardware.vault.gpio_chip import GpioLine
from hardware.vault.gpio_vault import GpioVault
from hardware.vault.pins import SERVO_BCM, Pins
from hardware.vault.simulated import SimulatedVault
from tests.fakes import FakeClock
from tests.hardware.vault.pipe_chip import PipeChip
from tests.hardware.vault.rigs import GpioRig
from tests.sample import each


def test_without_variables_the_vault_is_real() -> None:
    assert read_settings({}) == VaultSettings()
    assert VaultSettings().vault == "gpio"


def test_variables_are_read() -> None:
    assert read_settings(
        {
            "COMPANION_VAULT": "simulated",
            "COMPANION_WHEEL_STEPS_PER_DETENT": "2",
            "COMPANION_WHEEL_DETENTS_PER_NUMBER": "4",
            "COMPANION_WHEEL_IS_REVERSED": "1",
            "COMPANION_GPIOCHIP_LABEL": "gpio-sim",
            "COMPANION_PIN_COIL": "26",
            "COMPANION_PORT": "8080",
            "HOME": "/root",
        }
    ) == VaultSettings(
        "simulated",
        wheel_steps_per_detent=2,
        wheel_detents_per_number=4,
        wheel_is_reversed=True,
        gpiochip_label="gpio-sim",
        pins=Pins(latch=26),
    )


def test_a_servo_has_a_pin_of_its_own() -> None:
    chosen = {"COMPANION_LATCH": "servo", "COMPANION_PIN_COIL": "13"}
    assert read_settings(chosen).pins == Pins(latch=SERVO_BCM)
    moved = read_settings(chosen | {"COMPANION_PIN_SERVO": "18"})
    assert moved.pins == Pins(latch=18)
    taken = {"COMPANION_PIN_SERVO": "13"}  # The buzzer's: no matter, with a coil.
    assert read_settings(taken).pins == Pins()
    with pytest.raises(Malformed, match="latch: expected a pin of its own, got 13"):
        read_settings(chosen | taken)


@pytest.mark.parametrize("has_servo", [False, True])
def test_a_simulated_bolt_takes_the_time_of_its_latch(has_servo: bool) -> None:
    latch, clock = "servo" if has_servo else "solenoid", FakeClock()
    device = find_vault(
        VaultSettings("simulated", latch), clock, coil_clock=clock, was_lid_shut=True
    )
    device.release(400)
    clock.advance(100)
    assert device.levels()[Line.LID] is has_servo
    clock.advance(100)
    assert not device.levels()[Line.LID]


@each(
    ("variable", "text", "problem"),
    [
        ("VAULT", "real", "COMPANION_VAULT of gpio or simulated or none, got 'real'"),
        ("VAULT", "", "COMPANION_VAULT of gpio or simulated or none, got ''"),
        ("PIN_COIL", "seventeen", "COMPANION_PIN_COIL to be a whole number"),
        ("PIN_COIL", "-1", "COMPANION_PIN_COIL to be a whole number"),
        (
            "PIN_COIL",
            "\N{ARABIC-INDIC DIGIT ONE}",
            "COMPANION_PIN_COIL to be a whole number",
        ),
        ("PIN_COIL", "5", "latch: expected a pin that starts low"),
        ("LATCH", "magnet", "COMPANION_LATCH of solenoid or servo, got 'magnet'"),
        (
            "SERVO_BACK_US",
            "2501",
            r"SERVO_BACK_US in 500\.\.2500 and apart, got .*2501",
        ),
        ("SERVO_HOME_US", "2000", r"and apart, got \(2000, 2000\)"),
        ("SERVO_HOME_US", "499", r"SERVO_BACK_US in 500\.\.2500 and apart, got .*499"),
        ("PIN_COYL", "17", "expected one of COMPANION_PIN_BUZZER, .*got COMPANION_PIN"),
        ("WHEEL_STEPS_PER_DETENT", "3", "steps_per_detent of 1, 2 or 4, got 3"),
        ("WHEEL_IS_REVERSED", "yes", "COMPANION_WHEEL_IS_REVERSED of 0 or 1"),
    ],
)
def test_nonsense_is_refused(variable: str, text: str, problem: str) -> None:
    with pytest.raises(Malformed, match=problem) as refused:
        read_settings({f"COMPANION_{variable}": text})
    assert refused.value.remedy


def test_simulated_vault_only_when_asked_for() -> None:
    settings = VaultSettings("simulated", wheel_steps_per_detent=2)
    device = find_vault(settings, FakeClock())
    assert isinstance(device, SimulatedVault)
    assert not device.levels()[Line.LID]


def test_coil_has_a_clock_of_its_own() -> None:
    clock = FakeClock()
    device = find_vault(VaultSettings("simulated"), clock)
    assert isinstance(device, SimulatedVault)
    assert device._coil._clock is not clock
    assert device._coil._guard is clock


def test_simulated_lid_lies_where_it_was_left() -> None:
    locked = remember((VaultAwoke(True), VaultLocked(SecretCode(4), 1)))
    was_lid_shut = locked.was_lid_shut
    settings = VaultSettings("simulated")
    device = find_vault(settings, FakeClock(), was_lid_shut=was_lid_shut)
    assert device.levels()[Line.LID]
    assert not remember(()).was_lid_shut


def test_missing_header_is_explained() -> None:
    settings = VaultSettings(gpiochip_label="nobody's-")
    with pytest.raises(
        DeviceFault,
        match=r"no vault on the pins: expected one GPIO chip labelled nobody's-…, got "
        r".*COMPANION_VAULT=simulated",
    ):
        find_vault(settings, FakeClock())


def test_a_pin_that_was_low_is_read_once_its_capacitor_is_charged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Or the vault would wake with its lid shut and each button pressed."""
    chip, clock = LowChip(), FakeClock()
    monkeypatch.setattr(gpio_chip, "find_chip", lambda label: chip)
    monkeypatch.setattr(discover.time, "sleep", chip.charge)
    vault = find_vault(VaultSettings(), clock, coil_clock=clock)
    assert not any(vault.levels().values())
    vault.close()


def test_who_gives_up_while_pins_rise_leaves_none_claimed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def give_up(_time_s: float) -> None:
        raise KeyboardInterrupt

    chip, clock = LowChip(), FakeClock()
    monkeypatch.setattr(gpio_chip, "find_chip", lambda label: chip)
    monkeypatch.setattr(discover.time, "sleep", give_up)
    with pytest.raises(KeyboardInterrupt):
        find_vault(VaultSettings(), clock, coil_clock=clock)
    assert {line.fileno() for line in chip.lines.values()} == {-1}


class LowChip(PipeChip):
    """Pins that their own pull-downs held low, each with 100 nF to ground."""

    def claim_input(self, offset: int, *, consumer: str) -> GpioLine:
        return self._made(offset, False)

    def charge(self, time_s: float) -> None:
        """Let time pass; 73 kilohms are the weakest pull-up of a Pi 4."""
        volts = 3.3 * (1 - exp(-time_s / (73e3 * 100e-9)))
        for line in self.lines.values():
            line.level = line.level or volts > 2.0


def test_a_table_without_a_vault_has_none_to_open() -> None:
    with pytest.raises(DeviceFault, match="COMPANION_VAULT is none"):
        find_vault(VaultSettings("none"), FakeClock())


def test_second_owner_of_the_pins_is_told_so_and_holds_nothing() -> None:
    rig = GpioRig(FakeClock())
    with pytest.raises(DeviceFault, match=r"taken .*another copy of this program"):
        GpioVault(rig.pins, rig.clock, pin_factory=rig.factory)
    rig.device.release(100)  # The first owner is not disturbed.
    rig.device.close()
    again = GpioVault(rig.pins, rig.clock, pin_factory=rig.factory)
    again.close()


def test_every_setting_is_documented_in_the_readme() -> None:
    readme = (Path(__file__).parents[3] / "hardware" / "README.md").read_text()
    for field in fields(VaultSettings):
        if field.name != "pins":
            assert f"`COMPANION_{field.name.upper()}`" in readme
    assert "`COMPANION_PIN_" in readme
