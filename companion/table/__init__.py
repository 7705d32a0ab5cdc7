"""The only way into the games: whatever phones, wheel, lid and camera do comes here.

``TableService`` is the only writer of games; ``VaultCoupling`` connects the vault's
lock with them.
"""

from companion.table.service import TableService

__all__ = ["TableService"]
