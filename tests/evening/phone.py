"""A phone at the table: its cookies, and a page that follows the table by its own data.

What the page does about what it hears stands in ``following.json``, which the page
itself loads; this module does what ``asking.js`` and ``panel.js`` do with it, but for
what needs a screen: what is half typed, thumbs that rest, sheets being filled, and the
vault's scenes.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from markupsafe import escape

from tests.evening.machine import Answer, Request

if TYPE_CHECKING:
    from tests.evening.world import World

FOLLOWING = re.compile(r'id="following">(.*?)</script>', re.DOTALL)
BODY = {
    name: re.compile(rf'data-{name}="([^"]*)"')
    for name in ("told", "stream", "revision")
}
WHOLE = 'id="whole"'
FEEL_MS, FEEL_TRIES = 2_000, 3
POLL_MS = 3_000
RELOAD_MS = 4_000
"""After so long somebody loads a page again that did not come at all."""


@lru_cache(maxsize=4)
def tables_of(text: str) -> dict[str, Any]:
    """Return the tables by which a page follows the table, as it has them."""
    tables: dict[str, Any] = json.loads(text)
    for kind in ("question", "stream"):
        rows = tables[kind]["rows"]
        tables[kind]["steps"] = {
            (now, on): (then, does) for now, on, then, does in rows
        }
    return tables


class Run:
    """What runs one of the two tables: its state, and the losses in a row."""

    def __init__(
        self, page: Page, kind: str, does: dict[str, Callable[[], None]]
    ) -> None:
        self._page, self._table = page, page.tables[kind]
        self._does = {**does, "wait": self._wait, "feel": page.feel}
        self._timer: object = None
        self.state: str = self._table["begins"]
        self.losses = 0
        self.began_ms = 0

    def hear(self, stimulus: str) -> None:
        """Go on to the next state, and do what stands beside it."""
        then, does = self._table["steps"].get((self.state, stimulus), (self.state, ()))
        if then != self.state:
            self._timer = None
        self.state = then
        for name in does:
            self._does[name]()

    def _wait(self) -> None:
        waits = self._page.tables["waits_ms"]
        wait_ms = waits[min(self.losses, len(waits)) - 1] if self.losses else 0
        self._timer = turn = object()

        def due() -> None:
            if self._timer is turn:
                self.hear("due")

        now_ms = self._page.phone.world.now_ms
        self._page.later(max(0, self.began_ms + wait_ms - now_ms), due)


class Page:
    """One page of a phone, from the moment that it has come.

    Attributes:
        shown: The page as the phone shows it, in HTML.
        told: How much had been told when that was drawn.
        vault: The vault as the live stream has told it last.
    """

    def __init__(self, phone: Phone, path: str, answer: Answer) -> None:
        self.phone, self.path, self.shown = phone, path, answer.text
        found = FOLLOWING.search(answer.text)
        assert found, (
            f"{path} has no tables to follow the table by: {answer.text[:400]}"
        )
        self.tables = tables_of(found[1])
        self.told = self.read("told")
        self.told_last = self.told
        self.is_gone = False
        self.vault: dict[str, object] = {}
        self._address = self.read("stream").replace("&amp;", "&")
        self._asked: object = None
        self._ear: object = None
        self._heard_ns = 0
        self._is_feeling = False
        self._news: Answer | None = None
        self.question = Run(
            self,
            "question",
            {
                "ask": self._ask,
                "drop": self._drop,
                "show": self._show,
                "say": lambda: None,
                "hold": lambda: None,
            },
        )
        self.stream = Run(
            self,
            "stream",
            {
                "open": self._open,
                "close": self._close,
                "trust": lambda: self.question.hear("open again"),
                "look": lambda: self.question.hear("poll"),
            },
        )
        if self._address:
            self.later(POLL_MS, self._poll)
            self.stream.hear("woke")

    def read(self, name: str) -> str:
        """Return an attribute of the page, such as how much had been told."""
        found = BODY[name].search(self.shown)
        return found[1] if found else ""

    def later(self, ms: int, act: Callable[[], None]) -> None:
        """Do something later, if the page is still there."""
        self.phone.world.later(ms, lambda: None if self.is_gone else act())

    def differs_from_now(self) -> str:
        """Return what it shows otherwise than the table would; empty for nothing."""
        if not self._address:
            return ""
        asked = self.phone.request("GET", self.path, is_script=True)
        answer = self.phone.world.handle(asked)
        if answer is None or answer.location:
            return f"it has moved to {answer.location}" if answer else "no answer"
        if answer.status >= 400:
            return ""  # It has been told so.
        mine, now = regions(self.shown), regions(answer.text)
        if mine == now:
            return ""
        at = next(
            (i for i, (x, y) in enumerate(zip(mine, now, strict=False)) if x != y),
            min(len(mine), len(now)),
        )
        near = slice(max(0, at - 80), at + 80)
        return f"{mine[near]!r} in place of {now[near]!r}"

    # What is asked.

    def _ask(self) -> None:
        self._asked = turn = object()
        self.question.began_ms = self.phone.world.now_ms

        def hear(answer: Answer | None, outcome: str = "cut") -> None:
            if self._asked is not turn or self.is_gone:
                return
            self._asked, self._news = None, answer
            if answer is not None:
                outcome = self._outcome(answer)
            if outcome != "answered":
                self.question.losses += 1
            self.question.hear(outcome)

        patience = self.tables["patience_ms"]
        late_ms = patience[min(self.question.losses, len(patience) - 1)]
        self.later(late_ms, lambda: hear(None, "late"))
        self.phone.get(self.path, hear, is_script=True)

    @staticmethod
    def _outcome(answer: Answer) -> str:
        if not answer.location and WHOLE not in answer.text:
            return "cut"
        if answer.status < 400:
            return "answered"
        is_passing = answer.status >= 500 or answer.status in (408, 429)
        return "error" if is_passing else "refused"

    def _drop(self) -> None:
        self._asked = None

    def _show(self) -> None:
        answer = self._news
        assert answer is not None
        self.question.losses = 0
        if answer.location:
            self.phone.open(answer.location)
        else:
            self.put(answer)

    def put(self, answer: Answer) -> None:
        """Show a later page in place of this one; an older one is left alone."""
        then = BODY["told"].search(answer.text)
        if then and not is_older(then[1], self.told):
            self.shown, self.told = answer.text, then[1]
            self._say_vault()

    def _say_vault(self) -> None:
        """Show the vault as last told, unless the page was drawn later."""
        if self.vault and is_older(self.told, str(self.vault["told"])):
            words = str(escape(self.vault["sentence"]))
            self.shown = WORDS.sub(lambda found: found[1] + words, self.shown)

    # The live stream.

    def _open(self) -> None:
        self._close()
        self.stream.began_ms = self.phone.world.now_ms

        def hear(piece: bytes | None) -> None:
            if self._ear is not ear or self.is_gone:
                return
            if piece is None:
                self.stream.losses += 1
                self.stream.hear("broken")
                return
            self._heard(piece.decode())

        self._ear = ear = self.phone.listen(self._address, hear)
        self._be_patient()

    def _be_patient(self) -> None:
        self._heard_ns = heard_ns = self.phone.world.time.monotonic_ns()

        def silent() -> None:
            if heard_ns == self._heard_ns:
                self.stream.hear("silence")

        self.later(self.tables["silence_ms"], silent)

    def _heard(self, piece: str) -> None:
        self._be_patient()
        if self.phone.world.now_ms - self.stream.began_ms > self.tables["silence_ms"]:
            self.stream.losses = 0
        self.stream.hear("opened")
        kind, _, data = piece.removeprefix("event: ").partition("\n")
        if kind == "vault":
            self.vault = json.loads(data.removeprefix("data:"))
            self._say_vault()
        if kind == "phones":
            self.question.hear("told")
        if kind == "game":
            self.told_last = data.removeprefix("data:").strip()
            if is_news(self.told_last, self.told):
                self.question.hear("told")

    def _close(self) -> None:
        self.phone.hang_up(self._ear)
        self._ear = None

    def _poll(self) -> None:
        if self.stream.state in ("opening", "lost"):
            self.question.hear("poll")
        self.later(POLL_MS, self._poll)

    def feel(self) -> None:
        """Feel for a way to the table that is open; in the end ask anew."""
        if self._is_feeling:
            return
        self._is_feeling = True

        def felt(_: Answer | None = None) -> None:
            if self._is_feeling and not self.is_gone:
                self._is_feeling = False
                self.question.hear("open again")

        def alive(answer: Answer | None) -> None:
            if answer is not None:
                felt()

        self.phone.get("/static/manifest.webmanifest", alive, is_script=True)
        self.later(FEEL_MS * FEEL_TRIES, felt)

    # Sleep, and being left.

    def hide(self) -> None:
        """The screen goes dark."""
        for one in (self.question, self.stream):
            one.hear("hidden")

    def wake(self) -> None:
        """Somebody looks again."""
        self.question.hear("woke")
        if self._address:
            self.stream.hear("woke")

    def leave(self) -> None:
        """It is gone for good."""
        self.hide()
        self.is_gone = True


class Phone:
    """A phone in somebody's hand.

    Attributes:
        seat: The seat that it holds; empty for none.
        cookies: What it shows for that.
        page: What it shows; ``None`` while nothing has come.
        is_dark: Nobody looks at it.
        out_until_ms: Until when it is out of reach of the table.
        awake_since_ms: Since when somebody looks at it.
        heard_ms: When the table may have heard it last.
    """

    def __init__(self, world: World, name: str, number: int) -> None:
        self.world, self.name, self.seat = world, name, ""
        self.address = f"192.168.1.{20 + number}"
        self.cookies: dict[str, str] = {}
        self.page: Page | None = None
        self.is_dark = False
        self.out_until_ms = self.awake_since_ms = 0
        self.heard_ms = 0
        self._wanted = ""

    @property
    def token(self) -> str:
        """What it shows for its seat; empty for nothing."""
        names = (name for name in self.cookies if name.startswith("phone"))
        return self.cookies.get(next(names, ""), "")

    @property
    def is_out(self) -> bool:
        """Whether it is out of reach of the table."""
        return self.world.now_ms < self.out_until_ms

    def request(self, method: str, path: str, **more: Any) -> Request:
        """What it sends, with its cookies as they are now."""
        return Request(method, path, self.address, dict(self.cookies), **more)

    def keep(self, answer: Answer) -> None:
        """Keep the cookies of an answer."""
        for name, value in answer.cookies:
            self.cookies[name] = value
            if not value:
                del self.cookies[name]

    def send(
        self,
        asked: Request,
        hear: Callable[[Answer | None], None],
        patience_ms: float = math.inf,
    ) -> None:
        """Send something; *hear* is told what came back, ``None`` for a broken line.

        Of what comes after *patience_ms* nothing is heard or kept, cookies neither: a
        browser has given it up.
        """
        began_ms = self.world.now_ms

        def heard(answer: Answer | None) -> None:
            if self.world.now_ms - began_ms > patience_ms:
                return
            if answer is not None:
                self.keep(answer)
            hear(answer)

        self.world.send(self, asked, heard)

    def get(
        self, path: str, hear: Callable[[Answer | None], None], **more: Any
    ) -> None:
        """Ask for a page."""
        self.send(self.request("GET", path, **more), hear)

    def listen(self, path: str, hear: Callable[[bytes | None], None]) -> object:
        """Open a live stream; *hear* is told each piece, ``None`` at its end."""
        return self.world.listen(self, self.request("GET", path), hear)

    def hang_up(self, ear: object) -> None:
        """Close a stream that it opened."""
        self.world.hang_up(ear)

    def open(self, path: str) -> None:
        """Go to a page; one that does not come is loaded again."""
        if self.page is not None:
            self.page.leave()
        self.page, self._wanted = None, path

        def hear(answer: Answer | None) -> None:
            if self._wanted != path or self.page is not None:
                return
            if answer is None or answer.status >= 500:
                self.world.later(RELOAD_MS, again)
            elif answer.location:
                self.open(answer.location)
            else:
                self.page = Page(self, path, answer)
                if self.is_dark:
                    self.page.hide()

        def again() -> None:
            if self._wanted == path and self.page is None:
                self.get(path, hear)
                self.world.later(8 * RELOAD_MS, again)

        self.get(path, hear)
        self.world.later(8 * RELOAD_MS, again)

    def hold(self) -> Callable[[], None]:
        """Hold the page as it is while a form is under way; return what lets go."""
        page = self.page
        if page is not None:
            page.question.hear("sent")

        def let_go() -> None:
            nonlocal page
            if page is not None and not page.is_gone:
                page.question.hear("told")
                page.question.hear("free")
            page = None

        return let_go

    def darken(self) -> None:
        """Lay it aside."""
        self.is_dark = True
        if self.page is not None:
            self.page.hide()

    def take_up(self) -> None:
        """Look at it again."""
        self.is_dark, self.awake_since_ms = False, self.world.now_ms
        if self.page is not None:
            self.page.hide()
            self.page.wake()


PASSING = re.compile(
    r"\s*<script.*?</script>|<time[^>]*>[^<]*</time>|"
    r'\s*<li data-revision="\d+" data-kind="(?:caught|sold|bankrupt|whole)".*?</li>|'
    r'(?:name="command_id" value|data-ready-ms|data-told|data-now|data-number)="[^"]*"',
    re.DOTALL,
)
"""What differs from one page to the next though nothing has changed, or is put right by
the live stream: where the wheel of the vault points. A peak of the evening is in a page
for some seconds only, and played once."""

REGIONS = re.compile(
    r'<section id="banner".*?(?=<div class="h-over"|<p id="said")', re.DOTALL
)
"""What an answer brings up to date; the scenes of the vault play over it, and have a
script of their own."""

WORDS = re.compile(r'((?:id|class)="vault-words">)[^<]*')
"""What the page's script takes from the stream: how the vault stands."""


def regions(html: str) -> str:
    """Return what of a page is brought up to date, without what is made for once."""
    found = REGIONS.search(html)
    return PASSING.sub("", found[0]) if found else ""


def count_of(told: str) -> tuple[str, int]:
    """Return which start of the table told something, and how much."""
    start, _, count = told.partition("-")
    return start, int(count or 0)


def is_older(told: str, shown: str) -> bool:
    """Tell whether a page is older than what is shown."""
    (start, count), (other, shown_count) = count_of(told), count_of(shown)
    return start == other and count < shown_count


def is_news(told: str, shown: str) -> bool:
    """Tell whether something was told that is not shown."""
    (start, count), (other, shown_count) = count_of(told), count_of(shown)
    return start != other or count > shown_count
