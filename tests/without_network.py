"""A table on a machine without any network, which then gets an address.

Run in a network namespace of its own, see ``tests/test_serving.py``.
"""

from __future__ import annotations

import subprocess
import sys
import urllib.request
from contextlib import closing
from pathlib import Path

from zeroconf import (  # type: ignore[attr-defined]
    AddressResolver,
    DNSQuestionType,
    InterfaceChoice,
    IPVersion,
    Zeroconf,
)

from hardware.network.local_name import LocalName
from tests.running import PATIENCE_S, RunningTable
from tests.web.own_wifi import read_code

HOTSPOT = "10.42.0.1"
NEW = "fd00:42::1"


def ip(words: str) -> None:
    """Change this namespace's network."""
    subprocess.run(["ip", *words.split()], check=True)


def main(data: Path, host: str) -> None:
    """Fail unless the table starts, says so, and shows its address once it has one.

    A table that listens by IPv4 gets the hotspot's. One that listens by both first gets
    one of a network that has only IPv6.
    """
    whole = ("--host", host)
    with RunningTable(data, vault="--no-vault", options=whole) as table:
        assert "no network yet" in table.printed
        assert not table.address
        ip("link set lo up")
        ip("link add table type veth peer name phone")
        ip(f"addr add {NEW}/64 dev table nodad")
        ip("link set table up")
        ip("link set phone up")
        if host == "::":
            assert address(table) == f"http://[{NEW}]:{table.port}/"
            own = f"http://[{NEW}]:{table.port}/start"
            with urllib.request.urlopen(own, timeout=PATIENCE_S) as page:
                assert page.status == 200
            assert by_name() == [NEW]
        else:
            assert "only IPv6" in health(table)
        ip(f"addr add {HOTSPOT}/24 dev table")
        assert address(table) == f"http://{HOTSPOT}:{table.port}/"
        assert table.stop() == 0


def address(table: RunningTable) -> str:
    """Read the address that the table's screen shows."""
    own = f"http://127.0.0.1:{table.port}/join.svg"
    with urllib.request.urlopen(own, timeout=PATIENCE_S) as code:
        return read_code(code.read())


def by_name() -> list[str]:
    """Ask where a table's name leads, by IPv6 alone."""
    with closing(LocalName(8000, "table", ip_version=IPVersion.All)) as named:
        named.lead_to(NEW).result(PATIENCE_S)
        found = AddressResolver(f"{named.name}.")
        with Zeroconf(InterfaceChoice.All, ip_version=IPVersion.V6Only) as phone:
            found.request(phone, 5_000, DNSQuestionType.QM)
    return found.parsed_addresses()


def health(table: RunningTable) -> str:
    """Return what the table says of itself to this machine."""
    own = f"http://localhost:{table.port}/health"
    with urllib.request.urlopen(own, timeout=PATIENCE_S) as told:
        return str(told.read().decode())


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
