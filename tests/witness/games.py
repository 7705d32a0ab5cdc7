"""Random games in which much is paid, and for rare reasons.

Dice and cards are drawn rather as they cost somebody something, deeds and buildings are
dealt out anew on the way, and people owe, bid and trade as ``tests/eager.py`` has it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from companion.edition import editions
from companion.errors import Refused
from companion.game import Game
from companion.game import moves as m
from companion.game.board import Board
from companion.game.journal import Entry
from companion.game.position import FREE, Position
from companion.rules.deciding import moves_by_kind
from tests.eager import eager_move
from tests.guided import Guided, accepted, random_correction, random_roll
from tests.random_table import put_anywhere
from tests.witness.acts import Act, Witness

LIKELY = {"unknown_figures": "likely"}

OPTIONS: dict[str, tuple[dict[str, str], ...]] = {
    "classic": ({}, {"rent": "automatic"}, {"decks": "cards"}),
    "grab-and-go": ({}, {"quick": "on"}, {"quick": "on", "rent": "automatic"}),
    "secret-vault": (
        LIKELY,
        {"guess_fee_to": "vault", "rent": "automatic", **LIKELY},
        {"decks": "cards"},
    ),
    "crooked-cash": (
        LIKELY,
        {"sell": "any-time", **LIKELY},
        {"rent": "automatic", "chance_in_hand": "any"},
        {},
    ),
    "mega": (
        {},
        {"rent": "automatic"},
        {"utility_dice": "all", "nearest_utility": "20"},
    ),
}

MOVES = 240

DEALT_ANEW = 120
"""After so many moves everything is dealt out anew."""

CORRECTED = 0.995
"""How seldom the table agrees on something else."""

COSTLY = 0.5
"""How often a move is sought that costs something."""

ROLLS = 12
"""How many rolls are tried until one leads to a rent or to a space of these kinds."""

SOUGHT = ("chance", "community-chest", "birthday-gift")

GATHERED = ("advance-nearest", "repairs")
"""What the cards do that are drawn more often than they lie in the deck."""


class Scene(NamedTuple):
    """An entry of a game, as its witness saw it.

    Attributes:
        clue: Which game it is of.
        acts: Its events, with what they were for.
        game: The game after it.
    """

    clue: str
    entry: Entry
    acts: tuple[Act, ...]
    game: Game


def scenes(edition: str, seed: int) -> Iterator[Scene]:
    """Play a game, and yield its entries; some seeds are British."""
    options = OPTIONS[edition][seed % len(OPTIONS[edition])]
    printing = edition + ("-uk" if seed % 7 == 3 else "")
    witness = Witness(printing, options)
    for entry in played(printing, seed, options).entries:
        acts = tuple(witness.follow(entry))
        yield Scene(f"{edition} {seed}", entry, acts, witness.game)


def games(seeds: range) -> Iterator[Scene]:
    """Play so many games of each box."""
    for seed in seeds:
        for edition in editions():
            yield from scenes(edition, seed)


def played(edition: str, seed: int, options: dict[str, str]) -> Guided:
    """Play a game; three of four are dealt out at random, and once more."""
    dice = random.Random(f"{edition} {seed}")
    play = Guided(edition, 2 + seed % 4, options)
    for number in range(MOVES):
        if number % DEALT_ANEW == 0 and seed % 4:
            put_anywhere(dice, play)
        if play.at.base == "over":
            break
        try:
            play.give(costly_move(dice, play.game))
        except Refused:
            continue
    return play


def costly_move(dice: random.Random, game: Game) -> m.Move:
    """Draw a move, rather one that costs somebody something."""
    chance = dice.random()
    if chance > CORRECTED:
        return random_correction(dice, game)
    ways = (to_last_building, to_lift, to_rent, to_card) if chance < COSTLY else ()
    moves = (way(dice, game) for way in ways)
    return next((move for move in moves if move), None) or eager_move(dice, game)


def play_of(game: Game) -> tuple[Position, Board]:
    """Return the position and the board of a game that has begun."""
    assert game.play is not None
    assert game.board is not None
    return game.play, game.board


def to_rent(dice: random.Random, game: Game) -> m.Move | None:
    """Roll for somebody's deed, or for a card; as often for a street as for others."""
    play, board = play_of(game)
    mover = play.mover
    if play.stage != "roll" or mover.tries != FREE:
        return None
    found, is_street = None, dice.random() < 0.5
    for _ in range(ROLLS):
        roll = random_roll(dice, game, mover.seat)
        space = (mover.space + sum(roll.dice)) % board.size
        at, kind = board.deed_at[space], board.rules.spaces[space].kind
        is_rent = at is not None and play.owners[at] not in ("", mover.seat)
        if kind in SOUGHT or (is_rent and is_street is (kind == "street")):
            return roll
        found = roll if is_rent else found
    return found


def to_lift(_: random.Random, game: Game) -> m.Move | None:
    """Lift the mortgage of a deed that somebody took over just now."""
    play, board = play_of(game)
    for deed in play.lifted:
        move = m.LiftMortgage(by=play.owners[board.index[deed]], deed=deed)
        if move.by and accepted(game, move):
            return move
    return None


def to_last_building(dice: random.Random, game: Game) -> m.Move | None:
    """Ask for one of the last buildings, for which others may ask as well."""
    for seat in play_of(game)[0].playing():
        for _, found in moves_by_kind(game, seat, (m.WantBuilding,)):
            wanted = dice.choice(found)
            return wanted if isinstance(wanted, m.WantBuilding) else None
    return None


def to_card(dice: random.Random, game: Game) -> m.Move | None:
    """Draw a card that costs something."""
    play, board = play_of(game)
    deck = board.deck_index.get(play.awaited)
    if play.stage != "card" or deck is None:
        return None
    cards = [board.card(card) for card in play.piles[deck].fresh]
    picks = [pick for pick, x in enumerate(cards) if x and x.effect in GATHERED]
    return m.Draw(by=play.mover.seat, pick=dice.choice(picks)) if picks else None
