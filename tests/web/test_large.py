"""Large tables and long games: what is read for a page, and what is held in memory."""

from __future__ import annotations

import csv
import io
import json
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.game import commands as c
from companion.game.codec import entries_from_json
from companion.game.envelope import Envelope, opened_by
from companion.game.journal import EVERY, WINDOW
from companion.store import Journals
from companion.table.service import GAMES_MAX
from companion.table.vault_coupling import open_by_hand
from companion.units import GameId, TimeMs
from tests.fakes import FakeClock
from tests.guided import Guided
from tests.long_game import POORER, damage, long_game
from tests.sample import sampled
from tests.web.conftest import House, Phone, make_panel
from web.http.download import PART_BYTES

MANY = GAMES_MAX - 1
SHORT, LONG = 1_000, 2_500
MORE_BYTES_MAX = 500_000
"""What the longer game may take in addition; its entries take about 2,000,000."""


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games whose entries were read."""
    read: list[str] = []
    entries = Journals.entries

    def reading(self: Journals, journal_id: str, *bounds: int):
        if not journal_id.startswith("box "):
            read.append(journal_id)
        return entries(self, journal_id, *bounds)

    monkeypatch.setattr(Journals, "entries", reading)
    return read


@contextmanager
def restarted(house: House, host: Phone, folder: Path) -> Iterator[Phone]:
    """The host's phone, at the same folder after a restart."""
    house.table.close()
    house.database.close()
    again = make_panel(folder, FakeClock())
    open_by_hand(again.table)
    try:
        yield again.guest(host.cookie)
    finally:
        again.table.close()
        again.database.close()


@pytest.mark.parametrize("is_put_away", sampled([True, False]))
def test_a_start_with_many_games_reads_the_one_on_the_table(
    house: House, tmp_path: Path, opened: list[str], is_put_away: bool
) -> None:
    host, table = house.host(), house.table
    for number in range(MANY):
        game = table.open_game("secret-vault", "Friday", f"command-{number:04d}")
        if is_put_away and number < MANY - 1:
            close = Envelope(c.CloseGame(by=c.TABLE), "command-close")
            table.submit(game, close)
    current = table.current()
    opened.clear()
    with restarted(house, host, tmp_path) as host:
        for page in ("/", f"/g/{current}/bank", "/table", "/games"):
            assert host.get(page).status_code in (200, 303), page
            assert set(opened) <= {current}, page
        assert current in opened


@pytest.mark.parametrize(
    "path", ["/g/{}/export.csv", "/g/{}/worth.svg", "/games/{}/export.json"]
)
def test_a_long_game_is_not_held_in_memory_to_be_told(house: House, path: str) -> None:
    host, journals = house.host(), Journals(house.database)
    peaks = [
        peak_of(house, host, path.format(long_game(journals, count, name)))
        for name, count in (
            ("command-first", 100),  # Imports what is imported once.
            ("command-short", SHORT),
            ("command-long", LONG),
        )
    ]
    assert peaks[2] < peaks[1] + MORE_BYTES_MAX


def peak_of(house: House, host: Phone, path: str) -> int:
    """The most bytes that were in use while a file was made and sent."""
    house.table._listed = None
    assert host.get(f"/g/{path.split('/')[2]}/bank").status_code == 200
    tracemalloc.start()
    try:
        answer = host.client.get(path, buffered=False)
        assert answer.status_code == 200
        assert sum(len(part) for part in answer.response) > 1_000
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        answer.close()


def test_a_long_copy_is_whole_though_it_comes_in_parts(house: House) -> None:
    host, journals = house.host(), Journals(house.database)
    game = long_game(journals, SHORT, "command-open")
    house.table._listed = None
    entries = tuple(journals.entries(game))
    table = host.get(f"/g/{game}/export.csv").data
    rows = list(csv.DictReader(io.StringIO(table.decode("utf-8-sig"))))
    assert [int(row["revision"]) for row in rows] == [x.revision for x in entries]
    undone = {int(row["revision"]) for row in rows if row["taken_back"]}
    assert undone == set(house.table.undone(game)[1])
    assert len(undone) == SHORT // 20
    text = host.get(f"/games/{game}/export.json").data
    assert entries_from_json(text).entries == entries
    assert json.loads(text)["name"] == "Friday"
    assert len(text) > len(table) > PART_BYTES, "each in more than one part"


def test_a_fault_in_a_copy_is_said_before_it_begins(house: House) -> None:
    host, journals = house.host(), Journals(house.database)
    game = long_game(journals, SHORT)
    house.table._listed = None
    house.table.game(game)
    with house.database.transaction() as connection:
        connection.exec_driver_sql("DELETE FROM entries WHERE revision = 7")
    for path in (f"/g/{game}/export.csv", f"/games/{game}/export.json"):
        assert host.get(path).status_code == 503, path


def test_a_game_that_was_changed_before_its_snapshot_is_closed_in_words(
    house: House, tmp_path: Path
) -> None:
    host, journals = house.host(), Journals(house.database)
    game = long_game(journals, EVERY + WINDOW)
    house.table._listed = None
    short = house.table.open_game("classic", "Sunday", "command-short")
    pages = (
        f"/g/{game}/bank",
        f"/g/{game}/history",
        f"/g/{game}/export.csv",
        f"/g/{game}/export.game",
        f"/games/{game}/export.json",
    )
    for path in pages[:3]:
        assert host.get(path).status_code == 200, path
    damage(house.database, game, *POORER)
    for exported in (*pages[2:], ""):  # Each asked for first, or nothing for long.
        with restarted(house, host, tmp_path) as phone:
            again = phone.house
            assert phone.get(pages[0]).status_code == 200
            if exported:
                assert phone.get(exported).status_code == 503
            else:
                again.clock.advance(60_000)
            for path in pages:
                answer = phone.get(path)
                assert answer.status_code == 503, path
                assert "about this game is damaged" in answer.text
                assert "restores a backup; other games go on" in answer.text
            tap = phone.do(game, "pay", payer="red", payee="blue", amount="5")
            assert tap.status_code == 503
            assert "about this game is damaged" in tap.text
            assert phone.get(f"/g/{short}/bank").status_code == 200
            assert phone.get("/games").status_code == 200


def test_nobody_is_led_into_a_damaged_game_again_and_again(
    house: House, tmp_path: Path
) -> None:
    host, journals = house.host(), Journals(house.database)
    game = long_game(journals, EVERY + WINDOW)
    house.table._listed = None
    phone, token = house.table.phones.issue(0)
    house.table.phones.hold(game, "red", phone.phone)
    player = house.guest((host.cookie[0], token))
    assert player.get("/").location == f"/g/{game}/"
    damage(house.database, game, *POORER)
    with restarted(house, host, tmp_path) as host:
        again, player = host.house, host.house.guest(player.cookie)
        for seen in (host, player):
            assert seen.get("/").location == f"/g/{game}/"
        again.clock.advance(60_000)
        assert host.get("/").location == "/games"
        assert player.get("/").status_code == 200
        other = again.table.open_game("classic", "Sunday", "command-other")
        assert host.get("/").location == f"/g/{other}/"
        assert player.get("/").location == f"/g/{other}/join"


def test_the_agreed_time_is_known_without_reading_the_game_again(
    house: House, tmp_path: Path, opened: list[str]
) -> None:
    host, play = house.host(), Guided("classic", options={"time_limit": "60"})
    game = opened_by(play.entries[0].command_id)
    now_ms = TimeMs(house.clock.now_ms())
    timed = [replace(entry, at_ms=now_ms) for entry in play.entries]
    Journals(house.database).append(game, *timed)
    with restarted(house, host, tmp_path) as host:
        assert "60 minutes are left" in host.get(f"/g/{game}/bank").text
        assert opened == [game]


def test_lists_say_who_sits_at_games_that_nobody_has_opened_since_the_start(
    house: House, tmp_path: Path, opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    host = house.host()
    for names in (("Anna", "Ben"), ("Cleo", "Dana")):
        box = {"edition": "secret-vault", "name": "Friday", "leads": "yes"}
        game = GameId(host.post("/games", **box).location.split("/")[2])
        for name, look in zip(names, (("red", "hat"), ("blue", "car")), strict=True):
            house.seated(game, name, *look)
    glances, glance = [], Journals.with_events
    with restarted(house, host, tmp_path) as host:
        opened.clear()
        monkeypatch.setattr(
            Journals,
            "with_events",
            lambda self, *what: glances.append(what[0]) or glance(self, *what),
        )
        for path in ("/games", "/games/cards", "/games"):
            page = host.get(path).text
            assert "Anna, Ben" in page, path
            assert "Cleo, Dana" in page, path
        glances = [one for one in glances if not one.startswith("box ")]
        assert len(glances) == len(set(glances)), "once each"
        assert set(opened) <= {host.house.table.current()}
