"""The base: a path before all addresses of this server, such as ``/1``.

A club may run several servers behind one web server, on one host name, and tell them
apart by their bases. Pages and templates do not know the base: it is removed from each
request's path before anything reads that, and put before every address in a response.
"""

from __future__ import annotations

import re
from functools import partial

from flask import Flask, Response, request

ATTRIBUTES = (
    "href", "src", "srcset", "action", "formaction", "poster",
    "data-film", "data-glance", "data-stream", "data-vault-scene", "data-vault-state",
)  # fmt: skip
"""The attributes in our pages that hold addresses.

None of them may hold a text that people type: one that begins with a slash would be
taken for an address.
"""

FIELDS = ("onward", "picture")
"""The fields of JSON answers that hold addresses."""

ADDRESS = rb"(?=/(?!/))"
"""Matches the place before an address of this table: one slash, not two."""

BEFORE_ADDRESS = {
    "text/html": re.compile(  # Such as: href="
        rb'(?<=\s)((?:%s)=")%s' % ("|".join(ATTRIBUTES).encode(), ADDRESS)
    ),
    "application/json": re.compile(  # Such as: "onward": "
        rb'("(?:%s)":\s*")%s' % ("|".join(FIELDS).encode(), ADDRESS)
    ),
}
"""Matches the text before an address in a response, by its content type.

A text that a person typed cannot match, since its quotation marks are escaped.
"""

COOKIE_PATH = re.compile(r"(?<=; Path=)/[^;]*")
"""Matches the path in a ``Set-Cookie`` header."""


def remove_base(path: str, base: str) -> str:
    """Return *path* without *base*; unchanged if it does not begin with it.

    A path without the base comes from a local health check, or from a web server that
    removes the base itself.
    """
    if base and f"{path}/".startswith(f"{base}/"):
        return path.removeprefix(base) or "/"
    return path


def install_base(app: Flask, base: str) -> None:
    """Have *app* put *base*, if it is not empty, before every address in its responses.

    Install this before anything else that changes responses: Flask calls the last one
    first, and this one must see the final response.
    """
    if base:
        app.after_request(partial(_add_base, base))


def _add_base(base: str, response: Response) -> Response:
    headers = response.headers
    if location := headers.get("Location"):
        path = location.removeprefix(request.host_url.rstrip("/"))
        headers["Location"] = base + path if _is_ours(path) else location
    cookies = headers.getlist("Set-Cookie")
    own_cookies = [_limit_cookie(base, cookie) for cookie in cookies]
    headers.setlist("Set-Cookie", own_cookies)
    pattern = BEFORE_ADDRESS.get(response.mimetype or "")
    if pattern and not response.is_streamed and not response.direct_passthrough:
        replacement = rb"\g<1>" + base.encode()
        response.set_data(pattern.sub(replacement, response.get_data()))
    return response


def _is_ours(address: str) -> bool:
    """Tell whether an address is a path of this table, not one on another host."""
    return address.startswith("/") and not address.startswith("//")


def _limit_cookie(base: str, cookie: str) -> str:
    """Limit a ``Set-Cookie`` header to *base*, to keep it from the other servers."""
    return COOKIE_PATH.sub(lambda path: (base + path[0]).rstrip("/"), cookie)
