"""A restore that is meant to be killed at a certain step.

``tests.companion.store.test_backup`` starts this in a process of its own.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

from companion.store import restore

STEPS = ("rename", "mkdir", "unlink", "rmdir", "fsync")
"""The functions that change a name, or put something on the disk for good."""


def restore_until(
    file: Path, data: Path, kinds: tuple[str, ...], steps_count: int
) -> None:
    """Restore, and be killed after *steps_count* steps of these *kinds*."""
    left = [steps_count]

    def counted(act: Callable[..., object]) -> Callable[..., object]:
        def step(*words: object, **more: object) -> object:
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)
            left[0] -= 1
            return act(*words, **more)

        return step

    for name in kinds:
        setattr(os, name, counted(getattr(os, name)))
    with file.open("rb") as source:
        restore(source, data, may_replace=True)
