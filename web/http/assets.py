"""Static files, compressed and with a version in their address; security headers.

No page may load or run anything from another machine, or send anything to one. Two
things are inlined in every page, so that they cannot get lost on the way: the first
script, which makes sure that the others arrive, and the states by which a page follows
the table.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import mimetypes
import re
from base64 import b64encode
from functools import cache
from pathlib import Path

from flask import Flask, Response, request, url_for
from markupsafe import Markup

from companion.as_json import to_json

STATIC = Path(__file__).parents[1] / "static"
COMMENT = re.compile(r"/\*.*?\*/|\s+// .*?$|^\s+", re.DOTALL | re.MULTILINE)
FIRST = COMMENT.sub("", (STATIC / "first.js").read_text(encoding="utf-8"))
"""The script that is inlined in every page, without its comments."""
FIRST_HASH = b64encode(hashlib.sha256(FIRST.encode()).digest()).decode()
EXPLANATIONS = ("states", "stimuli", "effects")
"""Keys in ``following.json`` whose values are for readers of that file."""


def _without_explanations(table: object) -> object:
    """Drop the explanations from a JSON object and from all objects in it."""
    if not isinstance(table, dict):
        return table
    return {
        key: _without_explanations(value)
        for key, value in table.items()
        if key not in EXPLANATIONS
    }


FOLLOWING = to_json(
    _without_explanations(json.loads((STATIC / "following.json").read_bytes()))
).decode()
"""The states by which a page follows the table, as JSON without explanations."""

POLICY = "; ".join(
    (
        "default-src 'none'",
        f"script-src 'self' 'sha256-{FIRST_HASH}'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "manifest-src 'self'",
        "media-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
"""The Content-Security-Policy of every page: no other inline script or style runs."""

DRAWING_POLICY = "; ".join(
    (
        "default-src 'none'",
        "style-src 'unsafe-inline'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
"""The policy of a drawing with an inline style, which may load and run nothing."""

DAY_S = 24 * 3600
"""How long a browser keeps a font, whose address in style sheets has no version."""

YEAR_S = 365 * DAY_S

TEXTS = frozenset((".css", ".js", ".json", ".svg", ".webmanifest"))
"""Suffixes of files worth compressing; pictures, fonts and films are compressed."""


def install_assets(app: Flask) -> None:
    """Give templates ``asset`` and ``font``, and responses their security headers."""
    folder = Path(app.static_folder or "")

    @cache
    def asset(name: str) -> str:
        """Return the address of a static file, which changes whenever the file does."""
        version = hashlib.blake2b((folder / name).read_bytes(), digest_size=6)
        return url_for("static", filename=name, v=version.hexdigest())

    @cache
    def font(name: str) -> str:
        """Return the address of a font as style sheets have it, without a version."""
        return url_for("static", filename=f"vendor/{name}.woff2")

    mimetypes.add_type("application/manifest+json", ".webmanifest")
    app.jinja_env.globals |= {
        "asset": asset,
        "font": font,
        "first_script": Markup(FIRST),
        "following": Markup(FOLLOWING),
    }
    _serve_compressed(app, folder)
    app.after_request(_with_headers)


def _serve_compressed(app: Flask, folder: Path) -> None:
    """Have *app* send text files gzipped to browsers that accept that.

    Each is compressed once, when it is first asked for: a small Pi has no time to do it
    for every phone, nor for all files while it starts.
    """
    texts = {
        path.relative_to(folder).as_posix(): path
        for path in folder.rglob("*")
        if path.suffix in TEXTS
    }

    @cache
    def compressed(name: str) -> tuple[bytes, str]:
        """Return a file gzipped, and the ETag of the gzipped form."""
        data = gzip.compress(texts[name].read_bytes(), 9, mtime=0)
        return data, hashlib.blake2b(data, digest_size=8).hexdigest()

    def static(filename: str) -> Response:
        if filename not in texts:
            return app.send_static_file(filename)
        if request.accept_encodings["gzip"]:
            data, etag = compressed(filename)
            kind = mimetypes.guess_type(filename)[0]
            response = Response(data, mimetype=kind, direct_passthrough=True)
            response.content_encoding = "gzip"
            response.set_etag(etag)
            response.make_conditional(request)
        else:
            response = app.send_static_file(filename)
        response.vary.add("Accept-Encoding")
        return response

    app.view_functions["static"] = static


def _with_headers(response: Response) -> Response:
    """Set the security headers of a response, and how long to cache it."""
    headers = response.headers
    headers.setdefault("Content-Security-Policy", POLICY)
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Referrer-Policy"] = "same-origin"
    headers["Cross-Origin-Resource-Policy"] = "same-origin"
    if request.endpoint != "static":
        headers.setdefault("Cache-Control", "no-store")
    elif "v" in request.args and response.status_code in (200, 304):
        headers["Cache-Control"] = f"public, max-age={YEAR_S}, immutable"
    elif request.path.endswith(".woff2"):
        headers["Cache-Control"] = f"public, max-age={DAY_S}"
    else:
        headers["Cache-Control"] = "no-cache"
    return response
