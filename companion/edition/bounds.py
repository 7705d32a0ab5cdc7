"""Bounds on a file before it is parsed: a stranger's file must not keep a table busy.

The time to parse a dotted key grows with the square of its length, and each header,
entry and mistake costs more time afterwards. The bounds are far above what an edition
needs: the largest built-in one has 50,000 characters, 230 headers and 1,900 figures.

Nothing is parsed to check them. Strings, comments and names are taken out of the text,
and the signs that are left (``= , . [ ] { }``) are counted.
"""

from __future__ import annotations

import re
from typing import Final

LENGTH_MAX: Final = 200_000
"""The most characters of a text, and bytes of a file."""

TABLES_MAX: Final = 1_000
"""The most headers, such as ``[money]`` or ``[[deed]]``."""

FIGURES_MAX: Final = 8_000
"""The most keys with a value, counted by the signs ``=``."""

LISTED_MAX: Final = 8_000
"""The most values in lists, counted by commas."""

NAMES_MAX: Final = 8
"""The most names in one dotted key, such as ``space.rents.note``."""

NESTED_MAX: Final = 20
"""The most lists and tables inside one another."""

_CONTENT: Final = re.compile(
    r'"""(?:[^\\]|\\.)*?(?:"{3,5}|\\?\Z)'  # Text of several lines, which may
    r"|'''.*?(?:'{3,5}|\Z)"  # end in two quotes of its own,
    r'|"(?:[^"\\\n]|\\.)*"?'  # text of one line,
    r"|'[^'\n]*'?"
    r"|\#[^\n]*"  # a comment,
    r"""|[^"'\#.=\[\]{},\n]+""",  # names and numbers: all but the signs between them.
    re.DOTALL,
)
"""Matches everything in TOML but the signs that are counted."""


def why_too_large(text: str) -> str:
    """Return why *text* is too large to be parsed, in linear time; empty if not."""
    if len(text) > LENGTH_MAX:
        return (
            f"expected at most {LENGTH_MAX:,} characters, got {len(text):,}; leave out "
            "what no edition needs"
        )
    signs = _CONTENT.sub("", text)
    for count, maximum, counted in (
        (f"\n{signs}".count("\n["), TABLES_MAX, "headers"),
        (signs.count("="), FIGURES_MAX, "figures"),
        (signs.count(","), LISTED_MAX, "values in lists"),
        (_count_names(signs), NAMES_MAX, "names in one key"),
        (_measure_depth(signs), NESTED_MAX, "lists inside one another"),
    ):
        if count > maximum:
            return (
                f"expected at most {maximum:,} {counted}, got more; leave out what no "
                "edition needs"
            )
    return ""


def _count_names(signs: str) -> int:
    """Count the names in the longest dotted key."""
    return 1 + max(map(len, re.findall(r"\.+", signs)), default=0)


def _measure_depth(signs: str) -> int:
    """Count the lists and tables inside one another where they are deepest."""
    depth = deepest = 0
    for sign in re.findall(r"[\[\]{}]", signs):
        depth = depth + 1 if sign in "[{" else max(0, depth - 1)
        deepest = max(deepest, depth)
    return deepest
