"""The settings of the panel, and how it learns its address and Wi-Fi.

Every field of ``PanelSettings`` has a default that suits a home. ``Whereabouts`` and
``Hotspot`` are implemented in ``hardware/network``, which the panel may not import.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

from companion.wifi import Attempt, Wifi


class Hotspot(Protocol):
    """The Wi-Fi that the table opens itself while it knows no other network."""

    def wifi(self) -> Wifi | None:
        """Return the network that phones join; ``None`` while it is down."""

    def in_sight(self) -> tuple[str, ...]:
        """List the names of networks in sight, strongest first."""

    def attempt(self) -> Attempt | None:
        """Return the last attempt to join another network; ``None`` without one."""

    def is_blocked(self) -> bool:
        """Tell whether this machine's Wi-Fi is switched off altogether."""

    def join(self, home: Wifi) -> None:
        """Have the table leave its own Wi-Fi and join *home*, in a few seconds.

        Raises:
            DeviceFault: If the service that would do it cannot be reached.
        """


class Whereabouts(Protocol):
    """Where phones find the table; it may change, so each page asks anew."""

    def address(self) -> str:
        """Return the present address, such as ``http://192.168.1.20:8000``.

        It is empty while the machine is on no network.
        """

    def name(self) -> str:
        """Return a host name, such as ``vault-table.local:8000``; empty for none."""

    @property
    def hotspot(self) -> Hotspot:
        """The table's own Wi-Fi, up or down."""


@dataclass(frozen=True, slots=True)
class PanelSettings:
    """The panel's limits, and its place in the network.

    Attributes:
        where: Where phones find the table, for the QR code. ``None`` stands for the
            address at which the page with the code was opened.
        host_names: Further names of the panel, besides IP addresses, ``localhost`` and
            ``*.local``. All others are refused, so that no foreign web page can point
            its own name at this machine.
        base: The path before all addresses of this server, such as ``/1``; may be
            empty.
        proxy: The IP address of a reverse proxy in front of the panel, if any. Its
            ``X-Forwarded-For`` then tells which phone sent a request, its
            ``X-Forwarded-Proto`` by which scheme, and no request counts as this
            machine's.
        proxy_hops: How many proxies add to that ``X-Forwarded-For``, at least 1.
        is_contained: Whether the panel runs in a container with a network of its own.
            Forwarded requests may then seem to come from this machine, so none counts
            as this machine's.
        connections_max: Connections at a time; browsers open up to six each.
        streams_max: Live streams at a time; further pages poll instead. The
            server needs at least 8 threads more than this.
        streams_share_max: Live streams of one address at a time; its further pages
            poll. Behind a declared proxy, the phone's own address counts.
        heartbeat_s: Seconds of silence on a stream before a heartbeat, which finds out
            which phones have left without closing their connection.
        poll_ms: How often a page without a stream asks again.
        body_bytes_max: Largest body of a request.
        photo_bytes_max: Largest body that carries a photo.
        burst_count: How many POSTs, the requests that change something, one phone may
            send at once.
        requests_per_s: How many more POSTs it may send for each second that it waits.
        newcomers_count: New phones that may come from one network address at once,
            enough for a household whose phones each come twice.
        newcomers_per_s: How many more may come in each second: so few that strangers
            need hours to fill the list of phones.
        history_count: Entries on one page of the history.
    """

    where: Whereabouts | None = None
    host_names: tuple[str, ...] = ()
    base: str = ""
    proxy: str = ""
    proxy_hops: int = 1
    is_contained: bool = False
    connections_max: int = 200
    streams_max: int = 48
    streams_share_max: int = 8
    heartbeat_s: float = 8.0
    poll_ms: int = 3_000
    body_bytes_max: int = 64 * 1024
    photo_bytes_max: int = 20 * 1024 * 1024
    burst_count: int = 30
    requests_per_s: float = 6.0
    newcomers_count: int = 40
    newcomers_per_s: float = 0.1
    history_count: int = 50


CONNECTIONS_PER_PHONE = 5
"""How many connections are allowed for each phone; a browser opens up to six."""


class Room(NamedTuple):
    """Two settings of ``PanelSettings`` that depend on the number of phones."""

    streams_max: int
    connections_max: int


def room_for(phones: int) -> Room:
    """Compute the streams and connections that this many phones need.

    Each phone needs one stream; a fifth is added for pages that were just left.
    """
    return Room(
        streams_max=phones * 6 // 5, connections_max=CONNECTIONS_PER_PHONE * phones
    )
