"""The names of accounts in the sentences of a game's pages."""

from __future__ import annotations

from companion.views.history import COMMON_NAMES
from companion.views.table import TableView


def names_in(view: TableView) -> dict[str, str]:
    """Return the name of every account in a sentence, by its id."""
    return {**COMMON_NAMES, **seat_names(view)}


def seat_names(view: TableView) -> dict[str, str]:
    """Return the players' names by their seats."""
    return {row.seat: row.name for row in view.seats}
