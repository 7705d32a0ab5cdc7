"""The coil's rest outlasts the program that made the pulse."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.errors import DeviceFault, Refused, Why
from hardware.vault.pulse_stamps import release_with_stamp
from tests.fakes import FakeClock
from tests.hardware.vault.rigs import GpioRig, Rig, seconds_in
from tests.running import ROOT


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "state" / "coil"


def release(rig: Rig, file: Path, on_time_ms: int = 1000) -> None:
    release_with_stamp(rig.device, rig.clock, file, on_time_ms)


def reborn(rig: Rig) -> Rig:
    """Make the vault of the next program, without a memory of its own."""
    rig.device.close()
    new: Rig = type(rig)(rig.clock)
    return new


def test_pulses_of_earlier_programs_count(rig: Rig, file: Path) -> None:
    for _ in range(5):
        release(rig, file)
        rig.clock.advance(1000)
        rig = reborn(rig)
    for _ in range(2):  # Being refused makes the rest no longer.
        with pytest.raises(Refused) as refused:
            release(rig, file, 50)
        assert refused.value.why is Why.COIL_RESTING
        assert seconds_in(refused.value.remedy) == 15
        assert not any(rig.coil_levels())
        rig = reborn(rig)
    rig.clock.advance(15_000)
    release(rig, file, 50)
    assert len(file.read_text().splitlines()) == 6
    rig.device.close()


def test_old_pulses_are_forgotten(rig: Rig, file: Path) -> None:
    for _ in range(3):
        release(rig, file)
        rig.clock.advance(21_000)
        rig = reborn(rig)
    assert file.read_text() == "42000 1000\n"
    rig.device.close()


@pytest.mark.parametrize(
    "stamps",
    [b"", b"\xff\xfe", b"x", b"1", b"1 2 3", b"60001 100", b"-1 100", b"5 0"],
)
def test_stamps_that_make_no_sense_are_the_worst_case(
    rig: Rig, file: Path, stamps: bytes
) -> None:
    rig.clock.advance(60_000)
    file.parent.mkdir()
    file.write_bytes(stamps)
    with pytest.raises(Refused, match="does not tell when the coil was on") as refused:
        release(rig, file, 50)
    assert seconds_in(refused.value.remedy) == 20
    rig = reborn(rig)
    rig.clock.advance(19_999)
    with pytest.raises(Refused):
        release(rig, file, 50)
    assert not any(rig.coil_levels())
    rig = reborn(rig)
    rig.clock.advance(1)
    release(rig, file, 50)
    rig.device.close()


def test_stamp_is_written_before_the_coil_is_on(rig: Rig, file: Path) -> None:
    rig.break_coil()
    with pytest.raises(DeviceFault):
        release(rig, file, 400)
    assert file.read_text() == "0 400\n"


def test_without_a_stamp_the_coil_stays_off(file: Path) -> None:
    rig = GpioRig(FakeClock())
    file.parent.write_text("a file where the folder should be")
    with pytest.raises(OSError, match="state"):
        release(rig, file, 400)
    assert not any(rig.coil_levels())
    rig.device.close()


@pytest.mark.parametrize("on_time_ms", [49, 6000])
def test_pulse_outside_the_limit_is_not_written(
    rig: Rig, file: Path, on_time_ms: int
) -> None:
    with pytest.raises(ValueError, match=r"expected on_time_ms in 50\.\.1000"):
        release(rig, file, on_time_ms)
    assert not file.exists()


def click(state: Path, on_time_ms: int) -> subprocess.CompletedProcess[str]:
    surroundings = {"COMPANION_VAULT": "simulated", "XDG_STATE_HOME": str(state)}
    return subprocess.run(
        [sys.executable, "-m", "hardware.bench.click_lock", str(on_time_ms)],
        cwd=ROOT,
        env={**os.environ, **surroundings},
        check=False,
        capture_output=True,
        text=True,
    )


def test_bench_script_leaves_the_coil_its_rest(tmp_path: Path) -> None:
    """One program uses up what earlier ones left; the next has to wait."""
    file = tmp_path / "companion" / "coil"
    file.parent.mkdir()
    file.write_text(f"{time.monotonic_ns() // 1_000_000} 4950\n")
    first, second = click(tmp_path, 50), click(tmp_path, 50)
    assert first.returncode == 0, first.stderr
    assert second.returncode == 1
    message = second.stderr.splitlines()[-1]
    assert "the latch was pulled too much in the last 20 seconds" in message
    assert 1 <= seconds_in(message.split("wait")[1]) <= 20
    assert len(file.read_text().splitlines()) == 2
