"""NetworkManager, which runs the network of Raspberry Pi OS, told through ``nmcli``.

Networks are written as its own keyfiles, which only root can read: an argument of a
command could be read by every user of the machine while it runs.

Source: the manual pages nmcli(1), nm-settings-keyfile(5) and nm-settings-nmcli(5).
"""

from __future__ import annotations

import logging
import os
import subprocess
import uuid
from dataclasses import dataclass
from pathlib import Path

from companion.wifi import Wifi, may_be_name

log = logging.getLogger(__name__)

HOTSPOT_ID = "5d9c4e0e-1f2b-4c1e-9a55-6d0b1f0c7a42"
"""The table's own network, among all that NetworkManager knows."""

HOTSPOT_ADDRESS = "10.42.0.1"
"""The table's address on its own network; what NetworkManager would take anyway."""

HOTSPOT_CHANNEL = "6"
"""Allowed in every country. NetworkManager's own choice may be 13, which some forbid:
the hotspot then fails after 25 s, as it did in ``tests/machines/hotspot.sh``."""

ANSWER_S = 30
"""How long ``nmcli`` may take for anything that waits for no radio, in seconds."""

WIFI = "wifi"
ETHERNET = "ethernet"


@dataclass(frozen=True, slots=True)
class Device:
    """A network device of NetworkManager's.

    Attributes:
        name: The interface, such as ``wlan0``.
        kind: ``wifi``, ``ethernet``, ``bridge``…
        state: ``connected``, ``disconnected``, ``unavailable``…
    """

    name: str
    kind: str
    state: str


def nmcli(*arguments: str, wait_s: int = 0) -> subprocess.CompletedProcess[str]:
    """Run ``nmcli``, in English; it is not checked whether it succeeded.

    Args:
        arguments: What it is told; no secret, since everybody can read them.
        wait_s: How long it may wait for a network to come up, in seconds.

    Raises:
        OSError: If there is no ``nmcli``.
        subprocess.TimeoutExpired: If it does not come back.
    """
    return subprocess.run(
        ["nmcli", "--wait", str(wait_s), *arguments],
        env={"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=wait_s + ANSWER_S,
        check=False,
    )


def devices() -> tuple[Device, ...]:
    """Every network device; none, with a warning, while NetworkManager is silent."""
    said = nmcli("--terse", "--fields", "DEVICE,TYPE,STATE", "device", "status")
    if said.returncode:
        log.warning("nmcli ended with %d: %s", said.returncode, said.stderr.strip())
    rows = (line.rsplit(":", 2) for line in said.stdout.splitlines())
    return tuple(Device(*row) for row in rows if len(row) == 3)


def names_in_sight(said: str) -> tuple[str, ...]:
    """The names of networks that a password opens, strongest first.

    Args:
        said: Lines of ``SIGNAL:SSID-HEX:SECURITY``, as ``nmcli`` prints them. One
            with ``802.1X`` asks for a user's name as well, and is left out.
    """
    found: dict[str, int] = {}
    for line in said.splitlines():
        signal, name_hex, security = (*line.split(":"), "", "", "")[:3]
        try:
            name = bytes.fromhex(name_hex).decode()
        except ValueError:
            continue  # No text, which nobody could type or choose.
        if may_be_name(name) and "802.1X" not in security and signal.isdigit():
            found[name] = max(found.get(name, 0), int(signal))
    return tuple(sorted(found, key=lambda name: -found[name]))


def hotspot_profile(wifi: Wifi, interface: str) -> str:
    """The keyfile of the table's own network.

    Protected management frames stay off: with them the Pi's radio, as an access point,
    refuses to start or lets nobody in (raspberrypi/linux issues 3619 and 7247).
    """
    return _keyfile(
        connection={
            "id": wifi.name,
            "uuid": HOTSPOT_ID,
            "type": "wifi",
            "interface-name": interface,
            "autoconnect": "false",
        },
        wifi={
            "mode": "ap",
            "band": "bg",
            "channel": HOTSPOT_CHANNEL,
            "ssid": _bytes(wifi.name),
        },
        security={
            "key-mgmt": "wpa-psk",
            "proto": "rsn;",
            "pairwise": "ccmp;",
            "group": "ccmp;",
            "pmf": "1",
            "psk": _escaped(wifi.password),
        },
        ipv4={"method": "shared", "address1": f"{HOTSPOT_ADDRESS}/24"},
        ipv6={"method": "disabled"},
    )


def home_id(name: str) -> str:
    """What NetworkManager knows a network by that was joined; always the same."""
    return str(uuid.uuid5(uuid.UUID(HOTSPOT_ID), name))


def home_profile(wifi: Wifi, *, is_hidden: bool) -> str:
    """The keyfile of a home network, which is joined from now on wherever it is."""
    security = {"key-mgmt": "wpa-psk", "psk": _escaped(wifi.password)}
    return _keyfile(
        connection={
            "id": _escaped(wifi.name),
            "uuid": home_id(wifi.name),
            "type": "wifi",
        },
        wifi={
            "mode": "infrastructure",
            "ssid": _bytes(wifi.name),
            "hidden": str(is_hidden).lower(),
        },
        security=security if wifi.password else {},
        ipv4={"method": "auto"},
        ipv6={"method": "auto"},
    )


def write_profile(path: Path, text: str) -> None:
    """Write a keyfile that only root can read, whole or not at all.

    Raises:
        OSError: If the folder cannot be written to.
    """
    half = path.with_name(f".{path.name}.half")
    half.unlink(missing_ok=True)
    descriptor = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    half.replace(path)


def _keyfile(
    *,
    connection: dict[str, str],
    wifi: dict[str, str],
    security: dict[str, str],
    ipv4: dict[str, str],
    ipv6: dict[str, str],
) -> str:
    sections = {
        "connection": connection,
        "wifi": wifi,
        "wifi-security": security,
        "ipv4": ipv4,
        "ipv6": ipv6,
    }
    return "\n".join(
        f"[{title}]\n" + "".join(f"{key}={value}\n" for key, value in lines.items())
        for title, lines in sections.items()
        if lines
    )


def _bytes(name: str) -> str:
    """A name as numbers: a keyfile would read some names as such, ``1;2;`` for one."""
    return "".join(f"{byte};" for byte in name.encode())


def _escaped(text: str) -> str:
    """A value as GLib's keyfiles want it; a space at an end would be lost.

    Source: GLib, *Key-value file parser*, and the Desktop Entry Specification, 4.
    """
    return text.replace("\\", "\\\\").replace(" ", "\\s")
