"""The vault on one seat's phone: what came out of it, and the steps one at a time.

The steps are those that every screen lists (``vault_scene``). The seat at the vault
gets each as a card of its own, with the moves that belong to it.
"""

from __future__ import annotations

import msgspec

from companion.game.commands import address_of
from companion.game.moves import LockVault
from companion.game.position import LOCKED
from companion.views.turn import Turn
from companion.views.turn_buttons import Button
from companion.views.vault_in_game import Pile, VaultInGame
from companion.views.vault_scene import CLOSE, FILL, KEY, LOCK, TAKE, Scene, Step
from companion.words import say

OPENED = frozenset((Scene.OPENING, Scene.RICHES, Scene.REFILL))
"""The scenes that show what came out of the vault."""

MOVES = {address_of(LockVault): (CLOSE, LOCK)}
"""The steps that a move completes, by its address; its button stands on the last."""

OWN_WORDS = {KEY: say("Which street does the key open?")}
"""The words of a step on the phone where it is done, if they differ."""


class HandStep(msgspec.Struct, frozen=True):
    """One thing to do at the vault now.

    Attributes:
        name: One of the steps of ``vault_scene``.
        number: Its place among all the steps, from 1.
        words: An instruction.
        pile: The things that are taken out or put in; ``None`` for other steps.
        buttons: The moves that do it; empty where only hands can.
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
        sentence: How things stand; empty where the steps or the buttons say it.
        treasure: What came out of the vault, for those who only watch.
        steps: The steps of this seat, in this order; empty for those who watch.
        step_count: The number of steps, those done included.
        reminder: What should be inside, just after the vault was locked.
        chance: How many numbers the next guess is one of; 0 if the table does not
            want to see it.
        tried: Numbers known to be wrong, if the table wants to see them.
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
    """Return the vault for the seat of *turn*; ``None`` if it needs nothing there."""
    if vault is None or not (vault.seat or vault.put_in):
        return None
    is_opener = vault.seat == turn.seat
    is_opened = vault.scene in OPENED and vault.take_out is not None
    steps = _steps(vault, turn) if is_opener or not vault.seat else ()
    is_reminder = vault.lid == LOCKED and not vault.is_guess_due
    return VaultByHand(
        headline=say("You opened the vault!") if is_opener and is_opened else "",
        sentence="" if steps or _is_said(vault, turn) else vault.sentence,
        treasure=vault.take_out if is_opened and not steps else None,
        steps=steps,
        step_count=len(vault.steps),
        reminder=vault.put_in if is_reminder else None,
        chance=vault.chance,
        tried=vault.tried,
    )


def _is_said(vault: VaultInGame, turn: Turn) -> bool:
    """Return whether the headline of the turn says already how the vault stands."""
    if vault.scene is Scene.DUE:
        return turn.guessing is not None
    is_open = vault.lid != LOCKED and bool(vault.seat)
    return is_open and vault.scene in (Scene.RICHES, Scene.REFILL)


def _steps(vault: VaultInGame, turn: Turn) -> tuple[HandStep, ...]:
    numbered = [x for x in enumerate(vault.steps, 1) if x[1].is_now]
    names = {step.name for _, step in numbered}
    return tuple(
        HandStep(
            name=step.name,
            number=number,
            words=OWN_WORDS.get(step.name, step.words),
            pile=_pile(vault, step),
            buttons=tuple(x for x in turn.buttons if _belongs(x, step, names)),
        )
        for number, step in numbered
    )


def _belongs(button: Button, step: Step, names: set[str]) -> bool:
    """Return whether a move stands on *step*: its last one among *names*."""
    own = [name for name in MOVES.get(button.verb, ()) if name in names]
    return bool(own) and own[-1] == step.name


def _pile(vault: VaultInGame, step: Step) -> Pile | None:
    if step.name == TAKE:
        return vault.take_out
    return vault.put_in if step.name == FILL else None
