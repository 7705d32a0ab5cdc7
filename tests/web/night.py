"""A led game with a simulated vault and a clock that tests move."""

from __future__ import annotations

from pathlib import Path

from companion.edition import builtin
from companion.edition.snapshot import snapshot
from companion.game import commands as c
from companion.game import moves as m
from companion.game.envelope import Envelope
from companion.ports import Line
from companion.store import Database
from companion.table import VaultParts, build_table
from hardware.vault.simulated import SimulatedVault
from tests.fakes import FakeClock
from tests.web.conftest import CODE, House, Phone, app_for
from web.http.panel import Panel
from web.http.settings import PanelSettings

SECRET = 4


class Night:
    """A table with a simulated vault, and two phones at a led game.

    Args:
        folder: The folder for the journals.
        secret: The number that the lock draws.
        memory: The option whether everybody sees the numbers tried.
        edition: The edition that is played.
    """

    def __init__(
        self,
        folder: Path,
        secret: int = SECRET,
        memory: str = "on",
        edition: str = "secret-vault",
    ) -> None:
        clock = FakeClock()
        database = Database(folder)
        self.device = SimulatedVault(clock)
        parts = VaultParts(lambda _: self.device, clock, lambda: secret)
        built = build_table(
            database, clock, vault=parts, draw_first_code=lambda _digits: CODE
        )
        assert built.vault is not None
        self.coupling, self.keeper = built.vault, built.vault.keeper
        panel = Panel(built)
        app = app_for(panel, PanelSettings(burst_count=500))
        self.house = House(panel, app, database, clock)
        self.game = built.service.open_game(edition, "Friday", "open-the-game")
        self.anna = self.house.seated(self.game, "Anna", "red", "hat")
        self.ben = self.house.seated(self.game, "Ben", "blue", "car")
        rules = snapshot(builtin(edition), {"memory": memory})
        self.give(m.BeginPlay(by=c.TABLE, rules=rules))

    def give(self, command: c.Command) -> None:
        self.house.table.submit(self.game, Envelope(command, self.house.command_id()))
        self.settle()

    def settle(self) -> None:
        for _ in range(40):
            self.house.clock.advance(20)
            self.keeper.process()

    def press_m(self, number: int) -> None:
        """Turn the wheel to *number* and press M; the lock has not reacted yet."""
        hands = self.coupling.hands
        assert hands is not None
        hands.turn(number - self.keeper.view().number)
        self.settle()
        hands.press(Line.M_BUTTON)

    def lock(self) -> None:
        hands = self.coupling.hands
        assert hands is not None
        hands.shut_lid()
        self.settle()  # Yellow counts only once the lock has noticed the lid.
        for _ in range(3):
            hands.press(Line.YELLOW_BUTTON)
        self.settle()

    def page(self, phone: Phone) -> str:
        text: str = phone.get(f"/g/{self.game}/").get_data(as_text=True)
        return text

    def cash(self, seat: str) -> int:
        return self.house.table.game(self.game).ledger[seat]  # type: ignore[index]

    def close(self) -> None:
        """Stop the vault, and close the table and its database."""
        self.coupling.stop()
        self.house.table.close()
        self.house.database.close()
