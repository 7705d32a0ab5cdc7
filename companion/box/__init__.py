"""What this table read off its own box: figures, cards and spaces nobody else knew.

Readings of games and of the box itself are merged; the latest word counts.
"""
