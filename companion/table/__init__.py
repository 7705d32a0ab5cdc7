"""The only way into the games: all that phones, wheel, lid and camera do comes here.

``build_table`` builds a whole table. Its ``TableService`` is the only writer of games;
``VaultCoupling`` connects the vault's lock with them.
"""

from companion.table.door import Table, build_table
from companion.table.service import TableService
from companion.table.vault_coupling import VaultParts

__all__ = ["Table", "TableService", "VaultParts", "build_table"]
