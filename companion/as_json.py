"""Encodes all JSON, with sentences in English.

``msgspec`` alone refuses subclasses of ``str``: translatable sentences and amounts.
"""

from __future__ import annotations

from collections.abc import Set

import msgspec

from companion.errors import Refused


def _plain(value: object) -> object:
    """Replace a value that ``msgspec`` refuses by one that it accepts."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Set):
        return sorted(value)
    if isinstance(value, Refused):
        return {"why": value.why, "message": value.message, "remedy": value.remedy}
    raise NotImplementedError(f"{type(value).__name__} has no form in JSON")


_ENCODER = msgspec.json.Encoder(enc_hook=_plain)
_SORTED = msgspec.json.Encoder(enc_hook=_plain, order="sorted")


def to_json(value: object, *, is_sorted: bool = False) -> bytes:
    """Encode structs, containers, texts and numbers as JSON.

    If *is_sorted*, equal content gives equal bytes.

    Raises:
        NotImplementedError: If *value* holds anything else.
    """
    return (_SORTED if is_sorted else _ENCODER).encode(value)
