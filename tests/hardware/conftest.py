from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fakes import FakeClock
from tests.hardware.vault.rigs import RIGS, Rig


@pytest.fixture(params=RIGS.values(), ids=RIGS.keys())
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    rig: Rig = request.param(FakeClock())
    yield rig
    rig.device.close()
