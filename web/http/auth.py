"""Who sent a request: checks of cookie, host name and origin.

Rule 1: who acts is decided by the cookie's token, never by a field of the request.
Rule 2: only a POST changes anything, and only one sent by one of our own pages.
What whoever sent it may do is asked in ``web/http/may.py``.

The cookie is named after the table, since browsers show what they have for a host to
all its ports: another table, or another program, would overwrite it.

It is ``SameSite=Lax``. With ``Strict``, a link to the table tapped in another
app would arrive without the cookie; the phone would get a second token and lose the
seat of its first. Posts from other sites are refused by their origin, and Lax
withholds the cookie from them. It is not ``Secure``: a home network has no HTTPS.
"""

from __future__ import annotations

import ipaddress
import logging
from typing import cast
from urllib.parse import urlsplit

import msgspec
from flask import Flask, Response, current_app, g, request
from werkzeug.exceptions import BadHost
from werkzeug.sansio.utils import get_host

from companion.errors import JournalFault
from companion.store import Phone
from companion.store.phones import LIFETIME_MS
from companion.table.buckets import Buckets, wait_words
from companion.units import GameId
from companion.words import say, translated
from web.http.errors import HTTP_WORDS, Problem, unknown_phone
from web.http.language import phones_language
from web.http.limits import takes_photo
from web.http.panel import panel, settings
from web.http.presence import touch
from web.http.probes import probe_answer

log = logging.getLogger(__name__)

COOKIE = "phone"
"""The name of the phone's cookie, before the table's id; once it was all of it."""
BUCKETS = "companion.buckets"
NEWCOMERS = "companion.newcomers"
LOGGED = "companion.logged"
"""The rate limit of the log's lines about what any stranger can send."""

PASSED_ON = {"Forwarded", "Via", "X-Real-Ip"}
"""Headers, beside ``X-Forwarded-…``, that a proxy adds to what it passes on."""

FORM_ROOM_BYTES = 512 * 1024
"""How much of a form with a photo is kept in memory; the photo itself is a file."""


class Caller(msgspec.Struct, frozen=True):
    """Who sent this request.

    Attributes:
        phone: The phone, or ``None`` for a guest.
        is_unknown: Whether it sent a token that no phone has: forged or forgotten.
    """

    phone: Phone | None
    is_unknown: bool


def install_auth(app: Flask) -> None:
    """Check every request of *app* before any page sees it."""
    app.before_request(_allow_underscores)
    app.before_request(probe_answer)
    app.before_request(_refused_host)
    app.before_request(_guard)
    app.after_request(_with_cookie)


def caller() -> Caller:
    """Who sent this request; looked up once per request."""
    if "caller" not in g:
        own, sent, phones = _cookie(), _tokens(), panel().table.phones
        found = ((phones.authenticate(token), name, token) for name, token in sent)
        phone, name, token = next((one for one in found if one[0]), (None, "", ""))
        if phone is not None:
            if name != own:
                g.new_token = token
            phone = _renewed(phone, token)
            touch(phone.phone)
        has_own = any(name == own and token for name, token in sent)
        g.caller = Caller(phone, is_unknown=has_own and phone is None)
    return cast("Caller", g.caller)


def _cookie() -> str:
    """Return the name under which a phone of this table keeps its token."""
    return f"{COOKIE}-{panel().table.phones.table_id}"


def _tokens() -> list[tuple[str, str]]:
    """Return what may be tokens, by name: those under the table's own name come first.

    A browser may send several cookies of one name, for other paths or domains. Under a
    like name stands what a phone got before the table had an id, or from a file that
    was given another one; or it is somebody else's, and leads to no phone.
    """
    sent = [x for x in request.cookies.items(multi=True) if x[0].startswith(COOKIE)]
    return sorted(sent, key=lambda one: one[0] != _cookie())


def _renewed(phone: Phone, token: str) -> Phone:
    """*phone*, its cookie valid for a whole lifetime again, once a day."""
    table = panel().table
    try:
        renewed = table.phones.renew(phone, table.clock.now_ms())
    except JournalFault as fault:
        log.warning("phone_not_renewed said=%r", str(fault))  # Valid for months yet.
        return phone
    if renewed is None:
        return phone
    g.new_token = token
    return renewed


def phone_or_new() -> Phone:
    """The phone that sent this request; a new one gets a token with the response."""
    known = caller().phone
    if known is not None:
        return known
    _spend(NEWCOMERS, sender())
    table = panel().table
    phone, token = table.phones.issue(table.clock.now_ms())
    g.caller, g.new_token = Caller(phone, is_unknown=False), token
    return phone


def acts_as(game_id: GameId) -> str:
    """Whom this phone acts for in a game: a seat, the bank, or the table as its host.

    Empty for a guest.

    Raises:
        Problem: 403 for a token that no phone has.
    """
    if caller().is_unknown:
        raise unknown_phone(f"/g/{game_id}/join")
    return panel().seating.acts_as(game_id, caller().phone)


def is_host() -> bool:
    """Whether this phone may open games."""
    phone = caller().phone
    return phone is not None and phone.is_host


def is_local() -> bool:
    """Whether a browser on this very machine sent the request.

    The address alone does not tell, since a proxy on this machine sends what phones
    ask for: the browser must also have asked for this machine by its local name, and
    nothing may say that somebody passed the request on. A proxy that hides all that
    has to be declared in ``PanelSettings.proxy``; then no request is local, and neither
    in a container.
    """
    if (
        settings().proxy
        or settings().is_contained
        or any(
            name in PASSED_ON or name.startswith("X-Forwarded-")
            for name, _ in request.headers
        )
    ):
        return False
    host = _host_name(f"//{request.host}")
    return _is_loopback(host) and _is_loopback(request.remote_addr or "")


def _is_loopback(name: str) -> bool:
    address = _address(name)
    return name == "localhost" or (address is not None and address.is_loopback)


def sender() -> str:
    """The address that this request comes from; of a public IPv6 one, its /64 network.

    A phone may call itself by any address of its /64, so they count as one. A private
    /64 is a whole home's, so there each address counts, as with IPv4. Behind a proxy
    that was not declared all phones have the proxy's.
    """
    address = _address(request.remote_addr or "")
    if address is None:
        return ""
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped or address.is_private or address.is_link_local:
        return str(address.ipv4_mapped or address)
    return str(ipaddress.ip_network((address, 64), strict=False))


def _guard() -> None:
    _check_length()
    if request.method == "POST":
        _check_origin()
        phone = caller().phone
        who = phone.phone if phone else sender()
        _spend(BUCKETS, f"{request.blueprint or 'panel'} {who}")


def _check_length() -> None:
    is_photo = takes_photo(request.path)
    most = settings().photo_bytes_max if is_photo else settings().body_bytes_max
    request.max_content_length = most
    if is_photo:
        request.max_form_memory_size = FORM_ROOM_BYTES
    length = request.content_length
    if length is None and request.headers.get("Transfer-Encoding"):
        # A body sent without its length is read up to the limit; if it fills that,
        # one byte more makes it count as too long.
        length = len(request.get_data()) + 1
    if length is None or length <= most:
        return
    if not is_photo:
        raise Problem(413, *HTTP_WORDS[413])
    raise Problem(
        413,
        "too_large",
        say("that is too large: {most} MB at most", most=most >> 20),
        say(
            "send one photo at a time, of a smaller size from the camera's "
            "settings, or a screenshot"
        ),
        link=(request.path.rsplit("/", 1)[0], say("Back")),
    )


def _allow_underscores() -> None:
    """Let a host name have underscores, as routers' have; werkzeug would clear it."""
    said = request.headers.get("Host", "")
    if "_" in said:
        request.host = said[: len(get_host(request.scheme, said.replace("_", "-")))]


def _refused_host() -> Response | None:
    """The answer to a request under a name that is not the table's.

    It is the same for pages, programs and the stream, and asks nobody: under a name
    that is none, no page could build its links.
    """
    if _is_own_host():
        return None
    buckets = cast("Buckets", current_app.extensions[LOGGED])
    if not buckets.wait_s("host"):
        host = request.headers.get("Host", "")
        log.warning("host_refused address=%s host=%.100r", request.remote_addr, host)
    language = phones_language()
    said = translated(say("this is not the table's own address"), language)
    remedy = translated(
        say("type the address that stands on the table's screen"), language
    )
    return Response(f"{said}; {remedy}\n", 400, mimetype="text/plain")


def _is_own_host() -> bool:
    if isinstance(request.routing_exception, BadHost):
        return False
    name = _host_name(f"//{request.host}")
    is_ours = name == "localhost" or name.endswith(".local")
    return is_ours or _address(name) is not None or name in settings().host_names


def _host_name(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def _check_origin() -> None:
    """Refuse a POST that did not come from one of our own pages.

    Browsers say where a POST comes from in ``Origin``; very old ones only in
    ``Referer``. ``Sec-Fetch-Site`` can only rule a POST out, never allow it. A
    program has to send the address it posts to as ``Origin``, as a browser does.
    """
    site = request.headers.get("Sec-Fetch-Site", "same-origin")
    said = request.headers.get("Origin") or request.headers.get("Referer", "")
    try:
        origin = urlsplit(said).netloc
    except ValueError:
        origin = ""
    if site not in ("same-origin", "none") or origin != request.host:
        raise Problem(
            403,
            "cross_site",
            say("this did not come from one of the table's own pages"),
            say("open the table's page and do it there"),
        )


def _spend(name: str, key: str) -> None:
    """Take a token of *key* from the buckets of that name, or raise ``Problem``."""
    wait_s = cast("Buckets", current_app.extensions[name]).wait_s(key)
    if wait_s:
        raise Problem(
            429,
            "too_many",
            say("too many taps at once"),
            wait_words(wait_s),
            wait_s=wait_s,
        )


def _with_cookie(response: Response) -> Response:
    token = g.pop("new_token", None)
    if token is not None:
        age_s = LIFETIME_MS // 1000
        response.set_cookie(_cookie(), token, age_s, httponly=True, samesite="Lax")
    return response
