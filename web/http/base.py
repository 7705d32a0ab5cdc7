"""The base: a path before all addresses of this server, such as ``/1``.

A club may run several servers behind one web server, on one host name. The pages do not
know of that: the base is removed from each request's path before anything reads it, and
put before every address in a response.
"""

from __future__ import annotations

import re
from functools import partial

from flask import Flask, Response, request

ATTRIBUTES = (
    "href", "src", "srcset", "action", "formaction", "poster",
    "data-film", "data-glance", "data-stream", "data-vault-scene", "data-vault-state",
)  # fmt: skip
"""Attributes that hold addresses.

None of them may hold a text that people type: a name may begin with a slash, too.
"""

FIELDS = ("onward", "picture")
"""Fields of JSON answers that hold addresses."""

ADDRESS = rb"(?=/(?!/))"
BEFORE_ADDRESS = {
    "text/html": re.compile(
        rb'(?<=\s)((?:%s)=")%s' % ("|".join(ATTRIBUTES).encode(), ADDRESS)
    ),
    "application/json": re.compile(
        rb'("(?:%s)":\s*")%s' % ("|".join(FIELDS).encode(), ADDRESS)
    ),
}
"""What stands before an address of ours, by the content type of a response.

In texts that people typed, quotation marks are escaped, so none of them can match.
"""

COOKIE_PATH = re.compile(r"(?<=; Path=)/[^;]*")


def at_home(path: str, base: str) -> str:
    """Return *path* without *base*; unchanged if it does not begin with it.

    Paths without the base come from a local health check, or from a web server that
    removes the base itself.
    """
    if base and f"{path}/".startswith(f"{base}/"):
        return path.removeprefix(base) or "/"
    return path


def install_base(app: Flask, base: str) -> None:
    """Have *app* put *base* before every address in its responses, if it is not empty.

    Install this before anything else that changes responses: Flask calls such functions
    in reverse order, and this one must see the final response.
    """
    if base:
        app.after_request(partial(_with_base, base))


def _with_base(base: str, response: Response) -> Response:
    """Put *base* before the addresses in a response's headers, cookies and body."""
    headers = response.headers
    if location := headers.get("Location"):
        path = location.removeprefix(request.host_url.rstrip("/"))
        headers["Location"] = base + path if _is_ours(path) else location
    cookies = headers.getlist("Set-Cookie")
    headers.setlist("Set-Cookie", [_cookie_with_base(base, x) for x in cookies])
    pattern = BEFORE_ADDRESS.get(response.mimetype or "")
    if pattern and not response.is_streamed and not response.direct_passthrough:
        replacement = rb"\g<1>" + base.encode()
        response.set_data(pattern.sub(replacement, response.get_data()))
    return response


def _is_ours(address: str) -> bool:
    return address.startswith("/") and not address.startswith("//")


def _cookie_with_base(base: str, cookie: str) -> str:
    """Limit a ``Set-Cookie`` header to *base*, so no other server here gets it."""
    return COOKIE_PATH.sub(lambda path: (base + path[0]).rstrip("/"), cookie)
