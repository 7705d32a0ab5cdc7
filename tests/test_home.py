"""The whole program tells a home of its evening, and of its own end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.mosquitto import NO_MOSQUITTO, PROGRAM, Listener, Mosquitto
from tests.phone_http import HttpPhone, open_table
from tests.running import RunningTable

pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason=NO_MOSQUITTO)

SEATS = (("red", "hat"), ("blue", "car"))


class Entities:
    """What Home Assistant makes of what it hears: a state for each thing's name."""

    def __init__(self, heard: Listener) -> None:
        self._heard = heard

    def configs(self) -> list[dict[str, str]]:
        kept = self._heard.kept
        return [json.loads(kept[x]) for x in sorted(kept) if x.endswith("/config")]

    def states(self) -> dict[str, str]:
        kept = self._heard.kept
        return {
            one["name"]: kept[one["state_topic"]].decode()
            for one in self.configs()
            if kept.get(one["availability_topic"]) == b"online"
            and one["state_topic"] in kept  # It follows its announcement.
        }

    def until(self, **wanted: str) -> None:
        """Wait until things are so; their names have _ for a space."""
        names = {name.replace("_", " "): state for name, state in wanted.items()}
        self._heard.until(lambda _: names.items() <= self.states().items())

    def until_away(self) -> None:
        self._heard.until(lambda _: not self.states())


def do(phone: HttpPhone, path: str, **form: object) -> None:
    status, where = phone.post(path, **form)
    assert status == 303, where


def play(home: Entities, table: RunningTable) -> None:
    """Open a game, lock the vault, and play until a turn has passed."""
    home.until(Stage="no game", Vault_lid="ON", Vault_bolt="ON", Turn="None")
    assert table.code is not None
    game, host, (red, blue) = open_table(
        table.address, table.code, SEATS, edition="secret-vault"
    )
    home.until(Game="Load", Stage="playing", Turn="None", Balance_of_red="3000")
    do(host, f"/g/{game}/do/begin", command_id="the-beginning")
    home.until(Turn="red")
    host.post("/vault/lid", move="shut")
    home.until(Vault_lid="OFF", Vault_bolt="ON")
    host.post("/vault/press", line="yellow_button", times=3)
    home.until(Vault_lid="OFF", Vault_bolt="OFF", Trouble="OFF")
    do(red, f"/g/{game}/do/roll", command_id="the-roll-1", **{"die-1": 1, "die-2": 2})
    do(red, f"/g/{game}/do/buy", command_id="the-buying-1")
    home.until(Turn="blue")
    host.post("/vault/lid", move="force")
    home.until(Vault_lid="ON", Vault_bolt="ON", Trouble="ON")
    for phone in (host, red, blue):
        phone.close()


def test_a_home_follows_an_evening_and_its_end(tmp_path: Path) -> None:
    with Mosquitto(tmp_path) as broker, Listener(broker.port) as heard:
        home = Entities(heard)
        settings = {"COMPANION_MQTT_URL": broker.url, "COMPANION_MQTT_BALANCES": "1"}
        with RunningTable(tmp_path / "data", settings=settings) as table:
            play(home, table)
            known = home.configs()
            table.kill()
            home.until_away()
        with RunningTable(tmp_path / "data", settings=settings) as table:
            home.until(Game="Load", Turn="blue", Trouble="ON")
            assert home.configs() == known
            assert table.stop() == 0
            assert heard.kept[known[0]["availability_topic"]] == b"offline"
            assert "Traceback" not in table.log.read_text()
