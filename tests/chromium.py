"""Debian's own Chromium, driven by Playwright; nothing is downloaded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

PROGRAM = "/usr/bin/chromium"
PATIENCE_MS = 30_000
"""How long a page may take on a machine that does something else as well."""

FLAGS = (
    "--no-sandbox",  # The tests may run as root, in a container.
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser without a window; each test takes contexts of its own."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=PROGRAM, args=[*FLAGS])
        yield started
        started.close()
