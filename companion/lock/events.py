"""The events in the vault's journal, and the state rebuilt from them after a power cut.

An event records a *stimulus* of the lock's state table (``states.py``), such as a press
or a lid that rose. ``VaultMemory.after`` looks it up in that same table, so a running
vault and one rebuilt from the journal never differ.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import msgspec

from companion.lock.quadrature import NUMBER_COUNT, check_number
from companion.lock.states import (
    HOLDS_CODE,
    LID_SHUT_IN,
    TRANSITIONS,
    Stimulus,
    VaultState,
    restart,
)
from companion.units import NO_GAME, GameId

WheelNumber = Annotated[int, msgspec.Meta(ge=1, le=NUMBER_COUNT)]
"""A number on the wheel, 1 to 6."""


class SecretCode(msgspec.Struct, frozen=True, array_like=True):
    """The number that opens the vault, in a wrapper that never shows it.

    Only the journal's codec writes it out; ``repr``, ``str`` and tracebacks do not.
    """

    number: WheelNumber

    def opens_at(self, number: int) -> bool:
        """Return whether *number* is the right one."""
        return self.number == number

    def __repr__(self) -> str:
        return "SecretCode(hidden)"

    __str__ = __repr__

    def __rich_repr__(self) -> list[tuple[str, object]]:
        return [("number", "hidden")]


class VaultAwoke(msgspec.Struct, frozen=True, tag=True):
    """Power came back and the lid was read."""

    is_lid_shut: bool


class VaultLocked(msgspec.Struct, frozen=True, tag=True):
    """A new code was set, with the wheel standing at *number*."""

    code: SecretCode
    number: WheelNumber


class NumberGuessed(msgspec.Struct, frozen=True, tag=True):
    """M was pressed on a locked vault.

    Attributes:
        game: The id of the guided game that the guess counts for; empty outside one.
        seat: The seat that guessed; empty outside a game.
    """

    number: WheelNumber
    is_right: bool
    game: GameId = NO_GAME
    seat: str = ""


class ReleaseStarted(msgspec.Struct, frozen=True, tag=True):
    """M was pressed while every number opens: no code is set, or an opening is owed."""

    number: WheelNumber


class ReleaseDelayed(msgspec.Struct, frozen=True, tag=True):
    """The coil had to rest; it may pull again after *rest_ms*."""

    rest_ms: int


class ReleaseTimedOut(msgspec.Struct, frozen=True, tag=True):
    """The bolt was pulled and the lid did not rise."""


class LidOpened(msgspec.Struct, frozen=True, tag=True):
    """The lid rose; if the vault was locked, somebody used force."""


class LidShut(msgspec.Struct, frozen=True, tag=True):
    """The lid was pushed down."""


class VaultFaulted(msgspec.Struct, frozen=True, tag=True):
    """The driver failed; *reason* is a sentence for people."""

    reason: str


class FaultCleared(msgspec.Struct, frozen=True, tag=True):
    """A person reported to have looked after the vault."""


class WheelSet(msgspec.Struct, frozen=True, tag=True):
    """The pointer is at *number*: it came to rest there, or was set to it."""

    number: WheelNumber


VaultEvent = (
    VaultAwoke
    | VaultLocked
    | NumberGuessed
    | ReleaseStarted
    | ReleaseDelayed
    | ReleaseTimedOut
    | LidOpened
    | LidShut
    | VaultFaulted
    | FaultCleared
    | WheelSet
)
"""Every event of the vault."""

STIMULUS: dict[type[VaultEvent], Stimulus] = {
    VaultLocked: Stimulus.RECODED,
    ReleaseStarted: Stimulus.M_AT_RIGHT_NUMBER,
    ReleaseDelayed: Stimulus.RELEASE_DELAYED,
    ReleaseTimedOut: Stimulus.RELEASE_TIMED_OUT,
    LidOpened: Stimulus.LID_OPENED,
    LidShut: Stimulus.LID_SHUT,
    VaultFaulted: Stimulus.DRIVER_FAILED,
    FaultCleared: Stimulus.FAULT_CLEARED,
}
"""Event -> the stimulus that it records.

For a guess it depends on the number (``guess_stimulus``). The other events without a
row record no stimulus.
"""


class VaultMemory(msgspec.Struct, frozen=True):
    """The state that survives a power cut: the result of all events so far.

    Attributes:
        state: The last recorded state; UNKNOWN for a new vault.
        code: The code in the states of ``HOLDS_CODE``, otherwise ``None``.
        number: The number of the wheel at the last event that recorded one.
        tries_count: The wrong guesses since the code was set.
        fault: The reason for FAULT, for people; otherwise empty.
        wrong_number: The last wrong guess since the code was set; 0 before the first,
            and if it was made in a game, which may hide it.
    """

    state: VaultState = VaultState.UNKNOWN
    code: SecretCode | None = None
    number: int = 1
    tries_count: int = 0
    fault: str = ""
    wrong_number: int = 0

    def after(self, event: VaultEvent) -> VaultMemory:
        """Return the memory after *event*; never refuse.

        An event that the lock's table does not list for this state changes no state.
        The keeper writes no such event, but a disk failure may have stored an event
        twice.
        """
        state, code, fault = self._state_after(event), self.code, self.fault
        number, tries_count = self.number, self.tries_count
        wrong_number = self.wrong_number
        if isinstance(event, NumberGuessed | ReleaseStarted | WheelSet | VaultLocked):
            number = check_number(event.number)
        if isinstance(event, VaultLocked):
            code, tries_count, wrong_number = event.code, 0, 0
        elif isinstance(event, VaultFaulted):
            fault = event.reason
        elif isinstance(event, NumberGuessed) and not event.is_right:
            tries_count += 1
            wrong_number = 0 if event.game else event.number
        return VaultMemory(
            state=state,
            code=code if state in HOLDS_CODE else None,
            number=number,
            tries_count=tries_count,
            fault=fault if state is VaultState.FAULT else "",
            wrong_number=wrong_number,
        )

    @property
    def was_lid_shut(self) -> bool:
        """Whether the lid was down at the last event; false if that is not known."""
        return LID_SHUT_IN.get(self.state, False)

    def opens_at(self, number: int) -> bool:
        """Return whether M at *number* opens the vault; without a code, any does."""
        return self.code is None or self.code.opens_at(number)

    def _state_after(self, event: VaultEvent) -> VaultState:
        if isinstance(event, VaultAwoke):
            return restart(self.state, is_lid_shut=event.is_lid_shut)
        stimulus = STIMULUS.get(type(event))
        if isinstance(event, NumberGuessed):
            stimulus = guess_stimulus(event.is_right)
        if stimulus not in TRANSITIONS[self.state]:
            return self.state
        return TRANSITIONS[self.state][stimulus][0]


def guess_stimulus(is_right: bool) -> Stimulus:
    """Return the stimulus of M at a right or a wrong number."""
    return Stimulus.M_AT_RIGHT_NUMBER if is_right else Stimulus.M_AT_WRONG_NUMBER


def remember(
    events: Iterable[VaultEvent], memory: VaultMemory | None = None
) -> VaultMemory:
    """Return *memory*, by default that of a new vault, after *events*, oldest first."""
    memory = memory or VaultMemory()
    for event in events:
        memory = memory.after(event)
    return memory
