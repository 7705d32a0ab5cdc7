"""Extracts what people read of an edition's file, for the catalogues of translations.

Babel calls it: ``[tool.babel]`` in ``pyproject.toml`` names it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import BinaryIO


def readings(
    file: BinaryIO, *_: object, options: object
) -> Iterator[tuple[int, str, str, tuple[str, ...]]]:
    """Yield the words of the rules that the sheets leave open; no line is named.

    Where an option decides, its own answer is said in place of *other*.
    """
    for row in tomllib.load(file).get("reading", ()):
        for key in ("topic", "first", "other"):
            if key != "other" or "option" not in row:
                yield 0, "", row[key], ()
