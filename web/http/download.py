"""Files to keep, sent while they are made: a long game is never whole in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from flask import Response, stream_with_context

PART_BYTES = 1 << 16


def download(pieces: Iterable[bytes], kind: str, name: str) -> Response:
    """Return *pieces* as a file that a browser keeps under that *name*.

    The first part is made at once, so that a fault in it is said on a page.
    """
    parts = _parts(pieces)
    body = chain([next(parts)], parts)
    response = Response(stream_with_context(body), content_type=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _parts(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Put small pieces together: each part costs the server a turn."""
    part = bytearray()
    for piece in pieces:
        part += piece
        if len(part) >= PART_BYTES:
            yield bytes(part)
            part.clear()
    yield bytes(part)
