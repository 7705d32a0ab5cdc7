"""The vault's lock as tables: how each stimulus changes the state, and what to do then.

Rule 1: everything that can energise the coil is in TRANSITIONS.
Rule 2: this file knows no pins, no clock and no code; it is told what happened.

The life of a vault: the lid is pushed down and the bolt snaps in (SHUT). As long
as no code is set the latch opens at any number. The yellow button, three times,
sets a code (LOCKED). Each press of M is a guess; the right one pulls the bolt
(RELEASING) until the lid has risen (OPEN). If it does not rise, or the coil must
rest first, the vault owes an opening (JAMMED), and each press of M tries again.
A lid that rises while a code is set was FORCED; pushed down again, the same code
still stands. When the driver fails a person must look (FAULT).

A press always gets an answer, if only that it came at the wrong time; so every
state lists every press. Any other stimulus that a state does not list is refused.
"""

from __future__ import annotations

import enum

from companion.errors import CompanionError
from companion.ports import Signal


class VaultState(enum.StrEnum):
    """Where the bolt and the lid are, as far as we know."""

    UNKNOWN = "unknown"  # Power came back; the lid sensor was not read yet.
    OPEN = "open"  # Lid up: the vault is being filled.
    SHUT = "shut"  # Lid down, bolt home, no code set: opens at any number.
    LOCKED = "locked"  # A code is set and guesses are taken.
    RELEASING = "releasing"  # Coil on, waiting for the lid to rise.
    JAMMED = "jammed"  # An opening is owed: the lid did not rise.
    FORCED = "forced"  # The lid was opened although a code is set.
    FAULT = "fault"  # The driver failed; a person must look.


class Stimulus(enum.StrEnum):
    """What the world tells the vault."""

    LID_OPENED = "lid_opened"
    LID_SHUT = "lid_shut"
    YELLOW_PRESSED = "yellow_pressed"  # Once or twice; the third may recode.
    RECODED = "recoded"  # Yellow three times within the window.
    M_AT_RIGHT_NUMBER = "m_at_right_number"  # Without a code, any is right.
    M_AT_WRONG_NUMBER = "m_at_wrong_number"
    RELEASE_DELAYED = "release_delayed"  # The coil has to rest first.
    RELEASE_TIMED_OUT = "release_timed_out"  # The lid stayed down.
    DRIVER_FAILED = "driver_failed"
    FAULT_CLEARED = "fault_cleared"  # A person has looked.


class Effect(enum.StrEnum):
    """What the vault asks of the coil."""

    COIL_ON = "coil_on"
    COIL_OFF = "coil_off"


class StimulusRefused(CompanionError):
    """The stimulus has no meaning in this state; nothing moved."""


S, T, E = VaultState, Stimulus, Effect
Outcome = tuple[VaultState, tuple[Effect | Signal, ...]]

PRESSES = (T.YELLOW_PRESSED, T.RECODED, T.M_AT_RIGHT_NUMBER, T.M_AT_WRONG_NUMBER)
"""The presses of buttons; each is answered with a signal in every state."""


def _answer(state: VaultState, signal: Signal) -> dict[Stimulus, Outcome]:
    """Return rows that answer every press with *signal* and change nothing."""
    return dict.fromkeys(PRESSES, (state, (signal,)))


FAILED: Outcome = (S.FAULT, (E.COIL_OFF, Signal.ALARM))

TRANSITIONS: dict[VaultState, dict[Stimulus, Outcome]] = {
    S.UNKNOWN: _answer(S.UNKNOWN, Signal.WRONG_TIME),  # Left by AFTER_RESTART only.
    S.OPEN: {
        **_answer(S.OPEN, Signal.WRONG_TIME),
        T.LID_SHUT: (S.SHUT, (Signal.ACCEPTED,)),
        T.DRIVER_FAILED: FAILED,  # The coil did not go off.
    },
    S.SHUT: {
        T.LID_OPENED: (S.OPEN, ()),
        T.YELLOW_PRESSED: (S.SHUT, (Signal.ACCEPTED,)),
        T.RECODED: (S.LOCKED, (Signal.LOCKED,)),
        T.M_AT_RIGHT_NUMBER: (S.RELEASING, (E.COIL_ON, Signal.ACCEPTED)),
        T.M_AT_WRONG_NUMBER: (S.RELEASING, (E.COIL_ON, Signal.ACCEPTED)),
    },
    S.LOCKED: {
        T.LID_OPENED: (S.FORCED, (Signal.ALARM,)),
        T.YELLOW_PRESSED: (S.LOCKED, (Signal.WRONG_TIME,)),
        T.RECODED: (S.LOCKED, (Signal.WRONG_TIME,)),
        T.M_AT_RIGHT_NUMBER: (S.RELEASING, (E.COIL_ON, Signal.RIGHT)),
        T.M_AT_WRONG_NUMBER: (S.LOCKED, (Signal.WRONG,)),
    },
    S.RELEASING: {
        **_answer(S.RELEASING, Signal.ACCEPTED),  # The opening is under way.
        T.LID_OPENED: (S.OPEN, (E.COIL_OFF,)),
        T.RELEASE_DELAYED: (S.JAMMED, (Signal.JAMMED,)),
        T.RELEASE_TIMED_OUT: (S.JAMMED, (E.COIL_OFF, Signal.JAMMED)),
        T.DRIVER_FAILED: FAILED,
    },
    S.JAMMED: {
        T.LID_OPENED: (S.OPEN, ()),
        # No new code: a vault that does not open must not be locked again.
        T.YELLOW_PRESSED: (S.JAMMED, (Signal.WRONG_TIME,)),
        T.RECODED: (S.JAMMED, (Signal.WRONG_TIME,)),
        T.M_AT_RIGHT_NUMBER: (S.RELEASING, (E.COIL_ON, Signal.ACCEPTED)),
        T.M_AT_WRONG_NUMBER: (S.RELEASING, (E.COIL_ON, Signal.ACCEPTED)),
        T.DRIVER_FAILED: FAILED,  # The coil did not go off.
    },
    S.FORCED: {
        # The same answer to a right and a wrong number: no guess for free.
        **_answer(S.FORCED, Signal.WRONG_TIME),
        T.LID_SHUT: (S.LOCKED, (Signal.LOCKED,)),  # The old code still stands.
        T.FAULT_CLEARED: (S.OPEN, (Signal.ACCEPTED,)),
    },
    S.FAULT: {
        **_answer(S.FAULT, Signal.ALARM),
        T.DRIVER_FAILED: (S.FAULT, (Signal.ALARM,)),  # No coil off: it just failed.
        T.FAULT_CLEARED: (S.JAMMED, (Signal.ACCEPTED,)),  # The opening is owed.
    },
}

AFTER_RESTART: dict[VaultState, tuple[VaultState, VaultState]] = {
    # What was remembered: what it is now (if the lid is open, if it is shut).
    S.UNKNOWN: (S.OPEN, S.SHUT),  # A new vault.
    S.OPEN: (S.OPEN, S.SHUT),
    S.SHUT: (S.OPEN, S.SHUT),
    S.LOCKED: (S.FORCED, S.LOCKED),
    S.RELEASING: (S.OPEN, S.JAMMED),
    S.JAMMED: (S.OPEN, S.JAMMED),
    S.FORCED: (S.FORCED, S.LOCKED),
    S.FAULT: (S.FAULT, S.FAULT),
}
"""A restart has no effects at all: nothing here could energise the coil."""

LID_SHUT_IN: dict[VaultState, bool] = {
    S.OPEN: False,
    S.SHUT: True,
    S.LOCKED: True,
    S.RELEASING: True,
    S.JAMMED: True,
    S.FORCED: False,
}
"""Whether the lid is shut, by state; if the sensor differs, the lid has moved.

Where nothing is listed (UNKNOWN, FAULT) the lid may be either way.
"""

HOLDS_CODE = frozenset({S.LOCKED, S.FORCED})
"""The states in which a code is set; in every other there is none."""


def step(state: VaultState, stimulus: Stimulus) -> Outcome:
    """Return the next state and the effects to carry out, in order.

    Raises:
        StimulusRefused: If the table has no entry; the state is unchanged.
    """
    try:
        return TRANSITIONS[state][stimulus]
    except KeyError:
        message = f"{stimulus} has no meaning while the vault is {state}"
        raise StimulusRefused(message) from None


def restart(remembered: VaultState, *, is_lid_shut: bool) -> VaultState:
    """Return the vault's state once power is back and the lid has been read."""
    return AFTER_RESTART[remembered][is_lid_shut]
