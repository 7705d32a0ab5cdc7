"""A led game with its vault at a real address, bound as ``companion serve`` does."""

from __future__ import annotations

import itertools
from pathlib import Path

from playwright.sync_api import Browser, Page

from companion import commands as c
from companion import moves as m
from companion.edition import builtin, editions
from companion.envelope import Envelope
from companion.examining import DecoderDesk
from companion.game import Game
from companion.heist import Heist
from companion.keeper import VaultKeeper
from companion.position import Riches
from companion.seating import Seating
from companion.store import Database, Journals, Phones
from companion.table import TableService
from companion.vault_journal import VaultJournal
from hardware.clock import SystemClock
from hardware.deck_shelf import DeckShelf
from hardware.examiner import PhotoExaminer
from hardware.lessons import PhotoLessons
from hardware.simulated import SimulatedVault
from hardware.turnstile import Turnstile
from tests.chromium import PATIENCE_MS
from tests.web.conftest import CODE, Evening, House, Phone
from tests.web.served import RealAddress
from tests.web.vault_lab import HandlessVault
from web import Panel, PanelSettings, create_app

SECRET = 4
WRONG = 2
PHONE = {"width": 390, "height": 844}
SETTINGS = PanelSettings(burst_count=5_000, requests_per_s=500.0, heartbeat_s=0.5)


class GuessLab(RealAddress):
    """Anna, who keeps the bank, and Ben, on their own phones.

    Args:
        folder: Where the journals lie.
        browser: For the phones.
        edition: What is played.
        has_vault: A simulated vault stands on the table.
        has_hands: A tap can shut the lid and press yellow, as on a simulated one.
        has_decoder: There is something to look at notes with, but no camera.
    """

    def __init__(
        self,
        folder: Path,
        browser: Browser,
        edition: str = "secret-vault",
        *,
        has_vault: bool = True,
        has_hands: bool = True,
        has_decoder: bool = False,
    ) -> None:
        self.clock = SystemClock()
        self.database = Database(folder)
        journals = Journals(self.database)
        self.table = TableService(journals, Phones(self.database), self.clock, builtin)
        self.keeper: VaultKeeper | None = None
        self.heist: Heist | None = None
        self.desk = self._decoder(folder) if has_decoder else None
        if has_vault:
            kind = SimulatedVault if has_hands else HandlessVault
            self._vault(journals, kind(self.clock))
        panel = Panel(
            self.table,
            Seating(self.table, lambda: CODE),
            self.heist,
            builtin,
            editions(),
            self.desk,
            heist=self.heist,
        )
        app = create_app(panel, SETTINGS)
        self.house = House(panel, app, self.database, self.clock)
        self.evening = self._sit_down(edition)
        super().__init__(app, browser)

    def _vault(self, journals: Journals, device: SimulatedVault) -> None:
        journal = VaultJournal(journals, self.clock)
        self.heist = Heist(self.table, journal)
        self.keeper = VaultKeeper(
            device,
            self.clock,
            self.heist.record,
            lambda: SECRET,
            remembered=journal.remembered(),
            gate=self.heist.gate,
        )
        self.heist.attach(self.keeper)
        changes = itertools.count(1)
        self.keeper.subscribe(lambda _: self.table.notices.tell("vault", next(changes)))
        self.keeper.start()
        self.heist.start()

    def _decoder(self, folder: Path) -> DecoderDesk:
        shelf = DeckShelf(folder / "decks")
        stile = Turnstile(waiting_max=0, wait_s=0)
        notices = self.table.notices
        examiner = PhotoExaminer(
            shelf, stile, self.clock, lambda: notices.tell("decoder", 0), None
        )
        lessons = PhotoLessons(
            shelf, stile, folder / "lesson", lambda: notices.tell("lesson", 0)
        )
        return DecoderDesk(examiner, shelf, lessons)

    def _sit_down(self, edition: str) -> Evening:
        host = self.house.host()
        answer = host.post("/games", edition=edition, name="Saturday")
        journal = answer.headers["Location"].split("/")[2]
        anna = self.house.seated(journal, "Anna", "red", "hat")
        ben = self.house.seated(journal, "Ben", "blue", "car")
        assert host.do(journal, "hand", seat="red").status_code == 303
        return Evening(self.house, journal, host, anna, ben)

    def begin(self, **options: str) -> None:
        """Let the companion lead."""
        chosen = {f"option-{key}": value for key, value in options.items()}
        answer = self.evening.anna.do(self.evening.journal, "begin", **chosen)
        assert answer.status_code == 303, answer.headers

    def said(self, *lines: str) -> None:
        """The table agrees on each line, in the words of the scripts."""
        for line in lines:
            command = m.CorrectPosition(by=c.TABLE, words=tuple(line.split()))
            envelope = Envelope(command, self.house.command_id())
            self.table.submit(self.evening.journal, envelope)

    def correct(self, account: str, balance: int) -> None:
        """The table agrees on a balance."""
        form = {"account": account, "balance": balance}
        answer = self.evening.anna.do(self.evening.journal, "correct", **form)
        assert answer.status_code == 303, answer.headers

    def page(self, phone: Phone | None, path: str = "", **more: object) -> Page:
        """A page of the game, or of the table where *path* begins with a slash."""
        context = self.context(phone, PATIENCE_MS, **{"viewport": PHONE, **more})
        page = context.new_page()
        page.on("pageerror", lambda error: self.mistakes.append(str(error)))
        page.on("console", self._listen)
        page.goto(self.address(path))
        return page

    def _listen(self, message: object) -> None:
        text = str(getattr(message, "text", message))
        if "Content Sec" in text:
            self.mistakes.append(text)

    def address(self, path: str = "") -> str:
        """Where a page of the game is."""
        game = f"/g/{self.evening.journal}/"
        return self.url + (path if path.startswith("/") else game + path)

    @property
    def now(self) -> Game:
        """The game as it stands."""
        return self.table.game(self.evening.journal)

    @property
    def riches(self) -> Riches:
        """What lies in the vault, as the game has it."""
        play = self.now.play
        assert play is not None
        assert play.riches is not None
        return play.riches

    def close(self) -> None:
        """End everything, streams first."""
        self.table.close()
        self.end()
        if self.heist is not None:
            self.heist.stop()
        if self.keeper is not None:
            self.keeper.stop()
        if self.desk is not None:
            self.desk.examiner.close()
        self.database.close()
