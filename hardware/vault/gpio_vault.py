"""The vault on real pins, through gpiozero; no other file uses gpiozero's devices.

Each signal has a pattern of lights and buzzer, which a player shows.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass

from gpiozero import DigitalOutputDevice, InputDevice
from gpiozero.pins import Factory

from companion.errors import DeviceFault
from companion.ports import Clock, Edge, Line, Signal, Timer
from hardware.vault.coil import Coil, Switch
from hardware.vault.kernel_pins import KernelFactory
from hardware.vault.pins import Pins
from hardware.vault.servo import Servo

log = logging.getLogger(__name__)

NS_PER_S = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Note:
    """One step of a pattern: which lights are on, and the buzzer, for *length_ms*."""

    is_green: bool
    is_red: bool
    is_loud: bool
    length_ms: int


SILENCE = Note(False, False, False, 0)
"""Lights and buzzer off."""


def _notes(colour: str, *beats: tuple[int, int]) -> tuple[Note, ...]:
    """Build notes from *beats* of (ms on, ms off), in light and sound together.

    The last note is silence, in place of the last beat's time off.
    """
    is_green, is_red = colour == "green", colour == "red"
    notes: list[Note] = []
    for on_ms, off_ms in beats:
        notes.append(Note(is_green, is_red, True, on_ms))
        notes.append(Note(False, False, False, off_ms))
    return (*notes[:-1], SILENCE)


PATTERNS: dict[Signal, tuple[Note, ...]] = {
    Signal.ACCEPTED: _notes("green", (60, 0)),
    Signal.LOCKED: _notes("green", (80, 60), (80, 60), (240, 0)),
    Signal.RIGHT: (
        *_notes("green", (400, 0))[:-1],
        Note(is_green=True, is_red=False, is_loud=False, length_ms=1500),
        SILENCE,
    ),
    Signal.WRONG: _notes("red", (600, 0)),
    Signal.WRONG_TIME: _notes("red", (60, 60), (60, 0)),
    Signal.JAMMED: _notes("red", (150, 150), (150, 150), (150, 0)),
    Signal.ALARM: _notes("red", *((100, 100),) * 10),
}
"""The pattern of each signal."""


class SignalPlayer:
    """Plays one pattern at a time; a new one cuts the old one short.

    Args:
        show: Sets the green light, the red light and the buzzer to those of a note.
        clock: Ends each note.
    """

    def __init__(self, show: Callable[[Note], None], clock: Clock) -> None:
        self._show = show
        self._clock = clock
        self._lock = threading.Lock()
        self._timer: Timer | None = None
        self._turn = 0  # The current pattern's number; timers of older ones do nothing.
        self._is_closed = False

    def play(self, signal: Signal) -> None:
        """Begin *signal* now. Never raises: the lock must work without its lights."""
        with self._lock:
            self._turn += 1
            self._cancel()
            if not self._is_closed:
                self._sound(PATTERNS[signal], self._turn)

    def close(self) -> None:
        """Stop, and stay dark and silent from now on."""
        with self._lock:
            self._is_closed = True
            self._turn += 1
            self._cancel()
            self._sound((SILENCE,), self._turn)

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _sound(self, notes: tuple[Note, ...], turn: int) -> None:
        try:
            self._show(notes[0])
            if len(notes) > 1:
                self._timer = self._clock.call_later(
                    notes[0].length_ms, lambda: self._next(notes[1:], turn)
                )
        except Exception:
            log.exception("signal_not_shown")

    def _next(self, notes: tuple[Note, ...], turn: int) -> None:
        """Go on with the pattern, unless another one was begun."""
        with self._lock:
            if turn == self._turn:
                self._sound(notes, turn)


class GpioVault:
    """Implements ``companion.ports.VaultDevice`` on the header's pins.

    Each contact (two of the wheel, M, yellow, the lid) connects its pin to ground
    through 1 kΩ, with 10 nF at the pin, whose own pull-up is on. The lid's contact is
    closed while the lid is shut.

    The latch is fed from capacitors of its own, which a resistor charges. A transistor
    switches a coil's ground side; 10 kΩ hold that off while no program owns the pin.
    The pin is active high, as an undriven pin is low. A servo has its pulses from the
    kernel, and the pin is the kernel's.

    Args:
        pins: The pin of each wire.
        clock: Times lights and sounds, and ends a pulse that *coil_clock* left on.
        coil_clock: Ends pulses; ``None`` leaves that to *clock*, so that lights and
            sounds may delay it.
        pin_factory: gpiozero's back end; must stamp edges by the clock of *clock*.
        servo: Pulls the bolt; ``None`` if a coil does, on the latch's pin.

    Raises:
        DeviceFault: If a pin cannot be claimed; pins claimed before are released.
    """

    name = "vault on GPIO pins"
    hands = None

    def __init__(
        self,
        pins: Pins,
        clock: Clock,
        *,
        coil_clock: Clock | None = None,
        pin_factory: Factory,
        servo: Servo | None = None,
    ) -> None:
        self._pins = pins
        self._clock = clock
        self._coil_clock = coil_clock or clock
        self._factory = pin_factory
        self._servo = servo
        self._hear: Callable[[Edge], None] | None = None
        self._is_closed = False
        self._held = contextlib.ExitStack()
        try:
            self._claim()
        except Exception as error:  # gpiozero's errors and ours share no parent.
            self._held.close()
            raise _fault(error) from error
        except BaseException:
            self._held.close()
            raise

    def _claim(self) -> None:
        # A coil comes first, so that it is off before anything else can fail.
        if self._servo is None:
            self._own_coil(_switch(self._output(self._pins.latch)))
        self._green = self._output(self._pins.led_green)
        self._red = self._output(self._pins.led_red)
        self._buzzer = self._output(self._pins.buzzer)
        self._player = SignalPlayer(self._show, self._clock)
        self._held.callback(self._player.close)
        pins = dict(self._pins.named())
        self._contacts = {line: self._contact(line, pins[line]) for line in Line}
        # A servo comes last: nobody owns its pulses as pins are owned, and it must not
        # move for a second program that will be refused.
        if self._servo is not None:
            self._held.callback(self._servo.close)
            self._own_coil(self._servo)

    def _own_coil(self, switch: Switch) -> None:
        self._coil = Coil(switch, self._coil_clock, self._clock)
        self._coil.rest()
        self._held.callback(self._coil.close)

    def __repr__(self) -> str:
        return f"GpioVault(latch on BCM {self._pins.latch})"

    @property
    def is_sound(self) -> bool:
        """Whether pulses end in time and edges arrive."""
        factory = self._factory
        is_deaf = isinstance(factory, KernelFactory) and not factory.is_alive
        return self._coil.is_sound and not is_deaf

    def listen(self, hear: Callable[[Edge], None]) -> None:
        """Call *hear* with every edge from now on."""
        self._hear = hear

    def levels(self) -> dict[Line, bool]:
        """Read all five inputs now."""
        if self._is_closed:
            raise DeviceFault("the vault was closed", "start the program again")
        return {line: contact.is_active for line, contact in self._contacts.items()}

    def release(self, on_time_ms: int) -> None:
        """Pull the bolt back for *on_time_ms*."""
        self._coil.pulse(on_time_ms)

    def end_release(self) -> None:
        """Let the bolt spring back now."""
        self._coil.end()

    def rest_ms(self) -> int:
        """Compute how long the coil has to rest."""
        return self._coil.rest_ms()

    def charge_ms(self) -> int:
        """Compute how long a servo's reservoir may be too low yet."""
        return 0 if self._servo is None else self._servo.charge_ms()

    def signal(self, signal: Signal) -> None:
        """Show and sound *signal*."""
        self._player.play(signal)

    def close(self) -> None:
        """Switch coil and lights off and release the pins; the factory stays open."""
        if not self._is_closed:
            self._is_closed = True
            self._hear = None
            self._coil.close()  # Before anything that may have to wait.
            self._held.close()

    def _output(self, pin_bcm: int) -> DigitalOutputDevice:
        """Claim a pin as an output that starts low."""
        device = DigitalOutputDevice(
            pin_bcm, active_high=True, initial_value=False, pin_factory=self._factory
        )
        self._held.callback(device.close)
        return device

    def _contact(self, line: Line, pin_bcm: int) -> _Contact:
        device = InputDevice(pin_bcm, pull_up=True, pin_factory=self._factory)
        self._held.callback(device.close)
        return _Contact(line, device, self._pass_on)

    def _pass_on(self, edge: Edge) -> None:
        if (hear := self._hear) is not None:
            hear(edge)

    def _show(self, note: Note) -> None:
        for device, is_on in (
            (self._green, note.is_green),
            (self._red, note.is_red),
            (self._buzzer, note.is_loud),
        ):
            device.value = is_on


class _Contact:
    """A contact to ground, which reports the exact time of each edge.

    gpiozero's own devices report a change without its time, and tenths of a second late
    under load. The pin beneath passes on the time that the kernel recorded.
    """

    def __init__(
        self, line: Line, device: InputDevice, hear: Callable[[Edge], None]
    ) -> None:
        self._line = line
        self._device = device
        self._hear = hear
        device.pin.edges = "both"
        # gpiozero keeps a weak reference only; the vault holds this object.
        device.pin.when_changed = self._edge

    @property
    def is_active(self) -> bool:
        """Whether the contact is closed now."""
        return bool(self._device.value)

    def _edge(self, ticks: float, state: int) -> None:
        """Pass an edge on; log errors, as they must not end the back end's thread."""
        try:
            at_s = self._device.pin_factory.ticks_diff(ticks, 0)
            self._hear(Edge(self._line, not state, round(at_s * NS_PER_S)))
        except Exception:
            log.exception("vault_edge_not_heard line=%s", self._line)


def _switch(device: DigitalOutputDevice) -> Switch:
    def switch(is_on: bool) -> None:
        if not device.closed:
            device.value = is_on
        elif is_on:
            raise DeviceFault("the coil's pin was let go")
        # Otherwise there is nothing to do: a pull-down holds a released pin low.

    return switch


def _fault(error: Exception) -> DeviceFault:
    problem = str(error) or type(error).__name__
    if "busy" in problem.lower() or "in use" in problem.lower():
        return DeviceFault(
            f"the vault's pins are taken ({problem})",
            "another copy of this program, or something else on this Pi, holds them: "
            "stop it first",
        )
    return DeviceFault(
        f"the vault's pins could not be had ({problem})",
        "check the pin settings, or choose the simulated vault to play without",
    )
