"""Questions by which phones find out whether a Wi-Fi leads to the internet.

On the table's own Wi-Fi their names lead here (``systemd/companion-dnsmasq.conf``), and
the answer is *yes*: a phone that hears *no*, or nothing, leaves for another network or
sends what belongs to the table over mobile data, and a page that asks people to log in
would open in a small browser that forgets who they are. Answered only while that Wi-Fi
is up, at exactly these addresses, and without a cookie.

Android asks over HTTPS as well, which nobody but its maker can answer. It then speaks
of a limited connection, and stays once somebody has said so.

A name that people also open by themselves, such as www.google.com, is left alone,
though some phones ask there in the end.

Source of each name: see ``PROBES``.
"""

from __future__ import annotations

from flask import Response, request

from web.http.panel import settings

HTML = "text/html"
TEXT = "text/plain"
SUCCESS = ("<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>", HTML)
NOTHING = ("", "")
NO_CONTENT = {"/generate_204": NOTHING}
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
"""By host name and path: the body that means *online*, with its type."""

ONLINE = {"X-NetworkManager-Status": "online"}


def probe_answer() -> Response | None:
    """The answer to this request, if it is such a question; else ``None``."""
    if request.method not in ("GET", "HEAD"):
        return None
    found = PROBES.get(request.host.removesuffix(":80"), {}).get(request.path)
    where = settings().where
    if found is None or where is None or where.hotspot.wifi() is None:
        return None
    body, kind = found
    return Response(body, 200 if kind else 204, ONLINE, mimetype=kind or None)
