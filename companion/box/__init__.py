"""What this table read off its own game box: figures, cards and spaces nobody knew.

Readings typed in during games and those typed in for the box itself are merged; the
latest reading of each figure counts.
"""
