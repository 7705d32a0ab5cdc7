"""Simulated sticks, and what lies on them."""

from __future__ import annotations

import dataclasses

from companion.errors import DeviceFault
from companion.ports import Stick
from companion.store.copies import Copy
from companion.words import Words, say
from tests.web.conftest import House
from web.app import bind
from web.http.settings import PanelSettings


def plugged(
    uuid: str = "12AB-34CD",
    label: str = "GAMES",
    *,
    is_mounted: bool = False,
    is_usable: bool = True,
) -> Stick:
    """Return a stick of 16 GB."""
    return Stick(uuid, label, "vfat", 15_800_000_000, is_mounted, is_usable, "sda1")


class Pretended:
    """Copies as ``hardware/copying.py`` has them."""

    def __init__(self) -> None:
        self.plugged: list[Stick] = [plugged()]
        self.chosen: list[str] = []
        self.lies: tuple[Copy, ...] = ()
        self.texts: dict[str, bytes] = {}
        self.said: Words | None = None

    def state(self) -> Words | None:
        return self.said

    def sticks(self) -> list[Stick]:
        return self.plugged

    def choose(self, uuid: str) -> None:
        self.chosen.append(uuid)

    def found(self) -> tuple[Copy, ...]:
        return self.lies

    def read(self, file: str) -> bytes:
        if file not in self.texts:
            raise DeviceFault(say("the copy cannot be read"), say("plug it in again"))
        return self.texts[file]


def plugged_in(house: House, made: Pretended | None = None) -> Pretended:
    """Give a table sticks, those of another one if they are given."""
    made = made or Pretended()
    house.panel = dataclasses.replace(house.panel, copies=made)
    bind(house.app, house.panel, PanelSettings(burst_count=500, newcomers_count=999))
    return made
