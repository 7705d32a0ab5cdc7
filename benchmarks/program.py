"""How soon is the first page there, and how much memory does an evening take?

The whole program in a process of its own, as a person starts it, over loopback.
Starting is timed from nothing to the first page's last byte, on a fresh folder.
Memory is the resident size: of a table whose pages were read and nothing else, of
the same once it has looked at a photo, which loads the decoder, and after commands of
eight phones over HTTP, 100 for each sample, with the panel's own limit on taps in
force.

Run: ``python -m benchmarks.program [--samples 10]``
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

from companion.rules.seats import COLOURS, TOKENS
from tests.phone_http import HttpPhone, open_table
from tests.running import RunningTable

SEATS = tuple(zip(COLOURS, TOKENS, strict=True))
DECODERS_MAX = 5
"""How often the decoder's memory is measured at most."""
PAGES = ("/start", "/table", "/vault", "/decoder")
PHOTO = Path(__file__).parents[1] / "tests/decoder/golden/fake.jpg"
MACHINE = {"python": platform.python_version(), "cores": os.cpu_count()}


def first_page_s(folder: Path) -> float:
    """Start the program; return the seconds until its first page was read."""
    begun = time.perf_counter()
    with RunningTable(folder) as table:
        phone = HttpPhone(table.address)
        status, _ = phone.get("/start")
        took = time.perf_counter() - begun
        phone.close()
        table.stop()
    assert status == 200, status
    return took


def memory_mb(folder: Path, commands: int) -> float:
    """Give so many commands; return the program's resident megabytes then."""
    with RunningTable(folder) as table:
        assert table.code is not None
        game, _, phones = open_table(table.address, table.code, SEATS)
        each = commands // len(phones)
        payers = [
            threading.Thread(target=pay, args=(phone, game, index, each))
            for index, phone in enumerate(phones)
        ]
        for payer in payers:
            payer.start()
        for payer in payers:
            payer.join()
        resident = resident_mb(table)
        table.stop()
    return resident


def decoder_mb(folder: Path) -> tuple[float, float]:
    """Return the resident megabytes without the decoder, and after one photo."""
    with RunningTable(folder) as table:
        phone = HttpPhone(table.address)
        for page in PAGES:
            status, _ = phone.get(page)
            assert status == 200, (page, status)
        phone.close()
        without = resident_mb(table)
        head = b'Content-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
        body = b"--edge\r\n" + head + PHOTO.read_bytes() + b"\r\n--edge--\r\n"
        kind = "multipart/form-data; boundary=edge"
        request = urllib.request.Request(
            f"{table.address}/decoder/photo",
            body,
            {"Content-Type": kind, "Origin": table.address},
        )
        with urllib.request.urlopen(request) as answer:
            assert answer.status == 200, answer.status
        loaded = resident_mb(table)
        table.stop()
    return without, loaded


def resident_mb(table: RunningTable) -> float:
    """Return the program's resident megabytes at this moment."""
    status = Path(f"/proc/{table.pid}/status").read_text()
    resident = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(resident.split()[1]) / 1024


def pay(phone: HttpPhone, game: str, index: int, count: int) -> None:
    """Pay the next seat $1, *count* times."""
    payer, payee = SEATS[index][0], SEATS[(index + 1) % len(SEATS)][0]
    payment = {"type": "Pay", "payer": payer, "payee": payee, "amount": 1}
    paid = 0
    while paid < count:
        status, answer = phone.command(game, f"pay-{index}-{paid:06d}", **payment)
        if status == 429:
            time.sleep(0.05)
            continue
        assert status == 200, answer
        paid += 1
    phone.close()


def main() -> None:
    """Print one JSON line for each question."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=10)
    chosen = parser.parse_args()
    commands = 100 * chosen.samples
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        took = sorted(first_page_s(folder / str(x)) for x in range(chosen.samples))
        first = {
            "what": "start to first page",
            "n": chosen.samples,
            "median_s": round(statistics.median(took), 3),
            "max_s": round(took[-1], 3),
            "aim_s": 1.5,
        }
        print(json.dumps({**first, **MACHINE}), flush=True)
        decoders = min(DECODERS_MAX, chosen.samples)
        both = [decoder_mb(folder / f"decoder-{x}") for x in range(decoders)]
        decoder = {
            "what": "resident memory without and with the decoder, after one photo",
            "n": decoders,
            "without_max_mb": round(max(without for without, _ in both), 1),
            "with_max_mb": round(max(loaded for _, loaded in both), 1),
            "aim_without_mb": 100,
        }
        print(json.dumps({**decoder, **MACHINE}), flush=True)
        memory = {
            "what": "resident memory of the program after commands over HTTP",
            "commands": commands,
            "mb": round(memory_mb(folder / "memory", commands), 1),
            "aim_mb": 120,
        }
        print(json.dumps({**memory, **MACHINE}), flush=True)


if __name__ == "__main__":
    main()
