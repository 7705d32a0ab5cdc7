"""Make the traces: ``python -m tests.hardware.vault.traces.make``; the same every time.

They have the form of a logic analyser's export, so that a trace from a real wheel
can lie beside them. None of these was recorded from metal.
"""

from __future__ import annotations

import random
from pathlib import Path

from companion.ports import Edge
from tests.hardware.vault.encoder import CYCLE, spin

MS = 1_000_000
HERE = Path(__file__).parent


def write(
    name: str,
    story: str,
    edges: list[Edge],
    *,
    steps_per_detent: int,
    rest_phase: int,
    numbers: str,
) -> None:
    rest = "".join(str(int(level)) for level in CYCLE[rest_phase])
    lines = [
        f"# {story}",
        "# made by: tests/hardware/vault/traces/make.py, a model of a wheel, not metal",
        f"# steps per detent: {steps_per_detent}",
        f"# rest: {rest}",
        f"# numbers: {numbers}",
        "at_us,line,level",
        *(f"{e.at_ns // 1000},{e.line},{int(e.is_active)}" for e in edges),
    ]
    (HERE / f"{name}.csv").write_text("\n".join(lines) + "\n")


def main() -> None:
    rng = random.Random(7)
    once_round = "1 2 3 4 5 6 1"
    write(
        "rest-11-slow",
        "Rests with both contacts closed; once round, clockwise, clean contacts.",
        spin([1] * 24, rest_phase=2, step_ns=20 * MS, chatter_ns=0, rng=rng),
        steps_per_detent=4,
        rest_phase=2,
        numbers=once_round,
    )
    write(
        "rest-00-chatter",
        "Rests with both contacts open; once round, 3 ms chatter on every edge.",
        spin([1] * 24, rest_phase=0, step_ns=25 * MS, chatter_ns=3 * MS, rng=rng),
        steps_per_detent=4,
        rest_phase=0,
        numbers=once_round,
    )
    write(
        "fast-40-detents-a-second",
        "40 detents per second for half a second, back, with 3 ms chatter.",
        spin(
            [1] * 80 + [-1] * 80,
            rest_phase=2,
            step_ns=6_250_000,
            chatter_ns=3 * MS,
            rng=rng,
        ),
        steps_per_detent=4,
        rest_phase=2,
        numbers="1 2 3 4 5 6 1 2 3 4 5 6 1 2 3 4 5 6 1 2 3 "
        "2 1 6 5 4 3 2 1 6 5 4 3 2 1 6 5 4 3 2 1",
    )
    write(
        "half-cycle",
        "Two clicks per cycle: rests at 00 and 11 in turn; 4 forth, 5 back, chatter.",
        spin(
            [1] * 8 + [-1] * 10,
            rest_phase=0,
            step_ns=12 * MS,
            chatter_ns=3 * MS,
            rng=rng,
        ),
        steps_per_detent=2,
        rest_phase=0,
        numbers="1 2 3 4 5 4 3 2 1 6",
    )
    write(
        "reversal-in-mid-detent",
        "Half a click and back, three quarters and back, one click, the same back.",
        spin(
            [
                *(1, 1, -1, -1, 1, 1, 1, -1, -1, -1),
                *(1, 1, 1, 1, -1, -1, 1, 1, -1, -1, -1, 1, 1, 1, -1, -1, -1, -1),
            ],
            rest_phase=3,
            step_ns=15 * MS,
            chatter_ns=3 * MS,
            rng=rng,
        ),
        steps_per_detent=4,
        rest_phase=3,
        numbers="1 2 1",
    )
    write(
        "one-step-a-click",
        "Every edge is a click; forth and back with clean contacts.",
        spin([1] * 7 + [-1] * 3, rest_phase=1, step_ns=25 * MS, chatter_ns=0, rng=rng),
        steps_per_detent=1,
        rest_phase=1,
        numbers="1 2 3 4 5 6 1 2 1 6 5",
    )


if __name__ == "__main__":
    main()
