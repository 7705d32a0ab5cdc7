"""A matrix of cases: the quick tests try the first ones, the proofs all others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import pytest

SLOW: Final = pytest.mark.slow


def sampled(cases: Iterable[object], quick_count: int = 1) -> list[object]:
    """*cases* for ``parametrize``; those after the first *quick_count* are proofs."""
    every = list(cases)
    others = (pytest.param(case, marks=SLOW) for case in every[quick_count:])
    return [*every[:quick_count], *others]
