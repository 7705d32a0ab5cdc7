"""Files that a person names, or lays into a folder: read if they are files at all.

To open a pipe is to wait until somebody writes into it, for ever if nobody does; a
device may have no end, or act on being opened.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO, Literal

OTHERS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFDIR: "a folder",
}
"""What may lie where a file belongs."""


class NotAFile(OSError):
    """Something else lies where a file belongs; ``strerror`` says what it is."""


def opened(path: Path, mode: Literal["rb", "ab"] = "rb") -> BinaryIO:
    """Open a file; a link to one leads there.

    Args:
        path: The file.
        mode: As for ``open``.

    Raises:
        NotAFile: If it is none.
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


def check_file(path: Path) -> None:
    """Refuse what is there and is no file; nothing at all may be there.

    Raises:
        NotAFile: If it is none.
    """
    try:
        _check(path, path.stat())
    except FileNotFoundError:
        return


def _opener(path: str, flags: int) -> int:
    check_file(Path(path))
    handle = os.open(path, flags | os.O_NONBLOCK, 0o666)
    try:
        _check(path, os.fstat(handle))  # Something else may be there by now.
    except OSError:
        os.close(handle)
        raise
    return handle


def _check(path: str | Path, found: os.stat_result) -> None:
    kind = stat.S_IFMT(found.st_mode)
    if kind != stat.S_IFREG:
        what = OTHERS.get(kind, "something else")
        raise NotAFile(errno.EINVAL, f"{what}, not a file", path)
