"""The vault in its game, on phones: whose guess, by which tap, and what lies in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import commands as c
from companion import moves as m
from companion.edition import builtin, editions
from companion.edition.snapshot import snapshot
from companion.envelope import Envelope
from companion.heist import Heist
from companion.keeper import VaultKeeper
from companion.ports import Line
from companion.position import LOCKED
from companion.seating import Seating
from companion.store import Database, Journals, Phones
from companion.table import TableService
from companion.vault_journal import VaultJournal
from hardware.simulated import SimulatedVault
from tests.fakes import FakeClock
from tests.web.conftest import CODE, House, Phone
from web import Panel, PanelSettings, create_app

SECRET = 4


class Night:
    """A table with a simulated vault, and two phones at a led game."""

    def __init__(self, folder: Path) -> None:
        clock = FakeClock()
        database = Database(folder)
        journals = Journals(database)
        table = TableService(journals, Phones(database), clock, builtin)
        journal = VaultJournal(journals, clock)
        self.heist = Heist(table, journal)
        self.keeper = VaultKeeper(
            SimulatedVault(clock),
            clock,
            self.heist.record,
            lambda: SECRET,
            remembered=journal.remembered(),
            gate=self.heist.gate,
        )
        self.heist.attach(self.keeper)
        seating = Seating(table, lambda: CODE)
        panel = Panel(table, seating, self.heist, builtin, editions(), heist=self.heist)
        app = create_app(panel, PanelSettings(burst_count=500))
        self.house = House(panel, app, database, clock)
        self.game = table.open_game("secret-vault", "Friday", "open-the-game")
        self.anna = self.house.seated(self.game, "Anna", "red", "hat")
        self.ben = self.house.seated(self.game, "Ben", "blue", "car")
        rules = snapshot(builtin("secret-vault"), {"memory": "on"})
        self.give(m.BeginPlay(by=c.TABLE, rules=rules))

    def give(self, command: c.Command) -> None:
        self.house.table.submit(self.game, Envelope(command, self.house.command_id()))
        self.settle()

    def settle(self) -> None:
        for _ in range(40):
            self.house.clock.advance(20)
            self.keeper.process()

    def lock(self) -> None:
        hands = self.heist.hands
        assert hands is not None
        hands.shut_lid()
        for _ in range(3):
            hands.press(Line.YELLOW_BUTTON)
        self.settle()

    def page(self, phone: Phone) -> str:
        text: str = phone.get(f"/g/{self.game}/").get_data(as_text=True)
        return text

    def cash(self, seat: str) -> int:
        return self.house.table.game(self.game).ledger[seat]  # type: ignore[index]


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Night]:
    made = Night(tmp_path)
    yield made
    made.keeper.stop()
    made.house.table.close()
    made.house.database.close()


def test_an_open_vault_is_said_and_what_goes_in(night: Night) -> None:
    night.settle()
    text = night.anna.get("/vault").get_data(as_text=True)
    assert "Put all of it in and shut the lid" in text
    assert "4 x $100" in text
    assert "one hotel" in text


def test_a_phone_guesses_and_is_told_note_by_note(night: Night) -> None:
    night.lock()
    night.give(m.Roll(by="red", dice=(2, 3)))
    assert "turn the wheel to a number and press M" in night.page(night.ben)
    assert "one time in 6" in night.page(night.anna)
    assert night.ben.do(night.game, "guess", number=SECRET).status_code == 409
    assert night.anna.do(night.game, "guess", number=1).status_code == 303
    night.settle()
    assert night.cash("red") == 3_000
    night.give(m.Roll(by="blue", dice=(2, 3)))
    assert "Tried so far: 1" in night.page(night.ben)
    assert night.ben.do(night.game, "guess", number=SECRET).status_code == 303
    night.settle()
    assert night.cash("blue") == 3_400
    text = night.page(night.ben)
    assert "found a key" in text
    for words in ("Out of the vault", "Into the vault", "4 x $100", "one key"):
        assert words in text


def test_a_tap_locks_a_simulated_vault(night: Night) -> None:
    night.lock()
    night.give(m.Roll(by="red", dice=(2, 3)))
    night.anna.do(night.game, "guess", number=SECRET)
    night.settle()
    night.give(m.Unlock(by="red", deed="boardwalk"))
    command = {"type": "LockVault", "by": "blue"}
    body = {"command_id": "lock-it-now", "command": command}
    answer = night.ben.client.post(
        f"/api/games/{night.game}/commands",
        json=body,
        headers={"Origin": "http://localhost"},
    )
    assert answer.status_code == 200, answer.text
    night.settle()
    play = night.house.table.game(night.game).play
    assert play is not None
    assert play.riches is not None
    assert play.riches.lid == LOCKED
    assert play.mover.seat == "blue"


def test_a_phone_cannot_say_that_its_guess_was_right(night: Night) -> None:
    night.lock()
    night.give(m.Roll(by="red", dice=(2, 3)))
    command = {"type": "Guess", "number": 1, "is_right": True, "is_lid_up": True}
    body = {"command_id": "right-I-say", "command": command}
    night.anna.client.post(
        f"/api/games/{night.game}/commands",
        json=body,
        headers={"Origin": "http://localhost"},
    )
    night.settle()
    assert night.cash("red") == 3_000
    for kind in ("ReportLid", "ReportPress"):
        body = {"command_id": f"I-am-{kind}", "command": {"type": kind, "lid": "open"}}
        answer = night.anna.client.post(
            f"/api/games/{night.game}/commands",
            json=body,
            headers={"Origin": "http://localhost"},
        )
        assert answer.status_code == 400, answer.text
