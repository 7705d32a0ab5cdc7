"""A table on a machine without any network, which then gets the hotspot's address.

Run in a network namespace of its own, see ``tests/test_serving.py``.
"""

from __future__ import annotations

import subprocess
import sys
import urllib.request
from pathlib import Path

from tests.running import RunningTable
from tests.web.own_wifi import read_code

HOTSPOT = "10.42.0.1"


def ip(words: str) -> None:
    """Change this namespace's network."""
    subprocess.run(["ip", *words.split()], check=True)


def main(data: Path) -> None:
    """Fail unless the table starts, says so, and shows its address once it has one."""
    whole = ("--host", "0.0.0.0")
    with RunningTable(data, vault="--no-vault", options=whole) as table:
        assert "no network yet" in table.printed
        assert not table.address
        ip("link set lo up")
        ip("link add table type veth peer name phone")
        ip(f"addr add {HOTSPOT}/24 dev table")
        ip("link set table up")
        ip("link set phone up")
        own = f"http://127.0.0.1:{table.port}/join.svg"
        with urllib.request.urlopen(own, timeout=20) as code:
            assert read_code(code.read()) == f"http://{HOTSPOT}:{table.port}/"
        assert table.stop() == 0


if __name__ == "__main__":
    main(Path(sys.argv[1]))
