"""Telling Home Assistant how the table stands, by way of an MQTT broker in the home.

All of it happens in one thread, which nobody waits for. It tells what is so now, and
keeps nothing for a broker that is away or slow; to each connection all is told anew.
Nothing that a broker says changes anything here: it is only heard that Home Assistant
has started, and would like to be told once more.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping

from paho.mqtt.client import (
    Client,
    ConnectFlags,
    MQTTMessage,
    error_string,
)
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from companion.health import Condition, Finding
from companion.ports import Clock
from companion.views.home import HomeView
from companion.words import say
from hardware.home.messages import AWAY, BIRTH, availability, messages
from hardware.home.settings import TOPIC, Broker

log = logging.getLogger(__name__)

KEEPALIVE_S = 30
"""After so long without a word, each asks whether the other is still there."""

BEAT_S = 0.5
"""How often the broker is listened to; what changes at the table is told at once.

A broker is heard one message a beat, so one that floods only fills its own buffers.
"""

LOOK_AGAIN_NS = 30_000_000_000
"""After so long the table is looked at unasked: of a full disk, nobody gives notice."""

MESSAGE_MAX = 1 << 14
"""The longest message that is taken, in bytes; paho would take 256 MB."""

PAUSE_MIN_S, PAUSE_MAX_S = 1.0, 300.0
"""How long to wait before the broker is called again: twice as long each time."""

LASTING_NS = 60_000_000_000
"""A connection that lasted so long was a good one; the next pause is short again."""

CLOSE_S = 3.0
WHY_LENGTH_MAX = 200

Look = Callable[[], HomeView]
Wait = Callable[[float], Mapping[str, int] | None]


class HomeAssistant:
    """Tells a broker of the table, from ``start`` until ``close``.

    Args:
        broker: The broker, and what it may hear.
        table_id: By which it tells several tables apart.
        clock: Says how long a connection lasted.
    """

    def __init__(self, broker: Broker, table_id: str, clock: Clock) -> None:
        self._broker = broker
        self._table_id = table_id
        self._clock = clock
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        self._why: str | None = None  # It is not told; empty: it is; None: not yet.

    def findings(self) -> Iterator[Finding]:
        """Whether the broker is told."""
        place, why = self._broker.place, self._why
        if why == "":
            yield Finding(TOPIC, Condition.OK, f"the MQTT broker at {place} is told")
        elif why:
            yield Finding(
                TOPIC,
                Condition.WARN,
                say("the MQTT broker at {at} is not told: {why}", at=place, why=why),
                say("play on; see that it runs, and that COMPANION_MQTT_URL is right"),
            )

    def start(self, look: Look, wait: Wait) -> None:
        """Begin, in a thread of its own.

        Args:
            look: Looks at the table.
            wait: Waits so many seconds at most until something changed; ``None``
                once the table is closed.
        """
        self._thread = threading.Thread(
            target=self._work, args=(look, wait), name="home-assistant", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """End it; the mailbox that it waits at was closed before."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join(CLOSE_S)  # It may still be calling a broker in vain.

    def _work(self, look: Look, wait: Wait) -> None:
        pause_s = PAUSE_MIN_S
        while not self._closing.is_set():
            called_ns = self._clock.monotonic_ns()
            self._note(self._serve(look, wait))
            if self._clock.monotonic_ns() - called_ns > LASTING_NS:
                pause_s = PAUSE_MIN_S
            self._closing.wait(pause_s)
            pause_s = min(2 * pause_s, PAUSE_MAX_S)

    def _serve(self, look: Look, wait: Wait) -> str:
        """Call the broker, tell it all until that ends, and return why it did."""
        connection = Connection(self._broker, self._table_id, self._clock, look)
        try:
            connection.call()
            while (changed := wait(BEAT_S)) is not None:
                if not connection.go_on(has_changed=bool(changed)):
                    return connection.why
                if connection.is_heard:
                    self._note("")
            self._closing.set()
            connection.take_leave()
        except Exception as error:  # Of the network, or paho's own over garbage.
            return str(error) or type(error).__name__
        finally:
            connection.hang_up()
        return ""

    def _note(self, why: str) -> None:
        """Note why the broker is not told, and log it where that is news."""
        if self._closing.is_set():
            return
        before, self._why = self._why, why[:WHY_LENGTH_MAX]
        if why and not before:
            log.warning("home_not_told broker=%s why=%r", self._broker.place, self._why)
        elif not why and before != "":
            log.info("home_told broker=%s", self._broker.place)


class _Client(Client):
    """paho, with limits to what a broker may fill its memory with."""

    def _sock_recv(self, bufsize: int) -> bytes:
        if bufsize > MESSAGE_MAX:
            raise ConnectionError(f"a message of {bufsize} bytes")
        return super()._sock_recv(bufsize)

    def _send_pubrec(self, mid: int) -> MQTTErrorCode:
        # Otherwise it keeps the message until the broker says that it may go.
        raise ConnectionError(f"message {mid} is of a kind that nobody asked for")


class Connection:
    """One connection to the broker, and what was told over it.

    Args:
        broker: The broker, and what it may hear.
        table_id: Of the table.
        clock: Says how old a look is.
        look: Looks at the table.

    Attributes:
        is_heard: The broker has answered all that it was asked.
        why: Why the connection ended, as far as the broker said so.
    """

    def __init__(self, broker: Broker, table_id: str, clock: Clock, look: Look) -> None:
        self.is_heard, self.why = False, ""
        self._broker, self._table_id = broker, table_id
        self._clock, self._look = clock, look
        self._looked_ns: int | None = None
        self._told: dict[str, bytes] = {}
        # With the same name each time, a broker ends an earlier connection at once;
        # later on, its last will would count.
        name = f"companion-{table_id}"
        self._client = _Client(
            CallbackAPIVersion.VERSION2, name, reconnect_on_failure=False
        )
        self._client.user_data_set(self)
        self._client.on_connect = _answered
        self._client.on_subscribe = _subscribed
        self._client.on_message = _said
        self._client.will_set(availability(table_id), AWAY, retain=True)
        if broker.user:
            self._client.username_pw_set(broker.user, broker.password)
        if broker.is_encrypted:
            self._client.tls_set_context()

    def call(self) -> None:
        """Connect; raises ``OSError`` if nobody is there."""
        self._client.connect(self._broker.host, self._broker.port, KEEPALIVE_S)

    def go_on(self, *, has_changed: bool) -> bool:
        """Tell what changed, and hear a message; false once the connection is lost."""
        if has_changed:
            self._looked_ns = None
        # Who has not taken the last news gets no more: nothing queues up.
        if self.is_heard and not self._client.want_write():
            self._tell()
        code = self._client.loop(0)
        is_well = code is MQTTErrorCode.MQTT_ERR_SUCCESS
        self.why = self.why or ("" if is_well else error_string(code))
        return is_well

    def _tell(self) -> None:
        now_ns = self._clock.monotonic_ns()
        if self._looked_ns is not None and now_ns - self._looked_ns < LOOK_AGAIN_NS:
            return
        self._looked_ns = now_ns
        hears_balances = self._broker.hears_balances
        wanted = messages(self._look(), self._table_id, hears_balances=hears_balances)
        for topic, payload in wanted.items():
            if self._told.get(topic) != payload:
                self._client.publish(topic, payload, retain=True)
        self._told = wanted

    def tell_anew(self) -> None:
        """Forget what was told, so that all of it is told again."""
        self._told, self._looked_ns = {}, None

    def take_leave(self) -> None:
        """Say that the table is gone, before the last will would say it."""
        self._client.publish(availability(self._table_id), AWAY, retain=True)
        self._client.disconnect()

    def hang_up(self) -> None:
        """Let the client go, which then shuts its sockets."""
        self._client.user_data_set(None)


def _answered(
    client: Client,
    connection: Connection,
    _flags: ConnectFlags,
    code: ReasonCode,
    _more: Properties | None,
) -> None:
    if code.is_failure:
        connection.why = str(code)
    else:
        client.subscribe(BIRTH[0])


def _subscribed(
    _client: Client,
    connection: Connection,
    _number: int,
    _codes: list[ReasonCode],
    _more: Properties | None,
) -> None:
    connection.is_heard = True


def _said(_client: Client, connection: Connection, message: MQTTMessage) -> None:
    if (message.topic, message.payload) == BIRTH:
        connection.tell_anew()
