"""What stick.sh proves, inside its machine, as root, with systemd as process 1.

``outside`` plugs and pulls; ``as_table`` runs a program where the table runs: in its
mounts, its cgroup, with its list of devices, as its user.
"""

from __future__ import annotations

import json
import os
import pwd
import random
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from itertools import count
from pathlib import Path

from claims import claim, failed
from service_inside import (
    BIN,
    UNIT,
    drop_in,
    is_answering,
    main_pid,
    now,
    put_back,
    run,
    seconds,
    shown,
    status,
    systemctl,
    until,
)

OUT = Path("/proof/out")
MOUNT = Path("/media/companion")
FOLDER = MOUNT / "table-companion"
MOUNT_UNIT = "media-companion.mount"
STICK_UNIT = "companion-stick.service"
KINDS = {"fat": "vfat", "exfat": "exfat", "ext4": "ext4"}
PULLS = 3
"""How often a stick of each kind is pulled while it is written to."""
LET_GO_S = 5
BYTES_S = 20_000
STOP_S_MAX = 5.0

numbers = count()
draw = random.Random(PULLS)

WRITES = """
import os, sys
folder = "/media/companion/table-companion"
os.makedirs(folder, exist_ok=True)
with open(f"{folder}/{sys.argv[1]}", "ab", buffering=0) as file:
    for number in range(int(sys.argv[2])):
        file.write(b"%08d\\n" % number)
        os.fsync(file.fileno())
        print(number, flush=True)
"""
"""A copier: writes lines to a file on the stick, and prints the number of each that is
on the disk."""

SEES = """
import json
from dataclasses import asdict
from hardware import stick
print(json.dumps([stick.may_ask(), [asdict(x) for x in stick.sticks()]]))
"""

TRIES = """
import sys
for path in sys.argv[1:]:
    try:
        with open(path, "ab"):
            print(path)
    except OSError as error:
        print(error, file=sys.stderr)
"""
"""Prints the files that can be written to."""


def outside(act: str, name: str, **options: object) -> None:
    """Have ``stick_outside.py`` plug or pull a stick."""
    number = next(numbers)
    asked, answer = OUT / f"ask-{number}", OUT / f"did-{number}"
    new = OUT / "asking"
    new.write_text(json.dumps({"act": act, "name": name, **options}))
    new.rename(asked)
    assert until(answer.exists, 30) >= 0, f"nobody could {act} {name}"
    error = answer.read_text()
    assert not error, error


def as_table(code: str, *words: str) -> subprocess.Popen[str]:
    """Start a program where the table runs."""

    def join() -> None:
        Path(f"/sys/fs/cgroup/system.slice/{UNIT}/cgroup.procs").write_text("0")

    return subprocess.Popen(
        [
            *("nsenter", "-t", str(main_pid()), "-m", "--"),
            *("setpriv", "--reuid=companion", "--regid=companion", "--clear-groups"),
            *("--no-new-privs", "--bounding-set=-all"),
            *(str(BIN / "python"), "-I", "-c", code, *words),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=join,
    )


def told(code: str, *words: str) -> str:
    """Return what a program where the table runs prints."""
    return as_table(code, *words).communicate()[0]


def seen() -> list[dict[str, object]]:
    """List the sticks that the table sees."""
    return json.loads(told(SEES))[1]


def sees(*labels: str) -> bool:
    """Tell whether the table comes to see sticks with just these names."""
    return (
        until(lambda: sorted(str(x["label"]) for x in seen()) == sorted(labels), 20)
        >= 0
    )


def uuid_of(label: str) -> str:
    return next(str(x["uuid"]) for x in seen() if x["label"] == label)


def wish(uuid: str) -> str:
    """Ask as the panel does; return what is logged of it, without systemd's words."""
    before = now()
    told("import sys; from hardware import stick; stick.ask(sys.argv[1])", uuid)
    words = (
        "journalctl",
        "-q",
        "-o",
        "cat",
        "-u",
        STICK_UNIT,
        "--after-cursor",
        before,
    )
    ended = ("Deactivated successfully", "Failed with result")
    until(lambda: any(x in run(*words).stdout for x in ended), 60)
    run("journalctl", "--sync")
    lines = run(*words).stdout.splitlines()
    return "\n".join(line for line in lines if STICK_UNIT not in line)


def mounted(pid: int | str = "self") -> str:
    """Return what is mounted for the table in the mounts of a process."""
    lines = Path(f"/proc/{pid}/mountinfo").read_text().splitlines()
    return "\n".join(x for x in lines if f" {MOUNT} " in x and " - " in x)


def is_stick_at(pid: int | str = "self") -> bool:
    """Tell whether a stick is there, rather than a piece of the system itself."""
    return " /dev/" in mounted(pid)


def is_let_go() -> bool:
    state = systemctl("show", MOUNT_UNIT, "--value", "-p", "LoadState,ActiveState")
    return (
        not is_stick_at()
        and not is_stick_at(main_pid())
        and "active" not in state.stdout.split()
    )


def is_written(name: str) -> bool:
    """Tell whether the table can write to the stick."""
    return told(WRITES, name, "2").split() == ["0", "1"]


def is_seen_and_mounted() -> None:
    claim(
        "nothing is plugged in, so nothing is seen",
        json.loads(told(SEES)) == [True, []],
    )
    outside("plug", "fat")
    outside("plug", "exfat")
    claim("two sticks are seen by the table", sees("GAMES", 'Ü "1"'), seen())
    drop_in(
        "[Service]",
        f"ExecStartPre=/bin/sh -c '{BIN}/python -I -c \"$$SEES\" >/run/companion/seen'",
        f"Environment='SEES={SEES.replace(chr(10), ';').strip(';')}'",
    )
    systemctl("restart", UNIT)
    put_back()
    first = json.loads(Path("/run/companion/seen").read_text())
    claim("and in the whole of its sandbox", first == [True, seen()], first)
    said = wish(uuid_of("GAMES"))
    claim(
        "a stick is mounted after a wish",
        is_stick_at() and "mounted Stick" in said,
        said,
    )
    line = mounted()
    claim(
        "as a stranger's stick",
        {"nosuid", "nodev", "noexec", "nosymfollow"} <= set(re.split("[ ,]", line)),
        line,
    )
    claim(
        "which the running table sees and writes to",
        is_stick_at(main_pid()) and is_written("first"),
    )
    owner = FOLDER.stat()
    is_owned = owner.st_uid == pwd.getpwnam("companion").pw_uid
    claim("as its owner, and nobody else", is_owned and not owner.st_mode & 0o077)
    places = ("/media/x", "/etc/x", "/usr/x", "/mnt/x", "/var/lib/x", f"{MOUNT}/x")
    claim("and nowhere else", told(TRIES, *places).split() == [f"{MOUNT}/x"])
    claim("the panel can say that it is mounted", seen()[0]["is_mounted"])
    said = wish(uuid_of('Ü "1"'))
    claim(
        "a second one is refused in words until the first is let go",
        "and none mounted, got" in said and mounted() == line,
        said,
    )
    wish("")
    outside("pull", "exfat")
    outside("pull", "fat")


def outlives_the_table() -> None:
    """Go through each order of a start, a mount and its end."""
    outside("plug", "fat")
    assert sees("GAMES")
    wish(uuid_of("GAMES"))
    systemctl("restart", UNIT)
    claim("a table that starts anew writes to the same stick", is_written("second"))
    wish("")
    claim("an empty wish lets go of it", is_let_go(), mounted(main_pid()))
    claim("then nothing can be written there", not told(TRIES, f"{MOUNT}/x"))
    wish(uuid_of("GAMES"))
    claim("it is mounted again, for the same table", is_written("third"))
    names = sorted(x.name for x in FOLDER.iterdir())
    claim("with all that was written", {"second", "third"} <= {*names}, names)
    wish("")
    systemctl("restart", UNIT)
    wish(uuid_of("GAMES"))
    claim("and for one that started without it", is_written("fourth"))
    outside("pull", "fat")
    claim("and is let go by it, too, when it is pulled", until(is_let_go, 20) >= 0)
    outside("plug", "fat")
    assert sees("GAMES")
    wish(uuid_of("GAMES"))
    os.kill(main_pid(), signal.SIGKILL)
    until(is_answering, 60)
    claim("and after kill -9 of the table it is written on", is_written("fifth"))
    wish("")
    claim("and then let go", is_let_go(), mounted(main_pid()))
    outside("pull", "fat")


def refuses_others() -> None:
    for name in ("ntfs", "empty", "pair"):
        outside("plug", name)
    outside("plug", "readonly", **{"read-only": True})
    is_seen = sees("NTFS", "", "LOCKED", "ONE", "TWO")
    kinds = {(x["label"], x["kind"], x["is_usable"]) for x in seen()}
    expected = {
        ("NTFS", "ntfs", False),
        ("", "", False),
        ("LOCKED", "vfat", False),
        ("ONE", "vfat", True),
        ("TWO", "ext4", True),
    }
    claim(
        "each partition is seen, with what it is", is_seen and kinds == expected, kinds
    )
    inner = "3333-3333"
    for what, uuid in (
        ("ntfs", uuid_of("NTFS")),
        ("a stick with a switch against writing", uuid_of("LOCKED")),
        ("a disk that is no USB stick", inner),
        ("what is not there", "/dev/vda"),
    ):
        said = wish(uuid)
        claim(
            f"{what} is refused in words",
            "expected a stick to write to" in said and not is_stick_at(),
        )
    for name in ("ntfs", "empty", "pair", "readonly"):
        outside("pull", name)


def is_slow() -> None:
    outside("plug", "slow", bytes_s=BYTES_S)
    assert sees("SLOW")
    began = time.monotonic()
    wish(uuid_of("SLOW"))
    is_first = is_written("first")
    took = f"{BYTES_S:,} bytes/s, {time.monotonic() - began:.1f} s"
    claim("a slow stick is mounted and written, too", is_first, took)
    wish("")
    outside("pull", "slow")


def is_pulled(name: str) -> None:
    """Pull a stick while it is written to, and plug it in again."""
    took, lost, acknowledged = [], 0, 0
    outside("plug", name)
    until(lambda: seen(), 20)
    uuid, again, ended = str(seen()[0]["uuid"]), 0, 0
    for number in range(PULLS):
        wish(uuid)
        writer = as_table(WRITES, f"pulled-{number}", "1000000")
        assert writer.stdout is not None
        writer.stdout.readline()
        outside("pull", name, in_s=draw.uniform(0.1, 2))
        began = time.monotonic()
        said, error = writer.communicate()
        ended += "Error" in error
        last = int(said.split()[-1]) if said else 0
        until(is_let_go, 20)
        took.append(time.monotonic() - began)
        outside("plug", name)
        until(lambda: any(x["uuid"] == uuid for x in seen()), 20)
        wish(uuid)
        kept = told(
            "import sys; print(len(open(sys.argv[1], 'rb').read()) // 9)",
            str(FOLDER / f"pulled-{number}"),
        )
        acknowledged += last + 1
        lost += max(0, last + 1 - int(kept or 0))
        again += is_written(f"again-{number}")
        wish("")
    outside("pull", name)
    kind = KINDS[name]
    claim(f"{kind}, pulled in mid-write: the writer gets an error", ended == PULLS)
    claim("it is let go", max(took) < LET_GO_S + 2, seconds(took))
    claim("and can be mounted and written again", again == PULLS, f"{again} of {PULLS}")
    claim("no line is lost that was on the disk", not lost, f"{lost} of {acknowledged}")


def harms_nothing() -> None:
    before = os.stat("/etc")
    outside("plug", "evil")
    until(lambda: seen(), 20)
    said = wish(str(seen()[0]["uuid"]))
    after = os.stat("/etc")
    claim(
        "a link to /etc in the place of the folder leads nowhere",
        (before.st_uid, before.st_mode, before.st_mtime_ns)
        == (after.st_uid, after.st_mode, after.st_mtime_ns),
        said,
    )
    places = (f"{MOUNT}/leak/x", f"{FOLDER}/x", f"{MOUNT}/x")
    claim("nor any other link", not told(TRIES, *places))
    claim("its wish to stop the machine is not heard", "errors=remount-ro" in mounted())
    wish("")
    outside("pull", "evil")


def comes_from_another_pi() -> None:
    outside("plug", "moved")
    assert sees("MOVED")
    wish(uuid_of("MOVED"))
    read = "import sys; print(open(sys.argv[1]).read())"
    claim(
        "what another Pi's table wrote on an ext4 is read and written on",
        told(read, str(FOLDER / "old/game")).strip() == "money"
        and told(TRIES, str(FOLDER / "old/x")),
    )
    wish("")
    outside("pull", "moved")


def stops_though_a_writer_hangs() -> None:
    outside("plug", "ext4")
    until(lambda: seen(), 20)
    disk = f"/dev/{seen()[0]['device']}"
    sectors = Path(f"/sys/class/block/{Path(disk).name}/size").read_text().strip()
    run("dmsetup", "create", "slow", "--table", f"0 {sectors} linear {disk} 0")
    options = "nosuid,nodev,noexec,nosymfollow"
    run(
        *("systemd-mount", "--collect", "--fsck=no", "--type=ext4", "-o", options),
        *("-p", "LazyUnmount=yes", "/dev/mapper/slow", str(MOUNT)),
    )
    FOLDER.mkdir(exist_ok=True)
    owner = pwd.getpwnam("companion")
    os.chown(FOLDER, owner.pw_uid, owner.pw_gid)
    hangs_once()
    wish("")
    run("dmsetup", "remove", "slow")
    outside("pull", "ext4")


def hangs_once() -> None:
    began = time.monotonic()
    systemctl("stop", UNIT)
    usual_s = time.monotonic() - began
    systemctl("start", UNIT)
    writer = as_table(WRITES, "hangs", "1000000")
    assert writer.stdout is not None
    writer.stdout.readline()
    run("dmsetup", "suspend", "--nolockfs", "--noflush", "slow")
    until(lambda: state_of("hangs") == "D", 20)
    os.kill(writer.pid, signal.SIGKILL)
    claim(
        "a writer hangs in the kernel, and outlives kill -9", state_of("hangs") == "D"
    )
    began = time.monotonic()
    systemctl("stop", UNIT)
    took_s = time.monotonic() - began
    claim(
        "`systemctl stop` ends in time all the same",
        took_s < usual_s + STOP_S_MAX and shown("Result") == "success",
        f"{took_s:.2f} s, {usual_s:.2f} s with nothing that hangs",
    )
    began = time.monotonic()
    started = systemctl("start", UNIT).returncode
    claim(
        "and a start works, beside the one that hangs",
        started == 0 and status() == 200 and state_of("hangs") == "D",
        f"{time.monotonic() - began:.2f} s",
    )
    run("dmsetup", "resume", "slow")
    writer.wait()
    is_gone = until(lambda: not state_of("hangs"), 20) >= 0
    claim("which is gone once its disk answers", is_gone)


def state_of(name: str) -> str:
    """Return how the table's child with that argument is; D if it waits for a disk."""
    pids = Path(f"/sys/fs/cgroup/system.slice/{UNIT}/cgroup.procs")
    for pid in pids.read_text().split() if pids.exists() else []:
        with suppress(OSError):
            if name in Path(f"/proc/{pid}/cmdline").read_text():
                return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]
    return ""


def main() -> int:
    steps = {
        "mount": is_seen_and_mounted,
        "anew": outlives_the_table,
        "others": refuses_others,
        "slow": is_slow,
        "pull": lambda: [is_pulled(x) for x in KINDS],
        "evil": harms_nothing,
        "moved": comes_from_another_pi,
        "hang": stops_though_a_writer_hangs,
    }
    for name, step in steps.items():
        if {"all", name} & {*sys.argv[1:]}:
            try:
                step()
            except (AssertionError, IndexError, StopIteration) as error:
                claim(f"{name} comes to its end", False, repr(error))
    if failed:
        sys.stdout.write(f"FAILED: {'; '.join(failed)}\n")
        sys.stdout.write(run("journalctl", "-q", "-n", "100").stdout)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
