"""A table that is meant to be killed, and pays from several threads.

``tests.test_crash`` starts this in a process of its own. Each line into the pipe,
written as soon as ``submit`` has returned, is a promise: ``ack <command id>
<revision>``.
"""

from __future__ import annotations

import os
import random
import threading
from multiprocessing.connection import Connection
from pathlib import Path

from companion.errors import Refused
from companion.game import commands as c
from companion.game import journal
from companion.game.envelope import Envelope
from companion.store import Database
from companion.table import TableService, build_table
from companion.units import BANK, Revision, Seat
from hardware.clock import SystemClock
from tests.scene import pay, sitting

SEATS = ("red", "blue", "green")
OPENING = "crash-opening"


def open_table(directory: Path) -> tuple[Database, TableService, str]:
    """Open the table on *directory*, and its one game with three seats."""
    database = Database(directory)
    table = build_table(database, SystemClock()).service
    game = table.open_game("secret-vault", "Crash", OPENING)
    for seat in SEATS:
        table.submit(game, Envelope(sitting(seat), f"crash-sitting-{seat}"))
    return database, table, game


def command_for(dice: random.Random, seat: str) -> c.Command:
    """Draw something that *seat* does, or now and then takes back."""
    roll = dice.randrange(10)
    if roll == 0:
        return c.Undo(by=seat)
    if roll == 1:
        return c.Redo(by=seat)
    if roll == 2:
        return c.CollectSalary(by=seat, seat=Seat(seat))
    payee = dice.choice([*(s for s in SEATS if s != seat), "bank", "pot", "vault"])
    return pay(seat, payee, dice.randint(1, 40))


def play(
    out: int, table: TableService, game: str, seat: str, round_number: int
) -> None:
    """Give one command after another, and promise each that was accepted."""
    dice = random.Random(f"{seat} {round_number}")
    for number in range(1_000_000):
        command_id = f"{seat}-{round_number}-{number:06d}"
        command = command_for(dice, seat)
        if dice.randrange(8) == 0:  # The banker takes back several; the id tells which.
            oldest = max(1, table.revision(game) - dice.randint(1, 4))
            command = c.UndoTo(by=BANK, revision=Revision(oldest))
            command_id += f"-to-{oldest}"
        try:
            receipt = table.submit(game, Envelope(command, command_id))
        except Refused:
            continue
        os.write(out, f"ack {command_id} {receipt.revision}\n".encode())


def play_until_killed(out: Connection, directory: Path, round_number: int) -> None:
    """Open the table on *directory*, and play; all promises go to *out*."""
    pipe = out.fileno()
    journal.EVERY, journal.WINDOW = 5, 4  # So that kills hit snapshots, too.
    _, table, game = open_table(directory)
    os.write(pipe, f"game {game}\n".encode())
    threads = [
        threading.Thread(target=play, args=(pipe, table, game, seat, round_number))
        for seat in SEATS
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
