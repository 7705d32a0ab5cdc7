"""A club counts right: each payment once, whatever becomes of the server."""

from __future__ import annotations

import random
from contextlib import ExitStack

import pytest

from benchmarks import club
from benchmarks.connection import Line


@pytest.mark.slow
def test_each_payment_counts_once_though_the_server_is_killed() -> None:
    with ExitStack() as stack:
        own = club.Own((), stack)
        load = club.Load(
            own.table.address,
            own.table.code or "",
            tables=2,
            phones=3,
            play_s=60,
            pace_s=0.3,
            kill=own.kill,
            kill_every_s=2,
            kill_count=3,
            watched=own.watched,
        )
        told = club.run(load)
    assert told["wrong_books"] == []
    assert told["streams"] == "6/6"
    assert told["acknowledged"]
    assert isinstance(told["takeovers_s"], list)
    assert told["takeovers_s"]
    assert None not in told["takeovers_s"]
    assert told["connections_reset"]


@pytest.mark.parametrize(
    "found",
    [(8, {"red": 1_501, "bank": -1_501}), (9, {"red": 1_502, "bank": -1_502})],
    ids=["counted not at all", "counted twice"],
)
def test_a_payment_that_does_not_count_once_is_found(
    monkeypatch: pytest.MonkeyPatch, found: club.Books
) -> None:
    game = club.Game("/g/0a1b2c3d4e5f")
    game.wanted = (8, {"red": 1_500, "bank": -1_500})
    game.paid("bank", "red", 1)
    line, dice = Line("", ""), random.Random(1)
    phone = club.Phone(line, game, "red", club.Tally(), dice)

    async def books() -> club.Books:
        return found

    monkeypatch.setattr(phone, "books", books)
    (wrong,) = club.alone(lambda: club.wrong_books([[phone]]))
    assert f"got {found}" in wrong


def test_a_takeover_lasts_until_what_was_tapped_after_the_kill_is_answered() -> None:
    tally = club.Tally(sent=[(1, 5), (2.5, 6), (3, 4)], kills=[2, 7])
    assert club.takeovers(tally) == [2, None]
