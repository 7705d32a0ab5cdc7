"""A challenge in a real Chromium: a frame sent, a camera that moves, one tap."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from companion.game.stage import Stage
from tests.chromium import expect
from tests.sample import sampled
from tests.web.decoder.decoder_lab import golden
from tests.web.decoder.test_challenge_page import (
    address,
    game_of,
    made_lab,
    note_checked,
    note_paid,
)
from tests.web.decoder.test_decoder_browser import (
    FILE,
    PHONE,
    SMALL,
    TABLE,
    WIDTH,
    Served,
    check_fits,
)
from tests.web.play.test_taps_browser import Thumb
from tests.web.served import still

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def serve(tmp_path: Path, browser: Browser) -> Iterator[Callable[..., Served]]:
    made: list[Served] = []

    def at(*names: str, is_checked: bool = True) -> Served:
        lab = made_lab(tmp_path, *names)
        (note_checked if is_checked else note_paid)(lab)
        made.append(Served(tmp_path, browser, lab))
        return made[-1]

    yield at
    for one in made:
        one.close()


def test_a_frame_is_sent_and_one_tap_applies_what_it_shows(
    serve: Callable[..., Served],
) -> None:
    served = serve()
    lab = served.lab
    ben = served.page(lab.evening.ben, address(lab))
    anna = served.page(lab.evening.anna, address(lab))
    ben.set_input_files("#take", {**FILE, "buffer": golden("fake")})
    expect(ben.locator(".d-verdict h1")).to_have_text("Fake")
    for picture in ben.locator("main img").all():
        assert picture.evaluate(WIDTH) > 0
    ben.get_by_role("button", name="$100").first.click()
    expect(ben).to_have_url(f"{served.url}/g/{lab.evening.game_id}/")
    assert lab.evening.balance("blue") == 1600
    expect(anna).to_have_url(f"{served.url}/g/{lab.evening.game_id}/")
    assert served.mistakes == []


@pytest.mark.parametrize("viewport", [SMALL, PHONE], ids=["320", "360"])
def test_a_check_takes_two_taps_a_photo_and_one_more(
    serve: Callable[..., Served], viewport: dict[str, int]
) -> None:
    served = serve(is_checked=False)
    lab = served.lab
    page = served.page(lab.evening.ben, f"/g/{lab.evening.game_id}/", viewport=viewport)
    thumb = Thumb(page)
    thumb.tap(page.get_by_role("button", name="Check a note"))
    with page.expect_file_chooser() as chooser:
        thumb.tap(page.locator("label[for=take]"))
    chooser.value.set_files([{**FILE, "buffer": golden("fake")}])
    expect(page.locator(".d-verdict h1")).to_have_text("Fake")
    thumb.press("$100")
    expect(page).to_have_url(f"{served.url}/g/{lab.evening.game_id}/")
    assert lab.evening.balance("blue") == 1600
    assert thumb.taps == 3


def test_the_tables_camera_shows_its_picture_and_goes_on_once_it_is_sure(
    serve: Callable[..., Served],
) -> None:
    served = serve(*["glare"] * 3, "real")
    lab = served.lab
    ben = served.page(lab.evening.ben, address(lab))
    expect(ben.locator(".d-verdict h1")).to_have_text("Real")
    ben.get_by_role("button", name="It is real: go on").first.click()
    expect(ben).to_have_url(f"{served.url}/g/{lab.evening.game_id}/")
    assert game_of(lab).play.stage is Stage.PAYMENT
    assert served.mistakes == []


def test_the_picture_of_the_camera_survives_what_others_do(
    serve: Callable[..., Served],
) -> None:
    served = serve("glare")
    lab = served.lab
    ben = served.page(lab.evening.ben, address(lab))
    words = ben.locator("#glance .c-hold")
    expect(words).to_contain_text("Move closer")
    assert ben.locator("#glance img").evaluate(WIDTH) > 0
    lab.house.table.tell(lab.evening.game_id)
    expect(ben.locator("#glance img")).to_be_visible()
    expect(words).to_contain_text("Move closer")
    assert served.mistakes == []


def test_the_screen_shows_what_its_camera_sees_until_somebody_is_sure(
    serve: Callable[..., Served],
) -> None:
    served = serve(*["glare"] * 2, "fake")
    screen = served.page(None, "/table")
    expect(screen.locator("#glance .c-hold")).to_contain_text("Move closer")
    expect(screen.locator("#challenge-scene h2")).to_have_text("Fake")
    assert served.mistakes == []


@pytest.mark.slow
def test_the_form_works_without_script(serve: Callable[..., Served]) -> None:
    served = serve()
    lab = served.lab
    page = served.page(lab.evening.ben, address(lab), java_script_enabled=False)
    page.set_input_files("#choose", {**FILE, "buffer": golden("fake")})
    page.get_by_role("button", name="Look at it").click()
    expect(page.locator(".d-verdict h1")).to_have_text("Fake")
    page.get_by_role("button", name="$50").first.click()
    assert lab.evening.balance("blue") == 1550


@pytest.mark.parametrize("scheme", sampled(["light", "dark"]))
@pytest.mark.parametrize("viewport", sampled([SMALL, PHONE]), ids=["320", "360"])
def test_every_page_fits_a_phone_and_every_target_a_thumb(
    serve: Callable[..., Served], viewport: dict[str, int], scheme: str
) -> None:
    served = serve()
    lab = served.lab
    page = served.page(
        lab.evening.ben, address(lab), viewport=viewport, color_scheme=scheme
    )
    check_fits(page)
    for name in ("glare", "real", "fake"):
        sent = lab.send(lab.evening.ben, golden(name), address(lab, "/photo"))
        page.goto(served.url + sent.headers["Location"])
        page.get_by_text("The plastic lens shows it").click()
        check_fits(page)
    page.get_by_role("button", name="$100").first.click()
    expect(page).to_have_url(f"{served.url}/g/{lab.evening.game_id}/")
    page.goto(served.url + address(lab, f"/{lab.evening.revision()}"))
    check_fits(page)


def test_the_tables_screen_shows_who_was_first_and_what_hides_in_the_note(
    serve: Callable[..., Served],
) -> None:
    served = serve()
    lab = served.lab
    calmly = {"viewport": TABLE, "reduced_motion": "reduce"}
    table = served.page(None, "/table", **{**calmly, "reduced_motion": "no-preference"})
    calm = served.page(None, "/table", **calmly)
    sent = lab.send(lab.evening.ben, golden("fake"), address(lab, "/photo"))
    for page, moves in ((table, True), (calm, False)):
        expect(page.locator(".c-scene h2")).to_have_text("Fake")
        expect(page.locator(".c-first")).to_have_text("Ben was first.")
        hidden = page.locator(".c-hidden")
        assert hidden.evaluate(WIDTH) > 0
        name = hidden.evaluate("x => getComputedStyle(x).animationName")
        assert name == ("c-rise" if moves else "none")
        still(page)
        seen, over = page.locator(".c-reveal img").all()
        assert seen.bounding_box() == over.bounding_box()
        inside = page.locator(".c-scene").bounding_box()
        assert inside is not None
        assert inside["y"] + inside["height"] <= TABLE["height"]
    ben = served.page(lab.evening.ben, sent.headers["Location"])
    ben.get_by_role("button", name="$100").first.click()
    expect(table.locator(".c-scene")).to_have_count(0)
    assert served.mistakes == []
