"""A whole game through pins and phones ends as the pure engine says.

Two phones speak JSON over HTTP, hands move gpiozero's mock pins, and the clock is a
fake. The same inputs go into a game in memory; at the end both are alike to the
dollar. On the way every contact bounces, M sticks or is pressed at wrong times, lids
jam or are forced, the lid's switch does not close, the coil fails, and so does the
power, in the middle of openings.
"""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import Any

import msgspec
import pytest
from werkzeug.serving import make_server

from companion import commands as c
from companion import moves as m
from companion.edition import builtin, editions
from companion.edition.snapshot import snapshot
from companion.line import digest, position_line
from companion.ports import Line
from companion.position import OPENING
from companion.rules import legal_moves
from companion.rules.rule import Range
from companion.seating import Seating
from companion.vault import VaultState
from tests.guided import FORWARD, Guided, filled, kind_of
from tests.heist_rig import EDITION, HeistRig
from tests.phone_http import HttpPhone
from web import Panel, PanelSettings, create_app

CODE = "314159"
TOKENS = {"red": "hat", "blue": "car"}
MOVES_MAX = 3_000
CUTS = (
    "before the game counts it",
    "when the game has it",
    "before the bolt",
    "in the middle of the pulse",
)


FAULTS = frozenset(
    ("bounce", "wrong time", "stuck M", "jam", "force", "switch", "coil", "power")
)
"""What goes wrong on the way."""


class Evening:
    """A rig with a panel before it, and the same game in memory."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.dice = random.Random(seed)
        self.rig = HeistRig(folder, code=self.dice.randint(1, 6))
        self.pure = Guided(EDITION, 2)
        self.phones: dict[str, HttpPhone] = {}
        self.ids = 0
        self.faults: Counter[str] = Counter()
        self.is_m_stuck = False
        self.rig.bounce = self.bounce
        self.openings = cycle(
            (
                self.at_a_power_cut,
                self.at_a_broken_coil,
                self.in_a_jam,
                self.at_a_power_cut,
                self.by_phone,
                self.by_a_heavy_hand,
            )
        )
        self.serve_panel()

    def serve_panel(self) -> None:
        """A panel before the table as it is now; again after a power cut."""
        rig = self.rig
        panel = Panel(
            rig.table,
            Seating(rig.table, lambda: CODE),
            rig.keeper,
            builtin,
            editions(),
            heist=rig.heist,
        )
        self.app = create_app(panel, PanelSettings(burst_count=5_000))

    def __call__(self, environ: Any, start: Any) -> Any:
        return self.app(environ, start)

    def sit_down(self, address: str) -> None:
        """A host opens the game; two phones join; the companion leads."""
        rig = self.rig
        rig.lock(rig.code)
        rig.game = rig.table.open_game(EDITION, "Friday", "open-the-game")
        for seat, token in TOKENS.items():
            phone = HttpPhone(address)
            phone.get(f"/g/{rig.game}/join")
            form = {"name": seat.capitalize(), "colour": seat, "token": token}
            status, text = phone.post(
                f"/g/{rig.game}/join", command_id=f"sit-down-{seat}", **form
            )
            assert status == 303, text
            self.phones[seat] = phone
        rig.give(m.BeginPlay(by=c.TABLE, rules=snapshot(builtin(EDITION))))

    # One move, in both games.

    def go_on(self) -> None:
        """Whatever somebody may do now, brought forward."""
        stage = self.pure.at.stage
        if self.dice.random() < 0.04:
            self.do_at_a_wrong_time()
        riches = self.pure.at.riches
        may_decline = riches is not None and riches.is_optional
        if stage == "guess" and not (may_decline and self.dice.random() < 0.2):
            self.guess()
        elif stage == "refill":
            self.lock()
        else:
            self.tap()

    def guess(self) -> None:
        """The mover turns the wheel and presses M, or its phone does."""
        self.free_m()
        riches = self.pure.at.riches
        assert riches is not None
        left = [x for x in range(1, 7) if x not in riches.tried]
        number, seat = self.dice.choice(left), self.pure.at.mover.seat
        is_right = number == self.rig.code
        guess = m.Guess(by=seat, number=number, is_right=is_right)
        self.pure.give(guess)
        ways = (self.by_phone, self.by_hand, self.by_hand, self.by_a_heavy_hand)
        way = next(self.openings) if is_right else self.dice.choice(ways)
        way(number)
        self.help_the_lid_up()

    def by_phone(self, number: int) -> None:
        """A tap in place of the wheel, whatever it says of being right."""
        seat = self.rig.play.mover.seat
        self.post(m.Guess(by=seat, number=number, is_right=True))
        self.rig.run(150)

    def by_hand(self, number: int) -> None:
        """The wheel, and a finger."""
        self.rig.turn_to(number)
        self.rig.press(Line.M_BUTTON)
        self.rig.run(100)

    def by_a_heavy_hand(self, number: int) -> None:
        """M stays down, until somebody looks."""
        self.faults["stuck M"] += 1
        self.is_m_stuck = True
        self.rig.turn_to(number)
        self.rig.contact(Line.M_BUTTON, True)
        self.rig.run(3_000, 50)

    def in_a_jam(self, number: int) -> None:
        """The lid does not rise by itself."""
        self.faults["jam"] += 1
        self.rig.is_jammed = True
        self.by_hand(number)
        assert self.rig.riches.lid == OPENING

    def at_a_broken_coil(self, number: int) -> None:
        """The coil does not answer; a person looks, and mends it."""
        self.faults["coil"] += 1
        pin = self.rig.rig.pin("coil")
        mended = pin._set_state
        self.rig.rig.break_coil()
        self.by_hand(number)
        assert self.rig.state is VaultState.FAULT
        assert self.rig.riches.lid == OPENING
        pin._set_state = mended
        self.rig.keeper.clear_fault()
        self.rig.run(50)

    def at_a_power_cut(self, number: int) -> None:
        """The power fails at some step of the opening."""
        self.faults["power"] += 1
        self.rig.turn_to(number)
        step = self.dice.choice(CUTS)
        self.rig.dying_at(step, lambda: self.rig.press(Line.M_BUTTON))
        self.rig.rig.contact(Line.M_BUTTON, False)
        pulses = len(self.rig.coil)
        self.rig.on()
        assert len(self.rig.coil) == pulses, "a restart moved the bolt"
        if self.rig.keeper.view().number != self.rig.pointer:
            # It was cut before the wheel came to rest: the people set it right.
            self.rig.keeper.set_wheel(self.rig.pointer)
            self.rig.run(5)
        self.serve_panel()

    def free_m(self) -> None:
        """Somebody looks why M is down; until then it was no second guess."""
        if self.is_m_stuck:
            self.is_m_stuck = False
            assert self.rig.play.stage == "guess"
            self.rig.contact(Line.M_BUTTON, False)
            self.rig.run(60)

    def help_the_lid_up(self) -> None:
        """While an opening is owed, M is pressed until the lid is up."""
        for _ in range(20):
            if self.rig.riches.lid != OPENING:
                return
            self.rig.is_jammed = False
            self.rig.run(2_000, 100)
            if self.rig.riches.lid == OPENING:
                self.rig.press(Line.M_BUTTON)
                self.rig.run(100)
        raise AssertionError("the vault never opened")

    def lock(self) -> None:
        """What belongs in is put in; the lid is shut, yellow is pressed thrice."""
        if self.dice.random() < 0.5:
            self.press_yellow_at_a_dead_switch()
        self.rig.lock(self.dice.randint(1, 6))
        self.pure.give(m.LockVault(by="red"))

    def press_yellow_at_a_dead_switch(self) -> None:
        """The lid is down, but its switch does not say so."""
        self.faults["switch"] += 1
        self.rig.press(Line.YELLOW_BUTTON, 3)
        assert self.rig.state is VaultState.OPEN
        assert self.rig.play.stage == "refill"

    def do_at_a_wrong_time(self) -> None:
        """M is pressed by an idle finger, or the lid is forced and shut again."""
        if self.pure.at.stage in ("guess", "refill", "key") or self.is_m_stuck:
            return
        if self.faults["wrong time"] <= self.faults["force"]:
            self.faults["wrong time"] += 1
            self.rig.press(Line.M_BUTTON)
            return
        self.faults["force"] += 1
        self.rig.lid(is_shut=False)
        assert self.rig.state is VaultState.FORCED
        self.rig.lid(is_shut=True)

    def bounce(self) -> int:
        """Contacts of metal: now and then one bounces."""
        if self.dice.random() < 0.7:
            return 0
        self.faults["bounce"] += 1
        return self.dice.randint(1, 6)

    def tap(self) -> None:
        """A phone gives a legal move."""
        move = self.some_move()
        self.pure.give(move)
        self.post(move)

    def some_move(self) -> m.Move:
        seats = list(self.pure.at.playing())
        self.dice.shuffle(seats)
        for seat in seats:
            choices = [
                x
                for x in legal_moves(self.pure.game, seat)
                if kind_of(x) not in (m.Resign, m.MakeOffer, m.Guess, m.LockVault)
            ]
            forward = [x for x in choices if kind_of(x) in (*FORWARD, m.PayJail)]
            if forward and self.dice.random() < 0.9:
                choices = forward
            choices = [x for x in choices if self.is_wise(x)]
            if choices:
                return filled(
                    self.dice, self.pure.game, seat, self.dice.choice(choices)
                )
        raise AssertionError(f"a dead end: {position_line(self.pure.game)}")

    def is_wise(self, choice: m.Move | Range) -> bool:
        """Figures are typed in now and then, so that mortgages happen, too."""
        return kind_of(choice) is not m.TypeFigure or self.dice.random() < 0.1

    def post(self, move: m.Move) -> None:
        self.ids += 1
        words = msgspec.to_builtins(move)
        del words["by"]
        status, said = self.phones[move.by].command(
            self.rig.game, f"tap-{self.ids:08d}", **words
        )
        assert status == 200, (move, said)
        self.rig.run(10)


@contextmanager
def evening(folder: Path, seed: int) -> Iterator[Evening]:
    made = Evening(folder, seed)
    server = make_server("127.0.0.1", 0, made, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        made.sit_down(f"http://127.0.0.1:{server.server_port}")
        yield made
    finally:
        server.shutdown()
        thread.join(10)
        server.server_close()
        for phone in made.phones.values():
            phone.close()
        made.rig.__exit__()


def play_to_the_end(
    folder: Path, seed: int, must_fail: frozenset[str] = frozenset()
) -> None:
    with evening(folder, seed) as night:
        for count in range(MOVES_MAX):
            if night.pure.at.stage == "over":
                break
            night.go_on()
            clue = f"seed {seed}, move {count}"
            if count % 25 == 0:
                assert digest(night.rig.now) == digest(night.pure.game), clue
        live, pure = night.rig.now, night.pure.game
        assert pure.play is not None
        assert live.play is not None
        assert pure.play.stage == "over", position_line(pure)
        assert live.play.scores == pure.play.scores
        assert live.play.winners == pure.play.winners
        assert digest(live) == digest(pure)
        assert sum(live.ledger[account] for account in live.ledger) == 0
        assert not must_fail - set(night.faults), "too little went wrong"


def test_a_whole_game_through_pins_and_phones_is_the_pure_engines(
    tmp_path: Path,
) -> None:
    play_to_the_end(tmp_path, seed=1, must_fail=FAULTS)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 110))
def test_ten_more_whole_games_are_the_pure_engines(tmp_path: Path, seed: int) -> None:
    play_to_the_end(tmp_path, seed, must_fail=frozenset(("bounce", "power")))
