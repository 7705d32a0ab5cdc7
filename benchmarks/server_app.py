"""The real panel over a real journal, as ``benchmarks.servers`` serves it.

Everything is as in the program but for three things: there is no vault, nobody is
rate-limited, and the phones' tokens are left in ``BENCH_DATA`` for whoever taps.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from flask import Flask

from companion.game import commands as c
from companion.game.envelope import Envelope
from companion.store import Database
from companion.table import build_table
from companion.units import BANK, Seat
from hardware.clock import SystemClock
from web.app import create_app as create_panel
from web.http.panel import Panel
from web.http.settings import PanelSettings

SEATS = (("red", "hat"), ("blue", "car"))
TOKENS = "tokens.json"
"""The file with the game's id, and the cookie of each seat's phone."""
UNLIMITED = 10**9


def create_app() -> Flask:
    """Make a panel with one open game of two seats, in ``BENCH_DATA``."""
    folder = Path(os.environ["BENCH_DATA"])
    database = Database(folder)
    clock = SystemClock()
    built = build_table(database, clock)
    table, phones = built.service, built.service.phones
    game = table.open_game("classic", "Benchmark", "benchmark-game")
    tokens = {"game": game}
    for seat, token in SEATS:
        sitting = c.AddSeat(
            by=BANK, seat=Seat(seat), name=seat, colour=seat, token=token
        )
        table.submit(game, Envelope(sitting, f"sitting-{seat}"))
        phone, proof = phones.issue(clock.now_ms())
        tokens[seat] = f"phone-{phones.table_id}={proof}"
        phones.hold(game, seat, phone.phone)
    (folder / TOKENS).write_text(json.dumps(tokens))
    settings = PanelSettings(
        streams_share_max=UNLIMITED,  # All phones of the benchmark are one address.
        burst_count=UNLIMITED,
        requests_per_s=UNLIMITED,
    )
    return create_panel(Panel(built), settings)
