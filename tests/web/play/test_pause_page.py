"""Packing and setting up on phones: ticks are shared, kept, and belong to a table."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.game import commands as c
from companion.game import moves as m
from companion.store import Database, Journals
from companion.store.ticks import STEPS_MAX
from tests.fakes import FakeClock
from tests.web.conftest import Evening, House, make_evening, make_panel
from tests.web.guided_table import give, guided, lead, lie_on_table, said


@pytest.fixture
def evening(house: House) -> Evening:
    found = guided(house, "grab-and-go")
    said(
        found,
        "red owns boardwalk park-place",
        "boardwalk houses 1",
        "red cash 760",
        "red on 24",
    )
    lie_on_table(found)
    return found


QUESTION = "Do notes and cards lie on your table?"


def tick(evening: Evening, step: str, way: str = "pack", done: str = "yes", by=None):
    phone = by or evening.anna
    path = f"/g/{evening.game_id}/pause/tick"
    return phone.post(path, way=way, step=step, done=done)


def page(evening: Evening, query: str = "", by=None) -> str:
    phone = by or evening.anna
    return phone.get(f"/g/{evening.game_id}/pause{query}").text


def ticked(text: str) -> list[str]:
    button = r'<button class="tick" aria-pressed="(\w+)"'
    step = rf'name="step" value="([a-z0-9-]+)"[^\n]*\n{button}'
    forms = re.findall(step, text)
    return [step for step, pressed in forms if pressed == "true"]


def test_a_tick_of_one_phone_is_seen_by_all(evening: Evening):
    answer = tick(evening, "place-red")
    assert answer.status_code == 303
    assert answer.headers["Location"].endswith("/pause?way=pack")
    tick(evening, "street-39", by=evening.ben)
    assert ticked(page(evening, by=evening.ben)) == ["place-red", "street-39"]
    assert "2 of 6 done" in page(evening)


def test_a_tick_can_be_taken_back_and_all_of_them_at_once(evening: Evening):
    for step in ("place-red", "place-blue", "money-red"):
        tick(evening, step)
    tick(evening, "place-red", done="no")
    assert ticked(page(evening)) == ["place-blue", "money-red"]
    tick(evening, "all")
    assert ticked(page(evening)) == []


def test_other_phones_are_told_at_once(evening: Evening):
    mailbox = evening.house.table.subscribe()
    tick(evening, "place-red")
    assert evening.game_id in mailbox.wait(0)


def test_setting_up_has_ticks_of_its_own(evening: Evening):
    tick(evening, "place-red")
    tick(evening, "money-red", way="set-up")
    assert ticked(page(evening, "?way=pack")) == ["place-red"]
    assert ticked(page(evening, "?way=set-up")) == ["money-red"]


def test_ticks_belong_to_the_table_as_it_was(evening: Evening):
    tick(evening, "place-red")
    said(evening, "red cash 761")
    assert ticked(page(evening)) == []
    give(evening, c.Undo(by=c.TABLE))
    assert ticked(page(evening)) == ["place-red"]


def test_a_step_that_there_is_not_is_refused_with_a_way_on(evening: Evening):
    answer = tick(evening, "street-1")
    assert answer.status_code == 409
    assert "look again" in answer.text.lower()
    assert tick(evening, "place-red", way="sideways").status_code == 400


def test_ticks_survive_a_restart(tmp_path: Path):
    house = make_panel(tmp_path, FakeClock())
    evening = guided(house, "grab-and-go")
    lie_on_table(evening)
    tick(evening, "place-red")
    give(evening, c.CloseGame(by=c.TABLE))
    tick(evening, "turn", way="set-up")
    house.table.close()
    house.database.close()
    again = make_panel(tmp_path, FakeClock())
    for way, steps in (("pack", ["place-red"]), ("set-up", ["turn"])):
        text = again.guest().get(f"/g/{evening.game_id}/pause?way={way}").text
        assert ticked(text) == steps
    again.table.close()
    again.database.close()


def test_ticks_are_limited_and_the_latest_list_is_kept_and_answers(tmp_path: Path):
    database = Database(tmp_path)
    ticks = Journals(database).ticks
    ticks.keep_answer("game", "papers", "yes")
    ticks.keep_answer("game", "papers", "no")
    for at in range(STEPS_MAX):
        ticks.tick("game", "old", f"step-{at}")
    ticks.tick("game", "new", "turn")
    assert ticks.done("game", "old") == frozenset()
    assert ticks.done("game", "new") == {"turn"}
    assert ticks.answer("game", "papers") == "no"
    assert ticks.answer("another", "papers") == ""
    database.close()


def test_a_game_is_packed_put_away_set_up_and_played_on(evening: Evening):
    host, game_id = evening.host, evening.game_id
    steps = re.findall(r'name="step" value="([a-z0-9-]+)"', page(evening, by=host))
    then = "Then the banker puts the game away."
    assert (then in page(evening), then in page(evening, by=host)) == (True, False)
    for step in steps:
        tick(evening, step, by=host)
    assert "Packed: put the game away" in page(evening, by=host)
    assert "Now the banker puts the game away" in page(evening)
    answer = host.do(game_id, "close-game", **{"from": "pause"})
    assert answer.headers["Location"] == f"/g/{game_id}/pause"
    text = page(evening, by=host)
    assert "<h1>This game was put away.</h1>" in text
    assert ticked(text) == steps
    assert QUESTION not in text
    for words, by in (("Take it out again", host), ("can take it out again.", None)):
        shown = page(evening, by=by)
        assert -1 < shown.find(words) < shown.find('name="step"'), words
    for path in ("", "bank", "pause", "more"):
        shown = host.get(f"/g/{game_id}/{path}", Accept="text/html").text
        assert "Set the game up" not in shown, path
        assert "set up" not in shown.partition('id="live"')[2], path
    assert "rolls the dice" not in evening.ben.get(f"/g/{game_id}/").text
    screen = evening.house.guest().get(f"/table?game={game_id}").text
    assert "The host takes it out again on their phone." in screen
    tick(evening, "money-red", way="set-up")
    assert ticked(page(evening)) == ["money-red"]
    assert "Go on with the game" in page(evening, by=host)
    assert "the banker goes on with the game" in page(evening)
    assert host.do(game_id, "reopen-game").headers["Location"] == f"/g/{game_id}/"
    game = evening.house.table.game(game_id)
    assert not game.is_closed
    assert game.is_guided
    assert "Set the game up" in page(evening), "still in the middle of setting up"


def test_what_is_taken_out_again_is_set_up(evening: Evening):
    host, game_id = evening.host, evening.game_id
    host.do(game_id, "close-game")
    answer = host.do(game_id, "reopen-game", **{"from": "pause"})
    assert answer.headers["Location"] == f"/g/{game_id}/pause"
    assert "Set the game up" in page(evening, by=host)
    assert "put away.</h1>" not in page(evening, by=host)
    for _ in range(2):
        assert (
            "The table is being set up</h2>" in evening.ben.get(f"/g/{game_id}/").text
        )
        assert "roll" in evening.anna.get(f"/g/{game_id}/").text
    evening.anna.do(game_id, "roll", **{"die-1": 1, "die-2": 2})
    assert "being set up" not in evening.ben.get(f"/g/{game_id}/").text


def test_only_who_keeps_the_bank_is_offered_to_put_it_away(evening: Evening):
    assert "put the game away</button>" not in page(evening)
    assert "put the game away</button>" in page(evening, by=evening.host)


def test_a_seat_learns_which_notes_to_change(evening: Evening):
    text = page(evening, "?way=pack&held-100=7&held-20=3")
    assert "Give the bank:" in text
    assert "5 \N{MULTIPLICATION SIGN} $100" in text
    assert "1 \N{MULTIPLICATION SIGN} $500" in text
    assert "Take for it:" in text


def test_wrongly_counted_notes_are_told(evening: Evening):
    text = page(evening, "?way=pack&held-100=7")
    assert "That is <b>$700</b>, but you should have <b>$760</b>" in text
    bad = evening.anna.get(f"/g/{evening.game_id}/pause?held-100=many")
    assert bad.status_code == 400


def test_who_only_watches_ticks_nothing(evening: Evening):
    guest = evening.house.guest()
    assert 'class="tick" aria-pressed="false" disabled' in page(evening, by=guest)
    assert tick(evening, "place-red", by=guest).status_code == 403


def test_a_game_by_hand_has_nothing_to_pack(calm: Evening):
    path = f"/g/{calm.game_id}/pause"
    assert calm.anna.get(path).headers["Location"] == f"/g/{calm.game_id}/"
    assert calm.anna.post(f"{path}/tick", way="pack", step="turn").status_code == 409
    assert calm.anna.post(f"{path}/papers", way="pack", lie="no").status_code == 409


def test_a_table_that_rests_can_still_be_packed(evening: Evening):
    give(evening, m.RestPlay(by=c.TABLE))
    assert "Pack the game away" in page(evening)


@pytest.fixture
def unasked(house: House) -> Evening:
    """A table that has not paused yet."""
    found = guided(house, seats=3)
    said(found, "red owns boardwalk")
    return found


@pytest.mark.parametrize("way", ["pack", "set-up"])
def test_the_first_pause_asks_all_phones_and_any_seat_answers_once(
    unasked: Evening, way: str
):
    phones = (unasked.host, unasked.anna, unasked.ben)
    for phone in phones:
        text = page(unasked, f"?way={way}", by=phone)
        assert QUESTION in text
        assert 'class="tick"' not in text
    guest = unasked.house.guest()
    buttons = re.findall(
        r"<button[^>]*>(?:Yes|No), [^<]*", page(unasked, f"?way={way}", by=guest)
    )
    assert len(buttons) == 2
    assert all(" disabled" in button for button in buttons)
    path = f"/g/{unasked.game_id}/pause/papers"
    assert guest.post(path, way=way, lie="yes").status_code == 403
    answer = unasked.ben.post(path, way=way, lie="yes")
    assert answer.headers["Location"].endswith(f"/pause?way={way}")
    said(unasked, "red cash 1")  # Another position does not ask again.
    for phone in phones:
        text = page(unasked, f"?way={way}", by=phone)
        assert QUESTION not in text
        assert "Which notes do I change?" not in text or way == "pack"
        assert "1 deed" in text


def test_an_answer_is_one_of_two_and_told_to_other_phones_at_once(unasked: Evening):
    path = f"/g/{unasked.game_id}/pause/papers"
    for form in ({"way": "pack", "lie": "perhaps"}, {"way": "sideways", "lie": "yes"}):
        assert unasked.anna.post(path, **form).status_code == 400
    mailbox = unasked.house.table.subscribe()
    lie_on_table(unasked)
    assert unasked.game_id in mailbox.wait(0)


def test_without_notes_there_is_nothing_to_pack_and_the_game_is_put_away(
    unasked: Evening,
):
    lie_on_table(unasked, "no")
    text = page(unasked, by=unasked.host)
    assert "There is nothing to pack: the companion keeps everything." in text
    assert 'class="tick"' not in text
    assert "Which notes do I change?" not in text
    assert "Now the banker puts the game away." in page(unasked)
    assert "Back to the game" in page(unasked)
    assert "Back to the game" not in text
    act = text.partition('id="more"')[2]
    assert re.findall('class="brass wide"[^>]*>([^<]*)', act) == ["Put the game away"]
    answer = unasked.host.do(unasked.game_id, "close-game", **{"from": "pause"})
    assert answer.headers["Location"] == f"/g/{unasked.game_id}/pause"
    assert "This game was put away." in page(unasked)
    unasked.host.do(unasked.game_id, "reopen-game", **{"from": "pause"})
    text = page(unasked)
    assert "Put Anna&#39;s token on GO" in text
    assert "Give Anna" not in text
    assert QUESTION not in text


def test_the_answer_can_be_changed_and_what_is_packed_stays_packed(evening: Evening):
    tick(evening, "money-red")
    lie_on_table(evening, "no")
    assert tick(evening, "money-red").status_code == 409
    text = page(evening)
    assert "Notes and cards lie on the table</button>" in text
    assert "nothing to pack" in text
    lie_on_table(evening)
    assert ticked(page(evening)) == ["money-red"]
    assert "The companion keeps notes and cards</button>" in page(evening)


def test_the_answer_of_one_game_is_not_that_of_another(evening: Evening):
    other = make_evening(evening.house, "grab-and-go", host=evening.host)
    lead(other, "grab-and-go")
    text = page(other)
    assert QUESTION in text
    assert "Then the banker puts the game away." in text
    lie_on_table(other, "no")
    assert QUESTION not in page(other)
    assert 'class="tick"' in page(evening)


def test_the_answer_survives_a_restart_and_a_game_that_is_put_away(tmp_path: Path):
    house = make_panel(tmp_path, FakeClock())
    evening = guided(house)
    give(evening, c.CloseGame(by=c.TABLE))
    assert QUESTION not in page(evening)
    assert QUESTION in page(evening, "?way=set-up")
    lie_on_table(evening, "no")
    house.table.close()
    house.database.close()
    again = make_panel(tmp_path, FakeClock())
    text = again.guest().get(f"/g/{evening.game_id}/pause?way=pack").text
    assert "nothing to pack" in text
    again.table.close()
    again.database.close()


@pytest.mark.parametrize("edition", ["crooked-cash", "secret-vault"])
def test_a_box_that_needs_notes_is_not_asked(house: House, edition: str):
    evening = guided(house, edition)
    for _ in range(2):
        text = page(evening)
        assert QUESTION not in text
        assert "Pack" in text
        assert 'value="money-red"' in text
        may_change = "The companion keeps notes and cards</button>" in text
        assert may_change == (edition == "secret-vault")
        give(evening, m.RestPlay(by=c.TABLE))
        give(evening, m.ResumePlay(by=c.TABLE))
