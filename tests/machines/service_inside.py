"""What service.sh proves, inside its machines, as root, with systemd as process 1.

The machine ``container`` has a simulated vault; ``coil`` has a kernel with a simulated
GPIO chip that leaves a freed line as it was, as a Raspberry Pi's does; ``servo`` has
the kernel's own ``pwm-gpio`` on that chip besides, and horns that follow its pulses.
"""

from __future__ import annotations

import fcntl
import http.client
import math
import os
import pwd
import random
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from claims import claim, failed

from tests.kernel.horn import PERIOD_US, are_at
from tests.kernel.scope import Scope

UNIT = "companion.service"
SETTINGS = Path("/etc/companion/companion.conf")
DATA = Path("/var/lib/companion")
BIN = Path("/opt/companion/current/bin")
STOPS = 12
STOP_S_MAX = 5.0
COIL, LID, M_BUTTON, SERVO = 17, 16, 5, 12
HOME_US, BACK_US = 1000, 2000
DEATHS = 10
"""How often the table dies in a pull, for each way to mount a servo."""
PULL_S = 0.4
HOMECOMING_S = 2
"""Within that time of a death a servo has to be home."""


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, check=False)


def systemctl(*words: str) -> subprocess.CompletedProcess[str]:
    return run("systemctl", *words)


def shown(name: str) -> str:
    """Return a property of the unit."""
    return systemctl("show", UNIT, "--value", "-p", name).stdout.strip()


def main_pid() -> int:
    """Return the table's process id; 0 if it does not run."""
    return int(shown("MainPID"))


def logged(since: str = "") -> str:
    """Return the log of the unit, and of systemd on it, after the cursor *since*."""
    where = ["--after-cursor", since] if since else []
    return run("journalctl", "-q", "-o", "cat", "-u", UNIT, *where).stdout


def now() -> str:
    """Return the cursor at the end of systemd's log."""
    run("journalctl", "--sync")
    last = run("journalctl", "-q", "-n", "1", "--show-cursor").stdout
    return last.rpartition("-- cursor: ")[2].strip()


def until(holds: Callable[[], object], within_s: float) -> float:
    """Wait until *holds*; return the seconds that took, or -1 if they ran out."""
    began = time.monotonic()
    while time.monotonic() - began < within_s:
        if holds():
            return time.monotonic() - began
        threading.Event().wait(0.02)
    return -1


def status(port: int = 80) -> int:
    """Return the status of the table's screen; 0 if nobody answers."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        line.request("GET", "/table")
        return line.getresponse().status
    except OSError:
        return 0
    finally:
        line.close()


def is_open() -> bool:
    return shown("ActiveState") == "active"


def is_answering() -> bool:
    """Tell whether the unit runs and answers."""
    return is_open() and status() == 200


def is_another(pid: int) -> bool:
    """Tell whether a process after *pid* has opened the table."""
    return main_pid() not in (0, pid) and is_answering()


def set_to(name: str, value: str) -> None:
    """Change a setting as an owner would, in the file."""
    lines = SETTINGS.read_text().splitlines()
    kept = [x for x in lines if not x.lstrip("#").startswith(f"{name}=")]
    SETTINGS.write_text("\n".join([*kept, f"{name}={value}", ""]))


def drop_in(*lines: str) -> None:
    """Change the unit for a proof that would last too long, until ``put_back``."""
    folder = Path(f"/run/systemd/system/{UNIT}.d")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "proof.conf").write_text("\n".join([*lines, ""]))
    systemctl("daemon-reload")


def put_back() -> None:
    Path(f"/run/systemd/system/{UNIT}.d/proof.conf").unlink(missing_ok=True)
    systemctl("daemon-reload")
    systemctl("reset-failed", UNIT)


def seconds(took: list[float]) -> str:
    middle, worst = statistics.median(took), max(took)
    return f"n={len(took)}, median {middle:.2f} s, max {worst:.2f} s"


# In the container.


def is_up() -> None:
    claim("it is up once the machine is", is_open())
    systemctl("stop", UNIT)
    began = time.monotonic()
    started = systemctl("start", UNIT).returncode
    claim(
        "`systemctl start` returns once the panel answers on port 80",
        started == 0 and status() == 200,
        f"{time.monotonic() - began:.2f} s",
    )
    claim("its state is in words", "the table is open" in shown("StatusText"))
    pid = main_pid()
    said = Path(f"/proc/{pid}/status").read_text()
    told = dict(line.split(":\t", 1) for line in said.splitlines() if ":\t" in line)
    user = pwd.getpwnam("companion")
    claim("it runs as companion", told["Uid"].split() == [str(user.pw_uid)] * 4)
    bind = f"{1 << 10:016x}"  # CAP_NET_BIND_SERVICE, in linux/capability.h.
    rights = {told[name] for name in ("CapEff", "CapPrm", "CapBnd", "CapAmb")}
    claim("its one right is to open low ports", rights == {bind}, str(sorted(rights)))
    claim(
        "it gets no new ones, and its system calls are filtered",
        (told["NoNewPrivs"], told["Seccomp"]) == ("1", "2"),
    )
    around = Path(f"/proc/{pid}/environ").read_text().split("\0")
    claim("photos arrive on the disk", "TMPDIR=/var/cache/companion" in around)
    modes = {x: os.stat(x).st_mode & 0o777 for x in (DATA, "/var/cache/companion")}
    claim("nobody else may look into its folders", set(modes.values()) == {0o700})
    opened = {x.stat().st_mode & 0o777 for x in DATA.iterdir()}
    claim("nor at the games in them", opened == {0o600}, str(sorted(map(oct, opened))))
    script = (
        "touch /etc/x && echo /etc; touch /usr/x && echo /usr; "
        "touch /opt/companion/x && echo /opt; find /home /root -mindepth 1"
    )
    seen = run("nsenter", "-t", str(pid), "-m", "sh", "-c", script)
    claim(
        "the system is read-only to it, and /home is empty",
        seen.stdout == "",
        repr(seen.stdout[:200]),
    )


def obeys_its_settings() -> None:
    set_to("COMPANION_SERVE_PORT", "8123")
    systemctl("restart", UNIT)
    answered = status(8123), status()
    claim("another port in companion.conf is obeyed", answered == (200, 0))
    set_to("COMPANION_SERVE_PORT", "80")
    systemctl("restart", UNIT)
    second = run(
        *("runuser", "-u", "companion", "--", str(BIN / "companion"), "serve"),
        *("--no-vault", "--port", "8999", "--data", str(DATA)),
    )
    claim(
        "a second table on the same games is refused in words",
        second.returncode == 1 and "open in another companion" in second.stderr,
    )
    set_to("COMPANION_SERVE_PORT", "high")
    systemctl("restart", UNIT)
    failed_at_once = until(lambda: shown("ActiveState") == "failed", 20)
    claim(
        "a setting that makes no sense is not tried again and again",
        failed_at_once >= 0 and shown("NRestarts") == "0",
    )
    set_to("COMPANION_SERVE_PORT", "80")
    put_back()


def streams(count: int) -> list[socket.socket]:
    opened = []
    for number in range(count):
        stream = socket.create_connection(
            ("127.0.0.1", 80), 20, source_address=(f"127.0.1.{number + 1}", 0)
        )
        stream.sendall(b"GET /stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert b"200 OK" in stream.recv(4096)
        opened.append(stream)
    return opened


def stops_in_time() -> None:
    starts, stops, results = [], [], set()
    for _ in range(STOPS):
        began = time.monotonic()
        systemctl("start", UNIT)
        starts.append(time.monotonic() - began)
        opened, before = streams(12), now()
        began = time.monotonic()
        systemctl("stop", UNIT)
        stops.append(time.monotonic() - began)
        result = shown("Result")
        results.add(result)
        if result != "success":
            sys.stdout.write(logged(before))
        for stream in opened:
            stream.close()
        systemctl("reset-failed", UNIT)  # These starts are not the limit's.
    claim("it is ready some seconds after its start", True, seconds(starts))
    claim(
        "it stops in time with 12 live streams open",
        statistics.median(stops) < STOP_S_MAX,
        seconds(stops),
    )
    claim("and never had to be killed", results == {"success"}, str(sorted(results)))
    systemctl("start", UNIT)


def comes_back_after_a_kill() -> None:
    before, restarts, pid = now(), int(shown("NRestarts")), main_pid()
    os.kill(pid, signal.SIGKILL)
    back_s = until(lambda: is_another(pid), 40)
    claim("after kill -9 it comes back", back_s >= 0, f"{back_s:.1f} s")
    claim("counted as one restart", int(shown("NRestarts")) == restarts + 1)
    seen_to = "no latch on the pins" in logged(before)  # coil_off's own words.
    claim("and the coil was seen to in between", seen_to)


def is_bitten_if_the_journal_hangs() -> None:
    put_back()
    drop_in("[Service]", "WatchdogSec=6", "RestartSec=1")
    systemctl("restart", UNIT)
    before, pid = now(), main_pid()
    with (DATA / "companion.sqlite-shm").open("r+b") as holder:
        # All of SQLite's locks for readers and writers (sqlite.org/walformat.html).
        fcntl.lockf(holder, fcntl.LOCK_EX, 8, 120)
        bitten_s = until(lambda: main_pid() != pid, 40)
    back_s = until(is_answering, 40)
    said = logged(before)
    claim(
        "a journal that another program holds is a reason to start again",
        bitten_s >= 0 and "with result 'watchdog'" in said,
        f"WatchdogSec=6 for this proof, after {bitten_s:.1f} s",
    )
    claim(
        "which is logged once, with the reason",
        said.count("not_alive") == 1 and "journal: " in said,
    )
    claim("with the place where each thread was", "Thread 0x" in said)
    claim("and it is back", back_s >= 0, f"{back_s:.1f} s after it was let go")
    put_back()


def gives_up_after_a_while() -> None:
    set_to("COMPANION_VAULT", "gpio")  # There are no pins here.
    drop_in("[Service]", "RestartSec=100ms")
    before = now()
    systemctl("restart", UNIT)
    limit = "Start request repeated too quickly"
    gave_up_s = until(lambda: limit in logged(before), 200)
    said = logged(before)
    tries = said.count("no vault on the pins")
    claim(
        "with no pins it tries 20 times, each time says why, and then has failed",
        gave_up_s >= 0 and tries == 20 and shown("ActiveState") == "failed",
        f"{tries} times, {gave_up_s:.0f} s with RestartSec=100ms",
    )
    set_to("COMPANION_VAULT", "simulated")
    put_back()
    claim(
        "after that it can be started again",
        systemctl("start", UNIT).returncode == 0 and status() == 200,
    )


# In the machine with pins.


class Chip:
    """The other end of the wires of the simulated chip.

    Attributes:
        off: How ``coil_off`` says that it has ended a pull.
    """

    off = "is low: the coil is off"

    def __init__(self) -> None:
        group = Path("/proof/config/gpio-sim/pi")
        device = (group / "dev_name").read_text().strip()
        chip = (group / "bank/chip_name").read_text().strip()
        self._lines = Path("/sys/devices/platform") / device / chip

    def drive(self, bcm: int, is_high: bool) -> None:
        pull = "pull-up" if is_high else "pull-down"
        (self._lines / f"sim_gpio{bcm}/pull").write_text(pull)

    def is_high(self, bcm: int) -> bool:
        return (self._lines / f"sim_gpio{bcm}/value").read_text() == "1\n"

    def is_on(self) -> bool:
        """Tell whether the coil is on."""
        return self.is_high(COIL)

    def pull_the_bolt(self) -> None:
        """Press M over a shut lid until the latch is on."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            self.drive(LID, False)
            self.drive(M_BUTTON, True)
            threading.Event().wait(0.1)
            self.drive(M_BUTTON, False)
            pressed = time.monotonic()
            while time.monotonic() < pressed + 0.5:
                if self.is_on():
                    return
        raise AssertionError("the latch did not come on")


class Servo(Chip):
    """The same with a servo, an analogue and a digital one, as ``horn.py`` has them."""

    off = "the servo was driven home"

    def __init__(self) -> None:
        super().__init__()
        self._scope = Scope(SERVO)
        self.mount(HOME_US, BACK_US)

    def mount(self, home_us: int, back_us: int) -> None:
        """Have a servo that is at home, which is where these pulses hold it."""
        set_to("COMPANION_SERVO_HOME_US", str(home_us))
        set_to("COMPANION_SERVO_BACK_US", str(back_us))
        self._home_us = home_us
        self._scope.clear()

    def is_on(self) -> bool:
        """Tell whether a servo is not at home."""
        return not self.is_home(time.monotonic_ns() // 1000)

    def is_home(self, at_us: int) -> bool:
        """Tell whether both were at home at that moment."""
        pulses, home_us = self._scope.pulses(), self._home_us
        return are_at(home_us, pulses, at_us, start_us=home_us)

    def home_s(self, since_us: int) -> float:
        """Return how many seconds it took to be at home; endless ones after ten."""
        tried_us = range(since_us, since_us + 10_000_000, PERIOD_US)
        home_us = next((at_us for at_us in tried_us if self.is_home(at_us)), math.inf)
        return (home_us - since_us) / 1e6

    def is_still(self, time_s: float) -> bool:
        """Tell whether for so long the line is low and nothing sets it."""
        self._scope.clear()
        threading.Event().wait(time_s)
        return self._scope.is_idle() and not self.is_high(SERVO)


def was_lowered_at_boot() -> None:
    seen = Path("/run/coil-at-boot").read_text().split()
    claim(
        "at boot the coil's pin was high, then companion-coil-off lowered it",
        seen == ["1", "0"],
        str(seen),
    )
    times = [
        int(systemctl("show", unit, "--value", "-p", name).stdout)
        for unit, name in (
            ("companion-coil-off.service", "ExecMainExitTimestampMonotonic"),
            ("sysinit.target", "ActiveEnterTimestampMonotonic"),
            (UNIT, "ActiveEnterTimestampMonotonic"),
        )
    ]
    claim(
        "before anything else was started",
        times == sorted(times),
        " < ".join(f"{x / 1e6:.1f} s" for x in times),
    )


def is_bitten_with_the_latch_on(chip: Chip) -> None:
    before, pid = now(), main_pid()
    chip.pull_the_bolt()
    os.kill(pid, signal.SIGSTOP)
    stopped = time.monotonic()
    threading.Event().wait(2)
    claim("SIGSTOP in the middle of a pull leaves the latch on", chip.is_on())
    low_s = until(lambda: not chip.is_on(), 60)
    low_s = time.monotonic() - stopped if low_s >= 0 else -1
    is_next = main_pid() not in (0, pid)
    claim(
        "until the watchdog bites; then the latch is off before the next start",
        0 < low_s < 40 and not is_next,
        f"{low_s:.1f} s after SIGSTOP, WatchdogSec=20",
    )
    back_s = until(lambda: is_another(pid), 90)
    said = logged(before)
    claim("by ExecStopPost", chip.off in said)
    claim("for the watchdog's reason", "with result 'watchdog'" in said)
    claim("and the table is back", back_s >= 0)
    claim("with the latch off", not chip.is_on())


def is_killed_with_the_latch_on(chip: Chip) -> None:
    pid = main_pid()
    chip.pull_the_bolt()
    os.kill(pid, signal.SIGKILL)
    low_s = until(lambda: not chip.is_on(), 30)
    claim(
        "kill -9 in the middle of a pull: ExecStopPost ends it",
        low_s >= 0 and main_pid() != pid,
        f"after {low_s:.2f} s",
    )
    claim("and the table is back", until(lambda: is_another(pid), 90) >= 0)


def is_stopped_with_the_latch_on(chip: Chip) -> None:
    chip.pull_the_bolt()
    began = time.monotonic()
    systemctl("stop", UNIT)
    took_s = time.monotonic() - began
    claim(
        "a stop in the middle of a pull leaves the latch off",
        not chip.is_on() and shown("Result") == "success",
        f"{took_s:.2f} s",
    )


def comes_home_after_each_death(servo: Servo) -> None:
    draw, pulled, quiet = random.Random(DEATHS), 0, 0
    took_s: list[float] = []
    for mounted in (HOME_US, BACK_US), (BACK_US, HOME_US):
        systemctl("stop", UNIT)
        servo.mount(*mounted)
        for number in range(DEATHS):
            systemctl("reset-failed", UNIT)  # These starts are not the limit's.
            systemctl("start", UNIT)
            pid = main_pid()
            servo.pull_the_bolt()
            threading.Event().wait(draw.uniform(0, PULL_S / 2))
            if number % 2:
                os.kill(pid, signal.SIGKILL)
            else:
                systemctl("stop", UNIT)
            until(lambda: shown("SubState") in ("auto-restart", "dead"), 60)
            pulled += not servo.is_home(at_us("ActiveExit"))
            took_s.append(servo.home_s(at_us("ExecMainExit")))
            quiet += servo.is_still(1)
    claim(
        "kill -9 and a stop in the middle of a pull, in turn, with either way to mount "
        "a servo: it is home within two seconds of the death",
        pulled == 2 * DEATHS and max(took_s) <= HOMECOMING_S,
        f"{pulled} in a pull; home {seconds(took_s)}",
    )
    claim("and then the line is still", quiet == 2 * DEATHS, quiet)


def at_us(event: str) -> int:
    """Return when the unit last did that, as ``time.monotonic`` has it."""
    return int(shown(f"{event}TimestampMonotonic"))


def main() -> int:
    if sys.argv[1] == "container":
        for step in (
            is_up,
            obeys_its_settings,
            stops_in_time,
            comes_back_after_a_kill,
            is_bitten_if_the_journal_hangs,
            gives_up_after_a_while,
        ):
            step()
    else:
        chip = Servo() if sys.argv[1] == "servo" else Chip()
        if sys.argv[1] == "coil":
            was_lowered_at_boot()
        claim(f"it is up on the kernel's pins, with a {sys.argv[1]}", is_answering())
        is_bitten_with_the_latch_on(chip)
        if isinstance(chip, Servo):
            comes_home_after_each_death(chip)
        else:
            is_killed_with_the_latch_on(chip)
            is_stopped_with_the_latch_on(chip)
    if failed:
        sys.stdout.write(f"FAILED: {'; '.join(failed)}\n")
        sys.stdout.write("\n".join(logged().splitlines()[-60:]) + "\n")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
