"""What cannot be on a table, and why a correction that says so is refused.

A correction may not bring in what cannot be. What was wrong before may stay, so that
any table, however broken, can be put right word by word.

Source:
    Grab & Go's sheet, "Building houses", "Mortgages"; the standard rules in the Mega
    booklet, "Houses", "Mortgages": only what is owned is built on or mortgaged, and
    nothing is built where a mortgage is. Pieces and cards are those of the box.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from companion.errors import Malformed, quoted
from companion.game.board import Board
from companion.game.position import Position
from companion.words import say
from companion.words.common import common


class Wrong(NamedTuple):
    """One thing that cannot be.

    Attributes:
        kind: A word of ``SENTENCES``.
        deed: The place of the deed that is wrong, or of the kind of building.
        other: The place of the deed that stands against it; the same for itself.
        card: The id of a card.
    """

    kind: str
    deed: int = 0
    other: int = 0
    card: str = ""


def check_correction(board: Board, before: Position, after: Position) -> None:
    """Nothing, if *after* has nothing wrong that *before* had not.

    Raises:
        Malformed: With what cannot be, and what to say first.
    """
    was = wrongs(board, before)
    for wrong, how_much in wrongs(board, after).items():
        if how_much > was[wrong]:
            raise SENTENCES[wrong.kind](board, before, after, wrong)


def wrongs(board: Board, play: Position) -> Counter[Wrong]:
    """All that cannot be in a position, each with how much of it there is."""
    found = Counter(_of_deeds(board, play))
    found.update(_of_hands(board, play))
    found.update(_too_many(board, play))
    return found


def _of_deeds(board: Board, play: Position) -> Iterator[Wrong]:
    for at, owner in enumerate(play.owners):
        if not owner and play.levels[at]:
            yield Wrong("built-unowned", at)
        if not play.mortgaged[at]:
            continue
        if not owner:
            yield Wrong("mortgaged-unowned", at)
        for other in board.members[at] if board.rules.is_blocked_by_mortgage else ():
            if play.levels[other] and play.owners[other] == owner:
                yield Wrong("mortgaged-built", at, other)


def _of_hands(board: Board, play: Position) -> Iterator[Wrong]:
    for token in play.tokens:
        for word in token.cards:
            card = board.cards.get(word)  # A written one in a hand is a kept one.
            if card is not None and not card.is_kept:
                yield Wrong("card", card=word)


def _too_many(board: Board, play: Position) -> Counter[Wrong]:
    """Pieces and keys beyond those of the box."""
    found: Counter[Wrong] = Counter()
    for kind, (_, total) in enumerate(board.rules.pieces):
        over = in_play(board, play, kind) + play.pieces[kind] - total
        found[Wrong("pieces", kind)] = max(0, over)
    if board.rules.vault is not None:
        found[Wrong("keys")] = max(0, _keys(play) - board.rules.vault.keys)
    return found


def in_play(board: Board, play: Position, kind: int) -> int:
    """Buildings of a kind that stand, lie in a hand or in the vault."""
    used = zip(board.used, play.levels, strict=True)
    count = sum(rows[level][kind] for rows, level in used)
    if board.kinds[kind] == "hotel":
        count += sum(token.hotels for token in play.tokens)
        count += play.vault_contents.hotels if play.vault_contents else 0
    return count


def _keys(play: Position) -> int:
    contents = play.vault_contents
    return contents.bank_keys + contents.keys + contents.found if contents else 0


# In words.


def _unowned(board: Board, _: Position, __: Position, wrong: Wrong) -> Malformed:
    deed = board.rules.deeds[wrong.deed].name
    return Malformed(say("nobody owns {deed}", deed=deed), say("say first whose it is"))


def _mortgaged(board: Board, before: Position, _: Position, wrong: Wrong) -> Malformed:
    """What was so already goes first."""
    if before.levels[wrong.other] and not before.mortgaged[wrong.deed]:
        built = board.rules.deeds[wrong.other].name
        return Malformed(
            say("buildings stand on {deed}", deed=built),
            say("say first that nothing stands there"),
        )
    return Malformed(
        say("{deed} is mortgaged", deed=board.rules.deeds[wrong.deed].name),
        say("say first that it is not mortgaged"),
    )


def _not_kept(_: Board, __: Position, ___: Position, wrong: Wrong) -> Malformed:
    return Malformed(
        say("the card {card} is never kept in a hand", card=quoted(wrong.card)),
        say("name one that is kept, such as jail-card"),
    )


def _pieces(board: Board, _: Position, after: Position, wrong: Wrong) -> Malformed:
    kind, total = board.rules.pieces[wrong.deed]
    return Malformed(
        say(
            "expected {total} {pieces} at most in all, got {standing} in play and "
            "{left} in the bank",
            total=total,
            pieces=common(f"{kind}s"),
            standing=in_play(board, after, wrong.deed),
            left=after.pieces[wrong.deed],
        ),
        say("count them again"),
    )


def _too_many_keys(board: Board, _: Position, after: Position, __: Wrong) -> Malformed:
    total = board.rules.vault.keys if board.rules.vault else 0
    return Malformed(
        say(
            "expected {total} keys at most in all, got {keys}",
            total=total,
            keys=_keys(after),
        ),
        say("count them again"),
    )


SENTENCES: dict[str, Callable[[Board, Position, Position, Wrong], Malformed]] = {
    "built-unowned": _unowned,
    "mortgaged-unowned": _unowned,
    "mortgaged-built": _mortgaged,
    "card": _not_kept,
    "pieces": _pieces,
    "keys": _too_many_keys,
}
"""Why each cannot be, and what to say first."""
