"""A disk that is soon full."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """Make *folder* a disk of its own, such as of ``64k``, where we may mount one."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    try:
        done = subprocess.run(mount, check=False, capture_output=True)
    except OSError:
        pytest.skip("there is no mount here")
    if done.returncode:
        pytest.skip("only root may mount a small disk")
    try:
        yield folder
    finally:
        # Lazily: a test that failed may have left a file open on it.
        subprocess.run(["umount", "-l", str(folder)], check=True)
