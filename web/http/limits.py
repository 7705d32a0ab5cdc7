"""Addresses with limits of their own."""

from __future__ import annotations

PHOTO_PATHS = frozenset({"/decoder/photo", "/decks/photo", "/decks/read"})
"""Addresses to which a photo, or a deck learnt from some, may be sent.

All others take only short forms.
"""

STREAM_PATH = "/stream"
"""The address whose answer does not end."""
