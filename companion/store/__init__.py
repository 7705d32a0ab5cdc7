"""Storage: journals, phones, ticks and pictures, in an SQLite file or in PostgreSQL.

``Journals.append`` returns only once the entry is on the disk itself, so everything
that a page has shown survives a pulled plug.
"""

from companion.store.backup import back_up, restore
from companion.store.base import Act, Store
from companion.store.database import Database, close_to_others
from companion.store.journals import GameSummary, Journals
from companion.store.owner import as_owner
from companion.store.phones import JoinRequest, Phone, Phones, Wish

__all__ = [
    "Act",
    "Database",
    "GameSummary",
    "JoinRequest",
    "Journals",
    "Phone",
    "Phones",
    "Store",
    "Wish",
    "as_owner",
    "back_up",
    "close_to_others",
    "restore",
]
