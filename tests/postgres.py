"""A real PostgreSQL, Debian's own, started by the tests in a folder of its own.

It listens on a Unix socket and nowhere else, trusts whoever may look into its folder,
and writes as surely as one for real games does: ``fsync`` stays on. What makes it quick
is that its folder is in memory where ``TMPDIR`` is, and that it does nothing unasked.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Self, TypedDict
from urllib.parse import quote

import psycopg
from psycopg.sql import SQL, Composed, Identifier

from tests.running import PATIENCE_S

USER = "companion"
SERVANTS = ("postgres", "nobody")
"""As whom it runs where the tests run as root, which it refuses; the first there is."""
FOLDER_LENGTH_MAX = 80
"""A socket's whole path has 107 bytes."""
LOOK_S = 0.01
SETTINGS = {
    "listen_addresses": "",
    "shared_buffers": "16MB",
    "autovacuum": "off",
    "jit": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
}


class _As(TypedDict, total=False):
    """What ``subprocess`` wants to run something as another user."""

    user: int
    group: int
    extra_groups: list[int]


def programs() -> Path | None:
    """Return the folder of the newest PostgreSQL's programs; ``None`` without any."""
    versions = Path("/usr/lib/postgresql").glob("*/bin/pg_ctl")
    newest = max(versions, key=lambda path: float(path.parts[-3]), default=None)
    found = newest or shutil.which("pg_ctl")
    return Path(found).resolve().parent if found else None


def missing() -> str:
    """Return why it cannot run here; empty where it can."""
    if programs() is None:
        return "wanted PostgreSQL, got none on this machine; type: make postgres"
    if os.geteuid() == 0 and _servant() is None:
        return f"wanted a user of {SERVANTS} to run PostgreSQL as, got none"
    return ""


def _servant() -> pwd.struct_passwd | None:
    known = {one.pw_name: one for one in pwd.getpwall()}
    return next((known[name] for name in SERVANTS if name in known), None)


class Databases:
    """The databases of a PostgreSQL that runs.

    Args:
        folder: Where its socket is.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def _ask(self, question: SQL | Composed) -> None:
        address = self._address("postgres")
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(question)

    def _address(self, name: str) -> str:
        return f"postgresql://{USER}@/{name}?host={quote(str(self.folder))}"

    def url(self, name: str) -> str:
        """Make a new database, and return where it is.

        Raises:
            psycopg.errors.DuplicateDatabase: If there is one of that name.
        """
        new = SQL("CREATE DATABASE {} STRATEGY file_copy")  # Half the time in memory.
        self._ask(new.format(Identifier(name)))
        return self._address(name)

    def drop(self, name: str) -> None:
        """Throw a database away, whoever is connected to it."""
        self._ask(SQL("DROP DATABASE {} WITH (FORCE)").format(Identifier(name)))


class Server(Databases):
    """A PostgreSQL that runs, with no database of anybody's yet.

    Args:
        settings: More of its settings by name, such as ``fsync`` and ``off``.

    Attributes:
        folder: Where its data, its socket and its log are.
    """

    def __init__(self, settings: Mapping[str, str] | None = None) -> None:
        found = programs()
        assert found is not None, missing()
        self._programs = found
        super().__init__(Path(tempfile.mkdtemp(prefix="postgres-", dir=_room())))
        self._as = self._given_away()
        own = {**SETTINGS, "unix_socket_directories": str(self.folder)}
        self._settings = own | dict(settings or {})
        self._process: subprocess.Popen[bytes] | None = None
        try:
            made = self._run(
                *("initdb", "--no-sync", "--no-instructions", "--auth=trust"),
                *(f"--username={USER}", "--encoding=UTF8", "--locale=C"),
            )
            assert made.wait() == 0, self.log()
            self.start()
        except BaseException:
            self.close()
            raise

    def _given_away(self) -> _As:
        servant = _servant()
        if os.geteuid() != 0 or servant is None:
            return {}
        os.chown(self.folder, servant.pw_uid, servant.pw_gid)
        return {"user": servant.pw_uid, "group": servant.pw_gid, "extra_groups": []}

    def _run(self, program: str, *words: str) -> subprocess.Popen[bytes]:
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                [self._programs / program, "-D", self.folder / "data", *words],
                cwd=self.folder,
                stdout=log,
                stderr=log,
                **self._as,
            )

    def start(self) -> None:
        """Start it, again on the same data, and wait until it answers."""
        settings = (f"--{name}={value}" for name, value in self._settings.items())
        self._process = self._run("postgres", *settings)
        waited, give_up = threading.Event(), PATIENCE_S / LOOK_S
        while not self._answers():
            give_up -= 1
            is_over = self._process.poll() is not None or give_up < 0
            assert not is_over, f"it does not answer: {self.log()}"
            waited.wait(LOOK_S)

    def _answers(self) -> bool:
        try:
            self._ask(SQL("SELECT 1"))
        except psycopg.OperationalError:
            return False
        return True

    def log(self) -> str:
        """Return what it has said so far."""
        return (self.folder / "log").read_text()

    @property
    def pid(self) -> int:
        """The process id of the postmaster, the parent of all others."""
        assert self._process is not None, "wanted one that runs, got none; start it"
        return self._process.pid

    def stop(self) -> None:
        """Have it end in order, at once for whoever is connected."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(PATIENCE_S)
            self._process = None

    def kill(self) -> None:
        """Cut its power: SIGKILL for all its processes; nothing is tidied."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGSTOP)  # So that it has no more children.
        os.waitid(os.P_PID, self.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        children = _children(self.pid)
        for one in (*children, self.pid):
            os.kill(one, signal.SIGKILL)
        self._process.wait()
        self._process = None
        waited = threading.Event()
        while any(map(_is_alive, children)):  # They would still hold its memory.
            waited.wait(LOOK_S)

    def freeze(self, how: signal.Signals = signal.SIGSTOP) -> None:
        """Stop all its processes; the kernel still confirms what is sent to them."""
        for one in (self.pid, *_children(self.pid)):
            os.kill(one, how)

    def thaw(self) -> None:
        """Let them go on."""
        self.freeze(signal.SIGCONT)

    def allow_files(self, pid: int, size: str) -> None:
        """Set how large a file one of its processes may make; or ``unlimited``."""
        limit = ["prlimit", f"--fsize={size}:unlimited", "--pid", str(pid)]
        subprocess.run(limit, check=True, **self._as)

    def close(self) -> None:
        """End it, and remove all that it wrote."""
        self.kill()
        shutil.rmtree(self.folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _room() -> str:
    """Return a folder for its folder: one that others may enter, of a short name."""
    usual = Path(tempfile.gettempdir())
    is_open = all(path.stat().st_mode & 0o001 for path in (usual, *usual.parents))
    return str(usual) if is_open and len(str(usual)) < FOLDER_LENGTH_MAX else "/tmp"


def _stat(pid: int) -> tuple[str, int] | None:
    """Return the state and the parent of a process; ``None`` for one that is gone."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    state, parent, *_ = stat.rpartition(")")[2].split()
    return state, int(parent)


def _children(pid: int) -> list[int]:
    every = (int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit())
    return [one for one in every if (stat := _stat(one)) and stat[1] == pid]


def _is_alive(pid: int) -> bool:
    stat = _stat(pid)
    return stat is not None and stat[0] not in "ZX"
