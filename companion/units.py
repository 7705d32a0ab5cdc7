"""Type names for plain values, so that one is not mistaken for another."""

from __future__ import annotations

from typing import Annotated, NewType

Dollars = Annotated[int, "dollars"]
"""A whole number of the edition's money; never a fraction, never a float."""

Balance = Annotated[int, "balance"]
"""What an account has; unlike an amount that is moved, it may be 0."""

Drawn = Annotated[int, "drawn"]
"""A number that chance decides, which nobody may say."""

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

SeatWord = Annotated[str, "seat"]
"""A seat as somebody named it; the rules say whether there is one."""

DeedWord = Annotated[str, "deed"]
"""A deed as somebody named it, likewise."""

SpaceWord = Annotated[str, "space word"]
"""A space of the board as somebody named it: a deed, a kind, ``chance@9``, a number."""

Name = Annotated[str, "name"]
"""What a player is called; the rules cut and check it."""

TargetWord = Annotated[str, "target"]
"""A seat or a deed on which a card is used, as somebody named it."""

ChoiceWord = Annotated[str, "choice"]
"""What somebody chose among what a card offers, as a word."""

CardId = Annotated[str, "card"]
"""A card by its id in the edition's data, or by its code (``game/card_code.py``)."""

DrawnCardId = Annotated[str, "drawn card"]
"""The same of a card just drawn; its sentence also says whether to keep it."""

LotId = Annotated[str, "lot"]
"""What is sold by auction: a deed by its id, or a kind of building."""

SpaceNumber = Annotated[int, "space"]
"""A space by its number on the board; GO is 0."""

SpaceCount = Annotated[int, "spaces"]
"""How many spaces a token goes."""

Level = Annotated[int, "level"]
"""How many steps of a deed's building ladder stand there."""

KeyCount = Annotated[int, "keys"]
"""How many keys of the vault."""

HotelCount = Annotated[int, "hotels"]
"""How many loose hotels."""

TicketCount = Annotated[int, "tickets"]
"""How many bus tickets."""

Levels = Annotated[tuple[tuple[str, int], ...], "levels"]
"""Streets by their ids, and for each how many steps of its ladder stand there."""

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
"""Whoever says what the decoder shows, where it is no seat."""

VAULT = Account("vault")
"""The money inside the vault."""
