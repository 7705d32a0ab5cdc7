"""Authentication: which phone sent a request, and whether one of our pages did.

Rule 1: the cookie's token decides who acts, never a field of the request.
Rule 2: only a POST changes anything, and only one sent by one of our own pages.

The table gives each phone a secret *token*, which the phone keeps in a cookie. The
sender of a request without a valid token is a *guest*. ``web/http/may.py`` decides what
a phone or a guest may do.

The cookie's name contains the table's id: all ports of a host share their cookies, so
another table or program on this host could overwrite a common name.

The cookie is ``SameSite=Lax``. With ``Strict``, a link to the table tapped in another
app would arrive without the cookie; the phone would get a second token and lose the
seat of its first. POSTs from other sites come without it, and are refused by their
origin. It is not ``Secure``: a home network has no HTTPS.
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
"""The cookie's name before the table's id; in earlier versions, the whole name."""

# The keys of ``app.extensions`` under which the application keeps its rate limits.

BUCKETS = "companion.buckets"
"""The limit of each phone's POSTs."""

NEWCOMERS = "companion.newcomers"
"""The limit of tokens for new phones."""

LOGGED = "companion.logged"
"""The limit of log lines that any stranger could provoke."""

PROXY_HEADERS = {"Forwarded", "Via", "X-Real-Ip"}
"""The headers of proxies, beside ``X-Forwarded-…``."""

FORM_ROOM_BYTES = 512 * 1024
"""The memory for the fields of a form with a photo, which itself goes to a file."""


class Caller(msgspec.Struct, frozen=True):
    """The sender of a request.

    Attributes:
        phone: The phone, or ``None`` for a guest.
        is_unknown: Whether the request's token belongs to no phone: it was forged, or
            the table has forgotten it.
    """

    phone: Phone | None
    is_unknown: bool


def install_auth(app: Flask) -> None:
    """Have *app* check every request before any page handles it."""
    app.before_request(_allow_underscores)
    app.before_request(probe_answer)
    app.before_request(_refuse_foreign_host)
    app.before_request(_check_request)
    app.after_request(_set_cookie)


def caller() -> Caller:
    """Return the sender of this request; it is looked up once per request."""
    if "caller" not in g:
        g.caller = _find_caller()
    return cast("Caller", g.caller)


def _find_caller() -> Caller:
    """Look up the phone whose token this request carries, and note its presence.

    A token under another cookie name is sent back under the table's own.
    """
    cookies, phones = _list_token_cookies(), panel().table.phones
    for name, token in cookies:
        phone = phones.authenticate(token)
        if phone is not None:
            if name != _cookie_name():
                g.new_token = token
            phone = _renew(phone, token)
            touch(phone.phone)
            return Caller(phone, is_unknown=False)
    # A cookie under another name may be another program's.
    is_unknown = any(name == _cookie_name() and token for name, token in cookies)
    return Caller(None, is_unknown=is_unknown)


def _cookie_name() -> str:
    return f"{COOKIE}-{panel().table.phones.table_id}"


def _list_token_cookies() -> list[tuple[str, str]]:
    """List the cookies that may hold a token, as (name, value), the table's own first.

    A browser may send several cookies of one name, set for different paths or domains.
    A name that only begins like ours may date from a version without the table's id, or
    from an earlier id of the table; its token is still valid. Another program's cookie
    authenticates no phone.
    """
    cookies = request.cookies.items(multi=True)
    similar = [cookie for cookie in cookies if cookie[0].startswith(COOKIE)]
    return sorted(similar, key=lambda cookie: cookie[0] != _cookie_name())


def _renew(phone: Phone, token: str) -> Phone:
    """Extend the lifetime of the token of *phone*, at most once a day."""
    table = panel().table
    try:
        renewed = table.phones.renew(phone, table.clock.now_ms())
    except JournalFault as fault:
        # The phone may go on: the old token is still valid for months.
        log.warning("phone_not_renewed said=%r", str(fault))
        return phone
    if renewed is None:
        return phone
    g.new_token = token
    return renewed


def phone_or_new() -> Phone:
    """Return the phone that sent this request, or register it as a new one.

    A new phone gets its token with the response.

    Raises:
        Problem: 429 if too many new phones come from one address.
    """
    known = caller().phone
    if known is not None:
        return known
    _count_request(NEWCOMERS, sender())
    table = panel().table
    phone, token = table.phones.issue(table.clock.now_ms())
    g.caller, g.new_token = Caller(phone, is_unknown=False), token
    return phone


def acts_as(game_id: GameId) -> str:
    """Return the account that this phone acts for in a game; empty for a guest.

    It is a seat, the bank, or, for the host's phone, the table.

    Raises:
        Problem: 403 for a token that no phone has.
    """
    if caller().is_unknown:
        raise unknown_phone(f"/g/{game_id}/join")
    return panel().seating.acts_as(game_id, caller().phone)


def is_host() -> bool:
    """Tell whether this phone is the host's, which may open games."""
    phone = caller().phone
    return phone is not None and phone.is_host


def is_local() -> bool:
    """Tell whether a program on this very machine sent the request.

    The sender's address does not prove that, since a proxy on this machine forwards the
    requests of phones. So the request must also name this machine by a local name, and
    carry no header of a proxy. A proxy that adds none must be declared in
    ``PanelSettings.proxy``. Behind a declared proxy, and in a container, no request
    counts as local.
    """
    if settings().proxy or settings().is_contained or _is_forwarded():
        return False
    host = _host_name(f"//{request.host}")
    return _is_loopback(host) and _is_loopback(request.remote_addr or "")


def _is_forwarded() -> bool:
    return any(
        name in PROXY_HEADERS or name.startswith("X-Forwarded-")
        for name, _ in request.headers
    )


def _is_loopback(name: str) -> bool:
    """Tell whether a host name or IP address means the machine itself."""
    address = _parse_address(name)
    return name == "localhost" or (address is not None and address.is_loopback)


def sender() -> str:
    """Return the address or network that rate limits count as one sender.

    A phone may use any address of its public IPv6 /64 network, so all of that counts as
    one sender. A private /64 belongs to a whole home: there each address counts, as
    with IPv4. Behind an undeclared proxy all phones have the proxy's address. The
    result is empty for a sender without an IP address.
    """
    address = _parse_address(request.remote_addr or "")
    if address is None:
        return ""
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped or address.is_private or address.is_link_local:
        return str(address.ipv4_mapped or address)
    return str(ipaddress.ip_network((address, 64), strict=False))


def _check_request() -> None:
    """Check a request's length; also a POST's origin and its sender's rate."""
    _check_length()
    if request.method == "POST":
        _check_origin()
        phone = caller().phone
        sender_id = phone.phone if phone else sender()
        _count_request(BUCKETS, f"{request.blueprint or 'panel'} {sender_id}")


def _check_length() -> None:
    """Refuse a body that is longer than its address allows.

    Raises:
        Problem: 413, with advice for a photo.
    """
    is_photo = takes_photo(request.path)
    limit = settings().photo_bytes_max if is_photo else settings().body_bytes_max
    request.max_content_length = limit
    if is_photo:
        request.max_form_memory_size = FORM_ROOM_BYTES
    length = request.content_length
    if length is None and request.headers.get("Transfer-Encoding"):
        # The body is read up to the limit; one that fills it counts as too long.
        length = len(request.get_data()) + 1
    if length is None or length <= limit:
        return
    if not is_photo:
        raise Problem(413, *HTTP_WORDS[413])
    raise Problem(
        413,
        "too_large",
        say("that is too large: {most} MB at most", most=limit >> 20),
        say(
            "send one photo at a time, of a smaller size from the camera's "
            "settings, or a screenshot"
        ),
        link=(request.path.rsplit("/", 1)[0], say("Back")),
    )


def _allow_underscores() -> None:
    """Accept underscores in the host name, which some routers use for machines.

    Werkzeug would clear such a name, but is needed to remove the default port. So it is
    given the name with hyphens; its result tells how much of the real name to keep.
    """
    host = request.headers.get("Host", "")
    if "_" in host:
        host_with_hyphens = get_host(request.scheme, host.replace("_", "-"))
        request.host = host[: len(host_with_hyphens)]


def _refuse_foreign_host() -> Response | None:
    """Return a refusal if the Host header is not one of the table's names, else None.

    It is plain text: under an invalid host name a page could not build its links.
    """
    if _is_own_host():
        return None
    buckets = cast("Buckets", current_app.extensions[LOGGED])
    if not buckets.wait_s("host"):
        host = request.headers.get("Host", "")
        log.warning("host_refused address=%s host=%.100r", request.remote_addr, host)
    language = phones_language()
    refusal = translated(say("this is not the table's own address"), language)
    remedy = translated(
        say("type the address that stands on the table's screen"), language
    )
    return Response(f"{refusal}; {remedy}\n", 400, mimetype="text/plain")


def _is_own_host() -> bool:
    """Tell whether the Host header is local, an IP address or a declared name."""
    if isinstance(request.routing_exception, BadHost):
        return False
    name = _host_name(f"//{request.host}")
    is_local_name = name == "localhost" or name.endswith(".local")
    is_declared = name in settings().host_names
    return is_local_name or is_declared or _parse_address(name) is not None


def _host_name(url: str) -> str:
    """Return the host name in *url*, without a final dot; empty for none."""
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""


def _parse_address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Parse an IP address; return ``None`` if *name* is something else."""
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def _check_origin() -> None:
    """Refuse a POST that did not come from one of our own pages.

    Browsers name the page's site in ``Origin``, very old ones only in ``Referer``;
    programs must, too. ``Sec-Fetch-Site`` may rule a POST out, but never allow it.
    """
    site = request.headers.get("Sec-Fetch-Site", "same-origin")
    page = request.headers.get("Origin") or request.headers.get("Referer", "")
    try:
        origin = urlsplit(page).netloc
    except ValueError:
        origin = ""
    if site not in ("same-origin", "none") or origin != request.host:
        raise Problem(
            403,
            "cross_site",
            say("this did not come from one of the table's own pages"),
            say("open the table's page and do it there"),
        )


def _count_request(name: str, key: str) -> None:
    """Count one request of the sender *key* against the rate limit *name*.

    Raises:
        Problem: 429 if that sender has reached the limit.
    """
    wait_s = cast("Buckets", current_app.extensions[name]).wait_s(key)
    if wait_s:
        raise Problem(
            429,
            "too_many",
            say("too many taps at once"),
            wait_words(wait_s),
            wait_s=wait_s,
        )


def _set_cookie(response: Response) -> Response:
    token = g.pop("new_token", None)
    if token is not None:
        age_s = LIFETIME_MS // 1000
        response.set_cookie(_cookie_name(), token, age_s, httponly=True, samesite="Lax")
    return response
