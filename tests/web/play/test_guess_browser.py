"""A guess on the phone, from the roll to the next turn, with a vault and without.

With one the tap is a press on M, and the lock answers; without one the toy's own
vault stands on the table, and people tell what it did as they tell their dice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from companion.game.position import LOCKED, OPEN
from companion.ports import Line
from tests.chromium import expect
from tests.sample import sampled
from tests.web.guess_lab import SECRET, WRONG, GuessLab
from tests.web.play.test_panel_browser import TARGETS

pytestmark = pytest.mark.browser

PILE = ["4 x $100", "one key", "one hotel"]
STREETS = ["Vermont Avenue", "St. James Place", "Ventnor Avenue", "Boardwalk"]
FORGOTTEN = "What you forgot goes in by the slot."
CODE_WORDS = re.compile(r"code\W{1,4}\d|secret\W{1,4}\d|is_right", re.IGNORECASE)


mostly_with_vault = pytest.mark.parametrize(
    "lab", sampled([True, False]), ids=["vault", "toy"], indirect=True
)


@pytest.fixture
def lab(
    tmp_path: Path, browser: Browser, request: pytest.FixtureRequest
) -> Iterator[GuessLab]:
    made = GuessLab(tmp_path, browser, has_vault=request.param)
    made.begin(dice="typed", memory="on")
    yield made
    made.close()
    assert made.mistakes == []


def headline(page: Page):
    return page.locator(".now h2")


def roll(page: Page, first: int, last: int | None) -> None:
    """Type two dice; without a last one it shows the lock."""
    page.locator("label.face").nth(first - 1).click()
    name = "Last die shows the lock" if last is None else f"Last die shows {last}"
    page.get_by_role("button", name=name).click()


def guess(lab: GuessLab, page: Page, number: int) -> None:
    """Tap the number; where no lock hears it, tell what the toy did."""
    if lab.coupling is not None:
        page.get_by_role("button", name=f"Guess {number}").click()
        return
    page.locator(f".toy label:has([value='{number}'])").click()
    told = "It opened" if number == SECRET else "It stayed shut"
    page.get_by_role("button", name=told).click()


def fill(page: Page, words: str) -> None:
    """The vault is filled, and shut and locked by a tap."""
    page.get_by_role("button", name=words).click()


def step(page: Page, words: str) -> None:
    """The step on the page says *words*; what only hands do is done."""
    expect(page.locator(".step h3:visible")).to_contain_text(words)
    page.locator(".step label.brass:visible").click()


def check_secret(lab: GuessLab, page: Page) -> None:
    """Nothing that a phone is sent tells the number."""
    for path in ("", "deeds", "board", "history", "bank"):
        answer = page.request.get(lab.address(path)).text()
        assert not CODE_WORDS.search(answer.split("</head>")[1]), path
    for path in ("", "/turn"):
        address = f"{lab.url}/api/games/{lab.evening.game_id}{path}"
        assert not CODE_WORDS.search(page.request.get(address).text()), path


def started(lab: GuessLab) -> Page:
    """Anna's phone, with the vault locked."""
    anna = lab.page(lab.evening.anna)
    if lab.coupling is not None:  # The lid of a new vault is open.
        expect(anna.locator(".riches li.hush")).to_have_text(PILE)
        step(anna, "Put in what is listed.")
        step(anna, "Shut the lid.")
        fill(anna, "The vault is shut and locked")
        expect(anna.locator(".now")).to_contain_text(FORGOTTEN)
        expect(anna.locator(".reminder li.hush")).to_have_text(PILE)
    return anna


def both_started(lab: GuessLab) -> tuple[Page, Page]:
    """Her phone and Ben's."""
    anna, ben = started(lab), lab.page(lab.evening.ben)
    expect(ben.locator(".now h2")).to_have_text("Anna rolls the dice")
    return anna, ben


@pytest.mark.slow
@mostly_with_vault
def test_a_guess_on_the_phone_from_the_roll_to_the_next_turn(lab: GuessLab) -> None:
    anna, ben = both_started(lab)
    roll(anna, 2, 3)
    expect(headline(anna)).to_have_text("Guess the number of the vault")
    expect(headline(ben)).to_have_text("Anna guesses the number of the vault")
    check_secret(lab, ben)
    guess(lab, anna, WRONG)
    expect(anna.locator(".latest")).to_contain_text(f"Anna guessed {WRONG}: wrong")
    expect(headline(ben)).to_have_text("Your turn: roll the dice")

    roll(ben, 3, None)  # Guess first, then three spaces by the other die.
    expect(ben.locator(".now")).to_contain_text(f"Tried so far: {WRONG}")
    guess(lab, ben, SECRET)
    expect(ben.locator(".purse .figure")).to_have_text("$3,400")
    expect(ben.locator(".kept .tag")).to_have_text("one hotel")
    expect(headline(ben)).to_have_text("You opened the vault!")
    for page in (anna, ben):
        expect(page.locator(".treasure li.hush")).to_have_text(PILE)
    assert lab.vault_contents.lid == OPEN
    step(ben, "Take everything out of the vault.")
    keys = ben.locator(".goal")
    expect(keys.locator("b")).to_have_text(STREETS)
    expect(anna.get_by_role("button", name="Boardwalk")).to_have_count(0)

    keys.last.click()
    expect(headline(anna)).to_have_text("Ben fills the vault")
    expect(anna.locator(".hand button")).to_have_count(0)  # Who fills it says so.
    expect(ben.locator(".riches li.hush")).to_have_text(PILE)
    step(ben, "Put in what is listed.")
    expect(ben.locator(".step h3:visible")).to_contain_text("Shut the lid.")
    step(ben, "Shut the lid.")
    fill(ben, "The vault is filled and locked again")
    expect(headline(ben)).to_have_text("Baltic Avenue is for sale")
    assert lab.vault_contents.lid == LOCKED
    expect(ben.locator(".now")).to_contain_text(FORGOTTEN)
    expect(ben.locator(".others")).to_contain_text("$400")
    ben.get_by_role("button", name="Buy for $").click()
    expect(headline(anna)).to_have_text("Your turn: roll the dice")
    expect(headline(ben)).to_have_text("Anna rolls the dice")
    expect(ben.locator(".steps, .reminder")).to_have_count(0)
    check_secret(lab, anna)


@mostly_with_vault
@pytest.mark.slow
def test_a_paid_guess_says_its_price_once_and_may_be_left(lab: GuessLab) -> None:
    anna = started(lab)
    lab.said("red on 10")
    roll(anna, 1, 1)
    now = anna.locator(".now")
    expect(now).to_contain_text("A guess costs $100")
    expect(now).not_to_contain_text("It costs")
    anna.get_by_role("button", name="Do not guess").click()
    expect(headline(anna)).to_have_text("Doubles: roll again")
    lab.said("red on 10", "doubles 0")
    roll(anna, 1, 1)
    guess(lab, anna, WRONG)
    expect(anna.locator(".purse .figure")).to_have_text("$2,900")


def is_tab(target: dict[str, object]) -> bool:
    """Five tabs share a small phone's width; they have a test of their own."""
    return "tab-sign" in str(target["what"])


@mostly_with_vault
@pytest.mark.slow
def test_every_step_fits_a_small_phone_and_a_thumb(lab: GuessLab) -> None:
    anna = started(lab)
    roll(anna, 3, None)
    expect(headline(anna)).to_have_text("Guess the number of the vault")
    small = {"width": 320, "height": 640}
    anna.set_viewport_size(small)

    def unlock() -> None:
        step(anna, "Take everything out")
        anna.get_by_role("button", name="Boardwalk").click()
        expect(anna.locator(".step h3:visible")).to_contain_text("Put in")

    def shut() -> None:
        step(anna, "Put in what is listed.")
        step(anna, "Shut the lid.")
        fill(anna, "The vault is filled and locked again")

    for do in (lambda: guess(lab, anna, SECRET), unlock, shut):
        expect(anna.locator(".hand :is(button, label)").first).to_be_visible()
        small_ones = anna.evaluate(TARGETS)
        assert all(is_tab(one) for one in small_ones), small_ones
        assert anna.evaluate("document.documentElement.scrollWidth") == 320
        do()
    expect(headline(anna)).not_to_have_text("You opened the vault!")


@pytest.mark.slow
def test_a_step_stays_chosen_until_the_steps_change(
    tmp_path: Path, browser: Browser
) -> None:
    with closing(GuessLab(tmp_path, browser)) as lab:
        lab.begin(dice="typed")
        anna = started(lab)
        roll(anna, 3, None)
        guess(lab, anna, SECRET)
        key = anna.get_by_role("button", name="Boardwalk")
        step(anna, "Take everything out")
        lab.correct("blue", 1234)  # News for every page.
        expect(anna.locator(".others")).to_contain_text("$1,234")
        expect(key).to_be_visible()

        lab.hands.shut_lid()  # Too early, and locked, too.
        steps = [re.compile("Which street"), re.compile("Press yellow")]
        expect(anna.locator(".step h3")).to_have_text(steps)
        anna.locator(".step label.brass:visible").click()
        for _ in range(3):
            lab.hands.press(Line.YELLOW_BUTTON)
        expect(anna.locator(".step")).to_have_count(1)
        expect(key).to_be_visible()


@pytest.mark.slow
@mostly_with_vault
def test_a_guess_works_without_script(lab: GuessLab) -> None:
    anna = started(lab)
    roll(anna, 2, 3)
    expect(headline(anna)).to_have_text("Guess the number of the vault")
    page = lab.page(lab.evening.anna, java_script_enabled=False)
    guess(lab, page, SECRET)
    expect(anna.locator(".step h3:visible")).to_contain_text("Take everything out")
    page.goto(lab.address())
    step(page, "Take everything out")
    page.get_by_role("button", name="Ventnor Avenue").click()
    step(page, "Put in what is listed.")
    step(page, "Shut the lid.")
    fill(page, "The vault is filled and locked again")
    expect(headline(anna)).to_have_text("Ben rolls the dice")


@pytest.mark.slow
@pytest.mark.parametrize("has_script", sampled([True, False]))
def test_enter_on_a_number_does_not_say_what_the_toy_did(
    tmp_path: Path, browser: Browser, has_script: bool
) -> None:
    with closing(GuessLab(tmp_path, browser, has_vault=False)) as lab:
        lab.begin(dice="typed")
        anna = lab.page(lab.evening.anna)
        roll(anna, 2, 3)
        expect(headline(anna)).to_have_text("Guess the number of the vault")
        page = lab.page(lab.evening.anna, java_script_enabled=has_script)
        before = lab.evening.revision()
        posts: list[str] = []
        page.on("request", lambda one: posts.append(one.url) if one.post_data else None)
        number = page.locator(f".toy [value='{SECRET}']")
        number.check()
        number.press("Enter")
        expect(page.locator(".toy").get_by_role("button")).to_have_count(2)
        page.get_by_role("button", name="It stayed shut").click()
        expect(page.locator(".toy")).to_have_count(0)
        assert len(posts) == 1, "Enter told something as well"
        assert lab.evening.revision() == before + 1
        assert lab.vault_contents.lid == LOCKED


@pytest.mark.slow
def test_nobody_rolls_before_the_toys_vault_is_filled_shut_and_locked(
    tmp_path: Path, browser: Browser
) -> None:
    with closing(GuessLab(tmp_path, browser, has_vault=False)) as lab:
        lab.page(lab.evening.anna, "begin").get_by_role(
            "button", name="Begin to play"
        ).click()
        ben, anna = lab.page(lab.evening.ben), lab.page(lab.evening.anna)
        roll_it = anna.get_by_role("button", name="Roll the dice")
        expect(headline(anna)).to_have_text("Fill the vault first, then you roll")
        expect(headline(ben)).to_have_text("Fill the vault first, then Anna rolls")
        expect(roll_it).to_have_count(0)
        expect(ben.locator(".riches li.hush")).to_have_text(PILE)
        step(ben, "Put in what is listed.")
        step(ben, "Shut the lid.")
        anna.reload()
        expect(roll_it).to_have_count(0)
        expect(ben.locator(".step h3:visible")).to_contain_text("Press yellow")
        fill(ben, "The vault is shut and locked")
        expect(roll_it).to_be_visible()
        expect(headline(ben)).to_have_text("Anna rolls the dice")
        assert lab.vault_contents.lid == LOCKED


def test_no_tap_shuts_a_lid_that_only_hands_can_shut(
    tmp_path: Path, browser: Browser
) -> None:
    with closing(GuessLab(tmp_path, browser, has_hands=False)) as lab:
        lab.begin()
        anna = lab.page(lab.evening.anna)
        for words in ("Put in what is listed.", "Shut the lid."):
            expect(anna.locator(".step h3", has_text=words)).to_have_count(1)
        expect(anna.locator("#asked")).to_have_text(
            "Fill the vault first, then you roll"
        )
        expect(anna.get_by_role("button", name="Roll the dice")).to_have_count(0)
        expect(anna.get_by_role("button", name=re.compile("locked"))).to_have_count(0)
