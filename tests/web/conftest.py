"""A panel over a real table: real SQLite, the real rules, a clock that tests move."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.edition.catalogue import Catalogue
from companion.store import Database
from companion.table import TableService, VaultParts, build_table
from companion.table.buckets import Buckets
from companion.units import GameId
from tests.fakes import FakeClock
from web.app import bind, create_app
from web.http.panel import Panel
from web.http.settings import PanelSettings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.web.served import RealAddress

CODE = "314159"


_FIRST: dict[str, Flask] = {}
"""The application from which all others with the same base are copied, by base."""


def app_for(panel: Panel, settings: PanelSettings) -> Flask:
    """Return the panel as ``create_app`` makes it.

    Addresses and templates are compiled once for all tests: each test gets a copy of
    the first application, bound to its own table.
    """
    base = settings.base
    if base not in _FIRST:
        _FIRST[base] = create_app(panel, settings)
    app = copy(_FIRST[base])
    app.config = copy(app.config)
    bind(app, panel, settings)
    return app


ORIGIN = {"Origin": "http://localhost"}


@dataclass
class House:
    """A panel with everything behind it, and methods that make phones for it."""

    panel: Panel
    app: Flask
    database: Database
    clock: FakeClock
    tokens: dict[str, str] = field(default_factory=dict)
    ids: int = 0

    @property
    def table(self) -> TableService:
        return self.panel.table

    def command_id(self) -> str:
        self.ids += 1
        return f"command-{self.ids:06d}"

    def restarted(self) -> TableService:
        """Return the table as a companion reads it that was started again."""
        return build_table(self.database, self.clock).service

    def guest(self, *cookies: tuple[str, str]) -> Phone:
        phone = Phone(self, self.app.test_client())
        for name, value in cookies:
            phone.client.set_cookie(name, value)
        return phone

    def forged(self) -> Phone:
        """Return a phone with a cookie of the right name and an unknown token."""
        return self.guest((f"phone-{self.table.phones.table_id}", "A" * 32))

    def host(self) -> Phone:
        """Return a phone that typed the first-run code."""
        phone = self.guest()
        phone.get("/start")
        assert phone.post("/start", code=CODE).status_code == 303
        return phone

    def seated(self, game_id: GameId, name: str, colour: str, token: str) -> Phone:
        """Return a phone that took a new seat."""
        phone = self.guest()
        phone.get("/start")  # It only gets its cookie there, and is redirected.
        answer = phone.post(f"/g/{game_id}/join", name=name, colour=colour, token=token)
        assert answer.status_code == 303, answer.text
        return phone


@dataclass
class Phone:
    """A browser without script."""

    house: House
    client: FlaskClient

    @property
    def cookie(self) -> tuple[str, str]:
        """The name and the value of the cookie with its token."""
        name = f"phone-{self.house.table.phones.table_id}"
        cookie = self.client.get_cookie(name)
        assert cookie is not None
        return name, cookie.value

    def get(self, path: str, **headers: str):
        return self.client.get(path, headers=headers)

    def post(self, path: str, *, headers: dict[str, str] | None = None, **form: object):
        form.setdefault("command_id", self.house.command_id())
        return self.client.post(
            path, data=form, headers=ORIGIN if headers is None else headers
        )

    def do(self, game_id: GameId, verb: str, **form: object):
        return self.post(f"/g/{game_id}/do/{verb}", **form)


@dataclass
class Evening:
    """A game with a host who keeps the bank, Anna (red) and Ben (blue)."""

    house: House
    game_id: GameId
    host: Phone
    anna: Phone
    ben: Phone

    def balance(self, seat: str) -> int:
        return self.house.table.game(self.game_id).ledger[seat]

    def revision(self) -> int:
        return self.house.table.table_view(self.game_id).revision


def make_panel(
    tmp_path: Path,
    clock: FakeClock,
    vault: VaultParts | None = None,
    settings: PanelSettings | None = None,
    catalogue: Catalogue | None = None,
    **more: Any,
) -> House:
    """Build a panel over a new table in *tmp_path*; *more* is for ``build_table``."""
    database = Database(tmp_path)
    built = build_table(
        database,
        clock,
        catalogue,
        vault=vault,
        draw_first_code=lambda digits: "314159265"[:digits],
        **more,
    )
    panel = Panel(built)
    app = app_for(
        panel, settings or PanelSettings(burst_count=500, newcomers_count=9_999)
    )
    return House(panel, app, database, clock)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def make_house(tmp_path: Path, clock: FakeClock) -> Iterator[Callable[..., House]]:
    made: list[House] = []

    def make(**more: object) -> House:
        made.append(make_panel(tmp_path, clock, **more))
        return made[-1]

    yield make
    for house in made:
        house.table.close()
        house.database.close()


@pytest.fixture
def house(make_house: Callable[..., House]) -> House:
    return make_house()


@pytest.fixture
def real(house: House, browser: Browser) -> Iterator[RealAddress]:
    """The panel of *house* at a real address, for tests with a browser."""
    from tests.web.served import RealAddress  # It imports this module.

    address = RealAddress(house.app, browser)
    yield address
    address.hang_up()
    house.table.close()
    address.end()


def make_evening(
    house: House,
    edition: str = "secret-vault",
    host: Phone | None = None,
    **wished: str,
) -> Evening:
    """Open a game with Anna and Ben; *wished* may hold the form's field ``leads``."""
    host = host or house.host()
    answer = host.post("/games", edition=edition, name="Saturday", **wished)
    assert answer.status_code == 303, answer.text
    game_id = answer.headers["Location"].split("/")[2]
    anna = house.seated(game_id, "Anna", "red", "hat")
    ben = house.seated(game_id, "Ben", "blue", "car")
    return Evening(house, game_id, host, anna, ben)


@pytest.fixture
def evening(house: House) -> Evening:
    return make_evening(house)


@pytest.fixture(scope="session")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    """Return one evening for all tests that change nothing."""
    house = make_panel(tmp_path_factory.mktemp("calm"), FakeClock())
    house.app.extensions["companion.buckets"] = Buckets(house.clock, 100_000, 1.0)
    evening = make_evening(house)
    revision = evening.revision()
    yield evening
    assert evening.revision() == revision, "a test changed the calm evening"
    house.table.close()
    house.database.close()
