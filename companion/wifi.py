"""A Wi-Fi network by name and password: what may be one, and how it went to join it.

Files carry both between programs that share nothing else: the panel, which has no
rights, and the two that open the table's own network and join another. It needs
nothing but Python, since those two run as root.
"""

from __future__ import annotations

import enum
import json
import re
from dataclasses import dataclass, field

from companion.errors import Malformed, quoted

NAME_BYTES_MAX = 32
"""Longest name. Source: IEEE 802.11-2020, 9.4.2.2, *SSID element*."""

PASSPHRASE = re.compile(r"[ -~]{8,63}")
"""8 to 63 characters, codes 32 to 126. Source: IEEE 802.11-2020, J.4.1."""

KEY = re.compile(r"[0-9A-Fa-f]{64}")
"""The key itself, in place of the passphrase that it is made from."""


def may_be_name(text: str) -> bool:
    """Whether a network can be called *text*: 1 to 32 bytes, nothing unprintable."""
    return (
        text.isprintable()
        and bool(text.strip())
        and len(text.encode(errors="replace")) <= NAME_BYTES_MAX
    )


def may_be_password(text: str) -> bool:
    """Whether *text* can open a network; empty stands for one that is open."""
    return not text or bool(PASSPHRASE.fullmatch(text) or KEY.fullmatch(text))


@dataclass(frozen=True, slots=True)
class Wifi:
    """A network that can be joined.

    Attributes:
        name: Its SSID.
        password: A passphrase, or a key of 64 hexadecimal digits; empty for none.

    Raises:
        Malformed: If no network can have them. The message quotes no password.
    """

    name: str
    password: str = field(repr=False)

    def __post_init__(self) -> None:
        if not may_be_name(self.name):
            raise Malformed(
                f"expected a network's name of 1 to {NAME_BYTES_MAX} bytes, "
                f"got {quoted(self.name)}"
            )
        if not may_be_password(self.password):
            raise Malformed(
                "expected a password of 8 to 63 letters, digits and signs, got "
                f"{len(self.password)} characters or some that no password may have"
            )


class Outcome(enum.StrEnum):
    """How it went to join a network."""

    TRYING = "trying"
    WRONG_PASSWORD = "wrong_password"
    NOT_IN_SIGHT = "not_in_sight"
    NO_ADDRESS = "no_address"  # Its router let the table in, and gave it no address.
    FAILED = "failed"  # Anything else; the system's journal says what.


@dataclass(frozen=True, slots=True)
class Attempt:
    """The last attempt to join a network, and how it went."""

    name: str
    outcome: Outcome


def wifi_to_json(wifi: Wifi) -> str:
    """*wifi* as a file carries it."""
    return json.dumps({"name": wifi.name, "password": wifi.password})


def wifi_from_json(text: str) -> Wifi:
    """A network from a file.

    Raises:
        Malformed: If it holds none. The message quotes nothing of it.
    """
    read = _object(text)
    name, password = read.get("name"), read.get("password")
    if not (isinstance(name, str) and isinstance(password, str)):
        raise Malformed("expected the name and password of a Wi-Fi, got others")
    return Wifi(name, password)


def attempt_to_json(attempt: Attempt) -> str:
    """*attempt* as a file carries it."""
    return json.dumps({"name": attempt.name, "outcome": attempt.outcome})


def attempt_from_json(text: str) -> Attempt:
    """An attempt from a file.

    Raises:
        Malformed: If it holds none.
    """
    read = _object(text)
    try:
        return Attempt(str(read["name"]), Outcome(str(read["outcome"])))
    except (KeyError, ValueError) as error:
        raise Malformed(f"expected how joining went, got {quoted(text)}") from error


def names_from_json(text: str) -> tuple[str, ...]:
    """The names of networks from a file.

    Raises:
        Malformed: If it holds none.
    """
    names = _object(text).get("names")
    if not isinstance(names, list):
        raise Malformed("expected names of Wi-Fis, got others")
    return tuple(x for x in names if isinstance(x, str) and may_be_name(x))


def names_to_json(names: tuple[str, ...]) -> str:
    """The names of networks as a file carries them."""
    return json.dumps({"names": names})


def _object(text: str) -> dict[str, object]:
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, dict):
        raise Malformed("expected a JSON object about Wi-Fi, got something else")
    return read
