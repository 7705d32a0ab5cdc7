"""A table with a simulated vault, a browser, and a clock that tests move."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.lock.states import VaultState
from companion.lock.view import VaultView
from companion.store import Phone
from companion.table import VaultParts
from hardware.vault.simulated import SimulatedVault
from tests.fakes import FakeClock
from tests.web.conftest import app_for, make_panel
from web.http.panel import Panel
from web.http.settings import PanelSettings

CODE = 4
JSON = {"Accept": "application/json"}


class HandlessVault(SimulatedVault):
    """A simulated vault that a page cannot move, as if it were a real one."""

    @property
    def hands(self) -> None:  # type: ignore[override]
        return None


class Lab:
    """A table with a vault, one browser, and a clock that tests move."""

    def __init__(
        self,
        path: Path,
        code: int = CODE,
        kind: Callable[[FakeClock], SimulatedVault] = SimulatedVault,
    ) -> None:
        self.clock = FakeClock()
        self.device = kind(self.clock)
        parts = VaultParts(lambda _: self.device, self.clock, lambda: code)
        self.house = make_panel(path, self.clock, parts, PanelSettings())
        self.panel, self.table = self.house.panel, self.house.table
        vault = self.panel.vault
        assert vault is not None
        self.keeper = vault.keeper
        self.client = self.browser()
        self.settle()

    def browser(self, panel: Panel | None = None, token: str = "") -> FlaskClient:
        """Return a new browser at this table."""
        app = app_for(panel, PanelSettings()) if panel else self.house.app
        client = app.test_client()
        client.environ_base["HTTP_ORIGIN"] = "http://localhost"
        if token:
            client.set_cookie(f"phone-{self.table.phones.table_id}", token)
        return client

    def settle(self, ms: int = 400) -> None:
        """Let time pass until presses, the spring and the lid's contact are over."""
        for _ in range(ms // 20):
            self.keeper.process()
            self.clock.advance(20)
        self.keeper.process()

    def post(self, path: str, **fields: object) -> TestResponse:
        """Post a form as a page without script does, and let the vault settle."""
        form = {name: str(value) for name, value in fields.items()}
        answer = self.client.post(f"/vault/{path}", data=form)
        self.settle()
        return answer

    def lock(self) -> None:
        """Shut the lid and set a code."""
        self.post("lid", move="shut")
        self.post("press", line="yellow_button", times=3)
        assert self.view.state is VaultState.LOCKED

    @property
    def view(self) -> VaultView:
        return self.keeper.view()

    def phone(self, *, is_host: bool = False) -> tuple[Phone, str]:
        return self.table.phones.issue(self.clock.now_ms(), is_host=is_host)


def page(lab: Lab) -> str:
    answer = lab.client.get("/vault")
    assert answer.status_code == 200
    return answer.text


def evening(lab: Lab) -> list[bytes]:
    """Return all answers that a page gets, from filling the vault to a first guess."""
    told: list[bytes] = []

    def note(answer: TestResponse) -> None:
        told.extend((answer.data, repr(sorted(answer.headers.items())).encode()))

    def look() -> None:
        note(lab.client.get("/vault"))
        note(lab.client.get("/vault/state", headers=JSON))

    look()
    for path, fields in (
        ("lid", {"move": "shut"}),
        ("press", {"line": "yellow_button", "times": 3}),
        ("turn", {"steps": 3}),
        ("press", {"line": "yellow_button", "times": 1}),
        ("lid", {"move": "lift"}),
        ("turn", {"steps": "code"}),
        ("turn", {"steps": -3}),
        ("lid", {"move": "force"}),
        ("press", {"line": "m_button"}),
        ("lid", {"move": "shut"}),
    ):
        note(lab.post(path, **fields))
        look()
    note(lab.client.post("/vault/press", data={"line": "m_button"}, headers=JSON))
    assert lab.view.state is VaultState.LOCKED
    return told
