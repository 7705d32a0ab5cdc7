"""What the proofs of this folder print: one line for each claim."""

from __future__ import annotations

import sys

failed: list[str] = []
"""The claims that did not hold, in order."""


def claim(words: str, holds: object, measured: object = "") -> None:
    """Say whether *words* hold, and go on."""
    if not holds:
        failed.append(words)
    shown = f" ({measured})" if measured else ""
    sys.stdout.write(f"{'holds ' if holds else 'FAILED'}  {words}{shown}\n")
    sys.stdout.flush()
