"""Control NetworkManager, which runs the network of Raspberry Pi OS, by ``nmcli``.

Networks are written as *keyfiles* that only root can read: any user can read the
arguments of a running command.

Source: the manual pages nmcli(1), nm-settings-keyfile(5) and nm-settings-nmcli(5).
"""

from __future__ import annotations

import logging
import os
import subprocess
import uuid
from dataclasses import dataclass
from pathlib import Path

from companion.files import write_whole
from companion.wifi import Wifi, may_be_name

log = logging.getLogger(__name__)

HOTSPOT_ID = "5d9c4e0e-1f2b-4c1e-9a55-6d0b1f0c7a42"
"""The id of the table's own network in NetworkManager."""

HOTSPOT_ADDRESS = "10.42.0.1"
"""The table's address on its own network; it is NetworkManager's default, too."""

HOTSPOT_CHANNEL = "6"
"""A channel that every country allows.

NetworkManager may choose 13; where that is forbidden, the hotspot fails after 25 s, as
it did in ``tests/machines/hotspot.sh``.
"""

ANSWER_S = 30
"""How long nmcli may take beside its wait for a network to come up."""

WIFI = "wifi"
ETHERNET = "ethernet"
"""The kinds of devices through which phones can reach the table."""


@dataclass(frozen=True, slots=True)
class Device:
    """A network device, as NetworkManager describes it.

    Attributes:
        name: The interface, such as ``wlan0``.
        kind: ``wifi``, ``ethernet``, ``bridge``…
        state: ``connected``, ``disconnected``, ``unavailable``…
    """

    name: str
    kind: str
    state: str


def nmcli(*arguments: str, wait_s: int = 0) -> subprocess.CompletedProcess[str]:
    """Run ``nmcli``, in English; the caller checks whether it succeeded.

    Args:
        arguments: Its arguments, without secrets.
        wait_s: How many seconds it may wait for a network to come up.

    Raises:
        OSError: If there is none.
        subprocess.TimeoutExpired: If it does not end.
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
    """List all network devices; log a warning if NetworkManager does not answer."""
    result = nmcli("--terse", "--fields", "DEVICE,TYPE,STATE", "device", "status")
    if result.returncode:
        error = result.stderr.strip()
        log.warning("nmcli ended with %d: %s", result.returncode, error)
    rows = (line.rsplit(":", 2) for line in result.stdout.splitlines())
    return tuple(Device(*row) for row in rows if len(row) == 3)


def names_in_sight(output: str) -> tuple[str, ...]:
    """List the names of networks that need only a password, strongest first.

    *output* has lines of ``SIGNAL:SSID-HEX:SECURITY``; networks with ``802.1X`` ask for
    a user's name as well.
    """
    signals: dict[str, int] = {}
    for line in output.splitlines():
        # Missing fields at the end of a line count as empty.
        signal, name_hex, security = (*line.split(":"), "", "", "")[:3]
        try:
            name = bytes.fromhex(name_hex).decode()
        except ValueError:
            continue  # The name is not text, so nobody could choose it.
        if may_be_name(name) and "802.1X" not in security and signal.isdigit():
            signals[name] = max(signals.get(name, 0), int(signal))
    return tuple(sorted(signals, key=lambda name: -signals[name]))


def hotspot_profile(wifi: Wifi, interface: str) -> str:
    """Write the keyfile of the table's own network.

    Protected management frames stay off: with them, a Pi's access point does not start,
    or lets nobody in (raspberrypi/linux issues 3619 and 7247).
    """
    return _keyfile(
        {
            "connection": {
                "id": wifi.name,
                "uuid": HOTSPOT_ID,
                "type": "wifi",
                "interface-name": interface,
                "autoconnect": "false",
            },
            "wifi": {
                "mode": "ap",
                "band": "bg",
                "channel": HOTSPOT_CHANNEL,
                "ssid": _bytes(wifi.name),
            },
            "wifi-security": {
                "key-mgmt": "wpa-psk",
                "proto": "rsn;",
                "pairwise": "ccmp;",
                "group": "ccmp;",
                "pmf": "1",
                "psk": _escaped(wifi.password),
            },
            "ipv4": {"method": "shared", "address1": f"{HOTSPOT_ADDRESS}/24"},
            "ipv6": {"method": "disabled"},
        }
    )


def home_id(name: str) -> str:
    """Return the id in NetworkManager of the home network called *name*."""
    return str(uuid.uuid5(uuid.UUID(HOTSPOT_ID), name))


def home_profile(wifi: Wifi, *, is_hidden: bool) -> str:
    """Write the keyfile of a home network, which the machine then always joins."""
    security = {"key-mgmt": "wpa-psk", "psk": _escaped(wifi.password)}
    return _keyfile(
        {
            "connection": {
                "id": _escaped(wifi.name),
                "uuid": home_id(wifi.name),
                "type": "wifi",
            },
            "wifi": {
                "mode": "infrastructure",
                "ssid": _bytes(wifi.name),
                "hidden": str(is_hidden).lower(),
            },
            "wifi-security": security if wifi.password else {},
            "ipv4": {"method": "auto"},
            "ipv6": {"method": "auto"},
        }
    )


def write_private(path: Path, text: str) -> None:
    """Write a file that only this user can read; nobody sees it unfinished.

    Raises:
        OSError: If the folder cannot be written to.
    """
    write_whole(path, text.encode(), 0o600)


def _keyfile(sections: dict[str, dict[str, str]]) -> str:
    """Write a keyfile, without the *sections* that are empty."""
    return "\n".join(
        f"[{title}]\n" + "".join(f"{key}={value}\n" for key, value in lines.items())
        for title, lines in sections.items()
        if lines
    )


def _bytes(name: str) -> str:
    """Write a network's name byte by byte, as ``118;97;``.

    NetworkManager also accepts text, but would read a name such as ``1;2;`` as bytes.
    """
    return "".join(f"{byte};" for byte in name.encode())


def _escaped(text: str) -> str:
    """Escape a value for GLib's keyfiles, which drop spaces at the ends.

    Source: GLib, *Key-value file parser*, and the Desktop Entry Specification, 4.
    """
    return text.replace("\\", "\\\\").replace(" ", "\\s")
