"""A home that is told of the table: its broker keeps the last message of each topic.

It keeps them as a real one does, whatever becomes of the program meanwhile.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import NamedTuple

from paho.mqtt.enums import MQTTErrorCode

from companion.game import Game
from companion.ports import Line
from companion.units import Account
from hardware.home.assistant import Connection
from hardware.home.settings import Broker
from serving import seen_from_home
from tests.evening.machine import Machine

AT_HOME_SAYS = "the home is told "

TABLE = "0badcafe"
PLACE = Broker("broker", 1883, "", "", is_encrypted=False, hears_balances=True)


class Client:
    """The program's end of a line to the broker; what is published arrives at once."""

    def __init__(self, keep: Callable[[str, bytes], None]) -> None:
        self._keep = keep

    def publish(self, topic: str, payload: bytes, *, retain: bool) -> None:
        """Have the broker keep a message."""
        assert retain, topic
        self._keep(topic, payload)

    def want_write(self) -> bool:
        """Tell whether the broker is slow; it never is."""
        return False

    def loop(self, _timeout_s: float) -> MQTTErrorCode:
        """Have a message read; there is none."""
        return MQTTErrorCode.MQTT_ERR_SUCCESS


class Home:
    """The broker of the home, and what it has heard.

    Args:
        hear: Called with each message that is published, in words.

    Attributes:
        kept: The last message of each topic.
    """

    def __init__(self, hear: Callable[[str], None]) -> None:
        self.kept: dict[str, bytes] = {}
        self._hear = hear
        self._line: tuple[Machine, Connection] | None = None

    def listen(self, machine: Machine) -> None:
        """Hear what this start of the program has to tell since the last time."""
        if self._line is None or self._line[0] is not machine:
            self._changes = machine.table.subscribe()
            connection = Connection(
                PLACE,
                TABLE,
                machine.clock,
                lambda: seen_from_home(machine.built, lambda: ()),
            )
            connection._client = Client(self._keep)
            connection.is_ready = True
            self._line = machine, connection
        self._line[1].go_on(has_changed=bool(self._changes.wait(0)))

    def _keep(self, topic: str, payload: bytes) -> None:
        self._hear(f"{AT_HOME_SAYS}{topic} {payload!r}")
        self.kept[topic] = payload

    def differs(self, game: Game | None, machine: Machine) -> Iterator[str]:
        """Yield what the home believes of the table, and is not so.

        Args:
            game: The game on the table, as its entries make it.
            machine: The table.
        """
        for name, wanted in self._wanted(game, machine).items():
            config = next(x for x in self._configs() if x.name == name)
            state = self.kept.get(config.state_topic, b"").decode()
            if (state if config.is_there else None) != wanted:
                yield f"{name} is {state or 'nothing'}, and should be {wanted}"

    def _configs(self) -> Iterator[Announced]:
        for topic, payload in self.kept.items():
            if topic.endswith("/config"):
                name = topic.split("/")[-2]
                yield Announced(name, f"companion/{TABLE}/{name}", bool(payload))
                if payload:
                    assert json.loads(payload)["state_topic"].endswith(f"/{name}")

    def _wanted(self, game: Game | None, machine: Machine) -> dict[str, str | None]:
        """Return what the home should believe; ``None`` for what is not there."""
        found: dict[str, str | None] = {"game": "None", "turn": "None"}
        colours = [x.name for x in self._configs() if x.name.startswith("balance_")]
        found |= dict.fromkeys(colours)
        if game is not None:
            found["game"] = game.name
            for seat in game.present():
                found[f"balance_{seat.colour}"] = str(game.ledger[Account(seat.seat)])
            play = game.play
            if play is not None and game.is_guided and play.base != "over":
                seat = game.seat(play.mover.seat)
                found["turn"] = seat.name if seat is not None else "None"
        if machine.vault is not None and machine.device is not None:
            is_shut = machine.device.levels()[Line.LID]
            found["lid"] = "OFF" if is_shut else "ON"
        return found


class Announced(NamedTuple):
    """A thing in the home that the table has announced."""

    name: str
    state_topic: str
    is_there: bool
