"""Debian's own Chromium, driven by Playwright; nothing is downloaded.

Whoever looks at pages takes contexts from ``new_context`` and gives them back with
``let_go``: then every wait of a browser has a limit, its last one too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager

from playwright.sync_api import (
    Browser,
    BrowserContext,
    Error,
    Page,
    expect,
    sync_playwright,
)

PROGRAM = "/usr/bin/chromium-headless-shell"
"""Chromium without a window: half the work of one whose window nobody sees."""
PATIENCE_MS = 20_000
"""How long a page may take on a machine that does something else as well."""

REST_MS = 5_000
RESTS_MAX = 4
CLOSE_S = 20

FLAGS = (
    "--no-sandbox",  # The tests may run as root, in a container.
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


LIVELY = "no-preference"
"""What ``reduced_motion`` is of a phone whose owner likes to see things move."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser without a window; each test takes contexts of its own."""
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=PROGRAM, args=[*FLAGS])
        try:
            yield started
        finally:
            _within_limit(started, started._impl_obj.close(reason=None))


def new_context(browser: Browser, **more: object) -> BrowserContext:
    """A phone of its own; whatever it waits for, it waits no longer than others.

    Nothing on it moves, as for people who like it calm, unless a test is about that:
    what moves is slow to draw, and never where it was measured.
    """
    context = browser.new_context(**{"reduced_motion": "reduce", **more})
    context.set_default_timeout(PATIENCE_MS)
    return context


def let_go(context: BrowserContext) -> None:
    """Close a context, with all pages at rest.

    Chromium drops the order to close a page that is just being replaced by the next
    one (crbug.com/536385539), and Playwright would wait for ever. So no page may be
    on its way anywhere: each comes to rest on an empty one first.
    """
    for page in context.pages:
        _come_to_rest(page)
    _within_limit(context, context._impl_obj.close(reason=None))


def _come_to_rest(page: Page) -> None:
    for _ in range(RESTS_MAX):
        try:
            page.goto("about:blank", timeout=REST_MS)
        except Error:
            continue  # It went on by itself at that moment.
        return


def _within_limit(
    owner: Browser | BrowserContext, close: Coroutine[None, None, None]
) -> None:
    """Do what Playwright would wait for without any limit; it has no other way."""
    try:
        owner._sync(asyncio.wait_for(close, CLOSE_S))
    except TimeoutError:
        raise AssertionError(f"Chromium did not close within {CLOSE_S} s") from None
