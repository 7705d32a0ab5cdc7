"""A family whose phones know nothing but the pages they are shown.

Each phone reads its page, presses what it finds there, follows links, and types a
number where one is asked for. No phone knows a rule, so whatever ends the game was
offered by a page; a page that offers nothing to anybody is a dead end.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlencode

from tests.web.conftest import Evening, House, Phone, make_evening
from tests.web.forms import Form, filled, forms_of, questions_of
from tests.web.play.test_play import seeded
from web.http.assets import FIRST, FOLLOWING

PAGE_BYTES_MAX = 60_000
"""No page is larger, not even the biggest board late in a game."""

TAPS_MAX = 4_000
IDLE_MAX = 200
"""After how many looks in a row with nothing to press there is a dead end."""

STEP_MS = 12_000
"""How long somebody thinks, so that nothing counts as tapped twice in a row."""

LEFT_ALONE = (
    *("leave", "resign", "rename-seat", "undo", "undo-to", "redo", "later", "take"),
    *("theme", "language", "for", "answer", "tick", "correct-position", "rest-play"),
    *("correct-balance", "add-seat", "hand-banker", "remove-seat", "close-game"),
    *("lock-table", "unlock-table", "play-again"),
)
"""Forms that bring no game to its end: who sits where, taking back, packing up."""

LIKES = {
    **{"ask-rent": 12, "build": 12, "buy": 8, "accept": 4, "make-offer": 8},
    **{"pay-debt": 6, "unlock": 6, "call-time": 9},
    **{"lift-mortgage": 0.2, "mortgage": 0.2, "unbuild": 0.2},
    **{"hand-over": 4, "sell-deed": 0.1},
}
"""What these people would rather press; everything else counts as 1."""

TRACES = ("Traceback (most recent call last)", "jinja2.", "<class '", "object at 0x")


@dataclass(frozen=True)
class Seen:
    """One page that a phone was shown."""

    path: str
    html: str

    @property
    def is_over(self) -> bool:
        """Whether it leads to the scores."""
        return "/ending" in self.html


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, given: list[tuple[str, str | None]]) -> None:
        address = dict(given).get("href") or ""
        if tag == "a" and address.startswith("/") and "export" not in address:
            self.found.append(address)


@dataclass
class Family:
    """Some phones of one game, and what became of all their taps.

    Attributes:
        answers: How often each status came.
        refused: Forms without anything to choose or to type that were refused.
        largest: The size of the largest page, in bytes, and its address.
        taps: How often each form was sent, by the last word of its address.
    """

    evening: Evening
    phones: list[Phone]
    dice: random.Random
    answers: Counter[int] = field(default_factory=Counter)
    refused: list[str] = field(default_factory=list)
    largest: tuple[int, str] = (0, "")
    taps: Counter[str] = field(default_factory=Counter)

    def look(self, phone: Phone, path: str) -> Seen:
        """What *phone* is shown there, in the end."""
        for _ in range(5):
            answer = phone.get(path)
            self.check(path, answer.status_code, answer.text)
            if answer.status_code != 303:
                break
            path = answer.headers["Location"]
        return Seen(path, answer.text)

    def check(self, path: str, status: int, text: str) -> None:
        """Every answer is one of ours, of a decent size, and no accident."""
        self.answers[status] += 1
        assert status < 500, (path, status, text[:2_000])
        assert not any(trace in text for trace in TRACES), (path, text)
        # What stands in every page comes only when one is opened, not at each event.
        size = len(text.replace(FIRST, "").replace(FOLLOWING, "").encode())
        self.largest = max(self.largest, (size, path))
        assert size <= PAGE_BYTES_MAX, (path, size)

    def press(self, phone: Phone, seen: Seen, form: Form) -> bool:
        """Send one form of the page as a person would; whether it was taken."""
        sent = filled(self.dice, form)
        answer = phone.post(form.action, **sent)
        self.check(form.action, answer.status_code, answer.text)
        is_taken = answer.status_code == 303
        is_plain = not form.typed and not form.choices
        if not is_taken and is_plain:
            said = re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", answer.text))
            self.refused.append(f"{seen.path}: {form.action} {sent}: {said[:400]}")
        self.taps[form.verb] += is_taken
        return is_taken

    def play(self, patience: int = TAPS_MAX) -> Seen:
        """Press what is offered until the game is over; the page that says so.

        Args:
            patience: After how many taps the banker looks for a way to end it.
        """
        idle = 0
        for step in range(TAPS_MAX):
            table = [(phone, self.look(phone, self.home)) for phone in self.phones]
            if table[0][1].is_over:
                return table[0][1]
            if self.dice.random() < 0.15:
                phone, seen = self.dice.choice(table)
                table = [(phone, self.wander(phone, seen))]
            elif step > patience:
                host = self.evening.host
                table = [(host, self.look(host, self.home + "bank"))]
            hands = [(phone, seen, x) for phone, seen in table for x in offered(seen)]
            idle += 1
            assert idle < IDLE_MAX, (self.taps, table)
            if hands:
                likes = [LIKES.get(form.verb, 1) for _, _, form in hands]
                idle *= not self.press(*self.dice.choices(hands, likes)[0])
            self.evening.house.clock.advance(STEP_MS)
        raise AssertionError(f"not over after {TAPS_MAX} taps: {self.taps}")

    @property
    def home(self) -> str:
        """The address of everybody's own page."""
        return f"/g/{self.evening.game_id}/"

    def wander(self, phone: Phone, seen: Seen) -> Seen:
        """Follow a link or two of the page within this game."""
        for _ in range(self.dice.randint(1, 2)):
            ours = [x for x in links(seen) if x.startswith("/g/")]
            if ours:
                seen = self.look(phone, self.dice.choice(ours))
        sheets = [x for x in questions_of(seen.html) if x.boxes]
        return self.ask(phone, sheets[0]) if sheets else seen

    def ask(self, phone: Phone, sheet: Form) -> Seen:
        """Tick something on each side of a sheet, and see what would come of it."""
        chosen = list(sheet.fields.items())
        for name in sorted({name for name, _ in sheet.boxes}):
            values = [value for key, value in sheet.boxes if key == name]
            chosen.append((name, self.dice.choice(values)))
        return self.look(phone, f"{sheet.action}?{urlencode(chosen)}")

    def visit_all(self, phone: Phone) -> int:
        """Open everything that can be reached from a seat's page; how many pages."""
        todo, known = [f"/g/{self.evening.game_id}/"], set()
        while todo:
            path = todo.pop()
            if path in known or ("deeds/" in path and len(known) > 40):
                continue
            known.add(path)
            todo += links(self.look(phone, path))
        return len(known)


def links(seen: Seen) -> list[str]:
    """Every address of ours that the page leads to."""
    reader = _Links()
    reader.feed(seen.html)
    return [address.partition("#")[0] for address in reader.found]


def offered(seen: Seen) -> list[Form]:
    """The forms of a page that play on."""
    return [
        form
        for form in forms_of(seen.html)
        if form.buttons
        and form.verb not in LEFT_ALONE
        and form.action.startswith("/g/")
    ]


def gathered(
    house: House, edition: str, seed: int, language: str, **options: str
) -> Family:
    """Three phones and the banker's, in one language, whose game has begun."""
    dice = random.Random(seed)
    seeded(house, dice)
    evening = make_evening(house, edition)
    cleo = house.seated(evening.game_id, "Cleo", "green", "cat")
    phones = [evening.anna, evening.ben, cleo]
    for phone in (evening.host, *phones):
        phone.post("/language", language=language, back="/")
    chosen = {f"option-{key}": value for key, value in options.items()}
    answer = evening.host.do(evening.game_id, "begin", **chosen)
    assert answer.status_code == 303, answer.text
    return Family(evening, phones, dice)
