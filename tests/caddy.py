"""A real Caddy on loopback, with the project's own example of a club's settings."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

from tests.running import PATIENCE_S, ROOT, end_process, free_port

HERE = "127.0.0.1"
EXAMPLE = ROOT / "systemd/Caddyfile"
PROGRAM = shutil.which("caddy")
NO_CADDY = "there is no caddy here: apt-get install caddy"
PORTS = ("8011", "8012", "8021", "8022")


class Caddy:
    """Caddy in front of two pairs of servers, until its block ends.

    Args:
        folder: A folder for its settings and its log.
        ports: The ports of the servers: the two of pair 1, then those of pair 2.

    Attributes:
        port: The port on which it listens.
    """

    def __init__(self, folder: Path, *ports: int) -> None:
        assert PROGRAM is not None, NO_CADDY
        self.port = free_port()
        self._log = folder / "caddy.log"
        (folder / "Caddyfile").write_text(self._config(ports), encoding="utf-8")
        homes = ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")
        with self._log.open("w") as log:
            self._process = subprocess.Popen(
                [PROGRAM, "run", "--adapter", "caddyfile", "--config", "Caddyfile"],
                cwd=folder,
                env=os.environ | dict.fromkeys(homes, str(folder)),
                stdout=log,
                stderr=log,
            )
        try:
            until(self._is_there, self.log)
        except BaseException:
            end_process(self._process)
            raise

    def _config(self, ports: tuple[int, ...]) -> str:
        """Return the example's settings with these ports, for loopback only."""
        text = EXAMPLE.read_text(encoding="utf-8")
        own = {
            "\n{\n": f"\n{{\n\tadmin off\n\tdefault_bind {HERE}\n",
            "club.example.org {": f"http://{HERE}:{self.port} {{",
            **dict(zip(PORTS, map(str, ports), strict=True)),
        }
        for old, new in own.items():
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        return text

    def _is_there(self) -> bool:
        assert self._process.poll() is None, self.log()
        with socket.socket() as tried:
            return not tried.connect_ex((HERE, self.port))

    @property
    def address(self) -> str:
        """The address at which it answers, such as ``http://127.0.0.1:20211``."""
        return f"http://{HERE}:{self.port}"

    def log(self) -> str:
        """Return its whole log."""
        return self._log.read_text(encoding="utf-8")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        end_process(self._process)


def until(holds: Callable[[], object], say: Callable[[], object] = str) -> None:
    """Wait until *holds* returns something true; *say* describes a failure."""
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, say()
        threading.Event().wait(0.02)
