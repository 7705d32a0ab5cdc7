"""The scores of a game, seat by seat, with one line for everything that counts.

The rulebook of an edition names its way of counting: ``worth`` adds up money, deeds and
buildings; ``rents`` adds up money and one rent for each deed. The amounts come from the
rules (``companion.rules.ending``) and are only put into words here, so a total on the
page is the score by the rules. Here *at* is the index of a deed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec
from msgspec.structs import asdict, replace

from companion.game import Game
from companion.game.board import Board
from companion.game.move_run import MoveRun
from companion.game.position import Position
from companion.game.stage import Stage
from companion.rules.ending import DEBT_COUNTED_RULE, SCORES, counted_debts, worth
from companion.units import Account, Dollars
from companion.views.badge import Badge, badge_of
from companion.views.history import names_of
from companion.views.space import buildings_text, pieces_at
from companion.views.why import ShownRule, shown
from companion.views.wording import name_of
from companion.words import say
from companion.words.lists import enumerated
from companion.words.money import dollars_text


class ScoreLine(msgspec.Struct, frozen=True):
    """One line of a seat's score.

    Attributes:
        what: The thing that is counted, in words.
        amount: Its worth in dollars; ``None`` if unknown, which counts as 0.
        deed: The id of the deed that the line is about; empty for money.
        is_building: The line is about the buildings on that deed.
    """

    what: str
    amount: Dollars | None
    deed: str = ""
    is_building: bool = False


class SeatScore(Badge, frozen=True):
    """One seat's score.

    Attributes:
        place: 1 for the richest; seats that are equally rich share a place.
        is_out: The seat is bankrupt, or *has_left*: nothing is counted.
        total: The sum of all lines, which is the score by the rules.
    """

    seat: str
    place: int
    is_winner: bool
    is_out: bool
    has_left: bool
    lines: tuple[ScoreLine, ...]
    total: Dollars


class ScoreView(msgspec.Struct, frozen=True):
    """Everybody's scores, the richest first.

    Attributes:
        how: The way of counting, as a sentence.
        ended: How the game came to its end, as a sentence; empty if nobody knows.
        debts: The rule by which debts are counted, if there are any.
    """

    is_over: bool
    how: str
    seats: tuple[SeatScore, ...]
    ended: str = ""
    debts: ShownRule | None = None

    def of(self, seat: str) -> SeatScore | None:
        """Return the score of *seat*; ``None`` if it does not play."""
        return next((score for score in self.seats if score.seat == seat), None)


WAYS_OF_COUNTING = {
    "worth": say(
        "Money, deeds at their price, mortgaged ones at half of it, "
        "and buildings at what they cost."
    ),
    "rents": say("Money, and one rent for each deed as it stands."),
}
"""Each way of counting in words."""


def score_view(game: Game) -> ScoreView | None:
    """Return the scores as things stand; ``None`` if the companion never led *game*."""
    play, board = game.play, game.board
    if play is None or board is None:
        return None
    is_over = play.base is Stage.OVER
    final = {str(seat): score for seat, score in play.scores} if is_over else {}
    scores = [
        _seat_score(game, board, play, token.seat, final) for token in play.tokens
    ]
    # The sort is stable: seats that are equally rich stay in the order of play.
    scores.sort(key=lambda score: (score.is_out, -score.total))
    totals = [score.total for score in scores]
    seats = tuple(
        replace(score, place=totals.index(score.total) + 1) for score in scores
    )
    how = WAYS_OF_COUNTING[board.rules.end.counts]
    debts = shown(DEBT_COUNTED_RULE, game) if counted_debts(MoveRun(game)) else None
    ended = play.ended and say("The game is over, since {how}.", how=play.ended.words)
    return ScoreView(is_over, how, seats, ended, debts)


def rank_by_exit(view: ScoreView, gone: Sequence[str]) -> ScoreView:
    """Return *view* with the seats that are out at the end, the last to go out first.

    Args:
        view: Everybody's scores.
        gone: The seats that are out, in the order in which they went out.
    """
    exits = {seat: number for number, seat in enumerate(gone)}
    playing = [score for score in view.seats if not score.is_out]
    out = [score for score in view.seats if score.is_out]
    out.sort(key=lambda score: exits.get(score.seat, -1), reverse=True)
    return replace(view, seats=(*playing, *out))


def _seat_score(
    game: Game, board: Board, play: Position, seat: str, final: dict[str, Dollars]
) -> SeatScore:
    """Return the score of *seat*, without its place.

    *final* holds the scores written down when the game ended; it is empty before.
    """
    token = play.token(seat)
    assert token is not None, "a seat that plays"
    lines = () if token.is_out else _score_lines(game, board, play, seat)
    total = 0 if token.is_out else final.get(seat, worth(MoveRun(game), seat))
    difference = total - sum(line.amount or 0 for line in lines)
    if difference:  # The table agreed on another sum after the end.
        lines = (*lines, ScoreLine(say("As the table agreed"), difference))
    return SeatScore(
        **asdict(badge_of(game, seat)),
        seat=seat,
        place=0,
        is_winner=seat in play.winners,
        is_out=token.is_out,
        has_left=seat in game.left,
        lines=lines,
        total=total,
    )


def _score_lines(
    game: Game, board: Board, play: Position, seat: str
) -> tuple[ScoreLine, ...]:
    lines = [ScoreLine(say("Money in hand"), game.ledger[Account(seat)])]
    write = WRITERS[board.rules.end.counts]
    for at, owner in enumerate(play.owners):
        if owner == seat:
            lines += write(board, play, at)
    return (*lines, *_debt_lines(game, seat))


def _debt_lines(game: Game, seat: str) -> Iterator[ScoreLine]:
    """Yield a line for what the seat still owes, and for what it is owed."""
    names = names_of(game)
    for debt, amount in counted_debts(MoveRun(game)):
        owed = dollars_text(debt.amount)
        if debt.debtor == seat:
            who = name_of(debt.creditor, names)
            words = say("Still owed to {who}: {amount}", who=who, amount=owed)
            yield ScoreLine(words, -amount)
        elif debt.creditor == seat:
            who = name_of(debt.debtor, names)
            words = say("{who} still owes {amount}", who=who, amount=owed)
            yield ScoreLine(words, amount)


def _sum(figures: Sequence[Dollars | None]) -> Dollars | None:
    """Add *figures* up; ``None`` if one of them is unknown."""
    known = [figure for figure in figures if figure is not None]
    return sum(known) if len(known) == len(figures) else None


def _worth_lines(board: Board, play: Position, at: int) -> list[ScoreLine]:
    """Return a line for a deed at its price, and one for buildings at their cost."""
    deed = board.rules.deeds[at]
    price, *costs = SCORES["worth"](board, play, at)  # The costs are the buildings'.
    words: str = deed.name
    if play.mortgaged[at]:
        printed = dollars_text(deed.price) if deed.price is not None else "?"
        words = say("{deed}, mortgaged: half of {price}", deed=deed.name, price=printed)
    lines = [ScoreLine(words, price, deed.id)]
    if costs:
        pieces = pieces_at(board, at, play.levels[at])
        standing = enumerated([buildings_text(kind, count) for kind, count in pieces])
        built = say("{standing} on {deed}", standing=standing, deed=deed.name)
        lines.append(ScoreLine(built, _sum(costs), deed.id, is_building=True))
    return lines


def _rent_lines(board: Board, play: Position, at: int) -> list[ScoreLine]:
    """Return a line for one rent of a deed; 0 while it is mortgaged."""
    deed = board.rules.deeds[at]
    if play.mortgaged[at]:
        words = say("{deed}, mortgaged: no rent", deed=deed.name)
        return [ScoreLine(words, 0, deed.id)]
    words = say("One rent of {deed}", deed=deed.name)
    return [ScoreLine(words, _sum(SCORES["rents"](board, play, at)), deed.id)]


WRITERS: dict[str, Callable[[Board, Position, int], list[ScoreLine]]] = {
    "worth": _worth_lines,
    "rents": _rent_lines,
}
"""The writers of the lines of an owned deed, by the way of counting."""
