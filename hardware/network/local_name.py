"""A name for this machine on the home network: ``vault-table.local``, by multicast DNS.

It is a name of our own. A system that answers for its host name already would take a
second answer for it as a conflict, and rename itself.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
from concurrent.futures import Future

from zeroconf import (  # type: ignore[attr-defined]  # Its __all__ is not complete.
    AddressResolver,
    DNSQuestionType,
    Error,
    InterfaceChoice,
    IPVersion,
    ServiceInfo,
    Zeroconf,
)

log = logging.getLogger(__name__)

LABEL = "vault-table"
SERVICE = "_http._tcp.local."
PROBE_MS = 1500
"""How long to wait for another machine that has the name already."""
TABLES_MAX = 9
"""Tables in one home: the second is ``vault-table-2.local``."""


def local_name(port: int, *, by_ipv6: bool = False) -> LocalName | None:
    """Begin to answer for a name; ``None``, with a warning, where that is impossible.

    Args:
        port: The port of the panel.
        by_ipv6: Whether to answer by IPv6 as well.
    """
    try:
        both = IPVersion.All if by_ipv6 else IPVersion.V4Only
        return LocalName(port, ip_version=both)
    except (OSError, RuntimeError, Error) as error:
        # zeroconf's own word for a machine without any address is RuntimeError.
        log.warning("no_local_name error=%r", error)
        return None


class LocalName:
    """A name that leads to this machine, answered in a thread of its own.

    Args:
        port: The port of the panel, for those who look for services.
        label: The name without ``.local``.
        interfaces: Addresses of the interfaces to answer on; all by default.
        ip_version: By which to answer there.

    Raises:
        OSError: If multicast DNS cannot be had on this machine.
    """

    def __init__(
        self,
        port: int,
        label: str = LABEL,
        interfaces: InterfaceChoice | list[str] = InterfaceChoice.All,
        ip_version: IPVersion = IPVersion.V4Only,
    ) -> None:
        self._port = port
        self._label = label
        self._zeroconf = Zeroconf(interfaces, ip_version=ip_version)
        self._info: ServiceInfo | None = None
        self._told = ""  # The last address that the network heard of.
        self._telling: Future[None] | None = None

    @property
    def name(self) -> str:
        """The name, as ``vault-table.local``; empty until it leads here."""
        return str(self._info.server).rstrip(".") if self._info else ""

    def lead_to(self, address: str) -> Future[None]:
        """Have the name lead to an address of this machine, in a moment.

        To be called again and again: nothing is told twice, what failed is tried
        again, and while one address is told, another has to wait for the next call.
        """
        if self._telling is None or self._telling.done():
            assert self._zeroconf.loop is not None
            self._telling = asyncio.run_coroutine_threadsafe(
                self._tell(address), self._zeroconf.loop
            )
            self._telling.add_done_callback(_warn)
        return self._telling

    def close(self) -> None:
        """Give the name back and end the thread; nothing may be called after it."""
        if self._telling is not None:
            self._telling.cancel()
        try:
            self._zeroconf.close()
        except Error as error:
            log.warning("local_name_not_given_back error=%r", error)

    async def _tell(self, address: str) -> None:
        if address == self._told:
            return
        # A network that came up meanwhile is answered on as well.
        await self._zeroconf.async_update_interfaces()
        packed = [ipaddress.ip_address(address).packed]
        if self._info is None:
            label = await self._free_label()
            info = ServiceInfo(
                SERVICE,
                f"{label}.{SERVICE}",
                port=self._port,
                server=f"{label}.local.",
                addresses=packed,
            )
            # The name is free: no need to ask again for the service.
            telling = await self._zeroconf.async_register_service(
                info, cooperating_responders=True
            )
            self._info = info
        else:
            self._info.addresses = packed
            telling = await self._zeroconf.async_update_service(self._info)
        await telling
        self._told = address

    async def _free_label(self) -> str:
        """The first of our labels for which no other machine answers."""
        labels = [self._label, *(f"{self._label}-{n}" for n in range(2, TABLES_MAX))]
        for label in labels:
            other = AddressResolver(f"{label}.local.")
            if not await other.async_request(
                self._zeroconf, PROBE_MS, DNSQuestionType.QM
            ):
                return label
        return f"{self._label}-{TABLES_MAX}"


def _warn(done: Future[None]) -> None:
    if not done.cancelled() and done.exception() is not None:
        log.warning("local_name_not_told error=%r", done.exception())
