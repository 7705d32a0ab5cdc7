"""What the service manager hears, over a real socket."""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from companion.errors import JournalFault
from hardware.clock import SystemClock
from hardware.notify import LOOKS_PER_LIMIT, Look, Manager, Watchdog, answering
from tests.fakes import FakeClock, FakeTimer, StuckClock
from tests.running import PATIENCE_S

LIMIT_MS = 18_000
PERIOD_MS = LIMIT_MS // LOOKS_PER_LIMIT


class Ear:
    """The service manager's end of the socket."""

    def __init__(self, name: str) -> None:
        self.variables = {
            "NOTIFY_SOCKET": name,
            "WATCHDOG_USEC": str(LIMIT_MS * 1000),
            "WATCHDOG_PID": str(os.getpid()),
        }
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(name.replace("@", "\0"))
        self._socket.setblocking(False)

    def heard(self) -> list[str]:
        """Return all that came since the last call."""
        messages = []
        while True:
            try:
                messages.append(self._socket.recv(4096).decode())
            except BlockingIOError:
                return messages

    def close(self) -> None:
        self._socket.close()


@pytest.fixture(params=["file", "abstract"])
def ear(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Ear]:
    name = str(tmp_path / "notify")
    if request.param == "abstract":
        name = f"@companion/{os.getpid()}/{tmp_path.name}"
    made = Ear(name)
    yield made
    made.close()


def test_the_manager_hears_each_state_in_one_message(ear: Ear) -> None:
    Manager(ear.variables).tell("READY=1", "STATUS=the table is open")
    assert ear.heard() == ["READY=1\nSTATUS=the table is open"]


def test_without_a_manager_nothing_is_said_and_nothing_is_asked() -> None:
    clock = FakeClock()
    manager = Manager({})
    manager.tell("READY=1")
    Watchdog(manager, clock, {"journal": _never})
    assert manager.watchdog_ms == 0
    assert clock.waiting_count == 0


def _never() -> bool:
    raise AssertionError("it was asked")


def test_a_manager_that_is_gone_is_logged_and_ends_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    Manager({"NOTIFY_SOCKET": str(tmp_path / "gone")}).tell("READY=1")
    assert "service_manager_not_told states=('READY=1',)" in caplog.text


@pytest.mark.parametrize(
    "variables",
    [
        {"WATCHDOG_PID": str(os.getppid())},
        {"WATCHDOG_USEC": ""},
        {"WATCHDOG_USEC": "soon"},
        {"WATCHDOG_USEC": "-5"},
    ],
)
def test_a_watchdog_of_somebody_else_or_of_no_length_is_not_fed(
    variables: dict[str, str],
) -> None:
    ours = {"WATCHDOG_USEC": "18000000", "WATCHDOG_PID": str(os.getpid())}
    assert Manager(ours).watchdog_ms == LIMIT_MS
    assert Manager({**ours, **variables}).watchdog_ms == 0


class Things:
    """Two things that may be alive."""

    def __init__(self) -> None:
        self.is_alive = True
        self.fault = ""

    def looks(self) -> dict[str, Look]:
        return {"vault": lambda: self.is_alive, "journal": self._journal}

    def _journal(self) -> bool:
        if self.fault:
            raise JournalFault(self.fault)
        return True


def test_it_is_fed_ten_times_in_its_limit_while_all_is_well(ear: Ear) -> None:
    clock = FakeClock()
    dog = Watchdog(Manager(ear.variables), clock, Things().looks())
    clock.advance(LIMIT_MS)
    assert ear.heard() == ["WATCHDOG=1"] * (LOOKS_PER_LIMIT + 1)
    dog.close()
    clock.advance(LIMIT_MS)
    assert ear.heard() == []
    assert clock.waiting_count == 0


class LateClock(FakeClock):
    """The clock of a busy machine, a little late with everything."""

    def call_later(self, delay_ms: int, act: Callable[[], None]) -> FakeTimer:
        return super().call_later(delay_ms + 10, act)


@pytest.mark.parametrize("began_ms", range(0, LIMIT_MS // 2, 500))
def test_a_card_that_holds_all_up_for_ten_seconds_kills_nothing(
    ear: Ear, began_ms: int
) -> None:
    clock, things, fed_ms = LateClock(), Things(), [0]
    Watchdog(Manager(ear.variables), clock, things.looks())
    for now_ms in range(0, 3 * LIMIT_MS, 10):
        things.is_alive = not began_ms < now_ms < began_ms + 10_000
        clock.advance(10)
        if "WATCHDOG=1" in ear.heard():
            fed_ms.append(now_ms)
    assert max(b - a for a, b in pairwise(fed_ms)) < LIMIT_MS


@pytest.mark.parametrize("kind", ["dead", "faulty"])
def test_it_goes_hungry_for_as_long_as_one_thing_is_bad_and_that_is_said_once(
    ear: Ear, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    clock, things = FakeClock(), Things()
    Watchdog(Manager(ear.variables), clock, things.looks())
    clock.advance(0)
    assert ear.heard() == ["WATCHDOG=1"]
    if kind == "dead":
        things.is_alive = False
        words = "vault does not answer"
    else:
        things.fault = "it is locked; wait"
        words = "journal: it is locked; wait"
    clock.advance(2 * PERIOD_MS)
    assert ear.heard() == [f"STATUS={words}"]
    records = [x for x in caplog.records if x.levelno >= logging.WARNING]
    assert [x.message for x in records] == [f"not_alive what='{words}' limit_ms=18000"]
    things.is_alive, things.fault = True, ""
    clock.advance(PERIOD_MS)
    assert ear.heard() == ["WATCHDOG=1", "STATUS=alive again"]


def test_a_look_that_hangs_ends_the_feeding(ear: Ear) -> None:
    asked, release = threading.Event(), threading.Event()

    def hang() -> bool:
        asked.set()
        return release.wait(PATIENCE_S)

    variables = {**ear.variables, "WATCHDOG_USEC": "3000"}
    clock = SystemClock()
    dog = Watchdog(Manager(variables), clock, {"journal": hang})
    assert asked.wait(PATIENCE_S)
    assert not release.wait(0.05)  # Fifty periods, in which nothing else is asked.
    assert ear.heard() == []
    dog.close()
    release.set()
    clock.close()


def test_a_look_that_fails_by_a_bug_is_asked_again(
    ear: Ear, caplog: pytest.LogCaptureFixture
) -> None:
    answers = iter([ZeroDivisionError("a bug"), True, True])

    def stumble() -> bool:
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return bool(answer)

    clock = SystemClock()
    variables = {**ear.variables, "WATCHDOG_USEC": "30000"}
    dog = Watchdog(Manager(variables), clock, {"vault": stumble})
    heard: list[str] = []
    while not heard:
        heard = ear.heard()
    assert heard[0] == "WATCHDOG=1"
    assert "clock_act_failed" in caplog.text
    dog.close()
    clock.close()


def test_a_clock_answers_for_as_long_as_it_keeps_its_promises() -> None:
    healthy = FakeClock()
    look = answering(healthy)
    assert look()
    healthy.advance(PERIOD_MS)
    assert look()
    healthy.advance(PERIOD_MS)
    assert look()
    stuck = StuckClock(healthy)
    look = answering(stuck)
    assert look()
    healthy.advance(PERIOD_MS)
    assert not look()
    stuck.advance(PERIOD_MS)
    assert look()
