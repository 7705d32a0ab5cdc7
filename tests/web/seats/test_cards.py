"""Cards to print, one for the table of each game."""

from __future__ import annotations

import re

import pytest

from tests.chromium import expect
from tests.sample import sampled
from tests.web.conftest import Evening, House, make_evening
from tests.web.served import RealAddress

QR_MM = 35
"""The smallest code that phones read from above a table."""
PX_PER_MM = 96 / 25.4
PAPER = {"width": round(190 * PX_PER_MM), "height": round(277 * PX_PER_MM)}
"""What a printer leaves of A4."""


def opened(house: House, evening: Evening, *names: str) -> list[str]:
    """Open further games; return the ids of all."""
    for name in names:
        house.clock.advance(1_000)
        evening.host.post("/games", edition="classic", name=name)
    return [one.game_id for one in house.table.games()]


def test_the_host_finds_a_card_for_each_open_game_once_there_are_two(house: House):
    evening = make_evening(house)
    assert "/games/cards" not in evening.host.get("/games").text
    games = opened(house, evening, "Table 2", "Table 3")
    assert 'href="/games/cards"' in evening.host.get("/games").text
    page = evening.host.get("/games/cards").text
    for game, name in zip(games, ("Table 3", "Table 2", "Saturday"), strict=True):
        assert f"<h2>{name}</h2>" in page
        assert f"localhost<wbr>/g/{game}/</p>" in page
        assert f'src="/join.svg?game={game}&amp;for=paper' in page
    assert evening.anna.get("/games/cards").status_code == 403
    evening.host.post(f"/games/{games[0]}/close")
    evening.host.post(f"/games/{games[1]}/close")
    assert "Table 2" not in evening.host.get("/games/cards").text
    assert "/games/cards" not in evening.host.get("/games").text


def test_a_code_for_paper_is_black_on_white(evening: Evening):
    path = f"/join.svg?game={evening.game_id}"
    screen, paper = (evening.host.get(path + more).text for more in ("", "&for=paper"))
    assert "#000" in paper
    assert "#fff" in paper
    assert "#0c1915" in screen
    assert paper.replace("#fff", "#faf4e3").replace("#000", "#0c1915") == screen


@pytest.mark.browser
@pytest.mark.parametrize("theme", sampled(["light", "dark"]))
def test_they_print_large_enough_and_alone(house: House, real: RealAddress, theme: str):
    evening = make_evening(house)
    opened(house, evening, *(f"Table {number}" for number in range(2, 7)))
    page = real.context(evening.host, viewport=PAPER, color_scheme=theme).new_page()
    page.goto(f"{real.url}/games/cards")
    page.emulate_media(media="print")
    cards = page.locator(".to-cut li")
    expect(cards).to_have_count(6)
    for box in (one.bounding_box() for one in page.locator(".to-cut img").all()):
        assert box is not None
        assert min(box["width"], box["height"]) >= QR_MM * PX_PER_MM
    shown = page.locator("h1, nav, form, a, button, footer").locator("visible=true")
    expect(shown).to_have_count(0)
    sheets = re.findall(rb"/Type /Page\b", page.pdf(format="A4"))
    assert len(sheets) == 1, "six cards fit on a sheet"
