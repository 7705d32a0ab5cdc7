"""One evening: what is done and what fails, step by step, all drawn from its seed.

Each step draws from a generator of its own, so that leaving one out changes nothing in
the draws of the others. That is what makes an evening that fails short.
"""

from __future__ import annotations

import os
import random
import shutil
import tempfile
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from unittest.mock import patch

from companion.edition import editions
from companion.errors import Refused
from companion.game import journal
from companion.rules import legal_moves
from companion.store import postgres
from companion.store.database import FILE_NAME
from tests.evening.disk import Disk
from tests.evening.holds import Holds, difference
from tests.evening.machine import Answer, Metal, Request, catalogue
from tests.evening.people import NOT_AGREED, People
from tests.evening.reckoning import reckoned
from tests.evening.world import Failed, World
from tests.guided import Guided
from tests.postgres import Databases
from tests.random_table import put_anywhere

STEPS = 70
BOXES = tuple(editions())
FAULT_SHARE = 0.3
ASKED_SHARE = 0.2
"""How often a program asks how things stand."""
MOVES_BESIDE = 250
SOON_MS, SETTLED_MS, BEAT_MS = 120_000, 90_000, 10_000


@dataclass(frozen=True)
class Plan:
    """Which steps of an evening are played, and in which of them something fails.

    Attributes:
        seed: The evening.
        steps: How many steps it has.
        acts: The only steps in which somebody does something; ``None`` for all.
        faults: The only steps in which something may fail; ``None`` for all.
        code: Which codes the vault draws, in an evening that is played twice.
        server: The folder of a running PostgreSQL that keeps the games; its own disk
            does not fail. ``None`` for a file.
    """

    seed: int
    steps: int = STEPS
    acts: frozenset[int] | None = None
    faults: frozenset[int] | None = None
    code: int = 0
    server: Path | None = None


@dataclass
class Outcome:
    """What became of an evening.

    Attributes:
        digest: What all entries and all answers come to.
        failure: What did not hold; empty if all did.
        step: In which step that was seen.
        story: All that happened, in words.
        said: All that phones were answered, and the log.
        faults: The steps in which something failed.
        trace: Where the program broke off; empty if it did not.
        script: The game as a script that leads to where it broke off.
    """

    digest: str = ""
    failure: str = ""
    step: int = 0
    entries: int = 0
    story: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    faults: list[int] = field(default_factory=list)
    trace: str = ""
    script: str = ""


class Evening:
    """The world of a plan, and the people in it.

    Args:
        folder: Where files are.
        plan: What is played.
        url: The PostgreSQL database with the games; empty for a file.
    """

    def __init__(self, folder: Path, plan: Plan, url: str = "") -> None:
        dice = random.Random(f"evening {plan.seed}")
        self.plan = plan
        self.box = BOXES[plan.seed % len(BOXES)]
        is_led = dice.random() < 0.9
        has_lock = dice.random() < (0.8 if self.box == "secret-vault" else 0.2)
        self.is_twin = self.box == "secret-vault" and has_lock and plan.seed % 3 == 0
        codes = random.Random(f"codes {plan.seed}")

        def draw_code() -> int:
            drawn = codes.randint(1, 6)
            return 4 + (drawn + plan.code) % 2 if self.is_twin else drawn

        metal = Metal() if has_lock else None
        self.world = World(folder, f"evening {plan.seed}", metal, draw_code, url)
        self.holds = Holds(self.world)
        self.people = People(
            self.world,
            self.holds,
            self.box,
            dice.randint(2, 4),
            is_led=is_led,
            is_twin=self.is_twin,
        )
        self.world.on_answer = self._answered
        self.faults: list[int] = []

    def _answered(self, asked: Request, answer: Answer) -> None:
        self.holds.answered(asked, answer)
        self.people.taps.answered(asked, answer)

    def play(self) -> Outcome:
        """Play it; whatever does not hold ends it."""
        found, step = Outcome(), 0
        people, world = self.people, self.world
        with world:
            try:
                people.sit_down()
                for step in range(1, self.plan.steps + 1):
                    self._step(step)
                step += 1
                self._end()
                self._reckon_beside()
                found.digest = self.holds.digest()
                books = self.holds.books.values()
                found.entries = sum(one.journal.revision for one in books)
                people.throw_away()
            except Failed as failed:
                found.failure = str(failed)
            except (
                Exception
            ) as error:  # Of the program or of ours: both are to be seen.
                found.failure = f"{type(error).__name__}: {error}"
                found.trace = "".join(traceback.format_exception(error)[-8:])
            if found.failure:
                found.script = people.script()
        found.step, found.story, found.faults = step, world.story, self.faults
        here = str(world.folder)
        found.said = [x.replace(here, "") for x in (*self.holds.said, *world.log)]
        return found

    def _step(self, number: int) -> None:
        world = self.world
        world.seed_step(number)
        dice = random.Random(f"{world.seed} faults {number}")
        if dice.random() < FAULT_SHARE:
            chances = FAULTS if self.plan.server is None else OF_PROGRAM
            fault = dice.choices(list(chances), list(chances.values()))[0]
            if self.plan.faults is None or number in self.plan.faults:
                self.faults.append(number)
                world.tell(f"step {number}, fault: {(fault.__doc__ or '').strip()}")
                fault(self, dice)
        dice = random.Random(f"{world.seed} acts {number}")
        if self.plan.acts is None or number in self.plan.acts:
            world.tell(f"step {number}:")
            self.people.act(dice)
        world.run(dice.choice((50, 300, 1_000, 3_000, 12_000)))
        self.holds.check()
        if dice.random() < ASKED_SHARE:
            self.holds.ask(dice.choice(self.people.phones), dice)
        if self.people.is_calm:
            self.people.is_calm = False
            self._check_calm()

    # The end: nothing fails but one answer to each page, and all comes right.

    def _end(self) -> None:
        world, people = self.world, self.people
        world.tell("the end: nothing fails any more")
        world.seed_step(self.plan.steps + 1)
        people.at_vault.calm()
        if world.machine is not None:
            world.machine.examiner.is_blind = False
        world.fates.clear()
        world.disk.is_full = world.disk.is_broken = False
        world.disk.slow_ms = 0
        world.disk.spare()
        for phone in people.phones:
            phone.out_until_ms = 0
        world.run(SOON_MS)
        if world.machine is None:
            raise Failed("the program is not there again after two minutes")
        self.holds.check()
        self._check_calm()
        people.finish()
        people.all_look()
        people.repeat_refused()
        self.holds.check()
        people.at_vault.turn_through()
        self._check_vault()
        for _ in range(4):
            people.go_on()
        people.repeat_refused()
        people.give_all_back()
        self.holds.check()
        people.change()
        world.fates.extend(["answered in vain"] * len(people.phones))
        world.run(1_000)
        world.fates.clear()
        world.run(SETTLED_MS)
        self._check_pages()
        people.leave_and_return()
        people.fall_off()
        people.all_look()
        world.run(SETTLED_MS)
        self._check_pages()
        self._check_second_table()
        self._check_replay()

    def _check_pages(self) -> None:
        """Every page that somebody looks at shows the table as it is."""
        for phone in self.people.phones:
            page = phone.page
            if page is None:
                raise Failed(f"{phone.name} shows no page")
            why = page.differs_from_now()
            if why:
                raise Failed(f"{phone.name} still shows an old {page.path}: {why}")

    def _check_calm(self) -> None:
        """After a while without faults every page that is looked at is up to date."""
        world = self.world
        disk = world.disk
        if world.machine is None or world.fates or disk.is_due or not disk.is_well:
            return
        owing = {tap.phone for tap in self.people.taps.owed.values()}
        for phone in self.people.phones:
            page = phone.page
            if phone in owing:
                continue  # It says that the table did not answer.
            settled_ms = max(phone.out_until_ms, phone.awake_since_ms) + 60_000
            is_near = not phone.is_dark and world.now_ms > settled_ms
            if page is None or not is_near:
                continue
            for _ in self.people.phones:  # Each may fall silent, told with a beat.
                why = page.differs_from_now()
                if not why:
                    break
                world.run(BEAT_MS)
            else:
                raise Failed(f"{phone.name} still shows an old {page.path}: {why}")
        self.holds.check_vault([x.page for x in self.people.phones if x.page])
        self.holds.check_presence(self.people.phones)
        self.holds.check_home()

    def _check_vault(self) -> None:
        machine = self.world.machine
        if machine is None or machine.vault is None or self.is_twin:
            return
        self.people.open_and_lock()
        self.holds.check_vault(())

    def _reckon_beside(self) -> None:
        """Play a game of the box without phones; each charge is what figures say.

        A rent is rare in an evening; here there are many, under drawn options.
        """
        dice = random.Random(f"beside {self.plan.seed}")
        options = {
            one.key: dice.choice(one.choices)
            for one in catalogue()(self.box).options
            if one.choices and one.key not in NOT_AGREED and dice.random() < 0.5
        }
        seats = dice.randint(2, 4)
        play = Guided(self.box, seats, options, catalogue())
        if dice.random() < 0.5:
            with suppress(Refused):
                put_anywhere(dice, play)
        for _ in play.play_on(dice, MOVES_BESIDE):
            out = (token for token in play.at.tokens if token.is_out)
            if any(tuple(legal_moves(play.game, token.seat)) for token in out):
                raise Failed("somebody who is out is offered a move")
        reckoned(play.entries)

    def _check_second_table(self) -> None:
        """What is done at a second table, with the same games, is not seen at ours."""
        world, people = self.world, self.people
        machine = world.machine
        assert machine is not None
        folder = world.folder.with_suffix(".second")
        folder.mkdir()
        machine.database.copy_to(folder / FILE_NAME)
        second = world.another(folder)
        try:
            for one in second.table.games():
                verb = "reopen" if one.is_closed else "close"
                where = f"/games/{one.game_id}/{verb}"
                form = {"command_id": people.taps.new_id()}
                done = second.answer(people.host.request("POST", where, form=form))
                if done.status != 303:
                    raise Failed(f"{where} at the second table: {done.text[:300]}")
            self.holds.check()
            self._check_pages()
        finally:
            second.die()
            shutil.rmtree(folder)

    def _check_replay(self) -> None:
        """What the table says after another start is what it said before."""
        world = self.world
        assert world.machine is not None
        before = {
            one.game_id: world.machine.table.game(one.game_id)
            for one in world.machine.table.games()
        }
        world.stop()
        world.start()
        for game_id, game in before.items():
            now = world.machine.table.game(game_id)
            if now != game:
                told = difference(game, now)
                raise Failed(f"game {game_id} is another after a start: {told}")
        self.holds.check()
        self.holds.check_vault(())


# What fails.


def _fate(name: str) -> Callable[[Evening, random.Random], None]:
    def fault(evening: Evening, dice: random.Random) -> None:
        evening.world.fates.extend([name] * dice.choice((1, 1, 2)))

    fault.__doc__ = f"of what is sent next, something is {name}"
    return fault


def _killed_soon(evening: Evening, dice: random.Random) -> None:
    """the program is killed between two operations of its disk"""
    evening.world.disk.cut_after(dice.randint(0, 12), is_power=False)


def _power_soon(evening: Evening, dice: random.Random) -> None:
    """the power fails between two operations of the disk"""
    evening.world.disk.cut_after(dice.randint(0, 12), is_power=True)


def _dies_now(evening: Evening, dice: random.Random) -> None:
    """the program dies, or the power fails, while nothing happens"""
    evening.world.fall(dice.choice(("killed", "without power")))


def _restarted(evening: Evening, _: random.Random) -> None:
    """somebody restarts the program"""
    evening.world.stop()
    evening.world.start()


def _full(evening: Evening, dice: random.Random) -> None:
    """the disk is full for a while"""
    disk = evening.world.disk
    disk.before(dice.choice((1, 1, 2, 4)), lambda: setattr(disk, "is_full", True))
    evening.world.later(dice.randint(500, 20_000), lambda: mended(disk))


def _broken(evening: Evening, dice: random.Random) -> None:
    """the disk gives errors for a while"""
    disk = evening.world.disk
    disk.before(dice.choice((1, 1, 2, 4)), lambda: setattr(disk, "is_broken", True))
    evening.world.later(dice.randint(500, 20_000), lambda: mended(disk))


def _slow(evening: Evening, dice: random.Random) -> None:
    """the disk is slow for a while"""
    disk = evening.world.disk
    disk.slow_ms = dice.choice((20, 200, 900))
    evening.world.later(dice.randint(500, 20_000), lambda: setattr(disk, "slow_ms", 0))


def _leaps(evening: Evening, dice: random.Random) -> None:
    """the clock on the wall leaps"""
    evening.world.leap(dice.choice((-3_600_000, -5_000, 5_000, 86_400_000)))


def _deaf(evening: Evening, _: random.Random) -> None:
    """all live streams die without a word"""
    for ear in evening.world.ears:
        ear.is_deaf = True


def _out_of_reach(evening: Evening, dice: random.Random) -> None:
    """a phone is out of reach for a while"""
    phone = dice.choice(evening.people.phones)
    phone.out_until_ms = evening.world.now_ms + dice.choice((5_000, 40_000, 600_000))


def _pocket(evening: Evening, dice: random.Random) -> None:
    """a phone comes back after a long time"""
    phone = dice.choice(evening.people.phones)
    phone.darken()
    evening.world.later(dice.choice((90_000, 600_000)), phone.take_up)


def _rough(evening: Evening, dice: random.Random) -> None:
    """contacts of the vault bounce, or lose an edge"""
    device = evening.world.machine.device if evening.world.machine else None
    if device is not None:
        device.bounces += dice.choice((0, 4))
        device.losses += 0 if evening.is_twin else dice.choice((0, 0, 1))
        device.is_trembling = dice.random() < 0.6
        device.loses_lid = dice.random() < 0.5


def _jam(evening: Evening, dice: random.Random) -> None:
    """the latch jams, the coil breaks, or its clock hangs"""
    machine = evening.world.machine
    if machine is None or machine.device is None:
        return
    what = dice.randrange(4)
    if what == 0:
        machine.device.is_jammed = True
    elif what == 1:
        machine.device.is_coil_broken = True
    else:
        machine.coil_clock.hang(True)
        evening.world.later(120_000, lambda: machine.coil_clock.hang(False))


def _flickers(evening: Evening, _: random.Random) -> None:
    """the latch jams, and the power comes and goes"""
    evening.people.flicker()


def _forced(evening: Evening, _: random.Random) -> None:
    """somebody breaks the lid open"""
    if evening.world.machine is not None and evening.world.machine.device is not None:
        evening.world.machine.device.force_lid()


def _blind(evening: Evening, dice: random.Random) -> None:
    """the camera gives nothing for a while"""
    if evening.world.machine is not None:
        examiner = evening.world.machine.examiner
        examiner.is_blind = True
        evening.world.later(
            dice.randint(500, 60_000), lambda: setattr(examiner, "is_blind", False)
        )


def _restored(evening: Evening, _: random.Random) -> None:
    """a backup is made, or the last one is restored"""
    evening.people.back_up_or_restore()


def mended(disk: Disk) -> None:
    """The disk is well again."""
    disk.is_full = disk.is_broken = False
    disk.spare()


FAULTS: dict[Callable[[Evening, random.Random], None], float] = {
    _fate("lost"): 6,
    _fate("answered in vain"): 8,
    _fate("doubled"): 5,
    _fate("late"): 4,
    _killed_soon: 8,
    _power_soon: 8,
    _dies_now: 2,
    _restarted: 3,
    _full: 2,
    _broken: 2,
    _slow: 1,
    _leaps: 2,
    _deaf: 4,
    _out_of_reach: 3,
    _pocket: 3,
    _rough: 4,
    _jam: 3,
    _forced: 0.7,
    _flickers: 0.6,
    _blind: 1,
    _restored: 3,
}

OF_PROGRAM = {x: y for x, y in FAULTS.items() if x not in (_full, _broken, _slow)}
"""What can fail where the disk is PostgreSQL's own."""


@contextmanager
def _database(server: Path | None) -> Iterator[str]:
    """Give the address of an empty database; empty without a server.

    It has one name each time: two evenings that are compared have it in their logs.
    """
    if server is None:
        yield ""
        return
    databases, name = Databases(server), f"evening_{os.getpid()}"
    with patch.object(postgres, "BEAT_S", threading.TIMEOUT_MAX):  # It writes nothing.
        try:
            yield databases.url(name)
        finally:
            databases.drop(name)


def play(plan: Plan) -> Outcome:
    """Play the evening of a plan, in memory where there is some."""
    memory = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(dir=memory if memory.is_dir() else None))
    # So small that a short evening meets snapshots, too.
    few_entries = patch.multiple(journal, EVERY=7, WINDOW=6)
    try:
        with few_entries, _database(plan.server) as url:
            evening = Evening(folder, plan, url)
            outcome = evening.play()
        if evening.is_twin and not outcome.failure and plan.code == 0:
            outcome.failure = _told_apart(plan, outcome)
        return outcome
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _told_apart(plan: Plan, first: Outcome) -> str:
    """Play it with another code that nobody guesses; what differs gives it away."""
    second = play(replace(plan, code=1))
    if second.failure:
        return f"with another code: {second.failure}"
    for one, other in zip(first.said, second.said, strict=False):
        if one != other:
            at = next(
                i for i, (x, y) in enumerate(zip(one, other, strict=False)) if x != y
            )
            return f"the code can be told from {one[:80]!r}: {one[at - 60 : at + 60]!r}"
    return "" if len(first.said) == len(second.said) else "the code can be told"
