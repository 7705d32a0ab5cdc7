"""A matrix of cases: the quick tests try the first ones, the proofs all others; of the
proofs, CI tries a few, and those called ``volume`` only run when all proofs do.

Each test has its price, run or not: where rows take no time, one test tries them all.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any, Final

import pytest

SLOW: Final = pytest.mark.slow
VOLUME: Final = pytest.mark.volume

Check = Callable[..., None]


def sampled(
    cases: Iterable[object], quick_count: int = 1, few: int = sys.maxsize
) -> list[object]:
    """*cases* for ``parametrize``; those after the first *quick_count* are proofs.

    Of these, those after the first *few* are volume.
    """
    every = list(cases)
    return [*every[:quick_count], *proven(every[quick_count:], few)]


def proven(cases: Iterable[object], few: int) -> list[object]:
    """*cases*, all of them proofs; those after the first *few* are volume."""
    every = list(cases)
    first = [pytest.param(case, marks=SLOW) for case in every[:few]]
    return first + [pytest.param(case, marks=(SLOW, VOLUME)) for case in every[few:]]


def each(names: str | Sequence[str], cases: Iterable[Any]) -> Callable[[Check], Check]:
    """Run all rows in one test, which names each row that fails.

    All rows have the same fixtures: it is for tests that leave those as they are.
    """
    return _batches(names, [pytest.param(list(cases), id=pytest.HIDDEN_PARAM)])


def tens(name: str, cases: Sequence[Any], few: int = 0) -> Callable[[Check], Check]:
    """Run ten rows in each test; those after the first *few* are volume."""
    batches = (cases[at : at + 10] for at in range(0, len(cases), 10))
    return _batches(name, proven(batches, few))


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
