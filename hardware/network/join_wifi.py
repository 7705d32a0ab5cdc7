"""Join the home network that somebody typed into the panel.

When the panel has written a request, ``companion-join-wifi.service`` runs this as root:
``python -m hardware.network.join_wifi``. It needs only Python and NetworkManager.

A radio cannot open one network and be in another, so the hotspot goes down for the
attempt. If that fails, the hotspot comes back, and the panel shows why.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import time
from pathlib import Path

from companion.errors import Malformed
from companion.files import take
from companion.wifi import (
    Attempt,
    Outcome,
    Wifi,
    attempt_to_json,
    names_from_json,
    wifi_from_json,
)
from hardware.network import hotspot
from hardware.network.network_manager import home_id, home_profile, nmcli, write_private

log = logging.getLogger(__name__)

REQUEST = Path("/run/companion/join-wifi.json")
"""The file in which the panel names the network to join, with its password."""
REQUEST_LENGTH_MAX = 1024
"""How much of that file is read; a real request is shorter."""
PROFILES = Path("/etc/NetworkManager/system-connections")
"""The networks that NetworkManager remembers, a file for each."""
PAGE_S = 3.0
"""The wait before the attempt, so that the phone gets the page on the next steps."""
JOIN_S = 60
"""How long NetworkManager may take to join a network."""

REASONS = {
    "Secrets were required": Outcome.WRONG_PASSWORD,
    "supplicant": Outcome.WRONG_PASSWORD,
    "could not be found": Outcome.NOT_IN_SIGHT,
    "IP configuration": Outcome.NO_ADDRESS,
    "DHCP": Outcome.NO_ADDRESS,
}
"""What parts of nmcli's messages mean."""


def main() -> int:
    """Join the network that the panel asks for, and return the exit status."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    os.umask(0o027)
    try:
        home = wifi_from_json(take(REQUEST, REQUEST_LENGTH_MAX))
        if not (hotspot.FOLDER / "wifi.json").exists():
            log.error("expected the table's own Wi-Fi to be up, it is not; left alone")
            return 1
    except (OSError, Malformed):
        log.exception("joined nothing")
        return 1
    try:
        return join(home)
    except (OSError, subprocess.SubprocessError):  # A full disk, a hung nmcli.
        log.exception("joined nothing")
        _tell(home, Outcome.FAILED)
        hotspot.raise_hotspot()
        return 1


def join(home: Wifi) -> int:
    """Join *home* for good, or bring the hotspot back; return the exit status.

    If it fails, the earlier profile of *home* is written back, if there was one.
    """
    _tell(home, Outcome.TRYING)
    time.sleep(PAGE_S)
    profile = PROFILES / f"companion-{home_id(home.name)}.nmconnection"
    before = profile.read_text(encoding="utf-8") if profile.exists() else ""
    _write(profile, home_profile(home, is_hidden=home.name not in _in_sight()))
    done = nmcli("connection", "up", "uuid", home_id(home.name), wait_s=JOIN_S)
    if not done.returncode:
        log.info("joined name=%r", home.name)
        return hotspot.down()
    log.warning("not joined name=%r said=%r", home.name, done.stderr.strip())
    if before:
        _write(profile, before)  # It may be right, and only out of reach.
    else:
        nmcli("connection", "delete", "uuid", home_id(home.name), wait_s=10)
        profile.unlink(missing_ok=True)
    hotspot.raise_hotspot()
    _tell(home, outcome_of(done.stderr))
    return 1


def _write(profile: Path, text: str) -> None:
    write_private(profile, text)
    nmcli("connection", "load", str(profile))


def outcome_of(message: str) -> Outcome:
    """Return why a network could not be joined, by the message of nmcli."""
    for part, outcome in REASONS.items():
        if part in message:
            return outcome
    return Outcome.FAILED


def _tell(home: Wifi, outcome: Outcome) -> None:
    hotspot.publish("attempt.json", attempt_to_json(Attempt(home.name, outcome)))


def _in_sight() -> tuple[str, ...]:
    """List the networks in sight before the hotspot came up."""
    try:
        return names_from_json((hotspot.FOLDER / "networks.json").read_text())
    except (OSError, Malformed):
        return ()


if __name__ == "__main__":
    sys.exit(main())
