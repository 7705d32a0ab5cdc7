"""Wi-Fi networks by name and password, and attempts to join them, as files hold them.

The panel, which has no rights, exchanges these files with two programs that run as
root, so this module needs only Python.
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
"""The key itself, which is otherwise derived from a passphrase."""


def may_be_name(text: str) -> bool:
    """Tell whether *text* can name a network: 1 to 32 bytes, all printable."""
    return (
        text.isprintable()
        and bool(text.strip())
        and len(text.encode(errors="replace")) <= NAME_BYTES_MAX
    )


def may_be_password(text: str) -> bool:
    """Tell whether *text* can be a password; empty means an open network."""
    return not text or bool(PASSPHRASE.fullmatch(text) or KEY.fullmatch(text))


@dataclass(frozen=True, slots=True)
class Wifi:
    """A network that can be joined.

    Attributes:
        name: Its SSID.
        password: A passphrase, or a key of 64 hexadecimal digits; empty for none.

    Raises:
        Malformed: If name or password is impossible. The message quotes no password.
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
    """The outcome of an attempt to join a network."""

    TRYING = "trying"
    WRONG_PASSWORD = "wrong_password"
    NOT_IN_SIGHT = "not_in_sight"
    NO_ADDRESS = "no_address"  # The router let the table in, but gave it no address.
    FAILED = "failed"  # Anything else; the system's journal says what.


@dataclass(frozen=True, slots=True)
class Attempt:
    """The last attempt to join a network."""

    name: str
    outcome: Outcome


def wifi_to_json(wifi: Wifi) -> str:
    """Encode *wifi* for a file."""
    return json.dumps({"name": wifi.name, "password": wifi.password})


def wifi_from_json(text: str) -> Wifi:
    """Decode a network from a file.

    Raises:
        Malformed: If it holds no network. The message quotes nothing of it.
    """
    content = _parse_object(text)
    name, password = content.get("name"), content.get("password")
    if not (isinstance(name, str) and isinstance(password, str)):
        raise Malformed("expected the name and password of a Wi-Fi, got others")
    return Wifi(name, password)


def attempt_to_json(attempt: Attempt) -> str:
    """Encode *attempt* for a file."""
    return json.dumps({"name": attempt.name, "outcome": attempt.outcome})


def attempt_from_json(text: str) -> Attempt:
    """Decode an attempt from a file; ``Malformed`` if it holds none."""
    content = _parse_object(text)
    try:
        return Attempt(str(content["name"]), Outcome(str(content["outcome"])))
    except (KeyError, ValueError) as error:
        raise Malformed(f"expected how joining went, got {quoted(text)}") from error


def names_from_json(text: str) -> tuple[str, ...]:
    """Decode names of networks from a file, skipping impossible ones.

    Raises:
        Malformed: If it holds no list of names.
    """
    names = _parse_object(text).get("names")
    if not isinstance(names, list):
        raise Malformed("expected names of Wi-Fis, got others")
    return tuple(name for name in names if isinstance(name, str) and may_be_name(name))


def names_to_json(names: tuple[str, ...]) -> str:
    """Encode the names of networks for a file."""
    return json.dumps({"names": names})


def _parse_object(text: str) -> dict[str, object]:
    """Decode a JSON object; raise ``Malformed`` for any other text."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise Malformed("expected a JSON object about Wi-Fi, got something else")
    return content
