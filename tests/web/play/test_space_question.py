"""The question what is printed on a space, on real pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.edition.catalogue import catalogue_of
from tests.companion.rules.test_unread_amounts import CLASSIC
from tests.web.conftest import Evening, House, Phone, make_evening
from tests.web.forms import Form, forms_of

QUESTION = "What is printed on this space?"


@pytest.fixture
def landed(evening: Evening) -> Evening:
    """Anna rests on space 17; Ben has the dice."""
    assert evening.host.do(evening.game_id, "begin").status_code == 303
    return lands(evening, evening.anna, "red")


def lands(evening: Evening, phone: Phone, seat: str) -> Evening:
    for words in (f"{seat} on jail", f"{seat} free", f"turn {seat}", "stage roll"):
        answer = evening.host.do(evening.game_id, "correct-position", words=words)
        assert answer.status_code == 303, answer.text
    dice = {"die-1": "3", "die-2": "4"}
    assert phone.do(evening.game_id, "roll", **dice).status_code == 303
    return evening


def page_of(evening: Evening, phone: Phone) -> str:
    answer = phone.get(f"/g/{evening.game_id}/")
    assert answer.status_code == 200
    return answer.text


def answers(evening: Evening, phone: Phone) -> list[Form]:
    return [x for x in forms_of(page_of(evening, phone)) if x.verb == "read-box"]


def not_now(evening: Evening, phone: Phone) -> Form:
    forms = forms_of(page_of(evening, phone))
    return next(x for x in forms if x.action.endswith("/later"))


def test_every_phone_asks_and_any_answer_is_carried_out_at_once(
    landed: Evening,
) -> None:
    for phone, who in (
        (landed.anna, "You stand"),
        (landed.ben, "<b>Anna</b> stands"),
    ):
        page = page_of(landed, phone)
        assert QUESTION in page
        assert f"{who} between St. James Place and Tennessee Avenue" in page
        assert "What it says is done at once" in page
        assert len(answers(landed, phone)) == 5
    first = answers(landed, landed.ben)[0]
    assert "Chance" in first.words
    assert "likely" in first.words
    assert landed.ben.post(first.action, **first.fields).status_code == 303
    assert "Draw a card: Chance" in page_of(landed, landed.anna)
    for phone in (landed.anna, landed.ben):
        assert QUESTION not in page_of(landed, phone)


def test_play_goes_on_without_an_answer_and_the_page_says_what_that_means(
    landed: Evening,
) -> None:
    ben = page_of(landed, landed.ben)
    assert ben.index("Roll the dice") < ben.index(QUESTION)
    dice = {"die-1": "4", "die-2": "6"}
    assert landed.ben.do(landed.game_id, "roll", **dice).status_code == 303
    assert "It counts from the next time" in page_of(landed, landed.ben)
    first = answers(landed, landed.ben)[0]
    assert landed.ben.post(first.action, **first.fields).status_code == 303
    assert "Your turn: roll the dice" in page_of(landed, landed.anna)


def test_two_phones_that_answer_at_once_hear_what_is_so(landed: Evening) -> None:
    mine, other = answers(landed, landed.anna)[0], answers(landed, landed.ben)[1]
    assert landed.anna.post(mine.action, **mine.fields).status_code == 303
    revision = landed.revision()
    late = landed.ben.post(other.action, **other.fields)
    assert late.status_code == 409
    assert "space 17 is known" in late.text
    assert landed.anna.post(mine.action, **mine.fields).status_code == 303
    assert landed.revision() == revision, "the same tap once more"


def test_a_phone_that_said_not_now_is_asked_at_the_next_landing(
    landed: Evening,
) -> None:
    later = not_now(landed, landed.ben)
    answer = landed.ben.post(later.action, **later.fields)
    assert answer.status_code == 303
    assert QUESTION not in page_of(landed, landed.ben)
    assert QUESTION in page_of(landed, landed.anna), "only that phone"
    lands(landed, landed.ben, "blue")
    assert QUESTION in page_of(landed, landed.ben)


@pytest.mark.parametrize("landing", ["", "17", "1.2.3", "x.y", "1." + "2" * 50])
def test_what_is_no_landing_is_not_remembered(landed: Evening, landing: str) -> None:
    answer = landed.ben.post(f"/g/{landed.game_id}/later", landing=landing)
    assert answer.status_code == 400
    assert "Set-Cookie" not in answer.headers
    assert QUESTION in page_of(landed, landed.ben)


def test_another_game_is_asked_all_the_same(house: House, landed: Evening) -> None:
    game = house.table.game(landed.game_id)
    assert game.play is not None
    assert game.play.rested is not None
    landing = f"{game.play.rested.turn}.17"
    landed.ben.client.set_cookie("later-000000000000", landing)
    assert QUESTION in page_of(landed, landed.ben)
    landed.ben.client.set_cookie(f"later-{landed.game_id}", landing)
    assert QUESTION not in page_of(landed, landed.ben)


def test_programs_are_asked_too(landed: Evening) -> None:
    shown = landed.ben.get(f"/api/games/{landed.game_id}/turn").json
    assert shown["space"]["number"] == 17
    assert shown["space"]["comes_now"] is True
    landed.host.do(landed.game_id, "rest-play")
    shown = landed.ben.get(f"/api/games/{landed.game_id}/turn").json
    assert shown["space"] is None


def test_the_figures_of_the_box_know_it_and_undo_takes_it_back(
    landed: Evening,
) -> None:
    first = answers(landed, landed.ben)[0]
    assert landed.ben.post(first.action, **first.fields).status_code == 303
    path = "/editions/secret-vault"
    text = landed.host.get(f"{path}/own.toml").text
    assert "number = 17" in text
    assert 'kind = "chance"' in text
    assert landed.ben.do(landed.game_id, "undo").status_code == 303
    assert landed.host.get(f"{path}/own.toml").status_code == 404
    assert QUESTION in page_of(landed, landed.ben)


def test_a_locked_street_has_no_price_and_a_likely_mortgage(landed: Evening) -> None:
    page = landed.anna.get(f"/g/{landed.game_id}/deeds/boardwalk").text
    assert "none: a key opens it" in page
    assert "Use ≈$350, as on Park Place" in page
    figures = landed.host.get("/editions/secret-vault?of=boardwalk").text
    assert "We guess it is like Park Place" in figures
    answer = landed.anna.do(
        landed.game_id,
        "read-box",
        key="deed.boardwalk.mortgage",
        likely="350",
    )
    assert answer.status_code == 303
    page = landed.anna.get(f"/g/{landed.game_id}/deeds/boardwalk").text
    assert "Use ≈$385, a tenth more than the mortgage value" in page
    assert "Now it is ≈$350, as on Park Place." in page
    own = landed.host.get("/editions/secret-vault/own.toml")
    assert own.status_code == 404, "nobody has read anything"


def two_landed(evening: Evening) -> Evening:
    """Ben has landed on 33 while Anna still stands on 17."""
    for words in ("blue on 26", "turn blue", "stage roll"):
        evening.host.do(evening.game_id, "correct-position", words=words)
    dice = {"die-1": "3", "die-2": "4"}
    assert evening.ben.do(evening.game_id, "roll", **dice).status_code == 303
    return evening


def test_two_tokens_on_two_unknown_spaces_are_both_asked_about(
    landed: Evening,
) -> None:
    page = page_of(two_landed(landed), landed.anna)
    assert page.count(QUESTION) == 2
    assert "You stand between St. James Place and Tennessee Avenue" in page
    assert "<b>Ben</b> stands between" in page
    screen = landed.anna.get(f"/table?game={landed.game_id}").text
    assert screen.count("What is printed between") == 2
    sent = answers(landed, landed.anna)
    first = next(one for one in sent if "space.17.kind" in str(one.fields))
    assert landed.anna.post(first.action, **first.fields).status_code == 303
    assert page_of(landed, landed.anna).count(QUESTION) == 1


def test_each_of_two_questions_is_put_off_by_itself(landed: Evening) -> None:
    two_landed(landed)
    for left in (1, 0):
        later = not_now(landed, landed.anna)
        landed.anna.post(later.action, **later.fields)
        assert page_of(landed, landed.anna).count(QUESTION) == left


def test_a_tax_that_nobody_knows_is_typed_in_on_any_phone(
    make_house: Callable[..., House], tmp_path: Path
) -> None:
    folder = tmp_path / "editions"
    folder.mkdir()
    text = CLASSIC.replace('id = "classic"', 'id = "taxed"', 1)
    (folder / "taxed.toml").write_text(text, encoding="utf-8")
    house = make_house(catalogue=catalogue_of(tmp_path))
    evening = make_evening(house, "taxed")
    assert evening.host.do(evening.game_id, "begin").status_code == 303
    said = evening.host.do(
        evening.game_id, "correct-position", words="red on short-line"
    )
    assert said.status_code == 303
    evening.anna.do(evening.game_id, "roll", **{"die-1": "1", "die-2": "2"})
    assert "You stand on Luxury Tax" in page_of(evening, evening.anna)
    assert "<b>Anna</b> stands on Luxury Tax" in page_of(evening, evening.ben)
    [form] = answers(evening, evening.ben)
    assert evening.ben.post(form.action, **form.fields, value="75").status_code == 303
    assert evening.house.table.game(evening.game_id).ledger["red"] == 1_425
    assert QUESTION not in page_of(evening, evening.ben)
    history = evening.ben.get(f"/g/{evening.game_id}/history").text
    assert "Ben read off Luxury Tax: $75" in history
    box = evening.host.get("/editions/taxed?of=38").text
    assert "Luxury Tax" in box
