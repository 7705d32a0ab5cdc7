"""Impossible positions, and why a correction that makes one is refused.

A *correction* is a change of the position that the people agreed on. It may not add
anything impossible, such as a building on a deed that nobody owns. What was impossible
before may stay, so that people can put a broken position right step by step.

Buildings on a group that is not whole are possible: a table may agree on them, and a
trade of Secret Vault can leave them there. But a phone asks once more before it makes
such a correction (``newly_lacking``).

Source:
    Grab & Go's sheet, "Building houses", "Mortgages"; the standard rules in the Mega
    booklet, "Houses", "Mortgages": only what is owned is built on or mortgaged, and
    nothing is built on a group with a mortgage. Pieces and cards are those of the box.
    The Secret Vault article, "Deals": hotels are taken off only the street that is
    traded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal, NamedTuple

from companion.errors import Malformed, quoted
from companion.game.board import Board
from companion.game.owning import comes_from_hand
from companion.game.playing_tickets import tickets_left
from companion.game.position import Position
from companion.rules.buildings import lacking_allowed
from companion.words import Words, say
from companion.words.common import common

Kind = Literal[
    "built-unowned",
    "mortgaged-unowned",
    "mortgaged-built",
    "card",
    "pieces",
    "keys",
    "tickets",
]
"""What is impossible; from ``pieces`` on, that there is more than the box has."""


class Impossibility(NamedTuple):
    """One impossible thing in a position.

    Attributes:
        kind: It decides which other attributes count.
        item: The index of the wrong deed in the rulebook; for ``pieces``, that of the
            kind of building.
        built: The index of the deed that is built on although the wrong one, the same
            or another one of its group, is mortgaged.
        card: The id of the card that nobody may hold.
    """

    kind: Kind
    item: int = 0
    built: int = 0
    card: str = ""


def check_correction(board: Board, before: Position, after: Position) -> None:
    """Check that *after* has nothing impossible that *before* did not have.

    Raises:
        Malformed: It says what is impossible, and what to correct first.
    """
    counts_before = count_impossibilities(board, before)
    for wrong, count in count_impossibilities(board, after).items():
        if count > counts_before[wrong]:
            raise _error(board, before, after, wrong)


def newly_lacking(
    board: Board, before: Position, after: Position
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield each built street that needs more of its group now, and what is lacking.

    A street and what is lacking are given as indexes of deeds. Only what the correction
    changed counts: more stands there, or the owner had enough of the group before.
    Where hotels come from the hand, only the first counts, since there a trade may take
    a built street out of its group.
    """
    for index, level in enumerate(after.levels):
        lacking = _lacking(board, after, index) if level else ()
        if not lacking:
            continue
        has_more = level > before.levels[index]
        had_enough = before.levels[index] > 0 and not _lacking(board, before, index)
        if has_more or (had_enough and not comes_from_hand(board)):
            yield index, lacking


def _lacking(board: Board, play: Position, index: int) -> tuple[int, ...]:
    """List the deeds of the group that the owner lacks, if too many to build."""
    owner = play.owners[index]
    lacking = tuple(site for site in board.sites[index] if play.owners[site] != owner)
    allowed = lacking_allowed(board, index, play.levels[index])
    return lacking if len(lacking) > allowed else ()


def count_impossibilities(board: Board, play: Position) -> Counter[Impossibility]:
    """Count everything impossible; of pieces, keys and tickets, those too many."""
    counts = Counter(_find_impossible_deeds(board, play))
    counts.update(_find_impossible_cards(board, play))
    counts.update(_count_surplus(board, play))
    return counts


def _find_impossible_deeds(board: Board, play: Position) -> Iterator[Impossibility]:
    """Yield deeds built on or mortgaged without an owner, or mortgaged and built on."""
    for index, owner in enumerate(play.owners):
        if not owner and play.levels[index]:
            yield Impossibility("built-unowned", index)
        if not play.mortgaged[index]:
            continue
        if not owner:
            yield Impossibility("mortgaged-unowned", index)
        blocked = (
            board.sites[index] if board.rules.buildings.blocked_by_mortgage else ()
        )
        for site in blocked:
            if play.levels[site] and play.owners[site] == owner:
                yield Impossibility("mortgaged-built", index, built=site)


def _find_impossible_cards(board: Board, play: Position) -> Iterator[Impossibility]:
    """Yield the cards in hands that nobody may keep."""
    for token in play.tokens:
        for word in token.cards:
            card = board.cards.get(word)  # An unlisted card may be kept.
            if card is not None and not board.stays_in_hand(card):
                yield Impossibility("card", card=word)


def _count_surplus(board: Board, play: Position) -> Counter[Impossibility]:
    """Count the pieces, keys and tickets that are more than the box has."""
    surplus: Counter[Impossibility] = Counter()
    for kind_index, (_, total) in enumerate(board.rules.pieces):
        excess = (
            count_in_play(board, play, kind_index) + play.pieces[kind_index] - total
        )
        surplus[Impossibility("pieces", kind_index)] = max(0, excess)
    if board.rules.vault is not None:
        excess = _count_keys(play) - board.rules.vault.keys
        surplus[Impossibility("keys")] = max(0, excess)
    if board.rules.tickets is not None:
        excess = _count_tickets(board, play) - board.rules.tickets.total
        surplus[Impossibility("tickets")] = max(0, excess)
    return surplus


def count_in_play(board: Board, play: Position, kind_index: int) -> int:
    """Count the buildings of a kind on deeds, in hands and in the vault."""
    count = 0
    for counts_by_level, level in zip(board.used, play.levels, strict=True):
        count += counts_by_level[level][kind_index]
    if board.kinds[kind_index] == "hotel":
        count += sum(token.hotels for token in play.tokens)
        count += play.vault_contents.hotels if play.vault_contents else 0
    return count


def _count_keys(play: Position) -> int:
    """Count the keys in the bank, in the vault, and found but not used yet."""
    contents = play.vault_contents
    return contents.bank_keys + contents.keys + contents.found if contents else 0


def _count_tickets(board: Board, play: Position) -> int:
    return tickets_left(play, board) + sum(token.tickets for token in play.tokens)


def _error(
    board: Board, before: Position, after: Position, wrong: Impossibility
) -> Malformed:
    """Say what is impossible after the correction, and what to say first."""
    deeds = board.rules.deeds
    match wrong.kind:
        case "built-unowned" | "mortgaged-unowned":
            message = say("nobody owns {deed}", deed=deeds[wrong.item].name)
            remedy = say("say first whose it is")
        case "mortgaged-built":
            message = say("{deed} is mortgaged", deed=deeds[wrong.item].name)
            remedy = say("say first that it is not mortgaged")
            if before.levels[wrong.built] and not before.mortgaged[wrong.item]:
                message = say("{deed} has buildings", deed=deeds[wrong.built].name)
                remedy = say("say first that nothing stands there")
        case "card":
            card = quoted(wrong.card)
            message = say("the card {card} is never kept in a hand", card=card)
            remedy = say("name one that is kept, such as jail-card")
        case _:
            message = _too_many(board, after, wrong)
            remedy = say("count them again")
    return Malformed(message, remedy)


def _too_many(board: Board, play: Position, wrong: Impossibility) -> Words:
    """Say that there are more pieces, keys or tickets than the box has."""
    rules = board.rules
    if wrong.kind == "keys" and rules.vault is not None:
        return say(
            "there are {total} keys at most in all, not {keys}",
            total=rules.vault.keys,
            keys=_count_keys(play),
        )
    if wrong.kind == "tickets" and rules.tickets is not None:
        return say(
            "there are {total} bus tickets at most in all, not {tickets}",
            total=rules.tickets.total,
            tickets=_count_tickets(board, play),
        )
    kind, total = rules.pieces[wrong.item]
    return say(
        "there are {total} {pieces} at most in all, not {standing} in play "
        "and {left} in the bank",
        total=total,
        pieces=common(f"{kind}s"),
        standing=count_in_play(board, play, wrong.item),
        left=play.pieces[wrong.item],
    )
