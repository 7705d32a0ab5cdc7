"""What follows from a game is worked out once, for whoever asks, in any thread."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from msgspec.structs import replace

from companion.game import Game
from companion.views import book
from companion.views.book import GAMES_MAX, in_book, result_of
from companion.views.turn import turn_of
from tests.guided import Guided


@pytest.fixture(autouse=True)
def _empty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin with an empty book: one that is full of others' games is emptied."""
    monkeypatch.setattr(book, "_pages", {})


def test_a_seats_turn_is_worked_out_once() -> None:
    game = Guided("classic", 2).game
    assert turn_of(game, "red") is turn_of(game, "red")
    assert turn_of(game, "red") != turn_of(game, "blue")


def test_a_like_game_is_another_game() -> None:
    asked: list[Game] = []

    @in_book
    def name(game: Game, before: str, *, after: str = "") -> str:
        asked.append(game)
        return f"{before}{game.name}{after}"

    game = Guided("classic", 2).game
    like = replace(game)
    assert game == like
    for one in (game, like, game, like):
        assert name(one, "<") == f"<{game.name}"
        assert name(one, "<", after=">") == f"<{game.name}>"
    assert list(map(id, asked)) == [id(game), id(game), id(like), id(like)]


def test_it_keeps_no_more_than_so_many_games_and_no_game_for_another() -> None:
    game = Guided("classic", 2).game
    for number in range(3 * GAMES_MAX):  # Each is forgotten, and its place in memory
        named = replace(game, name=f"{number}")  # taken by the next.
        assert result_of(named, "name", lambda one=named: one.name) == named.name
        assert len(book._pages) <= GAMES_MAX


def test_threads_that_ask_at_once_get_the_same() -> None:
    game = Guided("secret-vault", 8).game
    games = [replace(game) for _ in range(2 * GAMES_MAX)]
    seats = [state.seat for state in game.seats]
    asked = [(game, seat) for game in games for seat in seats]
    with ThreadPoolExecutor(8) as threads:
        turns = list(threads.map(lambda one: turn_of(*one), asked))
    expected = {seat: turn_of(game, seat) for seat in seats}
    assert turns == [expected[seat] for _, seat in asked]
