"""Names for kinds of plain values, so that none is mistaken for another."""

from __future__ import annotations

from typing import Annotated, NewType

Dollars = Annotated[int, "dollars"]
"""A whole number of the edition's money; never a fraction, never a float."""

Balance = Annotated[int, "balance"]
"""The money of an account; unlike an amount that is moved, it may be 0."""

Drawn = Annotated[int, "drawn"]
"""A number that chance decides; no phone may choose it."""

Seat = NewType("Seat", str)
"""A place at the table: ``red``. A player may change seats."""

Account = NewType("Account", str)
"""An owner of money: a seat, or one of ``bank``, ``pot`` and ``vault``."""

GameId = NewType("GameId", str)
"""A game by its id: twelve letters and digits."""

NO_GAME = GameId("")
"""The id in places where no game is meant."""

DeedId = NewType("DeedId", str)
"""A deed by its id in the edition: ``st-charles-place``."""

SeatWord = Annotated[str, "seat"]
"""A seat as somebody typed it; it may not exist."""

DeedWord = Annotated[str, "deed"]
"""A deed as somebody typed it; it may not exist."""

SpaceWord = Annotated[str, "space word"]
"""A space as somebody typed it: a deed, a kind, ``chance@9``, a number."""

Name = Annotated[str, "name"]
"""A player's name; the rules trim and check it."""

TargetWord = Annotated[str, "target"]
"""A seat or a deed on which a card is used, as somebody typed it."""

ChoiceWord = Annotated[str, "choice"]
"""The option of a card that somebody chose, as a word."""

CardId = Annotated[str, "card"]
"""A card by its id in the edition, or by its code (``game/card_code.py``)."""

DrawnCardId = Annotated[str, "drawn card"]
"""The id of a card just drawn; its sentence also says whether to keep it."""

LotId = Annotated[str, "lot"]
"""What an auction sells: a deed by its id, or a kind of building."""

SpaceNumber = Annotated[int, "space"]
"""A space by its number on the board; GO is 0."""

SpaceCount = Annotated[int, "spaces"]
"""How many spaces a token moves."""

Level = Annotated[int, "level"]
"""How many buildings of a deed's ladder are built."""

KeyCount = Annotated[int, "keys"]
"""A number of keys of the vault."""

HotelCount = Annotated[int, "hotels"]
"""A number of loose hotels."""

TicketCount = Annotated[int, "tickets"]
"""A number of bus tickets."""

Levels = Annotated[tuple[tuple[str, int], ...], "levels"]
"""Streets by their ids, each with its level."""

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
"""The actor of a verdict that no seat reported."""

VAULT = Account("vault")
"""The money inside the vault."""
