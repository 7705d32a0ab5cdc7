"""systemd reads our units as they are meant, and finds little left open."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.sample import each
from web.http.server import SPARE_THREADS
from web.http.settings import room_for

UNITS = Path(__file__).resolve().parents[2] / "systemd"
SERVICES = sorted(UNITS.glob("*.service"))
EXPOSURE_MAX = 30  # In tenths, as systemd-analyze wants it.
NEEDED = (  # What the program looks at; the lines that would hide it.
    r"^PrivateDevices=",
    r"^ProcSubset=pid",
    r"^PrivateNetwork=",
    r"^PrivateUsers=",
)
DEVICES = {"gpiochip", "video4linux", "media", "dma_heap"}

pytestmark = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze here"
)


def analyzed(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["systemd-analyze", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root with our units, systemd's own, and something for all that they start."""
    ours = tmp_path / "etc/systemd/system"
    ours.mkdir(parents=True)
    for unit in UNITS.iterdir():
        if unit.suffix in (".service", ".path", ".timer", ".socket"):
            shutil.copy(unit, ours)
            for program in re.findall(
                r"^Exec\w+=[-+!@:]*(\S+)", unit.read_text(), re.M
            ):
                file = tmp_path / program.lstrip("/")
                file.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy("/bin/true", file)
    shutil.copytree(
        "/lib/systemd/system", tmp_path / "lib/systemd/system", symlinks=True
    )
    return tmp_path


@pytest.mark.parametrize("unit", SERVICES, ids=lambda p: p.name)
def test_systemd_finds_nothing_wrong_with_a_unit(root: Path, unit: Path) -> None:
    found = analyzed("verify", "--man=no", f"--root={root}", unit.name)
    ours = [x for x in found.stderr.splitlines() if unit.name in x]
    assert ours == []
    assert found.returncode == 0, found.stderr


def test_that_would_see_a_mistake(root: Path) -> None:
    unit = root / "etc/systemd/system/companion.service"
    unit.write_text(unit.read_text().replace("WatchdogSec=", "WatchdogSek="))
    found = analyzed("verify", "--man=no", f"--root={root}", unit.name)
    assert re.search("Unknown key.*'WatchdogSek'", found.stderr)


@pytest.mark.parametrize("name", ["", "-hotspot", "-join-wifi", "-stick", "@"])
def test_little_of_the_machine_is_open_to_the_table(name: str) -> None:
    unit = UNITS / f"companion{name}.service"
    found = analyzed(
        "security", "--offline=true", f"--threshold={EXPOSURE_MAX}", "--no-pager", unit
    )
    assert found.returncode == 0, found.stdout


def test_the_table_still_sees_its_devices_and_what_the_doctor_reads() -> None:
    text = (UNITS / "companion.service").read_text(encoding="utf-8")
    assert not [line for line in NEEDED if re.search(line, text, re.M)]
    assert set(re.findall(r"^DeviceAllow=char-(\w+) rw$", text, re.M)) == DEVICES


def test_a_servos_pulses_are_files_that_table_and_coil_off_may_write_to() -> None:
    table, early = (
        (UNITS / f"companion{x}.service").read_text("utf-8") for x in ("", "-coil-off")
    )
    opened = re.findall(r"^ReadWritePaths=(.*)$", table, re.M)
    assert opened == ["-/sys/devices/platform", "-/media/companion"], "a stick at most"
    assert "\nProtectKernelTunables=yes\n" in table
    shut = "^(ProtectKernelTunables|ReadOnlyPaths|InaccessiblePaths)="
    assert not re.search(shut, early, re.M), "ProtectSystem= leaves /sys as it is"


def test_a_clubs_server_is_shut_as_tightly_as_the_table() -> None:
    shut = (
        r"^(?:Protect|Restrict|Private|System|NoNew|Lock|Keyring|Remove|UMask|State"
        r"|DeviceP|LimitCORE|TasksMax|User|Group|NotifyAccess|Watchdog)\w*=.*$"
    )
    table, club = (
        re.findall(shut, (UNITS / f"companion{x}.service").read_text("utf-8"), re.M)
        for x in ("", "@")
    )
    assert len(table) > 20
    assert set(table) <= set(club)


def test_the_table_may_have_a_thread_for_every_phones_stream() -> None:
    unit = (UNITS / "companion.service").read_text()
    most = re.search(r"^TasksMax=(\d+)$", unit, re.MULTILINE)
    assert most is not None
    assert int(most[1]) > room_for(2_000).streams_max + SPARE_THREADS + 100
    assert "LimitNOFILE=" not in unit, "systemd's hard limit is more than enough"
    files = analyzed("syscall-filter", "@default").stdout
    assert "prlimit64" in files, "so the program may raise its own limit"


@each("unit", SERVICES)
def test_a_comment_stands_on_a_line_of_its_own(unit: Path) -> None:
    for line in unit.read_text(encoding="utf-8").splitlines():
        assert line.startswith("#") or " #" not in line, line  # systemd would take it.
