"""``companion doctor``: examines the machine and reports what is wrong with it.

A *look* is a small function from facts to findings; ``gather.py`` lists all of them.
"""
