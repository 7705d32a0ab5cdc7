"""The table's own Wi-Fi: when it opens, under what name, and what its files say.

Whether NetworkManager does what it is told is proven in ``tests/machines/hotspot.sh``.
Here a program that writes down what it was told stands in its place.
"""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.errors import DeviceFault
from companion.wifi import Attempt, Outcome, Wifi, attempt_to_json, wifi_to_json
from hardware.network import hotspot, join_wifi
from hardware.network.hotspot import (
    NAME,
    PASSWORD_LENGTH,
    PASSWORD_LETTERS,
    PATIENCE_S,
    free_name,
    is_blocked,
    kept_password,
    wait_for_network,
)
from hardware.network.join_wifi import outcome_of
from hardware.network.network_manager import (
    Device,
    home_profile,
    hotspot_profile,
    names_in_sight,
)
from hardware.network.whereabouts import Hotspot
from tests.running import ROOT
from tests.sample import each

OWN = Wifi("vault-table", "nhzskcmtuwpb")
HOME = Wifi('Anna & Ben; "5 GHz"', "it's a \\secret: 42")
RADIO = Device("wlan0", "wifi", "disconnected")
UP = ("wlan0", "10.42.0.1")


@each(
    "module",
    ["hardware.network.hotspot", "hardware.network.join_wifi", "hardware.stick"],
)
def test_what_runs_as_root_needs_nothing_but_python(module: str) -> None:
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import {module}"
    subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True)


class Nights:
    """A clock that goes on only while somebody waits."""

    def __init__(self) -> None:
        self.at_s = 0.0

    def now_s(self) -> float:
        return self.at_s

    def pause(self, seconds: float) -> None:
        self.at_s += seconds


def test_a_known_network_is_waited_for_and_no_hotspot_wanted_once_it_is_there() -> None:
    night = Nights()

    def ask() -> tuple[Device, ...]:
        return (Device("wlan0", "wifi", "connected" if night.at_s > 20 else "x"),)

    assert wait_for_network(ask, night.now_s, night.pause) == "wlan0"
    assert 20 < night.at_s < PATIENCE_S


@each(
    "device",
    [
        Device("lo", "loopback", "connected (externally)"),
        Device("docker0", "bridge", "connected (externally)"),
        Device("wg0", "wireguard", "connected"),
        Device("eth0", "ethernet", "unavailable"),
        Device("wlan0", "wifi", "connecting (getting IP configuration)"),
    ],
)
def test_what_no_phone_is_on_does_not_count_as_a_network(device: Device) -> None:
    night = Nights()
    assert wait_for_network(lambda: (device,), night.now_s, night.pause) == ""
    assert PATIENCE_S <= night.at_s < PATIENCE_S + 5


@each(
    ("seen", "name"),
    [
        ((), NAME),
        (("Home",), NAME),
        ((NAME,), "vault-table-2"),
        ((NAME, "vault-table-2", "vault-table-4"), "vault-table-3"),
        ((NAME, *(f"{NAME}-{n}" for n in range(2, 10))), "vault-table-9"),
    ],
)
def test_a_second_table_in_sight_takes_another_name(
    seen: tuple[str, ...], name: str
) -> None:
    assert free_name(seen) == name


def test_the_password_is_drawn_once_and_only_root_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "kept" / "password"
    drawn = kept_password(path)
    assert re.fullmatch(f"[{PASSWORD_LETTERS}]{{{PASSWORD_LENGTH}}}", drawn)
    assert kept_password(path) == drawn
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert kept_password(tmp_path / "another") != drawn


def switch(rfkill: Path, name: str, kind: str, soft: str, hard: str) -> None:
    for file, text in (("type", kind), ("soft", soft), ("hard", hard)):
        (rfkill / name).mkdir(exist_ok=True)
        (rfkill / name / file).write_text(f"{text}\n")


def test_wifi_is_blocked_when_every_radio_of_it_is(tmp_path: Path) -> None:
    assert not is_blocked(tmp_path)
    switch(tmp_path, "rfkill0", "bluetooth", "1", "0")
    assert not is_blocked(tmp_path)
    switch(tmp_path, "rfkill1", "wlan", "1", "0")
    assert is_blocked(tmp_path)
    switch(tmp_path, "rfkill2", "wlan", "0", "0")
    assert not is_blocked(tmp_path)
    switch(tmp_path, "rfkill2", "wlan", "0", "1")
    assert is_blocked(tmp_path)


def test_networks_in_sight_are_named_once_and_strongest_first() -> None:
    output = "\n".join(
        (
            f"40:{b'Home'.hex()}:WPA2",
            f"80:{b'Home'.hex()}:WPA2 WPA3",
            f"70:{'Ännä: 5 GHz'.encode().hex()}:",
            f"99:{b'eduroam'.hex()}:WPA2 802.1X",
            "60::WPA2",
            "55:ff00:WPA2",
            "50:00000000:WPA2",
            "nonsense",
        )
    )
    assert names_in_sight(output) == ("Home", "Ännä: 5 GHz")


def test_a_profile_escapes_what_its_format_would_read_otherwise() -> None:
    text = home_profile(HOME, is_hidden=True)
    assert "psk=it's\\sa\\s\\\\secret:\\s42\n" in text
    assert "ssid=65;110;110;97;" in text
    assert "hidden=true" in text
    assert "wifi-security" not in home_profile(Wifi("Open", ""), is_hidden=False)
    assert "autoconnect=false" in hotspot_profile(OWN, "wlan0")


@each(
    ("said", "outcome"),
    [
        ("Secrets were required, but not provided", Outcome.WRONG_PASSWORD),
        ("802.1X supplicant took too long to authenticate", Outcome.WRONG_PASSWORD),
        ("The Wi-Fi network could not be found", Outcome.NOT_IN_SIGHT),
        ("IP configuration could not be reserved", Outcome.NO_ADDRESS),
        ("Timeout expired (60 seconds)", Outcome.FAILED),
    ],
)
def test_what_nmcli_says_is_put_into_one_word(said: str, outcome: Outcome) -> None:
    assert outcome_of(f"Error: Connection activation failed: {said}") is outcome


NMCLI = """#!/bin/sh
echo "$@" >>"{told}"
case "$*" in
*"device status"*) echo "wlan0:wifi:disconnected" ;;
*"wifi list"*) echo "70:{seen}:WPA2" ;;
*"connection up uuid {fails}"*)
    echo "Error: Connection activation failed: Secrets were required" >&2
    exit 4 ;;
esac
"""


class Machine:
    """A machine of folders, with a program in the place of NetworkManager's."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.told = folder / "told"
        self.run, self.etc = folder / "run", folder / "etc"
        self.wishes = folder / "wishes"
        for place in (self.run, self.etc, self.wishes, folder / "bin"):
            place.mkdir()
        self._nmcli = folder / "bin" / "nmcli"
        self.let_in()
        patch.setenv("PATH", f"{folder / 'bin'}:{os.environ['PATH']}")
        patch.delenv("COMPANION_HOTSPOT", raising=False)
        for module, name, path in (
            (hotspot, "FOLDER", self.run),
            (hotspot, "KEPT", folder / "kept"),
            (hotspot, "PROFILE", folder / "run-profiles" / "hotspot.nmconnection"),
            (hotspot, "RFKILL", folder / "rfkill"),
            (join_wifi, "REQUEST", self.wishes / "join-wifi.json"),
            (join_wifi, "PROFILES", self.etc),
        ):
            patch.setattr(module, name, path)
        patch.setattr(hotspot, "PATIENCE_S", 0)
        patch.setattr(join_wifi, "PAGE_S", 0)
        self.panel = Hotspot(
            lambda: [UP], self.run, self.wishes / "join-wifi.json", folder / "rfkill"
        )

    def let_in(self, refused_id: str = "nobody") -> None:
        self._nmcli.write_text(
            NMCLI.format(told=self.told, seen=b"Nachbarn".hex(), fails=refused_id)
        )
        self._nmcli.chmod(0o755)

    def profiles(self) -> list[str]:
        return [path.read_text() for path in self.etc.iterdir()]


@pytest.fixture(autouse=True)
def mask() -> Iterator[None]:
    """Put the mode of new files back, which both programs change."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, monkeypatch)


def test_without_a_network_it_opens_and_tells_the_panel_alone(machine: Machine) -> None:
    assert hotspot.main(["up"]) == 0
    wifi = machine.panel.wifi()
    assert wifi is not None
    assert wifi.name == NAME
    assert machine.panel.in_sight() == ("Nachbarn",)
    assert f"psk={wifi.password}\n" in hotspot.PROFILE.read_text()
    assert stat.S_IMODE(hotspot.PROFILE.stat().st_mode) == 0o600
    assert wifi.password not in machine.told.read_text(), "everybody reads arguments"
    assert all(not path.stat().st_mode & 0o007 for path in machine.run.iterdir())
    assert hotspot.main(["down"]) == hotspot.main(["down"]) == 0
    assert machine.panel.wifi() is None
    assert not hotspot.PROFILE.exists()


@pytest.mark.parametrize(("setting", "code"), [("off", 0), ("on", 1), ("", 1)])
def test_it_opens_only_if_it_is_wanted(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, setting: str, code: int
) -> None:
    monkeypatch.setenv("COMPANION_HOTSPOT", setting)
    assert hotspot.main(["up"]) == code
    assert not machine.told.exists()
    assert machine.panel.wifi() is None


def test_a_blocked_radio_is_named_with_what_to_type(
    machine: Machine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "rfkill").mkdir()
    switch(tmp_path / "rfkill", "rfkill0", "wlan", "1", "0")
    assert hotspot.main(["up"]) == 1
    assert "do_wifi_country" in caplog.text
    assert machine.panel.is_blocked()


def test_a_hotspot_that_does_not_come_up_is_not_shown(machine: Machine) -> None:
    machine.let_in(refused_id=hotspot.HOTSPOT_ID)
    assert hotspot.main(["up"]) == 1
    assert machine.panel.wifi() is None


def test_wrong_use_is_told_so() -> None:
    assert hotspot.main([]) == hotspot.main(["sideways"]) == 2


def test_a_home_network_is_joined_for_good_and_the_hotspot_goes(
    machine: Machine, caplog: pytest.LogCaptureFixture
) -> None:
    hotspot.main(["up"])
    machine.panel.join(HOME)
    assert stat.S_IMODE(join_wifi.REQUEST.stat().st_mode) == 0o600
    assert join_wifi.main() == 0
    assert machine.profiles() == [home_profile(HOME, is_hidden=True)]
    assert stat.S_IMODE(next(machine.etc.iterdir()).stat().st_mode) == 0o600
    assert machine.panel.wifi() is None
    assert not join_wifi.REQUEST.exists()
    for text in (machine.told.read_text(), caplog.text):
        assert "secret: 42" not in text


def test_a_network_in_sight_needs_no_shouting_for(machine: Machine) -> None:
    hotspot.main(["up"])
    machine.panel.join(Wifi("Nachbarn", ""))
    assert join_wifi.main() == 0
    assert "hidden=false" in machine.profiles()[0]


def test_after_a_wrong_password_the_hotspot_is_back_and_nothing_is_left(
    machine: Machine,
) -> None:
    hotspot.main(["up"])
    machine.let_in(refused_id=join_wifi.home_id(HOME.name))
    machine.panel.join(HOME)
    assert join_wifi.main() == 1
    assert machine.profiles() == []
    assert machine.panel.attempt() == Attempt(HOME.name, Outcome.WRONG_PASSWORD)
    assert machine.panel.wifi() is not None
    last_ups = [x for x in machine.told.read_text().splitlines() if " up " in x]
    assert hotspot.HOTSPOT_ID in last_ups[-1]


def test_a_failed_attempt_leaves_the_password_that_worked_once(
    machine: Machine,
) -> None:
    hotspot.main(["up"])
    machine.panel.join(HOME)
    join_wifi.main()
    before = machine.profiles()
    hotspot.main(["up"])
    machine.let_in(refused_id=join_wifi.home_id(HOME.name))
    machine.panel.join(Wifi(HOME.name, "another password"))
    assert join_wifi.main() == 1
    assert machine.profiles() == before


def test_a_full_disk_leaves_the_hotspot_up_and_the_page_says_that_it_failed(
    machine: Machine,
) -> None:
    hotspot.main(["up"])
    machine.panel.join(HOME)
    machine.etc.rmdir()
    assert join_wifi.main() == 1
    assert machine.panel.attempt() == Attempt(HOME.name, Outcome.FAILED)
    last_ups = [x for x in machine.told.read_text().splitlines() if " up " in x]
    assert hotspot.HOTSPOT_ID in last_ups[-1]


def test_no_wish_counts_while_the_hotspot_is_down(machine: Machine) -> None:
    machine.panel.join(HOME)
    assert join_wifi.main() == 1
    assert machine.profiles() == []
    assert not join_wifi.REQUEST.exists(), "or its unit would start for ever"


@each("text", ["\ufffd{", wifi_to_json(HOME).replace(" ", " " * 2_000)])
def test_a_wish_that_is_none_is_removed_and_refused(
    machine: Machine, text: str
) -> None:
    machine.panel.join(HOME)
    join_wifi.REQUEST.write_text(text)
    assert join_wifi.main() == 1
    assert machine.profiles() == []
    assert not join_wifi.REQUEST.exists()


def test_the_panel_says_where_it_could_not_write(tmp_path: Path) -> None:
    panel = Hotspot(tuple, tmp_path, tmp_path / "nowhere" / "wish.json", tmp_path)
    with pytest.raises(DeviceFault, match="nmtui") as caught:
        panel.join(HOME)
    assert "secret" not in str(caught.value)


def test_the_panel_believes_the_hotspots_address_more_than_its_file(
    tmp_path: Path,
) -> None:
    links = [UP]
    panel = Hotspot(lambda: links, tmp_path, tmp_path / "wish.json", tmp_path)
    assert panel.wifi() is None
    (tmp_path / "wifi.json").write_text(wifi_to_json(OWN))
    assert panel.wifi() == OWN
    links[:] = [("wlan0", "192.168.1.20")]
    assert panel.wifi() is None


def test_a_file_that_is_none_of_the_hotspots_is_said_and_passed_over(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    panel = Hotspot(lambda: [UP], tmp_path, tmp_path / "wish.json", tmp_path)
    (tmp_path / "attempt.json").write_text(
        attempt_to_json(Attempt("Home", Outcome.TRYING))
    )
    assert panel.attempt() == Attempt("Home", Outcome.TRYING)
    (tmp_path / "attempt.json").write_text("{}")
    assert panel.attempt() is None
    assert "hotspot_not_read" in caplog.text
