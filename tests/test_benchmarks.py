"""Every benchmark still runs; what it finds, a machine that does much else cannot say.

``kernel_pins`` needs a virtual machine and stays out; ``club`` has a proof of its own,
and ``tests`` would run itself.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from benchmarks.__main__ import RUNS
from tests.running import ROOT


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(RUNS.keys() - {"tests"}))
def test_a_benchmark_tells_figures(name: str) -> None:
    command = [sys.executable, "-m", *RUNS[name], "--samples", "1"]
    done = subprocess.run(
        command, cwd=ROOT, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines
    for line in lines:
        assert line.pop("what")
        assert any(type(value) in (int, float) for value in line.values()), line
