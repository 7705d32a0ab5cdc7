"""Which MQTT broker of the home hears of the table: only the settings.

paho, which talks to it, is imported by nobody who has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import SplitResult, unquote, urlsplit

from companion.errors import Malformed
from hardware.variables import parse, saying_what_to_do

URL = "COMPANION_MQTT_URL"
BALANCES = "COMPANION_MQTT_BALANCES"
TOPIC = "network.mqtt"
"""The topic of the finding about the broker."""

PORTS = {"mqtt": 1883, "mqtts": 8883}
"""The usual port of each scheme; with ``mqtts``, everything is encrypted."""


@dataclass(frozen=True, slots=True)
class Broker:
    """An MQTT broker, and what may be told to it.

    Attributes:
        user: Empty for nobody's name.
        is_encrypted: By TLS; its certificate has to be one that this machine trusts.
        hears_balances: Whether it is told how much money each seat has.
    """

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    is_encrypted: bool
    hears_balances: bool

    @property
    def place(self) -> str:
        """Where it is, without its secrets."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


@saying_what_to_do()
def read_broker(variables: Mapping[str, str]) -> Broker | None:
    """Read the home's broker from the settings; ``None`` without one.

    Raises:
        Malformed: If a value makes no sense; it quotes no address, in which there may
            be a password.
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
