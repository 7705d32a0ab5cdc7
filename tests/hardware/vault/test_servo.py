"""The servo on faked files of the kernel; on the real ones it is in tests/kernel."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.errors import DeviceFault
from hardware.vault import pwm
from hardware.vault.coil import REST_MS
from hardware.vault.gpio_vault import GpioVault
from hardware.vault.latches import HOME_MS
from hardware.vault.pins import SERVO_BCM
from hardware.vault.pwm import LAST_PULSE_S, PERIOD_NS, drive_home, find_channel
from hardware.vault.servo import CHARGE_MS, Servo
from tests.fakes import FakeClock
from tests.hardware.vault.rigs import (
    TRAVEL,
    ColdRig,
    OverheardChannel,
    ServoRig,
    faked_channel,
    faked_chips,
)
from tests.running import ROOT


@pytest.fixture
def rig() -> ServoRig:
    return ServoRig(FakeClock())


def test_at_the_start_it_goes_home_and_rests(rig: ServoRig) -> None:
    assert rig.channel.widths_us == [TRAVEL.home_us]
    assert (rig.channel.path / "period").read_text() == str(PERIOD_NS)
    rig.clock.advance(HOME_MS - 1)
    assert rig.channel.is_sending
    rig.clock.advance(1)
    assert not rig.channel.is_sending
    rig.device.close()


def test_a_pull_is_back_home_and_rest(rig: ServoRig) -> None:
    rig.device.release(400)
    assert rig.channel.widths_us[-1] == TRAVEL.back_us
    rig.clock.advance(400)
    assert rig.channel.widths_us[-1] == TRAVEL.home_us
    rig.clock.advance(HOME_MS)
    assert rig.channel.widths_us == [TRAVEL.home_us, TRAVEL.back_us, TRAVEL.home_us]
    assert not rig.channel.is_sending
    assert rig.channel.read("enable")  # Until the last pulse is over.
    rig.clock.advance(LAST_PULSE_S * 1000)
    assert not rig.channel.read("enable")
    rig.device.close()


def test_a_power_cut_in_a_pull_is_made_good_once_the_reservoir_is_charged() -> None:
    """The way home right after power-on had no strength."""
    rig = ColdRig(FakeClock())
    assert rig.device.charge_ms() == CHARGE_MS
    rig.clock.advance(CHARGE_MS - 1)
    assert (rig.channel.widths_us, rig.device.charge_ms()) == ([TRAVEL.home_us], 1)
    rig.clock.advance(1)
    assert rig.channel.widths_us == [TRAVEL.home_us] * 2
    assert rig.device.charge_ms() == 0
    rig.clock.advance(CHARGE_MS)
    assert rig.channel.widths_us == [TRAVEL.home_us] * 2
    assert not rig.channel.is_sending
    assert rig.clock.waiting_count == 0
    rig.device.close()


def test_the_end_of_the_way_home_does_not_cut_the_next_pull(rig: ServoRig) -> None:
    """Which a rest of five seconds keeps apart, were it not for a clock held up."""
    for _ in range(2):  # The last pulse at home, and then none.
        timer = rig.device._servo._timer  # Its time has come: it waits for the lock.
        rig.device._coil._switch(True)
        timer.act()
        rig.clock.advance(HOME_MS)
        assert rig.channel.is_sending
        rig.device._coil._switch(False)
        timer.act()
        rig.clock.advance(HOME_MS - 1)
        assert rig.channel.is_sending
        rig.clock.advance(1)
        assert not rig.channel.is_sending
    rig.device.close()


def test_who_closes_it_in_a_pull_lets_it_come_home(rig: ServoRig) -> None:
    rig.clock.advance(HOME_MS)
    rig.device.release(400)
    began_ns = rig.clock.monotonic_ns()
    rig.device.close()
    assert rig.channel.widths_us[-1] == TRAVEL.home_us
    passed_ms = (rig.clock.monotonic_ns() - began_ns) // 1_000_000
    assert passed_ms == HOME_MS + LAST_PULSE_S * 1000
    assert not rig.channel.read("enable")


def test_who_closes_it_at_home_waits_for_nothing(rig: ServoRig) -> None:
    rig.clock.advance(HOME_MS + LAST_PULSE_S * 1000)
    began_ns = rig.clock.monotonic_ns()
    rig.device.close()
    assert rig.clock.monotonic_ns() == began_ns


def test_a_second_program_is_refused_before_the_servo_moves(rig: ServoRig) -> None:
    rig.device.release(400)
    sent = list(rig.channel.widths_us)
    second = Servo(rig.channel, TRAVEL, rig.clock)
    with pytest.raises(DeviceFault, match="taken"):
        GpioVault(rig.pins, rig.clock, pin_factory=rig.factory, servo=second)
    assert rig.channel.widths_us == sent
    assert rig.channel.is_sending
    rig.device.close()


def test_a_channel_that_is_gone_is_a_fault_in_words(rig: ServoRig) -> None:
    rig.device.close()
    rig.channel.path.rename(rig.channel.path.with_name("gone"))
    with pytest.raises(DeviceFault, match="pwm0"):
        GpioVault(
            rig.pins,
            rig.clock,
            pin_factory=rig.factory,
            servo=Servo(rig.channel, TRAVEL, rig.clock, rig._wait),
        )


def test_it_goes_home_once_more_if_that_could_not_be_ended(rig: ServoRig) -> None:
    """As long as the pull could not be ended, the second deadline tries on."""
    rig.device.release(400)
    rig.channel.broken.append(TRAVEL.home_us)
    rig.clock.advance(400)
    assert rig.device._coil.is_on
    rig.channel.broken.clear()
    rig.clock.advance(100)
    assert not rig.device._coil.is_on
    assert rig.channel.widths_us[-1] == TRAVEL.home_us
    rig.clock.advance(HOME_MS)
    assert not rig.channel.is_sending
    rig.device.close()


def test_pulses_that_cannot_be_ended_at_home_do_no_harm(
    rig: ServoRig, caplog: pytest.LogCaptureFixture
) -> None:
    enable = rig.channel.path / "enable"
    enable.rename(rig.channel.path / "lost")
    enable.mkdir()
    rig.clock.advance(HOME_MS + LAST_PULSE_S * 1000)
    assert "servo_hums" in caplog.text
    enable.rmdir()
    (rig.channel.path / "lost").rename(enable)
    rig.clock.advance(1000)
    assert not rig.channel.read("enable")  # It was tried again.
    rig.clock.advance(REST_MS)
    rig.device.release(400)
    rig.clock.advance(400 + HOME_MS)
    assert not rig.channel.is_sending
    rig.device.close()


def test_its_pin_stays_the_kernels(rig: ServoRig) -> None:
    rig.device.close()
    assert rig.pins.latch not in rig.factory.pins
    assert isinstance(rig.device, GpioVault)


# The kernel's folder.


def test_the_channel_of_the_pin_is_found_among_others(tmp_path: Path) -> None:
    folder = faked_chips(tmp_path, 18, SERVO_BCM)
    assert find_channel(SERVO_BCM, folder).path == folder / "pwmchip1/pwm0"


@pytest.mark.parametrize(("pin", "driver"), [(18, "pwm-gpio"), (12, "pwm-bcm2835")])
def test_without_a_chip_for_the_pin_the_line_of_config_txt_is_named(
    tmp_path: Path, pin: int, driver: str
) -> None:
    folder = faked_chips(tmp_path, pin, driver=driver)
    with pytest.raises(DeviceFault, match="write dtoverlay=pwm-gpio,gpio=12 below"):
        find_channel(SERVO_BCM, folder)


def test_a_channel_that_nobody_opened_is_opened_and_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = faked_chips(tmp_path, SERVO_BCM)
    chip = folder / "pwmchip0"
    (chip / "pwm0").rename(tmp_path / "soon")
    waits: list[float] = []

    def wait(pause_s: float) -> None:
        waits.append(pause_s)
        if len(waits) == 3:
            (tmp_path / "soon").rename(chip / "pwm0")

    monkeypatch.setattr(pwm.time, "sleep", wait)
    assert find_channel(SERVO_BCM, folder).path.exists()
    assert (chip / "export").read_text() == "0"
    (chip / "pwm0").rename(tmp_path / "soon")
    monkeypatch.setattr(pwm.time, "sleep", lambda _: None)
    with pytest.raises(DeviceFault, match=r"may not be written to .*group gpio"):
        find_channel(SERVO_BCM, folder)


MS = 1_000_000


@pytest.mark.parametrize(
    "left",
    [
        {},
        {"period": 20 * MS, "duty_cycle": 2 * MS, "enable": 1},
        {"period": 40 * MS, "duty_cycle": 30 * MS},
        {"period": 40 * MS, "duty_cycle": 30 * MS, "enable": 1},
        {"period": 5 * MS, "duty_cycle": 1 * MS, "enable": 1},
        {"period": 20 * MS, "duty_cycle": 2 * MS, "polarity": "inversed"},
        {"period": 30 * MS, "duty_cycle": 9 * MS, "enable": 1, "polarity": "inversed"},
    ],
)
def test_a_channel_is_taken_over_however_another_program_left_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left: dict[str, object]
) -> None:
    monkeypatch.setattr(pwm.time, "sleep", lambda _: None)
    channel = OverheardChannel(faked_channel(tmp_path))
    for name, value in left.items():
        (channel.path / name).write_text(str(value))
    channel.send(1500)
    assert channel.read("period") == PERIOD_NS
    assert (channel.path / "polarity").read_text() == "normal"
    assert channel.widths_us == [1500]
    channel.end(lambda _: None)
    assert not channel.read("enable")


@pytest.mark.parametrize(("home_us", "width_ns"), [(2000, 2 * MS), (None, 7)])
def test_a_servo_that_a_program_left_is_driven_home_and_its_pulses_end(
    tmp_path: Path, home_us: int | None, width_ns: int
) -> None:
    folder = faked_chips(tmp_path, SERVO_BCM, 18)
    for chip in folder.iterdir():
        told = {"period": PERIOD_NS, "duty_cycle": 7, "enable": 1}
        for name, value in told.items():
            (chip / "pwm0" / name).write_text(str(value))
    seen: list[tuple[float, str]] = []

    def wait(time_s: float) -> None:
        width = (folder / "pwmchip0/pwm0/duty_cycle").read_text()
        seen.append((time_s, width))

    assert drive_home(SERVO_BCM, home_us, 0.5, folder, wait)
    home = [(0.5, str(width_ns))] if home_us else []
    assert seen == [*home, (LAST_PULSE_S, "0")]
    assert (folder / "pwmchip0/pwm0/enable").read_text() == "0"
    assert (folder / "pwmchip1/pwm0/enable").read_text() == "1"
    (folder / "pwmchip0/pwm0").rename(tmp_path / "closed")
    assert not drive_home(SERVO_BCM, home_us, 0.5, folder, wait)
    assert not drive_home(4, home_us, 0.5, tmp_path / "nothing", wait)


def test_pulses_end_though_the_way_home_is_refused(tmp_path: Path) -> None:
    folder = faked_chips(tmp_path, SERVO_BCM)
    path = folder / "pwmchip0/pwm0"
    for name, value in (("period", PERIOD_NS), ("enable", 1)):
        (path / name).write_text(str(value))
    (path / "polarity").unlink()
    with pytest.raises(DeviceFault, match="No such file"):
        drive_home(SERVO_BCM, 1000, 0.5, folder, lambda _: None)
    assert (path / "enable").read_text() == "0"


def test_coil_off_ends_a_servo_and_asks_for_no_pin() -> None:
    ran = subprocess.run(
        [sys.executable, "-S", "-m", "hardware.vault.coil_off"],
        cwd=ROOT,
        env={**os.environ, "COMPANION_LATCH": "servo", "COMPANION_VAULT": "gpio"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == "nobody has opened the pulses of GPIO12, so none can be on\n"
