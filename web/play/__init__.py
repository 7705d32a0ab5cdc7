"""The pages of a game: turns, payments, deeds, trades, board, pause and end."""
