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
from tests.web.conftest import Evening, House, make_panel
from tests.web.guided_table import give, guided, said


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
    return found


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
    assert "2 of 7 done" in page(evening)


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


def test_ticks_are_limited_and_the_latest_list_is_kept(tmp_path: Path):
    database = Database(tmp_path)
    ticks = Journals(database).ticks
    for at in range(STEPS_MAX):
        ticks.tick("game", "old", f"step-{at}")
    ticks.tick("game", "new", "turn")
    assert ticks.done("game", "old") == frozenset()
    assert ticks.done("game", "new") == {"turn"}
    database.close()


def test_a_game_is_packed_put_away_set_up_and_played_on(evening: Evening):
    host, game_id = evening.host, evening.game_id
    steps = re.findall(r'name="step" value="([a-z0-9-]+)"', page(evening, by=host))
    for step in steps:
        tick(evening, step, by=host)
    assert "Packed: put the game away" in page(evening, by=host)
    assert "Now the banker puts the game away" in page(evening)
    answer = host.do(game_id, "close-game", **{"from": "pause"})
    assert answer.headers["Location"] == f"/g/{game_id}/pause"
    text = page(evening, by=host)
    assert "<h1>This game was put away.</h1>" in text
    assert ticked(text) == steps
    assert "Take it out again" in text
    assert "The banker can take it out again" in page(evening)
    for path in ("", "bank", "pause", "more"):
        shown = host.get(f"/g/{game_id}/{path}", Accept="text/html").text
        assert "Set the game up" not in shown, path
        assert "set up" not in shown.partition('id="live"')[2], path
    assert "rolls the dice" not in evening.ben.get(f"/g/{game_id}/").text
    screen = evening.house.guest().get(f"/table?game={game_id}").text
    assert "The banker can take it out again." in screen
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


def test_a_table_that_rests_can_still_be_packed(evening: Evening):
    give(evening, m.RestPlay(by=c.TABLE))
    assert "Pack the game away" in page(evening)
