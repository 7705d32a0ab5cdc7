"""The end of the game, and the scores.

A game ends when one seat is left, at the second bankruptcy of the quick game, when all
streets are owned (Secret Vault), or when the table *calls time*: it agrees to stop. The
*score* of a seat is its money and what its deeds are worth, by price or by rent as the
rulebook says. The highest score wins.

Source:
    Grab & Go's sheet, "Playing" 7, "A quicker game" 3, "Speedy Monopoly"; the
    standard rules in the Mega booklet, "Bankruptcy". The sheet counts money,
    deeds at their price, mortgaged ones at half of it, houses at what they cost,
    and a hotel at its own price and that of the houses before it. The Secret Vault
    article, "Ending the Game", "Scoring": the game ends when all streets are owned, and
    the score is cash and one rent of each deed; so do Cash Decoder's sheet, "The end of
    the game", and the Crooked Cash article, "Ending the Game".
"""

from __future__ import annotations

from collections.abc import Callable

from companion.errors import Refused, Why
from companion.game import play_events as p
from companion.game.board import Board
from companion.game.move_run import MoveRun
from companion.game.moves import CallTime
from companion.game.position import Position
from companion.game.stage import Stage
from companion.rules.rent import rent_of
from companion.rules.rule import Who, not_led, rule, single_choice
from companion.sheets import CROOKED, DECODER, GRAB, SECRET, STANDARD, Told
from companion.units import Dollars
from companion.words import say

OVER_ONE_LEFT_RULE = Told(
    "The game is over when only one player is left.",
    {GRAB: "Playing", STANDARD: "Bankruptcy"},
)
OVER_ALL_OWNED_RULE = Told(
    "The game is over when somebody owns every street.",
    {
        SECRET: "Ending the Game",
        DECODER: "The end of the game",
        CROOKED: "Ending the Game",
    },
)


def _count_price(
    board: Board, play: Position, index: int
) -> tuple[Dollars | None, ...]:
    """Return the price of a deed (half if mortgaged) and its building costs."""
    deed = board.rules.deeds[index]
    price = deed.price
    if price is not None and play.mortgaged[index]:
        price //= 2
    return (price, *deed.costs[: play.levels[index]])


def _count_rent(board: Board, play: Position, index: int) -> tuple[Dollars | None, ...]:
    """Return the present rent of a deed; nothing if it is mortgaged."""
    if play.mortgaged[index]:
        return ()
    return (rent_of(board, play, index, total=0),)  # Without dice, a utility earns 0.


SCORES: dict[str, Callable[[Board, Position, int], tuple[Dollars | None, ...]]] = {
    "worth": _count_price,
    "rents": _count_rent,
}
"""The rulebook's ``end.counts`` -> the figures that an owned deed adds to a score.

They get the deed's index in the rulebook; an unknown figure is ``None``.
"""


def deed_worth(board: Board, play: Position, index: int) -> Dollars:
    """Return what an owned deed adds to a score, in dollars, by the known figures."""
    figures = SCORES[board.rules.end.counts](board, play, index)
    return sum(figure or 0 for figure in figures)


def worth(run: MoveRun, seat: str) -> Dollars:
    """Return the score of a seat, in dollars."""
    board, play = run.board, run.play
    return run.balance(seat) + sum(
        deed_worth(board, play, index)
        for index, owner in enumerate(play.owners)
        if owner == seat
    )


def end_if_over(run: MoveRun) -> bool:
    """End the game if a bankruptcy has ended it; return whether it did."""
    limit = run.board.rules.ends_at_bankruptcies  # 0 means no limit.
    playing_count = len(run.play.playing())
    bankrupt_count = len(run.play.tokens) - playing_count
    is_over = playing_count <= 1 or 0 < limit <= bankrupt_count
    if is_over:
        end(run)
    return is_over


def end_if_all_owned(run: MoveRun) -> bool:
    """End the game if all deeds are owned and that ends it; return whether it did."""
    is_over = run.board.rules.end.when == "all-owned" and all(run.play.owners)
    if is_over:
        end(run)
    return is_over


def end(run: MoveRun) -> None:
    """End the game: count the scores of seats still in it; the highest wins."""
    scores = tuple((seat, worth(run, seat)) for seat in run.play.playing())
    best = max((score for _, score in scores), default=0)
    winners = tuple(seat for seat, score in scores if score == best)
    run.add(p.PlayEnded(winners=winners, scores=scores))


def check_time(run: MoveRun, _move: CallTime) -> Refused | None:
    """Check that the companion leads, and that the game is not over."""
    play = run.game.play
    if play is not None and play.base is Stage.OVER:
        return game_over(run.board)
    return None if run.game.is_guided else not_led()


def over_rule(board: Board) -> Told:
    """Return the rule by which a game of this box ends."""
    is_owned = board.rules.end.when == "all-owned"
    return OVER_ALL_OWNED_RULE if is_owned else OVER_ONE_LEFT_RULE


def game_over(board: Board) -> Refused:
    """Refuse to play on after the end of the game."""
    return over_rule(board).refuses(
        Why.GAME_OVER, say("the game is over"), say("begin another")
    )


def call_time(run: MoveRun, move: CallTime) -> None:
    """End the game because the table calls time."""
    run.add(p.TimeCalled())
    end(run)


ROWS = (rule(CallTime, Who.BANKER, check_time, call_time, single_choice(CallTime)),)
