"""These tests want picamera2 and libcamera: `make proofs-camera` brings both."""

from __future__ import annotations

import os

import pytest

collect_ignore_glob = [] if "CAMERA_MACHINE" in os.environ else ["*"]

OUT_OF_DATE = ("ignore:setDaemon:DeprecationWarning", "ignore::ResourceWarning")
"""Python's complaints about picamera2 0.3.38: how it begins its threads, and that it
leaves it to others to close the pipe of a camera that could not be opened."""


def pytest_configure(config: pytest.Config) -> None:
    for line in OUT_OF_DATE:
        config.addinivalue_line("filterwarnings", line)
