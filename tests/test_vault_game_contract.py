"""A whole game through pins and phones ends as the pure engine says.

Two phones and the banker's speak JSON over HTTP, hands move gpiozero's mock pins, and
the clock is a fake. The same inputs go into a game in memory; at the end both are
alike to the dollar. On the way every contact bounces, M sticks or is pressed at wrong
times, lids jam or are forced, the lid's switch does not close, the coil fails, and so
does the power, in the middle of openings. People trade, refuse, and keep cards.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from werkzeug.serving import make_server

from companion.game.position_text import position_text
from tests.digest import digest
from tests.sample import proven
from tests.vault_evening import DEALS, FAULTS, REPAIRS, Evening

MOVES_MAX = 3_000


@contextmanager
def evening(folder: Path, seed: int, options: dict[str, str]) -> Iterator[Evening]:
    made = Evening(folder, seed, options)
    server = make_server("127.0.0.1", 0, made, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        made.sit_down(f"http://127.0.0.1:{server.server_port}")
        yield made
    finally:
        server.shutdown()
        thread.join(10)
        server.server_close()
        made.leave()


def play_to_the_end(
    folder: Path, seed: int, must_meet: frozenset[str], **options: str
) -> Evening:
    with evening(folder, seed, options) as night:
        for count in range(MOVES_MAX):
            if night.pure.at.stage == "over":
                break
            night.go_on()
            clue = f"seed {seed}, move {count}"
            if count % 25 == 0:
                assert digest(night.rig.now) == digest(night.pure.game), clue
        live, pure = night.rig.now, night.pure.game
        assert pure.play is not None
        assert live.play is not None
        assert pure.play.stage == "over", position_text(pure)
        assert live.play.scores == pure.play.scores
        assert live.play.winners == pure.play.winners
        assert digest(live) == digest(pure)
        assert sum(live.ledger[account] for account in live.ledger) == 0
        assert not must_meet - set(night.met), "too little happened"
    return night


def test_a_whole_game_through_pins_and_phones_is_the_pure_engines(
    tmp_path: Path,
) -> None:
    play_to_the_end(tmp_path, 12, FAULTS | DEALS | REPAIRS)


SOME = frozenset(("bounce", "power"))


@pytest.mark.parametrize("seed", proven(range(100, 110), few=1))
def test_ten_more_whole_games_are_the_pure_engines(tmp_path: Path, seed: int) -> None:
    play_to_the_end(tmp_path, seed, SOME)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("option", "choice"),
    [("toy", "on"), ("lock_counts_as", "1"), ("guess_fee_to", "vault")],
)
def test_a_game_by_another_reading_is_the_pure_engines(
    tmp_path: Path, option: str, choice: str
) -> None:
    night = play_to_the_end(tmp_path, 200, SOME, **{option: choice})
    board = night.rig.now.board
    assert board is not None
    assert (option, choice) in board.rules.options
