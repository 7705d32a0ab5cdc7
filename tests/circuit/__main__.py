"""``python -m tests.circuit``: simulate the circuit, and judge each of its figures."""

from __future__ import annotations

import sys
import time

from tests.circuit import proofs, servo
from tests.circuit.figures import FIGURES, Figure
from tests.circuit.proofs import Found, Results

PROOFS = (
    proofs.motion,
    proofs.pull_ins,
    proofs.pulls,
    proofs.other_pulls,
    proofs.second_pulls,
    proofs.for_ever,
    proofs.burnt_to_base,
    proofs.bench,
    proofs.worst_resistor,
    proofs.toggled,
    proofs.diodes,
    proofs.charge,
    proofs.base,
    servo.at_work,
    servo.in_a_row,
    servo.filled,
    servo.balanced,
    servo.jammed,
    servo.for_ever,
    servo.wild,
    servo.bench,
    servo.idling,
    servo.unplugged,
)


def tell(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def holds(figure: Figure, at: int, found: Found) -> bool:
    """Return whether what was found is what the figure says."""
    low, high = figure.bounds(at)
    return low <= (found.middle if figure.of == "middle" else found.value) <= high


def judged(results: Results) -> list[str]:
    """Print each of these results beside its figures; return those that failed."""
    failed = []
    for name, found in results.items():
        about = [
            (figure, figure.measured.index(name))
            for figure in FIGURES
            if name in figure.measured
        ]
        for figure, at in about:
            words = figure.words or "within {:g} to {:g}".format(*figure.bounds(at))
            is_so = holds(figure, at, found)
            verdict = "ok" if is_so else "FAILED"
            tell(f"{name} | {words} | {found.told} | {verdict}")
            if not is_so:
                failed.append(name)
        if not about:
            tell(f"{name} | | {found.told} |")
    return failed


def main() -> None:
    """Simulate everything; exit with 1 if a figure failed or was not simulated."""
    began = time.monotonic()
    tell("what | guide says | simulated: median, least to most | ")
    missing = {name for figure in FIGURES for name in figure.measured}
    failed = []
    for proof in PROOFS:
        results = proof()
        missing -= results.keys()
        failed += judged(results)
    tell(f"{time.monotonic() - began:.0f} s")
    if failed or missing:
        sys.exit(f"FAILED: {', '.join([*failed, *sorted(missing)])}")


if __name__ == "__main__":
    main()
