"""Playing again: the same box, options, seats and phones; everybody is led there."""

from __future__ import annotations

import pytest

from companion.game import commands as c
from companion.game import moves as m
from companion.game.envelope import Envelope
from companion.units import GameId
from tests.web.conftest import Evening, House, make_evening
from tests.web.forms import Form, forms_of
from tests.web.guided_table import give, guided, said


@pytest.fixture
def ended(house: House) -> Evening:
    """Three played with an option, and Anna won; a second later."""
    evening = make_evening(house, "grab-and-go")
    house.seated(evening.game_id, "Cleo", "green", "duck")
    evening.host.do(evening.game_id, "begin", **{"option-quick": "on"})
    said(evening, "red cash 2000")
    give(evening, m.CallTime(by=c.TABLE))
    house.clock.leap(1_000)
    return evening


def again(evening: Evening) -> GameId:
    answer = evening.host.post(f"/g/{evening.game_id}/again")
    assert answer.status_code == 303, answer.text
    return GameId(answer.headers["Location"].split("/")[2])


def test_one_tap_opens_a_game_with_the_same_box_options_seats_and_phones(
    ended: Evening,
):
    old = ended.house.table.game(ended.game_id)
    opened = again(ended)
    new = ended.house.table.game(opened)
    assert opened != ended.game_id
    assert (new.name, new.terms) == (old.name, old.terms)
    assert new.present() == old.present()
    assert new.board is not None
    assert old.board is not None
    assert new.board.rules == old.board.rules
    assert new.is_guided
    assert new.play is not None
    assert new.play.stage != "over"
    for phone, name in ((ended.anna, "Anna"), (ended.ben, "Ben")):
        assert name in phone.get(f"/g/{opened}/").text


def test_a_second_tap_opens_no_second_game(ended: Evening):
    assert again(ended) == again(ended)
    assert len(ended.house.table.games()) == 2


def test_a_seat_with_the_bank_keeps_it(ended: Evening):
    give(ended, c.HandBanker(by="bank", to="blue"))
    answer = ended.ben.post(f"/g/{ended.game_id}/again")
    opened = GameId(answer.headers["Location"].split("/")[2])
    assert ended.house.table.game(opened).banker == "blue"


def test_phones_of_the_ended_game_are_led_to_the_new_one(ended: Evening):
    j = ended.game_id
    assert "Play again" in ended.host.get(f"/g/{j}/ending").text
    assert "Play again" not in ended.anna.get(f"/g/{j}/ending").text
    opened = again(ended)
    for path in (f"/g/{j}/ending", f"/g/{j}/"):
        text = ended.anna.get(path).text
        assert "The next game has begun." in text
        assert f'href="/g/{opened}/"' in text
    assert "Play again" not in ended.host.get(f"/g/{j}/ending").text
    assert ended.anna.get("/").headers["Location"] == f"/g/{opened}/"


def test_pages_of_the_ended_game_hear_that_the_new_one_is_put_away(ended: Evening):
    table, page = ended.house.table, f"/g/{ended.game_id}/ending"
    stream = table.subscribe((ended.game_id,))
    opened = again(ended)
    for kind, is_open in ((c.CloseGame, False), (c.ReopenGame, True)):
        stream.wait(0)
        table.submit(opened, Envelope(kind(by=c.TABLE), ended.house.command_id()))
        assert ended.game_id in (stream.wait(0) or {})
        shown = ended.anna.get(page).text
        assert ("The next game has begun." in shown) is is_open


def test_the_screen_goes_on_to_the_new_game_and_offers_the_old_one_no_more(
    ended: Evening,
):
    opened = again(ended)
    answer = ended.house.guest().get(f"/table?game={ended.game_id}")
    assert answer.headers["Location"] == f"/table?game={opened}"
    chosen = ended.house.guest().get(f"/table?game={ended.game_id}&chosen=yes")
    assert chosen.headers["Location"] == f"/table?game={opened}&chosen=yes"
    text = ended.house.guest().get("/table").text
    assert f'data-place="{opened}"' in text
    assert "/table/games" not in text


def test_pages_of_the_ended_game_are_told(ended: Evening):
    heard = ended.house.table.subscribe((ended.game_id,))
    again(ended)
    assert ended.game_id in (heard.wait(0) or {})


def test_a_third_evening_follows_the_second(ended: Evening):
    second = again(ended)
    give_all = Envelope(m.CallTime(by=c.TABLE), "the-time-is-over")
    ended.house.table.submit(second, give_all)
    ended.house.clock.leap(1_000)
    answer = ended.host.post(f"/g/{second}/again")
    third = answer.headers["Location"].split("/")[2]
    assert f'href="/g/{third}/"' in ended.anna.get(f"/g/{ended.game_id}/ending").text


def test_once_the_next_game_was_put_away_the_ended_one_can_be_played_again(
    ended: Evening,
):
    first = again(ended)
    ended.host.post(f"/games/{first}/close")
    assert "Play again" in ended.host.get(f"/g/{ended.game_id}/ending").text
    assert again(ended) not in (first, ended.game_id)


def test_a_game_that_goes_on_is_not_played_again(house: House):
    evening = guided(house)
    assert evening.host.post(f"/g/{evening.game_id}/again").status_code == 409
    assert len(house.table.games()) == 1


def test_a_game_of_the_bank_alone_is_played_again_once_it_was_put_away(
    evening: Evening,
):
    evening.anna.do(evening.game_id, "pay", payee="blue", amount="50")
    evening.host.post(f"/games/{evening.game_id}/close")
    opened = again(evening)
    game = evening.house.table.game(opened)
    assert not game.is_guided
    assert [game.ledger[seat.seat] for seat in game.present()] == [3_000, 3_000]


def test_after_a_restart_everybody_is_led_on_all_the_same(ended: Evening):
    opened = again(ended)
    assert opened in {one.game_id for one in ended.house.restarted().games()}
    assert ended.house.panel.built.next_game(ended.game_id) == opened


@pytest.mark.parametrize("path", ["/g/{j}/bank", "/games", "/games/{j}/throw-away"])
def test_a_game_of_the_bank_alone_has_a_button_once_it_was_put_away(
    evening: Evening, path: str
):
    page = path.format(j=evening.game_id)
    if "throw" not in page:
        assert again_forms(evening.host.get(page).text) == []
    evening.host.post(f"/games/{evening.game_id}/close")
    (form,) = again_forms(evening.host.get(page).text)
    answer = evening.host.post(form.action, **form.fields)
    assert answer.status_code == 303
    opened = answer.headers["Location"].split("/")[2]
    assert again_forms(evening.host.get(page).text) == []
    assert f'href="/g/{opened}/"' in evening.anna.get(f"/g/{evening.game_id}/").text


def test_a_banker_who_plays_has_the_button_on_the_seat(evening: Evening):
    give(evening, c.HandBanker(by="bank", to="blue"), c.CloseGame(by=c.TABLE))
    assert len(again_forms(evening.ben.get(f"/g/{evening.game_id}/").text)) == 1
    assert again_forms(evening.anna.get(f"/g/{evening.game_id}/").text) == []


def again_forms(text: str) -> list[Form]:
    return [one for one in forms_of(text) if one.action.endswith("/again")]


def test_a_toys_vault_is_filled_before_anybody_rolls_again(house: House):
    evening = guided(house, "secret-vault")
    give(evening, m.CallTime(by=c.TABLE))
    opened = again(evening)
    address = f"/g/{opened}/"
    assert "/do/roll" not in evening.anna.get(address).text
    assert evening.ben.do(opened, "lock-vault").status_code == 303
    assert "/do/roll" in evening.anna.get(address).text
