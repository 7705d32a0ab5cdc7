"""The final scores, counted as the rule sheet says: line by line, seat by seat.

The figures come from the rules themselves (``companion.rules.ending``) and only get
words here, so a total on the page is always the score that the rules use.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from companion.game import Game
from companion.game.board import Board
from companion.game.move_run import MoveRun
from companion.game.position import Position
from companion.game.stage import Stage
from companion.rules.ending import SCORES, worth
from companion.units import Account, Dollars
from companion.views.space import buildings_text
from companion.views.turn_words import joined
from companion.words import say
from companion.words.money import dollars_text


class ScoreLine(msgspec.Struct, frozen=True):
    """One line of a seat's score.

    Attributes:
        what: What is counted, in words.
        amount: What it is worth; ``None`` if a figure is unknown, which counts as 0.
        deed: The id of the deed it is about, or empty.
        is_building: It is about the buildings on the deed of the line before.
    """

    what: str
    amount: Dollars | None
    deed: str = ""
    is_building: bool = False


class SeatScore(msgspec.Struct, frozen=True):
    """One seat's score.

    Attributes:
        place: 1 for the richest; seats that are equally rich share a place.
        is_out: The seat is bankrupt or has left: nothing is counted.
        has_left: It has left; whoever is out without that is bankrupt.
        total: The sum of all lines, which is the score by the rules.
    """

    seat: str
    name: str
    colour: str
    token: str
    place: int
    is_winner: bool
    is_out: bool
    has_left: bool
    lines: tuple[ScoreLine, ...]
    total: Dollars


class ScoreView(msgspec.Struct, frozen=True):
    """Everybody's scores, the richest first; *is_over*: the game has ended."""

    is_over: bool
    how: str
    seats: tuple[SeatScore, ...]

    def of(self, seat: str) -> SeatScore | None:
        """Return the score of *seat*; ``None`` if it does not play."""
        return next((one for one in self.seats if one.seat == seat), None)


HOW = {
    "worth": say(
        "Money, deeds at their price, mortgaged ones at half of it, "
        "and buildings at what they cost."
    ),
    "rents": say("Money, and one rent for each deed as it stands."),
}
"""What is counted, by the rulebook's ``score``."""


def score_view(game: Game) -> ScoreView | None:
    """The scores as things stand; ``None`` if the companion never led *game*."""
    play, board = game.play, game.board
    if play is None or board is None:
        return None
    is_over = play.base is Stage.OVER
    final = {str(seat): score for seat, score in play.scores} if is_over else {}
    counted = [_seat(game, board, play, token.seat, final) for token in play.tokens]
    counted.sort(key=lambda one: (one.is_out, -one.total))  # Stable: order of play.
    totals = [one.total for one in counted]
    seats = tuple(
        msgspec.structs.replace(one, place=totals.index(one.total) + 1)
        for one in counted
    )
    return ScoreView(is_over, HOW.get(board.rules.end.counts, ""), seats)


def in_order(score: ScoreView, gone: Sequence[str]) -> ScoreView:
    """Return the same scores; of the seats that are out the last to go comes first.

    Args:
        score: Everybody's scores.
        gone: The seats that are out, the first to go first.
    """
    places = {seat: place for place, seat in enumerate(gone)}
    left = [one for one in score.seats if not one.is_out]
    out = [one for one in score.seats if one.is_out]
    out.sort(key=lambda one: -places.get(one.seat, -1))
    return msgspec.structs.replace(score, seats=(*left, *out))


def _seat(
    game: Game, board: Board, play: Position, seat: str, final: dict[str, Dollars]
) -> SeatScore:
    token = play.token(seat)
    assert token is not None, "a seat that plays"
    state = next(one for one in reversed(game.seats) if one.seat == seat)
    lines = () if token.is_out else _lines(game, board, play, seat)
    total = 0 if token.is_out else final.get(seat, worth(MoveRun(game), seat))
    other = total - sum(line.amount or 0 for line in lines)
    if other:  # The table agreed on another sum after the end.
        lines = (*lines, ScoreLine(say("As the table agreed"), other))
    return SeatScore(
        seat=seat,
        name=state.name,
        colour=state.colour,
        token=state.token,
        place=0,
        is_winner=seat in play.winners,
        is_out=token.is_out,
        has_left=seat in game.left,
        lines=lines,
        total=total,
    )


def _lines(
    game: Game, board: Board, play: Position, seat: str
) -> tuple[ScoreLine, ...]:
    lines = [ScoreLine(say("Money in hand"), game.ledger[Account(seat)])]
    write = LINES.get(board.rules.end.counts, _plain)
    for at, owner in enumerate(play.owners):
        if owner == seat:
            lines += write(board, play, at)
    return tuple(lines)


def _plain(board: Board, play: Position, at: int) -> list[ScoreLine]:
    """A deed with everything it adds to the score in one line."""
    deed = board.rules.deeds[at]
    figures = SCORES[board.rules.end.counts](board, play, at)
    known = [figure for figure in figures if figure is not None]
    amount = sum(known) if len(known) == len(figures) else None
    return [ScoreLine(deed.name, amount, deed.id)]


def _worth(board: Board, play: Position, at: int) -> list[ScoreLine]:
    """A deed at its price, and the buildings on it at what they cost."""
    deed = board.rules.deeds[at]
    price, *costs = SCORES["worth"](board, play, at)
    what: str = deed.name
    if play.mortgaged[at]:
        printed = dollars_text(deed.price) if deed.price is not None else "?"
        what = say("{deed}, mortgaged: half of {price}", deed=deed.name, price=printed)
    lines = [ScoreLine(what, price, deed.id)]
    if costs:
        counts = zip(board.kinds, board.used[at][play.levels[at]], strict=True)
        standing = joined([buildings_text(kind, n) for kind, n in counts if n])
        known = [cost for cost in costs if cost is not None]
        amount = sum(known) if len(known) == len(costs) else None
        built = say("{standing} on {deed}", standing=standing, deed=deed.name)
        lines.append(ScoreLine(built, amount, deed.id, is_building=True))
    return lines


def _rents(board: Board, play: Position, at: int) -> list[ScoreLine]:
    """One rent as the deed stands; nothing while it is mortgaged."""
    deed = board.rules.deeds[at]
    if play.mortgaged[at]:
        what = say("{deed}, mortgaged: no rent", deed=deed.name)
        return [ScoreLine(what, 0, deed.id)]
    (line,) = _plain(board, play, at)
    what = say("One rent of {deed}", deed=deed.name)
    return [msgspec.structs.replace(line, what=what)]


LINES: dict[str, Callable[[Board, Position, int], list[ScoreLine]]] = {
    "worth": _worth,
    "rents": _rents,
}
"""The lines of an owned deed, by the rulebook's ``score``."""
