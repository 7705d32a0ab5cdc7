"""Unpacking HEIC, in a process of its own that holds no pins, no game and no secret.

A small file may ask for any amount of memory and time, and its decoder is C++ that has
had holes. So a guest's photo meets it behind a limit of memory, and can be given up at
any moment: this file is also that process's program, and knows nothing of the project.
"""

from __future__ import annotations

import os
import resource
import selectors
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

PYTHON = (sys.executable, "-I")
BYTES_MAX = 256_000_000
"""The memory that unpacking may take: 26 million pixels take 210 MB at most, with ten
bits a colour, and 140 MB as phones usually send them."""
HEADER = struct.Struct(">II4s")
"""What comes first: width, height, and Pillow's name for how pixels are packed."""
NO_LIBRARY = 3
"""The exit status that says that pi-heif is not there."""
POLL_S = 0.1
END_S = 5


@dataclass(frozen=True, slots=True)
class Unpacking:
    """A photo whose pixels come row by row, turned as the file says.

    Attributes:
        size: Width and height, known before anything is unpacked.
        mode: Pillow's name for how pixels are packed, with a byte for each letter.
        read: Gives the next so many bytes.
    """

    size: tuple[int, int]
    mode: str
    read: Callable[[int], bytes]


@contextmanager
def unpacking(data: bytes, check: Callable[[], object]) -> Iterator[Unpacking]:
    """Unpack the one picture that a HEIC file shows first, no thumbnail nor depth.

    Args:
        data: The whole file.
        check: Called again and again meanwhile; what it raises ends the work.

    Raises:
        ImportError: If this machine has no pi-heif.
        ValueError: If the file cannot be unpacked.
    """
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        process = subprocess.Popen(
            [*PYTHON, __file__, str(BYTES_MAX)],
            stdin=file,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    with process:
        try:
            *size, mode = HEADER.unpack(_read(process, HEADER.size, check))
            yield Unpacking(
                (size[0], size[1]),
                mode.rstrip(b"\0").decode("ascii"),
                lambda count: _read(process, count, check),
            )
        finally:
            process.kill()


def _read(
    process: subprocess.Popen[bytes], count: int, check: Callable[[], object]
) -> bytes:
    assert process.stdout is not None, "it was asked for"
    got = bytearray()
    with selectors.DefaultSelector() as waiting:
        waiting.register(process.stdout, selectors.EVENT_READ)
        while len(got) < count:
            check()
            if waiting.select(POLL_S):
                more = os.read(process.stdout.fileno(), count - len(got))
                if not more:
                    break
                got += more
    if len(got) == count:
        return bytes(got)
    status = process.wait(END_S)
    if status == NO_LIBRARY:
        raise ImportError("pi_heif")
    raise ValueError(f"unpacking ended with status {status}")


def _main() -> None:
    """Unpack what is on the standard input to the standard output."""
    limit = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    try:
        from pi_heif import open_heif, options

        options.THUMBNAILS = options.DEPTH_IMAGES = options.AUX_IMAGES = False
        options.DECODE_THREADS = 1
        photo = open_heif(sys.stdin.buffer.read())
    except ImportError:
        sys.exit(NO_LIBRARY)
    size = photo.size
    sys.stdout.buffer.write(HEADER.pack(*size, photo.mode.encode()))
    sys.stdout.buffer.flush()
    pixels = photo.data
    if photo.size != size:
        sys.exit(f"expected {size}, got {photo.size}")
    sys.stdout.buffer.write(pixels)


if __name__ == "__main__":
    _main()
