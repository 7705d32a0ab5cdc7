"""The pages of one game: turns, payments, deeds, trades, board, pause and end.

Forms and JSON from phones become commands here (``forms.py``, ``api.py``);
the rules in ``companion`` decide them.
"""
