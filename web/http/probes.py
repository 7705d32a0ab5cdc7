"""Questions by which phones find out whether a Wi-Fi leads to the internet.

On the table's own Wi-Fi their names lead here (``systemd/companion-dnsmasq.conf``), and
the answer is *yes*: a phone that hears *no*, or nothing, leaves for another network or
sends what belongs to the table over mobile data, and a page that asks people to log in
would open in a small browser that forgets who they are. Answered only while that Wi-Fi
is up, at exactly these addresses, and without a cookie.

Android asks over HTTPS as well, which nobody but its maker can answer. It then speaks
of a limited connection, and stays once somebody has said so.

Source: Android, ``NetworkMonitor`` in the Android Open Source Project; Apple,
*How to modernize your captive network*; Microsoft, *Network Connectivity Status
Indicator overview*; Mozilla, ``network.captive-portal`` preferences of Firefox;
the addresses also in the wiki of the IETF's HTTP working group, *Captive Portals*.
"""

from __future__ import annotations

from flask import Response, request

from web.http.panel import settings

HTML = "text/html"
TEXT = "text/plain"
SUCCESS = ("<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>", HTML)
NOTHING = ("", "")
CANONICAL = (
    '<meta http-equiv="refresh" content="0;url='
    'https://support.mozilla.org/kb/captive-portal"/>',
    HTML,
)

PROBES = {
    "connectivitycheck.gstatic.com": {"/generate_204": NOTHING},
    "connectivitycheck.android.com": {"/generate_204": NOTHING},
    "clients3.google.com": {"/generate_204": NOTHING},
    "captive.apple.com": {"/hotspot-detect.html": SUCCESS, "/": SUCCESS},
    "www.msftconnecttest.com": {"/connecttest.txt": ("Microsoft Connect Test", TEXT)},
    "www.msftncsi.com": {"/ncsi.txt": ("Microsoft NCSI", TEXT)},
    "detectportal.firefox.com": {
        "/canonical.html": CANONICAL,
        "/success.txt": ("success\n", TEXT),
    },
}
"""By host name and path: the body that means *online*, with its type."""


def probe_answer() -> Response | None:
    """The answer to this request, if it is such a question; else ``None``."""
    if request.method not in ("GET", "HEAD"):
        return None
    found = PROBES.get(request.host.removesuffix(":80"), {}).get(request.path)
    where = settings().where
    if found is None or where is None or where.hotspot.wifi() is None:
        return None
    body, kind = found
    return Response(body, mimetype=kind) if kind else Response(status=204)
