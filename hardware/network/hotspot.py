"""Open the table's own Wi-Fi where no known network is in reach.

``python -m hardware.network.hotspot up`` opens it, ``down`` closes it.

``companion-hotspot.service`` runs this as root. It waits for a network that the machine
knows. If none comes, it lists the networks in sight, opens its own, and publishes what
phones need to join it. It needs only Python and NetworkManager.

The hotspot stays until the machine restarts, or the table joins a home network through
``join_wifi.py``: a network that turns up later must not cut phones off from the table.
"""

from __future__ import annotations

import logging
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from companion.errors import Malformed
from companion.wifi import Wifi, names_to_json, wifi_to_json
from hardware.network.network_manager import (
    ETHERNET,
    HOTSPOT_ID,
    WIFI,
    Device,
    devices,
    hotspot_profile,
    names_in_sight,
    nmcli,
    write_private,
)

log = logging.getLogger(__name__)

FOLDER = Path("/run/companion-hotspot")
"""Files about the hotspot that only the panel may read."""
KEPT = Path("/var/lib/companion-hotspot")
"""Files that outlive a restart; only root can read them."""
PROFILE = Path("/run/NetworkManager/system-connections/companion-hotspot.nmconnection")
"""The hotspot's settings for NetworkManager; a restart deletes the file."""
RFKILL = Path("/sys/class/rfkill")
"""Here Linux has a folder for each radio's on-off switch."""

NAME = "vault-table"
"""The name of the hotspot; a second table in reach is called ``vault-table-2``."""
TABLES_MAX = 9
"""The most tables in reach of each other."""
PASSWORD_LETTERS = "abcdefhjkmnprstuwxyz"
"""Lower-case letters that look like no other letter or digit: no g, i, l, o, q, v."""
PASSWORD_LENGTH = 12
"""20 ** 12 passwords are far more than anyone can try on a recorded handshake."""

PATIENCE_S = 45
"""How long a known network may take to come up."""
LOOK_S = 3.0
"""Seconds between two looks for a known network."""
SCAN_S = 20
"""How long a search for networks in sight may take."""
UP_S = 30
"""How long NetworkManager may take to open the hotspot."""

BLOCKED = (
    "Wi-Fi is blocked, as on every Raspberry Pi until its country is set; type your "
    "country's two letters: sudo raspi-config nonint do_wifi_country DE"
)
"""What is wrong if Wi-Fi is switched off, and what to do."""


def main(arguments: list[str]) -> int:
    """Open or close the hotspot, and return the exit status."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    os.umask(0o027)
    action = {"up": up, "down": down}.get(" ".join(arguments))
    if action is None:
        log.error("expected up or down, got %s", arguments)
        return 2
    try:
        return action()
    except (OSError, subprocess.SubprocessError, Malformed):
        log.exception("no hotspot")
        return 1


def up() -> int:
    """Open the hotspot, unless a network is there or the settings forbid it."""
    if not is_wanted(os.environ):
        log.info("no hotspot: COMPANION_HOTSPOT=off")
        return 0
    interface = wait_for_network(devices, time.monotonic, time.sleep)
    if interface:
        log.info("no hotspot: %s is connected", interface)
        return 0
    if is_blocked(RFKILL):
        log.error("no hotspot: %s", BLOCKED)
        return 1
    radio = next((device.name for device in devices() if device.kind == WIFI), "")
    if not radio:
        log.info("no hotspot: this machine has no Wi-Fi that NetworkManager manages")
        return 0
    return _open(radio)


def is_wanted(variables: Mapping[str, str]) -> bool:
    """Return whether ``COMPANION_HOTSPOT`` lets the table open a Wi-Fi of its own.

    Raises:
        Malformed: If it is neither ``auto`` nor ``off``.
    """
    setting = variables.get("COMPANION_HOTSPOT", "auto")
    if setting not in ("auto", "off"):
        raise Malformed(f"expected COMPANION_HOTSPOT=auto or off, got {setting!r}")
    return setting == "auto"


def down() -> int:
    """Close the hotspot, and delete its files; may be called twice."""
    for file in FOLDER.glob("*.json"):
        file.unlink(missing_ok=True)
    nmcli("connection", "delete", "uuid", HOTSPOT_ID, wait_s=10)
    PROFILE.unlink(missing_ok=True)
    return 0


def _open(radio: str) -> int:
    """Open the hotspot on *radio*, an interface; return the exit status."""
    names = look_around()
    publish("networks.json", names_to_json(names))
    wifi = Wifi(free_name(names), kept_password(KEPT / "password"))
    PROFILE.parent.mkdir(parents=True, exist_ok=True)
    write_private(PROFILE, hotspot_profile(wifi, radio))
    nmcli("connection", "load", str(PROFILE))
    done = raise_hotspot()
    if done.returncode:
        log.error("no hotspot: %s", done.stderr.strip())
        return 1
    publish("wifi.json", wifi_to_json(wifi))
    log.info("hotspot is up: name=%s interface=%s", wifi.name, radio)
    return 0


def raise_hotspot() -> subprocess.CompletedProcess[str]:
    """Have NetworkManager open the hotspot, whose profile it has loaded."""
    return nmcli("connection", "up", "uuid", HOTSPOT_ID, wait_s=UP_S)


def wait_for_network(
    ask: Callable[[], tuple[Device, ...]],
    now_s: Callable[[], float],
    pause: Callable[[float], None],
) -> str:
    """Return the interface of a network that comes up within 45 s; empty if none does.

    Only Wi-Fi and Ethernet count, which phones can be on.
    """
    end_s = now_s() + PATIENCE_S
    while True:
        for device in ask():
            if device.kind in (WIFI, ETHERNET) and device.state == "connected":
                return device.name
        if now_s() >= end_s:
            return ""
        pause(LOOK_S)


def look_around() -> tuple[str, ...]:
    """List the names of the networks in sight.

    This is done before the hotspot is up, as an access point's radio hears little.
    """
    result = nmcli(
        *("--terse", "--fields", "SIGNAL,SSID-HEX,SECURITY"),
        *("device", "wifi", "list", "--rescan", "yes"),
        wait_s=SCAN_S,
    )
    return names_in_sight(result.stdout)


def free_name(seen: tuple[str, ...]) -> str:
    """Choose the first name for the hotspot that no network in sight has."""
    names = [NAME, *(f"{NAME}-{n}" for n in range(2, TABLES_MAX + 1))]
    return next((name for name in names if name not in seen), names[-1])


def kept_password(path: Path) -> str:
    """Read the hotspot's password, drawn at the first start: phones remember it."""
    try:
        return path.read_text().strip()
    except FileNotFoundError:
        pass
    drawn = "".join(secrets.choice(PASSWORD_LETTERS) for _ in range(PASSWORD_LENGTH))
    path.parent.mkdir(parents=True, exist_ok=True)
    write_private(path, drawn)
    return drawn


def is_blocked(rfkill: Path) -> bool:
    """Return whether all Wi-Fi of this machine is switched off."""
    switches = [path for path in rfkill.glob("*") if _read(path / "type") == "wlan"]

    def is_off(switch: Path) -> bool:
        """Return whether it is off by a setting, or by a key of the machine."""
        return "1" in (_read(switch / "soft"), _read(switch / "hard"))

    return bool(switches) and all(map(is_off, switches))


def _read(path: Path) -> str:
    """Read a text file; empty on error."""
    try:
        return path.read_text().strip()
    except OSError:
        return ""


def publish(name: str, text: str) -> None:
    """Write a file for the panel, which never sees it unfinished.

    The panel may read it, as the unit gives this service the panel's group.
    """
    unfinished = FOLDER / f".{name}"
    unfinished.write_text(text)
    unfinished.replace(FOLDER / name)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
