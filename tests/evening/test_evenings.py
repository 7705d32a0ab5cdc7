"""Whole evenings hold, are the same each time, and become short where they fail."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.health import Finding
from companion.table import Table, TableService
from companion.views.home import HomeView
from serving import seen_from_home
from tests.evening.evening import Evening, Outcome, Plan, play
from tests.evening.home import AT_HOME_SAYS
from tests.evening.shrink import shortest
from tests.postgres import Server
from tests.running import ROOT
from tests.sample import proven, volume

SHORT = 40
"""Steps of an evening that is one of the quick tests."""


@pytest.mark.parametrize("seed", [0, *volume(range(1, 30))])
def test_an_evening_holds(seed: int) -> None:
    outcome = play(Plan(seed, SHORT))
    assert not outcome.failure, "\n".join([*outcome.story, outcome.failure])
    assert outcome.entries > 0


AT_HOME = range(12, 12 + 15 * 260, 15)
"""Evenings with the box of the vault that are played twice if they have a lock."""


@pytest.mark.parametrize("seed", [*proven(AT_HOME[:1]), *volume(AT_HOME[1:])])
def test_the_home_is_told_the_same_whatever_the_code_is(seed: int) -> None:
    """At least 200 of them have a lock; that two of those differ is a failure."""
    outcome = play(Plan(seed, SHORT // 4 if seed == AT_HOME[0] else SHORT))
    assert not outcome.failure, outcome.failure
    assert any(AT_HOME_SAYS in said for said in outcome.said)


@pytest.mark.slow
def test_a_home_that_learns_the_code_would_be_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def leaky(table: Table, health: Callable[[], Iterable[Finding]]) -> HomeView:
        honest = seen_from_home(table, health)
        assert table.vault is not None
        code = table.vault.keeper._locksmith.memory.code
        return replace(honest, stage=f"psst: {code and code.opens_at(4)}")

    monkeypatch.setattr("tests.evening.home.seen_from_home", leaky)
    outcome = play(Plan(AT_HOME[0], SHORT))
    assert f'the code can be told from "{AT_HOME_SAYS}' in outcome.failure


@pytest.mark.parametrize("seed", volume(range(2)))
def test_an_evening_on_postgres_holds(postgres: Server, seed: int) -> None:
    outcome = play(Plan(seed, SHORT, server=postgres.folder))
    assert not outcome.failure, "\n".join([*outcome.story, outcome.failure])
    assert outcome.entries > 0


@pytest.mark.slow
def test_an_evening_is_the_same_in_another_process() -> None:
    here = play(Plan(2, 15))
    done = subprocess.run(
        (sys.executable, "-m", "tests.evening", "2", "--steps", "15"),
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": "1"},  # Here it is another, or drawn.
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split()[-1] == here.digest


def test_whom_the_banker_plays_for_is_seen_at_once(tmp_path: Path) -> None:
    """Only a cookie tells of it, so the page asks anew after each form."""
    evening = Evening(tmp_path, Plan(2, 0))
    people, host = evening.people, evening.people.host
    with evening.world:
        people.sit_down()
        host.take_up()
        sleeper = people.seated[0]
        sleeper.darken()
        evening.world.run(120_000)
        where = f"/g/{people.game_id}/for"
        people.taps.post(host, where, "plays for a sleeper", seat=sleeper.seat)
        evening.world.run(5_000)
        assert host.page is not None
        assert host.page.path == f"/g/{people.game_id}/"
        assert not host.page.differs_from_now()


def test_the_fewest_steps_and_faults_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """An evening that fails in step 31 if 5 and 17 have their acts, and 9 its fault."""

    def played(plan: Plan) -> Outcome:
        every = frozenset(range(SHORT))
        acts = every if plan.acts is None else plan.acts
        faults = every if plan.faults is None else plan.faults
        if plan.steps >= 31 and {5, 17} <= acts and 9 in faults:
            return Outcome(failure="a page is old", step=31, faults=sorted(faults))
        return Outcome(failure="something else" if 4 in faults else "")

    monkeypatch.setattr("tests.evening.shrink.play", played)
    plan, found = shortest(Plan(1, SHORT), played(Plan(1, SHORT)))
    assert plan == Plan(1, 31, frozenset({5, 17}), frozenset({9}))
    assert found.failure == "a page is old"


@pytest.mark.slow
@pytest.mark.volume
def test_an_evening_that_fails_becomes_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that tells nobody of every third entry leaves a page as it was."""
    tell = TableService.tell

    def forgetful(table: TableService, game_id: str) -> None:
        if table.revision(game_id) % 3:
            tell(table, game_id)

    monkeypatch.setattr(TableService, "tell", forgetful)
    monkeypatch.setattr("tests.evening.shrink.TRIES_MAX", 16)  # Enough to halve it.
    played = ((plan, play(plan)) for plan in (Plan(x, SHORT) for x in range(20)))
    plan, outcome = next(x for x in played if "old" in x[1].failure)
    shorter, found = shortest(plan, outcome)
    assert "old" in found.failure
    assert shorter.acts is not None
    assert len(shorter.acts) < SHORT / 2
    assert play(shorter).failure == found.failure
