"""An evening at the vault in two worlds: pins and phones, and the pure engine.

Two phones and the banker's speak JSON over HTTP, hands move gpiozero's mock pins, and
the clock is a fake. The same inputs go into a game in memory. What goes wrong on the
way is counted, and so is what the evening met.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import cycle
from pathlib import Path
from typing import Any

import msgspec

from companion.errors import Refused
from companion.game import moves as m
from companion.game.position import OPENING
from companion.game.position_text import position_text
from companion.lock.states import VaultState
from companion.ports import Line
from companion.rules import legal_moves
from companion.rules.rule import Range
from tests.guided import FORWARD, Guided, filled, kind_of, random_offer
from tests.phone_http import HttpPhone
from tests.vault_rig import EDITION, VaultRig
from tests.web.conftest import app_for
from web.http.panel import Panel
from web.http.settings import PanelSettings

CODE = "314159"
TOKENS = {"red": "hat", "blue": "car"}
CUTS = (
    "when the guess is written",
    "before the bolt",
    "in the middle of the pulse",
)

FAULTS = frozenset(
    ("bounce", "wrong time", "stuck M", "jam", "force", "switch", "coil", "power")
)
"""What goes wrong on the way."""

DEALS = frozenset(("offer", "no such offer", "yes", "no", "kept card used"))
"""What people do among themselves."""

REPAIRS = frozenset(("wheel set", "fault cleared"))
"""What the banker does at the vault, by a phone."""

EAGER: dict[type[m.Move], tuple[str, float]] = {
    m.Accept: ("yes", 0.5),
    m.Reject: ("no", 0.3),
    m.UseCard: ("kept card used", 0.8),
}
"""Moves that lead nowhere fast: how they are counted, and how often they are made."""

OFFERS = 0.15
"""How often somebody thinks of a trade, where there is something to trade."""


class Evening:
    """A rig with a panel before it, and the same game in memory."""

    def __init__(
        self, folder: Path, seed: int, options: dict[str, str] | None = None
    ) -> None:
        self.dice = random.Random(seed)
        self.options = options or {}
        self.is_toy = self.options.get("toy") == "on"
        self.rig = VaultRig(folder, code=self.dice.randint(1, 6))
        self.pure = Guided(EDITION, 2, self.options)
        self.phones: dict[str, HttpPhone] = {}
        self.ids = 0
        self.met: Counter[str] = Counter()
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
        panel = Panel(rig.built)
        self.app = app_for(panel, PanelSettings(burst_count=5_000))

    def __call__(self, environ: Any, start: Any) -> Any:
        return self.app(environ, start)

    def sit_down(self, address: str) -> None:
        """A host opens the game; two phones join; the companion leads."""
        rig = self.rig
        rig.lock(rig.code)
        self.host = HttpPhone(address)
        self.host.get("/start")
        assert self.host.post("/start", code=CODE)[0] == 303
        form = {"edition": EDITION, "name": "Friday", "command_id": "open-the-game"}
        status, where = self.host.post("/games", **form)
        assert status == 303, where
        rig.game = where.split("/")[2]
        for seat, token in TOKENS.items():
            phone = HttpPhone(address)
            phone.get(f"/g/{rig.game}/join")
            wish = {"name": seat.capitalize(), "colour": seat, "token": token}
            status, text = phone.post(
                f"/g/{rig.game}/join", command_id=f"sit-down-{seat}", **wish
            )
            assert status == 303, text
            self.phones[seat] = phone
        begin: dict[str, Any] = {"type": "Begin", "options": self.options}
        status, said = self.host.command(rig.game, "let-us-begin", **begin)
        assert status == 200, said
        rig.coupling.look()
        rig.run(10)

    def leave(self) -> None:
        """Everybody goes home."""
        for phone in (self.host, *self.phones.values()):
            phone.close()
        self.rig.__exit__()

    # One move, in both games.

    def go_on(self) -> None:
        """Whatever somebody may do now, brought forward."""
        if self.dice.random() < 0.04:
            self.do_at_a_wrong_time()
        stage = self.pure.at.stage
        contents = self.pure.at.vault_contents
        may_decline = contents is not None and contents.is_optional
        if stage == "guess" and not (may_decline and self.dice.random() < 0.2):
            self.guess()
        elif stage == "refill":
            self.lock()
        else:
            self.tap()

    def guess(self) -> None:
        """The mover turns the wheel and presses M, or its phone does."""
        self.free_m()
        contents = self.pure.at.vault_contents
        assert contents is not None
        left = [x for x in range(1, 7) if x not in contents.tried]
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
        guess = m.Guess(by=seat, number=number, is_right=True)
        assert self.post(guess) == (200, "")
        self.rig.run(150)

    def by_hand(self, number: int) -> None:
        """The wheel, and a finger."""
        self.rig.turn_to(number)
        self.rig.press(Line.M_BUTTON)
        self.rig.run(100)

    def by_a_heavy_hand(self, number: int) -> None:
        """M stays down, until somebody looks."""
        self.met["stuck M"] += 1
        self.is_m_stuck = True
        self.rig.turn_to(number)
        self.rig.contact(Line.M_BUTTON, True)
        self.rig.run(3_000, 50)

    def in_a_jam(self, number: int) -> None:
        """The lid does not rise by itself."""
        self.met["jam"] += 1
        self.rig.is_jammed = True
        self.by_hand(number)
        assert self.rig.vault_contents.lid == OPENING

    def at_a_broken_coil(self, number: int) -> None:
        """The coil does not answer; a person looks, and mends it."""
        self.met["coil"] += 1
        pin = self.rig.rig.pin("coil")
        mended = pin._set_state
        self.rig.rig.break_coil()
        self.by_hand(number)
        assert self.rig.state is VaultState.FAULT
        assert self.rig.vault_contents.lid == OPENING
        pin._set_state = mended
        self.tend("clear-fault", "fault cleared")

    def at_a_power_cut(self, number: int) -> None:
        """The power fails at some step of the opening."""
        self.met["power"] += 1
        self.rig.turn_to(number)
        step = self.dice.choice(CUTS)
        self.rig.dying_at(step, lambda: self.rig.press(Line.M_BUTTON))
        self.rig.rig.contact(Line.M_BUTTON, False)
        if self.dice.random() < 0.5:
            self.rig.pointer = self.dice.randint(1, 6)  # By a hand, in the dark.
        pulses = len(self.rig.coil)
        self.rig.on()
        assert len(self.rig.coil) == pulses, "a restart moved the bolt"
        self.serve_panel()
        if self.rig.keeper.view().number != self.rig.pointer:
            self.tend("set-wheel", "wheel set", number=self.rig.pointer)
            assert self.rig.keeper.view().number == self.rig.pointer

    def tend(self, path: str, what: str, **form: object) -> None:
        """The banker sees to the vault, by the page of it."""
        self.met[what] += 1
        status, said = self.host.post(f"/vault/{path}", **form)
        assert status == 303, said
        self.rig.run(50)

    def free_m(self) -> None:
        """Somebody looks why M is down; until then it was no second guess."""
        if self.is_m_stuck:
            self.is_m_stuck = False
            assert self.rig.vault_contents.tried == self.pure.at.vault_contents.tried
            self.rig.contact(Line.M_BUTTON, False)
            self.rig.run(60)

    def help_the_lid_up(self) -> None:
        """While an opening is owed, M is pressed until the lid is up."""
        for _ in range(20):
            if self.rig.vault_contents.lid != OPENING:
                return
            self.rig.is_jammed = False
            self.rig.run(2_000, 100)
            if self.rig.vault_contents.lid == OPENING:
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
        """The lid is down, but its switch does not close, until somebody mends it."""
        self.met["switch"] += 1
        self.rig.is_switch_dead = True
        self.rig.lid(is_shut=True)
        self.rig.press(Line.YELLOW_BUTTON, 3)
        assert self.rig.state is VaultState.OPEN
        assert self.rig.play.stage == "refill"
        self.rig.is_switch_dead = False
        self.rig.lid(is_shut=True)

    def do_at_a_wrong_time(self) -> None:
        """M is pressed by an idle finger, or the lid is forced and shut again."""
        if self.pure.at.stage in ("guess", "refill", "key") or self.is_m_stuck:
            return
        if self.met["wrong time"] <= self.met["force"]:
            self.met["wrong time"] += 1
            if self.is_toy:  # It hears M at any time.
                self.guess()
            else:
                self.rig.press(Line.M_BUTTON)
            return
        self.met["force"] += 1
        self.rig.lid(is_shut=False)
        assert self.rig.state is VaultState.FORCED
        self.rig.lid(is_shut=True)

    def bounce(self) -> int:
        """Contacts of metal: now and then one bounces."""
        if self.dice.random() < 0.7:
            return 0
        self.met["bounce"] += 1
        return self.dice.randint(1, 6)

    def tap(self) -> None:
        """A phone gives a move; what the engine refuses, the table refuses alike."""
        move = self.some_move()
        why = self.why_not(move)
        if isinstance(move, m.MakeOffer):
            self.met["no such offer" if why else "offer"] += 1
        assert self.post(move) == ((409, why) if why else (200, "")), move

    def why_not(self, move: m.Move) -> str:
        """Make the move in memory; empty, or why the rules refuse it."""
        try:
            self.pure.give(move)
        except Refused as refused:
            return refused.why.value
        return ""

    def some_move(self) -> m.Move:
        """Most often one that brings the game forward."""
        seats = list(self.pure.at.playing())
        self.dice.shuffle(seats)
        for seat in seats:
            choices = [
                x
                for x in legal_moves(self.pure.game, seat)
                if kind_of(x) not in (m.Resign, m.Guess, m.LockVault)
            ]
            move = self.deal(seat, choices)
            if move is not None:
                return move
            choices = [x for x in choices if kind_of(x) not in (m.MakeOffer, *EAGER)]
            forward = [x for x in choices if kind_of(x) in (*FORWARD, m.PayJail)]
            if forward and self.dice.random() < 0.9:
                choices = forward
            choices = [x for x in choices if self.is_wise(x)]
            if choices:
                return filled(
                    self.dice, self.pure.game, seat, self.dice.choice(choices)
                )
        raise AssertionError(f"a dead end: {position_text(self.pure.game)}")

    def deal(self, seat: str, choices: list[m.Move | Range]) -> m.Move | None:
        """Now and then an offer, an answer to one, or a card that was kept."""
        for choice in choices:
            if kind_of(choice) is m.MakeOffer and self.dice.random() < OFFERS:
                return random_offer(self.dice, self.pure.game, seat)
            name, odds = EAGER.get(kind_of(choice), ("", 0.0))
            if isinstance(choice, m.Move) and self.dice.random() < odds:
                self.met[name] += 1
                return choice
        return None

    def is_wise(self, choice: m.Move | Range) -> bool:
        """Figures are typed in now and then, and in a debt, which may hang on one."""
        is_figure = isinstance(choice, Range) and choice.kind is m.ReadBox
        is_needed = self.pure.at.stage == "debt"
        return not is_figure or is_needed or self.dice.random() < 0.1

    def post(self, move: m.Move) -> tuple[int, str]:
        """Give it by the seat's phone; the status, and why it was refused."""
        self.ids += 1
        words = msgspec.to_builtins(move)
        status, said = self.phones[words.pop("by")].command(
            self.rig.game, f"tap-{self.ids:08d}", **words
        )
        self.rig.run(10)
        return status, said.get("why", "")
