"""A file that another table shared: looked at, ticked, taken over."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from werkzeug.datastructures import FileStorage
from werkzeug.test import TestResponse, encode_multipart

from companion.box.readings import values_of
from companion.edition import builtin
from companion.edition.own import own_text, unknown_keys
from companion.game.box_key import BoxValue
from tests.companion.edition.test_own import own
from tests.fakes import FakeClock
from tests.web.conftest import ORIGIN, Evening, House, Phone, make_panel

VAULT = "/editions/secret-vault"
BASE = builtin("secret-vault")
EVERYTHING: dict[str, BoxValue] = {
    "deed.boardwalk.mortgage": 400,
    "deed.boardwalk.unmortgage": 440,
    "deed.park-place.mortgage": 350,
    "card.chance-kind-3.amount": 150,
    "space.17.kind": "chance",
    "card.pay:100.deck": "chance",
    "card.keep:guess.deck": "chance",
}
SHARED = own_text(BASE, EVERYTHING, "their-box", "Their box")


def send(
    phone: Phone, content: bytes | str, name: str = "their.toml", path: str = VAULT
) -> TestResponse:
    """Send a file as the form of the box's page does."""
    text = content.encode() if isinstance(content, str) else content
    # Encoded here: the client would keep a large body in a file, and leave it.
    file = FileStorage(io.BytesIO(text), name)
    boundary, body = encode_multipart({"file": file})
    kind = f"multipart/form-data; boundary={boundary}"
    address = f"{path}/shared"
    return phone.client.post(address, data=body, headers=ORIGIN, content_type=kind)


def ticked(answer: TestResponse) -> list[str]:
    """What the page's form would send for each tick."""
    assert answer.status_code == 200, answer.text
    found = re.findall(r'name="take" value="([^"]*)" checked', answer.text)
    return [html.unescape(value) for value in found]


def take(phone: Phone, values: list[str], path: str = VAULT) -> TestResponse:
    return phone.post(f"{path}/take-over", take=values)


def readings(house: House, edition_id: str = "secret-vault") -> dict[str, BoxValue]:
    return values_of(house.panel.editions.readings(edition_id))


def test_what_is_new_is_shown_and_counts_after_the_second_tap(evening: Evening) -> None:
    house, host = evening.house, evening.host
    page = send(host, SHARED)
    assert "7 things are new to this table" in page.text
    assert "Boardwalk · Mortgage value" in page.text
    assert "$400" in page.text
    assert readings(house) == {}
    onward = take(host, ticked(page)).headers["Location"]
    assert onward == f"{VAULT}?of=park-place"
    assert readings(house) == EVERYTHING
    edition = house.panel.editions("secret-vault")
    assert edition.figure("boardwalk", "mortgage") == 400
    assert edition.spaces[17].kind == "chance"
    assert {"pay:100", "keep:guess"} <= {card.id for card in edition.cards}


def test_what_is_shared_on_is_what_was_taken_over(evening: Evening) -> None:
    host = evening.host
    take(host, ticked(send(host, SHARED)))
    exported = host.get(f"{VAULT}/own.toml").text
    again = send(host, exported, "our-secret-vault.toml")
    assert "nothing in it is new to this table · 7 you know already" in again.text
    assert ticked(again) == []


def test_only_what_is_ticked_is_taken_over(evening: Evening) -> None:
    values = ticked(send(evening.host, SHARED))
    kept = [value for value in values if value.startswith("deed.park-place")]
    take(evening.host, kept)
    assert readings(evening.house) == {"deed.park-place.mortgage": 350}
    assert take(evening.host, []).status_code == 303


def test_where_the_table_says_otherwise_its_own_word_stays(evening: Evening) -> None:
    host = evening.host
    host.post(f"{VAULT}/type", **{"deed.boardwalk.mortgage": "399"})
    page = send(host, SHARED)
    assert "Here the file says something else" in page.text
    assert "You say: $399" in page.text
    values = ticked(page)
    assert not [x for x in values if x.startswith("deed.boardwalk.mortgage ")]
    take(host, [*values, "deed.boardwalk.mortgage 400"])  # Read by somebody meanwhile.
    assert readings(evening.house)["deed.boardwalk.mortgage"] == 399


def test_a_led_game_hears_all_of_it_and_a_repeated_tap_is_one(evening: Evening) -> None:
    host, game_id = evening.host, evening.game_id
    host.do(game_id, "begin")
    values = ticked(send(host, SHARED))
    for _ in range(2):
        host.post(f"{VAULT}/take-over", take=values, command_id="one-and-the-same-tap")
    board = evening.house.table.game(game_id).board
    assert board is not None
    deeds = {deed.id: deed for deed in board.rules.deeds}
    assert deeds["boardwalk"].mortgage == 400
    assert deeds["boardwalk"].unmortgage == 440
    assert deeds["park-place"].mortgage == 350
    assert board.rules.spaces[17].kind == "chance"
    assert "pay:100" in board.cards
    assert readings(evening.house) == EVERYTHING


def test_only_the_host_and_the_banker_read_a_file(evening: Evening) -> None:
    assert "Read a file that somebody shared" in evening.host.get(VAULT).text
    for phone in (evening.anna, evening.house.guest()):
        assert "Read a file that somebody shared" not in phone.get(VAULT).text
        assert send(phone, SHARED).status_code == 403
        assert take(phone, ["deed.boardwalk.mortgage 400"]).status_code == 403
    assert readings(evening.house) == {}


def test_a_box_without_gaps_asks_for_no_file(evening: Evening) -> None:
    page = evening.host.get("/editions/classic").text
    assert "Read a file that somebody shared" not in page


WRONG = [
    (b"\xff\xfe\x00", "this is no text file: their.toml"),
    ("not = [toml", "this file has mistakes, so nothing is read from it."),
    ("", "this file has mistakes, so nothing is read from it."),
    (SHARED.replace("= 400", "= -400"), "this file has mistakes, so nothing is"),
    (own("classic"), "this file is about another box: classic"),
]


@pytest.mark.parametrize(("content", "said"), WRONG)
def test_a_file_that_is_none_of_that_kind_is_named(
    evening: Evening, content: bytes | str, said: str
) -> None:
    answer = send(evening.host, content)
    assert answer.status_code == 400
    assert said.lower() in html.unescape(answer.text).lower()
    assert 'name="take"' not in answer.text
    assert "TOML" not in answer.text, "nobody at the table has to know what that is"
    assert readings(evening.house) == {}


def test_a_file_is_asked_for_where_none_was_chosen(evening: Evening) -> None:
    for answer in (send(evening.host, b"", ""), evening.host.post(f"{VAULT}/shared")):
        assert answer.status_code == 400
        assert "No file was chosen" in answer.text


def test_a_file_that_is_too_large_is_not_read(evening: Evening) -> None:
    answer = send(evening.host, SHARED + "#" * 70_000)
    assert answer.status_code == 413
    assert "That is too much at once" in answer.text


def test_the_largest_file_that_a_table_saves_is_small_enough(evening: Evening) -> None:
    wanted = [key for key in unknown_keys(BASE) if not key.endswith(".kind")]
    all_of_it = {key: 50 if key.endswith(".mortgage") else 123_456 for key in wanted}
    text = own_text(BASE, all_of_it, "their-box", "Their box")
    assert len(text) < 32_000
    assert len(ticked(send(evening.host, text))) == len(all_of_it)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "boardwalk",
        "deed.boardwalk.mortgage",
        "deed.boardwalk.mortgage -1",
        "deed.boardwalk.mortgage 1e3",
        "deed.boardwalk.rent 5",
        "deed.nowhere.mortgage 5",
        "space.seventeen.kind chance",
        "space.17.kind street",
        "space.1.kind chance",
        "card.pay:lots.deck chance",
        "card.pay:100.deck treasure",
        "deed.boardwalk.mortgage 9999999999999",
    ],
)
def test_a_tick_that_no_page_offered_is_malformed(evening: Evening, value: str) -> None:
    answer = take(evening.host, [value])
    assert answer.status_code == 400, value
    assert readings(evening.house) == {}


def test_a_box_that_is_not_there_takes_no_file(evening: Evening) -> None:
    assert send(evening.host, SHARED, path="/editions/nowhere").status_code == 404


@pytest.fixture
def owned(tmp_path: Path, clock: FakeClock) -> Iterator[House]:
    """A table whose own edition stands on secret-vault."""
    from companion.edition.catalogue import catalogue_of

    folder = tmp_path / "editions"
    folder.mkdir()
    text = own_text(BASE, {"deed.park-place.mortgage": 350}, "our-box", "Our box")
    (folder / "box.toml").write_text(text, encoding="utf-8")
    house = make_panel(tmp_path, clock, catalogue=catalogue_of(tmp_path))
    yield house
    house.table.close()
    house.database.close()


def test_an_own_edition_takes_what_it_lacks_itself(owned: House) -> None:
    host = owned.host()
    values = ticked(send(host, SHARED, path="/editions/our-box"))
    assert "deed.park-place.mortgage 350" not in values
    assert "deed.boardwalk.mortgage 400" in values
    take(host, values, "/editions/our-box")
    assert owned.panel.editions("our-box").figure("boardwalk", "mortgage") == 400
    assert readings(owned) == {}
