"""The whole program killed with -9 in openings, moved by hands over HTTP.

Method: a host and two phones bring a guided game to a guess that is due; hands on the
vault's page turn the wheel to the right number and press M; the process gets SIGKILL
at a random moment after that: in every second round only once the vault has answered,
so that however slow the machine is, half of the kills fall into an opening. Over the
same folder it is started again: where the opening is owed, one press of M finishes it.
Then the next one.
"""

from __future__ import annotations

import json
import random
import re
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.game import vault_contents_events as r
from companion.lock.events import remember
from companion.store import Database, Journals
from companion.store.database import FILE_NAME
from companion.table.vault_journal import JOURNAL, VaultJournal
from tests.fakes import FakeClock
from tests.phone_http import HttpPhone
from tests.running import PATIENCE_S, RunningTable
from tests.test_vault_crash import check_agreed, happened
from tests.vault_child import FREE_GUESS
from tests.vault_rig import EDITION, Metal, VaultRig

SEATS = (("red", "hat"), ("blue", "car"))
LOCKED_STREETS = ("boardwalk", "vermont-avenue", "st-james-place", "ventnor-avenue")
SEED = random.SystemRandom().randrange(10**6)


class Night:
    """The phones and hands of one evening, over as many lives as the program has."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.game = ""
        self.cookies: dict[str, str] = {}
        self.phones: dict[str, HttpPhone] = {}
        self.ids = 0

    def come_back(self, table: RunningTable) -> None:
        """Everybody's phone finds the program again, at its new address."""
        self.phones = {who: HttpPhone(table.address) for who in ("host", "red", "blue")}
        for who, cookie in self.cookies.items():
            self.phones[who].cookie = cookie
        if not self.game:
            assert table.code is not None
            self._open(table.code)
        self.cookies = {who: phone.cookie for who, phone in self.phones.items()}

    def leave(self) -> None:
        """Let the connections go."""
        for phone in self.phones.values():
            phone.close()

    def _open(self, code: str) -> None:
        host = self.phones["host"]
        host.get("/start")
        assert host.post("/start", code=code)[0] == 303
        form = {"edition": EDITION, "name": "Friday", "command_id": "open-the-game"}
        status, where = host.post("/games", **form)
        assert status == 303, where
        self.game = where.split("/")[2]
        for colour, token in SEATS:
            self.phones[colour].get(f"/g/{self.game}/join")
            seat = {"name": colour, "colour": colour, "token": token}
            status, where = self.phones[colour].post(
                f"/g/{self.game}/join", command_id=f"sit-down-{colour}", **seat
            )
            assert status == 303, where
        self.lock()
        assert self.attempt("host", type="Begin")

    # What phones and hands do.

    def attempt(self, who: str, **command: Any) -> bool:
        """Give a phone's command; return whether it was taken."""
        self.ids += 1
        status, said = self.phones[who].command(
            self.game, f"{who}-{self.ids:06d}", **command
        )
        assert status in (200, 409), (command, said)
        return status == 200

    def hand(self, path: str, **form: object) -> None:
        """Move a part of the vault by hand."""
        status, said = self.phones["host"].post(f"/vault/{path}", **form)
        assert status == 303, said

    def vault(self) -> dict[str, Any]:
        """Return the vault as everybody may see it."""
        status, text = self.phones["host"].get("/vault/state")
        assert status == 200, text
        told: dict[str, Any] = json.loads(text)
        return told

    def until(self, what: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Look at the vault until it is so."""
        give_up = time.monotonic() + PATIENCE_S
        while not what(seen := self.vault()):
            assert time.monotonic() < give_up, seen
            threading.Event().wait(0.02)
        return seen

    def lock(self) -> None:
        """Shut the lid, and press yellow three times."""
        if self.vault()["state"] == "open":
            self.hand("lid", move="shut")
        self.until(lambda seen: seen["state"] == "shut")
        self.hand("press", line="yellow_button", times=3)
        self.until(lambda seen: seen["state"] == "locked")

    def open_what_is_owed(self) -> None:
        """M, if the program owes an opening; again, where the coil had to rest."""
        give_up = time.monotonic() + 2 * PATIENCE_S
        seen = self.until(lambda seen: seen["state"] not in ("unknown", "releasing"))
        while seen["state"] in ("jammed", "releasing"):
            assert time.monotonic() < give_up, seen
            if seen["state"] == "jammed" and not seen["rest_s"]:
                self.hand("press", line="m_button")
            threading.Event().wait(0.3)
            seen = self.vault()

    def fill_and_lock(self) -> None:
        """Use a key that was found, and lock the vault, unless it is locked."""
        if self.vault()["state"] == "locked":
            return
        for deed in LOCKED_STREETS:
            for who, _ in SEATS:
                self.attempt(who, type="Unlock", deed=deed)
        self.lock()

    def come_to_a_guess(self) -> None:
        """Whoever has the dice lands on a guess for free, unless one is due."""
        for who, _ in SEATS:
            if self.attempt("host", type="CorrectPosition", words=[who, "on", "go"]):
                self.attempt(who, type="Roll", dice=FREE_GUESS)

    def press_m_at(self, number: int) -> None:
        """Turn the wheel there, and press M."""
        self.hand("turn", steps=number - self.vault()["number"])
        self.until(lambda seen: seen["number"] == number)
        self.hand("press", line="m_button")


def code_on_disk(data: Path) -> int:
    """Read the vault's code from the file, as no page tells it."""
    address = f"file:{data / FILE_NAME}?mode=ro"
    query = "SELECT events FROM entries WHERE journal = ? ORDER BY revision DESC"
    with closing(sqlite3.connect(address, uri=True)) as file:
        for (events,) in file.execute(query, (JOURNAL,)):
            if found := re.search(r'"VaultLocked".*"code":\[(\d)\]', str(events)):
                return int(found[1])
    raise AssertionError("it was never locked")


def check(data: Path, clue: str) -> int:
    """Look at the folder of a dead program; return how many openings were paid."""
    with closing(Database(data)) as database:
        events = VaultJournal(Journals(database), FakeClock()).remembered()
    memory = remember(events)
    lies = Metal(memory.was_lid_shut, memory.number)
    with VaultRig(data, metal=lies) as rig:
        rig.resume()
        assert rig.rig.coil_levels() == [False], clue
        check_agreed(rig, clue)
        return len(happened(rig, r.RichesTaken))


@pytest.mark.slow
def test_kill_9_of_the_program_in_openings_pays_each_once(tmp_path: Path) -> None:
    chance, data, paid = random.Random(SEED), tmp_path / "data", []
    night = Night(data)
    for number in range(8):
        clue = f"seed {SEED}, round {number}"
        with RunningTable(data) as table:
            night.come_back(table)
            night.open_what_is_owed()
            night.fill_and_lock()
            night.come_to_a_guess()
            night.press_m_at(code_on_disk(data))
            if number % 2:
                night.until(lambda seen: seen["state"] != "locked")
            threading.Event().wait(chance.uniform(0, 0.15))
            table.kill()
        night.leave()
        paid.append(check(data, clue))
    with RunningTable(data) as table:
        night.come_back(table)
        night.open_what_is_owed()
        night.leave()
        assert table.stop() == 0
    paid.append(check(data, f"seed {SEED}, the end"))
    assert paid == sorted(paid)
    assert paid[-1] >= 4, f"seed {SEED}: {paid}"
