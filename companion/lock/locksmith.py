"""The locksmith runs the lock: the table decides, an event is written, the bolt moves.

The *table* (``states.py``) gives the next state and the *effects* for each *stimulus*,
such as a press or a moving lid. The *gate* says whether a guess is due in a game. An
*event* is written before the effects are carried out, so a vault that cannot write does
not move. Nothing here depends on threads, queues or contacts; ``keeper.py`` adds those.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from companion.errors import CompanionError, DeviceFault, Malformed, Refused
from companion.lock.events import (
    FaultCleared,
    LidOpened,
    LidShut,
    NumberGuessed,
    ReleaseDelayed,
    ReleaseStarted,
    ReleaseTimedOut,
    SecretCode,
    VaultAwoke,
    VaultEvent,
    VaultFaulted,
    VaultLocked,
    VaultMemory,
    WheelSet,
    guess_stimulus,
    remember,
)
from companion.lock.senses import NS_PER_MS
from companion.lock.states import (
    LID_SHUT_IN,
    PRESSES,
    Effect,
    Stimulus,
    StimulusRefused,
    VaultState,
    step,
)
from companion.ports import Clock, Signal, VaultDevice
from companion.units import NO_GAME, GameId

log = logging.getLogger(__name__)

Record = Callable[[tuple[VaultEvent, ...]], None]
"""Writes events; they are on disk when it returns, or it raises."""


@dataclass(frozen=True, slots=True)
class DueGuess:
    """The guess that is due: a game's id and a seat; both are empty outside a game."""

    game: GameId = NO_GAME
    seat: str = ""


Gate = Callable[[], AbstractContextManager[DueGuess | None]]
"""Opens a context; the guess that is due, or ``None``, stays the same within it."""


def let_every_guess_count() -> AbstractContextManager[DueGuess | None]:
    """Return a context in which every guess counts, as it does outside a game."""
    return nullcontext(DueGuess())


RETRY_MS = 1000
"""The time before the next attempt to write an event that no press caused."""


@dataclass(frozen=True, slots=True)
class ReleaseSettings:
    """The times for pulling the bolt."""

    on_time_ms: int = 400
    """The longest pull of the bolt, which ends when the lid rises; 50 to 1000 ms."""
    timeout_ms: int = 1500
    """The time for the lid to rise before it counts as jammed; above on_time_ms."""

    def __post_init__(self) -> None:
        if not 50 <= self.on_time_ms <= 1000:
            raise Malformed(f"expected on_time_ms in 50..1000, got {self.on_time_ms}")
        if not self.on_time_ms < self.timeout_ms <= 10_000:
            wanted = f"{self.on_time_ms + 1}..10000"
            raise Malformed(f"expected timeout_ms in {wanted}, got {self.timeout_ms}")


class Locksmith:
    """Moves the lock from state to state, as ``TRANSITIONS`` says; for one thread only.

    Args:
        device: The coil, the light and the buzzer.
        record: Writes events before anything moves.
        draw_code: Draws a new code, 1 to 6.
        memory: The memory of earlier runs.
        gate: Returns the guess that is due now.

    Attributes:
        memory: The state that would survive a power cut now.
        is_awake: Whether the lid was read since the power came back.
        is_writable: Whether the last event could be written.
    """

    def __init__(
        self,
        device: VaultDevice,
        clock: Clock,
        record: Record,
        draw_code: Callable[[], int],
        memory: VaultMemory,
        settings: ReleaseSettings,
        gate: Gate = let_every_guess_count,
    ) -> None:
        self.memory = memory
        self.is_awake = False
        self.is_writable = True
        self._device = device
        self._clock = clock
        self._record = record
        self._draw_code = draw_code
        self._settings = settings
        self._gate = gate
        self._release_due_ns: int | None = None
        self._retry_due_ns: int | None = None

    @property
    def state(self) -> VaultState:
        """The state of the lock; UNKNOWN until the lid was read."""
        return self.memory.state if self.is_awake else VaultState.UNKNOWN

    @property
    def due_ns(self) -> int | None:
        """The time when ``tend`` has something to do; ``None`` if nothing waits."""
        if self._retry_due_ns is not None:
            return self._retry_due_ns
        return self._release_due_ns

    def press_m(self, pointer: int, named: int = 0) -> None:
        """Handle a press of M at the number of the pointer, or that a phone *named*."""
        number = named or pointer
        if self.state is VaultState.LOCKED:
            self._guess(number, pointer)
            return
        is_any_right = self.state in (VaultState.SHUT, VaultState.JAMMED)
        events = (ReleaseStarted(pointer),) if is_any_right else ()
        self._move(guess_stimulus(self.memory.opens_at(number)), *events)

    def _guess(self, number: int, pointer: int) -> None:
        """Handle a guess, if one is due.

        Where the wheel stands is written with a guess at another number: a power cut,
        likely while the coil pulls, must not leave the pointer on what was guessed.
        """
        with self._gate() as due:
            if due is None:
                self._device.signal(Signal.WRONG_TIME)
                return
            is_right = self.memory.opens_at(number)
            event = NumberGuessed(number, is_right, due.game, due.seat)
            stands = (WheelSet(pointer),) if pointer != number else ()
            self._move(guess_stimulus(is_right), event, *stands)

    def press_yellow(self) -> None:
        """Handle a press of yellow that is not the third one."""
        self._move(Stimulus.YELLOW_PRESSED)

    def recode(self, number: int) -> None:
        """Handle the third press of yellow, with the pointer on *number*."""
        if self.state is VaultState.SHUT:
            event = VaultLocked(SecretCode(self._draw_code()), number)
            self._move(Stimulus.RECODED, event)
        else:
            self._move(Stimulus.RECODED)

    def clear_fault(self) -> None:
        """Clear a fault or a forced lid, after a person has looked."""
        self._move(Stimulus.FAULT_CLEARED, FaultCleared())

    def set_wheel(self, number: int) -> bool:
        """Record that the pointer is on *number*; return whether that was written."""
        if self._write(WheelSet(number)):
            return True
        self._device.signal(Signal.ALARM)
        return False

    def tend(self, *, is_lid_shut: bool, number: int | None = None) -> None:
        """Handle what is due: by the clock, or since the lid or the wheel moved.

        *number* is where the wheel rests, to be recorded for a power cut; ``None``
        while it turns.
        """
        now_ns = self._clock.monotonic_ns()
        if self._retry_due_ns is not None and now_ns < self._retry_due_ns:
            return
        self._retry_due_ns = None
        if not self.is_awake and not self._awake(is_lid_shut=is_lid_shut):
            return
        if LID_SHUT_IN.get(self.state, is_lid_shut) != is_lid_shut:
            if is_lid_shut:
                self._move(Stimulus.LID_SHUT, LidShut())
            else:
                self._move(Stimulus.LID_OPENED, LidOpened())
        if self._release_due_ns is not None and now_ns >= self._release_due_ns:
            self._move(Stimulus.RELEASE_TIMED_OUT, ReleaseTimedOut())
        if number not in (None, self.memory.number):
            self._write(WheelSet(number))

    def _awake(self, *, is_lid_shut: bool) -> bool:
        """Write that power came back; sound the alarm if a person must look."""
        self.is_awake = self._write(VaultAwoke(is_lid_shut))
        if self.state in (VaultState.FORCED, VaultState.FAULT):
            self._device.signal(Signal.ALARM)
        return self.is_awake

    def _move(self, stimulus: Stimulus, *events: VaultEvent) -> None:
        """Step the table, write *events*, and carry out the effects, in this order."""
        try:
            after, effects = step(self.state, stimulus)
        except StimulusRefused as refused:
            log.info("vault_stimulus_refused reason=%r", str(refused))
            return
        was_writable = self.is_writable
        if events and not self._write(*events):
            # One alarm is enough, unless somebody pressed and waits for an answer.
            if was_writable or stimulus in PRESSES:
                self._device.signal(Signal.ALARM)
            return
        if self.state is not after:
            raise AssertionError(f"{stimulus} moved the table to {after} unwritten")
        if self.state is not VaultState.RELEASING:
            self._release_due_ns = None
        for effect in effects:
            if not self._carry_out(effect):
                return

    def _write(self, *events: VaultEvent) -> bool:
        """Write *events* and remember them; return whether they could be written."""
        memory = remember(events, self.memory)
        try:
            self._record(events)
        except Exception as error:  # Whatever goes wrong with the disk, go on.
            # A database's message may quote the event, and with it the code. So only
            # our own messages go into the log.
            message = str(error) if isinstance(error, CompanionError) else ""
            name = type(error).__name__
            log.error("vault_not_written error=%s said=%r", name, message)  # noqa: TRY400
            self.is_writable = False
            self._retry_due_ns = self._clock.monotonic_ns() + RETRY_MS * NS_PER_MS
            return False
        self.memory = memory
        self.is_writable = True
        self._retry_due_ns = None
        return True

    def _carry_out(self, effect: Effect | Signal) -> bool:
        """Carry out *effect*; return ``False`` if it failed and changed the state."""
        try:
            if effect is Effect.COIL_ON:
                self._pull()
            elif effect is Effect.COIL_OFF:
                self._device.end_release()
            else:
                self._device.signal(Signal(effect))
        except Refused:
            wait_ms = self._device.rest_ms()
            self._move(Stimulus.RELEASE_DELAYED, ReleaseDelayed(wait_ms))
            return False
        except DeviceFault as fault:
            self._move(Stimulus.DRIVER_FAILED, VaultFaulted(str(fault)))
            return False
        return True

    def _pull(self) -> None:
        """Pull the bolt, and set the time by which the lid should have risen."""
        now_ns = self._clock.monotonic_ns()
        self._release_due_ns = now_ns + self._settings.timeout_ms * NS_PER_MS
        self._device.release(self._settings.on_time_ms)
