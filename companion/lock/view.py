"""The view of the vault that people may see; the code is not in it.

The vault's keeper makes a view after each change, and every screen shows the latest.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from companion.lock.states import VaultState
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
