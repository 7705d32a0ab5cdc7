"""Impossible positions, and why a correction that makes one is refused.

A correction may not add anything impossible. What was wrong before may stay, so that
any table, however broken, can be put right one correction at a time.

Buildings on a group that is not whole are possible: a table may have agreed on them,
and a trade of Secret Vault can leave them there. A phone asks once more before it
corrects that.

Source:
    Grab & Go's sheet, "Building houses", "Mortgages"; the standard rules in the Mega
    booklet, "Houses", "Mortgages": only what is owned is built on or mortgaged, and
    nothing is built where a mortgage is. Pieces and cards are those of the box. The
    Secret Vault article, "Deals": only the hotels of a street that is dealt are taken
    off.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from companion.errors import Malformed, quoted
from companion.game.board import Board
from companion.game.playing_tickets import tickets_left
from companion.game.position import Position
from companion.rules.buildings import spare
from companion.words import say
from companion.words.common import common


class Wrong(NamedTuple):
    """One impossible thing in a position.

    Attributes:
        kind: A key of ``SENTENCES``.
        deed: The index of the deed that is wrong, or of the kind of building.
        other: The index of the deed in conflict with it, which may be the same one.
        card: The id of a card.
    """

    kind: str
    deed: int = 0
    other: int = 0
    card: str = ""


def check_correction(board: Board, before: Position, after: Position) -> None:
    """Check that *after* has nothing impossible that *before* did not have.

    Raises:
        Malformed: It names what is impossible, and what to correct first.
    """
    old = wrongs(board, before)
    for wrong, count in wrongs(board, after).items():
        if count > old[wrong]:
            raise SENTENCES[wrong.kind](board, before, after, wrong)


def newly_lacking(
    board: Board, before: Position, after: Position
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield streets that are built on in *after* without enough of their group.

    A street counts only if the correction changed it: more stands there, or its group
    was whole before (except where hotels come from the hand).

    Yields:
        The index of the deed, and the indexes of the deeds that its owner lacks.
    """
    has_hand = board.rules.buildings.source == "hand"
    for at, level in enumerate(after.levels):
        lacking = _lacking(board, after, at) if level else ()
        if not lacking:
            continue
        was_whole = before.levels[at] and not _lacking(board, before, at)
        if level > before.levels[at] or (was_whole and not has_hand):
            yield at, lacking


def _lacking(board: Board, play: Position, at: int) -> tuple[int, ...]:
    """List the deeds of its group that its owner lacks.

    The list is empty if the owner may build there anyway.
    """
    owner = play.owners[at]
    lacking = tuple(site for site in board.sites[at] if play.owners[site] != owner)
    return lacking if len(lacking) > spare(board, at, play.levels[at]) else ()


def wrongs(board: Board, play: Position) -> Counter[Wrong]:
    """Count everything impossible in a position, by what it is."""
    counts = Counter(_of_deeds(board, play))
    counts.update(_of_hands(board, play))
    counts.update(_too_many(board, play))
    return counts


def _of_deeds(board: Board, play: Position) -> Iterator[Wrong]:
    for at, owner in enumerate(play.owners):
        if not owner and play.levels[at]:
            yield Wrong("built-unowned", at)
        if not play.mortgaged[at]:
            continue
        if not owner:
            yield Wrong("mortgaged-unowned", at)
        blocked = board.sites[at] if board.rules.buildings.blocked_by_mortgage else ()
        for other in blocked:
            if play.levels[other] and play.owners[other] == owner:
                yield Wrong("mortgaged-built", at, other)


def _of_hands(board: Board, play: Position) -> Iterator[Wrong]:
    for token in play.tokens:
        for word in token.cards:
            card = board.cards.get(word)  # An unlisted card may be kept.
            if card is not None and not board.stays_in_hand(card):
                yield Wrong("card", card=word)


def _too_many(board: Board, play: Position) -> Counter[Wrong]:
    """Count the pieces, keys and tickets beyond those in the box."""
    surplus: Counter[Wrong] = Counter()
    for kind, (_, total) in enumerate(board.rules.pieces):
        over = in_play(board, play, kind) + play.pieces[kind] - total
        surplus[Wrong("pieces", kind)] = max(0, over)
    if board.rules.vault is not None:
        surplus[Wrong("keys")] = max(0, _keys(play) - board.rules.vault.keys)
    if board.rules.tickets is not None:
        over = _tickets(board, play) - board.rules.tickets.total
        surplus[Wrong("tickets")] = max(0, over)
    return surplus


def in_play(board: Board, play: Position, kind: int) -> int:
    """Count the buildings of a kind on deeds, in hands and in the vault."""
    used = zip(board.used, play.levels, strict=True)
    count = sum(rows[level][kind] for rows, level in used)
    if board.kinds[kind] == "hotel":
        count += sum(token.hotels for token in play.tokens)
        count += play.vault_contents.hotels if play.vault_contents else 0
    return count


def _keys(play: Position) -> int:
    contents = play.vault_contents
    return contents.bank_keys + contents.keys + contents.found if contents else 0


def _tickets(board: Board, play: Position) -> int:
    return tickets_left(play, board) + sum(token.tickets for token in play.tokens)


# In words.


def _unowned(board: Board, _: Position, __: Position, wrong: Wrong) -> Malformed:
    deed = board.rules.deeds[wrong.deed].name
    return Malformed(say("nobody owns {deed}", deed=deed), say("say first whose it is"))


def _mortgaged(board: Board, before: Position, _: Position, wrong: Wrong) -> Malformed:
    """Name whichever of the mortgage and the buildings was there first."""
    if before.levels[wrong.other] and not before.mortgaged[wrong.deed]:
        built = board.rules.deeds[wrong.other].name
        return Malformed(
            say("{deed} has buildings", deed=built),
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
            "there are {total} {pieces} at most in all, not {standing} in play "
            "and {left} in the bank",
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
            "there are {total} keys at most in all, not {keys}",
            total=total,
            keys=_keys(after),
        ),
        say("count them again"),
    )


def _too_many_tickets(
    board: Board, _: Position, after: Position, __: Wrong
) -> Malformed:
    total = board.rules.tickets.total if board.rules.tickets else 0
    return Malformed(
        say(
            "there are {total} bus tickets at most in all, not {tickets}",
            total=total,
            tickets=_tickets(board, after),
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
    "tickets": _too_many_tickets,
}
"""The function that says why something is impossible, and what to correct first."""
