"""Answers to the requests by which phones test whether a Wi-Fi reaches the internet.

On the table's own Wi-Fi the hosts of these probes resolve to this machine
(``systemd/companion-dnsmasq.conf``), and it answers that the phone is online. Without
that answer a phone would switch to another network, or send its requests for the table
over mobile data. A log-in page would not help either: it opens in a small browser that
forgets its cookies. Probes are answered only while that Wi-Fi is up, at exactly these
addresses, and without a cookie.

Android also probes over HTTPS, which only its maker's server can answer. The phone then
warns of a limited connection, and stays on the Wi-Fi once its owner has agreed.

Host names that people open themselves, such as www.google.com, are left out, though
some phones probe there as a last resort.

Source of each name: see ``PROBES``.
"""

from __future__ import annotations

from flask import Response, request

from web.http.panel import settings

HTML = "text/html"
TEXT = "text/plain"

# Answers, as pairs of a body and its content type.

SUCCESS = ("<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>", HTML)
NOTHING = ("", "")
"""An answer without a body, with status 204."""

NO_CONTENT = {"/generate_204": NOTHING}
"""The addresses of the many hosts that do as Android's own."""

CANONICAL = (
    '<meta http-equiv="refresh" content="0;url='
    'https://support.mozilla.org/kb/captive-portal"/>',
    HTML,
)
KINDLE = ("81ce4465-7167-4dcb-835b-dcc9e44c112a", HTML)

PROBES = {
    # Android: ``NetworkMonitor`` in the Android Open Source Project.
    "connectivitycheck.gstatic.com": NO_CONTENT,
    "connectivitycheck.android.com": NO_CONTENT,
    "clients3.google.com": NO_CONTENT,
    # Apple: *How to modernize your captive network*.
    "captive.apple.com": {"/hotspot-detect.html": SUCCESS, "/": SUCCESS},
    # Windows: Microsoft, *Network Connectivity Status Indicator overview*.
    "www.msftconnecttest.com": {"/connecttest.txt": ("Microsoft Connect Test", TEXT)},
    "www.msftncsi.com": {"/ncsi.txt": ("Microsoft NCSI", TEXT)},
    # Firefox: Mozilla, preferences ``network.captive-portal…``. These and all above are
    # also in the wiki of the IETF's HTTP working group, *Captive Portals*.
    "detectportal.firefox.com": {
        "/canonical.html": CANONICAL,
        "/success.txt": ("success\n", TEXT),
    },
    # Xiaomi, Huawei, Amazon's tablets, GrapheneOS, Edge: the choices that Android's
    # settings offer in droid-legacy, ``ConnectivityCheckPreferenceController``.
    "connect.rom.miui.com": NO_CONTENT,
    "connectivitycheck.platform.hicloud.com": NO_CONTENT,
    "fireoscaptiveportal.com": NO_CONTENT,
    "connectivitycheck.grapheneos.network": NO_CONTENT,
    "edge-http.microsoft.com": {"/captiveportal/generate_204": NOTHING},
    # OPPO and OnePlus: ``NetworkMonitor`` in OPPO's Android, which others took apart.
    "conn1.oppomobile.com": NO_CONTENT,
    "conn2.oppomobile.com": NO_CONTENT,
    # Vivo, Honor, more of Huawei's: ``ping_thread.c`` of apfree-wifidog, for routers.
    "wifi.vivo.com.cn": NO_CONTENT,
    "connectivitycheck.platform.hihonorcloud.com": NO_CONTENT,
    "connectivitycheck.cbg-app.huawei.com": NO_CONTENT,
    # Kindle: Amazon, ``InternetConnectionMonitor`` in the AVS Device SDK; owners who
    # keep readers with e-ink off the internet report the second page.
    "spectrum.s3.amazonaws.com": {
        "/kindle-wifi/wifistub.html": KINDLE,
        "/kindle-wifi/wifistub-eink.html": KINDLE,
    },
    # Linux: ``nm-connectivity.c`` in NetworkManager, for which the header below is
    # enough; ``platforms.py`` in offspot's captive-portal, for GNOME and Ubuntu.
    "nmcheck.gnome.org": {
        "/check_network_status.txt": ("NetworkManager is online\n", TEXT)
    },
    "connectivity-check.ubuntu.com": {"/": NOTHING},
    # KDE: ``connectivitymonitor.cpp`` in plasma-nm.
    "networkcheck.kde.org": {"/": ("OK\n", TEXT)},
}
"""The answer that means *online*, by host name and then by path."""

ONLINE = {"X-NetworkManager-Status": "online"}
"""The header of every answer."""


def probe_answer() -> Response | None:
    """Answer this request if it is a probe; return ``None`` for all others."""
    if request.method not in ("GET", "HEAD"):
        return None
    answers = PROBES.get(request.host.removesuffix(":80"), {})
    answer = answers.get(request.path)
    where = settings().where
    is_own_wifi_up = where is not None and where.hotspot.wifi() is not None
    if answer is None or not is_own_wifi_up:
        return None
    body, kind = answer
    return Response(body, 200 if kind else 204, ONLINE, mimetype=kind or None)
