"""Addresses to which more than a short form may be sent."""

from __future__ import annotations

PHOTO_PATHS = frozenset({"/decoder/photo", "/decks/photo"})
"""Addresses to which a photo may be sent; all others take only short forms."""
