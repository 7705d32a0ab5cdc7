"""A matrix of cases: the quick tests try the first ones, the proofs all others.

Of the proofs of a matrix CI tries a few, which the commit draws: other ones with each.
The others are marked ``volume``, as is what tries one thing hundreds of times. The last
lines of a run say who drew; ``DRAWN_BY=`` of that draws the same again.

Each test has its price, run or not: where rows take no time, one test tries them all.
"""

from __future__ import annotations

import os
import random
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache, wraps
from inspect import Parameter, Signature, signature
from typing import Any, Final

import pytest

SLOW: Final = pytest.mark.slow
VOLUME: Final = pytest.mark.volume

ROWS_MAX = 3
"""How many rows of a matrix CI proves at most; of one with fewer than ten, one."""

Check = Callable[..., None]
Proofs = Callable[[Iterable[object]], list[object]]


def sampled(cases: Iterable[object], quick_count: int = 1) -> list[object]:
    """*cases* for ``parametrize``; those after the first *quick_count* are proofs."""
    every = list(cases)
    return [*every[:quick_count], *proven(every[quick_count:])]


def proven(cases: Iterable[object]) -> list[object]:
    """*cases*, all of them proofs."""
    return [pytest.param(case, marks=SLOW) for case in cases]


def volume(cases: Iterable[object]) -> list[object]:
    """*cases*, all of them proofs that CI never draws."""
    return [pytest.param(case, marks=(SLOW, VOLUME)) for case in cases]


def each(names: str | Sequence[str], cases: Iterable[Any]) -> Callable[[Check], Check]:
    """Run all rows in one test, which names each row that fails.

    All rows have the same fixtures: it is for tests that leave those as they are.
    """
    return _batches(names, [pytest.param(list(cases), id=pytest.HIDDEN_PARAM)])


def tens(
    name: str, cases: Sequence[Any], proofs: Proofs = volume
) -> Callable[[Check], Check]:
    """Run ten rows in each test, which is a proof: one that CI leaves out, or draws."""
    batches = (cases[at : at + 10] for at in range(0, len(cases), 10))
    return _batches(name, proofs(batches))


def _batches(
    names: str | Sequence[str], batches: Iterable[Any]
) -> Callable[[Check], Check]:
    columns = [names] if isinstance(names, str) else names

    def over(check: Check) -> Check:
        @wraps(check)
        def test(
            batch: Iterable[Any], subtests: pytest.Subtests, **fixtures: object
        ) -> None:
            for case in batch:
                values = [case] if isinstance(names, str) else case
                row = dict(zip(columns, values, strict=True))
                with subtests.test(**row):
                    check(**row, **fixtures)

        asked = [
            x for x in signature(check).parameters.values() if x.name not in columns
        ]
        more = [Parameter(x, Parameter.KEYWORD_ONLY) for x in ("batch", "subtests")]
        test.__signature__ = Signature([*asked, *more])  # type: ignore[attr-defined]
        return pytest.mark.parametrize("batch", batches)(test)

    return over


@cache
def drawn_by() -> str:
    """Return what draws: what ``DRAWN_BY`` says, or the commit, or 0 without git."""
    head = ("git", "rev-parse", "--short=10", "HEAD")
    commit = ""
    with suppress(FileNotFoundError):
        found = subprocess.run(head, capture_output=True, text=True, check=False)
        commit = found.stdout.strip()
    return os.environ.get("DRAWN_BY") or commit or "0"


def draw(items: Iterable[pytest.Item]) -> None:
    """Draw some proofs of each matrix, and mark the others as volume.

    A matrix is a test with rows; what a module tries on PostgreSQL as well; and what it
    looks at in a browser, page by page, at each size and without script: half of that.
    """
    matrices = defaultdict(list)
    for item in items:
        marks = {mark.name for mark in item.iter_markers()}
        row = getattr(item, "callspec", None)
        if "slow" not in marks or "volume" in marks or not (row or "browser" in marks):
            continue
        file, _, test = item.nodeid.partition("::")
        name = test.partition("[")[0] if row else "browser"
        if row and row.params.get("kept_by") == "postgres":
            name = "PostgreSQL"
        matrices[file, name].append(item)
    for (file, name), rows in matrices.items():
        count = min(ROWS_MAX, 1 + len(rows) // 10)
        if name == "browser":
            count = (len(rows) + 1) // 2
        dice = random.Random(f"{drawn_by()} {file} {name}")
        for item in dice.sample(rows, len(rows) - count):
            item.add_marker(VOLUME)
