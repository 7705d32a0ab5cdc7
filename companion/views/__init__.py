"""What a page may show of a game, as frozen values: one module for each page.

A view is computed from the game alone and holds no decision: every button in it is a
move that ``rules.legal_moves`` lists. Sentences are already words; the panel
translates them at its edge.
"""
