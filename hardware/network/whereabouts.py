"""The address, the name and the Wi-Fi by which phones find this machine.

The address is looked up whenever it is shown: a Pi may be up before its Wi-Fi is, and a
router may give out another address tomorrow. The default route does not tell enough, as
a hotspot has none.
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
from typing import TYPE_CHECKING, TypeVar

import ifaddr

from companion.errors import DeviceFault, Malformed
from companion.ports import Clock, Timer
from companion.wifi import (
    Attempt,
    Wifi,
    attempt_from_json,
    names_from_json,
    wifi_from_json,
    wifi_to_json,
)
from hardware.network.hotspot import FOLDER, RFKILL, is_blocked
from hardware.network.join_wifi import REQUEST
from hardware.network.network_manager import HOTSPOT_ADDRESS, write_private

if TYPE_CHECKING:
    from hardware.network.local_name import LocalName

log = logging.getLogger(__name__)

BOTH = "::"
"""The host that stands for every address of IPv4 and IPv6."""
ANY = ("0.0.0.0", BOTH, "")
"""The hosts that stand for every address; the first and the last only of IPv4."""
ASK_MS = 10_000
"""How often the address is looked up, to notice a change."""
INTERFACES = Path("/sys/class/net")
"""Here Linux has a folder for each network interface."""

Link = tuple[str, str]
"""The name of a network interface, and an address of it."""
Read = TypeVar("Read")


def plain_host(typed: str) -> str:
    """Return an address as the kernel writes it, without brackets."""
    try:
        return str(ipaddress.ip_address(typed.strip("[]")))
    except ValueError:
        return typed


def url(host: str, port: int) -> str:
    """Return the URL of *port* on *host*; empty if *host* is empty."""
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}{_port_part(port)}" if host else ""


def _port_part(port: int) -> str:
    """Return the port as it follows a host in a URL."""
    return "" if port == 80 else f":{port}"


class Hotspot:
    """The table's own Wi-Fi, or *hotspot*, as the panel sees it through files.

    The panel has no rights over the network. It reads what ``hotspot.py`` and
    ``join_wifi.py`` publish, which run as root, and writes a file to ask for another
    network.

    Args:
        links: Lists the addresses of this machine, each with its interface.
        folder: The folder in which the hotspot's service publishes its files.
        request: The file that asks for a network to join.
        rfkill: Where Linux has a folder for each radio's on-off switch.
    """

    def __init__(
        self,
        links: Callable[[], Iterable[Link]],
        folder: Path = FOLDER,
        request: Path = REQUEST,
        rfkill: Path = RFKILL,
    ) -> None:
        self._links = links
        self._folder = folder
        self._request = request
        self._rfkill = rfkill

    def wifi(self) -> Wifi | None:
        """Read the hotspot's name and password; ``None`` while it is down.

        While the table tries another network, the file is still there, but this
        machine does not have the hotspot's address.
        """
        wifi = self._read("wifi.json", wifi_from_json)
        is_up = wifi and any(ip == HOTSPOT_ADDRESS for _, ip in self._links())
        return wifi if is_up else None

    def in_sight(self) -> tuple[str, ...]:
        """List the networks in sight before the hotspot came up, strongest first."""
        return self._read("networks.json", names_from_json) or ()

    def attempt(self) -> Attempt | None:
        """Read the last attempt to join another network; ``None`` if there was none."""
        return self._read("attempt.json", attempt_from_json)

    def is_blocked(self) -> bool:
        """Return whether this machine's Wi-Fi is switched off."""
        return is_blocked(self._rfkill)

    def join(self, home: Wifi) -> None:
        """Ask for the table to join *home*; see ``attempt`` for the outcome.

        Raises:
            DeviceFault: If the request cannot be written.
        """
        try:
            write_private(self._request, wifi_to_json(home))
        except OSError as error:
            raise DeviceFault(
                f"expected to write {self._request}, got: {error}",
                "join the network with sudo nmtui on this machine",
            ) from error

    def _read(self, name: str, parse: Callable[[str], Read]) -> Read | None:
        """Parse a published file; ``None`` if it is missing or makes no sense."""
        try:
            return parse((self._folder / name).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, Malformed) as error:
            log.warning("hotspot_not_read file=%s error=%r", name, error)
            return None


class Whereabouts:
    """The address and name of the panel, with a notice when they change.

    Args:
        host: The address that the panel listens on.
        port: The port that the panel listens on.
        clock: Looks the address up every ten seconds.
        tell: Called from the clock's thread when the address or the table's own Wi-Fi
            has changed.
        find: Finds this machine's address; ``reachable_address`` unless given.
        announce: Gives this machine a name, called with the port; ``local_name``
            unless given. Used only if *host* stands for all addresses.
        base: The path below which the panel's pages are, such as ``/1``.
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
        # The last address and hotspot; None before the first look.
        self._seen: tuple[str, Wifi | None] | None = None
        self._announce: Callable[[int], LocalName | None] | None = None
        self._local_name: LocalName | None = None
        self._timer: Timer | None = None
        if host in ANY:
            self._announce = announce or partial(_local_name, by_ipv6=host == BOTH)
            self._timer = clock.call_later(0, self._look)

    def address(self) -> str:
        """Return the URL now: ``http://192.168.1.20:8000``; empty without a network."""
        root = url(self._find(self._host), self._port)
        return root + self._base if root else ""

    def lacks_ipv6(self) -> bool:
        """Return whether there is only IPv6, and the panel does not listen on it."""
        return lacks_ipv6(self._host)

    def name(self) -> str:
        """Return the name and port: ``vault-table.local:8000``; may be empty."""
        local_name = self._local_name
        name = local_name.name if local_name is not None else ""
        return f"{name}{_port_part(self._port)}{self._base}" if name else ""

    def close(self) -> None:
        """Give the name back; may be called twice."""
        with self._lock:
            self._is_closed = True
            if self._timer is not None:
                self._timer.cancel()
            local_name, self._local_name = self._local_name, None
        if local_name is not None:
            local_name.close()

    def _look(self) -> None:
        """Look the address up, name it, and tell of a change, every ten seconds."""
        with self._lock:
            if self._is_closed:
                return
            self._timer = self._clock.call_later(ASK_MS, self._look)
        address = self._find(self._host)
        seen = address, self.hotspot.wifi()
        with self._lock:
            if self._is_closed:
                return
            before, self._seen = self._seen, seen
            if address and self._announce is not None:
                # A name can be announced only once there is an address.
                self._local_name = self._announce(self._port)
                self._announce = None
            if address and self._local_name is not None:
                self._local_name.lead_to(address)
        if before not in (None, seen):
            log.info("address_changed address=%s", address or "none")
            self._tell()


def _local_name(port: int, *, by_ipv6: bool) -> LocalName | None:
    # Imported here, as only a running table needs it.
    from hardware.network.local_name import local_name

    return local_name(port, by_ipv6=by_ipv6)


def reachable_address(host: str) -> str:
    """Find the address to print and to put into the QR code.

    It is *host*, on which the server listens, unless that stands for all addresses.
    Then it is the best of those; empty without a network.
    """
    if host not in ANY:
        return host
    usable = [link for link in links() if host == BOTH or ":" not in link[1]]
    return best(usable, default_address(), INTERFACES)


def is_contained(variables: Mapping[str, str], interfaces: Path = INTERFACES) -> bool:
    """Return whether this is a container with a network of its own.

    Its phones use the address of another machine, which cannot be seen from inside. A
    container that shares its machine's network sees that network's devices.

    Source: systemd's container interface, for the variable.
    """
    return bool(variables.get("container")) and not any(interfaces.glob("*/device"))


def lacks_ipv6(host: str) -> bool:
    """Return whether phones could reach this machine only if it listened on IPv6."""
    return not reachable_address(host) and bool(reachable_address(BOTH))


def links() -> tuple[Link, ...]:
    """List the addresses of this machine that a browser elsewhere can open."""
    try:
        adapters = list(ifaddr.get_adapters())
    except OSError as error:
        log.warning("addresses_not_listed error=%r", error)
        adapters = []
    addresses: list[Link] = []
    for adapter in adapters:
        for ip in adapter.ips:
            address = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
            if _is_for_others(address):
                addresses.append((adapter.name, address))
    return tuple(addresses)


def _is_for_others(address: str) -> bool:
    ip = ipaddress.ip_address(address)
    needs_zone = ip.version == 6 and ip.is_link_local  # No browser takes a zone.
    return not ip.is_loopback and not needs_zone


UNUSED = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses reserved for documentation: they are routed, and never answer."""
DISCARD_PORT = 9
"""Any port would do, as nothing is sent."""


def default_address() -> str:
    """Find the address of the default route, but send nothing; may be empty."""
    for family, unused in UNUSED:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((unused, DISCARD_PORT))
            return str(probe.getsockname()[0])
    return ""


def best(candidates: Iterable[Link], default: str, interfaces: Path) -> str:
    """Choose the address that phones most likely reach; empty if there is none.

    Devices, such as Wi-Fi and Ethernet, come first: phones are not on bridges of
    containers or private networks over the internet, even if the *default* route leads
    there. IPv4 is preferred, as people can type it.
    """

    def rank(link: Link) -> tuple[bool, ...]:
        interface, address = link
        ip = ipaddress.ip_address(address)
        is_device = (interfaces / interface / "device").exists()
        is_assigned, is_ipv4 = not ip.is_link_local, ip.version == 4
        return is_device, is_assigned, is_ipv4, address == default, ip.is_private

    up = [link for link in candidates if _is_up(interfaces / link[0])]
    _, address = max(up, key=rank, default=("", ""))
    return address


def _is_up(interface: Path) -> bool:
    """Return whether an interface is up, as far as is known."""
    try:
        return (interface / "operstate").read_text().strip() != "down"
    except OSError:
        return True  # Not on Linux.
