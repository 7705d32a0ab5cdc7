"""A game with a vault on mock pins, a table on a real file, and a person's hands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from companion.edition import builtin
from companion.edition.snapshot import snapshot
from companion.game import Game
from companion.game import commands as c
from companion.game import moves as m
from companion.game.envelope import Envelope
from companion.game.position import Position, VaultContents
from companion.lock.states import VaultState
from companion.ports import Line, Signal
from companion.store import Database
from companion.table import VaultParts, build_table
from companion.units import Account
from companion.views.vault_in_game import VaultInGame
from tests.fakes import FakeClock
from tests.hardware.vault.encoder import CYCLE
from tests.hardware.vault.rigs import GpioRig, SimulatedRig, overhear
from tests.scene import sitting

SEATS = ("red", "blue")
EDITION = "secret-vault"
CODE = "314159"
"""What makes a phone the host."""
LID_RISES_MS = 30


class Power(BaseException):
    """The power was cut here."""


@dataclass(frozen=True)
class Metal:
    """What stays as it is while the power is off; the wheel lies in a detent."""

    is_lid_shut: bool = False
    pointer: int = 1
    now_ms: int = 1_750_000_000_000


class VaultRig:
    """One evening with a vault on gpiozero's mock pins; nothing runs by itself.

    Args:
        folder: The folder of the journals; the same again after a power cut.
        code: The code that the lock draws next.
        options: The options of the edition.
        metal: The lid, the wheel and the clock at first.

    Attributes:
        is_jammed: Whether the lid does not rise, whatever the bolt does.
        is_switch_dead: Whether the lid's switch never closes.
        kind: The device to use from the next power-on.
        pointer: The number at the wheel's pointer.
        bounce: Returns how often the next contact bounces.
    """

    def __init__(
        self,
        folder: Path,
        code: int = 4,
        options: dict[str, str] | None = None,
        metal: Metal | None = None,
    ) -> None:
        metal = metal or Metal()
        self.folder = folder
        self.code = code
        self.options = options or {}
        self.kind: type[GpioRig] | type[SimulatedRig] = GpioRig
        self.clock = FakeClock(metal.now_ms)
        self.is_jammed = False
        self.is_switch_dead = False
        self.bounce: Callable[[], int] = lambda: 0
        self.is_lid_shut = metal.is_lid_shut
        self.phase = 0
        self.pointer = metal.pointer
        self.ids = 0
        self.coil: list[bool] = []
        self.signals: list[Signal] = []
        self.game = ""
        self.on()

    # Power.

    def on(self, *, is_rested: bool = True) -> None:
        """Switch everything on, as ``companion serve`` does, and let the coil rest.

        *is_rested* is False for a look at the first seconds.
        """
        self.rig = self.kind(self.clock)
        if not is_rested:
            self.rig.device._coil.rest()
        self.rig.contact(Line.LID, self.is_lid_felt)
        closed_a, closed_b = CYCLE[self.phase]
        self.rig.contact(Line.WHEEL_A, closed_a)
        self.rig.contact(Line.WHEEL_B, closed_b)
        overhear(self.rig.device, self.coil.append, self.signals.append)
        self.database = Database(self.folder)
        parts = VaultParts(lambda _: self.rig.device, self.clock, lambda: self.code)
        self.built = build_table(
            self.database, self.clock, vault=parts, draw_first_code=lambda _digits: CODE
        )
        vault = self.built.vault
        assert vault is not None
        self.table, self.coupling, self.keeper = self.built.service, vault, vault.keeper
        self.journal = self.coupling._journal
        self.run(100)

    def cut(self) -> None:
        """Cut the power: nothing more is written, and the coil goes off."""
        self.rig.device.close()
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.coupling.stop()
        self.table.close()
        self.database.close()

    # Hands.

    def run(self, ms: int, step_ms: int = 5) -> None:
        for _ in range(0, ms, step_ms):
            self.clock.advance(step_ms)
            self.keeper.process()
            self._spring()

    def contact(self, line: Line, is_on: bool) -> None:
        """Close or open a contact, with its bounces."""
        for _ in range(self.bounce()):
            self.rig.contact(line, is_on)
            self.clock.advance(0.2)
            self.rig.contact(line, not is_on)
            self.clock.advance(0.1)
        self.rig.contact(line, is_on)

    def press(self, line: Line, times: int = 1) -> None:
        for _ in range(times):
            self.contact(line, True)
            self.run(40)
            self.contact(line, False)
            self.run(40)

    def lid(self, *, is_shut: bool) -> None:
        self.is_lid_shut = is_shut
        self.contact(Line.LID, self.is_lid_felt)
        self.run(80)

    @property
    def is_lid_felt(self) -> bool:
        """Whether the lid's switch is closed."""
        return self.is_lid_shut and not self.is_switch_dead

    def turn_to(self, number: int) -> None:
        steps = number - self.pointer
        way = 1 if steps > 0 else -1
        for step in range(1, 4 * abs(steps) + 1):
            old, self.phase = CYCLE[self.phase], (self.phase + way) % 4
            new = CYCLE[self.phase]
            line = Line.WHEEL_A if new[0] != old[0] else Line.WHEEL_B
            self.contact(line, new[0] if line is Line.WHEEL_A else new[1])
            if step % 4 == 0:
                self.pointer += way
            self.run(10)

    def guess(self, number: int) -> None:
        """Turn to *number*, press M, and give the lid time to rise."""
        self.turn_to(number)
        self.press(Line.M_BUTTON)
        self.run(100)

    def lock(self, code: int) -> None:
        """Shut the lid and press yellow three times."""
        self.code = code
        if not self.is_lid_shut:
            self.lid(is_shut=True)
        self.press(Line.YELLOW_BUTTON, 3)

    def _spring(self) -> None:
        """Let the spring lift the lid while the bolt is held back."""
        if self.rig.device._coil.is_on and self.is_lid_shut and not self.is_jammed:
            self.is_lid_shut = False
            self.contact(Line.LID, False)

    # The table.

    def begin(self) -> None:
        """Open a game, seat both, and let the companion lead."""
        self.ids += 1
        self.game = self.table.open_game(EDITION, "Friday", f"opening-{self.ids:04d}")
        rules = snapshot(builtin(EDITION), self.options)
        for seat in SEATS:
            self.give(sitting(seat))
        self.give(m.BeginPlay(by=c.TABLE, rules=rules))

    def resume(self) -> None:
        """Go on with the game that another process left on the table."""
        game = self.table.current()
        assert game is not None, "a game was begun"
        self.game = game
        self.ids = self.table.revision(game)  # At least as many as were given.

    def give(self, command: c.Command) -> None:
        """Give a phone's command, to the vault if it is for the vault."""
        self.ids += 1
        envelope = Envelope(command, f"phone-{self.ids:06d}")
        if self.coupling.take(self.game, envelope) is None:
            self.table.submit(self.game, envelope)
        self.coupling.look()
        self.run(10)

    def set(self, *lines: str) -> None:
        """Correct the position, in the words of the scripts."""
        for line in lines:
            words = tuple(line.split())
            self.give(m.CorrectPosition(by=c.TABLE, words=words))

    def ready(self, code: int = 4) -> None:
        """Begin a game in which the vault is locked and red may guess."""
        self.lock(code)
        self.begin()
        self.give(m.Roll(by="red", dice=(2, 3)))

    # What is so.

    @property
    def now(self) -> Game:
        return self.table.game(self.game)

    @property
    def play(self) -> Position:
        play = self.now.play
        assert play is not None
        return play

    @property
    def vault_contents(self) -> VaultContents:
        contents = self.play.vault_contents
        assert contents is not None
        return contents

    @property
    def state(self) -> VaultState:
        return self.keeper.view().state

    @property
    def view(self) -> VaultInGame:
        found = self.coupling.seen(self.game)
        assert found is not None
        return found

    def cash(self, seat: str) -> int:
        return self.now.ledger[Account(seat)]

    def lines(self) -> list[str]:
        """List the history's sentences, newest first."""
        return [
            text for line in self.table.history(self.game) for text in line.sentences
        ]

    def dying_at(self, step: str, act: Callable[[], None]) -> None:
        """Do *act*, and cut the power at *step* of an opening."""
        journals, device = self.table._journals, self.rig.device
        append, release = journals.append, device.release

        def die(*_: object, **__: object) -> None:
            raise Power

        def appended(*written: object, **more: object) -> None:
            append(*written, **more)  # type: ignore[arg-type]
            raise Power

        def released(on_time_ms: int) -> None:
            release(on_time_ms)
            raise Power

        targets: dict[str, tuple[object, str, Callable[..., object]]] = {
            "before the guess is written": (journals, "append", die),
            "when the guess is written": (journals, "append", appended),
            "before the bolt": (device, "release", die),
            "in the middle of the pulse": (device, "release", released),
        }
        owner, name, fate = targets[step]
        setattr(owner, name, fate)
        try:
            act()
        except Power:
            self.cut()
        else:
            raise AssertionError(f"the power was not cut {step}")
