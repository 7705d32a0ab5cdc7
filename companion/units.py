"""Type names for plain values, so that one is not mistaken for another."""

from __future__ import annotations

from typing import NewType

Dollars = int
"""A whole number of the edition's money; never a fraction, never a float."""

Seat = NewType("Seat", str)
"""A place at the table, as a lower-case word: ``red``. A player may change seats."""

Account = NewType("Account", str)
"""An owner of money: a seat, or one of ``bank``, ``pot`` and ``vault``."""

GameId = NewType("GameId", str)
"""A game on this table, as in its address: twelve letters and digits."""

NO_GAME = GameId("")
"""Stands in for an id where no game is meant."""

DeedId = NewType("DeedId", str)
"""A deed by its id in the edition's data: ``st-charles-place``."""

Revision = NewType("Revision", int)
"""How many entries a journal has; 0 before the first."""

DurationMs = NewType("DurationMs", int)
"""A span of time in whole milliseconds."""

TimeMs = NewType("TimeMs", int)
"""A moment by the wall clock, in milliseconds since 1970-01-01 UTC."""

BANK = Account("bank")
"""The only account that may go below zero; every dollar comes from it."""

POT = Account("pot")
"""Free Parking's pot, for tables that play with one."""

VAULT = Account("vault")
"""The money inside the vault."""
