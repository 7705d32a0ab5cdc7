"""How long does a club wait: 40 tables of six phones, all at one server?

Each phone comes from an address of its own, holds a live stream, asks for its page
whenever it is told of a change, as the script of the pages does, and pays somebody at
its table every 40 s or so: the sheet is worked out, then the form is sent. A form that
got no answer, or one that says it cannot be done now, is sent again with the same
command id until it gets one. In the end all books must add up: whatever was
acknowledged counts once, and nothing else does. All phones are one thread; it wants
the same processors as the server, so the figures are upper bounds.

A page and its live stream each name a *mark*, ``START-COUNT``: which start of the
server it is, and how many changes that has told. A page is out of date once the stream
has named a later mark.

Run: ``python -m benchmarks.club [--tables 40] [--phones 6] [--minutes 10]``

That starts a server of its own; with ``--kill-every SECONDS`` it is killed and started
again so often. ``--address`` and ``--code`` lead to one that runs already, and each
``--watch NAME=PID`` says whose processor time and memory is told.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import resource
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from benchmarks.connection import Answer, Line, Lost
from companion.rules.seats import COLOURS, TOKENS
from tests.running import RunningTable

PAUSE_S = 3.0
"""The pause before a phone without a stream opens another and asks for its page."""
AGAIN_S = 1.0
"""The pause before a request that got no answer is sent again."""
SILENCE_S = 20.0
"""A stream from which nothing comes for so long is cut off."""
ENDING_S = 60.0
"""How long a request may wait for its answer before, or after, the phones play."""
SEATED_AT_ONCE = 4
"""Tables that sit down at the same time."""
NOT_NOW = (408, 429, 500, 502, 503, 504)
"""The statuses after which the same request may succeed later."""
PAGE = "X-Requested-With: script\r\nAccept: text/html\r\n"
"""The headers by which the script of the pages asks for a page."""
MARK = b'data-told="'
"""What precedes the mark in a page."""
CUT = re.compile("Connection|Incomplete|Pipe")
"""Matches the errors of a connection that was cut, not merely slow."""

T = TypeVar("T")
Books = tuple[int, dict[str, int]]
"""The revision of a game, and the balance of each account."""


@dataclass
class Load:
    """What a club does to a server.

    Attributes:
        address: The server's address.
        code: The code that the first phone types.
        tables: The number of games.
        phones: The number of phones at each table.
        play_s: For how many seconds they play.
        pace_s: Seconds between two payments of one phone, on average.
        seed: Decides who pays when, and whom.
        kill: Kills the writing server; returns the time, by ``perf_counter``.
        kill_every_s: Seconds between two kills; 0 for no kills.
        kill_count: After so many kills play ends early, once a payment since the last
            one is acknowledged; 0 to play for ``play_s`` in any case.
        watched: The processes to measure: ids by name. A restart changes the ids.
    """

    address: str
    code: str
    tables: int = 40
    phones: int = 6
    play_s: float = 600.0
    pace_s: float = 40.0
    seed: int = 1
    kill: Callable[[], float] | None = None
    kill_every_s: float = 0.0
    kill_count: int = 0
    watched: dict[str, int] = field(default_factory=dict)


@dataclass
class Tally:
    """What happened to all phones together; all times are by ``perf_counter``.

    Attributes:
        payments_s: Seconds from each tap to the page that shows the payment.
        pages_s: Seconds that each page took.
        sent: When each acknowledged payment was sent last, and when it was answered.
        heard: The names of phones that had a live stream at some time.
        live: The names of phones that have one now.
        refused: How many streams were refused for lack of room.
        ended: How many streams the server ended.
        kills: When the server was killed.
        until: When play ends.
    """

    payments_s: list[float] = field(default_factory=list)
    pages_s: list[float] = field(default_factory=list)
    sent: list[tuple[float, float]] = field(default_factory=list)
    heard: set[str] = field(default_factory=set)
    live: set[str] = field(default_factory=set)
    refused: int = 0
    ended: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    kills: list[float] = field(default_factory=list)
    until: float = 0.0


class Game:
    """A game, and what its books have to be.

    Args:
        where: Its path, such as ``/g/0a1b2c3d4e5f``.
    """

    def __init__(self, where: str) -> None:
        self.where = where
        self.wanted: Books = (0, {})

    def paid(self, payer: str, payee: str, amount: int) -> None:
        """Note a payment that was acknowledged."""
        revision, accounts = self.wanted
        accounts[payer] -= amount
        accounts[payee] += amount
        self.wanted = (revision + 1, accounts)


class Phone:
    """One phone: its page, its stream and its thumb.

    Args:
        line: Its connections.
        game: The game it plays.
        colour: The colour of its seat, and the seat's name.
        tally: Where it notes what happened.
        dice: Decide when it pays, whom and how much.
    """

    def __init__(
        self, line: Line, game: Game, colour: str, tally: Tally, dice: random.Random
    ) -> None:
        self.line, self.game, self._colour = line, game, colour
        self._tally, self._dice = tally, dice
        self._name = f"{game.where} {colour}"
        self._shown_mark = self._heard_mark = ""
        self._is_outdated = asyncio.Event()  # Its page.
        self._is_sending = False  # A form is under way, which brings a new page.
        self._taps = 0
        self._tasks: list[asyncio.Task[None]] = []

    async def sit_down(self, token: str) -> None:
        """Take a seat, look at its page, and keep it up to date from then on."""
        colour, join = self._colour, f"{self.game.where}/join"
        seat = {"name": colour, "colour": colour, "token": token}
        await insist(self.line, join)
        await insist(self.line, join, command_id=f"sit-down-{colour}", **seat)
        self._show(await insist(self.line, f"{self.game.where}/"))
        self._tasks += map(asyncio.create_task, (self.listen(), self.keep_up()))

    async def leave(self) -> None:
        """Let go of its page and its connections."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.line.close()

    async def books(self) -> Books:
        """Return the books of its game, as the server has them."""
        answer = await insist(self.line, f"/api/games/{self.game.where[3:]}")
        table = json.loads(answer.body)["table"]
        seats = {seat["seat"]: seat["balance"] for seat in table["seats"]}
        return table["revision"], seats | {"bank": table["bank"], "pot": table["pot"]}

    # Its page.

    def _show(self, page: Answer) -> None:
        _, found, rest = page.body.partition(MARK)
        if not found:
            self._tally.errors["a page of another kind"] += 1
            return
        mark = rest[: rest.index(b'"')].decode()
        if is_later(mark, self._shown_mark):
            self._shown_mark = mark

    async def keep_up(self) -> None:
        """Ask for the page whenever it is out of date and no form is under way."""
        while True:
            await self._is_outdated.wait()
            self._is_outdated.clear()
            if not self._is_sending and not await self._ask(f"{self.game.where}/"):
                await asyncio.sleep(AGAIN_S)
                self._is_outdated.set()

    async def _ask(self, path: str) -> Answer | None:
        """Ask for a page, and show it; ``None`` if it did not come."""
        began = time.perf_counter()
        try:
            answer = await self.line.ask(path, PAGE)
        except Lost as lost:
            self._tally.errors[f"page {lost}"] += 1
            return None
        if answer.status != 200:
            self._tally.errors[f"page {answer.status}"] += 1
            return None
        self._tally.pages_s.append(time.perf_counter() - began)
        self._show(answer)
        self._look()
        return answer

    def _look(self) -> None:
        """Note whether the page is out of date."""
        if self._heard_mark and is_later(self._heard_mark, self._shown_mark):
            self._is_outdated.set()

    # Its stream.

    async def listen(self) -> None:
        """Hold a live stream; whenever it ends, pause and open another."""
        while True:
            try:
                await self._hear_stream()
                self._tally.ended += 1
            except Lost as lost:
                self._tally.errors[f"stream {lost}"] += 1
            self._tally.live.discard(self._name)
            self._is_outdated.set()
            await asyncio.sleep(PAUSE_S)

    async def _hear_stream(self) -> None:
        connection = None
        try:
            async with asyncio.timeout(SILENCE_S) as patience:
                connection = await self.line.open()
                path = f"/stream?game={self.game.where[3:]}"
                begun = await connection.begin(self.line.question(path))
                if begun.status != 200:
                    self._tally.refused += begun.status == 503
                    raise Lost(str(begun.status))
                self._tally.heard.add(self._name)
                self._tally.live.add(self._name)
                unread = b""
                async for piece in connection.pieces():
                    loop = asyncio.get_running_loop()
                    patience.reschedule(loop.time() + SILENCE_S)
                    *events, unread = (unread + piece).split(b"\n\n")
                    for event in events:
                        self._take(event)
        except (OSError, EOFError) as lost:
            raise Lost(type(lost).__name__) from lost
        finally:
            if connection is not None:
                connection.close()

    def _take(self, event: bytes) -> None:
        kind, _, data = event.partition(b"\ndata:")
        if kind == b"event: game":
            self._heard_mark = data.strip().decode()
            self._look()
        elif kind == b"event: phones":
            self._is_outdated.set()

    # Its thumb.

    async def play(self, pace_s: float) -> None:
        """Pay now and then until all have played long enough."""
        wait_s = self._dice.uniform(0, pace_s)
        while time.perf_counter() + wait_s < self._tally.until:
            await asyncio.sleep(wait_s)
            await self._pay()
            wait_s = self._dice.uniform(0.5, 1.5) * pace_s

    async def _pay(self) -> None:
        """Fill the sheet, tap, and look at what the page says then."""
        accounts = sorted(self.game.wanted[1].keys() - {self._colour, "bank", "pot"})
        payee, amount = self._dice.choice(accounts), self._dice.randint(1, 5)
        form = f"payee={payee}&amount={amount}&reason=other"
        await self._ask(f"{self.game.where}/pay?{form}")
        self._taps += 1
        began = time.perf_counter()
        self._is_sending = True
        answer = await self._send(
            payer=self._colour,
            payee=payee,
            amount=amount,
            reason="other",
            command_id=f"tap-{self._colour}-{self._taps:08d}",
        )
        page = None
        if answer.status == 303:
            self.game.paid(self._colour, payee, amount)
            page = await self._ask(answer.headers["location"])
        else:
            self._tally.errors[f"payment {answer.status}"] += 1
        if page is not None:
            self._tally.payments_s.append(time.perf_counter() - began)
        self._is_sending = False
        if page is None:
            self._is_outdated.set()
        self._look()

    async def _send(self, **form: object) -> Answer:
        """Send a form again and again until it is answered for good."""
        while True:
            sent_at = time.perf_counter()
            try:
                answer = await self.line.ask(f"{self.game.where}/do/pay", PAGE, **form)
            except Lost as lost:
                self._tally.errors[f"payment {lost}"] += 1
            else:
                if answer.status not in NOT_NOW:
                    if answer.status == 303:
                        self._tally.sent.append((sent_at, time.perf_counter()))
                    return answer
                self._tally.errors[f"payment {answer.status}"] += 1
            await asyncio.sleep(AGAIN_S)


def is_later(mark: str, shown: str) -> bool:
    """Return whether *mark* is later than the one *shown*, or of another start."""
    start, _, count = mark.rpartition("-")
    shown_start, _, shown_count = shown.rpartition("-")
    return start != shown_start or int(count) > int(shown_count)


async def insist(line: Line, path: str, **form: str) -> Answer:
    """Ask again and again until there is an answer; for what is not measured."""
    give_up_at = time.perf_counter() + ENDING_S
    while True:
        try:
            answer = await line.ask(path, "", **form)
        except Lost as lost:
            got = str(lost)
        else:
            if answer.status in (200, 303):
                return answer
            got = f"{answer.status} {answer.body.decode()[:500]}"
        assert time.perf_counter() < give_up_at, f"wanted {path}, got {got}"
        await asyncio.sleep(AGAIN_S)


class Watched:
    """What processes cost, measured once a second.

    Args:
        pids: Process ids by name; their children count as well.
    """

    def __init__(self, pids: dict[str, int]) -> None:
        self._pids = pids
        self._last: dict[str, tuple[int, float]] = {}
        self._cpu_s = dict.fromkeys(pids, 0.0)
        self._rss_mb = dict.fromkeys(pids, 0.0)

    async def run(self) -> None:
        """Measure once a second until it is cancelled."""
        while True:
            self.look()
            await asyncio.sleep(1)

    def look(self) -> None:
        for name, pid in self._pids.items():
            cpu_s, rss_mb = cost(pid)
            last_pid, last_s = self._last.get(name, (0, 0.0))
            if pid == last_pid:  # Otherwise it was started again meanwhile.
                self._cpu_s[name] += max(0.0, cpu_s - last_s)
            self._last[name] = (pid, cpu_s)
            self._rss_mb[name] = max(self._rss_mb[name], rss_mb)

    def figures(self, lasted_s: float) -> dict[str, object]:
        """Return each one's processor seconds per second, and its greatest memory."""
        names = self._pids
        cpu = {f"{name}_cpu": round(self._cpu_s[name] / lasted_s, 3) for name in names}
        return {
            **cpu,
            **{f"{name}_rss_mb": round(self._rss_mb[name]) for name in names},
        }


# Places in /proc/PID/stat, counted behind the state. Source: proc_pid_stat(5).
PARENT, RESIDENT_PAGES = 0, 20
OWN_TICKS, ENDED_CHILDREN_TICKS = slice(10, 12), slice(12, 14)


def cost(pid: int) -> tuple[float, float]:
    """Return the seconds of a processor and the MB of a process and its children.

    Memory that they share counts for each.
    """
    stats: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            _state, *numbers = path.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue  # It has just ended.
        stats[int(path.parent.name)] = [int(number) for number in numbers]
    if pid not in stats:
        return 0.0, 0.0
    family = [pid]
    for member in family:  # The loop goes on to the children that it adds.
        family += [child for child, stat in stats.items() if stat[PARENT] == member]
    ticks = sum(sum(stats[member][OWN_TICKS]) for member in family)
    ticks += sum(stats[pid][ENDED_CHILDREN_TICKS])
    pages = sum(stats[member][RESIDENT_PAGES] for member in family)
    return ticks / os.sysconf("SC_CLK_TCK"), pages * resource.getpagesize() / 1e6


async def seat_all(load: Load, tally: Tally) -> list[list[Phone]]:
    """Open all games and seat all phones; return them by table."""
    seats = list(zip(COLOURS, TOKENS, strict=True))[: load.phones]
    numbers = iter(range(1 << 16))

    def new_line() -> Line:
        number = next(numbers)
        return Line(load.address, f"127.1.{number // 250}.{number % 250 + 1}")

    host, may_sit_down = new_line(), asyncio.Semaphore(SEATED_AT_ONCE)
    await insist(host, "/start")
    await insist(host, "/start", code=load.code)

    async def seat_table(number: int) -> list[Phone]:
        async with may_sit_down:
            form = {"edition": "classic", "name": f"Table {number}"}
            opened = await insist(
                host, "/games", command_id=f"open-the-game-{number}", **form
            )
            game = Game("/g/" + opened.headers["location"].split("/")[2])
            phones = []
            for colour, token in seats:
                dice = random.Random(f"{load.seed} {number} {colour}")
                phones.append(Phone(new_line(), game, colour, tally, dice))
                await phones[-1].sit_down(token)
            game.wanted = await phones[0].books()
            return phones

    tables = await asyncio.gather(*map(seat_table, range(load.tables)))
    host.close()
    return tables


async def keep_killing(load: Load, tally: Tally) -> None:
    """Kill the writing server again and again while phones play."""
    if load.kill is None or not load.kill_every_s:
        return
    while time.perf_counter() + load.kill_every_s < tally.until:
        await asyncio.sleep(load.kill_every_s)
        if load.kill_count and len(tally.kills) == load.kill_count:
            if takeovers(tally)[-1] is not None:
                tally.until = time.perf_counter()
        else:
            tally.kills.append(await asyncio.to_thread(load.kill))


async def play_all(load: Load) -> dict[str, object]:
    """Have a club play, and return what it was like."""
    tally, began = Tally(), time.perf_counter()
    tables = await seat_all(load, tally)
    phones = [phone for table in tables for phone in table]
    began, seated_s = time.perf_counter(), time.perf_counter() - began
    tally.until, own_s = began + load.play_s, time.process_time()
    watched = Watched(load.watched)
    watching = asyncio.create_task(watched.run())
    tally.pages_s.clear()
    players = [phone.play(load.pace_s) for phone in phones]
    async with asyncio.timeout(load.play_s + ENDING_S):
        await asyncio.gather(*players, keep_killing(load, tally))
        await asyncio.sleep(max(0.0, tally.until - time.perf_counter()))
    watched.look()
    lasted_s = time.perf_counter() - began
    own_s = time.process_time() - own_s
    live = len(tally.live)
    watching.cancel()
    wrong = await wrong_books(tables)
    leaving = (phone.leave() for phone in phones)
    await asyncio.gather(watching, *leaving, return_exceptions=True)
    await asyncio.sleep(0)  # Lets the connections end.
    return {
        "what": "a club at one server",
        "tables": load.tables,
        "phones": load.phones,
        "played_s": round(lasted_s, 1),
        "seated_s": round(seated_s, 1),
        "streams": f"{len(tally.heard)}/{len(phones)}",
        "streams_at_the_end": live,
        "streams_refused": tally.refused,
        "streams_ended": tally.ended,
        "connections_reset": sum(
            tally.errors[what] for what in tally.errors if CUT.search(what)
        ),
        "payments": figures(tally.payments_s),
        "acknowledged": len(tally.sent),
        "pages": figures(tally.pages_s),
        "errors": dict(tally.errors.most_common()),
        "kills": len(tally.kills),
        "takeovers_s": takeovers(tally),
        **watched.figures(lasted_s),
        "generator_cpu": round(own_s / lasted_s, 3),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "wrong_books": wrong,
    }


async def wrong_books(tables: Iterable[list[Phone]]) -> list[str]:
    """Return what is wrong with the books of each table: nothing, if all is well."""
    wrong = []
    for first, *_ in tables:
        game, found = first.game, await first.books()
        if found != game.wanted or sum(found[1].values()) != 0:
            wrong.append(f"{game.where}: wanted {game.wanted}, got {found}")
    return wrong


def takeovers(tally: Tally) -> list[float | None]:
    """Return seconds from each kill to the first answer to a payment sent after it."""

    def takeover(killed_at: float) -> float | None:
        later = [answered for sent, answered in tally.sent if sent > killed_at]
        return round(min(later) - killed_at, 2) if later else None

    return [takeover(killed_at) for killed_at in tally.kills]


def figures(samples_s: Iterable[float]) -> dict[str, float]:
    """Return the number of samples and their distribution, in milliseconds."""
    ms = sorted(1_000 * sample_s for sample_s in samples_s)
    if not ms:
        return {"n": 0}
    shares = {"p95": 0.95, "p99": 0.99}
    return {
        "n": len(ms),
        "median": round(statistics.median(ms), 1),
        **{name: round(ms[int(len(ms) * x)], 1) for name, x in shares.items()},
        "max": round(ms[-1], 1),
    }


def alone(begin: Callable[[], Coroutine[None, None, T]]) -> T:
    """Run a coroutine in another thread, as a browser may have a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(begin())).result()


def run(load: Load) -> dict[str, object]:
    """Do ``play_all`` with as many open files as the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    try:
        return alone(lambda: play_all(load))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


class Own:
    """A server that is started here, and again whenever it was killed.

    Args:
        options: Options of ``companion serve``.
        stack: Kills the last one when it closes.
    """

    def __init__(self, options: tuple[str, ...], stack: ExitStack) -> None:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        self._data, self._options = folder / "data", options
        self.table = self._started(None)
        self.watched = {"server": self.table.pid}
        stack.callback(lambda: self.table.kill())

    def _started(self, port: int | None) -> RunningTable:
        return RunningTable(self._data, port, "--no-vault", self._options)

    def kill(self) -> float:
        """Kill it, start it again, and return when it was killed."""
        self.table.kill()
        killed_at = time.perf_counter()
        self.table = self._started(self.table.port)
        self.watched["server"] = self.table.pid
        return killed_at


def main() -> None:
    """Print one JSON line, and to standard error the same for people."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--phones", type=int, default=6)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--pace", type=float, default=40.0, metavar="SECONDS")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kill-every", type=float, default=0.0, metavar="SECONDS")
    parser.add_argument("--address", help="of a server that runs already")
    parser.add_argument(
        "--code", default="", help="that it printed for the first phone"
    )
    parser.add_argument("--watch", action="append", default=[], metavar="NAME=PID")
    chosen = parser.parse_args()
    pairs = (pair.partition("=") for pair in chosen.watch)
    load = Load(
        chosen.address or "",
        chosen.code,
        chosen.tables,
        chosen.phones,
        chosen.minutes * 60,
        chosen.pace,
        chosen.seed,
        kill_every_s=chosen.kill_every,
        watched={name: int(pid) for name, _, pid in pairs},
    )
    with ExitStack() as stack:
        if not load.address:
            own = Own(("--phones", str(chosen.tables * chosen.phones)), stack)
            load.address, load.code = own.table.address, own.table.code or ""
            load.kill, load.watched = own.kill, own.watched
        row = run(load)
    print(json.dumps(row), flush=True)
    for name, value in row.items():
        print(f"{name:>20}  {value}", file=sys.stderr)
    if row["wrong_books"]:
        raise SystemExit("the books do not add up")


if __name__ == "__main__":
    main()
