"""How long does a club wait: 40 tables of six phones, all at one server?

Each phone comes from an address of its own, holds a live stream, asks for its page
whenever it is told of a change, as the script of the pages does, and pays somebody at
its table every 40 s or so: the sheet is worked out, then the form is sent. A form that
got no answer, or one that says it cannot be done now, is sent again with the same
command id until it gets one. In the end all books must add up: whatever was
acknowledged counts once, and nothing else does. All phones are one thread; it wants
the same processors as the server, so the figures are upper bounds.

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
"""After so long a page without a stream tries again, and asks what it missed."""
AGAIN_S = 1.0
"""After so long whoever got no answer asks or taps again."""
SILENCE_S = 20.0
"""A stream from which nothing comes for so long is cut off."""
ENDING_S = 60.0
"""How long a tap may wait for its answer once nobody taps any more."""
SEATED_AT_ONCE = 4
"""Tables that sit down at the same time."""
NOT_NOW = (408, 429, 500, 502, 503, 504)
PAGE = "X-Requested-With: script\r\nAccept: text/html\r\n"
TOLD = b'data-told="'
CUT = re.compile("Connection|Incomplete|Pipe")
"""What connections are lost to that did not merely take too long."""

T = TypeVar("T")
Books = tuple[int, dict[str, int]]
"""The revision of a game, and what each account has."""


@dataclass
class Load:
    """What a club does to a server.

    Attributes:
        address: The server's.
        code: What the first phone types.
        tables: How many games.
        phones: How many phones at each.
        play_s: For how many seconds they play.
        pace_s: Seconds between two payments of one phone, on average.
        seed: Says who pays when, and whom.
        kill: Ends the writing server, and returns when it did, by ``perf_counter``.
        kill_every_s: Seconds between two kills; 0 for none.
        kill_count: After so many they end earlier, once somebody has paid; 0 for never.
        watched: Process ids by name; they may change while it runs.
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
class Told:
    """What happened to all phones together.

    Attributes:
        sent: When each acknowledged payment was sent last, and when it was answered.
        heard: Phones that had a live stream at some time.
        live: Phones that have one now.
        until: How long they play, by ``perf_counter``.
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
        where: Its address, such as ``/g/0a1b2c3d4e5f``.
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
        colour: Of its seat, which is called like that.
        told: Where it tells what happened.
        dice: Say when it pays, whom and how much.
    """

    def __init__(
        self, line: Line, game: Game, colour: str, told: Told, dice: random.Random
    ) -> None:
        self.line, self.game, self._colour = line, game, colour
        self._told, self._dice = told, dice
        self._name = f"{game.where} {colour}"
        self._shown = self._heard = ""
        self._owes = asyncio.Event()
        self._is_sending = False
        self._taps = 0
        self._tasks: list[asyncio.Task[None]] = []

    async def sit_down(self, token: str) -> None:
        """Take a seat, look at its page, and keep it up to date from then on."""
        colour, join = self._colour, f"{self.game.where}/join"
        seat = {"name": colour, "colour": colour, "token": token}
        await must(self.line, join)
        await must(self.line, join, command_id=f"sit-down-{colour}", **seat)
        self._show(await must(self.line, f"{self.game.where}/"))
        self._tasks += map(asyncio.create_task, (self.listen(), self.keep_up()))

    async def leave(self) -> None:
        """Let go of its page and its connections."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.line.close()

    async def books(self) -> Books:
        """Return the books of its game, as the server has them."""
        answer = await must(self.line, f"/api/games/{self.game.where[3:]}")
        table = json.loads(answer.body)["table"]
        seats = {seat["seat"]: seat["balance"] for seat in table["seats"]}
        return table["revision"], seats | {"bank": table["bank"], "pot": table["pot"]}

    # Its page.

    def _show(self, page: Answer) -> None:
        _, found, rest = page.body.partition(TOLD)
        if not found:
            self._told.errors["a page of another kind"] += 1
            return
        told = rest[: rest.index(b'"')].decode()
        if is_news(told, self._shown):
            self._shown = told

    async def keep_up(self) -> None:
        """Ask for the page whenever it is out of date and no form is under way."""
        while True:
            await self._owes.wait()
            self._owes.clear()
            if not self._is_sending and not await self._ask(f"{self.game.where}/"):
                await asyncio.sleep(AGAIN_S)
                self._owes.set()

    async def _ask(self, path: str) -> Answer | None:
        """Ask for a page, and show it; ``None`` if that has to be done again."""
        began = time.perf_counter()
        try:
            answer = await self.line.ask(path, PAGE)
        except Lost as lost:
            self._told.errors[f"page {lost}"] += 1
            return None
        if answer.status != 200:
            self._told.errors[f"page {answer.status}"] += 1
            return None
        self._told.pages_s.append(time.perf_counter() - began)
        self._show(answer)
        self._look()
        return answer

    def _look(self) -> None:
        """See whether more was told than is shown."""
        if self._heard and is_news(self._heard, self._shown):
            self._owes.set()

    # Its stream.

    async def listen(self) -> None:
        """Hold a live stream, and look now and then while there is none."""
        while True:
            try:
                await self._hear()
                self._told.ended += 1
            except Lost as lost:
                self._told.errors[f"stream {lost}"] += 1
            self._told.live.discard(self._name)
            self._owes.set()
            await asyncio.sleep(PAUSE_S)

    async def _hear(self) -> None:
        connection = None
        try:
            async with asyncio.timeout(SILENCE_S) as patience:
                connection = await self.line.open()
                path = f"/stream?game={self.game.where[3:]}"
                begun = await connection.begin(self.line.question(path))
                if begun.status != 200:
                    self._told.refused += begun.status == 503
                    raise Lost(str(begun.status))
                self._told.heard.add(self._name)
                self._told.live.add(self._name)
                events = b""
                async for piece in connection.pieces():
                    loop = asyncio.get_running_loop()
                    patience.reschedule(loop.time() + SILENCE_S)
                    *whole, events = (events + piece).split(b"\n\n")
                    for event in whole:
                        self._take(event)
        except (OSError, EOFError) as lost:
            raise Lost(type(lost).__name__) from lost
        finally:
            if connection is not None:
                connection.close()

    def _take(self, event: bytes) -> None:
        kind, _, data = event.partition(b"\ndata:")
        if kind == b"event: game":
            self._heard = data.strip().decode()
            self._look()
        elif kind == b"event: phones":
            self._owes.set()

    # Its thumb.

    async def play(self, pace_s: float) -> None:
        """Pay now and then until all have played long enough."""
        wait_s = self._dice.uniform(0, pace_s)
        while time.perf_counter() + wait_s < self._told.until:
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
        answer = await self._sent(
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
            self._told.errors[f"payment {answer.status}"] += 1
        if page is not None:
            self._told.payments_s.append(time.perf_counter() - began)
        self._is_sending = False
        if page is None:
            self._owes.set()
        self._look()

    async def _sent(self, **form: object) -> Answer:
        """Send a form, and again until it is answered for good."""
        while True:
            sent = time.perf_counter()
            try:
                answer = await self.line.ask(f"{self.game.where}/do/pay", PAGE, **form)
            except Lost as lost:
                self._told.errors[f"payment {lost}"] += 1
            else:
                if answer.status not in NOT_NOW:
                    if answer.status == 303:
                        self._told.sent.append((sent, time.perf_counter()))
                    return answer
                self._told.errors[f"payment {answer.status}"] += 1
            await asyncio.sleep(AGAIN_S)


def is_news(told: str, shown: str) -> bool:
    """Tell whether more was told than is shown; of another start, everything is."""
    start, _, count = told.rpartition("-")
    old_start, _, old_count = shown.rpartition("-")
    return start != old_start or int(count) > int(old_count)


async def must(line: Line, path: str, **form: str) -> Answer:
    """Ask until there is an answer, as before and after play nothing is measured."""
    give_up = time.perf_counter() + ENDING_S
    while True:
        try:
            answer = await line.ask(path, "", **form)
        except Lost as lost:
            got = str(lost)
        else:
            if answer.status in (200, 303):
                return answer
            got = f"{answer.status} {answer.body.decode()[:500]}"
        assert time.perf_counter() < give_up, f"wanted {path}, got {got}"
        await asyncio.sleep(AGAIN_S)


class Watched:
    """What processes cost, looked at once a second.

    Args:
        pids: Process ids by name; their children count as well.
    """

    def __init__(self, pids: dict[str, int]) -> None:
        self._pids = pids
        self._last: dict[str, tuple[int, float]] = {}
        self._cpu_s = dict.fromkeys(pids, 0.0)
        self._rss_mb = dict.fromkeys(pids, 0.0)

    async def run(self) -> None:
        """Look until it is told to end."""
        while True:
            self.look()
            await asyncio.sleep(1)

    def look(self) -> None:
        """Look once."""
        for name, pid in self._pids.items():
            cpu_s, rss_mb = cost(pid)
            was_pid, was_s = self._last.get(name, (0, 0.0))
            if pid == was_pid:
                self._cpu_s[name] += max(0.0, cpu_s - was_s)
            self._last[name] = (pid, cpu_s)
            self._rss_mb[name] = max(self._rss_mb[name], rss_mb)

    def told(self, lasted_s: float) -> dict[str, object]:
        """Return the seconds of a processor each took a second, and its memory."""
        names = self._pids
        cpu = {f"{name}_cpu": round(self._cpu_s[name] / lasted_s, 3) for name in names}
        return {
            **cpu,
            **{f"{name}_rss_mb": round(self._rss_mb[name]) for name in names},
        }


def cost(pid: int) -> tuple[float, float]:
    """Return the seconds of a processor and the MB of a process and its children.

    Memory that they share counts for each.
    """
    every, tick_s = {}, 1 / os.sysconf("SC_CLK_TCK")
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            every[int(path.parent.name)] = path.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue  # It has just ended.
    if pid not in every:
        return 0.0, 0.0
    family = [pid]
    for one in family:  # It grows meanwhile.
        family += [child for child, stat in every.items() if int(stat[1]) == one]
    ticks = sum(int(every[one][at]) for one in family for at in (11, 12))
    ticks += sum(int(every[pid][at]) for at in (13, 14))  # Of children that have ended.
    pages = sum(int(every[one][21]) for one in family)
    return ticks * tick_s, pages * resource.getpagesize() / 1e6


async def gathered(load: Load, told: Told) -> list[list[Phone]]:
    """Open all games and seat all phones; return them by table."""
    seats = list(zip(COLOURS, TOKENS, strict=True))[: load.phones]
    numbers = iter(range(1 << 16))

    def line() -> Line:
        number = next(numbers)
        return Line(load.address, f"127.1.{number // 250}.{number % 250 + 1}")

    host, at_once = line(), asyncio.Semaphore(SEATED_AT_ONCE)
    await must(host, "/start")
    await must(host, "/start", code=load.code)

    async def table(number: int) -> list[Phone]:
        async with at_once:
            form = {"edition": "classic", "name": f"Table {number}"}
            opened = await must(
                host, "/games", command_id=f"open-the-game-{number}", **form
            )
            game = Game("/g/" + opened.headers["location"].split("/")[2])
            phones = []
            for colour, token in seats:
                dice = random.Random(f"{load.seed} {number} {colour}")
                phones.append(Phone(line(), game, colour, told, dice))
                await phones[-1].sit_down(token)
            game.wanted = await phones[0].books()
            return phones

    tables = await asyncio.gather(*(table(number) for number in range(load.tables)))
    host.close()
    return tables


async def killed(load: Load, told: Told) -> None:
    """Kill the writing server again and again while phones play."""
    if load.kill is None or not load.kill_every_s:
        return
    while time.perf_counter() + load.kill_every_s < told.until:
        await asyncio.sleep(load.kill_every_s)
        if load.kill_count and len(told.kills) == load.kill_count:
            if takeovers(told)[-1] is not None:
                told.until = time.perf_counter()
        else:
            told.kills.append(await asyncio.to_thread(load.kill))


async def played(load: Load) -> dict[str, object]:
    """Have a club play, and return what it was like."""
    told, began = Told(), time.perf_counter()
    tables = await gathered(load, told)
    phones = [phone for table in tables for phone in table]
    began, seated_s = time.perf_counter(), time.perf_counter() - began
    told.until, own_s = began + load.play_s, time.process_time()
    watched = Watched(load.watched)
    watching = asyncio.create_task(watched.run())
    told.pages_s.clear()
    players = [phone.play(load.pace_s) for phone in phones]
    async with asyncio.timeout(load.play_s + ENDING_S):
        await asyncio.gather(*players, killed(load, told))
        await asyncio.sleep(max(0.0, told.until - time.perf_counter()))
    watched.look()
    lasted_s = time.perf_counter() - began
    own_s = time.process_time() - own_s
    live = len(told.live)
    watching.cancel()
    wrong = await wrong_books(tables)
    await asyncio.gather(watching, *(x.leave() for x in phones), return_exceptions=True)
    await asyncio.sleep(0)  # For the connections to end.
    return {
        "what": "a club at one server",
        "tables": load.tables,
        "phones": load.phones,
        "played_s": round(lasted_s, 1),
        "seated_s": round(seated_s, 1),
        "streams": f"{len(told.heard)}/{len(phones)}",
        "streams_at_the_end": live,
        "streams_refused": told.refused,
        "streams_ended": told.ended,
        "connections_reset": sum(
            told.errors[what] for what in told.errors if CUT.search(what)
        ),
        "payments": figures(told.payments_s),
        "acknowledged": len(told.sent),
        "pages": figures(told.pages_s),
        "errors": dict(told.errors.most_common()),
        "kills": len(told.kills),
        "takeovers_s": takeovers(told),
        **watched.told(lasted_s),
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


def takeovers(told: Told) -> list[float | None]:
    """Return seconds from each kill to the first payment tapped later and answered."""
    return [
        min(
            (round(at - kill, 2) for sent, at in told.sent if sent > kill), default=None
        )
        for kill in told.kills
    ]


def figures(samples_s: Iterable[float]) -> dict[str, float]:
    """How many there are, and how long they took in milliseconds."""
    ms = sorted(1_000 * one for one in samples_s)
    if not ms:
        return {"n": 0}
    shares = {"p95": 0.95, "p99": 0.99}
    return {
        "n": len(ms),
        "median": round(statistics.median(ms), 1),
        **{name: round(ms[int(len(ms) * at)], 1) for name, at in shares.items()},
        "max": round(ms[-1], 1),
    }


def alone(begin: Callable[[], Coroutine[None, None, T]]) -> T:
    """Run something in a thread of its own: a browser may have a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(begin())).result()


def run(load: Load) -> dict[str, object]:
    """Have a club play, and return what it was like; see ``played``."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    try:
        return alone(lambda: played(load))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


class Own:
    """A server that is started here, and again whenever it was killed.

    Args:
        options: Of ``companion serve``.
        stack: Ends it.
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
        at = time.perf_counter()
        self.table = self._started(self.table.port)
        self.watched["server"] = self.table.pid
        return at


def main() -> None:
    """Print one JSON line, and the same for people on the other channel."""
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
    pairs = (one.partition("=") for one in chosen.watch)
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
        told = run(load)
    print(json.dumps(told), flush=True)
    for name, value in told.items():
        print(f"{name:>20}  {value}", file=sys.stderr)
    if told["wrong_books"]:
        raise SystemExit("the books do not add up")


if __name__ == "__main__":
    main()
