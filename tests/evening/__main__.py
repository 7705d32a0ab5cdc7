"""``python -m tests.evening SEED [COUNT]``: play evenings, shorten one that fails."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext

import click

from tests.evening.evening import STEPS, Outcome, Plan, play
from tests.evening.shrink import shortest
from tests.postgres import Server

BY_COMMIT = "commit"


def first_seed(named: str) -> int:
    """Return the seed of that name; ``commit`` stands for one that moves with it."""
    if named != BY_COMMIT:
        return int(named)
    head = ("git", "rev-parse", "HEAD")
    found = subprocess.run(head, capture_output=True, text=True, check=False)
    return int(found.stdout[:7] or "0", 16) * 1_000


def numbers(
    _context: object, _option: object, listed: str | None
) -> frozenset[int] | None:
    """Return the step numbers of a list such as ``3,7,12``; ``None`` without one."""
    if listed is None:
        return None
    return frozenset(int(one) for one in listed.split(",") if one)


@click.command(epilog="Example: python -m tests.evening 17")
@click.argument("seed", default="0")
@click.argument("count", default=1)
@click.option("--steps", default=STEPS, show_default=True, help="How long each is.")
@click.option("--acts", callback=numbers, help="The only steps where anybody acts.")
@click.option("--faults", callback=numbers, help="The only steps where anything fails.")
@click.option("--jobs", default=1, show_default=True, help="How many at the same time.")
@click.option("--story", is_flag=True, help="Tell all that happens.")
@click.option(
    "--postgres",
    is_flag=True,
    help="Keep the games in a PostgreSQL started for it. Its disk is its own, so none "
    "is full, broken or slow; the program still dies between two writes.",
)
@click.option("--as-it-is", is_flag=True, help="Do not look for a shorter one.")
def main(
    seed: str,
    count: int,
    steps: int,
    acts: frozenset[int] | None,
    faults: frozenset[int] | None,
    jobs: int,
    story: bool,
    postgres: bool,
    as_it_is: bool,
) -> None:
    """Play the evenings from SEED on, and print a digest of each.

    The first that fails is made as short as it can be, told in words, and ends it.
    """
    first = first_seed(seed)
    with Server() if postgres else nullcontext() as server:
        where = server.folder if server is not None else None
        plans = [
            Plan(one, steps, acts, faults, server=where)
            for one in range(first, first + count)
        ]
        tell_all(plans, jobs, story=story, as_it_is=as_it_is)


def tell_all(plans: list[Plan], jobs: int, *, story: bool, as_it_is: bool) -> None:
    """Play the plans, and print what comes of them; the first failure ends it."""
    for plan, outcome in played(plans, jobs):
        if story:
            click.echo("\n".join(outcome.story))
        if not outcome.failure:
            click.echo(
                f"seed {plan.seed}  {outcome.entries:>4} entries  {outcome.digest}"
            )
            continue
        click.echo(f"seed {plan.seed} fails: {outcome.failure[:200]}")
        shown = plan, outcome
        if not as_it_is:
            click.echo(
                "Looking for a shorter evening that fails so; some minutes at most."
            )
            shown = shortest(plan, outcome)
        click.echo(told(*shown))
        sys.exit(1)


def played(plans: list[Plan], jobs: int) -> Iterator[tuple[Plan, Outcome]]:
    """Play each plan, in order, so many at the same time."""
    if jobs < 2:
        yield from ((plan, play(plan)) for plan in plans)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from zip(plans, pool.map(play, plans), strict=True)


def told(plan: Plan, outcome: Outcome) -> str:
    """Tell an evening that failed, and how it is played again."""
    again = f".venv/bin/python -m tests.evening {plan.seed} --steps {plan.steps}"
    for name, steps in (("acts", plan.acts), ("faults", plan.faults)):
        if steps is not None:
            again += f" --{name} '{','.join(map(str, sorted(steps)))}'"
    again += " --postgres" if plan.server is not None else ""
    is_end = outcome.step > plan.steps
    when = (
        f"at the end, after {plan.steps} steps" if is_end else f"in step {outcome.step}"
    )
    parts = ["", *outcome.story, "", f"seed {plan.seed} fails {when}:"]
    parts += [outcome.failure, *(("", outcome.trace) if outcome.trace else ())]
    if outcome.script:
        parts += [
            "",
            "The game as a script; it leads there, and does not fail by itself:",
            "",
            outcome.script,
        ]
    return "\n".join([*parts, "", "Play it again:", f"    {again} --as-it-is"])


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    main()
