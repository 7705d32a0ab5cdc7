"""The world around the table: its time, its network, its power, all from one seed.

What is sent arrives later or not at all, as the evening's faults say. The program is
started on what lies on the disk, dies between any two operations of it, and is started
again by itself, as a service is.
"""

from __future__ import annotations

import logging
import random
import shutil
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import BinaryIO, Self
from unittest.mock import patch

from companion.errors import CompanionError
from companion.examining import Examination
from companion.store import Database, Store, restore
from companion.store.database import FILE_NAME
from tests.evening.disk import Disk
from tests.evening.link import Link
from tests.evening.machine import NS_PER_MS, Answer, Machine, Metal, Request, Stream
from tests.evening.phone import Phone
from tests.evening.reader import Reader
from tests.fakes import FakeClock
from tests.transactions import Left

BOOT_MS = {"killed": 3_000, "without power": 9_000}
START_AGAIN_MS = 5_000
GONE_MS = 60_000
"""After so long the machine finds out that nobody hears a stream."""


class Failed(AssertionError):
    """Something that must hold does not."""


class Ear:
    """The phone's end of a live stream.

    Attributes:
        is_deaf: Nothing arrives here any more, and nobody has said so.
        under_way: What has not arrived yet.
    """

    def __init__(self, hear: Callable[[bytes | None], None], phone: Phone) -> None:
        self.hear, self.phone = hear, phone
        self.is_deaf = self.is_shut = False
        self.under_way: deque[bytes | None] = deque()
        self.stream: Stream | None = None


class World:
    """Everything outside of the people, in one thread.

    Args:
        folder: Where the games lie.
        seed: What everything is drawn from.
        metal: The vault as it stands on the table; ``None`` without one.
        draw_code: Draws a code of the vault.
        url: The PostgreSQL database with the games instead; empty without one.

    Attributes:
        time: The true time.
        machine: The program; ``None`` while it is down.
        fates: What happens to the next things that are sent, one after another.
        drawn: The codes that were drawn for the vault.
        story: What has happened, in words.
        log: What the program wrote into its log.
    """

    def __init__(
        self,
        folder: Path,
        seed: str,
        metal: Metal | None,
        draw_code: Callable[[], int],
        url: str = "",
    ) -> None:
        self.time = FakeClock()
        self.folder, self.seed, self.metal = folder, seed, metal
        self.drawn: list[int] = []
        self._draw_code = draw_code
        dice = random.Random(f"{seed} disk")
        self.disk = Link(folder, url, dice) if url else Disk(folder, dice, self.wait)
        self.machine: Machine | None = None
        self.fates: deque[str] = deque()
        self.story: list[str] = []
        self.log: list[str] = []
        self.ears: list[Ear] = []
        self.wrong_ms = 0
        self.on_answer: Callable[[Request, Answer], None] = lambda *_: None
        self.on_coil: Callable[[Machine, bool], None] = lambda *_: None
        self.on_start: Callable[[], None] = lambda: None
        self.on_half: Callable[[Request, Path], None] = lambda *_: None
        self.on_between: Callable[[Request, bytes], None] = lambda *_: None
        self.on_ask: Callable[[], Request | None] = lambda: None
        self.on_left: Callable[[bytes], None] = lambda _: None
        self.on_settled: Callable[[Machine], None] = lambda _: None
        self.on_piece: Callable[[Request, bytes], None] = lambda *_: None
        self._half: tuple[Request, Path] | None = None
        self._again = ""
        self._looks: dict[str, Examination] = {}
        self._step = self._asked = 0
        self._net = random.Random(f"{seed} net")
        self._entropy = random.Random(f"{seed} entropy")
        self._drawing = patch.object(random, "_urandom", self._entropy.randbytes)
        self._chance = random.Random(f"{seed} chance")
        self._curious = random.Random(f"{seed} curious")
        self._is_busy = False
        self._left: Left | None = None
        self._reader: Reader | None = None
        self._handler = _Told(self.log)

    def __enter__(self) -> Self:
        self._drawing.start()
        logger = logging.getLogger()
        self._level = logger.level
        logger.addHandler(self._handler)
        logger.setLevel(logging.INFO)
        self.disk.__enter__()
        self.start()
        return self

    def __exit__(self, *failed: object) -> None:
        if self.machine is not None:
            self.machine.die()
        if self.disk.is_cut:
            self.disk.leave()
        self.disk.__exit__(*failed)
        logger = logging.getLogger()
        logger.removeHandler(self._handler)
        logger.setLevel(self._level)
        self._drawing.stop()

    def seed_step(self, number: int) -> None:
        """Draw everything anew from here, whatever was drawn before."""
        self._step, self._asked = number, 0
        self._net.seed(f"{self.seed} net {number}")
        self._entropy.seed(f"{self.seed} entropy {number}")
        self._chance.seed(f"{self.seed} chance {number}")
        self._curious.seed(f"{self.seed} curious {number}")

    def tell(self, what: str) -> None:
        """Note in words what happens."""
        self.story.append(f"{self.time.monotonic_ns() // NS_PER_MS:>9} ms  {what}")

    # Time.

    @property
    def now_ms(self) -> int:
        """How many milliseconds have passed."""
        return self.time.monotonic_ns() // NS_PER_MS

    def later(self, ms: int, act: Callable[[], None]) -> None:
        """Have *act* done later."""
        self.time.call_later(ms, act)

    def run(self, ms: int) -> None:
        """Let time pass, with all that falls due in it."""
        until_ns = self.time.monotonic_ns() + ms * NS_PER_MS
        while (due_ns := self.time.due_ns) is not None and due_ns <= until_ns:
            self.time.advance_to_ns(max(due_ns, self.time.monotonic_ns()))
            self.settle()
        self.time.advance_to_ns(max(until_ns, self.time.monotonic_ns()))
        self.settle()

    def wait(self, ms: int) -> None:
        """Let time pass while the program waits for its disk: nothing else is heard."""
        was_busy, self._is_busy = self._is_busy, True
        self.time.advance(ms)
        self._is_busy = was_busy

    def settle(self) -> None:
        """Let the program do what it would do in threads of its own."""
        if self.machine is not None and not self._is_busy:
            self._is_busy = True
            try:
                self._begin_writes()
                self.machine.work()
                left = tuple(self._left or ())
                self.on_settled(self.machine)
            finally:
                self._is_busy = False
            if self.disk.is_cut:
                self.fall()
            elif self.disk.is_well:
                self._check_reader()
                for image in left:
                    self.on_left(image)

    def _check_reader(self) -> None:
        """Look at what was asked for while something was told."""
        why = self._reader.differs() if self._reader is not None else ""
        if why:
            raise Failed(f"asked for while something was told: {why}")

    def _begin_writes(self) -> None:
        if self._left is not None:
            self._left.anew()

    def draw_code(self) -> int:
        """Draw a code of the vault, and remember it."""
        self.drawn.append(self._draw_code())
        return self.drawn[-1]

    # The program.

    def opened(self, folder: Path) -> Store:
        """Open the games, wherever they are; nobody else may have them open."""
        return (
            self.disk.store(folder) if isinstance(self.disk, Link) else Database(folder)
        )

    def restore(self, source: BinaryIO) -> None:
        """Put a backup in the place of all games; the program is stopped."""
        url = ""
        if isinstance(self.disk, Link):
            url = self.disk.url
            self.disk.await_lock()
        restore(source, self.folder, url, may_replace=True)

    def start(self) -> None:
        """Start the program on what lies there, now or as soon as it can."""
        if self.machine is not None:
            return
        self.tell("the program is started")
        self._is_busy = True
        try:
            self.machine = Machine(
                *(self.folder, self.time, self._chance, self.metal, self._looks),
                wrong_ms=self.wrong_ms,
                drift_ppm=self._net.randint(-200, 200),
                draw_code=self.draw_code,
                opened=self.opened,
                on_coil=lambda machine, is_on: self.on_coil(machine, is_on),
            )
        except CompanionError as error:
            if self.disk.is_well:
                raise Failed(f"it does not start on its own files: {error}") from error
            self.tell(f"it cannot start yet: {error}")
            if self.disk.is_cut:
                self.disk.leave()
            self.later(START_AGAIN_MS, self.start)
            return
        finally:
            self._is_busy = False
        database = self.machine.database
        self._left = Left(database) if isinstance(database, Database) else None
        self._reader = Reader(self.machine, self._curious, lambda: self.on_ask())
        if self.disk.is_cut:
            self.fall()
            return
        half, self._half = self._half, None
        self.on_start()
        if half is not None and self.disk.is_well:
            self.disk.spare()
            self.on_half(*half)
        if half is not None:
            shutil.rmtree(half[1])
        self.settle()

    def fall(self, how: str = "killed") -> None:
        """Let the program die: what it wrote lies there, less what no power keeps."""
        if self.machine is None:
            return
        if self.disk.is_cut:
            how = "without power" if self.disk.is_power_cut else "killed"
        else:
            self.disk.cut(is_power=how == "without power")
        self.tell(f"the program is {how}")
        self.metal = self.machine.die()
        self.machine = None
        self.disk.leave()
        for ear in self.ears:
            if how == "killed":
                self.later(5, partial(self._pass_on, ear, None))
        self.ears = []
        self.later(BOOT_MS[how], self.start)

    def stop(self) -> None:
        """End the program as a service is ended."""
        if self.machine is None:
            return
        self.tell("the program is stopped")
        self._is_busy = True
        self.metal = self.machine.stop()
        self.machine, self._is_busy = None, False
        if self.disk.is_cut:
            self.disk.leave()
        self.ears = []

    def leap(self, ms: int) -> None:
        """Set the machine's clock on the wall, forward or back."""
        self.wrong_ms += ms
        if self.machine is not None:
            for clock in (self.machine.clock, self.machine.coil_clock):
                clock.wrong_ms += ms

    # The network.

    def send(
        self, phone: Phone, asked: Request, hear: Callable[[Answer | None], None]
    ) -> None:
        """Carry a request there and its answer back, as far as they come."""
        fate = self.fates.popleft() if self.fates else ""
        slow_ms = self._net.randint(2_000, 30_000) if fate == "late" else 0
        there_ms, back_ms = self._net.randint(1, 40), self._net.randint(1, 40)
        if fate:
            self.tell(f"{phone.name}: {asked.method} {asked.path} is {fate}")

        def arrive() -> None:
            if phone.is_out or fate == "lost":
                return
            if self._is_busy:
                self.later(1, arrive)
            elif self.machine is None:
                self.later(back_ms, lambda: hear(None))
            else:
                phone.heard_ms = self.now_ms
                answer = self.handle(asked)
                if fate != "answered in vain" and not phone.is_out:
                    self.later(back_ms, lambda: hear(answer))

        self.later(there_ms + slow_ms, arrive)
        if fate == "doubled":
            self.later(there_ms + self._net.randint(1, 3_000), arrive)

    def handle(self, asked: Request) -> Answer | None:
        """Have the program answer; ``None`` if it died over it."""
        assert self.machine is not None
        before = self._copied(asked)
        self._asked += 1
        self._again = f"{self.seed} {self._step} {self._asked}"
        self.anew()  # So that it draws the same if it is done once more.
        self._is_busy = True
        self._begin_writes()
        try:
            answer = self.machine.answer(asked)
            left = tuple(self._left or ())
        finally:
            self._is_busy = False
        if self.disk.is_cut:
            self._half = None if before is None else (asked, before)
            self.fall()
            return None
        if before is not None:
            shutil.rmtree(before)
        self.on_answer(asked, answer)
        if self.disk.is_well:
            self._check_reader()
            for image in left:
                self.on_between(asked, image)
        self.settle()
        return answer if self.machine is not None else None

    def _copied(self, asked: Request) -> Path | None:
        """Copy the files as they are before a post over which the program may die."""
        if asked.method != "POST" or not self.disk.is_due or not asked.cookies:
            return None
        copy = self.folder.with_suffix(".before")
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.folder, copy)
        if isinstance(self.disk, Link):
            assert self.machine is not None
            self.machine.database.copy_to(copy / FILE_NAME)
        return copy

    def anew(self) -> None:
        """Draw what was drawn since the latest request."""
        self._entropy.seed(f"entropy {self._again}")
        self._chance.seed(f"chance {self._again}")

    def another(self, folder: Path, metal: Metal | None = None) -> Machine:
        """Start the program on other files, beside the one on the table."""
        return Machine(
            *(folder, self.time, self._chance, metal, self._looks),
            wrong_ms=self.wrong_ms,
            draw_code=lambda: 1,
        )

    def listen(
        self, phone: Phone, asked: Request, hear: Callable[[bytes | None], None]
    ) -> Ear:
        """Open a live stream."""
        ear = Ear(hear, phone)
        fate = self.fates.popleft() if self.fates and self.fates[0] == "lost" else ""

        def arrive() -> None:
            if phone.is_out or fate or ear.is_shut:
                return
            if self._is_busy:
                self.later(1, arrive)
                return
            if self.machine is not None:
                ear.stream = self.machine.listen(asked, partial(self._say, asked, ear))
            if ear.stream is None:
                self.later(5, lambda: self._pass_on(ear, None))
                return
            self.ears.append(ear)
            self.settle()

        self.later(self._net.randint(1, 40), arrive)
        return ear

    def _say(self, asked: Request, ear: Ear, piece: bytes | None) -> None:
        if piece is not None:
            self.on_piece(asked, piece)
        self.later(5, lambda: self._pass_on(ear, piece))

    def _pass_on(self, ear: Ear, piece: bytes | None) -> None:
        ear.under_way.append(piece)
        self._deliver(ear)
        if ear.under_way and ear.phone.is_out:
            out_ms = ear.phone.out_until_ms - self.now_ms
            self.later(out_ms, lambda: self._deliver(ear))

    def _deliver(self, ear: Ear) -> None:
        """Pass on what is under way, in order, unless the phone is out of reach."""
        while ear.under_way and not (ear.is_deaf or ear.is_shut or ear.phone.is_out):
            ear.phone.heard_ms = self.now_ms
            ear.hear(ear.under_way.popleft())

    def hang_up(self, ear: object) -> None:
        """Close a stream from the phone's side; a deaf one is found out later."""
        if not isinstance(ear, Ear) or ear.is_shut:
            return
        ear.is_shut = True
        self.ears = [one for one in self.ears if one is not ear]
        stream = ear.stream
        if stream is not None:
            out_ms = max(0, ear.phone.out_until_ms - self.now_ms)
            is_heard = not (ear.is_deaf or out_ms)
            self.later(5 if is_heard else out_ms + GONE_MS, stream.close)


class _Told(logging.Handler):
    """Keeps what is logged."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one line."""
        self._lines.append(f"{record.levelname} {self.format(record)}")
