"""What do the tests cost, in seconds of a processor, and how long do they take?

The quick tests, and the proofs that CI draws, each as make runs them. Whatever they
start counts, PostgreSQL's and the browser's processes too: who is left without a
parent becomes a child of this program, which waits for all of them.

Run: ``python -m benchmarks.tests``
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import platform
import resource
import subprocess
import time
from contextlib import suppress

from tests.running import ROOT

STAGES = {
    "quick tests": ("make", "test"),
    "proofs of CI": ("make", "proofs", "PROOFS=slow and not volume"),
}
PR_SET_CHILD_SUBREAPER = 36
"""Of Linux; see prctl(2)."""


def cost(command: tuple[str, ...]) -> dict[str, float | bool]:
    """Run a command; return its seconds, and the processor's with all it began."""
    before, began = _used_s(), time.perf_counter()
    done = subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.DEVNULL)
    took_s = time.perf_counter() - began
    with suppress(ChildProcessError):
        while True:
            os.wait()
    return {
        "processor_s": round(_used_s() - before, 1),
        "took_s": round(took_s, 1),
        "passed": done.returncode == 0,
    }


def _used_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Print a line for each stage."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    for what, command in STAGES.items():
        load = round(os.getloadavg()[0], 1)
        told = {"what": what, **cost(command), "load_before": load}
        told |= {"cores": os.cpu_count() or 0, "python": platform.python_version()}
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
