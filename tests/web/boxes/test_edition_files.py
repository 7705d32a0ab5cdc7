"""Edition files of a table's owner: offered, played, and missed when they are gone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.edition import builtin, load
from companion.edition.catalogue import Catalogue, catalogue_of, why_taken
from companion.edition.own import own_text
from companion.units import GameId
from tests.companion.edition.test_own import own
from tests.fakes import FakeClock
from tests.web.conftest import Evening, House, Phone, make_evening, make_panel
from tests.web.forms import forms_of

GONE = "game is played by an edition file that is not here: our-house"


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    """Our house, which says only what differs, and the export of our own box."""
    folder = tmp_path / "editions"
    folder.mkdir()
    typed = {"deed.boardwalk.mortgage": 400}
    files = {
        "house.toml": own(),
        "box.toml": own_text(builtin("secret-vault"), typed, "our-box", "Our box"),
        "bad.toml": own().replace("our-house", "bad").replace("500", "-5"),
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    found = catalogue_of(tmp_path)
    assert len(found.faults) == 1
    return found


@pytest.fixture
def owned(tmp_path: Path, clock: FakeClock, catalogue: Catalogue) -> Iterator[House]:
    house = make_panel(tmp_path, clock, catalogue=catalogue)
    yield house
    house.table.close()
    house.database.close()


def led(evening: Evening) -> None:
    """Let the companion lead."""
    begun = evening.host.do(evening.game_id, "begin")
    assert begun.status_code == 303, begun.text
    assert evening.house.table.game(evening.game_id).is_guided


def test_files_are_offered_under_their_titles_and_a_faulty_one_is_not(
    owned: House,
) -> None:
    host = owned.host()
    page = host.get("/games").text
    assert 'value="our-house"' in page
    assert ">Our house<" in page
    assert ">Our box<" in page
    assert "From a file of this table." in page
    assert 'value="bad"' not in page
    refused = host.post("/games", edition="bad")
    assert refused.status_code == 400
    assert "An edition belongs here" in refused.text


def test_a_game_by_a_file_is_banked_by_its_figures(owned: House) -> None:
    evening = make_evening(owned, "our-house")
    assert evening.balance("red") == 2_000
    evening.anna.do(evening.game_id, "pay", payee="blue", amount="100")
    assert evening.balance("blue") == 2_100
    assert "Our house" in evening.host.get("/games").text


def test_a_game_by_a_file_is_led_by_its_figures(owned: House) -> None:
    evening = make_evening(owned, "our-house")
    led(evening)
    host, game_id = evening.host, evening.game_id
    host.do(game_id, "correct-position", words="red owns boardwalk")
    deed = evening.anna.get(f"/g/{game_id}/deeds/boardwalk").text
    assert "Grandmother" in deed
    evening.anna.do(game_id, "mortgage", deed="boardwalk")
    assert evening.balance("red") == 2_250
    for path in ("", "board", "deeds", "history", "trade", "pause"):
        assert evening.anna.get(f"/g/{game_id}/{path}").status_code in (200, 303), path


def test_an_export_is_played_with_the_figure_that_was_typed_in(owned: House) -> None:
    evening = make_evening(owned, "our-box")
    led(evening)
    words = "red owns boardwalk"
    evening.host.do(evening.game_id, "correct-position", words=words)
    before = evening.balance("red")
    evening.anna.do(evening.game_id, "mortgage", deed="boardwalk")
    assert evening.balance("red") == before + 400


def test_a_file_is_played_in_london_too(owned: House) -> None:
    evening = owned.host()
    opened = evening.post("/games", edition="our-house", printing="uk")
    assert opened.status_code == 303
    game_id = opened.headers["Location"].split("/")[2]
    assert (
        "£2,000"
        in owned.seated(game_id, "Anna", "red", "hat").get(f"/g/{game_id}/").text
    )


@pytest.mark.parametrize("end", ["", "-uk"])
def test_a_file_has_its_page_of_figures(owned: House, end: str) -> None:
    phone = owned.guest()
    assert f'href="/editions/our-house{end}"' in phone.get("/editions").text
    page = phone.get(f"/editions/our-house{end}")
    assert page.status_code == 200
    assert "the cards of our own box" in page.text


@pytest.fixture
def bereft(
    tmp_path: Path, clock: FakeClock, owned: House
) -> Iterator[tuple[House, Evening]]:
    """The same table, started again after the file had gone; the host and Anna."""
    evening = make_evening(owned, "our-house")
    led(evening)
    cookies = [x.cookie for x in (evening.host, evening.anna)]
    owned.table.close()
    owned.database.close()
    house = make_panel(tmp_path, clock)
    host, anna = map(house.guest, cookies)
    yield house, Evening(house, evening.game_id, host, anna, anna)
    house.table.close()
    house.database.close()


def test_a_game_whose_file_has_gone_says_which_and_is_lost_to_nobody(
    bereft: tuple[House, Evening],
) -> None:
    house, evening = bereft
    game_id, revision = evening.game_id, evening.revision()
    for path in ("", "bank", "history", "board", "deeds", "invite"):
        page = evening.anna.get(f"/g/{game_id}/{path}")
        assert page.status_code == 503, path
        assert GONE in page.text
        assert "put the file back into the folder" in page.text
    assert GONE in house.guest().get("/table").text
    told = evening.anna.get(f"/api/games/{game_id}")
    assert (told.status_code, told.json["why"]) == (503, "edition_missing")
    paid = evening.anna.do(game_id, "pay", payee="blue", amount="100")
    assert paid.status_code == 503
    assert evening.revision() == revision


def test_the_host_can_put_such_a_game_away_and_keep_a_copy(
    bereft: tuple[House, Evening],
) -> None:
    house, evening = bereft
    host, game_id = evening.host, evening.game_id
    assert 'href="/games"' in host.get(f"/g/{game_id}/").text
    assert host.get("/games").status_code == 200
    copy = host.get(f"/games/{game_id}/export.json")
    assert copy.status_code == 200
    (form,) = (
        one
        for one in forms_of(host.get("/games").text)
        if one.action == f"/games/{game_id}/close"
    )
    assert host.post(form.action, **form.fields).status_code == 303
    assert house.table.current() is None
    assert evening.host.get("/").headers["Location"] == "/games"


def every_page(house: House, game_id: GameId) -> list[str]:
    """Every address of a game that takes nothing but the game."""
    rules = house.app.url_map.iter_rules()
    of_game = [x for x in rules if x.arguments == {"game_id"}]
    return [x.rule.replace("<game_id>", game_id) for x in of_game]


def test_no_address_of_such_a_game_breaks(bereft: tuple[House, Evening]) -> None:
    house, evening = bereft
    people: tuple[Phone, ...] = (evening.host, evening.anna, house.guest())
    addresses = every_page(house, evening.game_id)
    assert len(addresses) > 15
    for path in addresses:
        for phone in people:
            for answer in (phone.get(path), phone.post(path)):
                assert answer.status_code != 500, path
                assert "Traceback" not in answer.text
                answer.close()


def test_what_was_read_off_an_own_edition_is_saved_with_all_its_file_says(
    owned: House, catalogue: Catalogue
) -> None:
    host = owned.host()
    figure = {"deed.park-place.mortgage": "333"}
    assert host.post("/editions/our-box/type", **figure).status_code == 303
    saved = host.get("/editions/our-box/own.toml")
    assert saved.status_code == 200, saved.text
    again = load(saved.text, "again.toml")
    assert again.id == "our-our-box"
    assert again.figure("park-place", "mortgage") == 333
    assert again.figure("boardwalk", "mortgage") == 400
    assert again.figure("baltic-avenue", "mortgage") is None
    before = catalogue("our-box")
    assert again.spaces == before.spaces
    assert [x for x in again.deeds if x.id != "park-place"] == [
        x for x in before.deeds if x.id != "park-place"
    ]
    assert why_taken(again.id, catalogue.ids) == ""
