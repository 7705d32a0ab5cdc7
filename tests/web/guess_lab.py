"""A game with a vault at a real address, put together as ``companion serve`` does."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, Page

from companion.examining import DecoderService
from companion.game import Game
from companion.game.position import VaultContents
from companion.lock.keeper import VaultKeeper
from companion.ports import Hands
from companion.store import Database
from companion.table import VaultParts, build_table
from hardware.clock import SystemClock
from hardware.photos.deck_folder import DeckFolder
from hardware.photos.examiner import PhotoExaminer, PhotoGrowing
from hardware.photos.lessons import PhotoLessons
from hardware.photos.one_at_a_time import OneAtATime
from hardware.vault.simulated import SimulatedVault
from tests.web.conftest import CODE, Evening, House, Phone, app_for
from tests.web.guided_table import said
from tests.web.served import RealAddress
from tests.web.vault_lab import HandlessVault
from web.http.panel import Panel
from web.http.settings import PanelSettings

SECRET = 4
WRONG = 2
PHONE = {"width": 390, "height": 844}
SETTINGS = PanelSettings(burst_count=5_000, requests_per_s=500.0, heartbeat_s=0.5)


class GuessLab(RealAddress):
    """A game of Anna, who keeps the bank, and Ben, on phones of their own.

    Args:
        folder: The folder for the journals.
        browser: The browser of the phones.
        edition: The edition that is played.
        has_vault: Whether the table has a vault.
        has_hands: Whether taps can move that vault, as a simulated one.
        has_decoder: Whether the table has a decoder; it never has a camera.
        leads: The form's field of that name; with ``yes`` or ``no`` the game waits to
            be begun.
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
        leads: str = "",
    ) -> None:
        self.clock = SystemClock()
        self.database = Database(folder)
        kind = SimulatedVault if has_hands else HandlessVault
        parts = VaultParts(lambda _: kind(self.clock), self.clock, lambda: SECRET)
        built = build_table(
            self.database,
            self.clock,
            vault=parts if has_vault else None,
            draw_first_code=lambda _digits: CODE,
        )
        self.table, self.coupling = built.service, built.vault
        if self.coupling is not None:
            self.coupling.start()
        self.decoder_service = self._decoder(folder) if has_decoder else None
        panel = Panel(built, self.decoder_service)
        app = app_for(panel, SETTINGS)
        self.house = House(panel, app, self.database, self.clock)
        self.evening = self._sit_down(edition, leads)
        super().__init__(app, browser)

    def _decoder(self, folder: Path) -> DecoderService:
        decks = DeckFolder(folder / "decks")
        one_at_a_time = OneAtATime(waiting_max=0, wait_s=0)
        notices = self.table.notices
        examiner = PhotoExaminer(
            decks, one_at_a_time, self.clock, lambda: notices.tell("decoder", 0), None
        )
        lessons = PhotoLessons(
            decks, one_at_a_time, folder / "lesson", lambda: notices.tell("lesson", 0)
        )
        growing = PhotoGrowing(decks, examiner, one_at_a_time, lambda: None)
        return DecoderService(examiner, decks, lessons, growing)

    def _sit_down(self, edition: str, leads: str) -> Evening:
        host = self.house.host()
        answer = host.post("/games", edition=edition, name="Saturday", leads=leads)
        game_id = answer.headers["Location"].split("/")[2]
        anna = self.house.seated(game_id, "Anna", "red", "hat")
        ben = self.house.seated(game_id, "Ben", "blue", "car")
        assert host.do(game_id, "hand-banker", to="red").status_code == 303
        return Evening(self.house, game_id, host, anna, ben)

    def begin(self, **options: str) -> None:
        """Have the companion lead the game, with those options."""
        chosen = {f"option-{key}": value for key, value in options.items()}
        answer = self.evening.anna.do(self.evening.game_id, "begin", **chosen)
        assert answer.status_code == 303, answer.headers

    def said(self, *lines: str) -> None:
        """Correct the position by each line, in the words of scripts."""
        said(self.evening, *lines)

    def correct(self, account: str, balance: int) -> None:
        """Correct the balance of an account."""
        form = {"account": account, "balance": balance}
        answer = self.evening.anna.do(self.evening.game_id, "correct-balance", **form)
        assert answer.status_code == 303, answer.headers

    def page(self, phone: Phone | None, path: str = "", **more: object) -> Page:
        """Open a page of the game, or any page if *path* begins with a slash."""
        context = self.context(phone, **{"viewport": PHONE, **more})
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
        """Return the address of a page of the game, or of *path* with a slash."""
        game = f"/g/{self.evening.game_id}/"
        return self.url + (path if path.startswith("/") else game + path)

    @property
    def keeper(self) -> VaultKeeper | None:
        """The keeper of the vault; ``None`` without a vault."""
        return None if self.coupling is None else self.coupling.keeper

    @property
    def hands(self) -> Hands:
        """The hands that move the simulated vault."""
        assert self.coupling is not None
        assert self.coupling.hands is not None
        return self.coupling.hands

    @property
    def now(self) -> Game:
        """The game as it stands."""
        return self.table.game(self.evening.game_id)

    @property
    def vault_contents(self) -> VaultContents:
        """The contents of the vault, as the game has them."""
        play = self.now.play
        assert play is not None
        assert play.vault_contents is not None
        return play.vault_contents

    def close(self) -> None:
        """End everything, browsers and streams first."""
        try:
            self.hang_up()
        finally:
            self._end_all()

    def _end_all(self) -> None:
        self.table.close()
        self.end()
        if self.coupling is not None:
            self.coupling.stop()
        if self.decoder_service is not None:
            self.decoder_service.examiner.close()
        self.clock.close()
        self.database.close()
