"""Type names for plain values, so that one kind is not mistaken for another."""

from __future__ import annotations

from typing import Annotated, NewType

Dollars = Annotated[int, "dollars"]
"""A whole number of the edition's money; never a fraction, never a float."""

Balance = Annotated[int, "balance"]
"""The money of an account; unlike an amount that is moved, it may be 0."""

Drawn = Annotated[int, "drawn"]
"""A number that chance decides; no phone may choose it."""

Seat = NewType("Seat", str)
"""A place at the table, as a lower-case word: ``red``. A player may change seats."""

Account = NewType("Account", str)
"""An owner of money: a seat, or one of ``bank``, ``pot`` and ``vault``."""

GameId = NewType("GameId", str)
"""A game on this table, as in its address: twelve letters and digits."""

NO_GAME = GameId("")
"""The id in places where no game is meant."""

DeedId = NewType("DeedId", str)
"""A deed by its id in the edition's data: ``st-charles-place``."""

SeatWord = Annotated[str, "seat"]
"""A seat as somebody typed it; the rules check that it exists."""

DeedWord = Annotated[str, "deed"]
"""A deed as somebody typed it; the rules check that it exists."""

SpaceWord = Annotated[str, "space word"]
"""A space of the board as somebody typed it: a deed, a kind, ``chance@9``, a number."""

Name = Annotated[str, "name"]
"""A player's name; the rules trim and check it."""

TargetWord = Annotated[str, "target"]
"""A seat or a deed on which a card is used, as somebody typed it."""

ChoiceWord = Annotated[str, "choice"]
"""The option of a card that somebody chose, as a word."""

CardId = Annotated[str, "card"]
"""A card by its id in the edition's data, or by its code (``game/card_code.py``)."""

DrawnCardId = Annotated[str, "drawn card"]
"""The id of a card just drawn; its sentence also says whether to keep it."""

LotId = Annotated[str, "lot"]
"""A lot in an auction: a deed by its id, or a kind of building."""

SpaceNumber = Annotated[int, "space"]
"""A space by its number on the board; GO is 0."""

SpaceCount = Annotated[int, "spaces"]
"""How many spaces a token moves."""

Level = Annotated[int, "level"]
"""How many steps of a deed's building ladder are built."""

KeyCount = Annotated[int, "keys"]
"""A number of keys of the vault."""

HotelCount = Annotated[int, "hotels"]
"""A number of loose hotels."""

TicketCount = Annotated[int, "tickets"]
"""A number of bus tickets."""

Levels = Annotated[tuple[tuple[str, int], ...], "levels"]
"""Streets by their ids, each with the number of its ladder's steps that are built."""

DataWord = Annotated[str, "word"]
"""A word as edition files spell it: ``house_cost``, ``community-chest``, ``red``."""

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

CAMERA = "camera"
"""The actor that reports the decoder's verdict, if it is no seat."""

VAULT = Account("vault")
"""The money inside the vault."""
