"""The base: the path under which all addresses of this server lie, such as ``/1``.

A club may run several servers behind one web server on one name. No page knows of that:
the base is taken off what comes in, before anything looks at it, and put before every
address that goes out.
"""

from __future__ import annotations

import re
from functools import partial

from flask import Flask, Response, request

ATTRIBUTES = (
    "href", "src", "srcset", "action", "formaction", "poster",
    "data-film", "data-glance", "data-stream", "data-vault-scene", "data-vault-state",
)  # fmt: skip
"""Attributes that hold addresses. What people type never stands in one of them: a name
may begin with a slash, too."""

FIELDS = ("onward", "picture")
"""Fields of JSON answers that hold addresses."""

ADDRESS = rb"(?=/(?!/))"
WRITTEN = {
    "text/html": re.compile(
        rb'(?<=\s)((?:%s)=")%s' % ("|".join(ATTRIBUTES).encode(), ADDRESS)
    ),
    "application/json": re.compile(
        rb'("(?:%s)":\s*")%s' % ("|".join(FIELDS).encode(), ADDRESS)
    ),
}
"""What stands before an address of ours, by the type of an answer. Wherever people's
words stand a quotation mark is escaped, so nothing there looks like it."""

COOKIE_PATH = re.compile(r"(?<=; Path=)/[^;]*")


def at_home(path: str, base: str) -> str:
    """Return *path* without *base*; one that does not lie under it stays as it is.

    Such a one is asked for by whoever is at home: a health check, or a web server that
    takes the base off itself.
    """
    if base and f"{path}/".startswith(f"{base}/"):
        return path.removeprefix(base) or "/"
    return path


def install_base(app: Flask, base: str) -> None:
    """Have all that *app* answers lead to addresses under *base*; nothing if empty.

    Call it before anything else that works on answers: it has to be the last that does.
    """
    if base:
        app.after_request(partial(_led_under, base))


def _led_under(base: str, response: Response) -> Response:
    headers = response.headers
    if where := headers.get("Location"):
        home = where.removeprefix(request.host_url.rstrip("/"))
        headers["Location"] = base + home if _is_ours(home) else where
    cookies = headers.getlist("Set-Cookie")
    headers.setlist("Set-Cookie", [_cookie_under(base, one) for one in cookies])
    written = WRITTEN.get(response.mimetype or "")
    if written and not response.is_streamed and not response.direct_passthrough:
        before = rb"\g<1>" + base.encode()
        response.set_data(written.sub(before, response.get_data()))
    return response


def _is_ours(address: str) -> bool:
    return address.startswith("/") and not address.startswith("//")


def _cookie_under(base: str, cookie: str) -> str:
    """Return a cookie that no other server of this name gets, or overwrites."""
    return COOKIE_PATH.sub(lambda path: (base + path[0]).rstrip("/"), cookie)
