"""Whether a page offers the table's camera: only where Linux has one."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.discover_decoder import is_camera_in_sight


@pytest.mark.parametrize(
    ("names", "is_there"),
    [
        ((), False),
        (("bcm2835-codec-decode", "bcm2835-isp", "rpi-hevc-dec"), False),
        (("bcm2835-codec-decode", "unicam-image"), True),
        (("pispbe-config", "rp1-cfe-csi2_ch0"), True),
        (("UVC Camera (046d:0825)",), True),
    ],
)
def test_a_camera_is_in_sight_where_a_sensor_or_a_webcam_is(
    tmp_path: Path, names: tuple[str, ...], is_there: bool
) -> None:
    for number, name in enumerate(names):
        device = tmp_path / f"video{number}"
        device.mkdir()
        (device / "name").write_text(f"{name}\n")
    assert is_camera_in_sight(tmp_path) is is_there


def test_a_machine_without_such_devices_has_none(tmp_path: Path) -> None:
    assert not is_camera_in_sight(tmp_path / "class")
