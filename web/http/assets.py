"""Static files, and the security headers of every response.

Text files are sent compressed. The address of a file contains a version, a hash of its
content, so that browsers may keep it for a year. The headers forbid every page to load
or run anything from another machine, or to send anything to one.

Two things are inlined in every page, so that a bad connection cannot lose them: the
first script, which loads the page again if another script does not arrive, and the
table of states by which a page follows the game (``static/following.json``).
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
"""Matches comments of a script, and the indentation of its lines."""

FIRST = COMMENT.sub("", (STATIC / "first.js").read_text(encoding="utf-8"))
"""The script that is inlined in every page, without its comments."""

FIRST_HASH = b64encode(hashlib.sha256(FIRST.encode()).digest()).decode()
"""The hash of ``FIRST``, by which ``POLICY`` allows it."""

EXPLANATIONS = ("states", "stimuli", "effects")
"""Keys in ``following.json`` whose values only explain the file to its readers."""


def _drop_explanations(value: object) -> object:
    if not isinstance(value, dict):
        return value
    return {
        key: _drop_explanations(member)
        for key, member in value.items()
        if key not in EXPLANATIONS
    }


FOLLOWING = to_json(
    _drop_explanations(json.loads((STATIC / "following.json").read_bytes()))
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
"""The policy of an SVG drawing: an inline style, and nothing loaded."""

DAY_S = 24 * 3600
"""How long a browser keeps a font, whose address in style sheets has no version."""

YEAR_S = 365 * DAY_S
"""How long a browser keeps what never changes, or what a phone has chosen."""

TEXTS = frozenset((".css", ".js", ".json", ".svg", ".webmanifest"))
"""Suffixes of the files to compress; pictures, fonts and films already are."""


def install_assets(app: Flask) -> None:
    """Have *app* serve static files and security headers; add globals for templates."""
    folder = Path(app.static_folder or "")

    @cache
    def asset(name: str) -> str:
        """Return the address of a static file, which changes whenever the file does."""
        version = hashlib.blake2b((folder / name).read_bytes(), digest_size=6)
        return url_for("static", filename=name, v=version.hexdigest())

    @cache
    def font(name: str) -> str:
        """Return the address of a font as style sheets write it, without a version."""
        return url_for("static", filename=f"vendor/{name}.woff2")

    mimetypes.add_type("application/manifest+json", ".webmanifest")
    app.jinja_env.globals |= {
        "asset": asset,
        "font": font,
        "first_script": Markup(FIRST),
        "following": Markup(FOLLOWING),
    }
    _serve_compressed(app, folder)
    app.after_request(_set_headers)


def _serve_compressed(app: Flask, folder: Path) -> None:
    """Have *app* send text files gzipped to browsers that accept gzip.

    A file is compressed once, at its first request: a small Pi has no time to do it for
    every phone, nor to compress all files while it starts.
    """
    texts = {
        path.relative_to(folder).as_posix(): path
        for path in folder.rglob("*")
        if path.suffix in TEXTS
    }

    @cache
    def compress(name: str) -> tuple[bytes, str]:
        """Return the gzipped content of a file, and its ETag."""
        data = gzip.compress(texts[name].read_bytes(), 9, mtime=0)
        return data, hashlib.blake2b(data, digest_size=8).hexdigest()

    def static(filename: str) -> Response:
        if filename not in texts:
            return app.send_static_file(filename)
        if request.accept_encodings["gzip"]:
            data, etag = compress(filename)
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


def _set_headers(response: Response) -> Response:
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
