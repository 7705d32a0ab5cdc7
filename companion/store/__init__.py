"""What is on disk: journals and phones, in one SQLite file.

This package is the only part of the core that touches a file. ``append`` has
returned only when the entry is on the disk itself (write-ahead log, synchronous
FULL), so whatever anybody was told survives the plug being pulled.
"""

from companion.store.database import Database
from companion.store.journals import GameSummary, Journals
from companion.store.phones import Phone, Phones
from companion.store.ticks import Ticks
from companion.store.wishes import JoinRequest, Wish

__all__ = [
    "Database",
    "GameSummary",
    "JoinRequest",
    "Journals",
    "Phone",
    "Phones",
    "Ticks",
    "Wish",
]
