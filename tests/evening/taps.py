"""What is sent from the phones: each tap once, and again until it was answered."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from companion.units import GameId
from tests.evening.holds import tap_of
from tests.evening.machine import Answer, Request
from tests.evening.phone import Phone
from tests.evening.world import Failed, World
from tests.web.forms import Form, forms_of

PATIENCE_MS = 10_000
"""After so long without an answer a page says so, and asks to press again."""

MAY_WAIT = ("so that all can look", "GO again?")
"""What a page offers and the table puts off, by words of the answer."""


@dataclass
class Tap:
    """Something that was sent.

    Attributes:
        what: What it does, in words.
        offered_at: The revision of the page that offers it as it is, with nothing to
            choose; empty for anything else.
        sent_ms: When it was sent last.
    """

    phone: Phone
    asked: Request
    what: str
    offered_at: str = ""
    sent_ms: int = 0

    @property
    def key(self) -> str:
        """Its id, which it keeps when it is sent again."""
        return tap_of(self.asked)


class Taps:
    """All taps of an evening.

    Args:
        world: Where they are sent.
        land: Goes on from an answer that has come.

    Attributes:
        owed: Those that wait for an answer, by their ids.
        done: Those that were answered.
        refused: Those of them that were refused.
    """

    def __init__(self, world: World, land: Callable[[Tap, Answer], None]) -> None:
        self.world, self._land = world, land
        self.owed: dict[str, Tap] = {}
        self.done: list[Tap] = []
        self.refused: list[Tap] = []
        self._count = 0

    def new_id(self) -> str:
        """Return an id for a new tap."""
        self._count += 1
        return f"tap-{self._count:06d}"

    def post(self, phone: Phone, path: str, what: str, **form: str) -> None:
        """Post a form as a page's script does, which then asks for its page anew."""
        sent = {**form, "command_id": self.new_id()}
        self.send(phone, path, what, form=sent, is_script=True)

    def send(
        self, phone: Phone, path: str, what: str, offered_at: str = "", **more: Any
    ) -> None:
        """Send a tap, and owe its answer until it has come."""
        asked = phone.request("POST", path, **more)
        self.world.tell(f"{phone.name}: {what}")
        self._send(Tap(phone, asked, what, offered_at))

    def again(self, tap: Tap, how: str = "once more") -> None:
        """Send the same once more; it counts once.

        A page sends with it what its phone plays for by now.
        """
        self.world.tell(f"{tap.phone.name}: {how}: {tap.what}")
        phone = tap.phone
        if tap.asked.form is not None and phone.token in tap.asked.cookies.values():
            tap.asked = replace(tap.asked, cookies=dict(phone.cookies))
        self._send(tap)

    def late(self) -> list[Tap]:
        """List those that have waited for so long that a page says so."""
        now_ms = self.world.now_ms
        return [x for x in self.owed.values() if now_ms - x.sent_ms > PATIENCE_MS]

    def _send(self, tap: Tap) -> None:
        self.owed[tap.key] = tap
        tap.sent_ms = self.world.now_ms
        is_script = tap.asked.is_script
        let_go = tap.phone.hold() if is_script else lambda: None
        self.world.later(PATIENCE_MS, let_go)

        def heard(answer: Answer | None) -> None:
            let_go()
            if answer is None or answer.status in (503, 429):
                return
            if self.owed.pop(tap.key, None) is not None:
                self.done.append(tap)
                self.refused += [tap] if answer.status == 409 else []
            self._land(tap, answer)

        patience_ms = PATIENCE_MS if is_script else math.inf
        tap.phone.send(tap.asked, heard, patience_ms)

    def at_once(self, phone: Phone, method: str, path: str, **form: str) -> Answer:
        """Have something answered at once, beside the network; it has to succeed."""
        self.world.tell(f"{phone.name} at once: {method} {path}")
        sent = {**form, "command_id": self.new_id()} if method == "POST" else None
        answer = self.world.handle(phone.request(method, path, form=sent))
        if answer is None or answer.status >= 400:
            raise Failed(f"{method} {path} cannot be done: {answer}")
        phone.keep(answer)
        return answer

    def answered(self, asked: Request, answer: Answer) -> None:
        """Look at one answer: what a page offers is not refused."""
        tap, machine = self.owed.get(tap_of(asked)), self.world.machine
        if tap is None or tap.asked is not asked or machine is None:
            return
        page = tap.phone.page
        if not tap.offered_at or answer.status not in (400, 409) or page is None:
            return
        at = machine.table.revision(GameId(asked.path.split("/")[2]))
        if str(at) != tap.offered_at or any(x in answer.text for x in MAY_WAIT):
            return
        now = machine.answer(replace(asked, method="GET", path=page.path, form=None))
        if any(is_same(form, tap.asked) for form in forms_of(now.text)):
            said = re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", answer.text))
            raise Failed(f"offered, and refused: {tap.what} {asked.form}: {said[:300]}")


def is_same(form: Form, asked: Request) -> bool:
    """Tell whether a form would send the same, but for its new id."""
    sent = {k: v for k, v in (asked.form or {}).items() if k != "command_id"}
    fixed = {k: v for k, v in form.fields.items() if k != "command_id"}
    return form.action == asked.path and fixed.items() <= sent.items()
