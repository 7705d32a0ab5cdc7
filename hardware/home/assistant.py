"""Publish the table's state to Home Assistant, through an MQTT broker in the home.

One thread does this, and nobody waits for it. Nothing is queued for a broker that is
away or slow; each connection begins with the whole state. When Home Assistant reports
that it has started, the whole state is published again; all other messages from the
broker are ignored.

Each *entity* has a message that announces it, and one with its state; the broker keeps
all. An entity that does not exist now has empty messages, which make the broker forget
the kept ones.

Source: Home Assistant's manual, MQTT: discovery, binary_sensor, sensor. Each entity has
a discovery message of its own, as releases before 2024.11 require.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from paho.mqtt.client import Client, ConnectFlags, MQTTMessage, error_string
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from companion.as_json import to_json
from companion.health import Condition, Finding
from companion.ports import Clock
from companion.views.home import HomeView
from companion.words import say
from hardware.home.settings import TOPIC, Broker

log = logging.getLogger(__name__)

KEEPALIVE_S = 30
"""After so long without a message, each side asks whether the other is still there."""

BEAT_S = 0.5
"""How often a message of the broker is read; changes of the table go out at once.

So a broker that sends too much fills only its own buffers.
"""

LOOK_AGAIN_NS = 30_000_000_000
"""How often to look at the table even if no change is reported: a disk may be full."""

MESSAGE_MAX = 1 << 14
"""The longest message that is accepted, in bytes; paho would accept 256 MB."""

PAUSE_MIN_S, PAUSE_MAX_S = 1.0, 300.0
"""The pause before connecting again; it doubles each time."""

LASTING_NS = 60_000_000_000
"""After a connection that lasted this long, the next pause is short again."""

CLOSE_S = 3.0
"""How long ``close`` waits for the thread."""
WHY_LENGTH_MAX = 200
"""How many letters are kept of the reason why the broker gets no messages."""

Look = Callable[[], HomeView]
"""Returns the table's present state."""
Wait = Callable[[float], Mapping[str, int] | None]
"""Waits at most so many seconds for changes; ``None`` once the table is closed."""


class HomeAssistant:
    """Publishes the table's state to a broker, from ``start`` until ``close``.

    Args:
        broker: The broker, and what to tell it.
        table_id: Tells several tables on one broker apart.
        clock: Measures how long a connection lasts.
    """

    def __init__(self, broker: Broker, table_id: str, clock: Clock) -> None:
        self._broker = broker
        self._table_id = table_id
        self._clock = clock
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        # Why the broker gets no messages; empty if it does, None if not known yet.
        self._why: str | None = None

    def findings(self) -> Iterator[Finding]:
        """Report whether the broker gets the messages, as soon as that is known."""
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
        """Start the thread."""
        self._thread = threading.Thread(
            target=self._work, args=(look, wait), name="home-assistant", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """End the thread; the mailbox that it waits at must be closed already."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join(CLOSE_S)  # It may be stuck in an attempt to connect.

    def _work(self, look: Look, wait: Wait) -> None:
        """Connect again and again, with growing pauses, until the table is closed."""
        pause_s = PAUSE_MIN_S
        while not self._closing.is_set():
            began_ns = self._clock.monotonic_ns()
            self._note(self._serve(look, wait))
            if self._clock.monotonic_ns() - began_ns > LASTING_NS:
                pause_s = PAUSE_MIN_S
            self._closing.wait(pause_s)
            pause_s = min(2 * pause_s, PAUSE_MAX_S)

    def _serve(self, look: Look, wait: Wait) -> str:
        """Connect and publish until the connection ends, and return why it did."""
        connection = Connection(self._broker, self._table_id, self._clock, look)
        try:
            connection.connect()
            while (changed := wait(BEAT_S)) is not None:
                if not connection.go_on(has_changed=bool(changed)):
                    return connection.why
                if connection.is_ready:
                    self._note("")
            self._closing.set()
            connection.say_goodbye()
        except Exception as error:  # From the network, or paho's own about garbage.
            return str(error) or type(error).__name__
        finally:
            connection.close()
        return ""

    def _note(self, why: str) -> None:
        """Remember why the broker gets no messages, and log a change."""
        if self._closing.is_set():
            return
        before, self._why = self._why, why[:WHY_LENGTH_MAX]
        if why and not before:
            log.warning("home_not_told broker=%s why=%r", self._broker.place, self._why)
        elif not why and before != "":
            log.info("home_told broker=%s", self._broker.place)


class _Client(Client):
    """paho's client, with limits on the memory that a broker can fill."""

    def _sock_recv(self, bufsize: int) -> bytes:
        if bufsize > MESSAGE_MAX:
            raise ConnectionError(f"a message of {bufsize} bytes")
        return super()._sock_recv(bufsize)

    def _send_pubrec(self, mid: int) -> MQTTErrorCode:
        # Otherwise paho keeps the message until the broker releases it.
        raise ConnectionError(f"message {mid} is of a kind that nobody asked for")


class Connection:
    """One connection to the broker, and what was published over it.

    Attributes:
        is_ready: Whether the broker has accepted connection and subscription.
        why: Why the connection ended, if the broker gave a reason.
    """

    def __init__(self, broker: Broker, table_id: str, clock: Clock, look: Look) -> None:
        self.is_ready, self.why = False, ""
        self._broker, self._table_id = broker, table_id
        self._clock, self._look = clock, look
        self._looked_ns: int | None = None  # When the table was last looked at.
        self._published: dict[str, bytes] = {}
        # By the same name the broker ends an earlier connection at once. Otherwise the
        # last will of that one would come later, and the table seem to be gone.
        name = f"companion-{table_id}"
        self._client = _Client(
            CallbackAPIVersion.VERSION2, name, reconnect_on_failure=False
        )
        self._client.user_data_set(self)
        self._client.on_connect = _on_connect
        self._client.on_subscribe = _on_subscribe
        self._client.on_message = _on_message
        self._client.will_set(availability(table_id), AWAY, retain=True)
        if broker.user:
            self._client.username_pw_set(broker.user, broker.password)
        if broker.is_encrypted:
            self._client.tls_set_context()

    def connect(self) -> None:
        """Connect to the broker; raise ``OSError`` if nobody answers."""
        self._client.connect(self._broker.host, self._broker.port, KEEPALIVE_S)

    def go_on(self, *, has_changed: bool) -> bool:
        """Publish changes, read a message, and return whether the connection stands."""
        if has_changed:
            self._looked_ns = None
        # Nothing is queued for a broker that has not taken the last messages.
        if self.is_ready and not self._client.want_write():
            self._publish()
        code = self._client.loop(0)
        is_well = code is MQTTErrorCode.MQTT_ERR_SUCCESS
        self.why = self.why or ("" if is_well else error_string(code))
        return is_well

    def _publish(self) -> None:
        """Look at the table if it is time, and publish changes."""
        now_ns = self._clock.monotonic_ns()
        if self._looked_ns is not None and now_ns - self._looked_ns < LOOK_AGAIN_NS:
            return
        self._looked_ns = now_ns
        hears_balances = self._broker.hears_balances
        current = messages(self._look(), self._table_id, hears_balances=hears_balances)
        for topic, payload in current.items():
            if self._published.get(topic) != payload:
                self._client.publish(topic, payload, retain=True)
        self._published = current

    def start_over(self) -> None:
        """Forget what was published, so that all of it is published again."""
        self._published, self._looked_ns = {}, None

    def say_goodbye(self) -> None:
        """Publish that the table is gone, and disconnect."""
        self._client.publish(availability(self._table_id), AWAY, retain=True)
        self._client.disconnect()

    def close(self) -> None:
        """Drop the reference to this object, so that both free their sockets."""
        self._client.user_data_set(None)


def _on_connect(
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


def _on_subscribe(
    _client: Client,
    connection: Connection,
    _number: int,
    _codes: list[ReasonCode],
    _more: Properties | None,
) -> None:
    connection.is_ready = True


def _on_message(_client: Client, connection: Connection, message: MQTTMessage) -> None:
    if (message.topic, message.payload) == BIRTH:
        connection.start_over()


PREFIX = "homeassistant"
"""How the topics begin on which Home Assistant looks for entities by default."""

BIRTH = f"{PREFIX}/status", b"online"
"""The topic and payload of Home Assistant's message that it has started."""

THERE, AWAY = "online", "offline"
"""The availability of a table that runs, and of one that does not."""
ON, OFF, UNKNOWN = "ON", "OFF", "None"
"""The states of a binary sensor."""


class Entity(NamedTuple):
    """An entity in Home Assistant.

    Attributes:
        kind: ``sensor`` or ``binary_sensor``.
        id: Its id among the table's entities; never changes.
        name: Its name, for people.
        settings: Further settings for Home Assistant, such as a ``device_class``.
        state: ``None`` if the entity does not exist now.
    """

    kind: str
    id: str
    name: str
    settings: dict[str, str]
    state: str | None


def topic(table_id: str, name: str) -> str:
    """Return the table's own topic called *name*."""
    return f"companion/{table_id}/{name}"


def availability(table_id: str) -> str:
    """Return the topic on which the table says whether it runs."""
    return topic(table_id, "availability")


def messages(
    view: HomeView, table_id: str, *, hears_balances: bool
) -> dict[str, bytes]:
    """Build the messages that describe *view*, by topic; the topics never change.

    The availability comes last, when Home Assistant knows all states.
    """
    payloads: dict[str, bytes] = {}
    for entity in _entities(view, hears_balances=hears_balances):
        exists = entity.state is not None
        config = f"{PREFIX}/{entity.kind}/companion_{table_id}/{entity.id}/config"
        payloads[config] = _config(entity, table_id) if exists else b""
        payloads[topic(table_id, entity.id)] = (entity.state or "").encode()
    return {**payloads, availability(table_id): THERE.encode()}


def _entities(view: HomeView, *, hears_balances: bool) -> Iterator[Entity]:
    binary_sensor, vault = "binary_sensor", view.vault
    is_unlocked = is_open = None
    if vault is not None:
        is_unlocked = _state(None if vault.is_locked is None else not vault.is_locked)
        is_open = _state(vault.is_lid_open)
    # Home Assistant's classes: a lock that is on is unlocked, an opening is open.
    yield Entity(binary_sensor, "bolt", "Vault bolt", _class("lock"), is_unlocked)
    yield Entity(binary_sensor, "lid", "Vault lid", _class("opening"), is_open)
    trouble = _state(view.is_in_need)
    yield Entity(binary_sensor, "trouble", "Trouble", _class("problem"), trouble)
    yield Entity("sensor", "game", "Game", {}, view.game or UNKNOWN)
    yield Entity("sensor", "stage", "Stage", {}, view.stage)
    yield Entity("sensor", "turn", "Turn", {}, view.turn or UNKNOWN)
    for seat in view.seats:
        is_shown = hears_balances and bool(seat.name)
        yield Entity(
            "sensor",
            f"balance_{seat.colour}",
            f"Balance of {seat.name}",
            {"state_class": "measurement"},
            str(seat.balance) if is_shown else None,
        )


def _class(device_class: str) -> dict[str, str]:
    return {"device_class": device_class}


def _state(is_on: bool | None) -> str:
    return UNKNOWN if is_on is None else ON if is_on else OFF


def _config(entity: Entity, table_id: str) -> bytes:
    device_id = f"companion_{table_id}"
    return to_json(
        {
            "name": entity.name,
            "unique_id": f"{device_id}_{entity.id}",
            "state_topic": topic(table_id, entity.id),
            "availability_topic": availability(table_id),
            **entity.settings,
            "device": {"identifiers": [device_id], "name": "Game table"},
        }
    )
