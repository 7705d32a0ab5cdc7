"""Readings of this table's own game box: figures, cards and spaces its edition lacks.

Readings typed in during games and those typed in for the box itself are merged; the
latest reading of each figure counts.
"""
