"""The book: what the pages work out of a game as it stands, each thing once.

Eight phones and the table's screen ask for the same game at the same time, and each
page asks for some things more than once. A ``Game`` never changes, so what follows from
it holds as long as it is there, and nothing has to be crossed out again.

Threads share it without a lock: each step is one operation of a dictionary, and two
that ask for the same thing at the same moment may both work it out.
"""

from __future__ import annotations

from collections.abc import Callable
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
    """Have *work_out* work out each thing once; it depends on its arguments alone."""

    @wraps(work_out)
    def known(game: Game, /, *more: More.args, **named: More.kwargs) -> Known:
        page, key = _page(game), (work_out, more, *named.items())
        if key not in page:
            page[key] = work_out(game, *more, **named)
        return cast("Known", page[key])

    return known


def _page(game: Game) -> dict[object, object]:
    found = _pages.get(id(game))
    if found is None:
        if len(_pages) >= GAMES_MAX:
            _pages.clear()
        found = _pages.setdefault(id(game), (game, {}))
    return found[1]
