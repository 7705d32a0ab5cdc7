"""Words for plain values that must not be mistaken for one another."""

from __future__ import annotations

from typing import NewType

Dollars = int
"""A whole number of the edition's money; never a fraction, never a float."""

Seat = NewType("Seat", str)
"""A place at the table, as a lower-case word: ``red``. A player may change seats."""

Account = NewType("Account", str)
"""Whose money it is: a seat, or one of ``bank``, ``pot`` and ``vault``."""

GameId = NewType("GameId", str)
"""A game on this table, as in its address: twelve letters and digits."""

NO_GAME = GameId("")
"""In place of an id, where no game is meant."""

DeedId = NewType("DeedId", str)
"""A deed by its id in the edition's data: ``st-charles-place``."""

Revision = NewType("Revision", int)
"""How many entries a journal has; 0 before the first."""

DurationMs = NewType("DurationMs", int)
"""A span of time in whole milliseconds."""

TimeMs = NewType("TimeMs", int)
"""Milliseconds since 1970-01-01 UTC, as the clock on the wall had it."""

BANK = Account("bank")
"""The only account that may go below zero; every dollar comes from it."""

POT = Account("pot")
"""Free Parking's pot, for tables that play with one."""

VAULT = Account("vault")
"""The money inside the vault."""
