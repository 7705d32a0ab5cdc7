"""A table on disk that remembers what its games read off the box."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.box.own_editions import OwnEditions
from companion.store import Database
from companion.table import Table, TableService, build_table
from tests.fakes import FakeClock


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = Database(tmp_path)
    yield made
    made.close()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def built(database: Database, clock: FakeClock) -> Table:
    return build_table(database, clock)


@pytest.fixture
def table(built: Table) -> TableService:
    return built.service


@pytest.fixture
def own(built: Table) -> OwnEditions:
    return built.editions
