"""What Home Assistant is told of the table: retained MQTT messages, by topic.

Each entity has a message that makes it known, and one with its state. An entity that
is not there now has empty ones, with which a broker forgets what it kept.

Source: Home Assistant's manual, MQTT: discovery, binary_sensor, sensor. One message an
entity, since releases before 2024.11 know no other way.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.as_json import to_json
from companion.views.home import HomeView

PREFIX = "homeassistant"
"""Where Home Assistant listens for entities unless somebody changed that."""

BIRTH = f"{PREFIX}/status", b"online"
"""What Home Assistant says when it has started."""

THERE, AWAY = "online", "offline"
ON, OFF, UNKNOWN = "ON", "OFF", "None"


class Entity(NamedTuple):
    """A thing in Home Assistant.

    Attributes:
        kind: ``sensor`` or ``binary_sensor``.
        id: Its own among those of the table; never changes.
        about: What else Home Assistant shall know, such as its ``device_class``.
        state: Its state now; ``None`` if the table has no such thing.
    """

    kind: str
    id: str
    name: str
    about: dict[str, str]
    state: str | None


def topic(table_id: str, what: str) -> str:
    """Return the table's own topic for *what*."""
    return f"companion/{table_id}/{what}"


def availability(table_id: str) -> str:
    """Return the topic that says whether the table is there."""
    return topic(table_id, "availability")


def messages(
    view: HomeView, table_id: str, *, hears_balances: bool
) -> dict[str, bytes]:
    """Return all that the broker shall keep, by topic; always the same topics.

    The availability is the last: Home Assistant knows the states by then.
    """
    told: dict[str, bytes] = {}
    for one in _entities(view, hears_balances=hears_balances):
        is_there = one.state is not None
        config = f"{PREFIX}/{one.kind}/companion_{table_id}/{one.id}/config"
        told[config] = _config(one, table_id) if is_there else b""
        told[topic(table_id, one.id)] = (one.state or "").encode()
    return {**told, availability(table_id): THERE.encode()}


def _entities(view: HomeView, *, hears_balances: bool) -> Iterator[Entity]:
    binary, vault = "binary_sensor", view.vault
    is_unlocked = is_open = None
    if vault is not None:
        is_unlocked = _state(None if vault.is_locked is None else not vault.is_locked)
        is_open = _state(vault.is_lid_open)
    # In both classes, on is what a burglar likes: unlocked, and open.
    yield Entity(binary, "bolt", "Vault bolt", _of("lock"), is_unlocked)
    yield Entity(binary, "lid", "Vault lid", _of("opening"), is_open)
    trouble = _state(view.is_in_need)
    yield Entity(binary, "trouble", "Trouble", _of("problem"), trouble)
    yield Entity("sensor", "game", "Game", {}, view.game or UNKNOWN)
    yield Entity("sensor", "stage", "Stage", {}, view.stage)
    yield Entity("sensor", "turn", "Turn", {}, view.turn or UNKNOWN)
    for seat in view.seats:
        is_told = hears_balances and bool(seat.name)
        yield Entity(
            "sensor",
            f"balance_{seat.colour}",
            f"Balance of {seat.name}",
            {"state_class": "measurement"},
            str(seat.balance) if is_told else None,
        )


def _of(device_class: str) -> dict[str, str]:
    return {"device_class": device_class}


def _state(is_on: bool | None) -> str:
    return UNKNOWN if is_on is None else ON if is_on else OFF


def _config(entity: Entity, table_id: str) -> bytes:
    own = f"companion_{table_id}"
    return to_json(
        {
            "name": entity.name,
            "unique_id": f"{own}_{entity.id}",
            "state_topic": topic(table_id, entity.id),
            "availability_topic": availability(table_id),
            **entity.about,
            "device": {"identifiers": [own], "name": "Game table"},
        }
    )
