"""The settings of the home's MQTT broker.

They need no paho, so a table without a broker does not import it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import SplitResult, unquote, urlsplit

from companion.errors import Malformed
from hardware.variables import parse, saying_what_to_do

URL = "COMPANION_MQTT_URL"
"""The setting of the broker's address."""
BALANCES = "COMPANION_MQTT_BALANCES"
"""The setting of ``Broker.hears_balances``."""
TOPIC = "network.mqtt"
"""The topic of the finding about the broker."""

PORTS = {"mqtt": 1883, "mqtts": 8883}
"""The default port of each scheme; ``mqtts`` encrypts everything."""


@dataclass(frozen=True, slots=True)
class Broker:
    """An MQTT broker, and what to tell it.

    Attributes:
        host: Its host name or address.
        user: The user's name; empty to log in anonymously.
        is_encrypted: Whether to use TLS; this machine must trust the certificate.
        hears_balances: Whether to tell it the balance of each seat.
    """

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    is_encrypted: bool
    hears_balances: bool

    @property
    def place(self) -> str:
        """Its host and port, without any secrets."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


@saying_what_to_do()
def read_broker(variables: Mapping[str, str]) -> Broker | None:
    """Read the home's broker from the settings; ``None`` if none is set.

    Raises:
        Malformed: If a value makes no sense. The message does not quote the address,
            which may contain a password.
    """
    hears_balances = bool(parse(BALANCES, variables.get(BALANCES, "0"), default=False))
    if not variables.get(URL):
        return None
    url, port = _split(variables[URL])
    return Broker(
        host=url.hostname or "",
        port=port,
        user=unquote(url.username or ""),
        password=unquote(url.password or ""),
        is_encrypted=url.scheme == "mqtts",
        hears_balances=hears_balances,
    )


def _split(text: str) -> tuple[SplitResult, int]:
    try:
        url = urlsplit(text)
        is_plain = url.path in ("", "/") and not (url.query or url.fragment)
        if url.hostname and is_plain:
            return url, url.port or PORTS[url.scheme]
    except (ValueError, KeyError):
        pass
    raise Malformed(
        f"expected {URL} such as mqtt://user:secret@192.168.1.5:1883, got something "
        "else",
        "write it like that, with %40 for an @ in a password, %2F for a /, %3A for a "
        ": and %23 for a #; or leave it empty",
    )
