"""A game that was put away is thrown away: by the host, on a second tap, for good."""

from __future__ import annotations

import html
import re

import pytest

from companion.box.readings import values_of
from companion.game.box_key import BoxValue, split_key
from tests.web.conftest import Evening, House, make_evening
from tests.web.forms import forms_of


@pytest.fixture
def closed(evening: Evening) -> Evening:
    """Anna paid Ben, and the host put the game away."""
    evening.anna.do(evening.game_id, "pay", payee="blue", amount="50")
    evening.host.post(f"/games/{evening.game_id}/close")
    return evening


def words(text: str) -> str:
    """What a person reads of a page."""
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", text)))


def rows(house: House, table: str) -> int:
    with house.database.transaction() as connection:
        found = connection.exec_driver_sql(f"SELECT count(*) FROM {table}")
        return found.scalar_one()


def test_the_page_says_what_goes_offers_copies_and_asks_for_one_tap(closed: Evening):
    j = closed.game_id
    assert f'href="/games/{j}/throw-away"' in closed.host.get("/games").text
    page = closed.host.get(f"/games/{j}/throw-away").text
    told = words(page)
    assert "Throw “Saturday” away?" in told
    assert "its history, with 5 entries" in told
    assert "the money and the deeds of Anna, Ben" in told
    assert "Nobody can bring it back." in told
    for copy in re.findall(r'href="([^"]+)" download', page):
        assert closed.host.get(copy).status_code == 200, copy
    assert f"/games/{j}/export.json" in page
    (form,) = (one for one in forms_of(page) if "again" not in one.action)
    assert closed.host.post(form.action, **form.fields).headers["Location"] == "/games"
    assert closed.house.table.games() == ()


def test_of_a_game_that_is_gone_nothing_is_left_and_nobody_breaks(closed: Evening):
    house, j = closed.house, closed.game_id
    other = make_other(closed)
    closed.ben.post(f"/g/{j}/pause/tick", list="pack", step="all")
    assert closed.host.post(f"/games/{j}/throw-away").status_code == 303
    assert closed.host.post(f"/games/{j}/throw-away").status_code == 303
    for _ in range(2):
        assert [one.game_id for one in house.table.games()] == [other.game_id]
        assert house.table.phones.held_seats(j) == frozenset()
        for phone in (closed.anna, closed.ben, closed.host, house.guest()):
            assert phone.get("/").status_code in (200, 303)
            for path in (f"/g/{j}/", f"/g/{j}/history", f"/table?game={j}"):
                assert phone.get(path).status_code == 404, path
        assert other.anna.get(f"/g/{other.game_id}/").status_code == 200
        assert rows(house, "holdings") == 2
        kept = house.table.revision(other.game_id)
        assert rows(house, "entries") == kept
        restart(house)


def make_other(evening: Evening) -> Evening:
    """Another game at the same table, with phones of its own."""
    host, house = evening.host, evening.house
    answer = host.post("/games", edition="classic", name="Sunday")
    j = answer.headers["Location"].split("/")[2]
    anna = house.seated(j, "Anna", "red", "hat")
    ben = house.seated(j, "Ben", "blue", "car")
    return Evening(house, j, host, anna, ben)


def restart(house: House) -> None:
    """A table that was started anew looks at the same file."""
    table = house.table
    again = house.restarted()
    assert again.games() == table.games()
    for game in again.games():
        assert again.table_view(game.game_id) == table.table_view(game.game_id)
    table.phones = again.phones


@pytest.mark.parametrize("is_taken_out", [True, False])
def test_a_game_that_is_open_is_never_thrown_away(evening: Evening, is_taken_out: bool):
    """Nor one that somebody took out again while the page was open."""
    j = evening.game_id
    if is_taken_out:
        evening.host.post(f"/games/{j}/close")
        assert evening.host.get(f"/games/{j}/throw-away").status_code == 200
        evening.host.post(f"/games/{j}/reopen")
    assert f'href="/games/{j}/throw-away"' not in evening.host.get("/games").text
    for answer in (
        evening.host.get(f"/games/{j}/throw-away"),
        evening.host.post(f"/games/{j}/throw-away"),
    ):
        assert answer.status_code == 409
        assert "This game is still open. Put it away first." in words(answer.text)
    assert evening.anna.get(f"/g/{j}/").status_code == 200


def test_only_the_host_throws_away(closed: Evening):
    j = closed.game_id
    for phone in (closed.anna, closed.house.guest()):
        assert phone.get(f"/games/{j}/throw-away").status_code == 403
        assert phone.post(f"/games/{j}/throw-away").status_code == 403
    assert len(closed.house.table.games()) == 1


def test_a_full_shelf_says_what_to_do_and_that_helps(
    closed: Evening, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(closed.house.table, "_games_max", 1)
    full = closed.host.post("/games", edition="classic", name="Sunday")
    assert full.status_code == 409
    told = words(full.text)
    assert "1 games are kept already." in told
    assert "Throw away one that was put away, then open this one." in told
    assert 'value="Sunday"' in full.text
    closed.host.post(f"/games/{closed.game_id}/throw-away")
    opened = closed.host.post("/games", edition="classic", name="Sunday")
    assert opened.status_code == 303


# What was read off the box while it was played.


def led(house: House) -> Evening:
    """A game of the Secret Vault that the companion leads."""
    evening = make_evening(house)
    begun = evening.host.do(evening.game_id, "begin")
    assert begun.status_code == 303, begun.text
    return evening


def read(evening: Evening, deed: str, amount: int) -> None:
    answer = evening.anna.do(
        evening.game_id, "read-box", key=f"deed.{deed}.mortgage", value=amount
    )
    assert answer.status_code == 303, answer.text


def throw_away(evening: Evening) -> None:
    for verb in ("close", "throw-away"):
        answer = evening.host.post(f"/games/{evening.game_id}/{verb}")
        assert answer.status_code == 303


def known(house: House) -> dict[str, BoxValue]:
    """The mortgage values that were read off the box, by deed."""
    said = values_of(house.panel.editions.readings("secret-vault"))
    return {split_key(key).of: value for key, value in said.items()}


def test_what_stood_only_in_that_game_stays_known_with_its_reader_and_its_time(
    house: House,
):
    evening = led(house)
    read(evening, "boardwalk", 400)
    read_at_ms = house.clock.now_ms()
    house.clock.advance(3_600_000)
    read(evening, "park-place", 350)
    evening.host.post(f"/games/{evening.game_id}/close")
    told = words(evening.host.get(f"/games/{evening.game_id}/throw-away").text)
    assert "What you read off the box in it stays known." in told
    evening.host.post(f"/games/{evening.game_id}/throw-away")
    for _ in range(2):
        assert known(house) == {"boardwalk": 400, "park-place": 350}
        first = house.panel.editions.readings("secret-vault")[0]
        assert (first.actor, first.at_ms) == ("Anna", read_at_ms)
        assert "Anna" in evening.host.get("/editions/secret-vault?of=boardwalk").text
    house.panel.editions.take_back("secret-vault", "deed.boardwalk.mortgage", "Ben")
    assert known(house) == {"park-place": 350}


def test_the_last_word_stays_the_last_whichever_game_is_thrown_away(house: House):
    first = led(house)
    answer = first.host.post("/games", edition="secret-vault", name="Later")
    j = answer.headers["Location"].split("/")[2]
    anna, ben = (
        house.seated(j, name, colour, token)
        for name, colour, token in (("Anna", "red", "hat"), ("Ben", "blue", "car"))
    )
    later = Evening(house, j, first.host, anna, ben)
    first.host.do(j, "begin")
    for evening, deed, amount in (
        (first, "boardwalk", 400),
        (later, "boardwalk", 390),
        (later, "park-place", 350),
        (first, "park-place", 360),
    ):
        house.clock.advance(1_000)
        read(evening, deed, amount)
    house.clock.leap(-86_400_000)  # A Pi without a network.
    for evening in (first, later):
        assert known(house) == {"boardwalk": 390, "park-place": 360}
        throw_away(evening)
    assert known(house) == {"boardwalk": 390, "park-place": 360}


def test_a_disk_that_takes_nothing_loses_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    """Half of it written down is none of it."""
    evening = led(house)
    read(evening, "boardwalk", 400)
    evening.host.post(f"/games/{evening.game_id}/close")
    with house.database.transaction() as connection:
        connection.exec_driver_sql(
            "CREATE TRIGGER full BEFORE DELETE ON journals "
            "BEGIN SELECT no_such_function(); END"
        )
    entries = rows(house, "entries")
    answer = evening.host.post(f"/games/{evening.game_id}/throw-away")
    assert answer.status_code == 503
    assert rows(house, "entries") == entries
    assert known(house) == {"boardwalk": 400}
    with house.database.transaction() as connection:
        connection.exec_driver_sql("DROP TRIGGER full")
    assert evening.host.post(f"/games/{evening.game_id}/throw-away").status_code == 303
    assert known(house) == {"boardwalk": 400}
