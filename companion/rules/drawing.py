"""Completing a command from a phone: dice are rolled, cards drawn, deeds dealt.

A phone says "roll for me", but the game needs the numbers on the dice. To *complete* a
command is to put into it what chance decides, before the rules decide the command. All
chance is drawn here, once, and written in the journal with the command. Some values,
such as which unseen card comes up, are drawn here even if the phone sent one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar, cast

import msgspec
from msgspec.structs import replace

from companion.edition import Edition
from companion.edition.snapshot import snapshot
from companion.errors import Why
from companion.game import Game
from companion.game import moves as m
from companion.game.board import Board
from companion.game.commands import Command
from companion.game.position import Position
from companion.rules.commands_table import LOCKS_OWN, RULES
from companion.rules.turn import DICE_COUNT, PIPS_MAX, dice_count, dice_rule
from companion.rules.vault import GUESS_RULE
from companion.words import say

LOCK_PIPS = 6
"""The number that one die lacks, as it has a lock in its place: our reading."""


class Chance(Protocol):
    """The source of chance: ``secrets.SystemRandom``, or a generator with a seed."""

    def randrange(self, stop: int, /) -> int:
        """Return a number from 0 to *stop* - 1, each equally likely."""


class Begin(Command, frozen=True, tag=True, kw_only=True):
    """A phone's command to begin guided play under these options.

    It is completed to ``BeginPlay``, which has the whole rulebook.
    """

    options: dict[str, str] = msgspec.field(default_factory=dict)


class Source(msgspec.Struct, frozen=True):
    """What a command is completed with.

    Attributes:
        game: The game as it stands.
        edition: Loads the edition of the game; only ``Begin`` needs it.
        chance: The source of dice and cards.
    """

    game: Game
    edition: Callable[[], Edition]
    chance: Chance


def complete_command(command: Command, source: Source) -> Command:
    """Complete *command*, so that the rules can decide it.

    Raises:
        Malformed: If the command names an option that does not exist.
        Refused: If a phone guesses at the vault, sends dice although the companion
            rolls them, or sends none although people do.
    """
    complete = COMPLETERS.get(type(command))
    return command if complete is None else complete(command, source)


def shuffled(words: tuple[str, ...], chance: Chance) -> tuple[str, ...]:
    """Return *words* in random order, each order equally likely (Fisher and Yates)."""
    left, mixed = list(words), []
    while left:
        mixed.append(left.pop(chance.randrange(len(left))))
    return tuple(mixed)


def _complete_begin(command: Begin, source: Source) -> m.BeginPlay:
    """Put in the rulebook for the table's options, and shuffled deeds to deal."""
    edition = source.edition()
    # ``led`` is the default of an option in games that phones begin.
    defaults = {option.key: option.led for option in edition.options if option.led}
    rules = snapshot(edition, defaults | command.options)
    deal: tuple[str, ...] = ()
    if rules.dealt_each:
        deeds = tuple(deed.id for deed in rules.deeds if not deed.is_locked)
        deal = shuffled(deeds, source.chance)
    return m.BeginPlay(by=command.by, rules=rules, deal=deal)


def _complete_roll(command: m.Roll, source: Source) -> m.Roll:
    """Put in the dice, unless people rolled real ones and typed them."""
    play, board = source.game.play, source.game.board
    if play is None or board is None:
        return command
    rules = board.rules
    is_typed = bool(command.dice or command.special)
    if is_typed and rules.dice_by == "rolled":
        raise dice_rule(board).refuses(
            Why.MALFORMED, say("the companion rolls the dice here"), say("press Roll")
        )
    if not is_typed and rules.dice_by == "typed":
        raise dice_rule(board).refuses(
            Why.MALFORMED, say("real dice are rolled here"), say("type what they show")
        )
    return command if is_typed else _rolled(command, board, play, source.chance)


def _rolled(command: m.Roll, board: Board, play: Position, chance: Chance) -> m.Roll:
    """Return the roll with random dice: two, and a third if one is rolled now."""
    rules = board.rules
    dice = tuple(chance.randrange(PIPS_MAX) + 1 for _ in range(DICE_COUNT))
    if rules.dice.lock_face and dice[-1] == LOCK_PIPS:
        return replace(command, dice=dice[:-1], special=rules.dice.lock_face)
    if dice_count(board, play) == DICE_COUNT:
        return replace(command, dice=dice)
    faces = rules.dice.third_faces
    face = faces[chance.randrange(len(faces))]
    if face.isdigit():
        return replace(command, dice=(*dice, int(face)))
    return replace(command, dice=dice, special=face)


def _complete_draw(command: m.Draw, source: Source) -> m.Draw:
    """Pick one of the unseen cards, unless people named a real card."""
    play, board = source.game.play, source.game.board
    if play is None or board is None:
        return replace(command, pick=0)
    deck_index = board.deck_index.get(play.awaited)
    is_of_tickets = deck_index is not None and deck_index == board.tickets
    if is_of_tickets and board.rules.has_own_decks:
        command = replace(command, card="")  # Only a script may name a ticket.
    if command.card:
        return replace(command, pick=0)
    unseen = len(play.piles[deck_index].fresh) if deck_index is not None else 0
    return replace(command, pick=source.chance.randrange(unseen) if unseen else 0)


def _refuse_guess(_: m.Guess, __: Source) -> m.Guess:
    """Refuse a guess from a phone: only the lock knows the right number."""
    raise GUESS_RULE.refuses(
        Why.MALFORMED,
        say("the vault itself has to hear a guess"),
        say("turn the wheel of the vault and press M"),
    )


def _complete_correction(command: m.CorrectPosition, _: Source) -> m.CorrectPosition:
    """Clear the mark of a given position, which only a script may set."""
    return replace(command, is_given=False)


Asked = TypeVar("Asked", bound=Command)
"""The kind of command that one completer is for."""

Complete = Callable[[Command, Source], Command]
"""Completes a command of one kind."""


def _row(
    kind: type[Asked], complete: Callable[[Asked, Source], Command]
) -> tuple[type[Command], Complete]:
    """Build a row of the table; the command's own type is cast away here."""
    return kind, cast("Complete", complete)


COMPLETERS: dict[type[Command], Complete] = dict(
    (
        _row(Begin, _complete_begin),
        _row(m.Roll, _complete_roll),
        _row(m.Draw, _complete_draw),
        _row(m.Guess, _refuse_guess),
        _row(m.CorrectPosition, _complete_correction),
    )
)
"""Kind of command -> the function that completes it; others are complete already."""

FROM_PHONES: tuple[type[Command], ...] = (
    Begin,
    *(kind for kind in RULES if kind not in LOCKS_OWN | {m.BeginPlay}),
)
"""The commands that phones may give: all but the lock's own.

``Begin`` takes the place of ``BeginPlay``, so that no phone sends rules or a deal.
"""
