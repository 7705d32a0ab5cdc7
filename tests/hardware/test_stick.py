"""USB sticks as ``lsblk`` lists them, and what is done when the panel asks for one.

``tests/machines/stick.sh`` tries all of this on a kernel, with systemd and real sticks.
"""

from __future__ import annotations

import json
import os
import stat
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from companion.errors import DeviceFault
from companion.ports import Stick
from hardware import stick
from hardware.stick import sticks
from tests.sample import each

Row = dict[str, object]


def row(name: str, **others: object) -> Row:
    """Write a row of ``lsblk``, in its order."""
    usual: Row = {
        **{"name": name, "tran": None, "fstype": None, "label": None, "uuid": None},
        **{"size": 1_000_000, "mountpoints": [None], "ro": False},
    }
    return usual | others


RECORDED = r"""{
   "blockdevices": [
      {"name": "sda", "tran": "usb", "fstype": null, "label": null, "uuid": null,
       "size": 42991616, "mountpoints": [null], "ro": false,
       "children": [
         {"name": "sda1", "tran": null, "fstype": "vfat", "label": "GAMES",
          "uuid": "1111-1111", "size": 41943040, "mountpoints": [null], "ro": false}
      ]},
      {"name": "sdb", "tran": "usb", "fstype": "exfat", "label": "Ü \"1\"",
       "uuid": "EB4D-3EE1", "size": 41943040, "mountpoints": [null], "ro": false},
      {"name": "vda", "tran": null, "fstype": "vfat", "label": "INNER",
       "uuid": "3333-3333", "size": 20971520, "mountpoints": [null], "ro": false}
   ]
}"""
"""What util-linux 2.38 says in the machine of ``tests/machines/stick.sh``."""
GAMES = Stick("1111-1111", "GAMES", "vfat", 41_943_040, False, True, "sda1")
OTHER = Stick("EB4D-3EE1", 'Ü "1"', "exfat", 41_943_040, False, True, "sdb")


class Machine:
    """What ``lsblk`` says here, and the commands that were run."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.said = '{"blockdevices": []}'
        self.ran: list[list[str]] = []
        self.fails = ""
        patch.setattr(stick, "WISH", folder / "wish")
        patch.setattr(stick, "WATCH", folder / "watch")
        patch.setattr(stick, "FOLDER", folder / "table-companion")
        patch.setattr(subprocess, "check_output", self._run)

    def has(self, *disks: Row) -> None:
        self.said = json.dumps({"blockdevices": disks}, ensure_ascii=False)

    def _run(self, words: tuple[str, ...], **_: object) -> str:
        if words[0] == self.fails:
            raise subprocess.CalledProcessError(32, words)
        if words[0] == "lsblk":
            return self.said
        self.ran.append(list(words))
        return ""


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, monkeypatch)


def test_a_stick_has_a_table_of_partitions_or_none(machine: Machine) -> None:
    machine.said = RECORDED
    assert sticks() == (GAMES, OTHER)


def test_each_partition_is_a_stick_of_its_own(machine: Machine) -> None:
    parts = [row("sda1", fstype="vfat", uuid="1"), row("sda2", fstype="ext4", uuid="2")]
    machine.has(row("sda", tran="usb") | {"children": parts})
    assert [(x.device, x.uuid, x.label) for x in sticks()] == [
        ("sda1", "1", ""),
        ("sda2", "2", ""),
    ]


def test_what_cannot_be_written_is_listed_as_that(machine: Machine) -> None:
    machine.has(
        row("sda", tran="usb", fstype="ntfs", uuid="0123456789ABCDEF"),
        row("sdb", tran="usb", fstype="vfat", uuid="1", ro=True),
        row("sdc", tran="usb"),
    )
    assert [(x.kind, x.is_usable) for x in sticks()] == [
        ("ntfs", False),
        ("vfat", False),
        ("", False),
    ]


def test_what_the_system_uses_is_no_stick(machine: Machine) -> None:
    places = (["/boot/firmware"], ["/"], ["[SWAP]"], ["/media/companion", "/media/x"])
    parts = [
        row(f"sda{number}", fstype="vfat", uuid=str(number), mountpoints=at)
        for number, at in enumerate(places)
    ]
    reader = row("sdb", tran="usb", size=0)  # Of cards, without one.
    machine.has(row("sda", tran="usb") | {"children": parts}, reader)
    assert sticks() == ()


def test_the_one_that_is_mounted_says_so(machine: Machine) -> None:
    where = '"uuid": "1111-1111", "size": 41943040, "mountpoints": ['
    machine.said = RECORDED.replace(f"{where}null]", f'{where}"/media/companion"]')
    assert sticks() == (replace(GAMES, is_mounted=True), OTHER)


def test_without_lsblk_there_is_no_stick(
    machine: Machine, caplog: pytest.LogCaptureFixture
) -> None:
    machine.said = ""
    assert sticks() == ()
    machine.fails = "lsblk"
    assert sticks() == ()
    assert caplog.text.count("sticks_not_listed") == 2


def test_only_a_machine_with_the_units_may_be_asked(machine: Machine) -> None:
    assert not stick.may_ask()
    stick.WATCH.touch()
    assert stick.may_ask()


def test_a_table_without_its_folder_in_run_may_not_ask(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stick.WATCH.touch()
    monkeypatch.setattr(stick, "WISH", tmp_path / "nowhere" / "wish")
    assert not stick.may_ask()
    with pytest.raises(DeviceFault, match="restart companion"):
        stick.ask("1")


def test_a_wish_is_mounted_for_the_table_alone(machine: Machine) -> None:
    machine.said = RECORDED
    stick.ask("EB4D-3EE1")
    assert stat.S_IMODE(stick.WISH.stat().st_mode) == 0o600
    assert stick.main() == 0
    assert not stick.WISH.exists()
    ((program, *words),) = machine.ran
    assert program == "systemd-mount"
    assert words[-2:] == ["/dev/sdb", "/media/companion"]
    assert "--type=exfat" in words
    (options,) = (x.partition("=")[2].split(",") for x in words if "--options" in x)
    assert {"uid=companion", "umask=077", "nosuid", "nodev", "noexec"} < {*options}
    assert not stick.FOLDER.exists(), "the table can make that itself"


def test_on_an_ext4_the_table_owns_one_folder_and_all_in_it(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    owned = set()

    def own(name: str, uid: int, gid: int, **how: object) -> None:
        assert (uid, gid) == (os.getuid(), os.getgid())
        assert how.pop("follow_symlinks") is False
        folder = Path(f"/proc/self/fd/{how.pop('dir_fd')}").readlink()
        owned.add(str((folder / name).relative_to(tmp_path)))
        assert not how

    monkeypatch.setattr(os, "chown", own)
    machine.has(row("sda", tran="usb", fstype="ext4", uuid="1"))
    stick.ask("1")
    assert stick.main() == 0
    assert stat.S_IMODE(stick.FOLDER.stat().st_mode) == 0o700
    assert owned == {"table-companion"}
    other = tmp_path / "other"
    other.mkdir()
    (other / "file").touch()
    for place in (stick.FOLDER, stick.FOLDER / "a"):
        place.mkdir(exist_ok=True)
        (place / "game").touch()
        (place / "link").symlink_to(other)
    stick.ask("1")
    assert stick.main() == 0
    names = ("", "/game", "/link", "/a", "/a/game", "/a/link")
    assert owned == {f"table-companion{name}" for name in names}
    assert all("uid=" not in word for words in machine.ran for word in words)


def test_an_empty_wish_lets_go(machine: Machine) -> None:
    stick.ask("")
    assert stick.main() == 0
    assert machine.ran == [["systemctl", "stop", "media-companion.mount"]]


@each("wish", ["1", "2", "3", "/dev/vda", "\n"])
def test_what_is_no_stick_to_write_to_is_refused_in_words(
    machine: Machine, caplog: pytest.LogCaptureFixture, wish: str
) -> None:
    machine.has(
        row("vda", fstype="ext4", uuid="1"),
        row("sda", tran="usb", fstype="ntfs", uuid="2"),
        row("sdb", tran="usb", fstype="vfat", uuid="3", ro=True),
    )
    stick.ask(wish)
    assert stick.main() == 1
    assert machine.ran == []
    assert "expected a stick to write to, with vfat, exfat, ext4" in caplog.text
    assert not stick.WISH.exists(), "or its unit would start for ever"


def test_a_second_stick_waits_until_the_first_is_let_go(
    machine: Machine, caplog: pytest.LogCaptureFixture
) -> None:
    machine.has(
        row("sda", tran="usb", fstype="vfat", uuid="1", mountpoints=[str(stick.MOUNT)]),
        row("sdb", tran="usb", fstype="vfat", uuid="2"),
    )
    for uuid in ("2", "1"):
        stick.ask(uuid)
        assert stick.main() == 1
    assert machine.ran == []
    assert caplog.text.count("and none mounted, got") == 2


def test_what_systemd_refuses_is_said(
    machine: Machine, caplog: pytest.LogCaptureFixture
) -> None:
    machine.said = RECORDED
    machine.fails = "systemd-mount"
    stick.ask("EB4D-3EE1")
    assert stick.main() == 1
    assert "systemd-mount" in caplog.text


def test_a_link_in_the_place_of_the_folder_leads_nowhere(
    machine: Machine, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir(0o755)
    stick.FOLDER.symlink_to(other)
    machine.has(row("sda", tran="usb", fstype="ext4", uuid="1"))
    stick.ask("1")
    stick.main()
    assert stat.S_IMODE(other.stat().st_mode) == 0o755
    assert [*other.iterdir()] == []
