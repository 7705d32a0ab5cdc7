"""Makes the golden frames of tests/decoder/through, and the README's picture of them.

    python -m benchmarks.decoder.bench_golden_through

Seeds are the first that are a clear case; a frame larger than LIMIT is refused.
"""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.decoder.bench_through import verdict_of
from benchmarks.decoder.simulator import Frame
from benchmarks.decoder.simulator_lens import simulate_through
from companion.decoder import Through, explain, house_deck, read

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests/decoder/through"
PICTURE = ROOT / "companion/decoder/pictures/through.jpg"
LIMIT = 60_000
SHOWN = {"lens": 20, "film": 23}
"""Seeds of the picture: under the lens three faces show, under the film none."""

TILE_PX = (330, 196)

GOLDEN_CALM: dict[str, object] = {
    "size_px": (680, 400),
    "decoys_count": 0,
    "tilt_deg": 4.0,
    "curl_radius_mm": 0.0,
    "light": 0.85,
    "shadow": 0.1,
    "glare_count": 0,
    "jpeg_quality": 0,
    "pixels_per_line": 2.7,
}

GOLDEN_CASES: dict[str, tuple[str, str, dict[str, object], str]] = {
    "film_real": ("film", "house", {"is_fake": False, "roll_deg": 6.0}, "real"),
    "film_fake": ("film", "house", {"is_fake": True, "roll_deg": 186.0}, "fake"),
    "lens_real": ("lens", "house", {"is_fake": False, "roll_deg": -5.0}, "real"),
    "lens_fake": ("lens", "house", {"is_fake": True, "roll_deg": 87.0}, "fake"),
    "film_out_of_step": ("film", "house", {"is_fake": True}, "unsure"),
    "lens_another_deck": ("lens", "cat", {"roll_deg": 4.0}, "unsure"),
}


def write_golden() -> None:
    """One frame for each case: the first seed that is a clear case of it."""
    GOLDEN.mkdir(exist_ok=True)
    truths: dict[str, object] = {}
    for name, (aid, style, changes, wanted) in GOLDEN_CASES.items():
        frames = (
            simulate_through(aid, seed, "easy", style, **(GOLDEN_CALM | changes))  # type: ignore[arg-type]
            for seed in range(80)
        )
        found = (golden_case(frame, name, wanted) for frame in frames)
        told = next((case for case in found if case is not None), None)
        if told is None:
            raise SystemExit(f"{name}: no seed will do")
        truths[name] = {"style": style, **told}
    text = json.dumps(truths, indent=1) + "\n"
    (GOLDEN / "truth.json").write_text(text, encoding="utf-8")


def golden_case(frame: Frame, name: str, wanted: str) -> dict[str, object] | None:
    """Writes the frame and tells its truth; None where it is no clear case."""
    note = frame.notes[0]
    packed = cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, 72])[1]
    image = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    unasked = verdict_of(read(image, house_deck()))
    asked = verdict_of(read(image, house_deck(), Through.LENS))
    # A film's own lines are enough; a lens that shows lines would prove little.
    is_clear = unasked == (wanted if name.startswith("film") else "unsure")
    if note.is_readable == name.endswith("out_of_step") or not is_clear:
        return None
    if asked != wanted or packed.size > LIMIT:
        return None
    (GOLDEN / f"{name}.jpg").write_bytes(packed.tobytes())
    return {
        "seed": frame.seed,
        "truth": note.verdict,
        "expected": asked,
        "unasked": unasked,
        "pixels_per_line": round(note.pixels_per_line, 2),
        "faces_px": np.round(note.faces_px, 1).tolist(),
    }


def _tile(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    wide, high = TILE_PX
    scale = min(wide / picture.shape[1], high / picture.shape[0])
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    tile = np.full((high, wide, 3), 245, np.uint8)
    top, left = (high - small.shape[0]) // 2, (wide - small.shape[1]) // 2
    tile[top : top + small.shape[0], left : left + small.shape[1]] = small
    return tile


def write_picture() -> None:
    """Two rows: seen, hidden, the face between the deck's plain and masked one."""
    changes = {"size_px": (1000, 640), "pixels_per_line": 3.9, "roll_deg": 4.0}
    given = GOLDEN_CALM | changes | {"is_fake": True, "jpeg_quality": 92}
    rows = []
    for aid, seed in SHOWN.items():
        frame = simulate_through(aid, seed, "easy", **given)  # type: ignore[arg-type]
        reading = read(frame.image, house_deck(), Through.LENS)[0]
        told = explain(frame.image, reading, house_deck())
        assert told.face is not None, f"the {aid} of seed {seed} shows faces"
        corners = frame.notes[0].corners_px
        x0, y0 = np.maximum(corners.min(axis=0), 0).astype(int)
        x1, y1 = corners.max(axis=0).astype(int)
        seen = frame.image[y0:y1, x0:x1]
        rows.append(np.hstack([_tile(p) for p in (seen, told.hidden, told.face)]))
    cv2.imwrite(str(PICTURE), np.vstack(rows), [cv2.IMWRITE_JPEG_QUALITY, 75])


def main() -> None:
    cv2.setNumThreads(1)
    write_golden()
    write_picture()


if __name__ == "__main__":
    main()
