"""What container.sh proves of an image that it has built.

``PODMAN`` is the command, with its folder of images. All phones have one address, that
of the bridge through which they come, as from a home network.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import sqlite3
import statistics
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from benchmarks import club
from tests.caddy import until
from tests.machines.claims import claim, conclude
from tests.postgres import Server, missing
from tests.running import free_port

PODMAN = os.environ["PODMAN"].split()
IMAGE, VOLUME, TABLE = "table-companion", "table", "table"
LIMITS = ("--ulimit", "nofile=5000:5000", "--ulimit", "nproc=5000:5000")
"""A machine that may raise no limit refuses podman's own, which are higher."""
SHUT = ("--read-only", "--read-only-tmpfs=false", "--tmpfs", "/tmp", "--cap-drop=all")
STARTS, STOPS = 5, 8
STOP_S_MAX = 10.0
PORT = free_port()


def podman(*words: str, within_s: float = 120) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PODMAN, *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=within_s,
    )


def start(*options: str, name: str = TABLE, volume: str = VOLUME) -> None:
    """Run a container as the guide says, without waiting for it."""
    ports = () if "host" in options else ("--publish", f"127.0.0.1:{PORT}:8000")
    words = ("run", "--detach", "--name", name, "--volume", f"{volume}:/data", *ports)
    begun = podman(*words, *LIMITS, *options, IMAGE)
    assert begun.returncode == 0, begun.stderr


def asked(path: str, host: str = "", port: int = 0) -> tuple[int, str]:
    """Return the status and text of a page; the status 0 if nobody answers."""
    connection = http.client.HTTPConnection("127.0.0.1", port or PORT, timeout=20)
    try:
        connection.request("GET", path, headers={"Host": host} if host else {})
        answer = connection.getresponse()
        return answer.status, answer.read().decode(errors="replace")
    except (OSError, http.client.HTTPException):
        return 0, ""
    finally:
        connection.close()


def up(port: int = 0, status: int = 200, page: str = "/table") -> None:
    """Wait until a page answers with *status*."""
    until(lambda: asked(page, port=port)[0] == status, logged)


def logged(name: str = TABLE) -> str:
    told = podman("logs", name)
    return told.stdout + told.stderr


def inspected(name: str, what: str) -> str:
    return podman("inspect", "--format", what, name).stdout.strip()


def stopped(name: str = TABLE) -> tuple[int, float]:
    """Stop a container as people do; return its exit code and how long that took."""
    began = time.perf_counter()
    podman("stop", name)
    lasted_s = time.perf_counter() - began
    return int(inspected(name, "{{.State.ExitCode}}")), lasted_s


def is_healthy() -> bool:
    return podman("healthcheck", "run", TABLE).returncode == 0


def volume() -> Path:
    """Return where the games' volume lies on this machine."""
    found = podman("volume", "inspect", "--format", "{{.Mountpoint}}", VOLUME)
    return Path(found.stdout.strip())


def first_page() -> None:
    waits = []
    for number in range(STARTS):
        began = time.perf_counter()
        start(volume=f"fresh{number}")
        up(page="/start")
        waits.append(time.perf_counter() - began)
        podman("rm", "--force", TABLE)
        podman("volume", "rm", f"fresh{number}")
    median_s, longest_s = statistics.median(waits), max(waits)
    told = f"n {STARTS}, median {median_s:.2f} s, longest {longest_s:.2f} s"
    claim("one command, and the first page is there", True, told)


def shut_in() -> None:
    """Look at a container with as few rights as possible."""
    start(*SHUT)
    up()
    status = podman("exec", TABLE, "cat", "/proc/1/status").stdout
    told = dict(line.split(":\t", 1) for line in status.splitlines())
    claim("process 1 is the program", told["Name"] == "companion", told["Name"])
    claim("it is not root", told["Uid"].split() == ["10001"] * 4, told["Uid"])
    claim("it has no right of root's", int(told["CapEff"], 16) == 0)
    passed_by = " -o ".join(f"-path /{name} -prune" for name in ("proc", "sys", "dev"))
    look = f"find / {passed_by} -o -writable -not -type l -print"
    found = podman("exec", TABLE, "sh", "-c", look).stdout.splitlines()
    places = {"/".join(line.split("/")[:2]) for line in found}
    words = "it may write to /data and /tmp, and nowhere else"
    claim(words, places == {"/data", "/tmp"}, sorted(places))


def digits() -> str:
    """Return the digits for the first phone, from the log."""
    found = re.search(r"type ([\d ]+) there", logged())
    assert found is not None, logged()
    return found[1]


def unseen() -> None:
    """Look at what a container tells, and to whom."""
    code = digits()
    claim("the digits of the first phone stand in its log", code)
    shown = asked("/table", f"localhost:{PORT}")[1].replace(" ", "")
    is_unseen = shown and code.replace(" ", "") not in shown
    claim("whoever says localhost is not shown the digits", is_unseen)
    claim("all of its health is told to nobody", asked("/health")[0] == 403)
    claim("it claims no address", "http" not in logged())
    doctor = " ".join(podman("exec", TABLE, "companion", "doctor").stdout.split())
    words = "phones go to the address of the container's machine"
    claim("neither does its doctor", words in doctor)


def health() -> None:
    """Check a container's health, while its journal answers and while it does not."""
    for host in (f"localhost:{PORT}", "192.168.1.20:8000"):
        claim(f"/alive answers {host} with 200", asked("/alive", host)[0] == 200)
    claim("the health check is content", is_healthy())
    file = volume() / "companion.sqlite"
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        refused = asked("/start")[0]  # A new phone is written down.
        status, was_healthy = asked("/alive")[0], is_healthy()
        pages = asked("/alive?pages")[0]
        other.execute("ROLLBACK")
    words = "while another program holds the journal it answers 503"
    claim(words, (refused, status) == (503, 503))
    claim("the health check fails meanwhile", not was_healthy)
    claim("its pages still show", pages == 200)
    up(page="/alive")
    claim("afterwards both are well", is_healthy())


def second() -> None:
    """Start another one on the same games."""
    words = ("run", "--rm", "--volume", f"{VOLUME}:/data", *LIMITS, IMAGE)
    other = podman(*words)
    said = other.stderr.strip().splitlines()[-1]
    is_refused = other.returncode == 1 and "another companion" in said
    claim("a second container on the same volume is refused in words", is_refused, said)


def under_load() -> None:
    """Stop and start anew, on the same volume, while phones pay.

    On this machine's network, where each phone has an address of its own.
    """
    ends: list[tuple[int, float]] = []
    port = free_port()
    options = (*SHUT, "--network", "host", "--env", f"COMPANION_SERVE_PORT={port}")

    def again() -> float:
        ends.append(stopped())
        at = time.perf_counter()
        podman("rm", TABLE)
        start(*options)
        up(port)
        return at

    again()
    ends.clear()
    load = club.Load(
        *(f"http://127.0.0.1:{port}", digits()),
        tables=4,
        phones=5,
        play_s=850,
        pace_s=0.7,
        kill=again,
        kill_every_s=2,
        kill_count=STOPS,
    )
    told = club.run(load)
    longest_s = max(lasted for _, lasted in ends)
    in_order = {code for code, _ in ends} == {0} and longest_s < STOP_S_MAX
    words = "it ends in order while phones pay: with 0, never killed"
    claim(words, in_order, f"n {len(ends)}, longest {longest_s:.1f} s")
    paid = told["acknowledged"]
    words = "every payment that was answered is in the games, and counts once"
    counted = f"{paid} payments by 20 phones, {told['kills']} stops"
    claim(words, told["wrong_books"] == [] and paid, counted)
    claim("no stop and no start is an error in its log", "Traceback" not in logged())


def afterwards() -> None:
    """Stop it, copy its games, and look at what is left of it."""
    claim("at rest it ends with 0", stopped()[0] == 0)
    changed = podman("diff", TABLE).stdout.split()
    is_podmans = changed in ([], ["C", "/etc"])  # It lays hosts and names there.
    claim("the container itself was not written to", is_podmans, changed)
    podman("rm", TABLE)
    words = ("run", "--rm", "--volume", f"{VOLUME}:/data", *LIMITS, *SHUT, IMAGE)
    copied = podman(*words, "backup", "/data/evening.zip")
    claim("a backup is one command", copied.returncode == 0, copied.stdout.strip())
    left = podman("ps", "--all", "--quiet").stdout, podman("volume", "ls", "-q").stdout
    words = "a container that has gone leaves its volume only"
    claim(words, left == ("", f"{VOLUME}\n"), left)
    owners = {path.stat().st_uid for path in volume().rglob("*")}
    claim("all in there is its own user's", owners == {10001}, owners)


def on_the_machines_network() -> None:
    """Run on the network of this machine, as on a NAS."""
    port = free_port()
    start("--network", "host", "--env", f"COMPANION_SERVE_PORT={port}", volume="other")
    up(port=port)
    address = re.search(r"Phones: +(http\S+)", logged())
    words = "on its machine's network it says an address, and shows it as a QR code"
    claim(words, address and "█" in logged(), address and address[1])
    claim("the health check follows the port", is_healthy())
    podman("rm", "--force", TABLE)
    elsewhere = ("COMPANION_SERVE_HOST=127.0.0.2", "COMPANION_SERVE_BASE=/1")
    more = (f"COMPANION_SERVE_PORT={port}", *elsewhere)
    start("--network", "host", *(w for x in more for w in ("--env", x)), volume="other")
    until(is_healthy, logged)
    claim("it follows another address to listen on, and another base", True)
    podman("rm", "--force", TABLE)


def in_postgres() -> None:
    """Have two containers keep their games in one database of PostgreSQL."""
    if missing():
        sys.stdout.write(f"SKIPPED games in PostgreSQL: {missing()}\n")
        return
    with Server() as server:
        server.folder.chmod(0o711)  # Its socket is there.
        shared = ("--network", "host", "--volume", f"{server.folder}:{server.folder}")
        shared += ("--env", f"COMPANION_DATABASE={server.url('club')}", *SHUT)
        first, other = free_port(), free_port()
        start(*shared, "--env", f"COMPANION_SERVE_PORT={first}", name="first")
        up(port=first)
        start(*shared, "--env", f"COMPANION_SERVE_PORT={other}", name="other")
        up(port=other, status=503)
        claim(
            "in PostgreSQL a second one stands by",
            asked("/alive", port=first)[0] == 200,
        )
        well = podman("healthcheck", "run", "other").returncode == 0
        claim("which counts as healthy", well)
        code, lasted_s = stopped("other")
        claim("one that stands by ends with 0, too", code == 0, f"{lasted_s:.1f} s")
        podman("start", "other")
        up(port=other, status=503)
        claim("so does the one that leads", stopped("first")[0] == 0)
        up(port=other)
        claim("the other one takes over", True)
        podman("rm", "--force", "--all")


def main() -> None:
    """Try everything."""
    image = json.loads(podman("inspect", IMAGE).stdout)[0]
    claim("there is an image", True, f"{image['Size'] / 1e6:.0f} MB, unpacked")
    said = " ".join(image["Config"]["Env"]).lower()
    words = "it knows nothing of how the machine that built it reaches others"
    claim(words, not re.search("pip_|cert|proxy|://", said))
    first_page()
    shut_in()
    unseen()
    health()
    second()
    under_load()
    afterwards()
    on_the_machines_network()
    in_postgres()
    conclude()


if __name__ == "__main__":
    main()
