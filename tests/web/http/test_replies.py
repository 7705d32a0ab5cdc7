"""Whoever asks gets an answer: one, on every page of the seat, until it was looked at.

Goal: what came of an offer, a request for money or to undo, and a check, is said to
whoever asked, and to nobody else; what is open can be taken back where it is said.
Method: each act by its own forms, answered in each way, and read on every page of every
phone; looked at, it is gone everywhere, and comes back neither by a reload, a restart
nor a second tap. What random games end is compared with a second reckoning that knows
nothing of events (``tests/companion/game/test_replies.py``).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import pytest

from companion.game import commands as c
from companion.game import moves as m
from companion.units import GameId
from tests.sample import sampled
from tests.web.conftest import Evening, House, Phone, make_evening
from tests.web.forms import forms_of
from tests.web.guided_table import give, guided, page, said

LED = ("", "board", "deeds", "trade", "history", "more", "invite", "rules")
BY_HAND = ("", "history", "more", "invite")
STRICT = {"undo": "own", "dice": "typed", "rent": "automatic"}


def replies_in(text: str) -> list[str]:
    """The replies that a page shows: at most one, since a banner shows the first."""
    banners = re.findall(r'id="arrived-reply-.*?</summary>', text, re.DOTALL)
    return [re.sub(r"<[^>]*>|^[^>]*>|\s+", " ", one).strip() for one in banners]


def look_at(phone: Phone, game_id: GameId, text: str, *, leads: bool = False) -> str:
    """Press *All right* in a page's banner, or the button that leads on."""
    forms = [one for one in forms_of(text) if one.action.endswith("/looked")]
    form = next(one for one in forms if ("leads" in one.fields) is leads)
    assert form.action == f"/g/{game_id}/looked"
    answer = phone.post(form.action, **form.fields)
    assert answer.status_code == 303, answer.text
    return answer.headers["Location"]


def open_in(text: str) -> list[str]:
    """What a page says that its seat has asked for and can take back."""
    return re.findall(r'<div class="asked"><p>([^<]*)</p>\s*<form', text)


def money(table: Evening) -> None:
    table.anna.do(table.game_id, "ask-money", payer="blue", amount=60, seat="red")


def offer(table: Evening) -> None:
    said(table, "red owns boardwalk short-line", "blue owns park-place", "turn blue")
    goods = {"give-deed": "short-line", "give-cash": 5, "want-deed": "park-place"}
    answer = table.anna.do(table.game_id, "make-offer", taker="blue", **goods)
    assert answer.status_code == 303, answer.text


def undo(table: Evening) -> None:
    said(table, "turn blue")
    give(table, m.Roll(by="blue", dice=(1, 2)))
    latest = table.house.table.game(table.game_id).undo_next
    table.anna.do(table.game_id, "undo-to", revision=latest)


def check(table: Evening) -> None:
    said(table, "red on go", "turn red")
    give(table, m.Roll(by="red", dice=(1, 2)), m.Buy(by="red"))
    table.ben.do(table.game_id, "inspect")


class Case(NamedTuple):
    """How something is asked, answered, and what whoever asked reads.

    Attributes:
        ask: Anna, or for a check Ben, asks.
        answer: Whose phone answers, with which verb and fields; the host corrects.
        words: What Anna reads; for a check, as the one who laid the money.
    """

    ask: Callable[[Evening], None]
    answer: tuple[str, str, dict[str, object]]
    words: str
    edition: str = "classic"


OFF = "Your trade with Ben is off: "
CASES = {
    "paid": Case(money, ("ben", "pay-ask", {"number": 1}), "Ben paid you $60."),
    "not paid": Case(
        money,
        ("ben", "decline-ask", {"number": 1}),
        "Ben said no: you do not get $60.",
    ),
    "by the banker": Case(
        money,
        ("host", "decline-ask", {"number": 1}),
        "The banker said no: you do not get $60.",
    ),
    "taken back": Case(
        money,
        ("host", "withdraw-ask", {"number": 1}),
        "You do not get $60: the banker took it back.",
    ),
    "gone": Case(
        money,
        ("host", "remove-seat", {"seat": "blue"}),
        "You do not get $60: somebody is out of the game.",
    ),
    "traded": Case(offer, ("ben", "accept", {}), "Ben said yes: you have Park Place."),
    "turned down": Case(offer, ("ben", "reject", {}), "Ben said no to your trade."),
    "countered": Case(
        offer,
        ("ben", "counter", {"taker": "red", "want-deed": "boardwalk"}),
        "Ben said no to your trade.",
    ),
    "rolled": Case(
        offer, ("ben", "roll", {"die-1": 1, "die-2": 2}), OFF + "Ben played on."
    ),
    "mortgaged": Case(
        offer,
        ("ben", "mortgage", {"deed": "park-place"}),
        OFF + "Park Place was mortgaged.",
    ),
    "corrected": Case(
        offer,
        ("host", "correct-position", {"words": "green owns park-place"}),
        OFF + "Park Place changed hands.",
    ),
    "undone": Case(undo, ("ben", "allow-undo", {}), "Ben said yes: it is undone."),
    "not undone": Case(undo, ("ben", "decline-undo", {}), "Ben said no: it stays."),
    "played on": Case(undo, ("ben", "buy", {}), "It stays: Ben played on."),
    "real": Case(
        check,
        ("ben", "give-verdict", {"verdict": "real"}),
        "Ben looked: it is real.",
        "crooked-cash",
    ),
    "fake": Case(
        check,
        ("ben", "give-verdict", {"verdict": "fake", "amount": 20}),
        "Ben found a fake: your $20 are gone.",
        "crooked-cash",
    ),
}


def asked(house: House, case: Case) -> Evening:
    """A table at which Anna has asked, with Cleo beside her and Ben."""
    if case.ask is money:
        table = make_evening(house, case.edition)
        house.seated(table.game_id, "Cleo", "green", "duck")
    else:
        table = guided(house, case.edition, 3, STRICT if case.ask is not check else {})
    case.ask(table)
    return table


def answered(table: Evening, case: Case) -> None:
    """Answer as the case says."""
    who, verb, more = case.answer
    if verb == "correct-position":
        said(table, str(more["words"]))
        return
    phone = {"ben": table.ben, "host": table.host}[who]
    ask = table.house.table.game(table.game_id).undo_ask
    more = {"revision": ask.revision, **more} if ask else more
    where = "counter" if verb == "counter" else f"do/{verb}"
    answer = phone.post(f"/g/{table.game_id}/{where}", **more)
    assert answer.status_code == 303, answer.text


@pytest.mark.parametrize("name", sampled(CASES))
def test_whoever_asked_is_answered_until_they_have_looked(
    name: str, house: House
) -> None:
    case = CASES[name]
    table = asked(house, case)
    pages = BY_HAND if case.ask is money else LED
    assert not any(replies_in(page(table, path)) for path in pages)
    answered(table, case)
    if case.ask is check:  # It still lies there.
        assert table.anna.do(table.game_id, "hand-over").status_code == 303
    if name == "countered":  # The other offer is more urgent.
        reject = next(x for x in forms_of(page(table)) if x.verb == "reject")
        table.anna.post(reject.action, **reject.fields)
    for _ in range(2):
        for path in pages:
            assert replies_in(page(table, path)) == [case.words], path
            assert not open_in(page(table, path))
    for phone in (table.host, table.house.guest()):
        assert not replies_in(phone.get(f"/g/{table.game_id}/more").text)
    if name != "countered":  # He is told no to his.
        assert not any(
            replies_in(page(table, one, "ben")) for one in ("more", "history")
        )
    shown = page(table, pages[-1])
    give(table, c.RenameSeat(by="green", seat="green", name="Klee"))
    for _ in range(2):  # The second tap is that of an old page.
        look_at(table.anna, table.game_id, shown)
        assert not any(replies_in(page(table, path)) for path in pages)
    again = house.restarted().game(table.game_id)
    assert again.replies == house.table.game(table.game_id).replies
