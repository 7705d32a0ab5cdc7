"""Debian's own Chromium, driven by Playwright; nothing is downloaded.

Whoever looks at pages takes contexts from ``new_context`` and gives them back with
``let_go``: then every wait of a browser has a limit, its last one too. What a page is
to show is said with ``expect``: it waits as long as the page is still asking.
"""

from __future__ import annotations

import asyncio
import math
import signal
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import partial

from playwright.sync_api import (
    Browser,
    BrowserContext,
    Error,
    Locator,
    Page,
    sync_playwright,
)
from playwright.sync_api import expect as expect_in_time

PROGRAM = "/usr/bin/chromium-headless-shell"
"""Chromium without a window: half the work of one whose window nobody sees."""
PATIENCE_MS = 20_000
"""How long a page may take on a machine that does something else as well.

For ``expect`` this time begins anew while the page is asking the table.
"""

LONGEST_MS = 120_000
"""How long ``expect`` waits at most, for a page that never stops asking."""
SHARE = 0.9
"""How much it takes of what a test has left, so that it fails in words of its own."""
SLACK_MS = 100
LOOK_S = 5

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

NOTES = """(() => {
  const now = performance.now.bind(performance); // Also where a test stops the clocks.
  let asked = now();
  const note = () => { asked = now(); };
  const where = { subtree: true, attributeFilter: ["data-asking"] };
  new MutationObserver(note).observe(document, where);
  document.addEventListener("DOMContentLoaded", note);
  window.sinceAskingMs = () =>
    document.readyState === "loading" ||
    document.documentElement.hasAttribute("data-asking") ? 0 : now() - asked;
})()"""
"""Lets each page say how long ago it last asked the table; to load it is to ask."""

LIVELY = "no-preference"
"""What ``reduced_motion`` is of a phone whose owner likes to see things move."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start a browser without a window; each test takes contexts of its own."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=PROGRAM, args=[*FLAGS])
        try:
            yield started
        finally:
            _within_limit(started, started._impl_obj.close(reason=None))


def new_context(browser: Browser, **more: object) -> BrowserContext:
    """Make a new phone, with the time limits of all others.

    Nothing on it moves, as for people who like it calm, unless a test is about that:
    what moves is slow to draw, and never where it was measured.
    """
    context = browser.new_context(**{"reduced_motion": "reduce", **more})
    context.set_default_timeout(PATIENCE_MS)
    context.add_init_script(NOTES)
    return context


def expect(actual: Locator | Page, message: str | None = None) -> _Patient:
    """Say what is to become true, with the assertions of Playwright's ``expect``.

    They fail once the page has not been asking for ``PATIENCE_MS``: while it is still
    asking, the machine is slow, and the page not wrong. One that is given a *timeout*
    keeps to it, and asks nothing.
    """
    return _Patient(actual, message)


class _Patient:
    """Playwright's assertions, each tried again while the page is asking."""

    def __init__(self, actual: Locator | Page, message: str | None) -> None:
        self._assertions = expect_in_time(actual, message)
        self._page = actual if isinstance(actual, Page) else actual.page

    def __getattr__(self, name: str) -> Callable[..., None]:
        assertion = getattr(self._assertions, name)

        def tried(*wanted: object, **more: object) -> None:
            __tracebackhide__ = True
            if "timeout" in more:
                assertion(*wanted, **more)
            else:
                _try_while_asking(self._page, partial(assertion, *wanted, **more))

        return tried


def _try_while_asking(page: Page, assertion: Callable[..., None]) -> None:
    __tracebackhide__ = True
    began_ms = _now_ms()
    until_ms = began_ms + _longest_ms()
    wait_ms = min(PATIENCE_MS, until_ms - began_ms)
    while True:
        tried_ms = _now_ms()
        try:
            assertion(timeout=max(wait_ms, SLACK_MS))
        except AssertionError as wrong:
            failed_ms = _now_ms()
            if failed_ms - tried_ms < wait_ms - SLACK_MS:
                raise  # No matter of time: there are two of them, or the page is gone.
            last = wait_ms <= 0  # Playwright does not look when the time is over.
            since_ms = _since_asking_ms(page)
            wait_ms = min(PATIENCE_MS - since_ms, until_ms - _now_ms())
            if last and wait_ms <= 0:
                words = _asking_words(since_ms, failed_ms - began_ms)
                raise AssertionError(f"{wrong}\n{words}") from None
        else:
            return


def _now_ms() -> float:
    return time.monotonic() * 1000


def _longest_ms() -> float:
    """Return how long to wait, within what pytest's alarm leaves the test."""
    left_ms = signal.getitimer(signal.ITIMER_REAL)[0] * 1000
    return min(LONGEST_MS, left_ms * SHARE) if left_ms else LONGEST_MS


def _since_asking_ms(page: Page) -> float:
    """How long ago the page was last asking: 0 if it is, infinite if none can know."""
    look = page._impl_obj.evaluate("() => window.sinceAskingMs?.() ?? null", None)
    try:
        since_ms = page._sync(asyncio.wait_for(look, LOOK_S))
    except (TimeoutError, Error):
        return 0.0  # It is too busy to say so, or just being replaced by the next one.
    return math.inf if since_ms is None else float(since_ms)


def _asking_words(since_ms: float, waited_ms: float) -> str:
    waited = f"Waited for {waited_ms / 1000:.1f} s"
    if since_ms == 0:
        return f"{waited}, and the page was still asking the table."
    if since_ms == math.inf:
        return f"{waited}; the page is not from new_context, and notes no asking."
    return f"{waited}; the page had stopped asking {since_ms / 1000:.1f} s ago."


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
