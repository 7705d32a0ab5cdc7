"""What tests of every folder share."""

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
    """A proof takes longer than a quick test may."""
    if item.get_closest_marker("slow"):
        item.add_marker(pytest.mark.timeout(PROOF_S))


gc.disable()  # A test that was collected stays: looking for garbage takes 1 s in vain.


def pytest_collection_finish() -> None:
    """All these tests stay: let nobody look through them for garbage again."""
    gc.collect()
    gc.freeze()
    gc.enable()


# No thread outlives the test that began it.

_LASTING: set[threading.Thread] = set()
"""Those that last as long as all tests do, such as the browser's."""


def expect_ended(before: set[threading.Thread]) -> None:
    """Nothing has begun since *before* that goes on, but what lasts."""
    until = time.monotonic() + ENDING_S
    left = set(threading.enumerate()) - before - _LASTING
    for thread in left:
        thread.join(max(0.0, until - time.monotonic()))
    alive = {thread for thread in left if thread.is_alive()}
    _LASTING.update(alive)  # Said once.
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
    """A real Chromium, started once for all tests that look at pages."""
    before = set(threading.enumerate())
    with chromium() as started:
        _LASTING.update(set(threading.enumerate()) - before)
        yield started


@pytest.fixture
def browser(started_browser: Browser) -> Iterator[Browser]:
    """The browser, empty again after each test."""
    yield started_browser
    for context in started_browser.contexts:
        let_go(context)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A real PostgreSQL, started once for all tests that keep games in one."""
    why = missing()
    if why:
        pytest.skip(why)
    with Server() as server:
        yield server


_NUMBERS = count(1)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run what is to hold on both kinds of databases on both."""
    if "kept_by" in metafunc.fixturenames:
        is_of_file = metafunc.definition.get_closest_marker("of_file")
        metafunc.parametrize(
            "kept_by", KINDS[:1] if is_of_file else KINDS, indirect=True
        )


@pytest.fixture
def kept_by(request: pytest.FixtureRequest) -> Iterator[str]:
    """Which kind of database the names of this module stand for."""
    with ExitStack() as ending:
        if request.param != KINDS[0]:
            server = request.getfixturevalue("postgres")
            keep_on_server(request.module, server, ending)
        yield request.param


@pytest.fixture
def postgres_url(postgres: Server) -> Iterator[str]:
    """Where an empty database is, thrown away after the test."""
    name = f"fresh_{next(_NUMBERS)}"
    yield postgres.url(name)
    postgres.drop(name)
