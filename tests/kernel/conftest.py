"""These tests want the simulated chip that ``tests/machines/kernel.sh`` makes."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from hardware.vault.pins import Pins
from tests.kernel.world import World

collect_ignore_glob = [] if "GPIO_SIM_CHIP" in os.environ else ["test_*.py"]


@pytest.fixture
def world() -> Iterator[World]:
    """Make the world outside the pins: contacts open, nothing else pulls."""
    world = World()
    world.rest(Pins())
    yield world
    world.persists = False
    world.rest(Pins())
