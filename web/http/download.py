"""Downloads, sent while they are made, so that a long game is never whole in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from flask import Response, stream_with_context

PART_BYTES = 1 << 16
"""The least size in bytes of each part that is sent, except the last."""


def download(pieces: Iterable[bytes], kind: str, name: str) -> Response:
    """Return a response that the browser saves as a file called *name*.

    The first part is made now, so that an error in it can still be answered with a
    page.

    Args:
        pieces: The content of the file, in pieces of any size.
        kind: Its content type.
        name: Its name.
    """
    parts = _join_pieces(pieces)
    body = chain([next(parts)], parts)
    response = Response(stream_with_context(body), content_type=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _join_pieces(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the pieces joined to larger parts: each part costs the server some time."""
    part = bytearray()
    for piece in pieces:
        part += piece
        if len(part) >= PART_BYTES:
            yield bytes(part)
            part.clear()
    yield bytes(part)
