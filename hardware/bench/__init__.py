"""Scripts to try the hardware while building it, one device each.

Run them by hand; their first line says how.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from companion.errors import CompanionError


@contextmanager
def in_words() -> Iterator[None]:
    """End with a sentence and status 1, not a traceback, if a device cannot do it."""
    try:
        yield
    except (CompanionError, OSError) as error:
        sys.exit(str(error))


def typed_number(default: int, allowed: range) -> int:
    """Return the number behind the script's name, or *default* if there is nothing.

    Anything else ends the script with a sentence and status 2.
    """
    words = sys.argv[1:]
    if not words:
        return default
    if len(words) > 1 or words[0] not in map(str, allowed):
        _refuse(f"a whole number from {allowed[0]} to {allowed[-1]}", f" {default}")
    return int(words[0])


def nothing_typed() -> None:
    """End with a sentence and status 2 if anything stands behind the script's name."""
    if sys.argv[1:]:
        _refuse("nothing behind the script's name", "")


def _refuse(wanted: str, instead: str) -> NoReturn:
    got, script = " ".join(sys.argv[1:]), Path(sys.argv[0]).stem
    remedy = f"type python -m hardware.bench.{script}{instead}"
    print(f"wanted {wanted}, got {got!r}; {remedy}", file=sys.stderr)
    sys.exit(2)
