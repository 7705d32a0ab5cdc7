"""What happens at the vault, as one of a few scenes that the whole table watches.

The *lock* is the real one in the vault, if there is one; the *lid* is what the game
knows of it. The scene follows from the game, its newest journal entry and the lock, so
every page shows the same, whenever it is opened. While the vault is open, ``steps_of``
lists the *steps*: what people have to do with their hands until it is locked again.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable

import msgspec

from companion.game.position import (
    FORCED,
    LOCKED,
    OPEN,
    OPENING,
    SHUT,
    Position,
    VaultContents,
)
from companion.game.stage import Stage
from companion.game.vault_contents_events import GuessMade, RichesTaken
from companion.lock.states import VaultState
from companion.lock.view import VaultView
from companion.words import Words, say


class Scene(enum.StrEnum):
    """What happens at the vault now."""

    IDLE = "idle"  # Locked, and nobody has to guess.
    DUE = "due"  # The table waits for a guess.
    WRONG = "wrong"  # A guess was wrong, and nothing has happened since.
    OPENING = "opening"  # The right number; the lid is not up yet.
    RICHES = "riches"  # The lid is up; the player who opened it takes all out.
    REFILL = "refill"  # The vault has to be filled, shut and locked.
    FORCED = "forced"  # Broken open.
    JAMMED = "jammed"  # It should have opened and did not.
    FAULT = "fault"  # A grown-up must look.


class Step(msgspec.Struct, frozen=True):
    """One thing that people do while the vault is open.

    Attributes:
        name: One of the keys of ``STEPS``.
        words: An instruction.
        is_done: The step is done, as far as the companion can know.
        is_now: The table should do the step now.
    """

    name: str
    words: str
    is_done: bool
    is_now: bool


BY_LOCK: dict[VaultState, Scene] = {
    VaultState.FAULT: Scene.FAULT,
    VaultState.JAMMED: Scene.JAMMED,
    VaultState.FORCED: Scene.FORCED,
}
"""The scenes that only the lock knows of; they replace those of the game."""

BY_LID: dict[str, Scene] = {
    LOCKED: Scene.IDLE,
    OPENING: Scene.OPENING,
    OPEN: Scene.REFILL,
    SHUT: Scene.REFILL,
    FORCED: Scene.FORCED,
}
"""The scenes by the state of the lid as the game has it."""

AT_STAGE: dict[tuple[Scene, Stage], Scene] = {
    (Scene.IDLE, Stage.GUESS): Scene.DUE,
    # Locked too early: the player still has to open a street with a key.
    (Scene.IDLE, Stage.KEY): Scene.REFILL,
    (Scene.REFILL, Stage.KEY): Scene.RICHES,
}
"""The scenes that stand in for another one at a certain stage of the turn."""


def scene_of(
    play: Position, lock: VaultView | None = None, latest: Iterable[object] = ()
) -> Scene:
    """Return the scene of a game that is played with a vault.

    Args:
        play: The position of the game.
        lock: The real lock, if there is one.
        latest: The events of the game's newest entry.
    """
    assert play.vault_contents is not None, "a game without a vault has no scene"
    if lock is not None and not lock.is_writable:
        return Scene.FAULT
    if lock is not None and lock.state in BY_LOCK:
        return BY_LOCK[lock.state]
    scene = BY_LID[play.vault_contents.lid]
    scene = AT_STAGE.get((scene, play.stage), scene)
    has_taken = any(isinstance(event, RichesTaken) for event in latest)
    if scene is Scene.REFILL and has_taken:
        return Scene.RICHES
    if scene is Scene.IDLE and find_wrong_guess(latest) is not None:
        return Scene.WRONG
    return scene


def find_wrong_guess(latest: Iterable[object]) -> GuessMade | None:
    """Return the wrong guess among the newest events; ``None`` if there is none."""
    for event in latest:
        if isinstance(event, GuessMade) and not event.is_right:
            return event
    return None


TAKE, KEY, FILL, CLOSE, LOCK = "take", "key", "fill", "close", "lock"
"""The names of the steps."""

STEPS: dict[str, Words] = {
    TAKE: say("Take everything out of the vault."),
    KEY: say("Choose the key's street on the phone."),
    FILL: say("Put in what is listed."),
    CLOSE: say("Shut the lid."),
    LOCK: say("Press yellow three times."),
}
"""The steps of filling the vault again, in this order."""

PROGRESS: dict[tuple[bool, str], tuple[tuple[str, ...], tuple[str, ...]]] = {
    (True, OPEN): ((), (TAKE, KEY)),
    (True, SHUT): ((TAKE, FILL, CLOSE), (KEY, LOCK)),
    (True, LOCKED): ((TAKE, FILL, CLOSE, LOCK), (KEY,)),
    (False, OPEN): ((KEY,), (TAKE, FILL, CLOSE)),
    (False, SHUT): ((TAKE, KEY, FILL, CLOSE), (LOCK,)),
}
"""The steps that are done, and those to do now.

Listed by whether the player still has to use a key, and by the state of the lid.
"""


def steps_of(contents: VaultContents, *, has_lock: bool) -> tuple[Step, ...]:
    """Return the steps to do at the open vault; empty while there is nothing to do.

    Without a lock nothing tells the game that the lid was shut, so people shut and lock
    the vault in one go: both steps are to be done now.
    """
    progress = PROGRESS.get((contents.found > 0, contents.lid))
    if progress is None:
        return ()
    done, now = progress
    needed = _needed_steps(contents)
    if CLOSE in now and not has_lock:
        now = (*now, LOCK)
    if KEY in needed and KEY in done:  # The key that was used came out first.
        done = (*done, TAKE)
        now = tuple(name for name in now if name != TAKE)
    return tuple(
        Step(name, STEPS[name], is_done=name in done, is_now=name in now)
        for name in needed
    )


def _needed_steps(contents: VaultContents) -> tuple[str, ...]:
    """Return the names of all steps of this opening, done or not.

    Players take things out only after a right guess. Once the vault is filled again,
    everything stays inside, even if the lid is up while a key has to be used.
    """
    steps: list[str] = []
    if contents.is_empty:
        steps.append(TAKE)
    if contents.found or (contents.is_empty and contents.taken_keys):
        steps.append(KEY)
    return (*steps, FILL, CLOSE, LOCK)
