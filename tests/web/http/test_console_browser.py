"""No page of the table has anything to complain about to its browser.

Every page is opened by whoever may see it, with everything that moves; what the browser
writes into its console as an error, such as a style that the policy forbids, counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.chromium import LIVELY, expect
from tests.fakes import FakeClock
from tests.sample import sampled
from tests.web.conftest import Evening, House, Phone, make_evening, make_panel
from tests.web.decoder.decoder_lab import DecoderLab, golden
from tests.web.guided_table import guided, played
from tests.web.served import RealAddress, still
from web.http.settings import PanelSettings

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SETTINGS = PanelSettings(burst_count=5_000, heartbeat_s=0.5, streams_share_max=40)
PHONE = {"width": 390, "height": 844}

OF_A_GAME = (
    "/g/{j}/", "/g/{j}/more", "/g/{j}/history", "/g/{j}/invite", "/g/{j}/join",
    "/g/{j}/pay?payee=blue&amount=50", "/g/{j}/deeds", "/g/{j}/trade?taker=blue",
    "/g/{j}/board", "/g/{j}/pause", "/g/{j}/pause?way=set-up", "/g/{j}/ending",
    "/g/{j}/worth.svg?theme=dark", "/table", "/editions", "/editions/classic",
)  # fmt: skip
OF_THE_BANK = ("/g/{j}/bank", "/g/{j}/begin", "/g/{j}/correct", "/games")


class Listening(RealAddress):
    """Browsers whose consoles are read."""

    def open(self, phone: Phone | None, paths: tuple[str, ...], game: str) -> Page:
        """Open one page after another with everything that moves."""
        context = self.context(phone, viewport=PHONE, reduced_motion=LIVELY)
        page = context.new_page()
        self.hear(page)
        for path in paths:
            page.goto(self.url + path.format(j=game))
            expect(page.locator("body, svg").first).to_be_visible()
        return still(page)


@pytest.fixture
def listen(browser: Browser) -> Iterator[Callable[[House], Listening]]:
    made: list[tuple[Listening, House]] = []

    def begin(house: House) -> Listening:
        made.append((Listening(house.app, browser), house))
        return made[-1][0]

    yield begin
    for listening, house in made:
        listening.hang_up()
        house.table.close()
        listening.end()
        house.database.close()
        assert listening.mistakes == []


def by_hand(house: House) -> Evening:
    return make_evening(house, "secret-vault")


def led(house: House) -> Evening:
    return played(guided(house, "secret-vault", 3), 60)


def over(house: House) -> Evening:
    return played(guided(house, "grab-and-go", 2, {"quick": "on"}), 3_000, seed=2)


@pytest.mark.parametrize("make", sampled([led, over, by_hand]))
def test_no_page_of_a_game_makes_the_browser_complain(
    tmp_path: Path,
    listen: Callable[[House], Listening],
    make: Callable[[House], Evening],
):
    house = make_panel(tmp_path, FakeClock(), settings=SETTINGS)
    evening = make(house)
    listening = listen(house)
    listening.open(evening.anna, OF_A_GAME, evening.game_id)
    listening.open(evening.host, OF_THE_BANK, evening.game_id)
    listening.open(None, ("/", "/g/{j}/join", "/table", "/g/{j}/"), evening.game_id)


def test_no_page_of_the_decoder_makes_the_browser_complain(
    tmp_path: Path, listen: Callable[[House], Listening]
):
    lab = DecoderLab(tmp_path)
    listening = listen(lab.house)
    sent = lab.send(lab.evening.anna, golden("fake"))
    looks = ("/decoder", "/decks", sent.headers["Location"])
    listening.open(lab.evening.anna, looks, lab.evening.game_id)
    listening.open(lab.evening.host, (*looks, "/table"), lab.evening.game_id)


def test_no_page_of_a_new_table_makes_the_browser_complain(
    tmp_path: Path, listen: Callable[[House], Listening]
):
    house = make_panel(tmp_path, FakeClock(), settings=SETTINGS)
    listening = listen(house)
    listening.open(None, ("/", "/start", "/table", "/no-such-page"), "")
    listening.open(house.host(), ("/", "/games", "/table"), "")
