from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from companion.errors import DeviceFault, Malformed
from companion.ports import CameraState
from hardware.camera.discover import FirstDriver, find_camera
from hardware.camera.settings import (
    KINDS,
    RANGES,
    CameraSettings,
    read_camera_settings,
)
from hardware.camera.simulated import SimulatedDriver
from tests.fakes import FakeClock
from tests.hardware.camera.rigs import picture
from tests.sample import each


def test_without_variables_the_camera_is_looked_for() -> None:
    assert read_camera_settings({}) == CameraSettings()
    assert CameraSettings().camera == "auto"


def test_variables_are_read() -> None:
    assert read_camera_settings(
        {
            "COMPANION_CAMERA": "pi",
            "COMPANION_CAMERA_IS_WHOLE_FIELD": "1",
            "COMPANION_CAMERA_FOCUS_MM": "250",
            "COMPANION_CAMERA_WIDTH_PX": "1920",
            "COMPANION_VAULT": "simulated",
        }
    ) == CameraSettings(
        "pi", camera_is_whole_field=True, camera_focus_mm=250, camera_width_px=1920
    )


@each(
    ("variable", "text", "problem"),
    [
        ("", "usb", "COMPANION_CAMERA of auto, pi, .*, got 'usb'"),
        ("", "folder", "COMPANION_CAMERA_FOLDER to name a folder, got nothing"),
        ("_WIDTH_PX", "wide", "COMPANION_CAMERA_WIDTH_PX to be a whole number, got"),
        ("_WIDTH_PX", "63", r"COMPANION_CAMERA_WIDTH_PX in 64\.\.9248, got 63"),
        ("_FOCUS_MM", "5001", r"COMPANION_CAMERA_FOCUS_MM in 0\.\.5000, got 5001"),
        ("_IS_WHOLE_FIELD", "yes", "COMPANION_CAMERA_IS_WHOLE_FIELD of 0 or 1, got"),
    ],
)
def test_nonsense_is_refused(variable: str, text: str, problem: str) -> None:
    with pytest.raises(Malformed, match=problem) as refused:
        read_camera_settings({f"COMPANION_CAMERA{variable}": text})
    assert refused.value.remedy


def test_every_number_has_a_range_and_its_default_is_in_it() -> None:
    numbers = {
        item.name: item.default
        for item in fields(CameraSettings)
        if type(item.default) is int
    }
    assert numbers.keys() == RANGES.keys()
    assert all(RANGES[n][0] <= value <= RANGES[n][1] for n, value in numbers.items())


@pytest.mark.parametrize("kind", KINDS)
def test_finding_a_camera_touches_nothing_yet(kind: str, tmp_path: Path) -> None:
    settings = CameraSettings(kind, camera_folder=str(tmp_path / "gone"))
    camera = find_camera(settings, FakeClock())
    if kind == "none":
        assert camera is None
    else:
        assert camera is not None
        assert camera.health().state is CameraState.CLOSED


def test_a_simulated_camera_shows_what_it_is_given() -> None:
    settings = CameraSettings("simulated")
    camera = find_camera(settings, FakeClock(), pictures=[picture(9)])
    assert camera is not None
    camera.open()
    assert camera.frame().pixels[0, 0, 2] == 9
    camera.close()


def test_without_any_camera_all_that_was_tried_is_said(tmp_path: Path) -> None:
    settings = CameraSettings(camera_device=str(tmp_path / "video0"))
    camera = find_camera(settings, FakeClock())
    assert camera is not None
    camera.open()
    with pytest.raises(
        DeviceFault,
        match=r"no camera of the Pi: .* / no webcam: .* / set COMPANION_CAMERA=none",
    ):
        camera.frame()
    camera.close()


def test_the_first_that_is_there_is_taken_and_decided_anew() -> None:
    first, second = SimulatedDriver([picture(1)]), SimulatedDriver([picture(2)])
    first.is_missing = True
    driver = FirstDriver((first, second))
    assert driver.name == "camera"
    driver.open()
    assert driver.name == "simulated camera"
    assert driver.grab()[0, 0, 2] == 2
    driver.close()
    first.is_missing = False
    driver.open()
    assert driver.grab()[0, 0, 2] == 1
    driver.close()
    with pytest.raises(DeviceFault, match="no camera is open"):
        driver.grab()


def test_every_setting_is_documented_in_the_readme() -> None:
    readme = (Path(__file__).parents[3] / "hardware" / "README.md").read_text()
    for field in fields(CameraSettings):
        assert f"`COMPANION_{field.name.upper()}`" in readme
