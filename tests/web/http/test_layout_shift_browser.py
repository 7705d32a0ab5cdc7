"""Nothing on a page moves by itself while three other phones act."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import pytest
from playwright.sync_api import Page

from companion.errors import Refused
from companion.game import moves as m
from companion.views.pause import WAYS, pause_view
from tests.chromium import expect
from tests.guided import random_move
from tests.sample import sampled
from tests.web.conftest import Evening
from tests.web.guided_table import OTHERS, give, lead, said
from tests.web.play.test_panel_browser import PHONE, SMALL, TABLE, Served, serve
from tests.web.served import still

__all__ = ["serve"]  # A fixture.

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WATCHED = """async () => {
  window.moved = [];
  const drawn = () =>
    new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  const isText = x => x?.nodeType === Node.TEXT_NODE;
  const where = x => (isText(x) ? x.parentElement : x);
  const THINGS = "a, button, details, form, img, input, li, svg";
  const isWords = x =>
    isText(x) || (x && !x.matches(THINGS) && !x.querySelector(THINGS));
  const told = ({ node, previousRect: was, currentRect: is }) => [
    where(node)?.outerHTML.slice(0, 90) ?? "gone",
    was.x, was.y, was.width, was.height, is.x, is.y, is.width, is.height,
  ];
  let known = new Map();
  window.remember = async () => {
    await drawn();
    judge(observer.takeRecords());
    const all = [...document.querySelectorAll("body *")];
    known = new Map(all.map(x => [x, x.textContent]));
  };
  const isThere = x => x.matches(THINGS) || !x.children.length;
  const stayed = x => isThere(x) && known.get(x) === x.textContent;
  const isOther = x => x && !isText(x) && ![x, ...x.querySelectorAll("*")].some(stayed);
  // Other words flow in other lines; of those with long ones each part has a box.
  const isReworded = x => {
    const sentence = where(x)?.closest(":has(> .word)");
    return sentence && known.get(sentence) !== sentence.textContent;
  };
  const isSeen = ({ node, previousRect: was, currentRect: is }) =>
    !isOther(node) && !isReworded(node)
    && (!isWords(node) || was.y !== is.y || was.height !== is.height);
  const judge = entries => {
    for (const entry of entries) {
      const seen = entry.sources.filter(isSeen).map(told);
      if (!entry.hadRecentInput && seen.length) moved.push(entry.value, ...seen);
    }
  };
  const observer = new PerformanceObserver(list => judge(list.getEntries()));
  await drawn();
  observer.observe({ type: "layout-shift" });
}"""
"""Keeps how much moved from now on, and what: where it lay and where it lies.

Words alone may begin elsewhere in the same line: an amount with fewer digits is still
at the right of its row or in the middle of its button, and begins further to the right.
A box whose whole content is other than it was is another box, wherever it lies.
Of everything else, each move counts, sideways as well.
"""

MOVED = "remember().then(() => moved)"
"""What has moved up to now, the last frame included."""

THREE = ("blue", "green", "orange")


class Look(NamedTuple):
    """A page that somebody looks at.

    Attributes:
        path: Below the game, or the whole address if it begins with a slash.
        by: Whose phone it is; empty for one that nobody knows.
        size: Of its screen.
    """

    path: str
    by: str = "anna"
    size: Mapping[str, int] = PHONE

    def name(self) -> str:
        """For the name of a test."""
        return f"{self.by}/{self.path}"


MINE, THEIRS = "states-avenue", "boardwalk"
"""A deed of Anna, whose phone it mostly is, and one of Ben."""

SCREEN = Look("/table", "host", TABLE)

BY_HAND = (
    *map(Look, ("", "history", "more", "invite", "join")),
    Look("bank", "host"),
    Look("pay?payee=blue&amount=5"),
    SCREEN,
    Look("begin", "host"),
)
LED = (
    *map(Look, ("", "board", "deeds", "trade", "history", "more", "invite", "ending")),
    Look("bank", "host"),
    SCREEN,
)
LED_BESIDE = (
    *(Look(f"deeds/{one}") for one in (MINE, THEIRS, "oriental-avenue")),
    *map(Look, ("deeds?owner=bank", "history?before=12")),
    Look(f"trade?taker=blue&give-deed={MINE}&give-cash=50"),
    Look("deeds", ""),
    Look("board", ""),
    Look("correct", "host"),
    Look("begin", "host"),
)
PAUSED = tuple(
    Look(f"pause?way={way}", size=size) for way in WAYS for size in (PHONE, SMALL)
)
TYPED = tuple(Look(f"deeds/{MINE}", by) for by in ("ben", "anna", ""))
AUCTION = (
    *(Look("", by, size) for by in ("anna", "ben") for size in (PHONE, SMALL)),
    SCREEN,
)
"""Anna may still bid, and Ben has passed."""


def seated(evening: Evening) -> None:
    for name, colour, token in OTHERS[:2]:
        evening.house.seated(evening.game_id, name, colour, token)


def pay_around(evening: Evening, dice: random.Random) -> None:
    """One of the three pays somebody, or asks for money, or takes it back."""
    by, to = dice.sample((*THREE, "pot"), 2)
    if by == "pot":
        by, to = to, by
    more = {"payer": by, "payee": to, "amount": dice.randrange(1, 2_000)}
    evening.host.do(evening.game_id, "pay", reason="other", **more)


def play_around(evening: Evening, dice: random.Random) -> None:
    """One of the three makes a move; when it is Anna's turn, the table passes it on."""
    for _ in range(200):
        game = evening.house.table.game(evening.game_id)
        if game.play.mover.seat == "red":
            said(evening, "turn blue")
            return
        move = random_move(dice, game)
        if move.by not in THREE:
            continue
        try:
            give(evening, move)
        except Refused:
            continue
        return
    said(evening, "turn blue", "stage roll")


def pack_around(evening: Evening, dice: random.Random) -> None:
    """Ben ticks a step of packing or setting up, while the two others play on."""
    if dice.random() < 0.7:
        play_around(evening, dice)
        return
    way, game = dice.choice(WAYS), evening.house.table.game(evening.game_id)
    steps = [one.id for part in pause_view(game, way, None).parts for one in part.steps]
    tick = {"way": way, "step": dice.choice(steps), "done": "yes"}
    evening.ben.post(f"/g/{evening.game_id}/pause/tick", **tick)


def type_around(evening: Evening, dice: random.Random) -> None:
    """One of the three types in what the box says, of Anna's deed first."""
    board = evening.house.table.game(evening.game_id).board
    assert board is not None
    deeds = [one for one in board.unknown if one.of in board.index]
    key = next((one.key for one in deeds if one.of == MINE), deeds[0].key)
    for _ in range(40):
        amount = dice.randrange(10, 500)
        try:
            give(evening, m.ReadBox(by=dice.choice(THREE), key=key, value=amount))
        except Refused:  # Out of the bounds of the deed.
            continue
        return


TOO_HIGH = 700
"""A bid that is not topped in an auction."""


def bid_around(evening: Evening, dice: random.Random) -> None:
    """Cleo and Dana bid, and now and then the lot goes and another one is put up."""
    play = evening.house.table.game(evening.game_id).play
    assert play is not None
    auction = play.auction
    if auction is None:
        put_up(evening, dice)
    elif auction.amount > TOO_HIGH:
        said(evening, "turn green", "stage roll")
    else:
        by = "orange" if auction.bidder == "green" else "green"
        more = dice.choice((1, 9, 10, 40, 90, 200))
        give(evening, m.Bid(by=by, amount=max(auction.amount, 10) + more))


def put_up(evening: Evening, dice: random.Random) -> None:
    """A deed that Cleo stands on is put up, and Ben passes at once."""
    game = evening.house.table.game(evening.game_id)
    assert game.play is not None
    assert game.board is not None
    lot = dice.choice(list(game.board.index))
    said(evening, "turn green", "stage roll", f"green on {lot}", "stage auction")
    give(evening, m.PassBid(by="blue"))


def shown(page: Page, evening: Evening) -> None:
    revision = str(evening.revision())
    expect(page.locator("#live")).to_have_attribute("data-revision", revision)


def open_all(served: Served, looks: Iterable[Look]) -> list[tuple[Look, Page]]:
    """Each page on a phone of its own, and what moves on it from now on is kept."""
    pages = []
    for look in looks:
        phone = getattr(served.evening, look.by) if look.by else None
        address = look.path if look.path.startswith("/") else "/g/{j}/" + look.path
        pages.append((look, served.page(phone, address, viewport=look.size)))
    return pages


def check_still(
    served: Served,
    looks: Iterable[Look],
    act: Callable[[Evening, random.Random], None],
    *,
    acts: int,
) -> None:
    """All pages side by side while the others act; each has shown every act."""
    evening, dice = served.evening, random.Random(3)
    pages = open_all(served, looks)
    act(evening, dice)
    for _, page in pages:
        shown(page, evening)
        still(page).evaluate(WATCHED)
    for _ in range(acts):
        for _, page in pages:
            page.evaluate("remember()")
        act(evening, dice)
        for _, page in pages:
            shown(page, evening)
            still(page)  # A row that glides to its new rank has arrived.
    found = [(look, still(page).evaluate(MOVED)) for look, page in pages]
    assert not any(moved for _, moved in found), as_table(found)
    assert served.mistakes == []


def as_table(found: Iterable[tuple[Look, list[object]]]) -> str:
    return "\n".join(f"{look}: {one}" for look, moved in found for one in moved)


FEWER, FEW = 6, 12
ACTS = 30
"""A few dozen."""

MINUTE = 120
"""Acts of three phones in a minute: each of them one in one and a half seconds."""


@pytest.mark.parametrize("look", sampled(BY_HAND), ids=Look.name)
def test_nothing_moves_while_others_pay(serve, look: Look) -> None:
    served = serve()
    seated(served.evening)
    check_still(served, [look], pay_around, acts=FEW)


def led(served: Served, edition: str = "secret-vault") -> None:
    lead(served.evening, edition, seats=4)
    said(served.evening, f"red owns {MINE}", f"blue owns {THEIRS}")


def test_nothing_moves_while_others_play(serve) -> None:
    served = serve()
    led(served)
    check_still(served, LED[:2], play_around, acts=FEW)


def test_nothing_moves_while_others_play_on_instead_of_packing(serve) -> None:
    served = serve()
    led(served)
    check_still(served, [PAUSED[0], LED_BESIDE[0]], pack_around, acts=FEWER)


def test_a_tick_comes_at_once_and_another_list_is_offered(serve) -> None:
    served = serve()
    evening = served.evening
    led(served)
    anna = served.page(evening.anna, "/g/{j}/pause?way=pack")
    step = anna.locator(".step input[name=step]").first.get_attribute("value")
    tick = {"way": "pack", "step": step, "done": "yes"}
    evening.ben.post(f"/g/{evening.game_id}/pause/tick", **tick)
    expect(anna.locator(".step.done")).to_have_count(1)
    newer = anna.get_by_role("link", name="Show what is new")
    expect(newer).to_be_hidden()
    said(evening, "green cash 77")
    expect(newer).to_be_visible()
    expect(anna.locator(".step.done")).to_have_count(1)
    newer.click()
    expect(anna.locator(".step.done")).to_have_count(0)


@pytest.mark.slow
@pytest.mark.parametrize("lies", ["yes", "no"])
def test_a_game_taken_out_again_brings_the_list_of_setting_it_up(serve, lies) -> None:
    served = serve()
    evening = served.evening
    led(served)
    evening.host.post(f"/g/{evening.game_id}/pause/papers", way="pack", lie=lies)
    evening.host.do(evening.game_id, "close-game")
    anna = served.page(evening.anna, "/g/{j}/pause")
    expect(anna.locator(".ways [aria-current]")).to_have_text("Pack")
    evening.host.do(evening.game_id, "reopen-game")
    expect(anna.locator(".ways [aria-current]")).to_have_text("Set up")
    expect(anna.locator(".step").first).to_contain_text("Put ")
    expect(anna.get_by_text("There is nothing to pack")).to_have_count(0)
    expect(anna.locator("[data-newer]")).to_be_hidden()


def test_nothing_moves_while_others_bid(serve) -> None:
    served = serve()
    lead(served.evening, "classic", seats=4)
    check_still(served, AUCTION[1:3] + AUCTION[-1:], bid_around, acts=FEWER)


def test_nothing_moves_while_others_type_in_what_a_deed_says(serve) -> None:
    served = serve()
    led(served)
    check_still(served, TYPED[:1], type_around, acts=2)


@pytest.mark.slow
@pytest.mark.volume
def test_nothing_moves_for_a_minute_of_paying(serve) -> None:
    served = serve(streams_share_max=len(BY_HAND))
    seated(served.evening)
    check_still(served, BY_HAND, pay_around, acts=MINUTE)


@pytest.mark.slow
@pytest.mark.volume
@pytest.mark.parametrize(
    "looks", [LED, LED_BESIDE, PAUSED], ids=["tabs", "beside", "paused"]
)
def test_nothing_moves_for_a_minute_of_play(serve, looks: tuple[Look, ...]) -> None:
    served = serve(streams_share_max=len(looks))
    led(served)
    act = pack_around if looks is PAUSED else play_around
    check_still(served, looks, act, acts=MINUTE)


@pytest.mark.slow
@pytest.mark.volume
def test_nothing_moves_for_a_minute_of_bidding(serve) -> None:
    served = serve()
    lead(served.evening, "classic", seats=4)
    check_still(served, AUCTION, bid_around, acts=MINUTE)


@pytest.mark.slow
@pytest.mark.volume
def test_nothing_moves_while_others_type_in_all_that_the_box_says(serve) -> None:
    served = serve()
    led(served)
    looks = (*TYPED, Look("deeds"), Look(""), Look("board"), Look("bank", "host"))
    check_still(served, looks, type_around, acts=ACTS)
