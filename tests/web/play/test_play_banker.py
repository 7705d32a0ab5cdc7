"""The banker begins guided play, rests it, and puts the table right."""

from __future__ import annotations

import re

import pytest
from werkzeug.test import TestResponse

from companion.edition import builtin, editions
from companion.edition.snapshot import snapshot
from companion.units import GameId
from tests.web.conftest import ORIGIN, Evening, House, Phone, make_evening
from tests.web.forms import forms_of
from tests.web.play.test_play import SEED, Guided
from web.play import api, forms
from web.play.option_words import questions


@pytest.mark.parametrize("edition", editions())
def test_every_answer_on_the_page_begins_a_game(house: House, edition: str) -> None:
    evening = make_evening(house, edition)
    page = evening.host.get(f"/g/{evening.game_id}/begin").text
    form = next(one for one in forms_of(page) if one.verb == "begin")
    asked = {question.key for question in questions(builtin(edition), {})}
    there = {*form.choices, *form.typed}
    known = {one.key for one in builtin(edition).options}
    if not any(deck.is_complete for deck in builtin(edition).decks):
        known -= {"decks"}  # Real cards have to be named, whatever is chosen.
    assert {f"option-{key}" for key in known} == there
    assert asked == known
    for key, values in form.choices.items():
        for value in values:
            snapshot(builtin(edition), {key.removeprefix("option-"): value})


def test_who_draws_is_not_asked_where_cards_must_be_named(house: House) -> None:
    evening = make_evening(house, "secret-vault")
    page = evening.host.get(f"/g/{evening.game_id}/begin").text
    assert "Who draws the cards?" not in page
    options = "?chapter=options"
    figures = evening.host.get(f"/editions/secret-vault{options}").text
    assert "Who draws the cards?" not in figures
    classic = evening.host.get(f"/editions/classic{options}").text
    assert "Who draws the cards?" in classic
    for value in ("table", "cards"):  # As a script says it, it is still an option.
        rules = snapshot(builtin("secret-vault"), {"decks": value})
        assert rules.has_own_decks == (value == "table")


def test_what_was_chosen_is_what_is_played(house: House) -> None:
    table = Guided(house, "grab-and-go", SEED, quick="on", dice="rolled")
    rules = table.game.board.rules
    assert rules.dealt_each == 2
    assert rules.dice_by == "rolled"
    assert sum(bool(owner) for owner in table.game.play.owners) == 6


def test_a_wrong_option_is_told_and_nothing_begins(house: House) -> None:
    evening = make_evening(house, "grab-and-go")
    for form in ({"option-quick": "maybe"}, {"option-speed": "on"}):
        answer = evening.host.do(evening.game_id, "begin", **form)
        assert answer.status_code == 400
        assert " belongs here, not " in answer.text
    assert not house.table.game(evening.game_id).is_guided


def test_one_player_alone_cannot_begin(house: House) -> None:
    host = house.host()
    answer = host.post("/games", edition="classic", name="Alone", leads="yes")
    game_id = answer.headers["Location"].split("/")[2]
    house.seated(game_id, "Anna", "red", "hat")
    page = host.get(f"/g/{game_id}/begin").text
    assert "1 more player has to sit down first" in page
    assert host.do(game_id, "begin").status_code == 409
    bank = host.get(f"/g/{game_id}/bank").text
    _, _, under = bank.partition("Begin with only the bank</button>")
    assert "Then others can still sit down later." in under
    assert host.do(game_id, "begin-banking").status_code == 303
    assert "Sit down" in house.guest().get(f"/g/{game_id}/join").text


def test_a_bank_begins_in_gold_once_two_sit_there(house: House) -> None:
    host = house.host()
    answer = host.post("/games", edition="classic", name="Sunday", leads="no")
    game_id = answer.headers["Location"].split("/")[2]
    seats = (), ("Anna", "red", "hat"), ("Ben", "blue", "car")
    due = ["I play too: take a seat", "I play too: take a seat", "Begin"]
    for seat, words in zip(seats, due, strict=True):
        if seat:
            house.seated(game_id, *seat)
        text = host.get(f"/g/{game_id}/bank").text
        assert re.findall(r'class="brass wide tall"[^>]*>([^<]*)', text) == [words]
        assert text.count("I play too: take a seat") == 1
        assert text.count(">Begin</button>") == 1


@pytest.mark.parametrize("page", ["begin", "correct"])
def test_only_the_banker_opens_the_bankers_pages(house: House, page: str) -> None:
    table = Guided(house, "grab-and-go", SEED)
    assert table.evening.anna.get(f"/g/{table.game_id}/{page}").status_code == 403
    assert house.guest().get(f"/g/{table.game_id}/{page}").status_code == 403
    assert table.evening.host.get(f"/g/{table.game_id}/{page}").status_code == 200


@pytest.mark.parametrize(
    "verb", ["begin", "rest-play", "call-time", "correct-position"]
)
def test_a_seat_does_not_do_what_is_the_tables(house: House, verb: str) -> None:
    table = Guided(house, "grab-and-go", SEED)
    answer = table.evening.anna.do(table.game_id, verb, words="red cash 9000")
    assert answer.status_code == 409
    assert table.game.is_guided


CORRECTIONS = [
    ({"subject": "red", "what": "cash", "n": "$1,234"}, "red cash 1234"),
    ({"subject": "boardwalk", "what": "owner", "value": "blue"}, "blue owns boardwalk"),
    ({"subject": "red", "what": "on", "value": "24"}, "red on 24"),
    ({"subject": "red", "value": "jailed 1"}, "red jailed 1"),
    ({"subject": "boardwalk", "value": "houses 2"}, "boardwalk houses 2"),
    ({"subject": "turn", "value": "blue"}, "turn blue"),
]


@pytest.mark.parametrize(("form", "words"), CORRECTIONS, ids=lambda x: str(x)[:30])
def test_a_correction_by_fields_is_the_one_by_words(
    house: House, form: dict[str, str], words: str
) -> None:
    table = Guided(house, "classic", SEED)
    table.given("red owns boardwalk park-place")
    start = table.evening.revision()
    table.told(table.evening.host, "correct-position", **form)
    by_fields = table.game.play, table.game.ledger
    table.told(table.evening.host, "undo")
    table.given(words)
    assert (table.game.play, table.game.ledger) == by_fields
    assert table.evening.revision() == start + 3


def test_every_form_of_the_page_can_be_sent(house: House) -> None:
    table = Guided(house, "classic", SEED)
    table.given("red owns boardwalk park-place short-line")
    page = table.evening.host.get(f"/g/{table.game_id}/correct").text
    forms = [x for x in forms_of(page) if x.verb == "correct-position"]
    assert len(forms) == 9
    for form in forms[:-1]:
        again = table.evening.host.get(f"/g/{table.game_id}/correct").text
        fresh = next(
            one
            for one in forms_of(again)
            if one.choices == form.choices
            and one.fields.keys() == form.fields.keys()
            and one.fields.get("what") == form.fields.get("what")
        )
        chosen = {key: values[-1] for key, values in fresh.choices.items()}
        if chosen.get("value", "").startswith(("house", "hotel")):
            chosen |= {"subject": "park-place", "sure": "yes"}
        if chosen.get("value") == "mortgaged":
            chosen["subject"] = "short-line"
        typed = dict.fromkeys(fresh.typed, "120")
        sent = {**fresh.fields, **chosen, **typed}
        answer = table.evening.host.post(fresh.action, **sent)
        assert answer.status_code == 303, (sent, answer.text)
        assert answer.headers["Location"].endswith("/correct")


def test_a_correction_that_cannot_be_is_told_on_its_own_page(house: House) -> None:
    table = Guided(house, "classic", SEED)
    form = {"words": "red cash lots", "from": "correct"}
    answer = table.evening.host.do(table.game_id, "correct-position", **form)
    assert answer.status_code == 409
    assert "Fix a mistake" in answer.text
    assert "A whole amount" in answer.text


def post_json(
    game_id: GameId, phone: Phone, command_id: str, **command: object
) -> TestResponse:
    body = {"command_id": command_id, "command": command}
    path = f"/api/games/{game_id}/commands"
    return phone.client.post(path, json=body, headers=ORIGIN)


def test_json_begins_by_options_and_takes_moves(house: House) -> None:
    evening: Evening = make_evening(house, "grab-and-go")

    def post(phone: Phone, command_id: str, **command: object) -> TestResponse:
        return post_json(evening.game_id, phone, command_id, **command)

    rules = {"type": "BeginPlay", "rules": {}}
    assert post(evening.host, "begin-0001", **rules).status_code == 400
    begin = {"type": "Begin", "options": {"quick": "on"}}
    assert post(evening.host, "begin-0002", **begin).status_code == 200
    assert post(evening.ben, "roll-00001", type="Roll", dice=[1, 2]).status_code == 409
    assert post(evening.anna, "roll-00002", type="Roll", dice=[]).status_code == 200
    game = house.table.game(evening.game_id)
    assert len(game.play.dice) == 2


def test_every_form_gives_a_command_that_json_knows_too() -> None:
    known = {kind.__name__ for kind in api.AnyCommand.__args__}
    assert {verb.title().replace("-", "") for verb in forms.FORMS} == known


@pytest.mark.parametrize("told", [{}, {"is_right": ""}, {"is_right": "perhaps"}])
def test_what_the_toys_vault_did_has_to_be_told(
    house: House, told: dict[str, str]
) -> None:
    table = Guided(house, "secret-vault", SEED, dice="typed")
    anna = table.evening.anna
    table.told(anna, "roll", **{"die-1": 2, "die-2": 3})
    before = table.evening.revision()
    answer = anna.do(table.game_id, "guess", number=1, **told)
    assert answer.status_code == 400
    assert "Tap what the vault did" in answer.text
    assert table.evening.revision() == before
    answer = post_json(table.game_id, anna, "guess-001", type="Guess", number=1)
    assert answer.status_code == 400
    assert table.evening.revision() == before
    assert anna.do(table.game_id, "guess", number=1, is_right="no").status_code == 303


# A seat that no phone holds.


@pytest.fixture
def with_dora(house: House) -> Guided:
    """Dora sits at the table without a phone, and has the dice."""
    table = Guided(house, "grab-and-go", SEED)
    table.told(table.evening.host, "rest-play")
    seat = {"name": "Dora", "colour": "orange", "token": "dog"}
    table.told(table.evening.host, "add-seat", **seat)
    table.told(table.evening.host, "resume-play")
    return table.given("turn orange")


def stand_in(table: Guided, phone, seat: str) -> int:
    return phone.post(f"/g/{table.game_id}/for", seat=seat).status_code


def test_the_banker_plays_for_a_seat_without_a_phone(with_dora: Guided) -> None:
    host = with_dora.evening.host
    assert "Play for Dora" in host.get(f"/g/{with_dora.game_id}/bank").text
    assert stand_in(with_dora, host, "orange") == 303
    page = host.get(f"/g/{with_dora.game_id}/").text
    assert "You play for <b>Dora</b>." in page
    assert "Your turn: roll the dice" in page
    with_dora.told(host, "roll")
    assert with_dora.game.play.dice
    assert host.get(f"/g/{with_dora.game_id}/bank").status_code == 403
    assert stand_in(with_dora, host, "") == 303
    assert host.get(f"/g/{with_dora.game_id}/bank").status_code == 200


def test_whom_one_plays_for_elsewhere_changes_nothing_here(with_dora: Guided) -> None:
    """A form that was opened for Dora would be the host's own deed."""
    host = with_dora.evening.host
    assert stand_in(with_dora, host, "orange") == 303
    opened = host.post("/games", edition="classic", name="Friday")
    other = opened.headers["Location"].split("/")[2]
    cleo = {"name": "Cleo", "colour": "green", "token": "duck"}
    assert host.do(other, "add-seat", **cleo).status_code == 303
    assert host.post(f"/g/{other}/for", seat="green").status_code == 303
    for game, name in (with_dora.game_id, "Dora"), (other, "Cleo"):
        assert f"You play for <b>{name}</b>." in host.get(f"/g/{game}/").text


def test_nobody_plays_for_a_seat_that_has_a_phone(with_dora: Guided) -> None:
    for seat in ("red", "nobody", "bank", "table"):
        assert stand_in(with_dora, with_dora.evening.host, seat) == 403


def test_only_the_banker_plays_for_others(with_dora: Guided) -> None:
    anna = with_dora.evening.anna
    assert stand_in(with_dora, anna, "orange") == 403
    anna.client.set_cookie(f"for-{with_dora.game_id}", "orange")
    assert "You play for" not in anna.get(f"/g/{with_dora.game_id}/").text
    assert anna.do(with_dora.game_id, "roll").status_code == 409
    assert with_dora.game.play.dice == ()


def test_standing_in_ends_when_a_phone_takes_the_seat(with_dora: Guided) -> None:
    host = with_dora.evening.host
    assert stand_in(with_dora, host, "orange") == 303
    dora = with_dora.evening.house.guest()
    dora.get(f"/g/{with_dora.game_id}/join")
    assert dora.post(f"/g/{with_dora.game_id}/take", seat="orange").status_code == 303
    assert host.do(with_dora.game_id, "roll").status_code == 409
    assert host.get(f"/g/{with_dora.game_id}/bank").status_code == 200
    with_dora.told(dora, "roll")


def test_an_agreed_time_is_shown_and_only_the_banker_ends_it(house: House) -> None:
    table = Guided(house, "grab-and-go", SEED, time_limit="30")
    assert "30 minutes are left" in table.page("red")
    house.clock.advance(29 * 60_000 + 1)
    assert "1 minute is left" in table.page("red")
    house.clock.advance(60_000)
    assert "The agreed time is over" in table.page("red")
    bank = table.evening.host.get(f"/g/{table.game_id}/bank").text
    assert "The agreed time is over" in bank
    table.told(table.evening.host, "call-time")
    assert table.game.play.base == "over"
    assert "minute" not in table.page("red")


def test_a_game_without_an_agreed_time_counts_none(house: House) -> None:
    table = Guided(house, "grab-and-go", SEED)
    assert "left</p>" not in table.page("red")


def test_who_does_not_begin_with_the_boxs_money_is_named_before_it_begins(
    evening: Evening,
):
    page = f"/g/{evening.game_id}/begin"
    assert "Money has moved already." not in evening.host.get(page).text
    evening.ben.do(evening.game_id, "collect-salary", seat="blue")
    told = evening.host.get(page).text
    assert "Money has moved already." in told
    assert "begins with $3,400." in told
