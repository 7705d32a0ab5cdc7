"""What a page says, it says once: names, cards that are due, charts, the lens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from companion.edition import builtin, editions
from companion.edition.library import UK
from companion.game import moves as m
from companion.words.names import NAME_LENGTH_MAX
from hardware.camera.live import LiveCamera
from hardware.camera.simulated import SimulatedDriver
from hardware.photos.photo import read_photo
from tests.chromium import expect
from tests.fakes import FakeClock
from tests.sample import each, sampled
from tests.web.conftest import House
from tests.web.decoder.decoder_lab import DecoderLab, golden
from tests.web.guided_table import give, guided, said
from tests.web.served import RealAddress
from web.http.render import default_name, is_named

BOXES = [one + printing for one in editions() for printing in ("", UK)]


@each("box", BOXES)
def test_an_evening_without_a_name_is_called_by_whole_words(box: str) -> None:
    printed = builtin(box).name
    name = default_name(printed)
    assert 0 < len(name) <= NAME_LENGTH_MAX
    assert set(name.split()) <= set(printed.split())
    assert name[-1].isalnum() or name[-1] == ")"
    assert not is_named(name, printed)
    assert is_named("Saturday", printed)


@pytest.mark.parametrize("is_named_so", [True, False])
def test_a_box_is_named_once(house: House, is_named_so: bool) -> None:
    host = house.host()
    name = "Saturday" if is_named_so else ""
    opened = host.post("/games", edition="grab-and-go", name=name)
    game_id = opened.headers["Location"].split("/")[2]
    box = "Monopoly travel / Grab &amp; Go"
    pages = [host.get(f"/g/{game_id}/{page}").text for page in ("bank", "join")]
    for text in (*pages, host.get("/table").text):
        seen = text.split("</head>")[1]
        assert box in seen
        assert ("Saturday" in seen) is is_named_so
        began = f"{name or 'Grab &amp; Go'} began"  # In the history.
        assert "Grab" not in seen.replace(box, "").replace(began, "")
    own = f"<b>{name or box}</b>"
    assert own in host.get("/games").text


def test_a_card_that_is_due_is_said_once(house: House) -> None:
    evening = guided(house)
    give(evening, m.Roll(by="red", dice=(3, 4)))
    text = evening.anna.get(f"/g/{evening.game_id}/").text
    assert "Draw a card: Chance" in text
    assert "Anna rolled 7 and landed on Chance" in text
    assert "is due" not in text


def test_a_chart_waits_for_its_second_point(house: House) -> None:
    evening = guided(house)
    pages = ("/table", f"/g/{evening.game_id}/board", f"/g/{evening.game_id}/ending")
    for has_turns in (False, True):
        if has_turns:
            said(evening, "red owns baltic-avenue")
            give(evening, m.Roll(by="red", dice=(1, 2)))
        for path in pages:
            text = house.guest().get(path).text
            assert ("worth.svg" in text) is has_turns, path
            assert ("How it went" in text) is (has_turns and path != "/table"), path


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[DecoderLab]:
    driver = SimulatedDriver((read_photo(golden("fake")),))
    made = DecoderLab(tmp_path, LiveCamera(driver, FakeClock()))
    yield made
    made.close()


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("has_script", sampled([True, False]))
def test_one_lens_box_counts_for_the_tables_camera_too(
    lab: DecoderLab, browser: Browser, has_script: bool
) -> None:
    served = RealAddress(lab.app, browser)
    context = served.context(None, java_script_enabled=has_script)
    page = context.new_page()
    page.goto(f"{served.url}/decoder")
    expect(page.get_by_role("checkbox")).to_have_count(1)
    page.get_by_role("checkbox", name="The plastic lens lies on it").check()
    page.get_by_role("button", name="Look with the table's camera").click()
    expect(page.locator(".d-verdict h1")).to_be_visible()
    expect(page.get_by_role("checkbox")).to_be_checked()
    served.hang_up()
    lab.house.table.close()
    served.end()
