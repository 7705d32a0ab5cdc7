"""How the machine is: what ``companion doctor`` looks at, and what it says.

A look is a small function from facts to findings, and ``looks.py`` lists them all.
"""
