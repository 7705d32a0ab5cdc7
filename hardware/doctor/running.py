"""The health of a running table, for the banker's page and for the doctor.

Only cheap looks are used, at most every ten seconds, in the thread that asks first; the
others do not wait.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import TYPE_CHECKING

from companion.health import Condition, Finding
from companion.ports import CameraHealth, CameraState, Clock
from companion.words import say
from hardware.doctor.facts import Facts, Machine, space_of
from hardware.doctor.system import (
    look_at_heat,
    look_at_mount,
    look_at_space,
    look_at_supply,
)

FRESH_NS = 10_000_000_000
"""How old findings may be before the next looks."""
ALIVE = "table.health"
"""The topic of what a table tells of itself in one sentence."""
PATH = "/health"
"""The path at which a running table serves its findings as JSON."""

LOOKS = (look_at_supply, look_at_heat, look_at_space, look_at_mount)
"""The looks that only read a few files in the kernel's memory."""

if TYPE_CHECKING:
    from hardware.network.whereabouts import Whereabouts

Part = Callable[[], Iterable[Finding]]
"""Yields the findings about one part of the table."""


class TableHealth:
    """Returns a running table's findings on itself and its machine; thread-safe.

    Args:
        data: The folder of the games.
        clock: Tells how old the findings are.
        parts: Further quick sources of findings, such as the vault's keeper.
        machine: The files to look at.
    """

    def __init__(
        self,
        data: Path,
        clock: Clock,
        parts: Iterable[Part] = (),
        machine: Machine | None = None,
    ) -> None:
        self._data = data.absolute()
        self._clock = clock
        self._parts = tuple(parts)
        self._machine = machine or Machine()
        self._looking = threading.Lock()
        self._findings: tuple[Finding, ...] = ()
        self._looked_at_ns: int | None = None

    def __call__(self) -> tuple[Finding, ...]:
        """Return findings of the last ten seconds; older ones while a thread looks."""
        if self._looking.acquire(blocking=False):
            try:
                now_ns = self._clock.monotonic_ns()
                looked_ns = self._looked_at_ns
                if looked_ns is None or now_ns - looked_ns > FRESH_NS:
                    self._findings = tuple(self._look())
                    self._looked_at_ns = now_ns
            finally:
                self._looking.release()
        return self._findings

    def _look(self) -> Iterator[Finding]:
        for part in self._parts:
            yield from part()
        space = space_of(self._data)
        facts = Facts(self._machine, data=self._data, space=space)
        if self._machine.model:
            for look in LOOKS:
                yield from look(facts)
        else:
            yield from look_at_space(facts)
        count = threading.active_count()
        words = f"threads at work: {count}"
        yield Finding("table.threads", Condition.OK, words)


def camera_findings(health: CameraHealth | None) -> Iterator[Finding]:
    """Report the state of the table's camera, if it has one."""
    topic = "table.camera"
    if health is None:
        return
    if health.state is not CameraState.BROKEN:
        yield Finding(topic, Condition.OK, f"the camera is {health.state}")
    else:
        yield Finding(
            topic,
            Condition.WARN,
            say("the camera gives no picture"),
            say("look at its cable; photos from phones can be looked at meanwhile"),
        )


def address_findings(where: Whereabouts | None) -> Iterator[Finding]:
    """Report the address that phones open, unless only a proxy knows it."""
    if where is None:
        return
    topic, address, name = "table.address", where.address(), where.name()
    if address:
        words = f"phones go to {address}" + (f" or http://{name}" if name else "")
        yield Finding(topic, Condition.OK, words)
    elif where.lacks_ipv6():
        yield Finding(
            topic,
            Condition.WARN,
            say("this network has only IPv6, by which the table does not listen"),
            say("start it with --host ::, on a Pi with COMPANION_SERVE_HOST=::"),
        )
    else:
        yield Finding(
            topic,
            Condition.WARN,
            say("the table is on no network, so phones cannot reach it"),
            say("join a Wi-Fi, plug in a cable, or start the table's own hotspot"),
        )


# Asking a table that runs in another process.

EVERYWHERE = ("", "0.0.0.0", "::")
"""The addresses of a table that listens on 127.0.0.1 as well."""
STANDBY = b"Another server leads this table now"
"""How the answer of a server begins that waits for another one to end."""
NO_ANSWER = (OSError, HTTPException, ValueError, LookupError, TypeError)
"""The errors of asking a table that does not answer, or makes no sense."""
ANSWER_S = 5
"""How long the doctor waits for a running table."""
ANSWER_BYTES_MAX = 1 << 16
"""How much of its answer is read."""


def ask_table(host: str, port: int) -> Iterator[Finding]:
    """Ask the table on this machine that listens on *host* for its findings.

    Behind a proxy or in a container it tells only whether it is well.
    """
    try:
        status, text = _answer(host, port, PATH)
        if status == HTTPStatus.OK:
            yield from _read(text)
        else:
            yield ask_alive(host, port)
    except NO_ANSWER as error:
        yield Finding(
            ALIVE,
            Condition.UNKNOWN,
            f"a table runs on these games and did not answer on port {port} ({error})",
            "name its port: COMPANION_SERVE_PORT",
        )


def ask_alive(host: str, port: int) -> Finding:
    """Ask that table whether it is well, which it tells to anybody.

    Raises:
        OSError, HTTPException, ValueError, LookupError, TypeError: ``NO_ANSWER``.
    """
    status, text = _answer(host, port, "/alive")
    if status == HTTPStatus.OK:
        words = "the table answers, and its last write succeeded"
        return Finding(ALIVE, Condition.OK, words)
    if status != HTTPStatus.SERVICE_UNAVAILABLE:
        raise ValueError(f"status {status}")
    if text.startswith(STANDBY):
        return Finding(ALIVE, Condition.OK, "it stands by; another server leads")
    body = json.loads(text)
    return Finding(ALIVE, Condition.FAIL, str(body["error"]), str(body["remedy"]))


def _answer(host: str, port: int, path: str) -> tuple[int, bytes]:
    """Return the status and the beginning of an answer of the table."""
    here = "127.0.0.1" if host in EVERYWHERE else host
    connection = HTTPConnection(here, port, timeout=ANSWER_S)
    try:
        connection.request("GET", path, headers={"Accept": "application/json"})
        answer = connection.getresponse()
        return answer.status, answer.read(ANSWER_BYTES_MAX)
    finally:
        connection.close()


def _read(text: bytes) -> Iterator[Finding]:
    for row in json.loads(text)["findings"]:
        yield Finding(
            str(row["topic"]),
            Condition(row["condition"]),
            str(row["words"]),
            str(row["remedy"]),
        )
