"""A simulated vault in memory, for the panel's vault page and for tests.

Its wheel makes the edges of real contacts, its lid has a spring, and its bolt snaps in.
Its ``Coil`` is the real vault's, and so refuses the same pulses.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from companion.errors import Malformed
from companion.lock.quadrature import WheelSettings
from companion.ports import Clock, Edge, Hands, Line, Signal
from hardware.vault.coil import Coil

log = logging.getLogger(__name__)

CYCLE = ((False, False), (True, False), (True, True), (False, True))
"""The wheel's contacts (A closed, B closed), step by step when turned clockwise."""
PRESS_MS = 40
"""How long a simulated press lasts, and the pause before the next one."""
SPRING_MS = 20
"""How long the spring needs to lift the lid once the bolt is back."""
TRAVEL_MS = 150
"""How long a servo takes from end to end; a coil pulls at once."""
NUMBERS_MAX = 120
"""The most numbers by which one call may turn the wheel."""
HISTORY_MAX = 10_000
"""How many happenings are kept."""


@dataclass(frozen=True, slots=True)
class Happening:
    """A new level of the *part* ``coil`` or ``lid``, or a signal: ``signal``."""

    at_ns: int
    part: str
    value: bool | Signal


class SimulatedVault:
    """Implements ``companion.ports.VaultDevice`` and its ``Hands``, in any thread.

    Args:
        clock: Stamps edges, times the spring and the presses, and ends a pulse that
            *coil_clock* left on.
        coil_clock: Ends pulses; ``None`` leaves that to *clock*.
        wheel: The settings of the wheel, which the lock must share.
        rest: The contacts (A closed, B closed) where the wheel rests at first.
        is_lid_shut: Whether the lid is shut at first; the bolt is home in any case.
        has_servo: Whether a servo pulls the bolt, which takes its time.

    Attributes:
        is_jammed: Set it to keep the lid from rising, whatever the bolt does.
        is_coil_broken: Set it to make switching the coil on fail.
    """

    name = "simulated vault"

    def __init__(
        self,
        clock: Clock,
        *,
        coil_clock: Clock | None = None,
        wheel: WheelSettings | None = None,
        rest: tuple[bool, bool] = (True, True),
        is_lid_shut: bool = False,
        has_servo: bool = False,
    ) -> None:
        self.is_jammed = False
        self.is_coil_broken = False
        self._clock = clock
        mounted = wheel or WheelSettings()
        steps = mounted.steps_per_detent * mounted.detents_per_number
        self._steps_per_number = -steps if mounted.is_reversed else steps
        self._phase = CYCLE.index(rest)
        self._levels = dict(zip((Line.WHEEL_A, Line.WHEEL_B), rest, strict=True))
        self._levels |= {Line.M_BUTTON: False, Line.YELLOW_BUTTON: False}
        self._levels[Line.LID] = is_lid_shut
        self._is_on = False
        self._is_bolt_home = True
        self._travel_ms = TRAVEL_MS if has_servo else 0
        self._cut: set[Line] = set()
        self._hear: Callable[[Edge], None] | None = None
        self._history: deque[Happening] = deque(maxlen=HISTORY_MAX)
        self._hand = threading.RLock()  # One movement at a time.
        self._presses: deque[Line] = deque()
        self._is_finger_busy = False
        self._coil = Coil(self._switch, coil_clock or clock, clock)

    def __repr__(self) -> str:
        return "SimulatedVault()"

    @property
    def hands(self) -> Hands:
        """The hands that move this vault: the object itself."""
        return self

    @property
    def is_sound(self) -> bool:
        """Whether the coil goes off in time."""
        return self._coil.is_sound

    def listen(self, hear: Callable[[Edge], None]) -> None:
        """Call *hear* with every edge from now on."""
        self._hear = hear

    def levels(self) -> dict[Line, bool]:
        """Read all five inputs; a cut wire reads open."""
        return {
            line: is_on and line not in self._cut
            for line, is_on in self._levels.items()
        }

    def release(self, on_time_ms: int) -> None:
        """Pull the bolt back for *on_time_ms*."""
        self._coil.pulse(on_time_ms)
        self._clock.call_later(self._travel_ms + SPRING_MS, self.lift_lid)

    def end_release(self) -> None:
        """Let the bolt spring back now."""
        self._coil.end()

    def rest_ms(self) -> int:
        """Compute how long the coil has to rest."""
        return self._coil.rest_ms()

    def charge_ms(self) -> int:
        """Return 0: it has no reservoir."""
        return 0

    def signal(self, signal: Signal) -> None:
        """Remember *signal*."""
        self._remember("signal", signal)

    def close(self) -> None:
        """Switch the coil off, and stop reporting edges."""
        self._hear = None
        self._coil.close()

    # A person's hands.

    def turn(self, numbers: int) -> None:
        """Turn the wheel by *numbers*; clockwise is positive.

        Raises:
            Malformed: If *numbers* is not a whole number in -120..120.
        """
        if isinstance(numbers, bool) or not isinstance(numbers, int):
            raise Malformed(f"expected a whole number, got {numbers!r}")
        if abs(numbers) > NUMBERS_MAX:
            raise Malformed(
                f"expected numbers in -{NUMBERS_MAX}..{NUMBERS_MAX}, got {numbers}"
            )
        steps = numbers * self._steps_per_number
        with self._hand:
            for _ in range(abs(steps)):
                self._phase = (self._phase + (1 if steps > 0 else -1)) % len(CYCLE)
                is_a, is_b = CYCLE[self._phase]
                self._set(Line.WHEEL_A, is_a)
                self._set(Line.WHEEL_B, is_b)

    def press(self, line: Line) -> None:
        """Press a button and let it go; further presses wait their turn.

        Raises:
            Malformed: If *line* is not a button.
        """
        if line not in (Line.M_BUTTON, Line.YELLOW_BUTTON):
            raise Malformed(f"expected m_button or yellow_button, got {line}")
        with self._hand:
            self._presses.append(line)
            if not self._is_finger_busy:
                self._press_next()

    @property
    def waiting_presses_count(self) -> int:
        """How many presses have been asked for and are not made yet."""
        return len(self._presses)

    def shut_lid(self) -> None:
        """Push the lid down until the bolt snaps in; harmless if it is shut already.

        While the bolt is held back, the spring lifts the lid again.
        """
        with self._hand:
            self._move_lid(is_shut=True)
            if not self._is_bolt_home:
                self._clock.call_later(SPRING_MS, self.lift_lid)

    def lift_lid(self) -> None:
        """Pull at the lid; it rises unless the bolt holds it or it is jammed."""
        with self._hand:
            if not self._is_bolt_home and not self.is_jammed:
                self._move_lid(is_shut=False)

    def force_lid(self) -> None:
        """Break the lid open against the bolt, or lift a jammed one."""
        with self._hand:
            self._move_lid(is_shut=False)

    # Faults.

    def cut_wire(self, line: Line) -> None:
        """Cut an input's wire: it reads open from now on."""
        with self._hand:
            was_on = self.levels()[line]
            self._cut.add(line)
            if was_on:
                self._tell(line, False)

    def mend_wire(self, line: Line) -> None:
        """Mend a wire that ``cut_wire`` cut."""
        with self._hand:
            self._cut.discard(line)
            if self._levels[line]:
                self._tell(line, True)

    # Its history.

    @property
    def is_coil_on(self) -> bool:
        """Whether current flows through the coil, or a servo holds the bolt back."""
        return self._is_on

    @property
    def history(self) -> tuple[Happening, ...]:
        """All happenings, oldest first; the coil's first one is *off*."""
        return tuple(self._history)

    def values(self, part: str) -> list[bool | Signal]:
        """List the values that ``coil``, ``lid`` or ``signal`` had, oldest first."""
        return [item.value for item in self._history if item.part == part]

    # Coil, spring, lid and contacts.

    def _switch(self, is_on: bool) -> None:
        """Switch the coil, which moves the bolt; an unchanged coil is not noted."""
        if is_on and self.is_coil_broken:
            raise OSError("simulated: the coil's wire is broken")
        if is_on != self._is_on or not self.values("coil"):
            self._remember("coil", is_on)
        self._is_on = is_on
        if self._travel_ms:
            self._clock.call_later(self._travel_ms, self._follow)
        else:
            self._follow()

    def _follow(self) -> None:
        """Move the bolt to where the coil, or the servo, wants it."""
        self._is_bolt_home = not self._is_on

    def _move_lid(self, *, is_shut: bool) -> None:
        if self._levels[Line.LID] != is_shut:
            self._remember("lid", is_shut)
            self._set(Line.LID, is_shut)

    def _press_next(self) -> None:
        with self._hand:
            self._is_finger_busy = bool(self._presses)
            if self._presses:
                line = self._presses.popleft()
                self._set(line, True)
                self._clock.call_later(PRESS_MS, lambda: self._let_go(line))

    def _let_go(self, line: Line) -> None:
        """End a press, and pause before the next one."""
        with self._hand:
            self._set(line, False)
            self._clock.call_later(PRESS_MS, self._press_next)

    def _set(self, line: Line, is_on: bool) -> None:
        """Set an input, and report the edge unless its wire is cut."""
        if self._levels[line] != is_on:
            self._levels[line] = is_on
            if line not in self._cut:
                self._tell(line, is_on)

    def _tell(self, line: Line, is_on: bool) -> None:
        """Report an edge to the listener, and log whatever it raises."""
        try:
            if self._hear is not None:
                self._hear(Edge(line, is_on, self._clock.monotonic_ns()))
        except Exception:
            log.exception("vault_edge_not_heard line=%s", line)

    def _remember(self, part: str, value: bool | Signal) -> None:
        self._history.append(Happening(self._clock.monotonic_ns(), part, value))
