"""What tests of every folder share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.chromium import chromium, let_go

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PROOF_S = 900
"""How long a proof may take; a quick test's limit is in pyproject.toml."""


@pytest.hookimpl(tryfirst=True)
def pytest_itemcollected(item: pytest.Item) -> None:
    """A proof takes longer than a quick test may."""
    if item.get_closest_marker("slow"):
        item.add_marker(pytest.mark.timeout(PROOF_S))


@pytest.fixture(scope="session")
def started_browser() -> Iterator[Browser]:
    """A real Chromium, started once for all tests that look at pages."""
    with chromium() as started:
        yield started


@pytest.fixture
def browser(started_browser: Browser) -> Iterator[Browser]:
    """The browser, empty again after each test."""
    yield started_browser
    for context in started_browser.contexts:
        let_go(context)
