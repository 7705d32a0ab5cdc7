"""The book: what pages compute from a game as it stands, each result computed once.

Eight phones and the table's screen ask for the same game at the same time. A ``Game``
never changes, so a result holds as long as the game exists.

Threads share the book without a lock: each step is one operation of a dictionary, and
two threads that ask for the same thing at the same moment may both compute it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Concatenate, Final, ParamSpec, TypeVar, cast

from companion.game import Game

Result = TypeVar("Result")
Params = ParamSpec("Params")

GAMES_MAX: Final = 64
"""The most games in the book; before one more is added, it is emptied."""

_pages: dict[int, tuple[Game, dict[object, object]]] = {}
"""Each game with its results by their keys, by the ``id`` of the game.

An entry keeps the game alive, so that no other object can get its id.
"""


def in_book(
    compute: Callable[Concatenate[Game, Params], Result],
) -> Callable[Concatenate[Game, Params], Result]:
    """Decorate *compute* so that it runs once for the same game and arguments.

    The result must depend on nothing but these.
    """

    @wraps(compute)
    def compute_once(
        game: Game, /, *args: Params.args, **kwargs: Params.kwargs
    ) -> Result:
        key = (compute, args, *kwargs.items())
        return result_of(game, key, lambda: compute(game, *args, **kwargs))

    return compute_once


def result_of(game: Game, key: Hashable, compute: Callable[[], Result]) -> Result:
    """Return the result for *game* under *key*; compute it if it is not there yet.

    Args:
        game: The game as it stands.
        key: Identifies the result; it may depend on nothing but *key* and *game*.
        compute: Computes the result.
    """
    entry = _pages.get(id(game))
    if entry is None:
        if len(_pages) >= GAMES_MAX:
            _pages.clear()
        entry = _pages.setdefault(id(game), (game, {}))
    page = entry[1]
    if key not in page:
        page[key] = compute()
    return cast("Result", page[key])
