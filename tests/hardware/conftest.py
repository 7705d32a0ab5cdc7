from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fakes import FakeClock
from tests.hardware.rigs import GpioRig, Rig, SimulatedRig


@pytest.fixture(params=["simulated", "gpio"])
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    rig: Rig
    if request.param == "simulated":
        rig = SimulatedRig(FakeClock())
    else:
        rig = GpioRig(FakeClock())
    yield rig
    rig.device.close()
