"""What stick.sh proves of the copies themselves: the real table, played by its pages.

Its host says yes to a stick on the page of copies; then the stick is pulled, filled,
made read-only, slow and dead while people pay. The file on the stick is read back here
by a reader of its own, which knows the words of systemd/README.md and nothing else.
"""

from __future__ import annotations

import json
import os
import pwd
import re
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

from claims import claim, failed
from service_inside import (
    BIN,
    DATA,
    UNIT,
    is_answering,
    logged,
    main_pid,
    run,
    systemctl,
    until,
)
from stick_inside import (
    FOLDER,
    KINDS,
    MOUNT,
    draw,
    is_let_go,
    is_stick_at,
    mounted,
    outside,
    seen,
)

from tests.phone_http import open_table

ADDRESS = "http://127.0.0.1"
SEATS = (("red", "hat"), ("blue", "car"))
PULLS = int(sys.argv[1])
"""How often a stick of each kind is pulled."""
PULLED = sys.argv[2:] or KINDS
TAPS = 150
STOP_S_MAX = 5.0
SEED = b"table-companion copy 1"


class Evening:
    """Two who pay each other, and their host."""

    def __init__(self) -> None:
        said = re.search(r"First phone: +type ([\d ]+) there", logged())
        assert said is not None, "no code in the log"
        self.game, self.host, self.phones = open_table(ADDRESS, said[1], SEATS)
        self.paid = 0
        self.revision = 0

    def pay(self, *, is_first: bool = False) -> float:
        """Pay a dollar, and return the seconds that took."""
        if is_first:  # The table has closed the connections meanwhile.
            for phone in self.phones:
                phone.close()
        self.paid += 1
        turn = self.paid // 1_000 % 2  # Nobody has more than $1,500 to give.
        payer, payee = SEATS[turn][0], SEATS[1 - turn][0]
        payment = {"type": "Pay", "payer": payer, "payee": payee, "amount": 1}
        began = time.monotonic()
        phone, name = self.phones[turn], f"pay-{self.paid:08d}"
        status, answer = phone.command(self.game, name, **payment)
        assert status == 200, answer
        self.revision = answer["revision"]
        return time.monotonic() - began

    @contextmanager
    def going_on(self) -> Iterator[None]:
        """Have them pay five times a second meanwhile."""
        is_over = threading.Event()

        def play() -> None:
            self.pay(is_first=True)
            while not is_over.wait(0.2):
                self.pay()

        thread = threading.Thread(target=play)
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            thread.join()

    def said(self, words: str, within_s: float = 40) -> bool:
        """Tell whether the page of copies comes to say these words."""
        return until(lambda: words in self.page(), within_s) >= 0

    def page(self) -> str:
        self.host.close()  # The table may have, after a while.
        return self.host.get("/games/copies")[1]

    def say_yes(self, uuid: str) -> bool:
        """Say yes to a stick, or with "" let go of it; tell whether that is done."""
        self.host.close()
        assert self.host.post("/games/copies", stick=uuid)[0] == 303
        return until(is_stick_at if uuid else is_let_go, 60) >= 0

    def exported(self) -> list[object]:
        command = ("games", "export", self.game, "--data", str(DATA))
        entries: list[object] = json.loads(
            run(str(BIN / "companion"), *command).stdout
        )["entries"]
        return entries


def content_of(game: str) -> bytes:
    """Return the content of the longest copy of a game; nothing if there is none."""
    found = [b""]
    for path in FOLDER.glob(f"*/{game}-*.copy"):
        found.append(path.read_bytes())
    return max(found, key=lambda one: len(entries_in(one)))


def entries_in(content: bytes) -> list[object]:
    """Read a copy: the lines that follow one another from the first on."""
    last, entries = SEED, []
    for line in content.splitlines(keepends=True):
        total, _, entry = line.rstrip(b"\n").partition(b" ")
        wanted = blake2b(last + entry, digest_size=8).hexdigest().encode()
        if total == wanted and line.endswith(b"\n"):
            entries.append(json.loads(entry))
            last = total
    return entries


def is_as_the_table(evening: Evening) -> bool:
    def holds() -> bool:
        return len(entries_in(content_of(evening.game))) == evening.revision

    return until(holds, 60) >= 0


def watched(game: str, until_gone: Callable[[], bool]) -> int:
    """Watch a copy until its stick is gone; return how many entries were on it.

    A batch is begun only when all before it are on the stick itself.
    """
    count = 0
    while not until_gone():
        try:
            content = content_of(game)
        except OSError:
            break
        batch = content.rfind(b"\n\n")
        count = max(count, len(entries_in(content[: batch + 1])))
    return count


def outlives_pulls(evening: Evening, name: str) -> None:
    outside("plug", name)
    until(lambda: seen(), 20)
    claim(
        f"{KINDS[name]}: it is copied after the host's yes",
        evening.say_yes(str(seen()[0]["uuid"])) and is_as_the_table(evening),
        mounted(),
    )
    kept = lost = wrong = again = told = 0
    for _ in range(PULLS):
        with evening.going_on():
            outside("pull", name, in_s=draw.uniform(0.5, 4))
            bound = watched(evening.game, lambda: not is_stick_at())
            until(is_let_go, 20)
        told += evening.said("it is not there any more", 20)
        outside("plug", name)
        if until(is_stick_at, 60) < 0:
            continue  # It is counted as not gone on with.
        entries = entries_in(content_of(evening.game))
        wrong += entries != evening.exported()[: len(entries)]
        lost += max(0, bound - len(entries))
        kept += bound
        again += is_as_the_table(evening)
    claim(
        "pulled in mid-game: what is there is the game's beginning, each time",
        not wrong,
        f"{PULLS} pulls",
    )
    claim("no entry is lost that was on the stick", not lost, f"{lost} of {kept}")
    claim("the host is told", told == PULLS, f"{told} of {PULLS}")
    claim(
        "plugged in again it is gone on with, without another yes",
        again == PULLS,
        f"{again} of {PULLS}",
    )
    claim("and let go when the host says so", evening.say_yes(""))
    outside("pull", name)


def bears_full_and_read_only(evening: Evening) -> None:
    outside("plug", "fat")
    until(lambda: seen(), 20)
    evening.say_yes(str(seen()[0]["uuid"]))
    is_as_the_table(evening)
    filler = MOUNT / "filler"
    run("dd", "if=/dev/zero", f"of={filler}", "bs=4096")
    run("sync", str(MOUNT))
    with evening.going_on():
        claim("a full stick is named", evening.said("it is full"), evening.revision)
    filler.unlink()
    claim("and gone on with once there is room", is_as_the_table(evening))
    run("mount", "-o", "remount,ro", str(MOUNT))
    with evening.going_on():
        claim("a read-only one, too", evening.said("can be read, but not written"))
    run("mount", "-o", "remount,rw", str(MOUNT))
    claim("and gone on with", is_as_the_table(evening))
    exported = evening.exported()
    claim("and it is the same game", entries_in(content_of(evening.game)) == exported)
    evening.say_yes("")
    outside("pull", "fat")


def taps(evening: Evening) -> list[float]:
    """Return how long each of some payments took, as fast as a thumb may be."""
    took = []
    evening.pay(is_first=True)
    for _ in range(TAPS):
        took.append(evening.pay())
        threading.Event().wait(0.25)
    return took


def percentile(took: list[float], share: float) -> float:
    return sorted(took)[int(len(took) * share)] * 1000


def stopped() -> float:
    """Stop the table, and return the seconds that took."""
    began = time.monotonic()
    systemctl("stop", UNIT)
    return time.monotonic() - began


def is_not_held_up(evening: Evening) -> None:
    """Put the stick behind a device that is slow, and then one that hangs."""
    plain_s = stopped()
    systemctl("start", UNIT)
    until(is_answering, 60)
    without = taps(evening)
    outside("plug", "ext4")
    until(lambda: seen(), 20)
    disk = f"/dev/{seen()[0]['device']}"
    sectors = Path(f"/sys/class/block/{Path(disk).name}/size").read_text().strip()
    table = f"0 {sectors} delay {disk} 0 0 {disk} 0 700"
    run("dmsetup", "create", "slow", "--table", table)
    options = "nosuid,nodev,noexec,nosymfollow"
    run(
        *("systemd-mount", "--collect", "--fsck=no", "--type=ext4", "-o", options),
        *("-p", "LazyUnmount=yes", "/dev/mapper/slow", str(MOUNT)),
    )
    FOLDER.mkdir(exist_ok=True)
    owner = pwd.getpwnam("companion")
    os.chown(FOLDER, owner.pw_uid, owner.pw_gid)
    claim("a slow one gets a copy, too", is_as_the_table(evening))
    slow = taps(evening)
    claim("and goes on", is_as_the_table(evening))
    run("dmsetup", "suspend", "--nolockfs", "--noflush", "slow")
    hung = taps(evening)
    rows = [("without a stick", without), ("slow", slow), ("hung", hung)]
    for what, took in rows:
        figures = f"median {statistics.median(took) * 1000:.0f} ms"
        figures += f", p99 {percentile(took, 0.99):.0f} ms"
        sys.stdout.write(f"        taps, {what}: n={len(took)}, {figures}\n")
    claim("the host is told that it does not answer", evening.said("does not answer"))
    child = [x for x in children() if "hardware.copying" in x[1]]
    claim("since its process hangs in the kernel", child[0][2] == "D", child)
    pid, took_s = main_pid(), stopped()
    claim(
        "the table stops in time all the same",
        took_s < max(STOP_S_MAX, plain_s + 1),
        f"{took_s:.1f} s, without a stick {plain_s:.1f} s",
    )
    systemctl("start", UNIT)
    claim("and starts", main_pid() not in (0, pid) and evening.pay(is_first=True) < 20)
    run("dmsetup", "resume", "slow")
    claim("once it answers, the copy is as the table", is_as_the_table(evening))
    ends = until(lambda: len([x for x in children() if "copying" in x[1]]) == 1, 40)
    claim("and of the one that hung nothing is left", ends >= 0, children())
    claim(
        "nothing of the two is mixed",
        entries_in(content_of(evening.game)) == evening.exported(),
    )
    systemctl("stop", "media-companion.mount")
    run("dmsetup", "remove", "slow")
    outside("pull", "ext4")


def children() -> list[tuple[str, str, str]]:
    """Return number, command and state of each process of the unit."""
    found = []
    pids = Path(f"/sys/fs/cgroup/system.slice/{UNIT}/cgroup.procs").read_text()
    for pid in pids.split():
        try:
            command = Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]
        except OSError:
            continue  # It has ended meanwhile.
        found.append((pid, command, state))
    return found


def main() -> int:
    until(lambda: "First phone" in logged(), 120)
    evening = Evening()
    steps: list[Callable[[], None]] = [
        lambda: bears_full_and_read_only(evening),
        lambda: is_not_held_up(evening),
        *(lambda name=name: outlives_pulls(evening, name) for name in PULLED),
    ]
    for step in steps:
        try:
            step()
        except (AssertionError, IndexError, StopIteration, OSError) as error:
            claim("each part comes to its end", False, repr(error))
    if failed:
        sys.stdout.write(f"FAILED: {'; '.join(failed)}\n")
        sys.stdout.write(run("journalctl", "-q", "-n", "60").stdout)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
