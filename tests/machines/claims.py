"""The lines that the proofs of this folder print, one for each claim."""

from __future__ import annotations

import sys

failed: list[str] = []
"""The claims that did not hold, in order."""


def claim(words: str, holds: object, measured: object = "") -> None:
    """Print whether *words* hold, and go on."""
    if not holds:
        failed.append(words)
    shown = f" ({measured})" if measured else ""
    sys.stdout.write(f"{'holds ' if holds else 'FAILED'}  {words}{shown}\n")
    sys.stdout.flush()


def conclude() -> None:
    """Exit with 1 if a claim did not hold."""
    if failed:
        sys.exit(f"FAILED: {len(failed)} claims")
