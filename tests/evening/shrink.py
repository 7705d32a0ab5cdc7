"""Making an evening that fails short: the fewest steps and faults that still fail."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from tests.evening.evening import Outcome, Plan, play

TRIES_MAX = 160
"""How many evenings are played for that: some minutes of them."""


def shortest(plan: Plan, outcome: Outcome) -> tuple[Plan, Outcome]:
    """Return the shortest evening that was found to fail in the same way."""
    search = _Search(plan, outcome)
    before = None
    while search.plan != before:
        before = search.plan
        search.cut_end()
        search.keep_few("faults", outcome.faults)
        search.keep_few("acts", range(1, search.plan.steps + 1))
    return search.plan, search.outcome


class _Search:
    def __init__(self, plan: Plan, outcome: Outcome) -> None:
        self.plan, self.outcome = plan, outcome
        self._kind = kind_of(outcome.failure)
        self._tried: set[Plan] = set()

    def _fails(self, plan: Plan) -> bool:
        if len(self._tried) >= TRIES_MAX or plan in self._tried:
            return False
        self._tried.add(plan)
        outcome = play(plan)
        if kind_of(outcome.failure) != self._kind:
            return False
        self.plan, self.outcome = plan, outcome
        return True

    def cut_end(self) -> None:
        """Leave off what comes after the failure, and what is not needed before it."""
        if self.outcome.step <= self.plan.steps:
            self._fails(replace(self.plan, steps=self.outcome.step))
        low, high = -1, self.plan.steps
        while low + 1 < high:
            middle = (low + high) // 2
            if self._fails(replace(self.plan, steps=middle)):
                high = middle
            else:
                low = middle

    def keep_few(self, what: str, every: Collection[int]) -> None:
        """Keep as few of the steps with acts, or faults, as can be; drop many first."""
        named = getattr(self.plan, what)
        kept = [x for x in every if x <= self.plan.steps and x in (named or every)]
        self._fails(replace(self.plan, **{what: frozenset(kept)}))
        size = len(kept)
        while size:
            for begin in reversed(range(0, len(kept), size)):
                fewer = kept[:begin] + kept[begin + size :]
                if self._fails(replace(self.plan, **{what: frozenset(fewer)})):
                    kept = fewer
            size = min(size // 2, len(kept))


def kind_of(failure: str) -> str:
    """Return what two failures of one cause have in common: their first words."""
    return re.sub(r"[0-9a-f]{12}|\d+|'[^']*'|/\S*", "…", failure)[:60]
