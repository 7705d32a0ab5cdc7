"""Pages about each box (edition): all its figures, with the source of each.

Where a figure is unknown, the table can type in what its own box says, or read a file
in which another table shared its figures.
"""
