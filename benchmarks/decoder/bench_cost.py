"""What one reading costs, beside OpenCV's QR and ArUco detectors: time and memory.

    python -m benchmarks.decoder.bench_cost --times 30
    python -m benchmarks.decoder.bench_cost FOLDER processor|wall|live|photo

Frames of several kinds: notes of the built-in deck (to be judged), the same read with
decks that were learnt from other notes, other notes read with the built-in deck, notes
blurred or too far away, and frames without a print. They are simulated by another
process and lie in FOLDER, so that the simulator is not counted. The three detectors
take turns on each frame: in processor time with one thread, so that other programs do
not count much, and in wall time with as many threads as OpenCV takes.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.decoder import Deck

Row = dict[str, object]
FIRST_SEED = 10_700_000
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
STRANGE, OWN = "foreign-built-in", "own"
KINDS = {
    "judged": "judged",
    OWN: "own, but unsure",
    STRANGE: "of another deck, read with the built-in one",
    "foreign-learnt": "of another deck, read with a learnt one",
    "poor": "blurred or too far",
    "empty": "empty",
}
"""What a frame counts as, and how a table says it; what is judged is only that."""
PHONE_PX = (4032, 3024)


def _ms(call: Callable[[], object], clock: Callable[[], float]) -> float:
    begun = clock()
    call()
    return round(1000 * (clock() - begun), 1)


def _peak_mb() -> float:
    """Peak of this process's memory since it began.

    Not `getrusage`: that remembers the process this one was started from.
    """
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    line = next(s for s in status.splitlines() if s.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def _reads(folder: Path) -> Iterator[tuple[str, Path, Deck]]:
    """Every frame with its kind and the deck that it is read with."""
    from companion.decoder import house_deck, load_deck

    learnt = [load_deck(path.read_bytes()) for path in sorted(folder.glob("*.deck"))]
    for number, path in enumerate(sorted(folder.glob("*.npy"))):
        kind = path.stem.rpartition("-")[0]
        yield kind, path, house_deck()
        if kind == OWN:
            yield "foreign-learnt", path, learnt[number % len(learnt)]


def _times(folder: Path, cost: str, clock: Callable[[], float]) -> Iterator[Row]:
    """One row for each time that a frame is read."""
    import cv2
    import numpy as np

    from companion.decoder import Reading, Verdict, read

    qr = cv2.QRCodeDetector()
    marks = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    aruco = cv2.aruco.ArucoDetector(marks)
    is_first = True
    for kind, path, deck in _reads(folder):
        image = np.load(path)
        said: list[Reading] = []
        calls: dict[str, Callable[[], object]] = {
            "read_ms": lambda image=image, deck=deck, said=said: said.extend(
                read(image, deck)
            ),
            "qr_ms": lambda image=image: qr.detectAndDecodeMulti(image),
            "aruco_ms": lambda image=image: aruco.detectMarkers(image),
        }
        if is_first:
            for call in calls.values():
                call()
        is_first = False
        took = {name: _ms(call, clock) for name, call in calls.items()}
        is_judged = any(reading.verdict is not Verdict.UNSURE for reading in said)
        yield {"cost": cost, "kind": "judged" if is_judged else kind} | took


def processor(folder: Path) -> Iterator[Row]:
    """Processor time of one thread, a row a frame."""
    import cv2

    cv2.setNumThreads(1)
    yield from _times(folder, "processor", time.process_time)


def wall(folder: Path) -> Iterator[Row]:
    """Wall time with the threads that OpenCV takes by itself, a row a frame."""
    yield from _times(folder, "wall", time.perf_counter)


def live(folder: Path) -> Iterator[Row]:
    """One row: how many frames a second, one after the other, were judged."""
    import numpy as np

    from companion.decoder import Verdict, house_deck, read

    deck, judged = house_deck(), 0
    frames = [np.load(path) for path in sorted(folder.glob(f"{OWN}-*.npy"))]
    read(frames[0], deck)
    begun = time.perf_counter()
    for frame in frames:
        judged += any(r.verdict is not Verdict.UNSURE for r in read(frame, deck))
    per_second = round(judged / (time.perf_counter() - begun), 1)
    yield {"cost": "live", "per_second": per_second, "frames": len(frames)}


def photo(folder: Path) -> Iterator[Row]:
    """One row: peak of this whole process, which unpacks and reads a phone's photos."""
    from companion.decoder import house_deck, read
    from hardware.photos.photo import read_photo_file

    paths = sorted(folder.glob("*.jpg"))
    for path in paths:
        read(read_photo_file(path), house_deck())
    yield {"cost": "photo", "mb": round(_peak_mb(), 1), "frames": len(paths)}


MEASURES = {one.__name__: one for one in (processor, wall, live, photo)}


def _simulated(count: int, folder: Path) -> None:
    """So many frames of each kind, learnt decks, and phone photos to judge and not."""
    import cv2
    import numpy as np

    from benchmarks.decoder.bench_read import learnt_deck
    from benchmarks.decoder.simulator import negative, simulate
    from benchmarks.decoder.styles import FOREIGN

    poor: tuple[dict[str, object], ...] = (
        {"pixels_per_line": 2.2},
        {"defocus_px": 4.0},
    )
    for k in range(count):
        seed, name = FIRST_SEED + k, f"{k:04}.npy"
        style, worse = FOREIGN[k % len(FOREIGN)], poor[k % len(poor)]
        frames = {
            OWN: simulate(seed, "normal", styles=("house",)),
            STRANGE: simulate(seed, "normal", styles=(style,)),
            "poor": simulate(seed, "normal", styles=("house",), **worse),
            "empty": negative(seed),
        }
        for kind, frame in frames.items():
            np.save(folder / f"{kind}-{name}", frame.image)
    for style in FOREIGN[:count]:
        file = str(learnt_deck((style, 0))["file"])
        (folder / f"{style}.deck").write_bytes(base64.b64decode(file))
    for style in ("house", FOREIGN[0]):
        frame = simulate(FIRST_SEED, "normal", styles=(style,), size_px=PHONE_PX)
        cv2.imwrite(str(folder / f"{style}.jpg"), frame.image)


def measure_cost(count: int) -> Iterator[Row]:
    """Simulate so many frames of each kind, then measure in processes of their own.

    Raises:
        CalledProcessError: If one of them fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        _simulated(count, Path(folder))
        for what in MEASURES:
            one = ONE_THREAD if what == "processor" else {}
            done = subprocess.run(
                [sys.executable, "-m", __name__, folder, what],
                env=os.environ | one,
                check=True,
                stdout=subprocess.PIPE,
                text=True,
            )
            yield from map(json.loads, done.stdout.splitlines())


def main() -> None:
    """Measure one thing in a folder of frames; or all, and print the table."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folder", type=Path, nargs="?")
    asked.add_argument("what", choices=MEASURES, nargs="?", default="processor")
    asked.add_argument("--times", type=int, default=30, help="frames of each kind")
    given = asked.parse_args()
    if given.folder:
        for row in MEASURES[given.what](given.folder):
            print(json.dumps(row))
        return
    from benchmarks.decoder.bench_table import table

    print(table(list(measure_cost(given.times))))


if __name__ == "__main__":
    # Under its own name, also where it was started as a script.
    from benchmarks.decoder import bench_cost

    bench_cost.main()
