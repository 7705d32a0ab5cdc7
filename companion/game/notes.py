"""Piles of notes: which ones, and how many of each."""

from __future__ import annotations

from companion.units import Dollars

Notes = tuple[tuple[int, int], ...]
"""Value of a note and how many, the largest first."""


def worth_of(notes: Notes) -> Dollars:
    """What a pile is worth."""
    return sum(value * count for value, count in notes)


def together(pile: Notes, more: Notes) -> Notes:
    """Two piles as one."""
    counts = dict(pile)
    for value, count in more:
        counts[value] = counts.get(value, 0) + count
    return tuple(sorted(counts.items(), reverse=True))
