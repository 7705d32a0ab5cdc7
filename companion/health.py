"""The health of the machine, as findings: the condition of one thing, and a remedy.

``companion doctor`` prints them, and the banker's page shows the worst.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass


class Condition(enum.StrEnum):
    """The condition of one thing, from best to worst."""

    OK = "ok"
    UNKNOWN = "unknown"  # Cannot be checked here, such as a Pi's pins on a laptop.
    WARN = "warn"  # The table works, but something should be done before long.
    FAIL = "fail"  # Something does not work.


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of checking one thing.

    Attributes:
        topic: What was checked: ``pins.chip``. Other programs rely on these words.
        condition: The condition of that thing.
        words: The result as a sentence without a full stop.
        remedy: What to do about it; may be empty.
    """

    topic: str
    condition: Condition
    words: str
    remedy: str = ""


def worst(findings: Iterable[Finding]) -> Finding | None:
    """Return the first of the worst findings; ``None`` if none is WARN or FAIL."""
    order = (Condition.FAIL, Condition.WARN)
    bad = [finding for finding in findings if finding.condition in order]
    return min(bad, key=lambda f: order.index(f.condition), default=None)
