"""The real vault on the kernel's own GPIO, for the contract of every vault."""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.ports import Line
from hardware.vault.gpio_chip import find_chip
from hardware.vault.gpio_vault import GpioVault
from hardware.vault.kernel_pins import KernelFactory, KernelPin
from hardware.vault.pins import HEADER_LABEL, Pins
from tests.fakes import FakeClock
from tests.kernel.world import World
from tests.running import PATIENCE_S


class TimelessFactory(KernelFactory):
    """The kernel's pins in a test's own time: every edge has just happened."""

    def __init__(self, clock: FakeClock) -> None:
        super().__init__(find_chip(HEADER_LABEL))
        self._clock = clock

    def ticks_diff(self, later: int, earlier: int) -> float:
        return self._clock.monotonic_ns() / 1_000_000_000


class KernelRig:
    """A ``tests.hardware.vault.rigs.Rig`` with hands outside the simulated chip."""

    def __init__(self, clock: FakeClock, coil_clock: FakeClock | None = None) -> None:
        self.clock, self.coil_clock = clock, coil_clock or clock
        self.pins, self.world = Pins(), World()
        self._told = threading.Semaphore(0)
        factory = TimelessFactory(clock)
        self.device = GpioVault(
            self.pins, clock, coil_clock=coil_clock, pin_factory=factory
        )
        self.device._coil._rests_until_ns = None  # It was opened long ago.
        factory.chip.close()  # The lines stay ours.
        for line in Line:
            pin = factory.pin(getattr(self.pins, line))
            pin.when_changed = self._counted(pin.when_changed)
        self.world.rest(self.pins)  # A claim has moved them.
        self._coil: KernelPin = factory.pin(self.pins.latch)
        self._drive = self._coil._set_state
        self._coil._set_state = self._drive_coil
        self._history = [self.world.level(self.pins.latch)]

    def _counted(self, hear: Callable[[int, bool], None]) -> Callable[..., None]:
        def told(at_ns: int, is_high: bool) -> None:
            hear(at_ns, is_high)
            self._told.release()

        return told

    def _drive_coil(self, is_high: bool) -> None:
        self._drive(is_high)
        self.coil_levels()

    def contact(self, line: Line, is_active: bool) -> None:
        """Move a contact, and wait until the vault was told."""
        bcm = getattr(self.pins, line)
        is_edge = self.world.level(bcm) == is_active
        self.world.drive(bcm, not is_active)
        if is_edge:
            assert self._told.acquire(timeout=PATIENCE_S)

    def lose(self, line: Line, is_active: bool) -> None:
        raise NotImplementedError("the kernel loses no edge at a wish")

    def coil_levels(self) -> list[bool]:
        level = self.world.level(self.pins.latch)
        if level != self._history[-1]:
            self._history.append(level)
        return self._history

    def break_coil(self) -> None:
        def fail(is_high: bool) -> None:
            if is_high:
                raise OSError("the line does not answer")
            self._drive_coil(is_high)

        self._coil._set_state = fail
