"""Runs ngspice on netlists, in two processes, and reads what it measured."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

PROCESSES = 2
AT_ONCE = 25
"""How many netlists one process takes in turn: its start costs as much as a run."""
MEASURED = re.compile(r"^(\w+)\s+=\s+(\S+)", re.MULTILINE)

Measured = dict[str, float]


@dataclass(frozen=True, slots=True)
class Run:
    """A netlist, how long it runs, and what is measured of it.

    Attributes:
        measures: What ngspice's ``meas tran`` finds, by a name of one's own.
        step_s: The longest step.
    """

    netlist: str
    until_s: float
    measures: Mapping[str, str]
    temp_c: float = 27.0
    step_s: float = 0.5e-3

    def text(self) -> str:
        """Return the input file."""
        return f"""* stage
{self.netlist}
.options method=gear reltol=1e-3 temp={self.temp_c}
.tran 1m {self.until_s} 0 {self.step_s} uic
.end
"""

    def commands(self, path: Path) -> str:
        """Return what ngspice is told to do with the file at *path*."""
        found = (f"meas tran {name} {how}" for name, how in self.measures.items())
        lines = (f"source {path}", "run", "echo BEGINS", *found, "echo ENDS")
        return "\n".join((*lines, "destroy all", "remcirc"))


def simulate(*runs: Run) -> list[Measured]:
    """Return what ngspice measured; a measure that it did not find is left out.

    Raises:
        RuntimeError: A simulation did not come to its end.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        told = []
        for at, run in enumerate(runs):
            path = folder / f"{at}.cir"
            path.write_text(run.text(), encoding="utf-8")
            told.append(run.commands(path))
        script = folder / "all.cir"
        text = "\n".join(("* all", ".control", *told, "quit", ".endc", ".end", ""))
        script.write_text(text, encoding="utf-8")
        command = ("ngspice", "-n", "-b", str(script))
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    parts = re.findall(r"^BEGINS$(.*?)^ENDS$", done.stdout, re.MULTILINE | re.DOTALL)
    if len(parts) != len(runs) or "aborted" in done.stderr:
        raise RuntimeError(f"ngspice gave up: {done.stderr[-2000:]}")
    return [
        {name: float(value) for name, value in MEASURED.findall(part)} for part in parts
    ]


def _some(runs: Iterable[Run]) -> Iterator[tuple[Run, ...]]:
    left = iter(runs)
    while some := tuple(islice(left, AT_ONCE)):
        yield some


def simulate_all(runs: Iterable[Run]) -> Iterator[Measured]:
    """Return the measures of each run, in their order."""
    with ThreadPoolExecutor(PROCESSES) as pool:
        for measured in pool.map(lambda some: simulate(*some), _some(runs)):
            yield from measured
