"""Seats as the box says: one more is let in only when the table says so."""

from __future__ import annotations

import pytest

from companion.rules.seats import COLOURS, TOKENS
from tests.web.conftest import Evening, House, Phone, make_evening
from tests.web.forms import forms_of

NAMES = ("Anna", "Ben", "Cleo", "Dana", "Emil", "Fritzi", "Gustav", "Hanna")


def filled(house: House, edition: str, seats: int) -> Evening:
    """An evening at which so many sit."""
    evening = make_evening(house, edition)
    for at in range(2, seats):
        house.seated(evening.game_id, NAMES[at], COLOURS[at], TOKENS[at])
    return evening


def newcomer(evening: Evening, at: int) -> Phone:
    phone = evening.house.guest()
    phone.get("/start")
    answer = phone.post(
        f"/g/{evening.game_id}/join",
        name=NAMES[at],
        colour=COLOURS[at],
        token=TOKENS[at],
    )
    assert answer.status_code == 303, answer.text
    return phone


def count(evening: Evening) -> int:
    return len(evening.house.table.game(evening.game_id).present())


@pytest.mark.parametrize("edition", ["secret-vault", "crooked-cash", "grab-and-go"])
def test_a_seventh_asks_where_the_box_is_for_six(house: House, edition: str) -> None:
    evening = filled(house, edition, 6)
    guest = house.guest()
    guest.get("/start")
    page = guest.get(f"/g/{evening.game_id}/join").text
    assert "The box is for 2 to 6." in page
    assert "Ask to be let in" in page
    phone = newcomer(evening, 6)
    assert count(evening) == 6
    assert "Waiting for the banker" in phone.get(f"/g/{evening.game_id}/join").text


def test_the_banker_says_whether_the_table_plays_so(house: House) -> None:
    evening = filled(house, "secret-vault", 6)
    phone = newcomer(evening, 6)
    bank = evening.host.get(f"/g/{evening.game_id}/bank").text
    assert "The box is for 2 to 6. Let in all the same?" in bank
    form = next(one for one in forms_of(bank) if one.action.endswith("/answer"))
    answer = evening.host.post(form.action, **form.fields, answer="yes")
    assert answer.status_code == 303
    assert count(evening) == 7
    assert phone.get(f"/g/{evening.game_id}/").status_code == 200


def test_seven_who_were_let_in_are_led(house: House) -> None:
    evening = filled(house, "secret-vault", 6)
    answer = evening.host.do(
        evening.game_id, "add-seat", name="Gustav", colour=COLOURS[6], token=TOKENS[6]
    )
    assert answer.status_code == 303, "the banker adds a seat without asking anybody"
    assert evening.host.do(evening.game_id, "begin").status_code == 303
    play = house.table.game(evening.game_id).play
    assert play is not None
    assert len(play.tokens) == 7


def test_the_banker_is_told_before_adding_one_too_many(house: House) -> None:
    evening = filled(house, "secret-vault", 5)
    page = f"/g/{evening.game_id}/bank"
    assert "The box is for" not in evening.host.get(page).text
    newcomer(evening, 5)
    assert "The box is for 2 to 6." in evening.host.get(page).text


def test_a_seat_that_somebody_let_go_is_taken_again_without_asking(
    house: House,
) -> None:
    evening = filled(house, "secret-vault", 6)
    assert evening.anna.post(f"/g/{evening.game_id}/leave").status_code == 303
    guest = house.guest()
    guest.get("/start")
    answer = guest.post(f"/g/{evening.game_id}/take", seat="red")
    assert answer.headers["Location"] == f"/g/{evening.game_id}/"


def test_a_box_for_eight_seats_eight(house: House) -> None:
    evening = filled(house, "classic", 8)
    assert count(evening) == 8
