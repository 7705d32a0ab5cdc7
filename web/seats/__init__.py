"""Joining and leaving: the host's games, taking a seat, and the table's own screen."""
