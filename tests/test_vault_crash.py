"""Killed with -9 in the middle of an opening, the vault and the game stay one.

Goal: whatever step of an opening the plug is pulled at, nothing is lost, nothing is
paid twice, the code stays secret, and the coil stays within its limits.
Method: a child process plays on a real folder and gpiozero's mock pins; it dies by
its own SIGKILL at a named step, or by ours at any moment. Its metal (lid, pointer,
coil) tells through a pipe how it lies, and a second program wakes up over both.

What this cannot show: a pin that stays driven after its program, which on a Pi only
``coil_off`` ends; it is counted here as a whole pulse.
"""

from __future__ import annotations

import os
import random
import selectors
import signal
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

import pytest

from companion.game import moves as m
from companion.game import vault_contents_events as r
from companion.game.codec import entries_to_json
from companion.game.event import Event
from companion.game.position import LOCKED, OPEN, OPENING, SHUT
from companion.lock.events import NumberGuessed, VaultEvent, VaultLocked
from companion.lock.states import VaultState
from companion.ports import Line
from companion.units import Account
from hardware.vault.coil import REST_MS
from tests.digest import digest
from tests.guided import Guided
from tests.running import PATIENCE_S
from tests.sample import volume
from tests.test_crash import FORKS, check_books
from tests.vault_child import (
    FREE_GUESS,
    MOMENTS,
    Plan,
    open_until_killed,
    play_until_killed,
)
from tests.vault_rig import EDITION, Metal, VaultRig

ON_TIME_MS = 400
NS_PER_MS = 1_000_000


@dataclass
class Told:
    """The movements that a child told until it died.

    Attributes:
        metal: As it lies now.
        pulses: Of the coil: when each began and ended, milliseconds on the wall.
        is_turning: The wheel was the last that moved; it may not have come to rest.
    """

    metal: Metal = field(default_factory=Metal)
    pulses: list[tuple[int, int]] = field(default_factory=list)
    is_turning: bool = False

    def hear(self, text: str) -> None:
        """Hear all lines of one life, oldest first."""
        began_ms: int | None = None
        lid, pointer, now_ms = self.metal.is_lid_shut, self.metal.pointer, 0
        for line in text.splitlines():
            now, what, number = line.split()
            now_ms, self.is_turning = int(now), what == "pointer"
            if what == "lid":
                lid = number == "1"
            elif what == "pointer":
                pointer = int(number)
            elif number == "1":
                began_ms = now_ms
            elif began_ms is not None:
                self.pulses.append((began_ms, now_ms))
                began_ms = None
        if began_ms is not None:  # Nobody ended it but the hardware.
            now_ms = began_ms + ON_TIME_MS
            self.pulses.append((began_ms, now_ms))
        self.metal = Metal(lid, pointer, max(now_ms, self.metal.now_ms))


class Child:
    """A process that is going to die, and the pipe from it."""

    def __init__(self, target: Callable[..., None], *arguments: object) -> None:
        self._reader, writer = FORKS.Pipe(duplex=False)
        self._process = FORKS.Process(target=target, args=(writer, *arguments))
        self._process.start()
        writer.close()  # The child's own end closes when it dies.
        self._text = b""

    def ends(self) -> str:
        """Wait until it has killed itself; give all that it told."""
        is_over = self._read(PATIENCE_S)
        if not is_over:
            self._process.kill()
        told = self._buried()
        assert is_over, "it did not come to its end"
        return told

    def killed(self, lines_count: int, after_s: float) -> str:
        """Kill it once it told so many lines, and so many seconds more."""
        self._read(PATIENCE_S, lines_count)
        is_over = self._read(after_s)
        self._process.kill()
        told = self._buried()
        assert not is_over, "it ended by itself"
        return told

    def _read(self, patience_s: float, lines_count: int | None = None) -> bool:
        """Read for so long, or so many lines; tell whether the pipe was closed."""
        give_up = time.monotonic() + patience_s
        with selectors.DefaultSelector() as selector:
            selector.register(self._reader.fileno(), selectors.EVENT_READ)
            while lines_count is None or self._text.count(b"\n") < lines_count:
                if not selector.select(max(0.0, give_up - time.monotonic())):
                    return False
                if not (chunk := os.read(self._reader.fileno(), 65_536)):
                    return True
                self._text += chunk
        return False

    def _buried(self) -> str:
        while chunk := os.read(self._reader.fileno(), 65_536):
            self._text += chunk
        self._reader.close()
        self._process.join(PATIENCE_S)
        code = self._process.exitcode
        assert code == -signal.SIGKILL, f"it ended with {code}"
        return self._text.decode()


# What has to be so.


def happened(rig: VaultRig, kind: type[Event]) -> list[Event]:
    """List the events of that kind in the game's journal, oldest first."""
    entries = rig.table.entries(rig.game)
    return [x for entry in entries for x in entry.events if isinstance(x, kind)]


def lock_wrote(rig: VaultRig, kind: type[VaultEvent]) -> list[VaultEvent]:
    """List the events of that kind in the lock's journal, oldest first."""
    return [x for x in rig.journal.remembered() if isinstance(x, kind)]


def check_agreed(rig: VaultRig, clue: str) -> None:
    """Check that the game has each event of the lock once, and all its money."""
    guesses = [
        (x.number, x.is_right)
        for x in lock_wrote(rig, NumberGuessed)
        if isinstance(x, NumberGuessed) and x.game
    ]
    made = [(x.number, x.is_right) for x in happened(rig, r.GuessMade)]  # type: ignore[attr-defined]
    assert made == guesses, f"{clue}: guesses lost or doubled"
    right = sum(is_right for _, is_right in made)
    taken = Counter(x.seat for x in happened(rig, r.RichesTaken))  # type: ignore[attr-defined]
    owed = rig.vault_contents.lid == OPENING
    assert sum(taken.values()) == right - owed, f"{clue}: riches lost or doubled"
    refills = len(happened(rig, r.VaultRefilled))
    assert refills == len(lock_wrote(rig, VaultLocked)) - 1, f"{clue}: refills"
    for seat in ("red", "blue"):
        assert rig.cash(seat) == 3_000 + 400 * taken[seat], f"{clue}: {seat}"
    inside = 0 if rig.vault_contents.is_empty else 400
    assert rig.now.ledger[Account("vault")] == inside, clue
    if rig.vault_contents.lid == LOCKED:
        assert rig.vault_contents.tried == tried_since_locked(rig), f"{clue}: tried"


def tried_since_locked(rig: VaultRig) -> tuple[int, ...]:
    """List the numbers that the lock heard since its last new code."""
    numbers: list[int] = []
    for event in rig.journal.remembered():
        if isinstance(event, VaultLocked):
            numbers = []
        elif isinstance(event, NumberGuessed) and event.number not in numbers:
            numbers.append(event.number)
    return tuple(numbers)


def check_quiet(rig: VaultRig, clue: str) -> None:
    """Waking up has moved no bolt, and the wheel stands where eyes see it."""
    assert rig.rig.coil_levels() == [False], f"{clue}: a restart moved the bolt"
    assert rig.keeper.view().number == rig.pointer, f"{clue}: the wheel"


def check_coil(pulses: list[tuple[int, int]], clue: str) -> None:
    """Check each pulse, and the rest before it."""
    for began_ms, ended_ms in pulses:
        assert ended_ms - began_ms <= ON_TIME_MS, f"{clue}: {ended_ms - began_ms} ms"
    for (_, ended_ms), (began_ms, _) in pairwise(pulses):
        assert began_ms - ended_ms >= REST_MS, f"{clue}: {began_ms - ended_ms} ms"


# A step of an opening.

WOKEN: dict[str, tuple[VaultState, str, str, int]] = {
    "before the guess is written": (VaultState.LOCKED, LOCKED, "guess", 3_000),
    "while the guess is written": (VaultState.LOCKED, LOCKED, "guess", 3_000),
    "when the guess is written": (VaultState.JAMMED, OPENING, "guess", 3_000),
    "before the bolt": (VaultState.JAMMED, OPENING, "guess", 3_000),
    "in the middle of the pulse": (VaultState.JAMMED, OPENING, "guess", 3_000),
    "before the lid is written": (VaultState.OPEN, OPEN, "key", 3_400),
    "when the lid is written": (VaultState.OPEN, OPEN, "key", 3_400),
    "while the money is paid": (VaultState.OPEN, OPEN, "key", 3_400),
    "when the money is paid": (VaultState.OPEN, OPEN, "key", 3_400),
    "before the key is used": (VaultState.OPEN, OPEN, "key", 3_400),
    "while the key is used": (VaultState.OPEN, OPEN, "key", 3_400),
    "when the key is used": (VaultState.OPEN, OPEN, "refill", 3_400),
    "before the shut lid is written": (VaultState.SHUT, SHUT, "refill", 3_400),
    "when the lid is shut": (VaultState.SHUT, SHUT, "refill", 3_400),
    "before the new code is written": (VaultState.SHUT, SHUT, "refill", 3_400),
    "when the lock has the new code": (VaultState.LOCKED, LOCKED, "roll", 3_400),
    "while the filling is written": (VaultState.LOCKED, LOCKED, "roll", 3_400),
    "when it is filled again": (VaultState.LOCKED, LOCKED, "roll", 3_400),
}
"""How lock, lid, stage and red's cash are when the power is back."""


def killed_at(folder: Path, plan: Plan) -> Told:
    """Play that opening in a child until it is dead."""
    told = Told()
    folder.mkdir(exist_ok=True)
    log = folder / "log"
    told.hear(Child(open_until_killed, folder / "data", log, plan).ends())
    return told


def finished(rig: VaultRig, plan: Plan) -> None:
    """Do what hands and phones have left to do; M is pressed once, if at all."""
    if rig.vault_contents.lid == OPENING:
        rig.press(Line.M_BUTTON)
        rig.run(100)
    elif rig.play.stage == "guess":
        rig.guess(plan.number)
    assert rig.cash("red") == 3_400
    if rig.play.stage == "key":
        rig.give(m.Unlock(by="red", deed="boardwalk"))
    if rig.vault_contents.lid != LOCKED:
        rig.lock(plan.next_code)


def opened_in_memory(plan: Plan) -> str:
    """Play the same opening in the pure engine; return its outcome."""
    pure = Guided(EDITION, 2)
    pure.give(m.Roll(by="red", dice=FREE_GUESS))
    pure.give(m.Guess(by="red", number=plan.number, is_right=True))
    pure.give(m.Unlock(by="red", deed="boardwalk"), m.LockVault(by="red"))
    return digest(pure.game)


@pytest.mark.parametrize("moment", MOMENTS)
def test_kill_9_at_each_step_of_an_opening(tmp_path: Path, moment: str) -> None:
    plan = Plan(moment)
    told = killed_at(tmp_path, plan)
    with VaultRig(tmp_path / "data", metal=told.metal) as rig:
        rig.resume()
        check_quiet(rig, moment)
        woken = rig.state, rig.vault_contents.lid, rig.play.stage, rig.cash("red")
        assert woken == WOKEN[moment]
        check_agreed(rig, moment)
        finished(rig, plan)
        check_agreed(rig, moment)
        assert digest(rig.now) == opened_in_memory(plan)
        check_coil(told.pulses, moment)


# The secret.

SECRETS = {
    **dict.fromkeys(list(MOMENTS)[:3], (Plan("", 3, 1), Plan("", 5, 1))),
    **dict.fromkeys(list(MOMENTS)[15:], (Plan("", 4, 4, 2), Plan("", 4, 4, 6))),
}
"""At which step two codes must leave the same: with a wrong guess, or the next code."""


def all_that_is_seen(folder: Path, plan: Plan) -> str:
    """Return all that a dead evening shows to anybody but the lock."""
    told = killed_at(folder, plan)
    data = folder / "data"
    left = sorted(x.name for x in data.iterdir())
    with VaultRig(data, metal=told.metal) as rig:
        rig.resume()
        entries = rig.table.entries(rig.game)
        words = b"".join(entries_to_json("x", entries)).decode() + "".join(rig.lines())
        return f"{words} {rig.view!r} {rig.keeper.view()!r} {left} {told}" + (
            folder / "log"
        ).read_text(encoding="utf-8")


@pytest.mark.parametrize("moment", SECRETS)
def test_kill_9_lets_no_code_out(tmp_path: Path, moment: str) -> None:
    plans = [replace(plan, moment=moment) for plan in SECRETS[moment]]
    one, other = (
        all_that_is_seen(tmp_path / str(at), plan) for at, plan in enumerate(plans)
    )
    assert one == other


# Any moment.


def kill_rounds(folder: Path, rounds: int, seed: int) -> int:
    """Open and kill again and again; return how many guesses were heard."""
    dice, told, guesses = random.Random(seed), Told(), 0
    for number in range(rounds):
        clue = f"seed {seed}, round {number}"
        child = Child(play_until_killed, folder, dice.randrange(10**6), told.metal)
        told.hear(child.killed(dice.randint(2, 40), dice.uniform(0, 0.05)))
        dark_ms = dice.choice((500, 2_000, 30_000))
        lies = replace(told.metal, now_ms=told.metal.now_ms + dark_ms)
        check_coil(told.pulses, clue)
        with VaultRig(folder, metal=lies) as rig:
            if rig.table.current() is None:
                continue  # It died before there was a game.
            rig.resume()
            if rig.now.play is None:
                continue  # Or before it was led.
            if told.is_turning:  # What nobody could write down, the people set right.
                rig.keeper.set_wheel(rig.pointer)
                rig.run(5)
            check_quiet(rig, clue)
            check_agreed(rig, clue)
            guesses = len(happened(rig, r.GuessMade))
            game, told.metal = rig.game, replace(lies, now_ms=rig.clock.now_ms())
        check_books(folder, game, {}, clue)
    return guesses


def test_kill_9_at_any_moment_of_many_openings(tmp_path: Path) -> None:
    assert kill_rounds(tmp_path, 4, seed=random.randrange(1_000_000)) > 0


@pytest.mark.parametrize("evening", volume(range(12)))
def test_kill_9_at_240_moments_of_many_openings(tmp_path: Path, evening: int) -> None:
    """Twelve evenings of 20 kills each."""
    assert kill_rounds(tmp_path, 20, seed=random.randrange(1_000_000)) > 20


def test_the_checkers_see_what_is_lost_and_what_is_too_much(tmp_path: Path) -> None:
    told = killed_at(tmp_path, Plan("when the money is paid"))
    with VaultRig(tmp_path / "data", metal=told.metal) as rig:
        rig.resume()
        check_agreed(rig, "whole")
        rig.set("red cash 3800")
        with pytest.raises(AssertionError, match="red"):
            check_agreed(rig, "paid twice")
        rig.journal.record((NumberGuessed(5, False, rig.game),))
        with pytest.raises(AssertionError, match="guesses lost"):
            check_agreed(rig, "not heard")
    with pytest.raises(AssertionError, match="401 ms"):
        check_coil([(0, 401)], "too long")
    with pytest.raises(AssertionError, match="too often"):
        check_coil([(at, at + 400) for at in range(0, 6_500, 500)], "too often")
