"""A vault that is meant to be killed: one opening after another, on mock pins.

``tests.test_vault_crash`` starts this in a process of its own, on a real folder. Each
movement of a part, which stays where it is when the program dies, is told in a line
into the pipe, before the program hears of it:
``<milliseconds since 1970> lid|pointer|coil <number>``.
"""

from __future__ import annotations

import enum
import logging
import os
import random
import signal
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import event

from companion.game import moves as m
from companion.game import vault_contents_events as r
from companion.game.journal import Entry
from companion.game.position import LOCKED, OPENING
from companion.lock.events import LidOpened, LidShut, NumberGuessed, VaultLocked
from companion.lock.states import VaultState
from companion.ports import Line
from companion.rules import legal_moves
from companion.store import Act
from tests.vault_rig import Metal, VaultRig

FREE_GUESS = (2, 3)
"""Dice that lead from GO to a guess for free."""


class When(enum.Enum):
    """How far an entry had come."""

    BEFORE = enum.auto()
    HALFWAY = enum.auto()  # Written, but not yet kept.
    AFTER = enum.auto()


class Moment(NamedTuple):
    """When to die.

    Attributes:
        when: How far the entry had come.
        what: The event in the entry; ``None`` for the coil's pull.
    """

    when: When
    what: type | None = None


MOMENTS: dict[str, Moment] = {
    "before the guess is written": Moment(When.BEFORE, NumberGuessed),
    "while the guess is written": Moment(When.HALFWAY, NumberGuessed),
    "when the guess is written": Moment(When.AFTER, NumberGuessed),
    "before the bolt": Moment(When.BEFORE),
    "in the middle of the pulse": Moment(When.AFTER),
    "before the lid is written": Moment(When.BEFORE, LidOpened),
    "when the lid is written": Moment(When.AFTER, LidOpened),
    "while the money is paid": Moment(When.HALFWAY, r.RichesTaken),
    "when the money is paid": Moment(When.AFTER, r.RichesTaken),
    "before the key is used": Moment(When.BEFORE, r.DeedUnlocked),
    "while the key is used": Moment(When.HALFWAY, r.DeedUnlocked),
    "when the key is used": Moment(When.AFTER, r.DeedUnlocked),
    "before the shut lid is written": Moment(When.BEFORE, LidShut),
    "when the lid is shut": Moment(When.AFTER, LidShut),
    "before the new code is written": Moment(When.BEFORE, VaultLocked),
    "when the lock has the new code": Moment(When.AFTER, VaultLocked),
    "while the filling is written": Moment(When.HALFWAY, r.VaultRefilled),
    "when it is filled again": Moment(When.AFTER, r.VaultRefilled),
}
"""Every step of an opening, in order."""


@dataclass(frozen=True)
class Plan:
    """One opening, and where it ends.

    Attributes:
        moment: One of ``MOMENTS``.
        code: The vault's code at first.
        number: The number to which the wheel is turned.
        next_code: The vault's code afterwards.
    """

    moment: str
    code: int = 4
    number: int = 4
    next_code: int = 2


class ToldRig(VaultRig):
    """A rig that tells each movement of lid, pointer and coil."""

    def __init__(self, out: int, folder: Path, metal: Metal | None = None) -> None:
        self._out = out
        super().__init__(folder, metal=metal)

    def on(self) -> None:
        super().on()
        coil = self.rig.device._coil
        switch = coil._switch

        def told(is_on: bool) -> None:
            self._tell("coil", is_on)
            switch(is_on)

        coil._switch = told

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        if name in ("is_lid_shut", "pointer"):
            self._tell("lid" if name == "is_lid_shut" else name, int(value))  # type: ignore[call-overload]

    def _tell(self, what: str, number: int) -> None:
        os.write(self._out, f"{self.clock.now_ms()} {what} {number:d}\n".encode())


def die(*_: object) -> None:
    """End at once, as when the plug is pulled."""
    os.kill(os.getpid(), signal.SIGKILL)


def arm(rig: VaultRig, moment: Moment) -> None:
    """Have the process die at *moment*."""
    if moment.what is None:
        _arm_bolt(rig, moment.when)
    else:
        _arm_disk(rig, moment.when, moment.what)


def _arm_disk(rig: VaultRig, when: When, what: type) -> None:
    journals = rig.table._journals
    append, appending = journals.append, journals.appending
    along: list[Entry] = []  # What is written together with the next entries.

    def noted(journal_id: str, entry: Entry) -> Act:
        along.append(entry)
        return appending(journal_id, entry)

    def appended(journal_id: str, *own: Entry, also: Act | None = None) -> None:
        entries = (*own, *along)
        along.clear()
        is_it = any(isinstance(x, what) for one in entries for x in one.events)
        if is_it and when is When.BEFORE:
            die()
        if is_it and when is When.HALFWAY:
            event.listen(rig.database._engine, "commit", die)
        append(journal_id, *own, also=also)
        if is_it:
            die()

    journals.append = appended  # type: ignore[method-assign]
    journals.appending = noted  # type: ignore[method-assign]


def _arm_bolt(rig: VaultRig, when: When) -> None:
    release = rig.rig.device.release

    def released(on_time_ms: int) -> None:
        if when is When.AFTER:
            release(on_time_ms)
        die()

    rig.rig.device.release = released  # type: ignore[method-assign]


def open_until_killed(out: Connection, folder: Path, log: Path, plan: Plan) -> None:
    """Bring a new game to a guess that is due, and die on the way through it."""
    logging.basicConfig(filename=log, format="%(name)s %(message)s", level=0)
    rig = ToldRig(out.fileno(), folder)
    rig.ready(plan.code)
    rig.turn_to(plan.number)
    rig.run(300)
    arm(rig, MOMENTS[plan.moment])
    rig.press(Line.M_BUTTON)
    rig.run(200)
    rig.give(m.Unlock(by="red", deed="boardwalk"))
    rig.lid(is_shut=True)
    rig.lock(plan.next_code)


def play_until_killed(out: Connection, folder: Path, seed: int, metal: Metal) -> None:
    """Open the vault again and again, until the parent has seen enough."""
    dice = random.Random(seed)
    rig = ToldRig(out.fileno(), folder, metal)
    rig.rig.device._coil.rest()  # As after every start.
    game = rig.table.current()
    if game is None and rig.state is not VaultState.LOCKED:
        rig.lock(dice.randint(1, 6))
    if game is None or rig.table.game(game).play is None:
        rig.begin()  # Also if an earlier life ended before its game was led.
    rig.resume()
    while True:
        go_on(rig, dice)


def go_on(rig: VaultRig, dice: random.Random) -> None:
    """Do what hands and phones do next, on the way to the next opening."""
    stage, mover = rig.play.stage, rig.play.mover.seat
    if rig.vault_contents.lid == OPENING:
        rig.is_jammed = dice.random() < 0.5
        rig.press(Line.M_BUTTON)
        rig.run(500)
    elif stage == "key":
        choices = legal_moves(rig.now, mover)
        rig.give(next(x for x in choices if isinstance(x, m.Unlock)))
    elif rig.vault_contents.lid != LOCKED:
        rig.lock(dice.randint(1, 6))
    elif stage == "guess":
        rig.is_jammed = dice.random() < 0.5
        rig.turn_to(
            dice.choice([x for x in range(1, 7) if x not in rig.vault_contents.tried])
        )
        rig.run(dice.choice((210, 400)))
        rig.press(Line.M_BUTTON)
        rig.run(500)
    else:
        assert rig.state is VaultState.LOCKED
        rig.set(f"{mover} on go")
        rig.give(m.Roll(by=mover, dice=FREE_GUESS))
