"""A whole table in a process of its own, as a user starts it."""

from __future__ import annotations

import os
import random
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Self

ROOT = Path(__file__).resolve().parents[1]
GREETED = "Ctrl-C ends it"
PATIENCE_S = 120
"""How many seconds another thread or process may take on a busy machine."""
ENDING_S = 20
"""How many seconds a table may take to end; an open stream would delay it by 30."""
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
WORKERS = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
PORTS = range(20_000, 32_000)[WORKER::WORKERS]
"""The ports of this worker.

They are below 32768, from where Linux takes ports for outgoing connections. Workers
share none, since two could find the same one free at the same time.
"""
_GIVEN: set[int] = set()
"""Ports that were given out already."""


def free_port() -> int:
    """Return a port that stays free while a killed table is started again.

    A port of the kernel's choice could meanwhile go to a phone's next connection.
    """
    for port in random.SystemRandom().sample(PORTS, 200):
        if port in _GIVEN:
            continue  # Its user may not listen yet.
        with socket.socket() as tried:
            try:
                tried.bind(("127.0.0.1", port))
            except OSError:
                continue
        _GIVEN.add(port)
        return port
    raise AssertionError(f"no port is free in {PORTS}")


def end_process(process: subprocess.Popen[bytes]) -> None:
    """Ask a program to end; kill it if it does not in time."""
    process.terminate()
    try:
        process.wait(ENDING_S)
    finally:
        process.kill()  # Does nothing to one that has ended.
        process.wait()


class RunningTable:
    """``companion serve`` on loopback.

    Args:
        data: The folder of its games; its log is beside it.
        port: The port on which it listens; ``None`` for any free one.
        vault: The option that chooses the vault.
        options: Further options of ``serve``.
        root: The checkout whose program runs.
        database: The PostgreSQL database of its games; empty for none.
        settings: Further environment variables.
        is_awaited: Whether to wait until it leads its table, which a standby does not.

    Attributes:
        address: The address at which it answers, such as ``http://127.0.0.1:40211``;
            empty if it printed none.
        code: The first-run code it printed; ``None`` once there is a host.
        port: The port on which it listens.
        printed: Its whole output until it was ready.
    """

    def __init__(
        self,
        data: Path,
        port: int | None = None,
        vault: str = "--simulated",
        options: tuple[str, ...] = (),
        root: Path = ROOT,
        *,
        database: str = "",
        settings: Mapping[str, str] | None = None,
        is_awaited: bool = True,
    ) -> None:
        self.port = port or free_port()
        self.log = data.parent / f"{data.name}.log"
        environment = {k: v for k, v in os.environ.items() if "COMPANION" not in k}
        environment["container"] = ""  # Hide the one that tests may run in.
        if database:
            environment["COMPANION_DATABASE"] = database
        environment |= settings or {}
        with self.log.open("a") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "cli", "serve", vault,
                 "--host", "127.0.0.1", "--port", str(self.port), "--data", str(data),
                 *options],
                cwd=root,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )  # fmt: skip
        try:
            self.printed = self._greeting() if is_awaited else ""
        except BaseException:
            self.kill()
            raise
        self.address = self._found(r"Phones: +(http\S+)") or ""
        self.code = self._found(r"type ([\d ]+) there")

    def _greeting(self) -> str:
        lines = []
        assert self._process.stdout is not None
        for line in self._process.stdout:
            lines.append(line)
            if line.startswith(GREETED):
                return "".join(lines)
        raise AssertionError(f"it ended early: {''.join(lines)}{self.log.read_text()}")

    def _found(self, pattern: str) -> str | None:
        match = re.search(pattern, self.printed)
        return match[1] if match else None

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def wait(self) -> int:
        """Wait until it ends; return its exit code."""
        with self._process:  # Its pipe is closed, too.
            return self._process.wait()

    def kill(self) -> None:
        """Kill it by SIGKILL, as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Ask it to end, as systemd does; return its exit code."""
        return self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> int:
        with self._process:  # Its pipe is closed and it is awaited in any case.
            self._process.send_signal(how)
            try:
                return self._process.wait(ENDING_S)
            finally:
                self._process.kill()  # Does nothing to one that has ended.

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
