"""A running table looks at itself: rarely, and without holding anybody up."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from companion.health import Condition, Finding, worst
from companion.ports import CameraHealth, CameraState
from hardware.doctor.facts import Machine
from hardware.doctor.running import TableHealth, ask_table, camera_findings
from tests.fakes import FakeClock
from tests.hardware.doctor.fake_pi import build, files_of
from tests.running import free_port

OK, UNKNOWN, WARN, FAIL = Condition


def test_looks_are_ten_seconds_old_at_most(tmp_path: Path) -> None:
    asked = []

    def part() -> Iterator[Finding]:
        asked.append(1)
        yield Finding("vault.keeper", OK, "the vault is kept")

    clock = FakeClock()
    build(tmp_path, files_of("pi4"))
    health = TableHealth(tmp_path, clock, [part], Machine(tmp_path))
    first = health()
    clock.advance(10_000)
    assert health() is first
    clock.advance(1)
    (tmp_path / "sys/class/thermal/thermal_zone0/temp").write_text("85000")
    finding = worst(health())
    assert len(asked) == 2
    assert finding is not None
    assert (finding.topic, finding.condition) == ("power.heat", WARN)


def test_nobody_waits_for_a_look_of_somebody_else(tmp_path: Path) -> None:
    began, go_on = threading.Event(), threading.Event()

    def slow() -> Iterator[Finding]:
        began.set()
        go_on.wait()
        return iter(())

    health = TableHealth(tmp_path, FakeClock(), [slow], Machine(tmp_path))
    other = threading.Thread(target=health)
    other.start()
    began.wait()
    assert health() == ()
    go_on.set()
    other.join()
    assert {finding.topic for finding in health()} >= {"disk.space", "table.threads"}


def test_the_worst_comes_first_and_the_unknown_never() -> None:
    warn, fail = Finding("a", WARN, "w"), Finding("b", FAIL, "f")
    unknown, well = Finding("c", UNKNOWN, "u"), Finding("d", OK, "o")
    assert worst((unknown, well)) is None
    assert worst((well, warn, unknown)) is warn
    assert worst((warn, fail, Finding("e", FAIL, "g"))) is fail


def test_a_broken_camera_asks_for_something_and_one_at_rest_does_not() -> None:
    [finding] = camera_findings(CameraHealth(CameraState.BROKEN, "gone"))
    assert finding.condition is WARN
    [rest] = camera_findings(CameraHealth(CameraState.CLOSED))
    assert rest.condition is OK
    assert not list(camera_findings(None))


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (403, "{}"),
        (200, ""),
        (200, "[]"),
        (200, '{"findings": 3}'),
        (200, '{"findings": [{"topic": "a"}]}'),
        (200, json.dumps({"findings": [{"topic": "a", "condition": "bad"}]})),
    ],
)
def test_an_answer_that_makes_no_sense_is_unknown(status: int, text: str) -> None:
    class Odd(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Odd) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        [finding] = ask_table("", server.server_port)
        server.shutdown()
        thread.join()
    assert (finding.topic, finding.condition) == ("table.health", UNKNOWN)


def test_a_table_that_does_not_answer_is_unknown() -> None:
    [finding] = ask_table("", free_port())
    assert finding.condition is UNKNOWN
    assert "COMPANION_SERVE_PORT" in finding.remedy
