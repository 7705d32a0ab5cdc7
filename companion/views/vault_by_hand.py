"""The vault on one seat's phone: what came out of it, and the steps one at a time.

After an opening the players take out the treasure, fill the vault again and lock it.
``vault_in_game`` divides this into *steps*, and names the *scene*: what happens at the
vault now. The phone of the seat at the vault shows each step that is due as a card with
the buttons of its moves. A *pile* is a list of the money, keys and hotels that are
taken out or put in.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from companion.game.commands import address_of
from companion.game.moves import LockVault
from companion.game.position import LOCKED
from companion.views.turn import Turn
from companion.views.turn_buttons import Button
from companion.views.vault_in_game import (
    BY_LOCK,
    CLOSE,
    FILL,
    KEY,
    LOCK,
    TAKE,
    Pile,
    Scene,
    Step,
    VaultInGame,
)
from companion.words import say

OPENED = frozenset((Scene.OPENING, Scene.RICHES, Scene.REFILL))
"""The scenes in which the vault has just been opened by a right guess."""

TROUBLES = frozenset(BY_LOCK.values())
"""The scenes in which a person has to look after the lock, whatever else is to do."""

STEPS_OF_MOVE = {address_of(LockVault): (CLOSE, LOCK)}
"""The steps that a move completes, by its address."""

OWN_WORDS = {KEY: say("Which street does the key open?")}
"""The words of steps that read differently on the phone where they are done."""


class HandStep(msgspec.Struct, frozen=True):
    """One thing to do at the vault now.

    Attributes:
        name: One of the steps of ``vault_in_game``.
        number: Its place among all the steps, from 1.
        words: An instruction.
        pile: The things that are taken out or put in; ``None`` for other steps.
        buttons: The buttons that complete it; empty if only hands can.
    """

    name: str
    number: int
    words: str
    pile: Pile | None
    buttons: tuple[Button, ...]

    @property
    def is_picking(self) -> bool:
        """Whether the player picks a street with a key."""
        return self.name == KEY

    @property
    def is_taking(self) -> bool:
        """Whether the player takes the treasure out."""
        return self.name == TAKE

    @property
    def is_pressing(self) -> bool:
        """Whether the player presses the yellow button."""
        return self.name == LOCK


class VaultByHand(msgspec.Struct, frozen=True):
    """The vault as one seat's phone shows it.

    Attributes:
        headline: A headline in place of the turn's own; mostly empty.
        sentence: The state of the vault in words; empty where the steps or the headline
            of the turn tell it.
        treasure: The pile that came out of the vault, for a seat that only watches.
        steps: The steps that this seat does now, in order; empty for one that watches.
        step_count: The number of all steps, including those that are done.
        reminder: The pile that should be inside, just after the vault was locked.
        chance: How many numbers are left for the next guess to pick from; 0 if the
            table chose not to see it.
        tried: The numbers known to be wrong, if the table chose to see them.
    """

    headline: str
    sentence: str
    treasure: Pile | None
    steps: tuple[HandStep, ...]
    step_count: int
    reminder: Pile | None
    chance: int
    tried: tuple[int, ...]

    def without_steps(self, buttons: tuple[Button, ...]) -> tuple[Button, ...]:
        """Return *buttons* without those that the steps show."""
        shown = {button for step in self.steps for button in step.buttons}
        return tuple(button for button in buttons if button not in shown)


def vault_by_hand(vault: VaultInGame | None, turn: Turn) -> VaultByHand | None:
    """Return the vault for the seat of *turn*; ``None`` if there is nothing to show.

    There is nothing while nobody is at the vault and nothing has to be put in.
    """
    if vault is None or not (vault.seat or vault.put_in):
        return None
    is_opener = vault.seat == turn.seat
    is_opened = vault.scene in OPENED and vault.take_out is not None
    steps = _steps(vault, turn) if is_opener or not vault.seat else ()
    is_told = _has_headline(vault, turn) or (steps and vault.scene not in TROUBLES)
    is_reminder = vault.lid == LOCKED and not vault.is_guess_due
    return VaultByHand(
        headline=_headline(vault) if is_opener and is_opened else "",
        sentence="" if is_told else vault.sentence,
        treasure=vault.take_out if is_opened and not steps else None,
        steps=steps,
        step_count=len(vault.steps),
        reminder=vault.put_in if is_reminder else None,
        chance=vault.chance,
        tried=vault.tried,
    )


def _headline(vault: VaultInGame) -> str:
    """Return the headline of the seat that opened the vault."""
    if any(step.name == KEY and step.is_done for step in vault.steps):
        return say("Fill the vault again")
    return say("You opened the vault!")


def _has_headline(vault: VaultInGame, turn: Turn) -> bool:
    """Return whether the headline of the turn tells the vault's state."""
    if vault.scene is Scene.DUE:
        is_other = turn.seat != vault.seat
        return vault.lid == LOCKED and (is_other or turn.guessing is not None)
    is_open = vault.lid != LOCKED and bool(vault.seat)
    return is_open and vault.scene in (Scene.RICHES, Scene.REFILL)


def _steps(vault: VaultInGame, turn: Turn) -> tuple[HandStep, ...]:
    now = {step.name for step in vault.steps if step.is_now}
    for button in turn.buttons:
        if now.intersection(completed := STEPS_OF_MOVE.get(button.verb, ())):
            now.update(completed)  # A tap does both, so both are to be done.
    names = [step.name for step in vault.steps if step.name in now]
    steps: list[HandStep] = []
    for number, step in enumerate(vault.steps, 1):
        if step.name not in now:
            continue
        own = [button for button in turn.buttons if _belongs(button, step, names)]
        steps.append(
            HandStep(
                name=step.name,
                number=number,
                words=OWN_WORDS.get(step.name, step.words),
                pile=_pile(vault, step),
                buttons=tuple(own),
            )
        )
    return tuple(steps)


def _belongs(button: Button, step: Step, names: Collection[str]) -> bool:
    """Return whether the button of a move stands on *step*.

    A move may complete several steps; its button stands on the last of those that are
    due (*names*).
    """
    own = [name for name in STEPS_OF_MOVE.get(button.verb, ()) if name in names]
    return bool(own) and own[-1] == step.name


def _pile(vault: VaultInGame, step: Step) -> Pile | None:
    if step.name == TAKE:
        return vault.take_out
    return vault.put_in if step.name == FILL else None
