"""Lets root act as the owner of a folder of games."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = 0


@contextmanager
def as_owner(folder: Path) -> Iterator[None]:
    """Act as the owner of *folder*, if the program runs as root; else change nothing.

    So ``sudo companion ...`` leaves no files there that the service cannot open, and
    follows no link to a place that only root may read.
    """
    if os.geteuid() != ROOT or not folder.exists():
        yield
        return
    group, groups, owner = os.getegid(), os.getgroups(), folder.stat()
    os.setgroups([])
    os.setegid(owner.st_gid)
    os.seteuid(owner.st_uid)
    try:
        yield
    finally:
        os.seteuid(ROOT)
        os.setegid(group)
        os.setgroups(groups)
