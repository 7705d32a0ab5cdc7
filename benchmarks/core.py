"""How fast the core is, and whether a long evening makes it slower.

Run: ``python -m benchmarks.core [NAME ...]``
Each measurement prints JSON lines, from about as many samples as ``--samples`` says.
The journal is real and on the disk that ``--folder`` names.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import json
import os
import platform
import subprocess
import sys
import tempfile
import threading
import time
import tracemalloc
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

from sqlalchemy.event import listen

from companion.game import commands as c
from companion.game.codec import entries_to_json
from companion.game.envelope import Envelope
from companion.game.journal import WINDOW
from companion.store import Database, Journals
from companion.table import TableService, build_table
from companion.table.service import GAMES_MAX
from companion.units import BANK, Account, Dollars, GameId, Seat
from companion.views.worth_history import WorthHistory
from hardware.clock import SystemClock
from tests.long_game import entries, long_game
from web.play.export_csv import entries_to_csv

RED, BLUE = Account("red"), Account("blue")
SIZES = (100, 10_000, 100_000)
"""The lengths of the journals that are measured, in entries."""
FEW = 10
"""With fewer samples the largest size is left out, as it takes long to write."""
Row = dict[str, object]
"""A measurement, which is printed as a line of JSON."""


def machine() -> Row:
    """Describe the machine of a measurement."""
    return {
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "python": platform.python_version(),
    }


def summary(what: str, samples_ms: list[float], **more: object) -> Row:
    """Return a measurement's median and 99th percentile, in milliseconds."""
    ordered = sorted(samples_ms)
    count = len(ordered)
    return {
        "what": what,
        **more,
        "n": count,
        "median_ms": round(ordered[count // 2], 4),
        "p99_ms": round(ordered[min(count - 1, int(count * 0.99))], 4),
        **machine(),
    }


def timed_ms(act: Callable[[], object]) -> float:
    """Return the milliseconds that *act* takes."""
    start = time.perf_counter_ns()
    act()
    return (time.perf_counter_ns() - start) / 1e6


class Books:
    """A table on a folder of its own, with red and blue at it."""

    def __init__(self, folder: Path) -> None:
        self.database = Database(folder)
        self.journals = Journals(self.database)
        self.clock = SystemClock()
        self.table = build_table(self.database, self.clock).service
        self.game = self.table.open_game("classic", "Benchmark", "benchmark-open")
        for seat, token in (("red", "hat"), ("blue", "car")):
            sitting = c.AddSeat(
                by=BANK, seat=Seat(seat), name=seat, colour=seat, token=token
            )
            self.submit(sitting, f"sitting-{seat}")
        self.numbers = itertools.count()

    def submit(self, command: c.Command, command_id: str) -> None:
        self.table.submit(self.game, Envelope(command, command_id))

    def pay(self) -> None:
        """Pay a dollar from red to blue, or the next time back again."""
        number = next(self.numbers)
        payer, payee = (RED, BLUE) if number % 2 else (BLUE, RED)
        payment = c.Pay(by=payer, payer=payer, payee=payee, amount=Dollars(1))
        self.submit(payment, f"payment-{time.monotonic_ns()}-{number}")

    def close(self) -> None:
        self.database.close()


def fill(folder: Path, entries_count: int) -> None:
    """Write a game of so many entries at once, undos and redos among them."""
    books = Books(folder)
    first = books.table.table_view(books.game).revision
    books.journals.append(books.game, *islice(entries(entries_count), first, None))
    books.close()


def measured(sizes: tuple[int, ...], samples: int) -> tuple[int, ...]:
    """Return *sizes*, without the last one if there are few samples."""
    return sizes if samples >= FEW else sizes[:-1]


WARM_UP = 20
"""Rounds that are not counted."""


def growth(folder: Path, samples: int) -> Iterator[Row]:
    """Measure a command, a view and an undo by the length of the journal.

    The games take turns, so that a busy moment of the machine hits all.
    """
    tables, sizes = {}, measured(SIZES, samples)
    for size in sizes:
        fill(folder / f"growth-{size}", size)
        tables[size] = Books(folder / f"growth-{size}")
    ids = (f"growth-undo-{number}" for number in itertools.count())
    acts: dict[str, Callable[[Books], object]] = {
        "command": Books.pay,
        "seat view": lambda books: books.table.seat_view(books.game, "red"),
        "undo": partial(undo_under, command_ids=ids),
        "history": lambda books: books.table.history(books.game, count=50),
    }
    took: dict[tuple[str, int], list[float]] = {}
    gc.collect()
    for number in range(-WARM_UP, samples):
        for name, act in acts.items():
            first = number % len(sizes)  # Whoever is first finds cold caches.
            for size in sizes[first:] + sizes[:first]:
                sample = timed_ms(partial(act, tables[size]))
                if number >= 0:
                    took.setdefault((name, size), []).append(sample)
    for name in acts:
        shortest = sorted(took[name, sizes[0]])[samples // 2]
        for size in sizes:
            row = summary(name, took[name, size], entries=size)
            median = sorted(took[name, size])[samples // 2]
            yield {**row, "ratio_to_100": round(median / shortest, 2)}
    for books in tables.values():
        books.close()


def opening(folder: Path, samples: int) -> Iterator[Row]:
    """Measure the time from a closed file to a game that can be looked at."""
    for size in measured(SIZES, samples):
        fill(folder / f"opening-{size}", size)

        def look(size: int = size) -> None:
            books = Books(folder / f"opening-{size}")
            books.table.seat_view(books.game, "red")
            books.close()

        def forget_snapshots(size: int = size) -> None:
            books = Books(folder / f"opening-{size}")
            books.journals.snapshots.clear()
            books.close()

        runs = max(3, samples // (40 if size < 100_000 else 200))
        without_snapshots = []
        for _ in range(runs):
            forget_snapshots()
            without_snapshots.append(timed_ms(look))
        what = "open a game, all entries played back"
        yield summary(what, without_snapshots, entries=size)
        with_snapshots = [timed_ms(look) for _ in range(runs)]
        yield summary("open a game", with_snapshots, entries=size)


GAMES = (1, GAMES_MAX - 1)
"""How many games are kept when the start is measured."""
GAME_ENTRIES = 600
"""The entries of a long evening."""


def shelf(folder: Path, samples: int) -> Iterator[Row]:
    """Measure the start and the first look at a game, with few and many games kept."""
    for count in measured(GAMES, samples):
        books = Books(folder / f"shelf-{count}")
        for number in range(1, count):
            long_game(books.journals, GAME_ENTRIES, f"benchmark-{number:04d}")
        books.close()

        def look(count: int = count) -> None:
            books = Books(folder / f"shelf-{count}")
            books.table.seat_view(books.game, "red")
            books.table.games()
            books.close()

        took = [timed_ms(look) for _ in range(max(5, samples // 20))]
        yield summary("start, and the first look", took, games=count)


def copies(folder: Path, samples: int) -> Iterator[Row]:
    """Measure the time and the memory that a game's files and chart take."""
    for size in measured(SIZES, samples)[1:]:
        fill(folder / f"copies-{size}", size)
        books = Books(folder / f"copies-{size}")
        for what, act in copying(books.table, books.game).items():
            took = [timed_ms(act) for _ in range(max(3, samples // 100))]
            tracemalloc.start()
            act()
            peak_mb = round(tracemalloc.get_traced_memory()[1] / 1e6, 2)
            tracemalloc.stop()
            yield summary(what, took, entries=size, peak_mb=peak_mb)
        books.close()


def copying(table: TableService, game: GameId) -> dict[str, Callable[[], object]]:
    """Return functions that make each file, and keep nothing of it."""
    until, undone = table.undone(game)
    names, entries = table.names(game), partial(table.each_entry, game, 0, until)
    return {
        "export.csv": lambda: deque(
            entries_to_csv(entries(), names, undone, str), maxlen=0
        ),
        "export.json": lambda: deque(entries_to_json("x", entries()), maxlen=0),
        "worth.svg": lambda: WorthHistory(
            lambda: (until, undone), partial(table.each_entry, game)
        ).worths(),
    }


def submit(folder: Path, samples: int) -> Iterator[Row]:
    """Measure a payment, on the disk when it returns, and the disk's own sync."""
    books = Books(folder / "submit")
    for _ in range(50):
        books.pay()
    yield summary(
        "submit, committed", [timed_ms(books.pay) for _ in range(samples * 4)]
    )
    books.close()
    with (folder / "sync").open("wb") as file:

        def sync() -> None:
            file.write(bytes(4096))
            file.flush()
            os.fdatasync(file.fileno())

        yield summary("write 4 KiB and fdatasync", [timed_ms(sync) for _ in range(500)])


GAMES_AT_ONCE = 20
CARD_S = 0.02
"""How long a memory card may take for a commit; added to the disk's own time."""


def hectic(folder: Path, samples: int) -> Iterator[Row]:
    """Measure twenty games at once, each tapped as fast as it answers.

    Each tap is followed by the views of two seats. All is done once on the disk as it
    is, and once with commits as slow as a memory card's.
    """
    for card_s in (0.0, CARD_S):
        books = Books(folder / f"hectic-{card_s}")
        games = [_sat_down(books.table, number) for number in range(GAMES_AT_ONCE)]
        if card_s:
            listen(books.database._engine, "commit", lambda _: time.sleep(CARD_S))
        took: list[float] = []
        threads = [
            threading.Thread(target=_hurry, args=(books.table, game, samples, took))
            for game in games
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        yield summary("tap and two pages, 20 games at once", took, card_s=card_s)
        books.close()


def _sat_down(table: TableService, number: int) -> GameId:
    game = table.open_game("classic", "Benchmark", f"benchmark-{number:04d}")
    for seat, token in (("red", "hat"), ("blue", "car")):
        sitting = c.AddSeat(
            by=BANK, seat=Seat(seat), name=seat, colour=seat, token=token
        )
        table.submit(game, Envelope(sitting, f"sitting-{seat}"))
    return game


def _hurry(table: TableService, game: GameId, taps: int, took: list[float]) -> None:
    for number in range(taps):
        pair = (RED, BLUE) if number % 2 else (BLUE, RED)

        def act(pair: tuple[Account, Account] = pair, number: int = number) -> None:
            pay = c.Pay(by=pair[0], payer=pair[0], payee=pair[1], amount=Dollars(1))
            table.submit(game, Envelope(pay, f"command-{number:06d}"))
            for seat in ("red", "blue"):
                table.seat_view(game, seat)

        took.append(timed_ms(act))


def distant(folder: Path, samples: int) -> Iterator[Row]:
    """Measure an undo of something further back than is kept in memory.

    Of ``WINDOW + 1`` undos in a row one reads the journal again, and takes longest.
    """
    for size in measured(SIZES, samples)[1:]:
        fill(folder / f"distant-{size}", size)
        books = Books(folder / f"distant-{size}")
        books.table.game(books.game)
        undo = partial(
            undo_under, books, (f"distant-{number}" for number in itertools.count())
        )
        took = [
            max(timed_ms(undo) for _ in range(WINDOW + 1))
            for _ in range(max(3, samples // 100))
        ]
        yield summary("undo beyond the window", took, entries=size)
        books.close()


def undo_under(books: Books, command_ids: Iterator[str]) -> None:
    """Undo the latest command, under the next id."""
    books.submit(c.Undo(by=c.TABLE), next(command_ids))


MEMORY_CHILD = """
import sys
from pathlib import Path
from benchmarks.core import Books, resident_mb
books = Books(Path(sys.argv[1]))
before = resident_mb()
for number in range(1000):
    books.pay()
    books.table.seat_view(books.game, "red")
print(before, resident_mb())
"""


def resident_mb() -> float:
    """Return this process's resident memory, in megabytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)


def memory(folder: Path, samples: int) -> Iterator[Row]:
    """Measure a process of core and store before and after 1,000 commands."""
    command = [sys.executable, "-c", MEMORY_CHILD, str(folder / "memory")]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    before, after = map(float, done.stdout.split())
    yield {
        "what": "resident memory, core without the panel",
        "n": 1_000,
        "before_mb": before,
        "after_mb": after,
        **machine(),
    }


MEASUREMENTS: dict[str, Callable[[Path, int], Iterator[Row]]] = {
    "growth": growth,
    "opening": opening,
    "shelf": shelf,
    "copies": copies,
    "submit": submit,
    "hectic": hectic,
    "distant": distant,
    "memory": memory,
}


def main(words: list[str] | None = None) -> None:
    """Print one JSON line per measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", choices=[*MEASUREMENTS, []])
    parser.add_argument("--samples", type=int, default=500)
    parser.add_argument("--folder", type=Path, help="on the disk to be measured")
    chosen = parser.parse_args(words)
    for name in chosen.names or MEASUREMENTS:
        with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
            for row in MEASUREMENTS[name](Path(folder), chosen.samples):
                disk = str(chosen.folder or tempfile.gettempdir())
                print(json.dumps({**row, "folder": disk}), flush=True)


if __name__ == "__main__":
    main()
