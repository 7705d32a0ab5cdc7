"""Typing in what the real box says: figures, spaces and cards that the edition lacks.

A *figure* is a printed amount, such as the mortgage of a deed. Each figure, and the
print of each space, has a *key* like ``deed.boardwalk.mortgage``. A value may be
*likely*: taken from a similar deed, and not yet read by anybody.

A seat types in (``ReadBox``) any unknown figure, or what is printed on an unknown space
on which a token has landed (``Rested``): its kind, or the amount of a tax or a gift.
What it types must fit what is known of the same deed (``figure_bounds.py``). Whoever
typed a figure in may type it again: a price and a loan until money hangs on it, a rent
at any time, since each landing keeps its own.

Nothing happens on an unknown space, so the turn passes on at once. If somebody reads
the space before the next roll, the dice go back to the seat that landed there, and it
does what is printed. A later reading counts from the next landing.

The table as a whole uses the words of ``given`` and ``table set``. They may also change
a known figure, add a card to a deck that is not fully known, and say what is outside
the bounds: the real card is always right.

Source:
    The project's own house rules: the editions say which figures are unknown, and
    whoever has the box can read them. The words are those of the game scripts. Our
    reading: no price is typed again once somebody has paid for the deed, nor what a
    mortgage brings and costs once the bank has lent on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from companion.errors import Malformed, Refused, Why, quoted
from companion.game import play_events as p
from companion.game.board import Board
from companion.game.box_key import LIKELY, key_of, split_key
from companion.game.commands import TABLE
from companion.game.figure_bounds import (
    BOUNDED,
    clash_words,
    find_clash,
    known_figures,
)
from companion.game.move_run import MoveRun
from companion.game.moves import ReadBox
from companion.game.position import Position, Rested
from companion.game.spaces import READABLE
from companion.game.unknown_figures import lacks_amount
from companion.rules.rule import ALWAYS, FIGURE_RULE, Choice, Range, rule, unknown_name
from companion.rules.walking import brings_something, land, settle
from companion.sheets import TYPED_RULE, Told
from companion.words import say
from companion.words.money import AMOUNT_MAX, dollars_text
from companion.words.reading import number
from companion.words.report import unexpected

KNOWN_RULE = Told(
    "What your box says here is known. Whoever typed it in can correct it; "
    "so can the banker."
)


def check(run: MoveRun, move: ReadBox) -> Refused | None:
    """Check that the value is unknown or only likely, and can be printed in a box."""
    board, play = run.board, run.play
    if move.is_likely:
        is_asked = _is_likely_value(board, move)
    else:
        is_asked = (
            move.key in board.likely
            or any(figure.key == move.key for figure in board.unknown)
            or may_type_again(board, play, move.by, move.key)
            or any(
                asked_key(board, landing.space) == move.key
                for landing in asked_landings(board, play)
            )
        )
    if not is_asked:
        return _not_asked(run, move)
    return _check_readable(board, move) or _check_bounds(run, move)


def may_type_again(board: Board, play: Position, seat: str, key: str) -> bool:
    """Return whether *seat* may correct the figure that it typed in.

    Only figures of a deed that limit one another: its price until somebody pays it, its
    loan and the cost of lifting it until the bank lends on it.
    """
    parts = split_key(key)
    has_read = seat != TABLE and board.read.get(key) == seat
    if not has_read or parts.field not in BOUNDED:
        return False
    index = board.index[parts.of]
    if parts.field == "price":
        is_paid = any(payment.of == parts.of for payment in play.payments)
        return not play.owners[index] and not is_paid
    if parts.field in ("mortgage", "unmortgage"):
        return not play.mortgaged[index] and parts.of not in dict(play.loans)
    return True


def _check_bounds(run: MoveRun, move: ReadBox) -> Refused | None:
    """Check that the figure fits those of the same deed that somebody has read."""
    board, key = run.board, split_key(move.key)
    if not key.is_deed or not isinstance(move.value, int):
        return None
    known = known_figures(board.rules.deeds[board.index[key.of]])
    if not move.is_likely:  # A real card proves a guess wrong.
        known = {
            name: amount
            for name, amount in known.items()
            if not board.is_likely(key.of, name)
        }
    clash = find_clash(known, key.field, move.value)
    if clash is None:
        return None
    return clash.rule.refuses(
        Why.MALFORMED,
        clash_words(clash, board.name_of(key.of), move.value),
        _how_corrected(run, key_of("deed", key.of, clash.other), move.by),
    )


def _how_corrected(run: MoveRun, key: str, by: str) -> str:
    """Say who can correct a figure, for a remedy to *by*."""
    reader = run.board.read.get(key, "")
    if not may_type_again(run.board, run.play, reader, key):
        return say("read the card again; the banker can correct both")
    if reader == by:
        return say("read the card again; you can type in the other one again, too")
    return say("read the card again; {by} can type in the other one again", by=reader)


def _is_likely_value(board: Board, move: ReadBox) -> bool:
    """Return whether the move takes the likely amount of an unknown figure."""
    likely = {figure.key: figure.likely for figure in board.unknown}.get(move.key)
    return likely is not None and likely == move.value


def _not_asked(run: MoveRun, move: ReadBox) -> Refused:
    """Refuse a value that nobody asks for, or that no box can have printed."""
    board, key = run.board, split_key(move.key)
    if key.is_space:
        spaces = enumerate(board.rules.spaces)
        names = {str(number): space.name for number, space in spaces}
        rule, remedy = FIGURE_RULE, say("answer when a token has landed there")
        message = say(
            "nobody asks now what is printed on space {number}", number=key.of
        )
        if names.get(key.of):  # Unread spaces have no name.
            rule, remedy = KNOWN_RULE, say("the banker can correct it")
            message = say("what is printed on space {number} is known", number=key.of)
        elif key.of not in names:
            rule, remedy = TYPED_RULE, say("choose another one")
            message = say("the board has no space {number}", number=key.of)
        return rule.refuses(Why.MALFORMED, message, remedy)
    if key.of not in board.index and key.of not in board.cards:
        return unknown_name(board, key.of)
    if refusal := _check_readable(board, replace(move, value=1)):
        return refusal  # There is no such figure.
    reader, remedy = board.read.get(move.key), say("choose another figure")
    if reader:
        remedy = say("the banker can correct it")
        if may_type_again(board, run.play, reader, move.key):
            remedy = say("whoever typed it in can type it again; so can the banker")
    message = say("nobody asks for that figure of {deed}", deed=board.name_of(key.of))
    return KNOWN_RULE.refuses(Why.MALFORMED, message, remedy)


def _check_readable(board: Board, move: ReadBox) -> Refused | None:
    """Check that a box can have this value printed."""
    try:
        board.with_reading(move.key, move.value)
    except Malformed as error:
        remedy = error.remedy or say("type it again")
        return TYPED_RULE.refuses(Why.MALFORMED, error.plain, remedy)
    if move.value == 0:
        message = say("no card says {amount}", amount=dollars_text(0))
        if split_key(move.key).part == "space":
            message = say("no space says {amount}", amount=dollars_text(0))
        return TYPED_RULE.refuses(Why.MALFORMED, message, say("type what it says"))
    return None


def read_box(run: MoveRun, move: ReadBox) -> None:
    """Use the value from now on, also for the latest landing if nobody rolled since."""
    run.add(
        p.BoxRead(
            key=move.key, value=move.value, is_likely=move.is_likely, seat=move.by
        )
    )
    rested = run.play.rested
    if split_key(move.key).part != "space" or rested is None:
        return
    if comes_now(run.play, rested) and brings_something(run.board, rested.space):
        run.add(p.DiceHandedBack(seat=rested.seat))
        land(run, rested.seat)
        settle(run)


def choices(run: MoveRun, seat: str) -> Iterator[Choice]:
    """Offer any amount for a figure; for a space each kind, the likely one first."""
    if run.board.unknown or run.board.likely or _may_type_any(run, seat):
        yield Range(ReadBox, 1, AMOUNT_MAX)
    for rested in asked_landings(run.board, run.play):
        if not split_key(asked_key(run.board, rested.space)).is_space:
            continue  # An amount is in the range.
        likely = run.board.rules.spaces[rested.space].likely
        kinds_likely_first = sorted(READABLE, key=lambda kind: kind != likely)
        for kind in kinds_likely_first:
            yield ReadBox(by=seat, key=key_of_space(rested.space), value=kind)


def _may_type_any(run: MoveRun, seat: str) -> bool:
    """Return whether the seat may correct any figure that it typed in."""
    return any(may_type_again(run.board, run.play, seat, key) for key in run.board.read)


def asked_key(board: Board, space: int) -> str:
    """Return the key of what is asked about an unread space: its kind or its amount."""
    if lacks_amount(board.rules.spaces[space]):
        return key_of("space", str(space), "amount")
    return key_of_space(space)


def key_of_space(space: int) -> str:
    """Return the key of what is printed on a space."""
    return key_of("space", str(space), "kind")


def asked_landings(board: Board, play: Position) -> tuple[Rested, ...]:
    """List the landings on unread spaces, each space once, the latest first.

    The token of the latest may have gone on; earlier landings count while it stands
    there.
    """
    latest = play.rested
    landings = [latest] if latest and board.is_unread(latest.space) else []
    for token in play.tokens:
        is_there = not token.is_out and not token.is_jailed
        is_asked = any(landing.space == token.space for landing in landings)
        if is_there and board.is_unread(token.space) and not is_asked:
            landings.append(Rested(token.seat, token.space, turn=0, is_last=False))
    return tuple(landings)


def stands_there(play: Position, rested: Rested) -> bool:
    """Return whether the token of that landing still stands where it landed."""
    token = play.token(rested.seat)
    if token is None or token.is_out or token.is_jailed:
        return False
    return token.space == rested.space


def comes_now(play: Position, rested: Rested) -> bool:
    """Return whether what is read there happens at once: nobody has rolled since."""
    return (
        rested.is_last
        and stands_there(play, rested)
        and play.stage == "roll"
        and not play.has_moved
        and play.turn_number - rested.turn <= 1  # Else another turn has passed, too.
    )


# In the words of scripts.


def _read_space(_board: Board, words: tuple[str, ...]) -> p.BoxRead:
    """Read the number of a space, and the kind that is printed: ``7 chance``."""
    if len(words) != 2:
        raise Malformed(say("say space, its number, and what is printed there"))
    return p.BoxRead(key=key_of_space(number(words[0])), value=words[1])


def _read_figure(board: Board, words: tuple[str, ...]) -> p.BoxRead:
    """Read a deed, card or space, its figure, the amount: ``boardwalk mortgage 350``.

    The word ``likely`` may follow.
    """
    is_likely = words[3:] == (LIKELY,)
    if len(words) != 3 and not is_likely:
        raise Malformed(say("say figure, a deed, which one, and the amount"))
    of, figure, amount = words[:3]
    key = board.figure_key(of, figure)
    return p.BoxRead(key=key, value=number(amount), is_likely=is_likely)


def _read_card(board: Board, words: tuple[str, ...]) -> p.BoxRead:
    """Read a deck, and the word for what its new card does."""
    if len(words) != 2:
        raise Malformed(say("say card, its deck, and what it does"))
    deck, word = words
    card = board.unlisted(deck, word)
    if card is None:
        raise unexpected(say("a card that nobody knew"), quoted(word))
    return p.BoxRead(key=key_of("card", card.id, "deck"), value=deck)


READ: dict[str, Callable[[Board, tuple[str, ...]], p.BoxRead]] = {
    "figure": _read_figure,
    "space": _read_space,
    "card": _read_card,
}
"""First word -> the function that reads the words after it."""


def read(board: Board, words: tuple[str, ...]) -> p.BoxRead | None:
    """Return the event for what the table read in the box.

    Return ``None`` if the words are about the position instead.

    Raises:
        Malformed: If the words are wrong, or if no box can have this value printed.
    """
    reader = READ.get(words[0]) if words else None
    if reader is None:
        return None
    reading = reader(board, words[1:])
    board.with_reading(reading.key, reading.value, is_likely=reading.is_likely)
    return reading


ROWS = (rule(ReadBox, ALWAYS, check, read_box, choices),)
