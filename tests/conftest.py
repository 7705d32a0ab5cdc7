"""What tests of every folder share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.chromium import PATIENCE_MS, chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real Chromium, started once for all tests that look at pages."""
    from playwright.sync_api import expect

    expect.set_options(timeout=PATIENCE_MS)
    with chromium() as started:
        yield started
