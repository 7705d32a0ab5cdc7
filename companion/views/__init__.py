"""The views: frozen values with all that the panel's pages may show of a game.

A view is computed from the game alone and decides nothing: every button in it is a move
that ``rules.legal_moves`` lists. Its sentences are in English; the panel translates
them just before it sends a page. Results that several pages need are computed once for
each state of a game (``book.py``).
"""
