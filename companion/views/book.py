"""The book: what the pages work out of a game as it stands, each thing once.

Eight phones and the table's screen ask for the same game at the same time, and each
page asks for some things more than once. A ``Game`` never changes, so what follows from
it holds as long as it is there, and nothing has to be crossed out again.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, Final, ParamSpec, TypeVar, cast

from companion.game import Game

Known = TypeVar("Known")
More = ParamSpec("More")

GAMES_MAX: Final = 64
"""Of how many games, or states of one game, something is kept: the latest asked for."""

_lock = threading.Lock()
_pages: OrderedDict[int, tuple[Game, dict[object, object]]] = OrderedDict()
"""By the ``id`` of a game: the game itself, which keeps its ``id`` its own, and what is
known of it."""


def in_book(
    work_out: Callable[Concatenate[Game, More], Known],
) -> Callable[Concatenate[Game, More], Known]:
    """Have *work_out*, which depends on its arguments alone, work each thing out once.

    Two threads that ask at the same moment may both work it out; they get the same.
    """

    @wraps(work_out)
    def known(game: Game, /, *more: More.args, **named: More.kwargs) -> Known:
        assert not named, f"{work_out.__name__} is known by place, not by {named}"
        page, key = _page(game), (work_out, *more)
        if key not in page:
            page[key] = work_out(game, *more, **named)
        return cast("Known", page[key])

    return known


def _page(game: Game) -> dict[object, object]:
    with _lock:
        page = _pages.get(id(game))
        if page is None:
            page = _pages[id(game)] = (game, {})
            if len(_pages) > GAMES_MAX:
                _pages.popitem(last=False)
        _pages.move_to_end(id(game))
        return page[1]
