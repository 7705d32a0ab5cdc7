"""A correction that the rules would not allow is asked about once more, then it counts.

Source:
    Grab & Go's sheet, "Building houses": whoever owns a group builds on it. The Secret
    Vault article, "Color Set", "Deals": hotels stand in a whole group; of a street that
    is dealt, only its own are taken off.
"""

from __future__ import annotations

import re

import pytest

from companion.game.position import Position
from tests.web.conftest import Evening, House
from tests.web.forms import forms_of
from tests.web.guided_table import guided, said

ASKED = "Is it so all the same?"


def correct(evening: Evening, words: str, **more: str):
    return evening.host.do(
        evening.game_id, "correct-position", words=words, **{"from": "correct", **more}
    )


def at(evening: Evening) -> Position:
    play = evening.house.table.game(evening.game_id).play
    assert play is not None
    return play


def standing(evening: Evening, deed: str) -> int:
    board = evening.house.table.game(evening.game_id).board
    assert board is not None
    return at(evening).levels[board.index[deed]]


@pytest.fixture
def half(house: House) -> Evening:
    """Anna owns one of two dark blue streets."""
    evening = guided(house)
    said(evening, "red owns boardwalk")
    return evening


def test_houses_on_a_group_that_is_not_whole_are_asked_about(half: Evening) -> None:
    answer = correct(half, "boardwalk houses 1")
    assert answer.status_code == 409
    assert (
        "By the rules nothing may stand on Boardwalk: Anna lacks Park Place."
        in answer.text
    )
    assert ASKED in answer.text
    assert standing(half, "boardwalk") == 0
    sure = next(x for x in forms_of(answer.text) if x.fields.get("sure") == "yes")
    assert half.host.post(sure.action, **sure.fields).status_code == 303
    assert standing(half, "boardwalk") == 1, "what the table agreed on counts"


def test_a_whole_group_is_not_asked_about(half: Evening) -> None:
    said(half, "red owns park-place")
    assert correct(half, "boardwalk houses 1").status_code == 303
    assert correct(half, "boardwalk bare").status_code == 303


def test_a_deed_taken_out_of_a_built_group_is_asked_about(half: Evening) -> None:
    said(half, "red owns park-place", "boardwalk houses 1")
    assert ASKED in correct(half, "park-place owner blue").text
    assert correct(half, "park-place owner blue", sure="yes").status_code == 303
    assert correct(half, "red cash 5").status_code == 303, "asked about once only"


def test_a_dealt_street_of_the_vault_leaves_hotels_where_they_are(
    house: House,
) -> None:
    evening = guided(house, "secret-vault")
    said(evening, "red owns park-place boardwalk", "red hotels 1", "boardwalk hotels 1")
    assert correct(evening, "park-place owner blue").status_code == 303
    said(evening, "boardwalk bare")
    assert ASKED in correct(evening, "boardwalk hotels 1").text


def test_what_was_put_right_is_told_where_it_was(half: Evening) -> None:
    answer = correct(half, "", subject="red", what="cash", n="$1,234")
    assert answer.status_code == 303
    page = half.host.get(answer.headers["Location"]).text
    told = re.sub(r"<[^>]*>|[\u2068\u2069]", "", page)
    assert "The table agreed: Anna has $1,234." in told


@pytest.mark.parametrize("typed", ["1,234", "\u0661\u0662\u0663\u0664", "1\u202f234"])
def test_an_amount_may_come_from_any_keyboard(half: Evening, typed: str) -> None:
    assert correct(half, "", subject="red", what="cash", n=typed).status_code == 303
    assert half.balance("red") == 1_234


def test_words_may_hold_the_digits_of_any_keyboard(half: Evening) -> None:
    assert correct(half, "\u200ered cash \u06f5\u06f0").status_code == 303
    assert half.balance("red") == 50


@pytest.mark.parametrize("typed", ["12,5", "1,23", "1.400", "-5", "1e3", "abc"])
def test_an_amount_is_never_taken_for_another(half: Evening, typed: str) -> None:
    answer = correct(half, "", subject="red", what="cash", n=typed)
    assert answer.status_code == 400
    assert f"{typed}&#39; is no amount. " in answer.text.replace("</strong>", "")
    assert half.balance("red") == 1_500


def test_what_is_refused_is_not_asked_about(half: Evening) -> None:
    answer = correct(half, "park-place houses 1")
    assert "Nobody owns Park Place" in answer.text
    assert ASKED not in answer.text


def test_programs_and_scripts_are_not_asked(half: Evening) -> None:
    said(half, "boardwalk houses 1")
    assert standing(half, "boardwalk") == 1
