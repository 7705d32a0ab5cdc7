"""The vault on one seat's phone: what came out, and one thing to do at a time.

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
"""Scenes in which what came out of the vault is shown."""

MOVES = {address_of(LockVault): (CLOSE, LOCK)}
"""By the address of a move: the steps that it does; it stands on the last."""


OWN_WORDS = {KEY: say("Which street does the key open?")}
"""What a step says on the phone on which it is done."""


class HandStep(msgspec.Struct, frozen=True):
    """One thing to do at the vault now.

    Attributes:
        name: One of the steps of ``vault_scene``.
        number: Which of all the steps it is, from 1.
        words: What to do.
        pile: What is taken out or put in; ``None`` if it is about no things.
        buttons: The moves that do it; none where only hands can.
    """

    name: str
    number: int
    words: str
    pile: Pile | None
    buttons: tuple[Button, ...]

    @property
    def is_picking(self) -> bool:
        """Whether a street is to be picked."""
        return self.name == KEY

    @property
    def is_taking(self) -> bool:
        """Whether it is the moment of the treasure."""
        return self.name == TAKE

    @property
    def is_pressing(self) -> bool:
        """Whether the yellow button is to be pressed."""
        return self.name == LOCK


class VaultByHand(msgspec.Struct, frozen=True):
    """The vault as one seat's phone shows it.

    Attributes:
        headline: What to say in place of the turn's own headline; mostly empty.
        sentence: How things stand; empty where the steps or the buttons say it.
        treasure: What came out, for those who only watch.
        steps: What this seat is to do now, in this order; empty for those who watch.
        step_count: How many steps there are, those done included.
        reminder: What should be inside, just after the vault was locked.
        chance: The next guess is right once in so many; 0 if nobody wants to know.
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
        """*buttons* without those that the steps show."""
        shown = {button for step in self.steps for button in step.buttons}
        return tuple(button for button in buttons if button not in shown)


def vault_by_hand(vault: VaultInGame | None, turn: Turn) -> VaultByHand | None:
    """The vault for the seat of *turn*; ``None`` while it is nobody's business."""
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
    """Whether the headline of the turn says already what the vault would say."""
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
    """Whether a move stands on that step: the last of its own among *names*."""
    own = [name for name in MOVES.get(button.verb, ()) if name in names]
    return bool(own) and own[-1] == step.name


def _pile(vault: VaultInGame, step: Step) -> Pile | None:
    if step.name == TAKE:
        return vault.take_out
    return vault.put_in if step.name == FILL else None
