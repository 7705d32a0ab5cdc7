"""The end of the game, and the scores.

A game ends when one seat is left, at the second bankruptcy of the quick game, when all
streets are owned (Secret Vault, Crooked Cash), or when the table *calls time*: it
agrees to stop. Where the sheet has another end, the table may *play on* to that one.
The *score* of a seat is its money and what its deeds are worth, by price or by rent as
the rulebook says, and what is still owed. The highest score wins.

Source:
    Grab & Go's sheet, "Playing" 7, "A quicker game" 3, "Speedy Monopoly"; the
    standard rules in the Mega booklet, "Bankruptcy". The sheet counts money,
    deeds at their price, mortgaged ones at half of it, houses at what they cost,
    and a hotel at its own price and that of the houses before it. The Secret Vault
    article, "Ending the Game", "Alternate Ending", "Scoring"; Cash Decoder's sheet,
    "The End of the Game"; the Crooked Cash article, "Ending the Game": the game ends
    when all streets are owned, and the score is cash and one rent of each deed. Our
    reading: nobody pays any more at the end; what is still owed is counted.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.errors import Refused, Why
from companion.game import Game
from companion.game import play_events as p
from companion.game.board import Board
from companion.game.move_run import MoveRun
from companion.game.moves import CallTime
from companion.game.position import Debt, Position
from companion.game.rulebook import Rulebook
from companion.game.stage import Ending, Stage
from companion.rules.rent import rent_of
from companion.rules.rule import Who, not_led, rule, single_choice
from companion.sheets import CROOKED, DECODER, GRAB, SECRET, STANDARD, Told
from companion.units import Dollars
from companion.words import say

OVER_RULE = Told("When the game is over, nobody moves any more.")
OVER_ONE_LEFT_RULE = Told(
    "The game is over when only one player is left.",
    {GRAB: "Playing", STANDARD: "Bankruptcy"},
)
OVER_FIRST_OUT_RULE = Told(
    "The game is over as soon as one player is out.", {SECRET: "Alternate Ending"}
)
OVER_QUICK_RULE = Told(
    "The quick game is over as soon as {out} players are out.",
    {GRAB: "A quicker game"},
)
OVER_ALL_OWNED_RULE = Told(
    "The game is over when all streets are owned.",
    {
        SECRET: "Ending the Game",
        DECODER: "The End of the Game",
        CROOKED: "Ending the Game",
    },
)
PLAY_ON_RULE = Told(
    "When all streets are owned, you may play on until one player is out.",
    {SECRET: "Alternate Ending"},
)
TIME_UP_RULE = Told(
    "When the agreed time is up, the richest player wins.", {GRAB: "Speedy Monopoly"}
)
DEBT_COUNTED_RULE = Told(
    "At the end nobody pays any more. "
    "A debt counts as if it were paid, as far as it goes."
)

RULE_OF_ENDING: dict[Ending, Told] = {
    Ending.UNKNOWN: OVER_RULE,
    Ending.ONE_LEFT: OVER_ONE_LEFT_RULE,
    Ending.FIRST_OUT: OVER_FIRST_OUT_RULE,
    Ending.SECOND_OUT: OVER_QUICK_RULE,
    Ending.ENOUGH_OUT: OVER_QUICK_RULE,
    Ending.ALL_OWNED: OVER_ALL_OWNED_RULE,
    Ending.TIME_UP: TIME_UP_RULE,
}
"""How a game came to its end -> the printed rule that ended it."""

OUT_BY_COUNT = {1: Ending.FIRST_OUT, 2: Ending.SECOND_OUT}
"""The number of bankruptcies that ends a game -> that end; others are rare."""


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


def counted_debts(run: MoveRun) -> tuple[tuple[Debt, Dollars], ...]:
    """List what is still owed, the oldest first, with how much of it counts.

    Each debt counts once, in this order: as much as the debtor's score has left is
    taken off it, and added to the creditor's; bank and vault have no score. So what a
    creditor gets by a later debt does not pay its own earlier one, no score falls
    below 0, and nothing counts twice. Games that ended without a written cause
    counted no debts.
    """
    play, owing = run.play, run.play.owing()
    if not owing or (play.base is Stage.OVER and not play.ended):
        return ()
    left = {str(seat): _own_worth(run, seat) for seat in play.playing()}
    counted = []
    for debt in owing:
        amount = min(debt.amount, left[debt.debtor])  # Who is out owes nothing.
        left[debt.debtor] -= amount
        if debt.creditor in left:
            left[debt.creditor] += amount
        counted.append((debt, amount))
    return tuple(counted)


def _own_worth(run: MoveRun, seat: str) -> Dollars:
    """Return the worth of a seat's money and deeds, in dollars."""
    board, play = run.board, run.play
    return run.balance(seat) + sum(
        deed_worth(board, play, index)
        for index, owner in enumerate(play.owners)
        if owner == seat
    )


def worth(run: MoveRun, seat: str) -> Dollars:
    """Return the score of a seat that plays, in dollars."""
    total = _own_worth(run, seat)
    for debt, amount in counted_debts(run):
        total += amount * ((debt.creditor == seat) - (debt.debtor == seat))
    return total


def rules_in_force(rules: Rulebook, play: Position) -> Rulebook:
    """Return the rules with the end on which the table agreed during the game."""
    return rules.ending_by(play.end) if play.end else rules


def may_play_on(game: Game) -> bool:
    """Return whether the table may play on to the sheet's other end, a bankruptcy."""
    play, board = game.play, game.board
    if play is None or board is None or play.ended is not Ending.ALL_OWNED:
        return False
    is_nobody_out = len(play.playing()) == len(play.tokens)
    return board.rules.end.when_other is not None and is_nobody_out


def ending_by_bankruptcy(run: MoveRun) -> Ending:
    """Return the end that a bankruptcy has brought; ``UNKNOWN`` if play goes on."""
    limit = rules_in_force(run.board.rules, run.play).ends_at_bankruptcies
    playing_count = len(run.play.playing())
    bankrupt_count = len(run.play.tokens) - playing_count
    if 0 < limit <= bankrupt_count:  # A limit of 0 means none.
        return OUT_BY_COUNT.get(limit, Ending.ENOUGH_OUT)
    return Ending.ONE_LEFT if playing_count <= 1 else Ending.UNKNOWN


def end_if_over(run: MoveRun) -> bool:
    """End the game if a bankruptcy has ended it; return whether it did."""
    how = ending_by_bankruptcy(run)
    if how:
        end(run, how)
    return run.play.base is Stage.OVER


def end_if_all_owned(run: MoveRun) -> bool:
    """End the game if all deeds are owned and that ends it; return whether it did."""
    if not all(run.play.owners):
        return False
    is_over = rules_in_force(run.board.rules, run.play).end.when == "all-owned"
    if is_over:
        end(run, Ending.ALL_OWNED)
    return is_over


def end(run: MoveRun, how: Ending) -> None:
    """End the game: count the scores of seats still in it; the highest wins."""
    scores = tuple((seat, worth(run, seat)) for seat in run.play.playing())
    best = max((score for _, score in scores), default=0)
    winners = tuple(seat for seat, score in scores if score == best)
    run.add(p.PlayEnded(winners=winners, scores=scores, how=how))


def count_again(run: MoveRun) -> bool:
    """Count the scores again if the game is over; return whether it is."""
    is_over = run.play.base is Stage.OVER
    if is_over:
        end(run, run.play.ended)
    return is_over


def check_time(run: MoveRun, _move: CallTime) -> Refused | None:
    """Check that the companion leads, and that the game is not over."""
    play = run.game.play
    if play is not None and play.base is Stage.OVER:
        return game_over(run)
    return None if run.game.is_guided else not_led()


def game_over(run: MoveRun) -> Refused:
    """Refuse to play on after the end of the game."""
    how = run.play.ended
    return RULE_OF_ENDING[how].refuses(
        Why.GAME_OVER,
        say("the game is over, since {how}", how=how.words)
        if how
        else say("the game is over"),
        say("play on until one player is out, or begin another")
        if may_play_on(run.game)
        else say("begin another"),
    )


def call_time(run: MoveRun, move: CallTime) -> None:
    """End the game because the table calls time."""
    run.add(p.TimeCalled())
    end(run, Ending.TIME_UP)


ROWS = (rule(CallTime, Who.BANKER, check_time, call_time, single_choice(CallTime)),)
