"""Measure everything, and keep the figures: ``python -m benchmarks``.

Each line goes to the screen and into ``benchmarks/results``, one file for each
module, in place of what was there.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

RESULTS = Path(__file__).parent / "results"
RUNS: dict[str, list[str]] = {
    "core": ["benchmarks.core"],
    "core-memory-disk": ["benchmarks.core", "growth", "--folder", "/dev/shm"],
    "program": ["benchmarks.program"],
    "engine": ["benchmarks.engine"],
    "vault-press": ["benchmarks.vault_press"],
    "coil-end": ["benchmarks.coil_end"],
    "servers": ["benchmarks.servers"],
    "phones": ["benchmarks.phones"],
    "streams": [
        "benchmarks.phones",
        "--samples",
        "30",
        "--streams",
        "36",
        "100",
        "200",
    ],
    "tests": ["benchmarks.tests"],
    "decoder": [
        *("benchmarks.decoder.bench_read", "--notes", "60", "--hard", "40"),
        *("--negatives", "20", "--times", "20", "--curve", "2"),
    ],
}


def main() -> None:
    """Run each measurement in a process of its own."""
    RESULTS.mkdir(exist_ok=True)
    wanted = sys.argv[1:] or list(RUNS)
    for name in wanted:
        command = [sys.executable, "-m", *RUNS[name]]
        with (
            (RESULTS / f"{name}.jsonl").open("w") as kept,
            subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running,
        ):
            assert running.stdout is not None
            for line in running.stdout:
                print(line, end="", flush=True)
                kept.write(line)
        if running.returncode:
            raise SystemExit(f"{name} ended with {running.returncode}")


if __name__ == "__main__":
    main()
