"""How long do phones and the table's screen wait for a notice, and their new page?

The whole program in a process of its own, on loopback: a led Secret Vault with eight
seats, the middle of an evening. Each phone listens to the live stream and, when told,
asks for its page as the script of the pages does; so does the table's screen. One
sample runs from the tap (the dice are typed in) until the last of the nine has the
notice, and until the last has read its new page. Between samples the host takes the
roll back. The phones are threads of the measuring program and want the same
processors, so the figure is an upper bound.

Run: ``python -m benchmarks.phones [--samples 100] [--against CHECKOUT]``

``--streams 36 200`` has so many listen, in turn the eight phones and the screen again.

With ``--against``, the program of another checkout runs beside this one, both are
tapped in turn, and further lines give the ratio of their medians.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import platform
import queue
import re
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from companion.rules.seats import COLOURS, TOKENS
from tests.phone_http import HttpPhone, open_table
from tests.running import ROOT, RunningTable

SEATS = tuple(zip(COLOURS, TOKENS, strict=True))
WARM_UP = 10
"""Samples that are not counted."""
PAUSE_S = 0.1
"""The pause between taps: people make one, and the panel limits each phone's taps."""
GIVEN = (
    "red owns mediterranean-avenue baltic-avenue oriental-avenue",
    "blue owns connecticut-avenue st-charles-place",
    "green owns states-avenue virginia-avenue tennessee-avenue",
    "orange owns new-york-avenue kentucky-avenue indiana-avenue",
    "purple owns illinois-avenue atlantic-avenue",
    "teal owns marvin-gardens pacific-avenue",
    "pink owns north-carolina-avenue pennsylvania-avenue",
    "silver owns park-place",
    "red hotels 1",
    "mediterranean-avenue hotels 1",
)
"""Who owns what, in the words of the game scripts."""
PAGE = {"X-Requested-With": "script", "Accept": "text/html"}
"""The headers by which the script of the pages asks for a page."""
SHOWN = re.compile(rb'id="live"[^>]* data-revision="(\d+)"')
HOME = 40
"""Phones that a table has room for unless it is told of more."""


class Seen(NamedTuple):
    """A page: its revision, when its notice came, and when it was read."""

    revision: int
    noticed: float
    read: float


class Listener(threading.Thread):
    """A phone, or the table's screen: told of a change, it asks for its page.

    Args:
        address: The table's address.
        page: The path of the page that it shows.
        stream: The path of its live stream.
        cookie: The phone's cookie; empty for the screen.
        number: Counts listeners from 0; each has an IP address of its own.
    """

    def __init__(
        self, address: str, page: str, stream: str, cookie: str, number: int
    ) -> None:
        super().__init__(daemon=True)
        self._server, self._own = urlsplit(address), (f"127.0.0.{number + 2}", 0)
        self._page, self._headers = page, {**PAGE, "Cookie": cookie}
        listening = self._connected()
        listening.request("GET", stream, headers={"Cookie": cookie})
        self._stream = listening.getresponse()
        assert self._stream.status == 200, (stream, self._stream.status)
        self._asking = self._connected()
        self.seen: queue.Queue[Seen] = queue.Queue()

    def _connected(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(
            self._server.hostname or "", self._server.port, 60, self._own
        )

    def run(self) -> None:
        """Listen until the table ends."""
        while line := self._stream.readline():
            if line.startswith(b"event: game"):
                noticed = time.perf_counter()
                self._asking.request("GET", self._page, headers=self._headers)
                with self._asking.getresponse() as answer:
                    shown = SHOWN.search(answer.read())
                assert shown, (self._page, answer.status)
                self.seen.put(Seen(int(shown[1]), noticed, time.perf_counter()))

    def saw(self, revision: int) -> Seen:
        """Wait for the first page that shows *revision* or a later one."""
        while True:
            seen = self.seen.get(timeout=60)
            if seen.revision >= revision:
                return seen


class Evening:
    """A led game with eight phones and the table's screen, and whoever taps.

    Args:
        folder: Where the table keeps its games.
        tree: The checkout whose program runs.
        streams: The number of listeners.
        stack: Ends the table when it closes.
    """

    def __init__(
        self, folder: Path, tree: Path, streams: int, stack: ExitStack
    ) -> None:
        # Older checkouts do not know the option.
        room = ("--phones", str(streams)) if streams > HOME else ()
        table = stack.enter_context(RunningTable(folder, options=room, root=tree))
        assert table.code is not None
        self.game, self._host, phones = open_table(
            table.address, table.code, SEATS, edition="secret-vault"
        )
        self._red = phones[0]
        self._taps = 0
        self._give(self._host, type="Begin")
        for words in GIVEN:
            self._give(self._host, type="CorrectPosition", words=words.split())
        page, stream = f"/g/{self.game}/", f"/stream?game={self.game}"
        devices = [(page, stream, phone.cookie) for phone in phones]
        devices.append(("/table", "/stream", ""))  # The table's screen.
        self.listeners = [
            Listener(table.address, *device, number)
            for number, device in enumerate(islice(cycle(devices), streams))
        ]
        for listener in self.listeners:
            listener.start()
        for listener in self.listeners:
            listener.saw(0)  # All ask as soon as they listen.

    def _give(self, phone: HttpPhone, **command: object) -> int:
        self._taps += 1
        while True:
            status, answer = phone.command(
                self.game, f"tap-{self._taps:08d}", **command
            )
            if status != 429:
                assert status == 200, answer
                return int(answer["revision"])
            time.sleep(PAUSE_S)

    def sample(self) -> tuple[float, float]:
        """Roll, and undo it; return the ms until the last notice and the last page."""
        began = time.perf_counter()
        rolled = self._give(self._red, type="Roll", dice=[4, 6])
        seen = [listener.saw(rolled) for listener in self.listeners]
        undone = self._give(self._host, type="Undo")
        for listener in self.listeners:
            listener.saw(undone)
        noticed, read = max(x.noticed for x in seen), max(x.read for x in seen)
        return (noticed - began) * 1_000, (read - began) * 1_000

    def pages(self) -> Iterator[tuple[str, str]]:
        """Yield the name and path of each page that is timed alone."""
        yield "a seat's page", f"/g/{self.game}/"
        yield "the table's screen", "/table"
        yield "the board on a phone", f"/g/{self.game}/board"

    def page_ms(self, page: str) -> float:
        """Ask for a page over a kept connection; return the milliseconds it took."""
        began = time.perf_counter()
        status, _ = self._red.get(page)
        assert status == 200, (page, status)
        return (time.perf_counter() - began) * 1_000


def row(
    what: str, tree: Path, samples: list[float], **more: object
) -> dict[str, object]:
    """Return the figures of *samples*, in milliseconds, from the checkout *tree*."""
    samples = sorted(samples)
    return {
        "what": what,
        **more,
        "checkout": "this one" if tree == ROOT else "the other one",
        "n": len(samples),
        "median_ms": round(statistics.median(samples), 2),
        "p99_ms": round(samples[int(len(samples) * 0.99)], 2),
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
    }


Samples = dict[Path, list[float]]
"""Milliseconds, by checkout."""


def print_rows(what: str, samples: Samples, **more: object) -> None:
    """Print a line for each checkout, and one that compares two."""
    for tree, took in samples.items():
        print(json.dumps(row(what, tree, took, **more)), flush=True)
    if len(samples) > 1:
        mine, theirs = map(statistics.median, samples.values())
        ratio = {"what": f"ratio of medians: {what}", **more}
        print(json.dumps({**ratio, "ratio": round(mine / theirs, 3)}), flush=True)


@contextmanager
def evenings(trees: list[Path], streams: int) -> Iterator[dict[Path, Evening]]:
    """Yield an evening with the program of each checkout, all at the same time."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        yield {
            tree: Evening(folder / str(number), tree, streams, stack)
            for number, tree in enumerate(trees)
        }


def measure_taps(running: dict[Path, Evening], count: int, streams: int) -> None:
    """Tap in turn, and print how long the last notice and the last page took."""
    notices: Samples = {tree: [] for tree in running}
    pages: Samples = {tree: [] for tree in running}
    warm_up = min(WARM_UP, count // 2)
    for number in range(warm_up + count):
        for tree, evening in running.items():
            noticed, read = evening.sample()
            time.sleep(PAUSE_S)
            if number >= warm_up:
                notices[tree].append(noticed)
                pages[tree].append(read)
    print_rows("a tap until all streams have the notice", notices, streams=streams)
    print_rows("a tap until all have their new page", pages, streams=streams)


def measure_pages(running: dict[Path, Evening], count: int) -> None:
    """Ask for each page alone, in turn."""
    for page in range(3):
        alone: Samples = {tree: [] for tree in running}
        for number in range(WARM_UP + count):
            for tree, evening in running.items():
                name, address = list(evening.pages())[page]
                took = evening.page_ms(address)
                if number >= WARM_UP:
                    alone[tree].append(took)
        print_rows(name, alone)


def main() -> None:
    """Print one JSON line for each question and checkout."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=100)
    parser.add_argument("--streams", type=int, nargs="+", default=[9])
    parser.add_argument("--against", type=Path, help="another checkout")
    chosen = parser.parse_args()
    trees = [ROOT] + ([chosen.against.resolve()] if chosen.against else [])
    for streams in chosen.streams:
        with evenings(trees, streams) as running:
            measure_taps(running, chosen.samples, streams)
            if streams == chosen.streams[0]:
                measure_pages(running, chosen.samples)


if __name__ == "__main__":
    main()
