"""The one door: whatever phones, wheel, lid and camera want comes through here.

``TableService`` is the only writer of games; ``VaultCoupling`` ties the lock to them.
"""

from companion.table.service import TableService

__all__ = ["TableService"]
