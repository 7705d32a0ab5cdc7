"""The parent of every event, apart so that each kind of play has its own page."""

from __future__ import annotations

import msgspec


class Event(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """Parent of all events."""
