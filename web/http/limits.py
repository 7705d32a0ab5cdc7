"""Addresses with limits of their own: for photos, and the live stream."""

from __future__ import annotations

import re

PHOTO_PATHS = re.compile(
    r"/decoder/photo|/decks/(?:photo|read)|/g/[0-9a-f]{12}/challenge/photo"
)
"""Addresses that take a photo, or a deck's file; all others take short forms."""

STREAM_PATH = "/stream"
"""The address whose answer does not end."""


def takes_photo(path: str) -> bool:
    """Tell whether a photo may be sent to *path*."""
    return PHOTO_PATHS.fullmatch(path) is not None
