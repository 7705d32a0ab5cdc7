"""Unpack HEIC in a child process that holds no pins, no games and no secrets.

A small file may demand any amount of memory and time, and the decoder is C++ that has
had security holes. So the child has a limit of memory, and can be killed at any moment.
It runs this file, which therefore imports nothing of the project.
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
"""How the child starts: isolated from the folder, the settings and the user."""
BYTES_MAX = 256_000_000
"""The memory that unpacking may take. 26 million pixels need 140 MB as phones usually
send them, and 210 MB with ten bits per colour."""
CPU_S = 60
"""The processor's time that it may take; nobody stops it once the table was killed."""
HEADER = struct.Struct(">II4s")
"""The head of the child's output: width, height, and Pillow's name of the mode."""
NO_LIBRARY = 3
"""The child's exit status if pi-heif is not installed."""
POLL_S = 0.1
"""How often *check* is called while the child says nothing."""
END_S = 5
"""How long the child may take to end once its output has ended."""


@dataclass(frozen=True, slots=True)
class Unpacking:
    """A photo whose pixels come row by row, upright.

    Attributes:
        size: Width and height, known before anything is unpacked.
        mode: Pillow's name for how pixels are packed; each letter stands for a byte.
        read: Returns the next bytes of the pixels, as many as asked for.
    """

    size: tuple[int, int]
    mode: str
    read: Callable[[int], bytes]


@contextmanager
def unpacking(data: bytes, check: Callable[[], object]) -> Iterator[Unpacking]:
    """Unpack the main picture of a HEIC file, without thumbnail or depth.

    Args:
        data: The whole file.
        check: Called again and again meanwhile; it may raise to end the work.

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
    """Read *count* bytes from the child; fail if it ends before."""
    assert process.stdout is not None, "it was asked for"
    received = bytearray()
    with selectors.DefaultSelector() as waiting:
        waiting.register(process.stdout, selectors.EVENT_READ)
        while len(received) < count:
            check()
            if waiting.select(POLL_S):
                more = os.read(process.stdout.fileno(), count - len(received))
                if not more:
                    break
                received += more
    if len(received) == count:
        return bytes(received)
    status = process.wait(END_S)
    if status == NO_LIBRARY:
        raise ImportError("pi_heif")
    raise ValueError(f"unpacking ended with status {status}")


def _main() -> None:
    """Unpack the HEIC at standard input: what the child does."""
    limit = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
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
