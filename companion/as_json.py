"""JSON for other programs and for the disk; a translatable sentence is English there.

Everything that the program writes as JSON goes through here: ``msgspec`` refuses a
subclass of ``str``, so a sentence or an amount that came along would end a command.
"""

from __future__ import annotations

from collections.abc import Set

import msgspec

from companion.errors import Refused


def _plain(value: object) -> object:
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
    """Return *value* as JSON.

    Args:
        value: Structs, containers, texts and numbers.
        is_sorted: Write the same content to the same bytes, whatever its order.

    Raises:
        NotImplementedError: If anything in *value* is neither.
    """
    return (_SORTED if is_sorted else _ENCODER).encode(value)
