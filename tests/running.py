"""A whole table in a process of its own, as a user starts it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[1]
GREETED = "Ctrl-C ends it"


class RunningTable:
    """``companion serve --simulated`` on loopback.

    Args:
        data: Where it keeps its games; its log lies beside it.
        port: 0 for any free one.

    Attributes:
        address: Where it answers, such as ``http://127.0.0.1:40211``.
        code: The first-run code it printed; ``None`` once there is a host.
        printed: All that it said before it was ready.
    """

    def __init__(self, data: Path, port: int = 0) -> None:
        self.log = data.parent / f"{data.name}.log"
        environment = {k: v for k, v in os.environ.items() if "COMPANION" not in k}
        with self.log.open("a") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "cli", "serve", "--simulated",
                 "--host", "127.0.0.1", "--port", str(port), "--data", str(data)],
                cwd=ROOT,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )  # fmt: skip
        self.printed = self._greeting()
        self.address = self._found(r"Phones: +(\S+)") or ""
        self.code = self._found(r"type (\d{6}) ")

    def _greeting(self) -> str:
        lines = []
        assert self._process.stdout is not None
        for line in self._process.stdout:
            lines.append(line)
            if line.startswith(GREETED):
                return "".join(lines)
        self._process.wait()
        raise AssertionError(f"it ended early: {''.join(lines)}{self.log.read_text()}")

    def _found(self, pattern: str) -> str | None:
        match = re.search(pattern, self.printed)
        return match[1] if match else None

    @property
    def port(self) -> int:
        """Where it listens."""
        return urlsplit(self.address).port or 80

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def kill(self) -> None:
        """Pull the plug: SIGKILL, nothing is tidied."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Ask it to end, as systemd does; gives its exit code."""
        return self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> int:
        self._process.send_signal(how)
        code = self._process.wait(20)
        assert self._process.stdout is not None
        self._process.stdout.close()
        return code

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self.kill()
