"""Findings as a person reads them in a terminal, and as a program does."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator

from companion.health import Condition, Finding

COLOURS = {
    Condition.OK: "green",
    Condition.UNKNOWN: "cyan",
    Condition.WARN: "yellow",
    Condition.FAIL: "red",
}
CONDITION_WIDTH = max(map(len, Condition))
TOPIC_WIDTH = 20
INDENT = CONDITION_WIDTH + 2 + TOPIC_WIDTH


def lines_of(finding: Finding, width: int, condition: str) -> Iterator[str]:
    """A finding in lines of *width*: the words, and below them what to do.

    Args:
        finding: What was found.
        width: Columns of the terminal.
        condition: Its condition as it is to be printed, padded and perhaps coloured.
    """
    room = max(20, width - INDENT)
    words = _wrapped(finding.words, room) or [""]
    yield f"{condition}  {finding.topic:<{TOPIC_WIDTH}}{words[0]}".rstrip()
    yield from (f"{'':{INDENT}}{line}" for line in words[1:])
    remedy = f"→ {finding.remedy}" if finding.remedy else ""
    for number, line in enumerate(_wrapped(remedy, room - 2)):
        yield f"{'':{INDENT + (2 if number else 0)}}{line}"


def _wrapped(text: str, width: int) -> list[str]:
    """*text* in lines; a command is not cut in two at a hyphen."""
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)


def summary(findings: Iterable[Finding]) -> str:
    """How many of each condition, in a sentence."""
    counts = Counter(finding.condition for finding in findings)
    if not counts[Condition.WARN] and not counts[Condition.FAIL]:
        unknown = counts[Condition.UNKNOWN]
        return "All is well" + (
            f", as far as can be told ({unknown} unknown)." if unknown else "."
        )
    told = (f"{counts[one]} {one}" for one in reversed(Condition) if counts[one])
    return ", ".join(told) + "."
