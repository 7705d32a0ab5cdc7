"""The first start of a card: its steps, without a machine of their own.

The whole of it runs in ``tests/machines/card.sh``.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from hardware.card import Blanks, read_blanks

ROOT = Path(__file__).resolve().parents[2]
CARD = ROOT / "release/card"
FIRST_BOOT = ROOT / "systemd/first-boot"
WHEEL = "table_companion-1.0.0-py3-none-any.whl"


class Card:
    """A card's boot partition in a folder, with a bundle whose installer is ours."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bundle = folder / "table-companion"
        for name in ("wheels", "systemd"):
            (self.bundle / name).mkdir(parents=True)
        (self.bundle / "wheels" / WHEEL).touch()
        (folder / "config.txt").write_text("dtparam=audio=on\n")
        self.installs("echo Ready")

    def installs(self, how: str) -> None:
        """Have the installer do this, and say that it was called."""
        text = f"echo called >>{self.folder}/calls\n{how}\n"
        (self.bundle / "systemd/install").write_text(text)

    def step(self, script: str) -> subprocess.CompletedProcess[str]:
        steps = FIRST_BOOT.read_text(encoding="utf-8").replace('\nmain "$@"', "")
        (self.folder / "steps").write_text(steps, encoding="utf-8")
        own = f"""
            source {self.folder}/steps
            card={self.folder} bundle={self.bundle} installed={self.bundle}/installed
            screen={self.folder}/screen issue={self.folder}/issue.d/ours
            said={self.folder}/said python={self.folder}/python
            systemctl() {{ echo "systemctl $*" >>{self.folder}/calls; }}
            systemd-run() {{ echo "systemd-run $*" >>{self.folder}/calls; }}
            journalctl() {{ printf '%s\\n' 'First phone:   type 123 456 there' other; }}
            agetty() {{ :; }}
            fgconsole() {{ echo 1; }}
            sync() {{ :; }}
            {script}
            """
        return subprocess.run(
            ["bash", "-c", own], check=False, capture_output=True, text=True
        )

    def calls(self) -> list[str]:
        file = self.folder / "calls"
        return file.read_text().splitlines() if file.exists() else []


@pytest.fixture
def card(tmp_path: Path) -> Card:
    return Card(tmp_path)


def test_the_card_is_installed_from_once(card: Card) -> None:
    for _ in range(2):
        done = card.step("set_up")
        assert done.returncode == 0, done.stderr
        assert card.calls() == ["called"]
    assert (card.bundle / "installed").read_text() == f"{WHEEL}\n"


def test_a_newer_bundle_is_installed(card: Card) -> None:
    card.step("set_up")
    (card.bundle / "wheels" / WHEEL).rename(
        card.bundle / "wheels/table_companion-2.whl"
    )
    card.step("set_up")
    assert card.calls() == ["called", "called"]


def test_it_starts_anew_where_the_firmware_has_more_to_read(card: Card) -> None:
    card.installs(f"echo gpio=17=op,dl >>{card.folder}/config.txt")
    card.step("set_up; echo went on")
    assert card.calls() == ["called", "systemctl reboot"]
    assert not (card.folder / "said/problems").exists(), "the next start joins"


def test_a_failure_is_said_and_tried_again(card: Card) -> None:
    card.installs("echo 'Wanted 1000 MB free'; exit 1")
    for tries in (1, 2):
        assert card.step("set_up").returncode == 1
        assert card.calls() == ["called"] * tries
        told = (card.folder / "table-companion.txt").read_bytes()
        assert b"could not be set up" in told
        assert b"Wanted 1000 MB free\r\n" in told
    assert not (card.bundle / "installed").exists()
    card.installs("echo Ready")
    assert card.step("set_up").returncode == 0


def test_what_was_removed_stays_away(card: Card) -> None:
    card.step("set_up")
    assert card.step("tell").returncode == 0
    assert card.calls() == ["called"]
    assert not (card.folder / "table-companion.txt").exists()


def test_the_digits_stand_on_the_screen_and_not_on_the_card(card: Card) -> None:
    (card.folder / "said").mkdir()
    done = card.step(r"printf '%s\n' 'Phones go to \here' | show")
    assert done.returncode == 0, done.stderr
    told = (card.folder / "table-companion.txt").read_bytes()
    assert told == b"Phones go to \\here\r\n"
    shown = (card.folder / "screen").read_text()
    assert "Phones go to \\here" in shown
    assert "type 123 456" in shown
    assert "Phones go to \\\\here" in (card.folder / "issue.d/ours").read_text()


def test_the_work_comes_after_the_network_and_before_the_own_wifi(card: Card) -> None:
    assert card.step("main").returncode == 0
    first, second = card.calls()
    assert "After=NetworkManager.service" in first
    assert "Before=companion-hotspot.service" in first
    assert first.endswith("/systemd/first-boot set-up")
    assert "After=card-set-up.service companion-hotspot.service" in second
    assert second.endswith("/systemd/first-boot tell")


def test_what_is_no_use_is_refused_in_words(card: Card) -> None:
    done = card.step("main upgrade")
    assert done.returncode == 1
    assert done.stderr.startswith("Wanted ")


# The files on the card.


def test_cloud_init_calls_what_the_bundle_has() -> None:
    text = (CARD / "user-data").read_text(encoding="utf-8")
    assert text.startswith("#cloud-config\n")
    [path] = re.findall(
        r"^  - \[bash, /boot/firmware/table-companion/(.*)\]$", text, re.M
    )
    assert ROOT / path == FIRST_BOOT
    assert "\ninstance-id: " in (CARD / "meta-data").read_text(encoding="utf-8")


def test_cloud_init_never_sees_what_is_typed() -> None:
    text = (CARD / "network-config").read_text(encoding="utf-8")
    code = [x for x in text.splitlines() if x and not x.startswith("#")]
    assert code == ["network:", "  config: disabled"]
    assert not text.isascii(), "an old editor takes it for UTF-8 only then"
    assert read_blanks(text.encode()) == Blanks("", "", "")
