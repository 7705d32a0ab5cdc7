"""The process that copies, as the table sees it: it may fail, hang, die or lie."""

from __future__ import annotations

import errno
import json
import os
import select
import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.errors import DeviceFault, Malformed
from companion.health import Condition
from companion.ports import Stick
from hardware import copying
from hardware.copying import LOOK_MS, SILENT_NS, Copying
from hardware.stick import MOUNT
from tests.fakes import FakeClock
from tests.running import PATIENCE_S

WHOLE = {"is_whole": True}
LIES = {
    **{"file": "x", "game_id": "0" * 12, "title": "Friday", "edition": "classic"},
    **{"people": ["Anna"], "last_ms": 0, "count": 5, "here": 0, "is_other": False},
}


class Child:
    """A process that says what a test has it say."""

    def __init__(self) -> None:
        self.started: list[subprocess.Popen[bytes]] = []

    def __call__(self) -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        self.started.append(subprocess.Popen(["cat"], stdin=pipe, stdout=pipe))
        return self.started[-1]

    def say(self, *reports: object) -> None:
        process = self.started[-1]
        assert process.stdin is not None
        for report in reports:
            process.stdin.write(json.dumps(report).encode() + b"\n")
        process.stdin.flush()
        assert select.select([process.stdout], [], [], PATIENCE_S)[0]


class Rig:
    """A place for copies, beside a clock that stands still."""

    def __init__(self, folder: Path, chosen: set[str] | None = None) -> None:
        self.clock, self.child, self.told = FakeClock(), Child(), 0
        self.chosen = chosen
        choose = None if chosen is None else lambda: chosen
        self.copying = Copying(folder, self.child, self.clock, self.tell, choose)
        self.look()

    def tell(self) -> None:
        self.told += 1

    def look(self, count: int = 1) -> str:
        """Let the table look; return what it says then."""
        self.clock.advance(count * LOOK_MS)
        return str(self.copying.state() or "")

    def hear(self, *reports: object) -> str:
        self.child.say(*reports)
        return self.look()


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    made = Rig(tmp_path)
    with closing(made.copying):
        yield made


def test_the_page_says_since_when_and_why(rig: Rig, tmp_path: Path) -> None:
    assert rig.hear({}) == "the games are being copied"  # No more is known yet.
    good = rig.hear(WHOLE)
    assert good.startswith(f"all games are in {tmp_path}, as of ")
    (finding,) = rig.copying.findings()
    assert finding.condition is Condition.OK
    told, at = rig.told, good[-5:]
    rig.clock.leap(3_600_000)
    assert rig.hear({"why": "ENOSPC"}) == f"no copy since {at}: it is full"
    assert rig.told == told + 1
    (finding,) = rig.copying.findings()
    assert finding.condition is Condition.WARN
    assert finding.remedy
    assert rig.hear({"why": "EIO"}) == f"no copy since {at}: it makes mistakes"
    assert rig.hear({"why": "EROFS"}).endswith("it can be read, but not written")
    assert rig.hear({"why": ""}, WHOLE)[:9] == "all games"


def test_one_that_says_nothing_does_not_answer_and_one_that_died_is_replaced(
    rig: Rig,
) -> None:
    looks = SILENT_NS // 1_000_000 // LOOK_MS + 1
    rig.hear(WHOLE)
    assert "does not answer" not in rig.look(looks - 2)
    assert rig.look(3).endswith("it does not answer")
    assert len(rig.child.started) == 1  # It may only be slow.
    assert rig.hear(WHOLE).startswith("all games")
    rig.child.started[-1].kill()
    rig.child.started[-1].wait()
    assert rig.look(looks).endswith("it does not answer")
    rig.look()
    assert len(rig.child.started) == 2
    assert rig.hear(WHOLE).startswith("all games")


def test_a_process_that_cannot_start_or_says_nonsense_is_started_again(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = rig.hear(WHOLE)
    rig.child.say("nonsense")
    failed = f"no copy since {good[-5:]}: the table cannot start copying"
    assert rig.look() == failed

    def refuse() -> None:
        raise BlockingIOError(errno.EAGAIN, "no more processes")

    monkeypatch.setattr(rig.copying, "_start", refuse)
    assert rig.look(3) == failed
    monkeypatch.setattr(rig.copying, "_start", rig.child)
    rig.look()
    assert rig.hear(WHOLE).startswith("all games")


def test_what_lies_there_is_told_until_it_changes(rig: Rig) -> None:
    told = rig.told
    rig.hear({"found": [LIES]})
    rig.hear({})
    assert [copy.title for copy in rig.copying.found()] == ["Friday"]
    assert rig.told == told + 1
    rig.hear({"found": []})
    assert rig.copying.found() == ()


def test_half_a_report_is_waited_for(rig: Rig) -> None:
    process = rig.child.started[-1]
    assert process.stdin is not None
    process.stdin.write(b'{"is_wh')
    process.stdin.flush()
    assert select.select([process.stdout], [], [], PATIENCE_S)[0]
    assert rig.look() == "the games are being copied"
    process.stdin.write(b'ole": true}\n')
    process.stdin.flush()
    assert select.select([process.stdout], [], [], PATIENCE_S)[0]
    assert rig.look().startswith("all games")


def test_closing_waits_for_nobody(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    os.kill(rig.child.started[-1].pid, signal.SIGSTOP)
    rig.copying.close()
    rig.copying.close()
    rig.look(20)
    assert len(rig.child.started) == 1


# Sticks.


class Ports:
    """What is plugged in and mounted, and what the table has asked for."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.asked: list[str] = []
        self._mounts, self._disks = folder / "mountinfo", folder / "block"
        self._disks.mkdir()
        self.has()
        patch.setattr(copying, "MOUNTS", self._mounts)
        patch.setattr(copying, "DISKS", self._disks)
        patch.setattr(copying, "ask", self.asked.append)
        patch.setattr(copying, "sticks", lambda: self.plugged)

    def has(self, *uuids: str, is_mounted: bool = False) -> None:
        self.plugged = tuple(
            Stick(uuid, "", "vfat", 1, is_mounted, True, "sda1") for uuid in uuids
        )
        lines = f"35 29 0:5 {MOUNT} {MOUNT} rw - ext4\n"  # As the unit makes it.
        lines += f"36 29 8:1 / {MOUNT} rw - vfat\n" * is_mounted
        self._mounts.write_text(lines)
        for disk in self._disks.iterdir():
            disk.rmdir()
        if uuids:
            (self._disks / "sda").mkdir()


@pytest.fixture
def ports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ports:
    return Ports(tmp_path, monkeypatch)


@pytest.fixture
def slot(ports: Ports, tmp_path: Path) -> Iterator[Rig]:
    made = Rig(tmp_path, {"A"})
    with closing(made.copying):
        yield made


def test_a_stick_that_was_chosen_is_asked_for_once_each_time_it_comes(
    slot: Rig, ports: Ports
) -> None:
    ports.has("B")
    slot.look(5)
    assert ports.asked == []
    for times in (1, 2):
        ports.has("B", "A")
        slot.look(5)
        assert ports.asked == ["A"] * times
        ports.has()
        slot.look()
    assert slot.child.started == []


def test_a_stick_that_cannot_be_asked_for_is_asked_for_again_once_it_can(
    slot: Rig, ports: Ports, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask(uuid: str) -> None:
        raise DeviceFault("no wish can be written", "start the table again")

    asking = copying.ask
    monkeypatch.setattr(copying, "ask", ask)
    ports.has("A")
    assert slot.look(3) == "there is no copy: the table cannot start copying"
    monkeypatch.setattr(copying, "ask", asking)
    slot.look()
    assert ports.asked == ["A"]


def test_a_stick_that_is_pulled_is_missed_and_one_that_was_let_go_is_not(
    slot: Rig, ports: Ports
) -> None:
    for _ in range(2):
        ports.has("A", is_mounted=True)
        assert slot.look() == "the games are being copied"
        ports.has()  # Before the process has said anything.
        assert slot.look(3) == "there is no copy: it is not there any more"
    ports.has("A", is_mounted=True)
    slot.look()
    at = slot.hear(WHOLE, {"found": [LIES]})[-5:]
    ports.has()
    assert slot.look() == f"no copy since {at}: it is not there any more"
    assert slot.copying.found() == ()
    assert slot.child.started[-1].wait(PATIENCE_S) != 0
    ports.has("A", is_mounted=True)
    slot.look()
    assert len(slot.child.started) == 4
    slot.hear(WHOLE)
    slot.copying.choose("")
    assert ports.asked[-1] == ""
    slot.look(5)  # It is still there.
    assert len(slot.child.started) == 4
    ports.has()
    assert slot.look(5) == ""
    slot.copying.choose("A")
    ports.has("A", is_mounted=True)
    slot.look()
    assert len(slot.child.started) == 5
    assert slot.hear(WHOLE).startswith("all games are on the stick")
    ports.has()
    assert slot.look().endswith("it is not there any more")
    slot.copying.choose("")  # It is not missed any more.
    assert slot.look() == ""


def test_a_folder_has_no_sticks(rig: Rig, ports: Ports) -> None:
    ports.has("A")
    assert rig.copying.sticks() == ()


# Reading a copy.


def test_a_file_without_a_game_is_malformed(rig: Rig, tmp_path: Path) -> None:
    for content in (b"", b"nothing\n"):
        (tmp_path / "file").write_bytes(content)
        with pytest.raises(Malformed, match="there is no game"):
            rig.copying.read("file")


def test_a_file_that_is_gone_or_hangs_is_a_fault(
    rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(DeviceFault, match="cannot be read"):
        rig.copying.read("gone")
    monkeypatch.setattr(copying, "READ_S", 0.1)
    os.mkfifo(tmp_path / "hangs")
    with pytest.raises(DeviceFault, match="cannot be read"):
        rig.copying.read("hangs")
