"""A matrix of cases: the quick tests try the first ones, the proofs all others; of the
proofs, CI tries a few, and those called ``volume`` only run when all proofs do."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Final

import pytest

SLOW: Final = pytest.mark.slow
VOLUME: Final = pytest.mark.volume


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
