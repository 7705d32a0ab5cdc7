"""What one reading costs, beside OpenCV's QR and ArUco detectors: time and memory.

    python -m benchmarks.decoder.bench_cost FOLDER times|memory

The frames are simulated by another process and lie in FOLDER as .npy files, so that
the simulator is not counted. One thread; processor time, so that other programs do
not count much; the three take turns on each frame.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

Row = dict[str, object]
FIRST_SEED = 10_700_000
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def _ms(call: Callable[[], object]) -> float:
    begun = time.process_time()
    call()
    return round(1000 * (time.process_time() - begun), 1)


def _peak_mb() -> float:
    """Peak of this process's memory since it began.

    Not `getrusage`: that remembers the process this one was started from.
    """
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    line = next(s for s in status.splitlines() if s.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def times(folder: Path) -> Iterator[Row]:
    """One row a frame."""
    import cv2
    import numpy as np

    from companion.decoder import house_deck, read

    cv2.setNumThreads(1)
    deck, qr = house_deck(), cv2.QRCodeDetector()
    marks = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    aruco = cv2.aruco.ArucoDetector(marks)
    for number, path in enumerate(sorted(folder.glob("*.npy"))):
        image = np.load(path)
        calls: dict[str, Callable[[], object]] = {
            "read_ms": lambda image=image: read(image, deck),
            "qr_ms": lambda image=image: qr.detectMulti(image),
            "aruco_ms": lambda image=image: aruco.detectMarkers(image),
        }
        if number == 0:
            for call in calls.values():
                call()
        yield {"cost": "times"} | {name: _ms(call) for name, call in calls.items()}


def memory(folder: Path) -> Iterator[Row]:
    """One row: peak over what importing OpenCV alone takes, a frame included."""
    import cv2

    cv2.setNumThreads(1)
    before = _peak_mb()
    import numpy as np

    from companion.decoder import house_deck, read

    paths = sorted(folder.glob("*.npy"))
    for path in paths:
        read(np.load(path), house_deck())
    grown = round(_peak_mb() - before, 1)
    yield {"cost": "memory", "mb": grown, "frames": len(paths)}


def measure_cost(count: int) -> Iterator[Row]:
    """Simulate so many frames at normal, then measure both in processes of their own.

    Raises:
        CalledProcessError: If one of them fails.
    """
    import numpy as np

    from benchmarks.decoder.simulator import simulate

    with tempfile.TemporaryDirectory() as folder:
        for k in range(count):
            frame = simulate(FIRST_SEED + k, "normal", styles=("house",))
            np.save(Path(folder) / f"{k:04}.npy", frame.image)
        for what in ("times", "memory"):
            command = [sys.executable, "-m", __name__, folder, what]
            done = subprocess.run(
                command,
                env=os.environ | ONE_THREAD,
                check=True,
                stdout=subprocess.PIPE,
                text=True,
            )
            yield from map(json.loads, done.stdout.splitlines())


def main() -> None:
    """Measure one of the two; JSON, a line each."""
    folder, what = Path(sys.argv[1]), sys.argv[2]
    for row in {"times": times, "memory": memory}[what](folder):
        print(json.dumps(row))


if __name__ == "__main__":
    main()
