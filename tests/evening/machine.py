"""The machine on the table: one start of the program after another, and its vault."""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import BinaryIO

from werkzeug.test import TestResponse

from companion.edition.catalogue import Catalogue
from companion.errors import DeviceFault, JournalFault
from companion.examining import (
    STRANGER,
    UNSURE,
    Asker,
    DecoderService,
    Examination,
    Finding,
)
from companion.ports import CameraHealth, CameraState, Edge, Line
from companion.store import Database, Store
from companion.table import Table, VaultParts, build_table
from hardware.photos.deck_folder import DeckFolder
from hardware.photos.examiner import PhotoGrowing
from hardware.photos.lessons import PhotoLessons
from hardware.photos.one_at_a_time import OneAtATime
from hardware.vault.simulated import CYCLE, SimulatedVault
from tests.fakes import FakeClock, FakeTimer
from tests.web.conftest import CODE, app_for
from web.http.live import HEARTBEAT
from web.http.panel import Panel
from web.http.settings import PanelSettings

NS_PER_MS = 1_000_000
NS_PER_S = 1_000 * NS_PER_MS
HEARTBEAT_NS = round(PanelSettings().heartbeat_s * NS_PER_S)
SETTINGS = PanelSettings(heartbeat_s=0, burst_count=10**6, newcomers_count=10**6)
"""A silent stream gives way at once; what it says then is passed on in time."""

BOUNCE_NS = 200_000
LOOK_AGAIN_NS = 60 * NS_PER_S


@cache
def catalogue() -> Catalogue:
    """Return the editions of the program, read once."""
    return Catalogue()


class MachineClock:
    """A clock of one start of the machine, by the true *time*.

    What it promised dies with the program. On the wall it may be wrong, and it runs a
    little too fast or too slow.

    Attributes:
        is_hanging: Set it to keep its promises waiting; cleared, they are kept at once.
    """

    def __init__(self, time: FakeClock, wrong_ms: int, drift_ppm: int) -> None:
        self.wrong_ms = wrong_ms
        self._time, self._began_ns, self._ppm = time, time.monotonic_ns(), drift_ppm
        self._timers: list[FakeTimer] = []
        self._late: list[Callable[[], None]] = []
        self._is_hanging = False

    def now_ms(self) -> int:
        """Milliseconds since 1970 UTC, as the machine has it."""
        return self._time.now_ms() + self.wrong_ms

    def monotonic_ns(self) -> int:
        """Nanoseconds since the machine started, as it counts them."""
        passed_ns = self._time.monotonic_ns() - self._began_ns
        return passed_ns + passed_ns * self._ppm // 1_000_000

    def call_later(self, delay_ms: int, act: Callable[[], None]) -> FakeTimer:
        """Call *act* in *delay_ms* by this clock, unless the program dies before."""

        def due() -> None:
            if self._is_hanging:
                self._late.append(lambda: None if timer.is_cancelled else act())
            else:
                act()

        true_ms = -(-delay_ms * 1_000_000 // (1_000_000 + self._ppm))
        timer = self._time.call_later(true_ms, due)
        self._timers = [x for x in self._timers if not x.is_cancelled] + [timer]
        return timer

    def hang(self, is_hanging: bool) -> None:
        """Keep no promise from now on, or all that have waited."""
        self._is_hanging = is_hanging
        late, self._late = self._late, [] if not is_hanging else self._late
        for act in () if is_hanging else late:
            act()

    def die(self) -> None:
        """Forget every promise."""
        for timer in self._timers:
            timer.cancel()
        self._late.clear()


class RoughVault(SimulatedVault):
    """The simulated vault with contacts that bounce and wires that lose an edge.

    Attributes:
        bounces, losses: How many of the next edges are told three times, or not at all.
        is_trembling: Whether the next press lets go for a moment.
        loses_lid: Whether the next edge of the lid is not told.
        presses_count: How often somebody has pressed M.
    """

    bounces = 0
    losses = 0
    is_trembling = loses_lid = False
    presses_count = 0
    on_coil: Callable[[bool], None] | None = None

    def _switch(self, is_on: bool) -> None:
        super()._switch(is_on)
        if self.on_coil is not None:
            self.on_coil(is_on)

    def _tell(self, line: Line, is_on: bool) -> None:
        if self.losses:
            self.losses -= 1
            return
        if self.loses_lid and line is Line.LID:
            self.loses_lid = False
            return
        super()._tell(line, is_on)
        if self.bounces and self._hear is not None:
            self.bounces -= 1
            now_ns = self._clock.monotonic_ns()
            for number, level in enumerate((not is_on, is_on), 1):
                self._hear(Edge(line, level, now_ns + number * BOUNCE_NS))

    def press(self, line: Line) -> None:
        """Press a button and let it go, perhaps with a thumb that trembles."""
        self.presses_count += line is Line.M_BUTTON
        super().press(line)
        if self.is_trembling:
            self.is_trembling = False
            for after_ms, level in ((8, False), (22, True)):
                self._clock.call_later(
                    after_ms, lambda level=level: self._set(line, level)
                )

    def metal(self) -> Metal:
        """What stays as it is when the program ends."""
        return Metal(CYCLE[self._phase], self._levels[Line.LID], self.is_jammed)


@dataclass(frozen=True)
class Metal:
    """What of a vault needs no power: contacts of the wheel, the lid, a jam."""

    rest: tuple[bool, bool] = (True, True)
    is_lid_shut: bool = False
    is_jammed: bool = False


class StandIn:
    """An examiner that says what the evening draws; reading pictures is not stepped.

    Attributes:
        verdict: What it sees next.
        is_blind: The camera gives nothing.
    """

    def __init__(self, tell: Callable[[], None], kept: dict[str, Examination]) -> None:
        self.verdict, self.is_blind = UNSURE, False
        self._tell = tell
        self._kept = kept
        self._shown = ""

    def examine(
        self, photo: BinaryIO, asker: Asker = STRANGER, *, has_lens: bool = False
    ) -> Examination:
        """See what was drawn (``Examiner.examine``)."""
        photo.read()
        pictures = {name: b"\xff\xd8\xff " + name.encode() for name in ("seen", "face")}
        percent, reason = (0, "it is too dark") if self.verdict == UNSURE else (90, "")
        finding = Finding(self.verdict, percent, reason, 4.0, pictures)
        key = f"look-{len(self._kept)}"
        found = Examination(
            *(key, "house", (finding,), ("come closer",), b"\xff\xd8\xff", 1),
            has_lens=has_lens,
            about=asker.about,
        )
        self._kept[key] = found
        return found

    def look(self, asker: Asker = STRANGER, *, has_lens: bool = False) -> Examination:
        """See the same through the table's camera, if it gives anything."""
        if self.is_blind:
            raise DeviceFault("the camera sends nothing", "plug it in again")
        return self.examine(io.BytesIO(), asker, has_lens=has_lens)

    def glance(self, asker: Asker = STRANGER) -> Examination:
        """See the same for a picture that moves."""
        return self.look(asker)

    def camera_health(self) -> CameraHealth:
        """Call the camera well: that it is not shows at a look, and no page hears."""
        return CameraHealth(CameraState.WORKING)

    def found(self, key: str) -> Examination | None:
        """Return an earlier look."""
        return self._kept.get(key)

    def show(self, key: str) -> bool:
        """Put a look on the table's screen."""
        self._shown = key if key in self._kept else self._shown
        self._tell()
        return key in self._kept

    def shown(self) -> Examination | None:
        """Return the look on the table's screen."""
        return self._kept.get(self._shown)

    def put_away(self) -> None:
        """Take it off."""
        self._shown = ""
        self._tell()

    def give_up(self) -> None:
        """Nothing is under way."""


@dataclass(frozen=True)
class Request:
    """What a phone sends."""

    method: str
    path: str
    address: str
    cookies: dict[str, str] = field(default_factory=dict)
    form: dict[str, str] | None = None
    json: dict[str, object] | None = None
    photo: bytes | None = None
    is_script: bool = False


@dataclass(frozen=True)
class Answer:
    """What comes back."""

    status: int
    text: str
    location: str = ""
    cookies: tuple[tuple[str, str], ...] = ()


class Stream:
    """A live stream at the machine's end; *hear* gets its pieces, then ``None``."""

    def __init__(
        self, answer: TestResponse, hear: Callable[[bytes | None], None]
    ) -> None:
        self._answer = answer
        self._pieces: Iterator[bytes] = iter(answer.response)
        self._hear = hear
        self.is_open = True

    def step(self, *, is_beat: bool) -> None:
        """Pass on what there is to say, and the silence of a heartbeat."""
        while self.is_open:
            try:
                piece = next(self._pieces, None)
            except JournalFault:  # A server hangs up, and the page asks again.
                piece = None
            if piece is None:
                self.close()
                self._hear(None)
            elif piece != HEARTBEAT or is_beat:
                self._hear(piece)
            if piece == HEARTBEAT:
                return

    def close(self) -> None:
        """End it."""
        self.is_open = False
        self._answer.close()


class Machine:
    """One start of the program, on what lies in *folder*.

    Args:
        folder: Where the games lie.
        time: The true time.
        chance: Throws its dice, shuffles its cards, draws the vault's codes.
        metal: The vault as it stands there; ``None`` for a table without one.
        wrong_ms: By how much its clock on the wall is wrong.
        drift_ppm: By how much its clocks run too fast.
        looks: What was looked at, so that the same post says the same after a start.
        draw_code: Draws a code of the vault.
        opened: Opens the games of a folder.
        on_coil: Called when the coil is switched on or off.

    Raises:
        CompanionError: If it cannot start.
    """

    def __init__(
        self,
        folder: Path,
        time: FakeClock,
        chance: random.Random,
        metal: Metal | None,
        looks: dict[str, Examination],
        *,
        wrong_ms: int = 0,
        drift_ppm: int = 0,
        draw_code: Callable[[], int] = lambda: 1,
        opened: Callable[[Path], Store] = Database,
        on_coil: Callable[[Machine, bool], None] = lambda *_: None,
    ) -> None:
        self.clock = MachineClock(time, wrong_ms, drift_ppm)
        self.coil_clock = MachineClock(time, wrong_ms, drift_ppm)
        self.device: RoughVault | None = None
        self.streams: list[Stream] = []
        self._on_coil = on_coil
        self._looked_ns = self._beat_ns = 0
        self.database = opened(folder)
        parts = None
        if metal is not None:
            parts = VaultParts(lambda _: self._fitted(metal), self.clock, draw_code)
        try:
            self.built: Table = build_table(
                *(self.database, self.clock, catalogue()),
                vault=parts,
                chance=chance,
                draw_first_code=lambda digits: (CODE * 3)[:digits],
            )
        except BaseException:
            self.database.close()
            raise
        self.table, self.vault = self.built.service, self.built.vault
        notices = self.table.notices
        self.examiner = StandIn(lambda: notices.tell("decoder", 0), looks)
        self.panel = Panel(self.built, _decoder(folder, self.examiner))
        self.app = app_for(self.panel, SETTINGS)
        self.is_running = True
        self.work()

    def _fitted(self, metal: Metal) -> RoughVault:
        self.device = RoughVault(
            self.clock,
            coil_clock=self.coil_clock,
            rest=metal.rest,
            is_lid_shut=metal.is_lid_shut,
        )
        self.device._coil.rest()  # As a real one does at the start.
        self.device.is_jammed = metal.is_jammed
        self.device.on_coil = lambda is_on: self._on_coil(self, is_on)
        return self.device

    def answer(self, sent: Request) -> Answer:
        """Answer a request."""
        response = self._open(sent)
        found = Answer(
            response.status_code,
            response.get_data(as_text=True),
            response.headers.get("Location", ""),
            tuple(_cookies(response)),
        )
        response.close()
        if self.vault is not None:
            self.vault.follow(0)
        return found

    def listen(
        self, sent: Request, hear: Callable[[bytes | None], None]
    ) -> Stream | None:
        """Open a live stream; ``None`` if none is free."""
        response = self._open(sent, is_stream=True)
        if response.status_code != 200:
            response.close()
            return None
        self.streams.append(stream := Stream(response, hear))
        return stream

    def _open(self, sent: Request, *, is_stream: bool = False) -> TestResponse:
        headers = {"Origin": "http://localhost"} if sent.method == "POST" else {}
        if sent.cookies:
            cookies = (f"{name}={value}" for name, value in sent.cookies.items())
            headers["Cookie"] = "; ".join(cookies)
        if sent.is_script:
            headers |= {"X-Requested-With": "script", "Accept": "text/html"}
        client = self.app.test_client(use_cookies=False)
        data: dict[str, object] | None = dict(sent.form) if sent.form else None
        if sent.photo is not None:
            data = {**(data or {}), "photo": (io.BytesIO(sent.photo), "note.jpg")}
        more = {"json": sent.json} if sent.json is not None else {"data": data}
        return client.open(
            sent.path,
            method=sent.method,
            headers=headers,
            environ_overrides={"REMOTE_ADDR": sent.address},
            buffered=not is_stream,
            **more,
        )

    def work(self) -> None:
        """Do what the program's threads would do now."""
        now_ns = self.clock.monotonic_ns()
        if self.vault is not None:
            if now_ns - self._looked_ns > LOOK_AGAIN_NS:
                self._looked_ns = now_ns
                self.vault.follow(0)
            for _ in range(3):  # What one of them leads to.
                self.vault.keeper.process()
        is_beat = now_ns - self._beat_ns > HEARTBEAT_NS
        self._beat_ns = now_ns if is_beat else self._beat_ns
        for stream in self.streams:
            stream.step(is_beat=is_beat)
        self.streams = [stream for stream in self.streams if stream.is_open]

    def die(self) -> Metal | None:
        """End at once, without a word; return what stays of the vault.

        The coil is switched off by what runs after the program, or by want of power.
        """
        return self._end()

    def stop(self) -> Metal | None:
        """End as a service is ended; return what stays of the vault."""
        if self.vault is not None:
            self.vault.stop()
        self.table.close()
        self.work_off()
        return self._end()

    def work_off(self) -> None:
        """Let the streams say goodbye."""
        for stream in self.streams:
            stream.step(is_beat=False)

    def _end(self) -> Metal | None:
        self.is_running = False
        for clock in (self.clock, self.coil_clock):
            clock.die()
        if self.device is not None:
            self.device.close()
        for stream in self.streams:
            stream.close()
        self.database.close()
        return self.device.metal() if self.device is not None else None


def _decoder(folder: Path, examiner: StandIn) -> DecoderService:
    one_at_a_time = OneAtATime(waiting_max=0, wait_s=0)
    decks = DeckFolder(folder / "decks", one_at_a_time)
    lessons = PhotoLessons(
        decks, one_at_a_time, folder / "decks" / "lesson", lambda: None
    )
    growing = PhotoGrowing(decks, examiner, one_at_a_time, lambda: None)  # type: ignore[arg-type]
    return DecoderService(examiner, decks, lessons, growing)


def _cookies(response: TestResponse) -> Iterator[tuple[str, str]]:
    for line in response.headers.getlist("Set-Cookie"):
        pair, _, rest = line.partition(";")
        name, _, value = pair.partition("=")
        yield name, "" if "Max-Age=0" in rest else value
