"""The vault in its game as every screen may show it: who guesses, and what to do.

The vault is a box with real money, keys and hotels, its *riches*. Players guess the
number on its wheel; a guess may cost a *fee*. A right guess pulls the latch. Then the
guesser empties the vault, and the table fills it again and locks it, in *steps*. A
*scene* is what happens at the vault now, and a *pile* a list of the things in it, going
in or coming out.

The *lock* is the real one in the vault, if there is one; the *lid* is what the game
knows of it. The scene follows from the game, its newest journal entry and the lock, so
every page shows the same, whenever it is opened.

Nothing here depends on the vault's code, so no screen can give it away.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence

import msgspec

from companion.game import Game
from companion.game.moves import Guess
from companion.game.notes import Notes, worth_of
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
from companion.game.vault_contents_events import GuessMade, RichesTaken, VaultRefilled
from companion.lock.states import VaultState
from companion.lock.view import VaultView
from companion.rules import may_give
from companion.rules.vault import refilling
from companion.units import VAULT, Dollars
from companion.views.badge import Badge, badge_of
from companion.views.refusals import sentence
from companion.views.turn_words import awaited
from companion.views.wording import hotels_text, keys_text
from companion.words import Words, say
from companion.words.money import dollars_text


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


class Pile(msgspec.Struct, frozen=True):
    """Things that lie in the vault, or go into it.

    Attributes:
        money: All the money, in dollars.
        notes: The known part of the money: value and count of each note, the largest
            first. Nobody knows in which notes players paid the rest.
        is_to_fill: The things have to be put in; otherwise they are or were inside.
    """

    money: Dollars
    notes: Notes
    keys: int
    hotels: int
    is_to_fill: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """One line for each kind of thing, note by note."""
        lines: list[str] = [
            say("{count} x {note}", count=count, note=dollars_text(note))
            for note, count in self.notes
        ]
        if self.rest_words:
            lines.append(self.rest_words)
        if self.keys:
            lines.append(keys_text(self.keys))
        if self.hotels:
            lines.append(hotels_text(self.hotels))
        return tuple(lines)

    @property
    def rest_words(self) -> str:
        """The money whose notes are unknown, in words; empty for none."""
        if not self.rest or self.is_to_fill:
            return self.rest_label
        amount = dollars_text(self.rest)
        return say("{amount} in the notes that were paid", amount=amount)

    @property
    def rest_label(self) -> str:
        """The money whose notes are unknown, in words short enough for a label."""
        if not self.rest:
            return ""
        if self.is_to_fill:
            return say("{amount} in any notes", amount=dollars_text(self.rest))
        return say("{amount} paid in", amount=dollars_text(self.rest))

    @property
    def rest(self) -> Dollars:
        """The money in unknown notes, in dollars."""
        return self.money - worth_of(self.notes)


class Miss(msgspec.Struct, frozen=True):
    """A wrong guess after which nothing has happened yet.

    Attributes:
        sentence: Who guessed wrong; it names the number only if the guess was told.
        onward: What the table waits for now, as a sentence.
    """

    sentence: str
    onward: str


class VaultInGame(msgspec.Struct, frozen=True):
    """The vault in a game that the companion leads.

    Attributes:
        headline: The scene in a word or two, to be read across the room.
        sentence: The state of the vault and what to do now, for an eight-year-old.
        yours: The same for *seat*, where that reads differently; mostly empty.
        who: The badge of *seat*; ``None`` if *seat* is empty.
        miss: The wrong guess that was just made, if there was one.
        steps: The steps to do at the open vault, and which of them are done.
        numbers: The numbers on the wheel, if the table chose to see those tried.
        seat: The seat that guesses, uses a key or refills; empty if no seat does.
        is_guess_due: That seat may turn the wheel and press M.
        lid: Its state, as the game has it.
        take_out: What the opener takes out; ``None`` unless it was opened.
        put_in: What has to be inside when it is locked. It is listed again just after
            that, and if the vault was locked too early; otherwise ``None``.
        tried: The numbers tried since the last locking, if the table chose to see
            them.
        chance: How many numbers are left for the next guess to pick from; 0 if the
            table chose not to see it, or if the vault is not locked.
    """

    scene: Scene
    headline: str
    sentence: str
    yours: str
    who: Badge | None
    miss: Miss | None
    steps: tuple[Step, ...]
    numbers: tuple[int, ...]
    seat: str
    is_guess_due: bool
    fee: Dollars
    lid: str
    inside: Pile
    take_out: Pile | None
    put_in: Pile | None
    tried: tuple[int, ...]
    chance: int


def vault_in_game(
    game: Game, vault: VaultView | None = None, latest: Sequence[object] = ()
) -> VaultInGame | None:
    """Return the vault of *game*; ``None`` unless it is guided and has a vault.

    Args:
        game: The game as it stands.
        vault: The real lock, if there is one: only it knows of a jam or a fault.
        latest: The events of the game's newest entry, which show a wrong guess.
    """
    play, board = game.play, game.board
    if (
        play is None
        or board is None
        or play.vault_contents is None
        or not game.is_guided
    ):
        return None
    rules, contents = board.rules.vault, play.vault_contents
    assert rules is not None, "a game with riches has a vault"
    is_due = play.stage is Stage.GUESS and contents.lid == LOCKED
    is_mover_there = play.stage in (Stage.GUESS, Stage.KEY, Stage.REFILL)
    is_chance_shown = rules.shows_tries and contents.lid == LOCKED
    untried = len(rules.codes) - len(contents.tried)
    scene = scene_of(play, vault, latest)
    return VaultInGame(
        scene=scene,
        headline=HEADLINES[scene],
        sentence=_sentence(game, play, vault, latest),
        yours=YOURS.get((play.stage, contents.lid), ""),
        who=badge_of(game, play.mover.seat) if is_mover_there else None,
        miss=_miss(game, latest),
        steps=steps_of(contents, has_lock=vault is not None),
        numbers=rules.codes if rules.shows_tries else (),
        seat=play.mover.seat if is_mover_there else "",
        is_guess_due=is_due,
        fee=contents.fee,
        lid=contents.lid,
        inside=_inside(game, contents),
        take_out=_pile_to_take_out(game, contents),
        put_in=_pile_to_put_in(game, play, latest),
        tried=contents.tried if rules.shows_tries else (),
        chance=max(untried, 1) if is_chance_shown else 0,
    )


HEADLINES: dict[Scene, Words] = {
    Scene.IDLE: say("All is quiet"),
    Scene.DUE: say("Crack the vault!"),
    Scene.WRONG: say("All is quiet"),  # After the page has told the wrong guess.
    Scene.OPENING: say("Right!"),
    Scene.RICHES: say("It is open!"),
    Scene.REFILL: say("Fill the vault"),
    Scene.FORCED: say("Broken open!"),
    Scene.JAMMED: say("It is stuck!"),
    Scene.FAULT: say("Help, please!"),
}
"""Each scene in a word or two."""

YOURS: dict[tuple[Stage, str], Words] = {
    (Stage.GUESS, LOCKED): say("Tap a number, or turn the wheel and press M."),
    (Stage.KEY, OPEN): say("Empty the vault, and use the key."),
}
"""What to do, in words for who has to, by the stage and the state of the lid."""


def _miss(game: Game, latest: Sequence[object]) -> Miss | None:
    guess = find_wrong_guess(latest)
    if guess is None:
        return None
    who = badge_of(game, guess.seat).name
    words = say("{who} guessed wrong.", who=who)
    if guess.is_told:
        words = say(
            "{who} guessed {number}, and it is wrong.", who=who, number=guess.number
        )
    return Miss(words, awaited(game))


def _inside(game: Game, contents: VaultContents) -> Pile:
    """Return what lies in the vault, as far as the game knows."""
    return Pile(game.ledger[VAULT], contents.notes, contents.keys, contents.hotels)


def _pile_to_take_out(game: Game, contents: VaultContents) -> Pile | None:
    """Return what the opener takes out; ``None`` unless the vault was guessed open."""
    if contents.lid == OPENING:
        return _inside(game, contents)
    if not contents.is_empty:
        return None
    return Pile(
        money=contents.taken_money,
        notes=contents.taken_notes,
        keys=contents.taken_keys,
        hotels=contents.taken_hotels,
    )


def _pile_to_put_in(
    game: Game, play: Position, latest: Sequence[object]
) -> Pile | None:
    """Return the pile that has to be in the vault; ``None`` if no page lists it now.

    After an opening, the pile is the refill; while the vault is not locked, all that
    should be inside. The lock cannot see that, so it is listed once more right after
    the locking, in case something was forgotten.
    """
    board, contents = game.board, play.vault_contents
    if board is None or contents is None or board.rules.vault is None:
        return None
    vault = board.rules.vault
    if contents.is_empty:
        keys, hotels = refilling(board, play)
        notes = vault.refill_notes
        return Pile(vault.refill_money, notes, keys, hotels, is_to_fill=True)
    # Locked too early: a key that was found has to be used before.
    is_locked_early = contents.lid == LOCKED and contents.found > 0
    is_unlocked = contents.lid in (OPEN, SHUT, FORCED)
    if is_unlocked or is_locked_early or _is_just_locked(latest):
        return _inside(game, contents)
    return None


def _is_just_locked(latest: Sequence[object]) -> bool:
    """Return whether the newest entry locked a vault that was filled again."""
    return any(isinstance(event, VaultRefilled) for event in latest)


def _sentence(
    game: Game, play: Position, vault: VaultView | None, latest: Sequence[object]
) -> str:
    """Say how the vault stands and what to do now."""
    contents = play.vault_contents
    assert contents is not None, "a game without a vault has nothing to say of it"
    state = game.seat(play.mover.seat)
    who = state.name if state is not None else play.mover.seat
    if vault is not None and _has_trouble(vault):
        return vault.sentence
    if play.stage is Stage.KEY and contents.lid == LOCKED:
        return say("The vault is locked again. What is missing goes in by the slot.")
    if _is_just_locked(latest) and play.stage is not Stage.GUESS:
        return say("Locked! Is all of it inside? What you forgot goes in by the slot.")
    if play.stage is Stage.KEY:
        return sentence(awaited(game))
    steps = steps_of(contents, has_lock=vault is not None)
    is_to_empty = any(step.name == TAKE and step.is_now for step in steps)
    words = NOT_LOCKED.get((contents.lid, is_to_empty))
    if words is not None:
        return words
    if play.stage is not Stage.GUESS and _may_guess_anyway(game, play.mover.seat):
        return say(
            "{who} may try: guess on the phone, or turn the wheel and press M.",
            who=who,
        )
    return _locked_sentence(play, contents, who, has_lock=vault is not None)


NOT_LOCKED: dict[tuple[str, bool], str] = {
    (OPEN, True): say("Take all out, put the new riches in, and shut the lid."),
    (OPEN, False): say("The vault is open. Put all of it in and shut the lid."),
    (SHUT, False): say("Filled? Press yellow three times to lock the vault."),
    (FORCED, False): say("Somebody broke the vault open! Shut the lid again."),
}
"""What to do, by the state of the lid and whether riches are still to be taken out."""


def _may_guess_anyway(game: Game, seat: str) -> bool:
    """Return whether *seat* may guess although no guess is due.

    Only a toy vault ever allows this.
    """
    vault = game.board.rules.vault if game.board is not None else None
    return vault is not None and vault.is_toy and may_give(game, seat, Guess)


def _has_trouble(vault: VaultView) -> bool:
    """Return whether the lock has a trouble that the game does not know of.

    It is jammed, broken open or faulty, or its disk is full.
    """
    return vault.state in BY_LOCK or not vault.is_writable


def _locked_sentence(
    play: Position, contents: VaultContents, who: str, *, has_lock: bool
) -> str:
    """Say what to do at a vault that is locked or just opening."""
    if contents.lid == OPENING:
        return say("Right! The lid is coming up for {who}.", who=who)
    if play.stage is not Stage.GUESS:
        return say("The vault is locked. No guess is due now.")
    if not has_lock:
        return say("{who}: turn the wheel to a number and press M.", who=who)
    return say("{who}: guess on the phone, or turn the wheel and press M.", who=who)
