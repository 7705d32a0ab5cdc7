"""Addresses with limits of their own."""

from __future__ import annotations

PHOTO_PATHS = frozenset({"/decoder/photo", "/decks/photo"})
"""Addresses to which a photo may be sent; all others take only short forms."""

STREAM_PATH = "/stream"
"""The address whose answer does not end."""
