"""The book: what the pages work out of a game as it stands, each thing once.

Eight phones and the table's screen ask for the same game at the same time, and each
page asks for some things more than once. A ``Game`` never changes, so what follows from
it holds as long as it is there, and nothing has to be crossed out again.

Threads share it without a lock: each step is one operation of a dictionary, and two
that ask for the same thing at the same moment may both work it out.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Concatenate, Final, ParamSpec, TypeVar, cast

from companion.game import Game

Known = TypeVar("Known")
More = ParamSpec("More")

GAMES_MAX: Final = 64
"""Of how many states of games something is known; then a new book is begun."""

_pages: dict[int, tuple[Game, dict[object, object]]] = {}
"""By the ``id`` of a game, which is its own as long as the game stands here: the game,
and what is known of it."""


def in_book(
    work_out: Callable[Concatenate[Game, More], Known],
) -> Callable[Concatenate[Game, More], Known]:
    """Have *work_out*, a function of its arguments alone, work out each thing once."""

    @wraps(work_out)
    def known(game: Game, /, *more: More.args, **named: More.kwargs) -> Known:
        what = (work_out, more, *named.items())
        return known_of(game, what, lambda: work_out(game, *more, **named))

    return known


def known_of(game: Game, what: Hashable, work_out: Callable[[], Known]) -> Known:
    """Return what is known of *game*; worked out if nobody has asked for it yet.

    Args:
        game: The game as it stands.
        what: Tells it from everything else; with *game*, nothing else may matter.
        work_out: Gives it.
    """
    found = _pages.get(id(game))
    if found is None:
        if len(_pages) >= GAMES_MAX:
            _pages.clear()
        found = _pages.setdefault(id(game), (game, {}))
    page = found[1]
    if what not in page:
        page[what] = work_out()
    return cast("Known", page[what])
