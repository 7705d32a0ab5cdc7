"""The table as an app: its icons and colours, and a screen that stays awake.

This browser has no battery and no screen that could go dark; what the page asks of them
is noted by stand-ins.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.chromium import expect
from tests.icons import ICONS, STATIC
from tests.web.conftest import Evening, House, Phone, make_evening
from tests.web.guided_table import guided, said
from tests.web.served import RealAddress
from web.http.settings import PanelSettings

pytestmark = pytest.mark.browser

STAND_INS = """
  window.awake = 0;
  Object.defineProperty(navigator, "wakeLock", { value: { request: async () => {
    window.awake += 1;
    const lock = new EventTarget();
    lock.release = async () => {
      window.awake -= 1;
      lock.dispatchEvent(new Event("release"));
    };
    return lock;
  } } });
  window.battery = Object.assign(new EventTarget(), { level: 0.8, charging: false });
  Object.defineProperty(navigator, "getBattery", { value: async () => window.battery });
"""
NO_LOCK = 'Object.defineProperty(navigator, "wakeLock", { value: undefined });'
DRAIN = """([level, charging]) => {
  Object.assign(battery, { level, charging });
  battery.dispatchEvent(new Event("levelchange"));
}"""


@pytest.fixture
def house(make_house: Callable[..., House]) -> House:
    return make_house(settings=PanelSettings(burst_count=500, heartbeat_s=0.5))


def opened(
    real: RealAddress, phone: Phone | None, path: str, script: str = STAND_INS
) -> Page:
    page = real.context(phone).new_page()
    page.add_init_script(script)
    page.goto(real.url + path)
    return page


def expect_awake(page: Page, count: int) -> None:
    page.wait_for_function("count => window.awake === count", arg=count)


@pytest.mark.slow
def test_the_screen_stays_awake_until_the_battery_is_low(
    real: RealAddress, house: House
):
    evening = make_evening(house)
    page = opened(real, evening.anna, f"/g/{evening.game_id}/")
    expect_awake(page, 1)
    page.evaluate(DRAIN, [0.15, False])
    expect_awake(page, 0)
    page.evaluate(DRAIN, [0.15, True])
    expect_awake(page, 1)


@pytest.mark.slow
def test_it_may_go_dark_once_somebody_has_won(real: RealAddress, house: House):
    evening: Evening = guided(house, "classic", 2)
    page = opened(real, evening.ben, f"/g/{evening.game_id}/")
    expect_awake(page, 1)
    said(evening, "red cash 0", "red owes 5000 to blue")
    evening.anna.do(evening.game_id, "declare-bankrupt")
    expect_awake(page, 0)


@pytest.mark.slow
def test_it_may_go_dark_where_no_game_goes_on(real: RealAddress, house: House):
    evening = make_evening(house)
    evening.host.post(f"/games/{evening.game_id}/close")
    for path in (f"/g/{evening.game_id}/", "/games"):
        page = opened(real, evening.host, path)
        expect(page.locator("#live")).to_have_attribute("data-awake", "")
        assert page.evaluate("window.awake") == 0


@pytest.mark.slow
def test_the_tables_screen_stays_awake_too(real: RealAddress, house: House):
    make_evening(house)
    expect_awake(opened(real, None, "/table"), 1)


BEGINS_ANEW = """async film => {
  const hear = kind => new Promise(x => film.addEventListener(kind, x, { once: true }));
  if (!film.duration) await hear("durationchange");
  const ended = hear("ended");
  film.currentTime = film.duration - 0.1;
  await ended;
  await hear("playing");
}"""
"""Plays the last moment of a film, and waits until it is played once more."""


def expect_film(page: Page, *, plays: bool) -> None:
    film = page.locator("video.film")
    expect(film).to_have_count(1 if plays else 0)
    if plays:
        film.evaluate(BEGINS_ANEW)


@pytest.mark.slow
def test_without_a_lock_a_silent_film_keeps_a_phone_awake_that_asked_for_it(
    real: RealAddress, house: House
):
    evening: Evening = guided(house, "classic", 2)
    more = f"/g/{evening.game_id}/more"
    with_lock = opened(real, evening.anna, more)
    expect(with_lock.get_by_role("button", name="Sounds on this phone")).to_be_visible()
    expect(with_lock.locator("#phone-awake")).to_be_hidden()
    page = opened(real, evening.anna, more, NO_LOCK)
    expect_film(page, plays=False)
    page.get_by_role("button", name="Screen stays awake off").click()
    expect_film(page, plays=True)
    page.locator(f'nav a[href="/g/{evening.game_id}/"]').click()
    expect_film(page, plays=True)
    said(evening, "red cash 0", "red owes 5000 to blue")
    evening.anna.do(evening.game_id, "declare-bankrupt")
    expect_film(page, plays=False)
    page.goto(real.url + more)
    expect(page.get_by_role("button", name="Screen stays awake on")).to_be_visible()


@pytest.mark.slow
def test_without_a_lock_the_tables_screen_plays_the_film_from_the_first_tap(
    real: RealAddress, house: House
):
    make_evening(house)
    page = opened(real, None, "/table", NO_LOCK)
    page.get_by_role("button", name="Sounds").click()
    expect_film(page, plays=True)


@pytest.mark.slow
def test_the_browser_reads_the_manifest_without_a_complaint(
    real: RealAddress, house: House
):
    evening = make_evening(house)
    page = opened(real, evening.anna, f"/g/{evening.game_id}/")
    devtools = page.context.new_cdp_session(page)
    told = devtools.send("Page.getAppManifest")
    assert told["errors"] == []
    manifest = json.loads(told["data"])
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        answer = page.request.get(f"{real.url}/static/{icon['src']}")
        assert answer.ok
        assert answer.headers["content-type"].startswith(icon["type"])
    start = page.evaluate(
        "([start, at]) => new URL(start, at).href", [manifest["start_url"], told["url"]]
    )
    assert start == f"{real.url}/"


@pytest.mark.parametrize("name", ICONS)
def test_an_icon_has_the_size_that_it_promises(name: str):
    content = (STATIC / name).read_bytes()
    width, height = struct.unpack(">II", content[16:24])
    assert (width, height) == (ICONS[name][0],) * 2
    assert len(content) < 25_000


@pytest.mark.slow
def test_the_bar_above_the_page_has_the_colour_of_the_theme(
    real: RealAddress, house: House
):
    evening = make_evening(house)
    path = f"/g/{evening.game_id}/history"
    page = opened(real, evening.anna, path)
    expect(page.locator("meta[name=theme-color]")).to_have_count(2)
    for theme in ("light", "dark"):
        evening.anna.post("/theme", theme=theme, back="/")
        real_style = opened(real, evening.anna, path)
        real_style.context.add_cookies(
            [{"name": "theme", "value": theme, "url": real.url}]
        )
        real_style.reload()
        ground = real_style.evaluate(
            "getComputedStyle(document.documentElement).getPropertyValue('--ground')"
        )
        bar = real_style.locator("meta[name=theme-color]")
        expect(bar).to_have_attribute("content", ground.strip())
