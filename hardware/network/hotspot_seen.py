"""The table's own Wi-Fi, or *hotspot*, as the panel sees it through files.

The panel has no rights over the network. It reads what ``hotspot.py`` and
``join_wifi.py`` publish, which run as root, and writes a file to ask for another
network.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from companion.errors import DeviceFault, Malformed
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

log = logging.getLogger(__name__)

Read = TypeVar("Read")


class Hotspot:
    """The table's own Wi-Fi.

    Args:
        links: Lists the addresses of this machine, each with its interface.
        folder: The folder in which the hotspot's service publishes its files.
        request: The file that asks for a network to join.
        rfkill: Where Linux has a folder for each radio's on-off switch.
    """

    def __init__(
        self,
        links: Callable[[], Iterable[tuple[str, str]]],
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
