"""Typing in what nobody knew, read off the real deed or card.

Source:
    The project's own house rules: the editions say which figures are unknown, and
    whoever has the box can read them. A figure that is known is changed by a
    correction of the whole table instead.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion import deed_events as d
from companion.course import Course
from companion.errors import Malformed, Why
from companion.money import AMOUNT_MAX
from companion.moves import TypeFigure
from companion.rules.rule import Range
from companion.units import DeedId


def check(course: Course, move: TypeFigure) -> Why | None:
    """A figure of this edition that nobody knows yet."""
    if type(move.amount) is not int or not 0 <= move.amount <= AMOUNT_MAX:
        return Why.MALFORMED
    wanted = (move.deed, move.figure)
    known = {(one.of, one.figure) for one in course.board.unknown}
    if wanted not in known:
        return Why.MALFORMED
    try:
        course.board.with_figure(move.deed, move.figure, move.amount)
    except Malformed:
        return Why.MALFORMED
    return None


def type_figure(course: Course, move: TypeFigure) -> None:
    """It is so from now on, in this game."""
    course.add(
        d.FigureTyped(deed=DeedId(move.deed), figure=move.figure, amount=move.amount)
    )


def choices(course: Course, _seat: str) -> Iterator[Range]:
    """Any amount for any figure that is missing."""
    if course.board.unknown:
        yield Range(TypeFigure, 0, AMOUNT_MAX)
