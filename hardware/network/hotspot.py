"""Open the table's own Wi-Fi where it knows none.

``python -m hardware.network.hotspot up`` opens it, ``down`` closes it.

Run as root by ``companion-hotspot.service``. It waits for a network that the machine
knows; if none comes, it looks which networks there are, opens its own, and writes down
what phones need to join it. It needs nothing but Python and NetworkManager.

It stays until the machine is started anew, or until the table joins a home network
through ``join_wifi.py``. A network that turns up later changes nothing, so that no
phone loses the table in the middle of a game.
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
    write_profile,
)

log = logging.getLogger(__name__)

FOLDER = Path("/run/companion-hotspot")
"""What the panel, and nobody else, may read of the hotspot."""
KEPT = Path("/var/lib/companion-hotspot")
"""What stays; only root can read it."""
PROFILE = Path("/run/NetworkManager/system-connections/companion-hotspot.nmconnection")
RFKILL = Path("/sys/class/rfkill")

NAME = "vault-table"
TABLES_MAX = 9
PASSWORD_LETTERS = "abcdefhjkmnprstuwxyz"
"""Lower-case letters that nobody takes for another or a digit: no g, i, l, o, q, v."""
PASSWORD_LENGTH = 12
"""20 letters to the 12th are 2 to the 51.9th passwords: far more than can be tried from
what a phone's handshake tells a listener."""

PATIENCE_S = 45
"""How long a known network may take after the start: a scan, joining, an address."""
LOOK_S = 3.0
SCAN_S = 20
UP_S = 30

BLOCKED = (
    "Wi-Fi is blocked, as on every Raspberry Pi until its country is set; type your "
    "country's two letters: sudo raspi-config nonint do_wifi_country DE"
)


def main(arguments: list[str]) -> int:
    """Open or close the hotspot; gives the exit code."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    os.umask(0o027)
    deed = {"up": up, "down": down}.get(" ".join(arguments))
    if deed is None:
        log.error("expected up or down, got %s", arguments)
        return 2
    try:
        return deed()
    except (OSError, subprocess.SubprocessError, Malformed):
        log.exception("no hotspot")
        return 1


def up() -> int:
    """Open the table's own network, unless there is one or none is wanted."""
    if not is_wanted(os.environ):
        log.info("no hotspot: COMPANION_HOTSPOT=off")
        return 0
    known = wait_for_network(devices, time.monotonic, time.sleep)
    if known:
        log.info("no hotspot: %s is connected", known)
        return 0
    if is_blocked(RFKILL):
        log.error("no hotspot: %s", BLOCKED)
        return 1
    radio = next((x.name for x in devices() if x.kind == WIFI), "")
    if not radio:
        log.info("no hotspot: this machine has no Wi-Fi that NetworkManager manages")
        return 0
    return _open(radio)


def is_wanted(variables: Mapping[str, str]) -> bool:
    """Whether the table may open a Wi-Fi of its own: ``COMPANION_HOTSPOT``.

    Raises:
        Malformed: If it is neither ``auto`` nor ``off``.
    """
    wanted = variables.get("COMPANION_HOTSPOT", "auto")
    if wanted not in ("auto", "off"):
        raise Malformed(f"expected COMPANION_HOTSPOT=auto or off, got {wanted!r}")
    return wanted == "auto"


def down() -> int:
    """Close it, and forget that it was there; may be called twice."""
    for file in FOLDER.glob("*.json"):
        file.unlink(missing_ok=True)
    nmcli("connection", "delete", "uuid", HOTSPOT_ID, wait_s=10)
    PROFILE.unlink(missing_ok=True)
    return 0


def _open(radio: str) -> int:
    seen = look_around()
    publish("networks.json", names_to_json(seen))
    wifi = Wifi(free_name(seen), kept_password(KEPT / "password"))
    PROFILE.parent.mkdir(parents=True, exist_ok=True)
    write_profile(PROFILE, hotspot_profile(wifi, radio))
    nmcli("connection", "load", str(PROFILE))
    done = raise_hotspot()
    if done.returncode:
        log.error("no hotspot: %s", done.stderr.strip())
        return 1
    publish("wifi.json", wifi_to_json(wifi))
    log.info("hotspot is up: name=%s interface=%s", wifi.name, radio)
    return 0


def raise_hotspot() -> subprocess.CompletedProcess[str]:
    """Have NetworkManager open the network whose profile it has."""
    return nmcli("connection", "up", "uuid", HOTSPOT_ID, wait_s=UP_S)


def wait_for_network(
    ask: Callable[[], tuple[Device, ...]],
    now_s: Callable[[], float],
    pause: Callable[[float], None],
) -> str:
    """The interface of a network that came up within 45 s; empty if none did.

    Bridges of containers and private networks over the internet count for nothing:
    no phone at the table is on them.
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
    """The names of networks in sight.

    Asked for before the hotspot is up: a radio that is an access point hears little.
    """
    said = nmcli(
        *("--terse", "--fields", "SIGNAL,SSID-HEX,SECURITY"),
        *("device", "wifi", "list", "--rescan", "yes"),
        wait_s=SCAN_S,
    )
    return names_in_sight(said.stdout)


def free_name(seen: tuple[str, ...]) -> str:
    """The first name for a table that no network in sight has."""
    names = [NAME, *(f"{NAME}-{n}" for n in range(2, TABLES_MAX + 1))]
    return next((name for name in names if name not in seen), names[-1])


def kept_password(path: Path) -> str:
    """The password of this installation; drawn once, so that phones come again."""
    try:
        return path.read_text().strip()
    except FileNotFoundError:
        pass
    drawn = "".join(secrets.choice(PASSWORD_LETTERS) for _ in range(PASSWORD_LENGTH))
    path.parent.mkdir(parents=True, exist_ok=True)
    write_profile(path, drawn)
    return drawn


def is_blocked(rfkill: Path) -> bool:
    """Whether all Wi-Fi of this machine is switched off.

    Args:
        rfkill: The folder in which Linux has a folder for each switch of a radio.
    """
    wlan = [x for x in rfkill.glob("*") if _read(x / "type") == "wlan"]
    return bool(wlan) and all(
        "1" in (_read(x / "soft"), _read(x / "hard")) for x in wlan
    )


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""


def publish(name: str, text: str) -> None:
    """Write a file for the panel whole; its group is this service's."""
    half = FOLDER / f".{name}"
    half.write_text(text)
    half.replace(FOLDER / name)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
