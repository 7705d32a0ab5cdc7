"""Piles of bank notes: the number of notes of each value."""

from __future__ import annotations

from companion.units import Dollars

Notes = tuple[tuple[int, int], ...]
"""Pairs of a note's value and the number of such notes, the largest value first."""


def worth_of(notes: Notes) -> Dollars:
    """Return what a pile is worth, in dollars."""
    return sum(value * count for value, count in notes)


def together(pile: Notes, more: Notes) -> Notes:
    """Return two piles put together."""
    counts = dict(pile)
    for value, count in more:
        counts[value] = counts.get(value, 0) + count
    return tuple(sorted(counts.items(), reverse=True))
