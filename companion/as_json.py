"""Encodes JSON for other programs and for the disk, with sentences in English.

All JSON goes through this module: ``msgspec`` alone refuses subclasses of ``str``, such
as a translatable sentence or an amount of money.
"""

from __future__ import annotations

from collections.abc import Set

import msgspec

from companion.errors import Refused


def _plain(value: object) -> object:
    """Replace a value that ``msgspec`` does not know by one that it does."""
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
    """Encode *value* as JSON.

    Args:
        value: Structs, containers, texts and numbers.
        is_sorted: Whether to sort, so that equal content gives equal bytes.

    Raises:
        NotImplementedError: If *value* holds anything else.
    """
    return (_SORTED if is_sorted else _ENCODER).encode(value)
