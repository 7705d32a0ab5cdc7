"""A name for this machine on the home network: ``vault-table.local``, by multicast DNS.

It is not the host name: many systems answer for that themselves, and would take our
answer for a conflict and rename themselves.
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
"""The name without ``.local``, unless another table has it."""
SERVICE = "_http._tcp.local."
"""The kind of service under which programs find the panel: a web page."""
PROBE_MS = 1500
"""How long another machine with the same name has to answer."""
TABLES_MAX = 9
"""How many tables a home may have; the second is ``vault-table-2.local``."""


def local_name(port: int, *, by_ipv6: bool = False) -> LocalName | None:
    """Start to answer for a name; ``None``, with a warning, if that is impossible."""
    try:
        version = IPVersion.All if by_ipv6 else IPVersion.V4Only
        return LocalName(port, ip_version=version)
    except (OSError, RuntimeError, Error) as error:
        # zeroconf raises RuntimeError on a machine without any address.
        log.warning("no_local_name error=%r", error)
        return None


class LocalName:
    """A name that leads to this machine, answered in a thread of its own.

    Args:
        port: The port of the panel, for programs that look for services.
        label: The name without ``.local``.
        interfaces: The addresses of the interfaces to answer on.
        ip_version: The versions of IP by which to answer.

    Raises:
        OSError: If multicast DNS is not possible on this machine.
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
        self._announced = ""  # The last address that was announced.
        self._announcing: Future[None] | None = None

    @property
    def name(self) -> str:
        """The name, as ``vault-table.local``; empty until it leads here."""
        return str(self._info.server).rstrip(".") if self._info else ""

    def lead_to(self, address: str) -> Future[None]:
        """Announce in the background that the name leads to *address*.

        Call it again and again: nothing is announced twice, a failure is mended by the
        next call, and a call does nothing while an announcement is under way.
        """
        if self._announcing is None or self._announcing.done():
            assert self._zeroconf.loop is not None
            self._announcing = asyncio.run_coroutine_threadsafe(
                self._announce(address), self._zeroconf.loop
            )
            self._announcing.add_done_callback(_warn)
        return self._announcing

    def close(self) -> None:
        """Give the name back for good."""
        if self._announcing is not None:
            self._announcing.cancel()
        try:
            self._zeroconf.close()
        except Error as error:
            log.warning("local_name_not_given_back error=%r", error)

    async def _announce(self, address: str) -> None:
        """Announce *address*, the first time with a free name."""
        if address == self._announced:
            return
        # Answer on networks that came up meanwhile, too.
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
            # The name is free, so zeroconf need not probe for the service again.
            sent = await self._zeroconf.async_register_service(
                info, cooperating_responders=True
            )
            self._info = info
        else:
            self._info.addresses = packed
            sent = await self._zeroconf.async_update_service(self._info)
        await sent
        self._announced = address

    async def _free_label(self) -> str:
        """Find the first label for which no other machine answers."""
        labels = [self._label, *(f"{self._label}-{n}" for n in range(2, TABLES_MAX))]
        for label in labels:
            resolver = AddressResolver(f"{label}.local.")
            is_taken = await resolver.async_request(
                self._zeroconf, PROBE_MS, DNSQuestionType.QM
            )
            if not is_taken:
                return label
        return f"{self._label}-{TABLES_MAX}"


def _warn(done: Future[None]) -> None:
    if not done.cancelled() and done.exception() is not None:
        log.warning("local_name_not_told error=%r", done.exception())
