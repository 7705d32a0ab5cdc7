"""A challenge that is meant to be killed: one step after another, each promised.

Started by ``tests.test_challenge_crash`` in a process of its own. Each line into the
pipe, written at once after ``submit`` has returned, is a promise:
``ack <command id> <revision>``.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

from companion.edition import builtin
from companion.edition.snapshot import snapshot
from companion.game import moves as m
from companion.game.commands import TABLE, Command
from companion.game.envelope import Envelope, Receipt
from companion.store import Database
from companion.table import TableService, build_table
from companion.units import CAMERA, GameId
from hardware.clock import SystemClock
from tests.scene import sitting

EDITION = "crooked-cash"
SEATS = ("red", "blue", "green")
OPENING = "challenge-opening"
ROUNDS = 30


def _given(*lines: str) -> Iterator[Command]:
    for line in lines:
        yield m.CorrectPosition(by=TABLE, words=tuple(line.split()))


def _round() -> Iterator[Command]:
    """A note that is a fake, one that is real, and a card of each kind."""
    yield from _given("red cash 900", "blue cash 900", "green cash 900")
    yield from _given("red chips 2", "green chips 2", "red free", "blue free")
    yield from _given("boardwalk owner blue", "turn red", "red on 31")
    yield m.Roll(by="red", dice=(1, 3))
    yield m.AskRent(by="blue", seat="red")
    yield m.Inspect(by="green")
    yield m.GiveVerdict(by=CAMERA, verdict="unsure")
    yield m.GiveVerdict(by=CAMERA, verdict="fake", amount=100)
    yield m.Inspect(by="blue")
    yield m.GiveVerdict(by="green", verdict="real")
    yield m.HandOver(by="red")
    yield from _given("red cards ready-chips", "turn red")
    yield m.UseCard(by="red", card="ready-chips")
    yield m.Inspect(by="green")
    yield m.GiveVerdict(by=CAMERA, verdict="fake")
    yield from _given("red cards jail-someone", "green chips 2")
    yield m.UseCard(by="red", card="jail-someone", target="blue")
    yield m.Inspect(by="green")
    yield m.GiveVerdict(by=CAMERA, verdict="real")
    yield m.HandOver(by="red")
    yield from _given("blue free", "blue chips 2")


STEPS: tuple[Command, ...] = tuple(_round()) * ROUNDS


def opening() -> tuple[Command, ...]:
    """The commands that seat everybody and let the companion lead."""
    rules = snapshot(builtin(EDITION), {"grace": "0"})
    return (*map(sitting, SEATS), m.BeginPlay(by=TABLE, rules=rules))


def open_table(directory: Path) -> tuple[Database, TableService, GameId]:
    """The table on *directory*, and its one game, which has begun."""
    database = Database(directory)
    table = build_table(database, SystemClock()).service
    game = table.open_game(EDITION, "Crash", OPENING)
    for number, command in enumerate(opening()):
        table.submit(game, Envelope(command, f"opening-{number:04d}"))
    return database, table, game


def submit(table: TableService, game: GameId, step: int) -> Receipt:
    """Give the command of a step, under an id of its own."""
    return table.submit(game, Envelope(STEPS[step], f"step-{step:06d}"))


def challenge_until_killed(
    out: Connection, directory: Path, step: int, until: int = len(STEPS)
) -> None:
    """Go on from *step*, and wait before *until*; each promise goes to *out*."""
    pipe = out.fileno()
    _, table, game = open_table(directory)
    os.write(pipe, f"game {game}\n".encode())
    for number in range(step, until):
        receipt = submit(table, game, number)
        os.write(pipe, f"ack step-{number:06d} {receipt.revision}\n".encode())
    threading.Event().wait()
