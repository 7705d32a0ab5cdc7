"""Saying what the real box says: figures, spaces and cards that the edition lacks.

A seat says so by a move: any figure that nobody knows, and the space where a token
came to rest. Nothing happens on a space that nobody knows, so the dice pass on at
once. If somebody reads the space before the next roll, the dice go back to the seat
that landed there, and it does what is printed. A later reading counts from the next
landing.

The table says so in the words of ``given`` and ``table set``. They may also change
what is known, and tell of a card of a deck that is not yet fully known. They change no
position.

Source:
    The project's own house rules: the editions say which figures are unknown, and
    whoever has the box can read them. The words are those of the game scripts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.errors import Malformed, Why, quoted
from companion.game import play_events as p
from companion.game.board import Board
from companion.game.box_key import READABLE, BoxValue, key_of, taken_apart
from companion.game.move_run import MoveRun
from companion.game.moves import ReadBox
from companion.game.position import FREE, Position, Rested
from companion.rules.placing import number
from companion.rules.rule import Choice, Range
from companion.rules.walking import brings_something, land, settle
from companion.words import say
from companion.words.money import AMOUNT_MAX
from companion.words.report import unexpected


def check(run: MoveRun, move: ReadBox) -> Why | None:
    """Check that nobody knows it yet, and that the box can say so."""
    is_asked = any(move.key == one.key for one in run.board.unknown)
    rested = asked_space(run.board, run.play)
    if rested is not None:
        is_asked = is_asked or move.key == key_of_space(rested.space)
    return None if is_asked and _can_say(run.board, move) else Why.MALFORMED


def _can_say(board: Board, move: ReadBox) -> bool:
    try:
        board.with_reading(move.key, move.value)
    except Malformed:
        return False
    return True


def read_box(run: MoveRun, move: ReadBox) -> None:
    """Use it from now on; what a space says in time is carried out at once."""
    run.add(p.BoxRead(key=move.key, value=move.value))
    rested = run.play.rested
    if not taken_apart(move.key).is_space or rested is None:
        return
    if comes_now(run.play, rested) and brings_something(run.board, rested.space):
        run.add(p.DiceHandedBack(seat=rested.seat))
        land(run, rested.seat)
        settle(run)


def choices(run: MoveRun, seat: str) -> Iterator[Choice]:
    """Offer any amount while any figure is unknown, and each kind of an asked space.

    What is likely printed there comes first.
    """
    if run.board.unknown:
        yield Range(ReadBox, 0, AMOUNT_MAX)
    rested = asked_space(run.board, run.play)
    if rested is None:
        return
    likely = run.board.rules.spaces[rested.space].likely
    for kind in sorted(READABLE, key=lambda one: one != likely):
        yield ReadBox(by=seat, key=key_of_space(rested.space), value=kind)


def key_of_space(space: int) -> str:
    """The key of what is printed on a space."""
    return key_of("space", str(space), "kind")


def asked_space(board: Board, play: Position) -> Rested | None:
    """The landing whose space the table can read now, or ``None``.

    The landing still counts after the token has gone on: an answer may come late.
    """
    rested = play.rested
    return rested if rested is not None and board.is_unread(rested.space) else None


def stands_there(play: Position, rested: Rested) -> bool:
    """Whether the token still stands where it landed."""
    token = play.token(rested.seat)
    if token is None or token.is_out or token.tries != FREE:
        return False
    return token.space == rested.space


def comes_now(play: Position, rested: Rested) -> bool:
    """Whether what is printed there would happen now: nobody has rolled since."""
    return (
        rested.is_last
        and stands_there(play, rested)
        and play.stage == "roll"
        and not play.has_moved
        and play.turn_number - rested.turn <= 1  # A turn may pass without a roll.
    )


# In the words of scripts.

Reading = tuple[str, BoxValue]
"""A key, and what the box says there."""


def _space(board: Board, words: tuple[str, ...]) -> Reading:
    if len(words) != 2:
        raise Malformed(say("expected space, its number, and what is printed there"))
    return key_of_space(number(words[0])), words[1]


def _figure(board: Board, words: tuple[str, ...]) -> Reading:
    if len(words) != 3:
        raise Malformed(say("expected figure, a deed, which one, and the amount"))
    of, name, text = words
    return key_of("card" if of in board.cards else "deed", of, name), number(text)


def _card(board: Board, words: tuple[str, ...]) -> Reading:
    if len(words) != 2:
        raise Malformed(say("expected card, its deck, and what it does"))
    deck, word = words
    card = board.unlisted(deck, word)
    if card is None:
        got = quoted(word)
        raise unexpected(say("a card that nobody knew"), got)
    return key_of("card", card.id, "deck"), deck


READ: dict[str, Callable[[Board, tuple[str, ...]], Reading]] = {
    "figure": _figure,
    "space": _space,
    "card": _card,
}
"""What reads the rest of such words, by the first word."""


def read(board: Board, words: tuple[str, ...]) -> p.BoxRead | None:
    """The event for what the table read; ``None`` if the words are about a position.

    Raises:
        Malformed: If the words are wrong, or the box cannot say so.
    """
    told = READ.get(words[0]) if words else None
    if told is None:
        return None
    key, value = told(board, words[1:])
    board.with_reading(key, value)
    return p.BoxRead(key=key, value=value)
