"""A phone without a browser: its cookie, and the requests a page would make."""

from __future__ import annotations

import http.client
import json
from typing import Any
from urllib.parse import urlencode, urlsplit

from tests.web.forms import forms_of


class HttpPhone:
    """One phone over one kept connection to a running table."""

    def __init__(self, address: str) -> None:
        place = urlsplit(address)
        self._origin = address
        self._connection = http.client.HTTPConnection(
            place.hostname or "", place.port, timeout=20
        )
        self.cookie = ""

    def get(self, path: str) -> tuple[int, str]:
        """Fetch a page; gives its status, and where it leads or what it says."""
        return self._ask("GET", path)

    def post(self, path: str, **form: object) -> tuple[int, str]:
        """Send a form."""
        return self._ask(
            "POST", path, urlencode(form), "application/x-www-form-urlencoded"
        )

    def command(self, game: str, command_id: str, **command: Any) -> tuple[int, Any]:
        """Give a command as a program does."""
        body = json.dumps({"command_id": command_id, "command": command})
        path = f"/api/games/{game}/commands"
        status, text = self._ask("POST", path, body, "application/json")
        return status, json.loads(text)

    def close(self) -> None:
        """Let the connection go."""
        self._connection.close()

    def _ask(
        self, method: str, path: str, body: str = "", kind: str = ""
    ) -> tuple[int, str]:
        headers = {"Origin": self._origin, "Cookie": self.cookie}
        if kind:
            headers["Content-Type"] = kind
        self._connection.request(method, path, body or None, headers)
        with self._connection.getresponse() as answer:
            text = answer.read().decode()
        cookie = answer.getheader("Set-Cookie") or ""
        if cookie.startswith("phone"):  # Of any checkout: its name changed.
            self.cookie = cookie.split(";")[0]
        return answer.status, answer.getheader("Location") or text


def let_in(host: HttpPhone, game: str) -> None:
    """Say yes to whoever has to ask, as at a box that is for fewer."""
    _, bank = host.get(f"/g/{game}/bank")
    for form in forms_of(bank):
        if form.verb == "answer":
            assert host.post(form.action, **form.fields, answer="yes")[0] == 303


def open_table(
    address: str,
    code: str,
    seats: tuple[tuple[str, str], ...],
    edition: str = "classic",
) -> tuple[str, HttpPhone, list[HttpPhone]]:
    """Open a game with a host and a phone for each seat, (colour, token)."""
    host = HttpPhone(address)
    host.get("/start")
    assert host.post("/start", code=code)[0] == 303
    form = {"edition": edition, "name": "Load", "command_id": "open-the-game"}
    status, where = host.post("/games", **form)
    assert status == 303, where
    game = where.split("/")[2]
    phones = []
    for colour, token in seats:
        phone = HttpPhone(address)
        phone.get(f"/g/{game}/join")
        seat = {"name": colour, "colour": colour, "token": token}
        status, where = phone.post(
            f"/g/{game}/join", command_id=f"sit-down-{colour}", **seat
        )
        assert status == 303, where
        let_in(host, game)
        phone.close()
        phones.append(phone)
    host.close()
    return game, host, phones
