"""The view of the vault that people may see, and its health; the code is not in it.

The vault's keeper makes a view after each change, and every screen shows the latest.

The vault has five inputs, the *lines*: two contacts of the wheel, the M and the yellow
button, and the lid. A *finding* says whether something is fine with them and with the
keeper, and what to do if not.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.health import Condition, Finding
from companion.lock.states import VaultState
from companion.ports import Line
from companion.words import Words, say, say_count


class Lid(enum.StrEnum):
    """The position of the lid, as far as it is known."""

    OPEN = "open"
    SHUT = "shut"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class VaultView:
    """The vault as every screen may show it.

    Attributes:
        state: The state of the lock.
        lid: The lid, by its sensor.
        number: The number at the pointer, 1 to 6.
        tries_count: The wrong guesses since the code was set.
        rest_s: The seconds that the latch has to rest while an opening is owed, rounded
            up.
        yellow_count: The yellow presses so far towards a new code, 0 to 2.
        fault: The reason why a person must look; otherwise empty. The text of a driver
            is in English and for the person who built the vault.
        is_writable: Whether the last event could be written down.
        device: Whether the vault is simulated or real, in words for people.
        has_hands: Whether a page may move it, because it is simulated.
        said: The sentence of a guided game about the vault; empty outside a game.
        wrong_number: The last wrong guess since the code was set; 0 before the first,
            and if it was made in a game, which may hide it.
        charge_min: The minutes for which a pull may be too weak yet, likewise.
    """

    state: VaultState
    lid: Lid
    number: int
    tries_count: int
    rest_s: int
    yellow_count: int
    fault: str
    is_writable: bool
    device: str
    has_hands: bool
    said: str = ""
    wrong_number: int = 0
    charge_min: int = 0

    @property
    def sentence(self) -> str:
        """The state of the vault and what to do now, in words for an eight-year-old."""
        if not self.is_writable:
            return say("The vault cannot write down what happens. Is the disk full?")
        if self.state is VaultState.FAULT:
            if isinstance(self.fault, Words):
                return say("The vault needs a grown-up: {fault}.", fault=self.fault)
            return SENTENCES[self.state]
        if self.rest_s:
            return say_count(
                self.rest_s,
                "The latch must rest. Press M again in {count} second.",
                "The latch must rest. Press M again in {count} seconds.",
            )
        if self.charge_min:
            return say_count(
                self.charge_min,
                "The vault may not yet be charged. Press M again in {count} minute.",
                "The vault may not yet be charged. Press M again in {count} minutes.",
            )
        return self.said or SENTENCES[self.state]


SENTENCES: dict[VaultState, str] = {
    VaultState.UNKNOWN: say("The vault is waking up."),
    VaultState.OPEN: say("The vault is open. Put the treasure in and shut the lid."),
    VaultState.SHUT: say("The vault is shut. Press yellow three times to lock it."),
    VaultState.LOCKED: say("The vault is locked. Turn the wheel and press M to guess."),
    VaultState.RELEASING: say("The latch is open and the lid is coming up."),
    VaultState.JAMMED: say("The vault should be open. Press M and help the lid up."),
    VaultState.FORCED: say("Somebody broke the vault open! Shut the lid again."),
    VaultState.FAULT: say("The vault needs a grown-up."),
}
"""State of the lock -> its sentence, unless ``sentence`` has a better one."""


LEVELS = "vault.levels"
"""The name of the findings about the lines."""

KEEPER = "vault.keeper"
"""The name of the findings about the keeper."""

NEVER_AT_REST = {
    Line.M_BUTTON: say("the red M button reads pressed"),
    Line.YELLOW_BUTTON: say("the yellow button reads pressed"),
}
"""Lines that only a finger closes -> the words if one reads closed."""


def look_at_levels(levels: Mapping[Line, bool]) -> Finding:
    """Judge the levels of the five inputs while nobody touches them."""
    for line, words in NEVER_AT_REST.items():
        if levels[line]:
            remedy = say("let go of it; if nobody holds it, look for a short to ground")
            return Finding(LEVELS, Condition.WARN, words, remedy)
    contacts = [
        "closed" if levels[line] else "open" for line in (Line.WHEEL_A, Line.WHEEL_B)
    ]
    lid = "shut" if levels[Line.LID] else "open"
    message = f"wheel {' and '.join(contacts)}, M and yellow released, lid {lid}"
    return Finding(LEVELS, Condition.OK, message)


def vault_findings(
    view: VaultView, levels: Mapping[Line, bool] | None, *, is_alive: bool
) -> Iterator[Finding]:
    """Yield the findings about a vault whose keeper was started.

    *levels* is ``None`` if the lines could not be read; *is_alive* says whether the
    keeper works and the coil obeys.
    """
    if not is_alive:
        yield Finding(
            KEEPER,
            Condition.FAIL,
            say("the vault's program has stopped"),
            say("start the table again"),
        )
    elif not view.is_writable:
        yield Finding(
            KEEPER,
            Condition.FAIL,
            say("the vault cannot write down what happens"),
            say("free some space on the table's disk"),
        )
    elif view.state is VaultState.FAULT:
        yield Finding(
            KEEPER,
            Condition.FAIL,
            _fault_text(view.fault),
            say("look at the vault, then clear the fault on its page"),
        )
    else:
        yield Finding(KEEPER, Condition.OK, "the vault is kept")
    if levels is None:
        yield Finding(LEVELS, Condition.FAIL, say("the vault's lines cannot be read"))
    elif view.lid is not Lid.UNKNOWN and levels[Line.LID] != (view.lid is Lid.SHUT):
        yield Finding(
            LEVELS,
            Condition.WARN,
            say("the lid's switch does not read what the table believes"),
            say("open and shut the lid; if that does not help, check its wire"),
        )
    else:
        yield look_at_levels(levels)


def _fault_text(fault: str) -> str:
    """Say that the vault has a fault; only our own words are translated."""
    if isinstance(fault, Words):
        return say("the vault has a fault: {fault}", fault=fault)
    return f"the vault has a fault: {fault}"
