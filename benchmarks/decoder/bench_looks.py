"""Memory and time of photos that several phones send at once.

    python -m benchmarks.decoder.bench_looks PHOTO...

Each PHOTO has a fresh process, in which eight threads send it at the same moment; one
that is refused as too many sends it again. `peak_mb` is the most that the process had,
its libraries included; `left_mb` is what it has at the end.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from companion.errors import Malformed
from companion.examining import Busy, Examiner
from hardware.discover_decoder import open_decoder

PHONES = 8
ALONE = "--alone"


def _memory_mb(name: str) -> float:
    """A figure of this process's memory: VmHWM, its peak, or VmRSS, its present."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    line = next(s for s in status.splitlines() if s.startswith(name))
    return round(int(line.split()[1]) / 1024, 1)


def _look(examiner: Examiner, path: Path) -> str:
    while True:
        try:
            with path.open("rb") as photo:
                return examiner.examine(photo).verdict
        except Malformed as error:
            return str(error)
        except Busy:
            time.sleep(0.1)


def looks(path: Path) -> dict[str, object]:
    """One row for a photo; to be called once in a process."""
    together = threading.Barrier(PHONES)
    begun = time.monotonic()
    with (
        open_decoder(path.parent, {"COMPANION_CAMERA": "none"}, id) as desk,
        ThreadPoolExecutor(PHONES) as phones,
    ):

        def phone() -> str:
            together.wait()
            return _look(desk.examiner, path)

        answers = {
            done.result() for done in [phones.submit(phone) for _ in range(PHONES)]
        }
    return {
        "photo": path.name,
        "megabytes": round(path.stat().st_size / 1e6, 1),
        "answers": sorted(answers),
        "seconds": round(time.monotonic() - begun, 1),
        "peak_mb": _memory_mb("VmHWM"),
        "left_mb": _memory_mb("VmRSS"),
    }


def main() -> None:
    """Measure every photo that is named; JSON, a line each."""
    if sys.argv[1] == ALONE:
        print(json.dumps(looks(Path(sys.argv[2]))))
        return
    for name in sys.argv[1:]:
        command = [sys.executable, "-m", "benchmarks.decoder.bench_looks", ALONE, name]
        subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
