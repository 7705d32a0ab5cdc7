"""What the panel's pages may show of a game, as frozen values: the views.

A view is computed from the game alone and decides nothing: every button in it is a
move that ``rules.legal_moves`` lists. Its sentences are in English; the panel
translates them just before it sends a page. What several pages ask for is worked out
once for each state of a game (``book.py``).
"""
