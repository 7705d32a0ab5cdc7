"""*Is it real?* in a real Chromium: a simulated photograph sent, a deck learnt."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Browser, Page

from benchmarks.decoder.simulator import simulate
from companion.examining import LessonState
from tests.chromium import expect, let_go
from tests.sample import sampled
from tests.web.conftest import Phone
from tests.web.decoder.decoder_lab import DecoderLab, drawn, golden
from tests.web.http.test_survives_browser import SEEN
from tests.web.play.test_panel_browser import TARGETS
from tests.web.served import RealAddress, still

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 780}
SMALL = {"width": 320, "height": 640}
TABLE = {"width": 1280, "height": 800}

HEADING = "() => document.querySelector('h1').getBoundingClientRect().height"
WIDTH = "x => x.decode().then(() => x.naturalWidth)"
WIDER = "() => document.documentElement.scrollWidth - innerWidth"


class Served(RealAddress):
    """The lab at a real address."""

    def __init__(
        self, folder: Path, browser: Browser, lab: DecoderLab | None = None
    ) -> None:
        self.lab = lab or DecoderLab(folder)
        super().__init__(self.lab.app, browser)

    def page(self, phone: Phone | None, path: str, **more: object) -> Page:
        context = self.context(phone, **{"viewport": PHONE, **more})
        page = context.new_page()
        page.on("pageerror", lambda error: self.mistakes.append(str(error)))
        page.on(
            "console",
            lambda m: self.mistakes.append(m.text) if m.type == "error" else None,
        )
        page.goto(self.url + path)
        return page

    def close(self) -> None:
        try:
            self.hang_up()
        finally:
            self.lab.house.table.close()
            self.end()
            self.lab.close()


@pytest.fixture
def served(tmp_path: Path, browser: Browser) -> Iterator[Served]:
    made = Served(tmp_path, browser)
    yield made
    made.close()


@pytest.fixture(scope="module")
def photograph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A simulated photograph of one fake note, as a phone takes it."""
    frame = simulate(3, "easy", ("house",), notes_count=1, is_fake=True)
    path = tmp_path_factory.mktemp("photo") / "note.jpg"
    cv2.imwrite(str(path), frame.image)
    return path


@pytest.mark.slow
def test_a_photo_is_sent_when_it_is_taken_and_shown_to_everybody(
    served: Served, photograph: Path
) -> None:
    anna = served.page(served.lab.evening.anna, "/decoder")
    table = served.page(None, "/table", viewport=TABLE)
    expect(anna.locator("#take")).to_have_attribute("capture", "environment")
    anna.set_input_files("#take", photograph)
    expect(anna.locator("h1")).to_have_text("Fake")
    expect(anna.locator(".d-verdict")).to_contain_text("99 % sure")
    for picture in anna.locator("main img").all():
        assert picture.evaluate(WIDTH) > 0
    anna.get_by_role("button", name="Show it on the table's screen").click()
    expect(table.locator(".d-screen h2")).to_have_text("Fake")
    anna.get_by_role("button", name="Take it off the table's screen").click()
    expect(table.locator(".d-screen")).to_have_count(0)
    anna.set_input_files("#choose", {**FILE, "buffer": golden("real")})
    expect(anna.locator("h1")).to_have_text("Real")
    assert served.mistakes == []


FILE = {"name": "note.jpg", "mimeType": "image/jpeg"}


@pytest.mark.slow
def test_the_form_works_without_script(served: Served) -> None:
    page = served.page(None, "/decoder", java_script_enabled=False)
    page.set_input_files("#choose", {**FILE, "buffer": golden("fake")})
    page.get_by_role("button", name="Look at it").click()
    expect(page.locator("h1")).to_have_text("Fake")
    page.set_input_files("#take", {**FILE, "buffer": b"no photo"})
    page.get_by_role("button", name="Look at it").click()
    expect(page.get_by_role("alert")).to_contain_text("not a photo")


@pytest.mark.slow
def test_a_photo_that_is_too_large_is_not_even_sent(served: Served) -> None:
    page = served.page(None, "/decoder")
    page.evaluate("() => { document.querySelector('#look').dataset.bytesMax = 9 }")
    page.set_input_files("#take", {**FILE, "buffer": golden("fake")})
    expect(page.locator("#look [role=status]")).to_contain_text("too large")
    assert page.url.endswith("/decoder")
    assert page.locator("#take").evaluate("x => x.files.length") == 0


@pytest.mark.slow
def test_it_says_what_it_waits_for_and_is_fresh_again_on_the_way_back(
    served: Served,
) -> None:
    page = served.page(None, "/decoder")
    page.evaluate("() => addEventListener('submit', x => x.preventDefault())")
    page.set_input_files("#take", {**FILE, "buffer": golden("fake")})
    expect(page.locator("#look [role=status]")).to_have_text("Sending the photo…")
    expect(page.locator("#look")).to_have_attribute("aria-busy", "true")
    page.evaluate("() => dispatchEvent(new Event('pageshow'))")
    expect(page.locator("#look [role=status]")).to_be_hidden()
    expect(page.locator("#look")).to_have_attribute("aria-busy", "false")
    assert page.locator("#take").evaluate("x => x.files.length") == 0


@pytest.mark.slow
def test_what_was_begun_on_the_decks_survives_what_the_others_do(
    served: Served,
) -> None:
    evening = served.lab.evening
    page = served.page(evening.host, "/decks", viewport={"width": 320, "height": 480})
    page.get_by_text("Read a deck file").click()
    name = page.locator("#file-name")
    name.fill("Anna's")
    name.press("ArrowLeft")
    before = still(page).evaluate(SEEN)
    for amount in (40, 60):
        evening.ben.do(evening.game_id, "pay", payee="pot", amount=amount)
        revision = str(evening.revision())
        expect(page.locator("#live")).to_have_attribute("data-revision", revision)
    assert still(page).evaluate(SEEN) == before
    expect(name).to_have_value("Anna's")
    assert served.mistakes == []


@pytest.mark.slow
def test_a_deck_is_taught_with_two_photos_of_each_kind_and_used(
    served: Served,
) -> None:
    page = served.page(served.lab.evening.host, "/decks")
    page.get_by_text("I know which are real").click()
    for kind, rolls in (("real", (3, -5)), ("fake", (-2, 6))):
        for number, roll in enumerate(rolls, 1):
            picture = drawn(is_fake=kind == "fake", roll_deg=roll)
            page.set_input_files(f"#take-{kind}", {**FILE, "buffer": picture})
            tray = page.locator(".d-tray", has_text=f"{kind.capitalize()} notes")
            expect(tray.locator(".count")).to_have_text(str(number))
    page.get_by_label("What do you call these notes?").fill("From the shop")
    page.get_by_role("button", name="Learn them").click()
    expect(page.locator(".d-lesson h2")).to_have_text(
        "Learnt: From the shop", timeout=40_000
    )
    expect(page.locator(".d-lesson")).to_contain_text("4 of 4 photos were read right")
    assert served.lab.lessons.view().state is LessonState.LEARNT
    deck = page.locator(".d-decks li", has_text="From the shop")
    assert deck.locator("img").evaluate(WIDTH) > 100
    expect(page.locator(".d-chosen")).to_contain_text("From the shop")
    phone = served.page(served.lab.evening.anna, "/decoder")
    phone.set_input_files("#take", {**FILE, "buffer": golden("fake")})
    expect(phone.locator("h1")).to_have_text("Fake")
    assert served.mistakes == []


KINDS = (False, True, True, False, True, False, False, True)
"""Whether each of eight notes is fake, in the order in which they are photographed."""


@pytest.fixture(scope="module")
def eight(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Eight simulated photographs of notes, as a phone takes them."""
    folder = tmp_path_factory.mktemp("eight")
    paths = []
    for number, is_fake in enumerate(KINDS):
        frame = simulate(
            60 + number, "learning", ("house",), notes_count=1, is_fake=is_fake
        )
        paths.append(folder / f"note{number}.jpg")
        cv2.imwrite(str(paths[-1]), frame.image)
    return paths


@pytest.mark.slow
@pytest.mark.volume
def test_eight_photos_and_one_tap_make_a_deck_and_a_verdict_for_everybody(
    served: Served, eight: list[Path], photograph: Path
) -> None:
    lab = served.lab
    page = served.page(lab.evening.host, "/decks")
    page.set_input_files("#choose-any", eight)
    expect(page.locator(".d-tray .count").first).to_have_text("8", timeout=60_000)
    page.get_by_role("button", name="Learn them").click()
    question = page.get_by_role("heading", name="Which one wears the mask?")
    expect(question).to_be_visible(timeout=120_000)
    view = lab.lessons.view()
    fakes = {key for key, fake in zip(view.unsorted, KINDS, strict=True) if fake}
    shown = [set(keys) for keys in view.shown_by]
    masked = max((0, 1), key=lambda face: len(shown[face] & fakes))
    assert shown[masked] <= fakes
    assert not shown[1 - masked] & fakes
    narrow = served.page(lab.evening.host, "/decks", viewport=SMALL)
    check_fits(narrow)
    let_go(narrow.context)
    faces = page.locator(".d-choice img")
    for face in faces.all():
        assert face.evaluate(WIDTH) >= 200
    faces.nth(masked).click()
    expect(page.locator(".d-lesson h2")).to_have_text(
        "Learnt: From the shop", timeout=60_000
    )
    expect(page.locator(".d-chosen")).to_contain_text("From the shop")
    phone = served.page(lab.evening.anna, "/decoder")
    table = served.page(None, "/table", viewport=TABLE)
    phone.set_input_files("#take", photograph)
    expect(phone.locator("h1")).to_have_text("Fake")
    phone.get_by_role("button", name="Show it on the table's screen").click()
    expect(table.locator(".d-screen h2")).to_have_text("Fake")
    shown = lab.examiner.shown()
    assert shown is not None
    assert shown.deck == "From the shop"
    expect(phone.get_by_role("button", name="A mask: fake")).to_have_count(0)
    page.goto(phone.url)  # The banker's phone, at the look that Anna's has begun.
    page.get_by_role("button", name="A mask: fake").click()
    expect(page.locator(".d-lesson h2")).to_contain_text(
        "The deck knows", timeout=60_000
    )
    assert served.mistakes == []


@pytest.mark.slow
def test_photos_chosen_together_are_sent_one_by_one_and_the_poor_ones_are_named(
    served: Served,
) -> None:
    page = served.page(served.lab.evening.host, "/decks")
    photos = [
        drawn(is_fake=False),
        golden("no_scrambled_print"),
        drawn(is_fake=True),
        b"no photo",
    ]
    page.set_input_files("#choose-any", [{**FILE, "buffer": x} for x in photos])
    expect(page.locator("#message .card")).to_have_count(2)
    first, second = page.locator("#message .card").all()
    expect(first).to_contain_text("Photo 2 of 4: There is no scrambled print")
    expect(second).to_contain_text(
        "Photo 4 of 4: This is another kind of file, not a photo"
    )
    expect(page.locator(".d-tray .count").first).to_have_text("2")
    expect(page.locator(".d-tray").first).to_contain_text("4 more photos")
    expect(page.locator(".d-busy")).to_have_count(0)
    page.get_by_role("button", name="Leave photo 1 out").click()
    expect(page.locator(".d-tray .count").first).to_have_text("1")
    mistakes = [x for x in served.mistakes if "400" not in x]  # The two refusals.
    assert mistakes == []


def test_a_photo_that_is_being_taken_is_not_lost_to_what_others_do(
    served: Served,
) -> None:
    lab = served.lab
    page = served.page(lab.evening.host, "/decks")
    page.get_by_text("I know which are real").click()
    with page.expect_file_chooser() as chooser:
        page.locator("#take-real").click()
    lab.evening.ben.do(lab.evening.game_id, "pay", payee="red", amount="10")
    lab.lessons.add(BytesIO(drawn(is_fake=True)), is_fake=True)  # Another phone's.
    revision = str(lab.evening.revision())
    expect(page.locator("#live")).to_have_attribute("data-revision", revision)
    chooser.value.set_files({**FILE, "buffer": drawn(is_fake=False)})
    expect(page.locator(".d-tray .count")).to_have_text(["1", "1"])
    assert served.mistakes == []


@pytest.mark.slow
@pytest.mark.parametrize("scheme", sampled(["light", "dark"]))
@pytest.mark.parametrize("viewport", sampled([SMALL, PHONE]), ids=["320", "360"])
def test_every_page_fits_a_phone_and_every_target_a_thumb(
    served: Served, viewport: dict[str, int], scheme: str
) -> None:
    lab = served.lab
    lab.decks.keep("Grandma's notes", b"", golden("real"))
    lab.lessons.add(BytesIO(drawn(is_fake=True)), is_fake=None)
    paths = ["/decoder", "/decks"]
    for name in ("fake", "glare"):
        paths.append(lab.send(lab.evening.host, golden(name)).headers["Location"])
    page = served.page(
        lab.evening.host, "/decoder", viewport=viewport, color_scheme=scheme
    )
    for path in paths:
        page.goto(served.url + path)
        check_fits(page)


def check_fits(page: Page) -> None:
    """Nothing of a page is wider than the phone or too small for a thumb."""
    assert still(page).evaluate(WIDER) <= 0, page.url
    small = [t for t in page.evaluate(TARGETS) if 'type="file"' not in t["what"]]
    assert small == [], page.url
    assert page.evaluate(HEADING) < 80, page.url


@pytest.mark.slow
def test_nothing_moves_for_those_who_asked_for_less_motion(served: Served) -> None:
    lab = served.lab
    address = lab.send(lab.evening.host, golden("fake")).headers["Location"]
    lab.examiner.show(address.rsplit("/", 1)[1])
    page = served.page(None, "/table", viewport=TABLE, reduced_motion="reduce")
    shown = page.locator(".d-screen")
    expect(shown).to_be_visible()
    assert shown.evaluate("x => getComputedStyle(x).animationName") == "none"
    pictures = shown.locator("img").all()
    assert all(picture.evaluate(WIDTH) for picture in pictures)
    box = shown.bounding_box()
    assert box is not None
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= TABLE["height"]
    for picture in pictures:
        inside = picture.bounding_box()
        assert inside is not None
        assert inside["y"] + inside["height"] <= box["y"] + box["height"]
