"""Pictures of guided play for the documents: a turn, a payment, the big board."""

from __future__ import annotations

import base64
import random
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser
from werkzeug.serving import make_server

from companion.game import Game
from companion.game import moves as m
from companion.rules import legal_moves
from tests.chromium import let_go, new_context
from tests.fakes import FakeClock
from tests.guided import filled, kind_of
from tests.running import ROOT
from tests.web.conftest import Evening, House, Phone, make_panel
from tests.web.guided_table import give, guided, said
from tests.web.scenes import SEAT, Shown, last_street, laying, staged, towering
from web.http.settings import PanelSettings

GUIDED = ROOT / "web" / "pictures" / "guided.jpg"
CHALLENGE = ROOT / "web" / "pictures" / "challenge.jpg"
BIG_BOARD = ROOT / "web" / "pictures" / "big-board.jpg"
SEED = 103
MOVES = 44
LIKED = (
    m.AskRent,
    m.PayDebt,
    m.Buy,
    m.Draw,
    m.Bid,
    m.PassBid,
    m.PutUp,
    m.Roll,
    m.PayJail,
    m.Mortgage,
    m.Unbuild,
    m.DeclareBankrupt,
)
"""What players do first, so that a picture shows a game that makes sense."""

FRAME = """<!doctype html><style>
  body {{ margin: 0; padding: 28px; background: #10211b; display: flex; gap: 28px;
         align-items: center; width: max-content }}
  img {{ border-radius: 22px; box-shadow: 0 8px 28px #000a; display: block }}
  .tall {{ height: 600px }} .wide {{ height: 500px }}
</style><img class=tall src="{turn}"><img class=wide src="{table}">
<img class=tall src="{deeds}">"""


def sensible_move(dice: random.Random, game: Game) -> m.Move:
    """Choose what a sensible player would do now."""
    assert game.play is not None
    choices = [
        (LIKED.index(kind_of(choice)), seat, choice)
        for seat in game.play.playing()
        for choice in legal_moves(game, seat)
        if kind_of(choice) in LIKED
    ]
    _, seat, choice = min(choices, key=lambda one: one[0])
    return filled(dice, game, seat, choice)


def played_well(evening: Evening, until: str) -> None:
    """Play on until Anna is to do what *until* says."""
    dice = random.Random(SEED)
    for at in range(10 * MOVES):
        game = evening.house.table.game(evening.game_id)
        play = game.play
        assert play is not None
        is_annas = (play.stage, play.mover.seat) == (until, "red")
        if play.base == "over" or (at > MOVES and is_annas):
            return
        give(evening, sensible_move(dice, game))


def take(browser: Browser) -> None:
    """Take the picture of guided play."""
    with tempfile.TemporaryDirectory() as folder:
        settings = PanelSettings(burst_count=5_000, requests_per_s=1_000.0)
        house = make_panel(Path(folder), FakeClock(), settings=settings)
        evening = guided(house, "classic", 4)
        said(
            evening,
            "red owns st-james-place tennessee-avenue",
            "blue owns pacific-avenue north-carolina-avenue pennsylvania-avenue",
            "green owns oriental-avenue vermont-avenue connecticut-avenue",
            "oriental-avenue houses 2",
            "vermont-avenue houses 2",
            "connecticut-avenue houses 3",
        )
        played_well(evening, "buy")
        server = make_server("127.0.0.1", 0, house.app, threaded=True)
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        _take(browser, f"http://127.0.0.1:{server.server_port}", evening)
        house.table.close()
        server.shutdown()
        thread.join()
        server.server_close()
        house.database.close()


def _take(browser: Browser, address: str, evening: Evening) -> None:
    game = f"/g/{evening.game_id}"
    pictures = {
        "turn": _shot(browser, address, f"{game}/", (390, 844), evening.anna),
        "table": _shot(browser, address, "/table", (1280, 800), None),
        "deeds": _shot(browser, address, f"{game}/deeds", (390, 844), evening.anna),
    }
    _framed(browser, pictures, GUIDED)


PHONE, SCREEN = (390, 844), (1280, 800)

Picture = tuple[Callable[[House], Evening], Shown, tuple[int, int], str]
"""A scene, what of it is shown, the size and the theme."""


def take_challenge(browser: Browser) -> None:
    """Take the picture of a payment on the table: payer, screen, who may look."""
    shown = {
        "turn": (laying, Shown("payer", SEAT, "anna"), PHONE, "light"),
        "table": (laying, Shown("table", "/table"), SCREEN, "dark"),
        "deeds": (laying, Shown("may-look", SEAT, "ben"), PHONE, "light"),
    }
    _take_scenes(browser, shown, CHALLENGE)


def take_big_board(browser: Browser) -> None:
    """Take the picture of 52 spaces: a plan, the screen, and one's own side."""
    plan = Shown("plan", "/g/{j}/plan/new-york-avenue", "anna")
    shown = {
        "turn": (last_street, plan, PHONE, "light"),
        "table": (towering, Shown("table", "/table"), SCREEN, "dark"),
        "deeds": (towering, Shown("side", "/g/{j}/board", "ben"), PHONE, "light"),
    }
    _take_scenes(browser, shown, BIG_BOARD)


def _take_scenes(browser: Browser, shown: dict[str, Picture], path: Path) -> None:
    """Photograph three pages of scenes, and the three side by side."""
    pictures = {}
    for name, (scene, what, size, theme) in shown.items():
        with staged(browser, scene) as stage:
            page = stage.page(what, size, theme, "en")
            pictures[name] = _encoded(page.screenshot())
            stage.hang_up()
    _framed(browser, pictures, path)


def _framed(browser: Browser, pictures: dict[str, str], path: Path) -> None:
    """Photograph the three pictures side by side."""
    page = browser.new_page(viewport={"width": 1500, "height": 660})
    page.set_content(FRAME.format(**pictures))
    page.wait_for_timeout(300)
    page.locator("body").screenshot(path=path, type="jpeg", quality=88)
    page.close()


def _encoded(picture: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(picture).decode()}"


def _shot(
    browser: Browser,
    address: str,
    path: str,
    size: tuple[int, int],
    phone: Phone | None,
) -> str:
    context = new_context(browser, viewport={"width": size[0], "height": size[1]})
    if phone is not None:
        name, token = phone.cookie
        context.add_cookies([{"name": name, "value": token, "url": address}])
    page = context.new_page()
    page.goto(address + path)
    page.wait_for_timeout(900)
    picture = _encoded(page.screenshot())
    let_go(context)
    return picture
