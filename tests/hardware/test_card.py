"""The Wi-Fi that somebody wrote onto the card, and what the table says of it.

A whole card starts in ``tests/machines/card.sh``. Here programs that write down what
they were told stand in the place of the system's.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.errors import Malformed
from companion.health import Condition, Finding
from companion.wifi import Wifi, wifi_to_json
from hardware import card
from hardware.card import Blanks, known_countries, problems, read_blanks
from hardware.network import hotspot
from hardware.network.network_manager import home_id, home_profile
from tests.running import ROOT
from tests.sample import each

FILE = (ROOT / "release/card/network-config").read_bytes()
HOME = Wifi('Anna\'s "5 GHz"', "it's a \\secret: 42")
COUNTRIES = frozenset({"DE", "FR"})


def filled(name: str = "", password: str = "", country: str = "") -> bytes:
    text = FILE
    for label, value in (
        ("Wi-Fi name", name),
        ("Wi-Fi password", password),
        ("Country", country),
    ):
        text = text.replace(f"# {label}:".encode(), f"# {label}: {value}".encode())
    return text


def test_what_is_typed_is_read_as_it_is() -> None:
    blanks = read_blanks(filled(HOME.name, HOME.password, "de"))
    assert blanks == Blanks(HOME.name, HOME.password, "de")
    assert HOME.password not in repr(blanks)


def test_the_file_as_it_comes_is_empty() -> None:
    assert read_blanks(FILE) == Blanks("", "", "")
    assert not list(problems(Blanks("", "", ""), COUNTRIES))


@each(
    ("before", "after"),
    [
        (b"\n", b"\r\n"),  # An editor of Windows.
        (b"# Wi-Fi", b"Wi-Fi"),  # Somebody took the # away.
        (b"# Wi-Fi name:", b"#WI-FI NAME :"),
        (b"Home", b'"Home"'),
        (b"Home", b"'Home'"),
    ],
)
def test_other_ways_of_typing_the_same(before: bytes, after: bytes) -> None:
    text = filled("Home", "long enough", "DE").replace(before, after)
    assert read_blanks(text) == Blanks("Home", "long enough", "DE")


def test_a_file_of_somebody_elses_is_left_to_them() -> None:
    assert read_blanks(b"network:\n  version: 2\n") is None


@each(
    ("text", "words"),
    [
        (filled("Home").replace(b"# Country:", b""), "'# Country:'"),
        (filled("Caf").replace(b"Caf\n", b"Caf\xe9\n"), "UTF-8"),
    ],
)
def test_what_cannot_be_read_is_said(text: bytes, words: str) -> None:
    with pytest.raises(Malformed, match=words):
        read_blanks(text)


@each(
    ("blanks", "words"),
    [
        (("", "long enough", "DE"), ["Wi-Fi name", "got nothing"]),
        (("x" * 33, "long enough", "DE"), ["Wi-Fi name", "32", "xxx"]),
        (("Home", "", "DE"), ["Wi-Fi password", "got nothing"]),
        (("Home", "seven77", "DE"), ["Wi-Fi password", "8 to 63", "got 7"]),
        (("Home", "x" * 64, "DE"), ["Wi-Fi password", "got 64"]),
        (("Home", "long enough", ""), ["Country", "got nothing"]),
        (("Home", "long enough", "Germany"), ["Country", "'Germany'"]),
        (("", "", "XX"), ["Country", "'XX'"]),
    ],
)
def test_a_wrong_blank_is_named(blanks: tuple[str, str, str], words: list[str]) -> None:
    [said] = problems(Blanks(*blanks), COUNTRIES)
    assert said.startswith("Wanted ")
    assert all(word in said for word in words)
    assert "seven77" not in said


def test_the_country_may_stand_alone_and_in_small_letters() -> None:
    assert not list(problems(Blanks("", "", "fr"), COUNTRIES))


def test_the_countries_are_the_systems(tmp_path: Path) -> None:
    (tmp_path / "tab").write_text("# code\tname\nDE\tGermany\nFR\tFrance\n")
    assert known_countries(tmp_path / "tab") == COUNTRIES


def test_a_password_is_erased_where_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "network-config"
    path.write_bytes(filled(HOME.name, HOME.password, "DE"))
    before, number = path.stat(), path.stat().st_ino
    for _ in range(2):
        card.erase_password(path)
        assert read_blanks(path.read_bytes()) == Blanks(HOME.name, "", "DE")
    assert (path.stat().st_size, path.stat().st_ino) == (before.st_size, number)
    assert HOME.password.encode() not in path.read_bytes()


# Joining.

PROGRAM = """#!/bin/sh
echo "$(basename "$0") $@" >>"{told}"
case "$*" in
*"connection up"*) echo "Error: {said}" >&2; exit {code} ;;
esac
"""


class Pi:
    """A machine of folders, with programs in the place of the system's."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.file, self.told = folder / "network-config", folder / "told"
        self.profiles, self._programs = folder / "profiles", folder / "bin"
        self.profiles.mkdir()
        self._programs.mkdir()
        self.says(0)
        patch.setenv("PATH", f"{self._programs}:/usr/bin:/bin")
        patch.setattr(hotspot, "RFKILL", folder / "rfkill")
        patch.setattr(card, "known_countries", lambda: COUNTRIES)

    def says(self, code: int, said: str = "") -> None:
        for name in ("nmcli", "iw", "rfkill", "raspi-config"):
            text = PROGRAM.format(told=self.told, said=said, code=code)
            (self._programs / name).write_text(text)
            (self._programs / name).chmod(0o755)

    def starts(self, text: bytes | None = None) -> list[str]:
        """Start it with *text* on the card; gives what it says."""
        self.told.write_text("")
        if text is not None:
            self.file.write_bytes(text)
        return list(card.join(self.file, self.profiles))

    def kept(self) -> list[str]:
        return [path.read_text() for path in self.profiles.iterdir()]


@pytest.fixture
def pi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pi]:
    before = os.umask(0o022)
    yield Pi(tmp_path, monkeypatch)
    os.umask(before)


def test_a_network_is_joined_and_its_password_erased(pi: Pi) -> None:
    assert pi.starts(filled(HOME.name, HOME.password, "de")) == []
    assert pi.kept() == [home_profile(HOME, is_hidden=True)]
    assert read_blanks(pi.file.read_bytes()) == Blanks(HOME.name, "", "de")
    told = pi.told.read_text()
    assert "raspi-config nonint do_wifi_country DE\n" in told
    assert f"connection up uuid {home_id(HOME.name)}\n" in told
    assert HOME.password not in told, "everybody reads arguments"


def test_another_start_does_nothing_and_says_nothing(pi: Pi) -> None:
    pi.starts(filled(HOME.name, HOME.password, "de"))
    before = pi.file.read_bytes(), pi.kept()
    assert pi.starts() == []
    assert (pi.file.read_bytes(), pi.kept()) == before
    assert pi.told.read_text() == ""


def test_a_wrong_blank_joins_nothing_and_costs_the_password(pi: Pi) -> None:
    first, second, *_ = pi.starts(filled("Home", "long enough", "D"))
    assert "No Wi-Fi was joined" in first
    assert "got 'D'" in second
    assert pi.kept() == []
    assert b"long enough" not in pi.file.read_bytes()
    assert "do_wifi_country" not in pi.told.read_text()


def test_a_mended_file_takes_effect(pi: Pi) -> None:
    assert pi.starts(filled("Home", "seven77", "DE"))
    assert pi.starts(filled("Home", "long enough", "DE")) == []
    assert len(pi.kept()) == 1


def test_a_refused_password_is_said_and_forgotten(pi: Pi) -> None:
    pi.says(4, "Secrets were required, but not provided")
    [said] = pi.starts(filled(HOME.name, HOME.password, "DE"))
    assert "refused the password" in said
    assert pi.kept() == []
    assert "got nothing" in pi.starts()[1]


def test_a_network_out_of_sight_is_kept_for_another_evening(pi: Pi) -> None:
    pi.says(4, "The Wi-Fi network could not be found")
    [said] = pi.starts(filled(HOME.name, HOME.password, "DE"))
    assert "not in sight" in said
    assert pi.kept()
    assert HOME.password.encode() not in pi.file.read_bytes()


def test_without_any_blank_the_radio_is_switched_on_for_its_own_wifi(pi: Pi) -> None:
    switch = hotspot.RFKILL / "rfkill0"
    switch.mkdir(parents=True)
    for name, text in (("type", "wlan"), ("soft", "1"), ("hard", "0")):
        (switch / name).write_text(text)
    assert pi.starts(FILE) == []
    assert pi.told.read_text() == "rfkill unblock wifi\nnmcli --wait 0 radio wifi on\n"


def test_what_cannot_be_read_costs_the_password_too(pi: Pi) -> None:
    text = filled("Home", "long enough").replace(b"# Country:", b"")
    assert "'# Country:'" in pi.starts(text)[1]
    assert b"long enough" not in pi.file.read_bytes()


# What it tells.


def test_the_own_wifi_is_told_with_its_password(tmp_path: Path) -> None:
    (tmp_path / "wifi.json").write_text(wifi_to_json(Wifi("vault-table", "abcdefgh")))
    first, second = card.tell(tmp_path)
    assert "vault-table, password abcdefgh" in first
    assert "http://10.42.0.1" in second


def test_otherwise_the_table_itself_says_where_phones_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, int]] = []

    def ask(host: str, port: int) -> Iterator[Finding]:
        asked.append((host, port))
        yield Finding("table.camera", Condition.OK, "the camera is ready")
        yield Finding("table.address", Condition.OK, "phones go to http://192.168.1.20")

    monkeypatch.setattr(card, "ask_table", ask)
    monkeypatch.delenv("COMPANION_SERVE_PORT", raising=False)
    monkeypatch.delenv("COMPANION_SERVE_HOST", raising=False)
    assert list(card.tell(tmp_path)) == ["Phones go to http://192.168.1.20."]
    assert asked == [("", 80)]


def test_main_prints_each_sentence(
    pi: Pi, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pi.file.write_bytes(filled("Home", "", "DE"))
    assert card.main(["join", str(pi.file)]) == 0
    assert "Wanted a Wi-Fi password, got nothing" in capsys.readouterr().out
    assert card.main([]) == 2
