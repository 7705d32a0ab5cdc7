"""The MQTT messages that describe the table to Home Assistant; the broker keeps all.

Each entity has a message that announces it, and one with its state. An entity that does
not exist now has empty messages, which make the broker forget the kept ones.

Source: Home Assistant's manual, MQTT: discovery, binary_sensor, sensor. Each entity has
a discovery message of its own, as releases before 2024.11 require.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.as_json import to_json
from companion.views.home import HomeView

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
