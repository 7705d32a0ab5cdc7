"""Opens files that a person names, if they really are files, and writes them whole.

Opening a pipe would wait until somebody writes into it, perhaps for ever; a device may
have no end, or act when it is opened.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Literal

OTHERS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFDIR: "a folder",
}
"""Kind of thing in the place of a file -> words for it."""


class NotAFile(OSError):
    """Something else is in the place of a file; ``strerror`` says what it is."""


def opened(path: Path, mode: Literal["rb", "ab"] = "rb") -> BinaryIO:
    """Open a file, following links.

    Raises:
        NotAFile: If it is something else.
        OSError: If it is missing or may not be opened.
    """
    return open(path, mode, opener=_opener)


def content_of(path: Path, bytes_max: int) -> bytes:
    """Read a whole file of at most *bytes_max* bytes.

    Raises:
        OSError: As for ``opened``, and if it is longer.
    """
    with opened(path) as file:
        content = file.read(bytes_max + 1)
    if len(content) > bytes_max:
        raise OSError(errno.EFBIG, f"more than {bytes_max:,} bytes", path)
    return content


def take(path: Path, length_max: int) -> str:
    """Read and delete a file in which the owner of its folder asks root for something.

    Raises:
        OSError: If it is no file, or somebody else's, or cannot be read.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with open(handle, encoding="utf-8", errors="replace") as file:
            status = os.fstat(handle)
            _check(path, status)
            if status.st_uid != path.parent.stat().st_uid:
                raise PermissionError(errno.EPERM, "somebody else's file", path)
            return file.read(length_max)
    finally:
        path.unlink(missing_ok=True)


def write_whole(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a file whole or not at all; it is on the disk when this returns.

    Raises:
        OSError: If its folder is missing or cannot be written.
    """
    new = path.with_name(f".{path.name}.new")  # A name that nobody else gives.
    new.unlink(missing_ok=True)
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
    to_disk(path.parent)


def to_disk(path: Path) -> None:
    """Force a file's content, or a folder's names, onto the disk itself."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def check_file(path: Path) -> None:
    """Raise ``NotAFile`` for a path that exists and is no file."""
    with suppress(FileNotFoundError):
        _check(path, path.stat())


def _opener(path: str, flags: int) -> int:
    """Open a path without ever waiting, and check that it is a file."""
    check_file(Path(path))
    handle = os.open(path, flags | os.O_NONBLOCK, 0o666)
    try:
        _check(path, os.fstat(handle))  # The file may have been replaced by now.
    except OSError:
        os.close(handle)
        raise
    return handle


def _check(path: str | Path, status: os.stat_result) -> None:
    kind = stat.S_IFMT(status.st_mode)
    if kind != stat.S_IFREG:
        what = OTHERS.get(kind, "something else")
        raise NotAFile(errno.EINVAL, f"{what}, not a file", path)
