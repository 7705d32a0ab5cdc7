"""Pages around a game: the host's list of games, joining, and the table's own screen.

The host opens games here and puts them away; phones take seats and leave them.
"""
