"""Finding the address under which phones on the home network reach this machine."""

from __future__ import annotations

import socket

ANY = ("0.0.0.0", "::", "")


def reachable_address(host: str) -> str:
    """The address to print and to put into the QR code.

    Args:
        host: The address that the server listens on; returned as is unless it stands
            for all addresses.

    Returns:
        The address of the interface with the default route, or loopback on a
        machine without any network. Nothing is sent to find it.
    """
    if host not in ANY:
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # TEST-NET-1: routed, never answered.
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])
