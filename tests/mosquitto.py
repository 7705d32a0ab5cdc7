"""A real mosquitto on loopback, and a client that listens as Home Assistant does."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Self

from paho.mqtt.client import Client, ConnectFlags, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from tests.caddy import HERE, until
from tests.running import PATIENCE_S, end_process, free_port

PROGRAM = Path("/usr/sbin/mosquitto")
NO_MOSQUITTO = "there is no mosquitto here; type: make postgres"


class Mosquitto:
    """An MQTT broker that stores nothing beyond its end.

    Args:
        folder: A folder for its settings and its log.
        settings: Further lines of its settings.

    Attributes:
        port: The port on which it listens.
        url: Its address, as in the table's settings.
    """

    def __init__(self, folder: Path, *settings: str) -> None:
        self.port = free_port()
        self.url = f"mqtt://{HERE}:{self.port}"
        self._folder = folder
        has_passwords = any("password_file" in line for line in settings)
        anyone = () if has_passwords else (ANYONE,)
        lines = (f"listener {self.port} {HERE}", "user root", *anyone, *settings)
        (folder / "mosquitto.conf").write_text("\n".join(lines), encoding="utf-8")
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start it, and wait until it listens."""
        with (self._folder / "mosquitto.log").open("wb") as log:
            self._process = subprocess.Popen(
                [PROGRAM, "-c", "mosquitto.conf"],
                cwd=self._folder,
                stdout=log,
                stderr=log,
            )
        until(self._is_there, self.log)

    def _is_there(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, self.log()
        return " running\n" in self.log()

    def log(self) -> str:
        """Return its log since it was started."""
        return (self._folder / "mosquitto.log").read_text(encoding="utf-8")

    def stop(self) -> None:
        """End it."""
        assert self._process is not None
        end_process(self._process)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


ANYONE = "allow_anonymous true"


class Listener:
    """A client that receives every message at a broker.

    Args:
        port: The port of the broker.

    Attributes:
        kept: The last message of each topic, whether or not the broker retains it.
        fresh: The topics of messages that the broker had retained before.
        count: How many messages were received.
    """

    def __init__(self, port: int) -> None:
        self.kept: dict[str, bytes] = {}
        self.fresh: set[str] = set()
        self.count = 0
        self._news = threading.Condition()
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.on_connect = self._connected
        self._client.on_message = self._heard
        self._client.connect(HERE, port)
        self._client.loop_start()

    def _connected(
        self,
        client: Client,
        _data: object,
        _flags: ConnectFlags,
        _code: ReasonCode,
        _more: Properties | None,
    ) -> None:
        client.subscribe("#")

    def _heard(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        with self._news:
            self.count += 1
            self.kept[message.topic] = message.payload
            if message.retain:
                self.fresh.add(message.topic)
            if not message.payload:
                del self.kept[message.topic]
            self._news.notify_all()

    def until(self, holds: Callable[[dict[str, bytes]], object]) -> None:
        """Wait until *holds* is true of the last messages by topic."""
        with self._news:
            assert self._news.wait_for(lambda: holds(self.kept), PATIENCE_S), self.kept

    def until_said(self, topic: str, said: str) -> None:
        """Wait until *said* is the last message of a topic."""
        self.until(lambda kept: kept.get(topic) == said.encode())

    def say(self, topic: str, said: str | bytes, *, is_kept: bool = False) -> None:
        """Publish a message, and wait until the broker has it."""
        message = self._client.publish(topic, said, qos=1, retain=is_kept)
        message.wait_for_publish(PATIENCE_S)

    def forget(self, topics: Iterable[str]) -> None:
        """Have the broker forget the retained messages of some topics."""
        for topic in topics:
            self.say(topic, b"", is_kept=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.disconnect()
        self._client.loop_stop()
