"""Limits and fixtures that tests of every folder share."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.chromium import chromium, let_go
from tests.databases import KINDS, keep_on_server
from tests.postgres import Server, missing
from tests.sample import draw, drawn_by, sampled

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# A busy machine makes any example slow; what hangs meets the test's own limit.
settings.register_profile("table", deadline=None)
settings.load_profile("table")

PROOF_S = 900
"""How long a proof may take; a quick test's limit is in pyproject.toml."""

ENDING_S = 5
"""How long a thread may take to end that was told to."""


@pytest.hookimpl(tryfirst=True)
def pytest_itemcollected(item: pytest.Item) -> None:
    """Give a proof more time than a quick test."""
    if item.get_closest_marker("slow"):
        item.add_marker(pytest.mark.timeout(PROOF_S))


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(
    collector: pytest.Module, name: str, obj: object
) -> list[pytest.Item] | None:
    """Build no rows of a proof that is not asked for."""
    wanted = collector.config.option.markexpr.split(" and ")
    if "not slow" in wanted and name.startswith("test"):
        marks = [*collector.iter_markers(), *getattr(obj, "pytestmark", ())]
        if any(mark.name == "slow" for mark in marks):
            return []
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave to CI what is drawn of each matrix."""
    draw(items)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how the same rows are drawn again."""
    terminalreporter.write_line(f"Rows of each matrix: DRAWN_BY={drawn_by()}")


gc.disable()  # Looking for garbage among tests, which all stay, takes 1 s in vain.


def pytest_collection_finish() -> None:
    """Keep the collector from the tests themselves, and make it rare."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)  # Python's own took 3 % of the tests' time.
    gc.enable()


# No thread outlives the test that began it.

_LASTING: set[threading.Thread] = set()
"""Threads that last as long as all tests do, such as the browser's."""


def expect_ended(before: set[threading.Thread]) -> None:
    """Expect that all threads have ended that began since *before*."""
    until = time.monotonic() + ENDING_S
    left = set(threading.enumerate()) - before - _LASTING
    for thread in left:
        thread.join(max(0.0, until - time.monotonic()))
    alive = {thread for thread in left if thread.is_alive()}
    _LASTING.update(alive)  # Reported only once.
    names = sorted(thread.name for thread in alive)
    assert not names, f"threads were left behind: {', '.join(names)}"


@pytest.fixture(autouse=True, scope="module")
def _no_thread_outlives_its_module() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    expect_ended(before)


@pytest.fixture(autouse=True)
def _no_thread_outlives_its_test(
    _no_thread_outlives_its_module: None,
) -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    expect_ended(before)


@pytest.fixture(scope="session")
def started_browser() -> Iterator[Browser]:
    """Start a real Chromium, once for all tests that look at pages."""
    before = set(threading.enumerate())
    with chromium() as started:
        _LASTING.update(set(threading.enumerate()) - before)
        yield started


@pytest.fixture
def browser(started_browser: Browser) -> Iterator[Browser]:
    """Lend the browser to a test, and empty it afterwards."""
    yield started_browser
    for context in started_browser.contexts:
        let_go(context)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """Start a real PostgreSQL, once for all tests that need one."""
    why = missing()
    if why:
        pytest.skip(why)
    with Server() as server:
        yield server


_NUMBERS = count(1)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests with ``kept_by`` on both kinds of databases, most as a proof."""
    if "kept_by" in metafunc.fixturenames:
        told = metafunc.definition.get_closest_marker
        kinds = KINDS if told("quick_on_both") else sampled(KINDS)
        metafunc.parametrize(
            "kept_by", kinds[:1] if told("of_file") else kinds, indirect=True
        )


@pytest.fixture
def kept_by(request: pytest.FixtureRequest) -> Iterator[str]:
    """Choose the kind of database that the names of this module stand for."""
    with ExitStack() as ending:
        if request.param != KINDS[0]:
            server = request.getfixturevalue("postgres")
            keep_on_server(request.module, server, ending)
        yield request.param


@pytest.fixture
def postgres_url(postgres: Server) -> Iterator[str]:
    """Return the URL of an empty database, thrown away after the test."""
    name = f"fresh_{next(_NUMBERS)}"
    yield postgres.url(name)
    postgres.drop(name)
