"""Killed with -9 in each stage of a challenge: money on the table is there once.

Method: a child process goes through challenges of notes and cards on a real folder,
one step after another, and dies by SIGKILL. A second program opens the same folder:
it stands where a table stands that was never killed, with or without the step that was
under way; the same tap again carries that step out, or finds that it was done.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import cache, partial
from pathlib import Path

import pytest

from companion.edition import builtin
from companion.edition.snapshot import terms
from companion.game import Game
from companion.game.position_text import position_text
from tests.challenge_child import (
    EDITION,
    SEATS,
    STEPS,
    challenge_until_killed,
    open_table,
    opening,
    submit,
)
from tests.digest import digest
from tests.sample import proven
from tests.scene import Play
from tests.test_crash import Victim

IN_A_CHALLENGE = ("payment", "verdict", "card-use")


@cache
def unharmed() -> tuple[Game, ...]:
    """The game before the first step, and after each, of a table that nobody kills."""
    play = Play(*SEATS, terms=terms(builtin(EDITION)))
    games = [play.give(opening()[-1])]
    games += [play.give(command) for command in STEPS]
    return tuple(games)


def stage_after(steps: int) -> str:
    play = unharmed()[steps].play
    assert play is not None
    return play.stage


def check_whole(directory: Path, promised: int, clue: str) -> int:
    """Check the folder of a killed table; return how many steps it has done."""
    database, table, game = open_table(directory)
    try:
        before = table.revision(game) - (len(opening()) + 1)
        assert promised <= before <= promised + 1, clue
        said = position_text(table.game(game))
        assert digest(table.game(game)) == digest(unharmed()[before]), f"{clue}: {said}"
        if before:
            assert submit(table, game, before - 1).is_repeat, clue
        if before < len(STEPS):
            assert not submit(table, game, before).is_repeat, clue
        done = min(before + 1, len(STEPS))
        assert digest(table.game(game)) == digest(unharmed()[done]), clue
        return done
    finally:
        database.close()


def kill_challenges(directory: Path, kills: int, seed: int) -> Counter[str]:
    """Kill a table so often in a row; return in which stages it stood then."""
    dice, done, stages = random.Random(seed), 0, Counter[str]()
    for number in range(kills):
        stage = IN_A_CHALLENGE[number // 2 % len(IN_A_CHALLENGE)]
        later = range(1, len(STEPS) - done)
        acks = next(acks for acks in later if stage_after(done + acks) == stage)
        after_s = dice.uniform(0, 0.004)
        clue = f"seed {seed}, kill {number}, step {done} + {acks} + {after_s} s"
        until = done + acks if number % 2 else len(STEPS)  # At rest, or at work.
        play = partial(challenge_until_killed, until=until)
        victim = Victim(directory, done, play)
        victim.read_until(1 + acks)
        _, promises = victim.kill(after_s)
        promised = done + len(promises)
        stages[stage_after(promised)] += 1
        done = check_whole(directory, promised, clue)
    return stages


@pytest.mark.parametrize("evening", proven(range(8), few=1))
def test_what_lies_on_the_table_survives_kill_9(tmp_path: Path, evening: int) -> None:
    stages = kill_challenges(tmp_path, kills=18, seed=evening)
    assert set(IN_A_CHALLENGE) <= set(stages), stages


def test_a_lost_reservation_would_be_seen(tmp_path: Path) -> None:
    """A proof that cannot fail proves nothing."""
    victim = Victim(tmp_path, 0, challenge_until_killed)
    victim.read_until(14)
    _, promises = victim.kill(0)
    database, _, _ = open_table(tmp_path)
    with database.transaction() as connection:
        connection.exec_driver_sql(
            "DELETE FROM entries WHERE revision > "
            "(SELECT max(revision) FROM entries) - 2"
        )
    database.close()
    with pytest.raises(AssertionError):
        check_whole(tmp_path, len(promises), "two steps are missing")
