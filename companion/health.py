"""How well the machine is: what a look at one thing found, and what to do about it.

``companion doctor`` prints findings, the banker's page says the worst of them in a
sentence, and the service manager's watchdog goes by those of the running table.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass


class Condition(enum.StrEnum):
    """How well one thing is, from best to worst."""

    OK = "ok"
    UNKNOWN = "unknown"  # Nothing here can tell, as of a Pi's pins on a laptop.
    WARN = "warn"  # The table plays, and something should be done before long.
    FAIL = "fail"  # Something does not work.


@dataclass(frozen=True, slots=True)
class Finding:
    """What a look at one thing found.

    Attributes:
        topic: What was looked at, as two words with a dot: ``pins.chip``. It stays
            the same from release to release, for programs that read it.
        condition: How well it is.
        words: What was found, as a sentence without a full stop.
        remedy: What to do about it; empty if there is nothing to do.
    """

    topic: str
    condition: Condition
    words: str
    remedy: str = ""


def worst(findings: Iterable[Finding]) -> Finding | None:
    """The first of the worst findings that ask for something; ``None`` if all is well.

    What cannot be told asks for nothing.
    """
    order = (Condition.FAIL, Condition.WARN)
    asking = [finding for finding in findings if finding.condition in order]
    return min(asking, key=lambda one: order.index(one.condition), default=None)
