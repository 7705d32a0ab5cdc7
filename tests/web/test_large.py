"""Large tables and long games: what is read for a page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.game import commands as c
from companion.game.envelope import Envelope, opened_by
from companion.store import Journals
from companion.table.service import GAMES_MAX
from companion.table.vault_coupling import open_by_hand
from companion.units import TimeMs
from tests.fakes import FakeClock
from tests.guided import Guided
from tests.web.conftest import House, Phone, make_panel

MANY = GAMES_MAX - 1


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
    phone, cookie = again.guest(), host.client.get_cookie("phone")
    assert cookie is not None
    phone.client.set_cookie("phone", cookie.value)
    yield phone
    again.table.close()
    again.database.close()


@pytest.mark.parametrize("is_put_away", [True, False])
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


def test_the_agreed_time_is_known_without_reading_the_game_again(
    house: House, tmp_path: Path, opened: list[str]
) -> None:
    host, play = house.host(), Guided("classic", options={"time_limit": "60"})
    game = opened_by(play.entries[0].command_id)
    now_ms = TimeMs(house.clock.now_ms())
    timed = [replace(entry, at_ms=now_ms) for entry in play.entries]
    Journals(house.database).add(game, timed)
    with restarted(house, host, tmp_path) as host:
        assert "60 minutes are left" in host.get(f"/g/{game}/bank").text
        assert opened == [game]
