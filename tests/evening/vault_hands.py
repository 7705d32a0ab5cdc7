"""Hands at a vault: they turn, press, shut, pull and break."""

from __future__ import annotations

import random
from dataclasses import replace

from companion.lock.quadrature import NUMBER_COUNT
from companion.lock.states import VaultState
from companion.ports import Line
from tests.evening.machine import RoughVault
from tests.evening.world import Failed, World

WRECKED = (VaultState.FAULT, VaultState.FORCED, VaultState.JAMMED)

WRONG = (1, 2, 3)
"""What is guessed where no guess may be right."""


class VaultHands:
    """Whoever stands at the vault.

    Args:
        world: Where it stands.
        is_twin: Whether nobody ever guesses right.
    """

    def __init__(self, world: World, *, is_twin: bool) -> None:
        self.world, self.is_twin = world, is_twin

    @property
    def device(self) -> RoughVault | None:
        """The vault, while the program runs and has one."""
        return self.world.machine.device if self.world.machine is not None else None

    @property
    def state(self) -> VaultState:
        """What the lock believes."""
        assert self.world.machine is not None
        assert self.world.machine.vault is not None
        return self.world.machine.vault.keeper.view().state

    def code(self) -> int:
        """Look where nobody can look: at the code; 0 while there is none."""
        assert self.world.machine is not None
        assert self.world.machine.vault is not None
        secret = self.world.machine.vault.keeper._locksmith.memory.code
        return secret.number if secret is not None else 0

    def number(self, dice: random.Random) -> int:
        """Think of a number; by some miracle often of the right one."""
        if self.is_twin:
            return dice.choice(WRONG)
        code = self.code() if self.device is not None else 0
        return code if code and dice.random() < 0.4 else dice.randint(1, NUMBER_COUNT)

    def turn_to(self, number: int) -> None:
        """Turn the wheel until the pointer shows a number."""
        if self.device is None or self.world.machine is None:
            return
        assert self.world.machine.vault is not None
        at = self.world.machine.vault.keeper.view().number
        self.world.tell(f"the wheel is turned from {at} to {number}")
        self.device.turn(number - at)
        self.world.run(700)

    def press(self, line: Line = Line.M_BUTTON) -> None:
        """Press a button, mostly M."""
        if self.device is not None:
            self.world.tell(f"{line} is pressed")
            self.device.press(line)
            self.world.run(600 if line is Line.M_BUTTON else 200)

    def shut(self) -> None:
        """Push the lid down."""
        if self.device is not None:
            self.world.tell("the lid is shut")
            self.device.shut_lid()
            self.world.run(400)

    def lock(self) -> None:
        """Shut the lid, and press yellow three times."""
        self.shut()
        for _ in range(3):
            self.press(Line.YELLOW_BUTTON)

    def mend(self) -> None:
        """Put in order what is broken; a jammed lid is lifted."""
        device = self.device
        if device is not None:
            self.world.tell("somebody looks after the vault")
            device.is_jammed = device.is_coil_broken = False
            device.force_lid()

    def calm(self) -> None:
        """Have nothing of it broken, nor about to break."""
        if self.world.metal is not None:
            self.world.metal = replace(self.world.metal, is_jammed=False)
        device = self.device
        if device is not None:
            device.is_jammed = device.is_coil_broken = False
            device.is_trembling = device.loses_lid = False
            device.bounces = device.losses = 0
            assert self.world.machine is not None
            self.world.machine.coil_clock.hang(False)

    def fiddle(self, dice: random.Random) -> None:
        """Do something that nobody has asked for."""
        what = dice.randrange(6)
        if what < 2:
            self.turn_to(self.number(dice))
        if what == 1:
            self.press()
        elif what == 2:
            self.lock()
        elif what == 3 and self.device is not None:
            self.world.tell("somebody pulls at the lid")
            self.device.lift_lid()
        elif what == 4:
            self.shut()
        elif what == 5:
            self.press(Line.YELLOW_BUTTON)

    def flicker(self) -> None:
        """The power fails after each press of M, while the latch is jammed."""
        self.world.tell("the latch jams, and the power comes and goes")
        self.turn_to(self.code())
        for _ in range(16):
            if self.device is not None:
                self.device.is_jammed = True
                self.press()
                self.world.fall("killed")
                self.world.start()
        self.calm()
        self.world.run(25_000)

    def open_and_lock(self) -> None:
        """Try all numbers with a trembling thumb, lock the vault anew, guess wrongly.

        Meanwhile the coil's own clock hangs and the lid is jammed, so that the second
        deadline has to do; then an edge of the lid is lost.

        Raises:
            Failed: If no number opens it, or it cannot be locked.
        """
        machine, device = self.world.machine, self.device
        assert machine is not None
        assert device is not None
        machine.coil_clock.hang(True)
        device.is_jammed = True
        for number in range(1, NUMBER_COUNT + 1):
            if self.state is VaultState.LOCKED:
                self.turn_to(number)
                self.press_trembling()
                self.world.run(25_000)
        machine.coil_clock.hang(False)
        device.is_jammed = False
        if self.state is VaultState.JAMMED:
            self.press()
            self.world.run(5_000)
        if self.state not in (VaultState.OPEN, VaultState.SHUT):
            raise Failed(f"no number opens the vault: {self.state}")
        for _ in range(2):  # M opens it at any number, once the coil has rested.
            self.shut()
            self.press()
        self.world.run(15_000)
        self.press()
        self.world.run(5_000)
        device.loses_lid = True
        self.shut()
        self.world.run(5_000)  # A lost edge is noticed by then.
        self.lock()
        self.world.run(1_000)
        if self.state is not VaultState.LOCKED:
            raise Failed(f"the vault cannot be locked: {self.state}")
        self.turn_to(self.code() % NUMBER_COUNT + 1)
        self.press_trembling()

    def open_jammed(self) -> None:
        """Guess right, while something jams the lid."""
        if self.device is not None:
            self.world.tell("something jams the lid")
            self.device.is_jammed = True
            self.turn_to(self.code())
            self.press()

    def turn_through(self) -> None:
        """Turn the wheel past all of its numbers, both ways; each detent counts once.

        Raises:
            Failed: If it is believed at another number than it points to.
        """
        machine = self.world.machine
        if machine is None or machine.vault is None or self.device is None:
            return
        for turn in (1, 2, NUMBER_COUNT - 1, NUMBER_COUNT, -1, -4, -NUMBER_COUNT, 13):
            at = machine.vault.keeper.view().number
            self.device.turn(turn)
            self.world.run(2_000)
            now = machine.vault.keeper.view().number
            if now != (at - 1 + turn) % NUMBER_COUNT + 1:
                raise Failed(
                    f"the wheel is turned by {turn} from {at}, and is at {now}"
                )

    def press_trembling(self) -> None:
        """Press M with a thumb that lets go for a moment."""
        if self.device is not None:
            self.device.is_trembling = True
        self.press()

    def lock_in_vain(self) -> None:
        """Lock for the first time while the disk is full: the code is said nowhere."""
        self.shut()
        self.world.disk.is_full = True
        self.lock()
        self.world.disk.is_full = False
        self.world.run(5_000)
