"""A restore that is meant to be killed at a certain step.

``tests.companion.store`` starts this in a process of its own, also for PostgreSQL.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

from companion.store import backup

STEPS = ("rename", "mkdir", "unlink", "rmdir", "fsync")
"""The functions that change a name, or put something on the disk for good."""


def restore_until(
    file: Path, data: Path, kinds: tuple[str, ...], steps_count: int, url: str = ""
) -> None:
    """Restore, and be killed after *steps_count* steps of these *kinds*.

    With a *url*, the moments before and after each COMMIT are steps, too.
    """
    left = [steps_count]

    def step() -> None:
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)
        left[0] -= 1

    def counted(act: Callable[..., object]) -> Callable[..., object]:
        def stepping(*words: object, **more: object) -> object:
            step()
            return act(*words, **more)

        return stepping

    for name in kinds:
        setattr(os, name, counted(getattr(os, name)))
    if url:
        from psycopg import Connection

        commit = Connection.commit

        def stepping(connection: Connection) -> None:
            step()
            commit(connection)
            step()

        Connection.commit = stepping  # type: ignore[method-assign]
    with file.open("rb") as source:
        backup.restore(source, data, url, may_replace=True)
