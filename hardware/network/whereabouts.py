"""Where phones on the home network find this machine: an address, and a name beside it.

The address is asked for again whenever it is shown: a hotspot has no default route, a
Pi may be up before its Wi-Fi is, and a router may give out another address tomorrow.
"""

from __future__ import annotations

import ipaddress
import logging
import socket
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import ifaddr

from companion.ports import Clock, Timer
from companion.wifi import Wifi
from hardware.network.hotspot_seen import Hotspot

if TYPE_CHECKING:
    from hardware.network.local_name import LocalName

log = logging.getLogger(__name__)

ANY = ("0.0.0.0", "::", "")
"""Every address of this machine: by IPv4, by both, and where nobody chose, by IPv4."""
BOTH = "::"
ASK_MS = 10_000
"""How often the address is looked at while nobody asks for it."""
NOBODY = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses for documents: routed, never answered."""
INTERFACES = Path("/sys/class/net")
"""What Linux says of each network interface."""

Link = tuple[str, str]
"""A network interface by its name, and an address of it."""


def plain_host(typed: str) -> str:
    """Return an address as the kernel writes it, without a browser's brackets."""
    try:
        return str(ipaddress.ip_address(typed.strip("[]")))
    except ValueError:
        return typed


def url(host: str, port: int) -> str:
    """Where a browser goes for *port* of *host*; empty if that is."""
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}{_behind(port)}" if host else ""


def _behind(port: int) -> str:
    """A port as it stands behind a host; browsers and people leave out the usual."""
    return "" if port == 80 else f":{port}"


class Whereabouts:
    """Where phones find the panel, and who is told when that changes.

    Args:
        host: The address that the panel listens on.
        port: Its port.
        clock: Looks at the address every ten seconds.
        tell: Called from the clock's thread when the address is another, or the
            table's own Wi-Fi.
        find: Finds this machine's address from *host*; None for the real one.
        announce: Gives this machine a name, or ``None`` where that is impossible; not
            called for a *host* of one's own choice. None for the real name.
        base: The path under which the panel's addresses lie, such as ``/1``.
    """

    def __init__(
        self,
        host: str,
        port: int,
        clock: Clock,
        tell: Callable[[], object],
        find: Callable[[str], str] | None = None,
        announce: Callable[[int], LocalName | None] | None = None,
        *,
        base: str = "",
    ) -> None:
        self.hotspot = Hotspot(links)
        self._host = host
        self._port = port
        self._clock = clock
        self._tell = tell
        self._base = base
        self._find = find or reachable_address
        self._lock = threading.Lock()
        # All below are changed under _lock.
        self._is_closed = False
        self._told: tuple[str, Wifi | None] | None = None
        self._announce: Callable[[int], LocalName | None] | None = None
        self._local_name: LocalName | None = None
        self._timer: Timer | None = None
        if host in ANY:
            self._announce = announce or partial(_local_name, by_ipv6=host == BOTH)
            self._timer = clock.call_later(0, self._look)

    def address(self) -> str:
        """The address now, as ``http://192.168.1.20:8000``; empty without a network."""
        found = url(self._find(self._host), self._port)
        return found + self._base if found else ""

    def lacks_ipv6(self) -> bool:
        """Tell whether there is only IPv6 here, and the panel does not listen by it."""
        return lacks_ipv6(self._host)

    def name(self) -> str:
        """The name beside it, as ``vault-table.local:8000``; empty without any."""
        named = self._local_name
        found = named.name if named is not None else ""
        return f"{found}{_behind(self._port)}{self._base}" if found else ""

    def close(self) -> None:
        """Give the name back; may be called twice."""
        with self._lock:
            self._is_closed = True
            if self._timer is not None:
                self._timer.cancel()
            named, self._local_name = self._local_name, None
        if named is not None:
            named.close()

    def _look(self) -> None:
        with self._lock:
            if self._is_closed:
                return
            self._timer = self._clock.call_later(ASK_MS, self._look)
        found = self._find(self._host)
        seen = found, self.hotspot.wifi()
        with self._lock:
            if self._is_closed:
                return
            before, self._told = self._told, seen
            if found and self._announce is not None:
                # Not before: without any address there is nothing to answer on.
                self._local_name = self._announce(self._port)
                self._announce = None
            if found and self._local_name is not None:
                self._local_name.lead_to(found)
        if before not in (None, seen):
            log.info("address_changed address=%s", found or "none")
            self._tell()


def _local_name(port: int, *, by_ipv6: bool) -> LocalName | None:
    # Imported here: only a table that is served needs it.
    from hardware.network.local_name import local_name

    return local_name(port, by_ipv6=by_ipv6)


def reachable_address(host: str) -> str:
    """The address to print and to put into the QR code.

    Args:
        host: The address that the server listens on; returned as is unless it stands
            for all addresses.

    Returns:
        An address of this machine, an IPv6 one if there is no other and the server
        listens by it; empty if it has none but loopback.
    """
    if host not in ANY:
        return host
    heard = [link for link in links() if host == BOTH or ":" not in link[1]]
    return best(heard, default_address(), INTERFACES)


def is_contained(variables: Mapping[str, str], interfaces: Path = INTERFACES) -> bool:
    """Tell whether this is a container with a network of its own.

    Then phones come through another machine's address, which is not to be seen from
    here. One that shares its machine's network sees the devices of that.

    Source: systemd's container interface, for the variable.
    """
    return bool(variables.get("container")) and not any(interfaces.glob("*/device"))


def lacks_ipv6(host: str) -> bool:
    """Tell whether only a server that listens by IPv6, too, would be reached here."""
    return not reachable_address(host) and bool(reachable_address(BOTH))


def links() -> tuple[Link, ...]:
    """Return every address of this machine that another one's browser can ask for.

    A local one of an interface needs a zone in IPv6, which no browser takes.
    """
    try:
        adapters = list(ifaddr.get_adapters())
    except OSError as error:
        log.warning("addresses_not_listed error=%r", error)
        adapters = []
    found = (
        (adapter.name, ip.ip if isinstance(ip.ip, str) else ip.ip[0])
        for adapter in adapters
        for ip in adapter.ips
    )
    return tuple(link for link in found if _is_for_others(link[1]))


def _is_for_others(address: str) -> bool:
    ip = ipaddress.ip_address(address)
    needs_zone = ip.version == 6 and ip.is_link_local
    return not ip.is_loopback and not needs_zone


def default_address() -> str:
    """The address of the default route, or empty; nothing is sent to find it."""
    for family, nobody in NOBODY:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((nobody, 9))
            return str(probe.getsockname()[0])
    return ""


def best(found: Iterable[Link], default: str, interfaces: Path) -> str:
    """The address that phones most likely reach; empty if there is none.

    An IPv4 one is better: it can be typed.

    Wi-Fi and Ethernet are devices. Bridges of containers and private networks over
    the internet are not, even where the default route leads through them.

    Args:
        found: The addresses to choose from.
        default: The address of the default route; empty without one.
        interfaces: A folder with a folder for each network interface.
    """

    def rank(link: Link) -> tuple[bool, ...]:
        ip = ipaddress.ip_address(link[1])
        is_device = (interfaces / link[0] / "device").exists()
        is_real, is_old = not ip.is_link_local, ip.version == 4
        return is_device, is_real, is_old, link[1] == default, ip.is_private

    up = [link for link in found if _is_up(interfaces / link[0])]
    return max(up, key=rank, default=("", ""))[1]


def _is_up(interface: Path) -> bool:
    try:
        return (interface / "operstate").read_text().strip() != "down"
    except OSError:
        return True  # Not on Linux.
