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
    """The replies that a page shows: each in its row, or the first in the banner."""
    shown = r'(?:id="arrived-reply-.*?</summary>|data-settles="replied-.*?</p>)'
    banners = re.findall(shown, text, re.DOTALL)
    return [re.sub(r"<[^>]*>|^[^>]*>|\s+", " ", one).strip() for one in banners]


def look_at(phone: Phone, game_id: GameId, text: str, *, leads: bool = False) -> str:
    """Press a page's first *All right*, or the button that leads on."""
    forms = [one for one in forms_of(text) if one.action.endswith("/looked")]
    form = next(one for one in forms if ("leads" in one.fields) is leads)
    assert form.action == f"/g/{game_id}/looked"
    answer = phone.post(form.action, **form.fields)
    assert answer.status_code == 303, answer.text
    return answer.headers["Location"]


def open_in(text: str) -> list[str]:
    """What a page says that its seat has asked for and can take back."""
    return re.findall(r'<div class="asked[^"]*"><p>([^<]*)</p>\s*<form', text)


def money(table: Evening) -> None:
    table.anna.do(table.game_id, "ask-money", payer="blue", amount=60, seat="red")


def offer(table: Evening, turn: str = "blue") -> None:
    said(table, "red owns boardwalk short-line", "blue owns park-place", f"turn {turn}")
    goods = {"give-deed": "short-line", "give-cash": 5, "want-deed": "park-place"}
    answer = table.anna.do(table.game_id, "make-offer", taker="blue", **goods)
    assert answer.status_code == 303, answer.text


def plain_offer(table: Evening) -> None:
    """An offer that leads no further, of a seat that has the dice."""
    said(table, "red on go", "blue owns park-place", "turn red")
    goods = {"give-cash": 5, "want-deed": "park-place"}
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
        lost: What Ben reads, who was offered something; mostly nothing.
    """

    ask: Callable[[Evening], None]
    answer: tuple[str, str, dict[str, object]]
    words: str
    edition: str = "classic"
    lost: str = ""


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
    "not sold": Case(plain_offer, ("ben", "reject", {}), "Ben said no to your trade."),
    "sold": Case(
        plain_offer, ("ben", "accept", {}), "Ben said yes: you have Park Place."
    ),
    "rolled herself": Case(
        lambda table: offer(table, "red"),
        ("anna", "roll", {"die-1": 1, "die-2": 2}),
        OFF + "you played on.",
        lost="The offer from Anna is off: Anna played on.",
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
        lost="The offer from Anna is off: Park Place changed hands.",
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
    phone = {"anna": table.anna, "ben": table.ben, "host": table.host}[who]
    ask = table.house.table.game(table.game_id).undo_ask
    more = {"revision": ask.revision, **more} if ask else more
    answer = phone.post(f"/g/{table.game_id}/do/{verb}", **more)
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
        table.house.clock.advance(60_000)
        assert table.anna.do(table.game_id, "hand-over").status_code == 303
    for _ in range(2):
        for path in pages:
            told = replies_in(page(table, path))
            assert [one.startswith(case.words) for one in told] == [True], path
            assert not open_in(page(table, path))
    for phone in (table.host, table.house.guest()):
        assert not replies_in(phone.get(f"/g/{table.game_id}/more").text)
    for path in ("more", "history"):
        assert replies_in(page(table, path, "ben")) == [case.lost] * bool(case.lost)
    shown = page(table, pages[-1])
    give(table, c.RenameSeat(by="green", seat="green", name="Klee"))
    for _ in range(2):  # The second tap is that of an old page.
        look_at(table.anna, table.game_id, shown)
        assert not any(replies_in(page(table, path)) for path in pages)
    again = house.restarted().game(table.game_id)
    assert again.replies == house.table.game(table.game_id).replies


@pytest.mark.parametrize("is_let_in", [True, False])
def test_who_knocked_is_told_at_the_door(is_let_in: bool, house: House) -> None:
    table = make_evening(house)
    other = make_evening(house, host=table.host)
    words = "The banker said no: you have no seat yet."
    if is_let_in:
        words = "The banker let you in."
    table.host.do(table.game_id, "lock-table")
    dan = house.guest()
    look = {"name": "Dan", "colour": "pink", "token": "dog"}
    for _ in range(1 if is_let_in else 2):  # Who is sent away may knock again.
        dan.get(f"/g/{table.game_id}/join")
        dan.post(f"/g/{table.game_id}/join", **look)
        assert not replies_in(dan.get(f"/g/{table.game_id}/join").text)
        knock = next(
            x
            for x in forms_of(page(table, "bank", "host"))
            if x.action.endswith("/answer")
        )
        answer = {**knock.fields, "answer": "yes" if is_let_in else "no"}
        assert table.host.post(knock.action, **answer).status_code == 303
        paths = ("more", "history", "" if is_let_in else "join")
        for path in (*paths, *paths):
            shown = dan.get(f"/g/{table.game_id}/{path}").text
            assert replies_in(shown) == [words], path
        if not is_let_in:  # With what he typed before, and may correct.
            kept = re.findall(r'value="(\w+)" (?:required|checked)', shown)
            assert kept == [*look.values()]
    for path in ("more", "join"):
        assert not replies_in(dan.get(f"/g/{other.game_id}/{path}").text)
        assert not replies_in(house.guest().get(f"/g/{table.game_id}/{path}").text)
    assert not replies_in(page(table, "more", "ben"))
    for _ in range(2):
        assert look_at(dan, table.game_id, shown) == f"/g/{table.game_id}/join"
        for path in paths:
            assert not replies_in(dan.get(f"/g/{table.game_id}/{path}").text)


def test_what_is_open_is_taken_back_where_it_is_said(house: House) -> None:
    """On every page, until it is answered; whoever took it back hears no reply."""
    table = make_evening(house, "classic")
    for path in BY_HAND:
        money(table)
        shown = page(table, path)
        assert open_in(shown) == ["You asked Ben for $60."]
        form = next(x for x in forms_of(shown) if x.verb == "withdraw-ask")
        answer = table.anna.post(form.action, **form.fields)
        assert answer.status_code == 303
        assert not open_in(page(table, path))
    assert not any(replies_in(page(table, path)) for path in BY_HAND)


def test_who_was_offered_a_trade_hears_that_it_was_taken_back(house: House) -> None:
    """Until they have looked or are offered another, also if it goes to a third."""
    table = guided(house, "classic", 3, STRICT)
    words = ["Anna took the offer back."]
    offer(table, "red")
    assert open_in(page(table)) == ["You offered Ben a trade. It ends when you roll."]
    table.anna.do(table.game_id, "withdraw")
    for path in LED:
        shown = page(table, path, "ben")
        assert replies_in(shown) == words, path
        assert "arrived-reply" not in shown, "there is nothing to decide"
        assert not replies_in(page(table, path))
    for taker, told in (("blue", []), ("green", words)):
        goods = {"give-deed": "short-line", "want-cash": 5}
        table.anna.do(table.game_id, "make-offer", taker=taker, **goods)
        assert replies_in(page(table, "more", "ben")) == told
    look_at(table.ben, table.game_id, page(table, "more", "ben"))
    assert not replies_in(page(table, "more", "ben"))


def test_each_of_two_games_has_its_own_replies(house: House) -> None:
    """The same seat of the other game, and the same revision, are somebody else's."""
    table = make_evening(house, "classic")
    other = make_evening(house, "classic", table.host)
    for one in (table, other):
        money(one)
        one.ben.do(one.game_id, "decline-ask", number=1)
    look_at(table.anna, table.game_id, page(table))
    assert not replies_in(page(table))
    assert replies_in(page(other)) == ["Ben said no: you do not get $60."]


def test_replies_come_one_after_another_and_what_came_is_not_shown_twice(
    house: House,
) -> None:
    table = make_evening(house, "classic")
    for _ in range(2):
        money(table)
    for number in (1, 2):
        table.ben.do(table.game_id, "pay-ask", number=number)
    shown = page(table)
    assert replies_in(shown) == ["Ben paid you $60."] * 2
    assert "+$60" not in shown, "as a coin, too"
    look_at(table.anna, table.game_id, shown)
    shown = page(table)
    assert replies_in(shown) == ["Ben paid you $60."]
    look_at(table.anna, table.game_id, shown)
    assert not replies_in(page(table))
    table.ben.do(table.game_id, "pay", payee="red", amount=7)
    assert "+$7" in page(table)


def test_a_yes_that_was_taken_back_is_no_reply_until_it_counts_again(
    house: House,
) -> None:
    table = make_evening(house, "classic")
    money(table)
    table.ben.do(table.game_id, "pay-ask", number=1)
    assert replies_in(page(table))
    table.ben.do(table.game_id, "undo")
    assert not replies_in(page(table))
    assert open_in(page(table)) == ["You asked Ben for $60."]
    table.ben.do(table.game_id, "redo")
    assert replies_in(page(table)) == ["Ben paid you $60."]
    look_at(table.anna, table.game_id, page(table))
    table.ben.do(table.game_id, "undo")
    table.ben.do(table.game_id, "redo")
    assert not replies_in(page(table)), "it was looked at"


def test_a_whole_group_leads_to_where_one_builds(house: House) -> None:
    table = asked(house, CASES["traded"])
    answered(table, CASES["traded"])
    shown = page(table, "board")
    assert "All of Dark blue is yours: you may build." in shown
    onward = look_at(table.anna, table.game_id, shown, leads=True)
    assert onward == f"/g/{table.game_id}/plan/park-place"
    assert not replies_in(page(table, "plan/park-place"))


def test_a_mortgaged_deed_says_what_it_lacks(house: House) -> None:
    table = guided(house, "classic", 3, STRICT)
    said(table, "blue owns park-place", "park-place mortgaged")
    said(table, "red owns boardwalk short-line", "turn blue")
    goods = {"give-deed": "short-line", "want-deed": "park-place"}
    table.anna.do(table.game_id, "make-offer", taker="blue", **goods)
    answered(table, CASES["traded"])
    shown = page(table)
    assert "Park Place is mortgaged: it brings no rent." in shown
    assert "All of Dark blue is yours: lift its mortgages, then you may build." in shown
    onward = look_at(table.anna, table.game_id, shown, leads=True)
    assert onward == f"/g/{table.game_id}/deeds?deed=park-place"


def test_who_takes_a_seat_anew_hears_nothing_of_what_it_asked(
    house: House,
) -> None:
    table = make_evening(house, "classic")
    money(table)
    table.ben.do(table.game_id, "decline-ask", number=1)
    table.host.do(table.game_id, "remove-seat", seat="red")
    newcomer = house.seated(table.game_id, "Nora", "red", "hat")
    assert not replies_in(newcomer.get(f"/g/{table.game_id}/").text)


def test_who_asks_again_has_done_with_the_last_answer(house: House) -> None:
    """Of the same person; what others have answered stays."""
    table = make_evening(house, "classic")
    cleo = house.seated(table.game_id, "Cleo", "green", "duck")
    money(table)
    table.ben.do(table.game_id, "decline-ask", number=1)
    table.anna.do(table.game_id, "ask-money", payer="green", amount=5, seat="red")
    cleo.do(table.game_id, "decline-ask", number=2)
    assert len(replies_in(page(table))) == 2
    money(table)
    assert replies_in(page(table)) == ["Cleo said no: you do not get $5."]
    table.ben.do(table.game_id, "pay-ask", number=3)
    told = ["Cleo said no: you do not get $5.", "Ben paid you $60."]
    assert replies_in(page(table)) == told


def test_of_trades_that_are_off_only_the_last_is_told(house: House) -> None:
    table = asked(house, CASES["turned down"])
    for taker, who in (("blue", "ben"), ("green", "anna"), ("blue", "ben")):
        said(table, "turn red" if who == "anna" else "turn blue", "stage roll")
        goods = {"give-deed": "short-line", "want-cash": 5}
        answer = table.anna.do(table.game_id, "make-offer", taker=taker, **goods)
        assert answer.status_code == 303, answer.text
        assert not replies_in(page(table))
        phone = table.anna if who == "anna" else table.ben
        phone.do(table.game_id, "roll", **{"die-1": 1, "die-2": 2})
    assert replies_in(page(table)) == [OFF + "Ben played on."]
    host = table.host
    assert host.do(table.game_id, "close-game").status_code == 303
    assert not replies_in(page(table))


def test_a_counter_offer_stands_alone(house: House) -> None:
    """Whatever becomes of it; the next offer of the same person is another."""
    table = asked(house, CASES["turned down"])
    wish = {"taker": "red", "want-deed": "boardwalk"}
    table.ben.post(f"/g/{table.game_id}/counter", **wish)
    for path in LED:
        assert not replies_in(page(table, path))
        assert not open_in(page(table, path))
        assert "<b>Ben</b> wants something else." in page(table, path)
    table.anna.do(table.game_id, "reject")
    assert not replies_in(page(table))
    table.ben.do(table.game_id, "make-offer", **wish)
    assert "<b>Ben</b> wants something else." not in page(table)
    assert "<b>Ben</b> offers you a trade." in page(table)
