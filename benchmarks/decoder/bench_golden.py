"""Makes the golden frames of tests/decoder: one for each verdict and cause of unsure.

Each frame says what it is called; a seed that says anything else is passed over.

    python -m benchmarks.decoder.bench_golden

Seeds were picked by looking; a frame larger than LIMIT is refused.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from benchmarks.decoder.simulator import negative, simulate
from benchmarks.decoder.simulator_print import Print, printed
from companion.decoder import house_deck, read

FOLDER = Path(__file__).parents[2] / "tests/decoder/golden"
LIMIT = 60_000
SEEDS = 60
SIZE = (800, 480)

CALM: dict[str, object] = {
    "size_px": SIZE,
    "notes_count": 1,
    "decoys_count": 0,
    "tilt_deg": 3.0,
    "curl_radius_mm": 0.0,
    "defocus_px": 0.2,
    "motion_px": 0.0,
    "light": 0.85,
    "shadow": 0.1,
    "glare_count": 0,
    "jpeg_quality": 0,
    "pixels_per_line": 3.2,
    "roll_deg": 4.0,
}

CASES: dict[str, tuple[str, dict[str, object]]] = {
    "real": ("house", {"is_fake": False}),
    "fake": ("house", {"is_fake": True}),
    "upside_down": ("house", {"is_fake": True, "roll_deg": 184.0}),
    "mirrored": ("house", {"is_fake": True}),
    "not_a_deck_i_know": ("lady", {}),
    "too_far": ("house", {"pixels_per_line": 2.3, "defocus_px": 0.3}),
    "eyes_covered": ("house", {"eyes": "white strip"}),
    "contradiction": ("house", {}),
    "blurred": ("house", {"defocus_px": 2.0, "pixels_per_line": 3.7}),
    "covered": ("house", {"fingers_count": 9}),
    "glare": ("house", {"glare_count": 45}),
    "no_picture": ("house", {"curl_radius_mm": 14.0, "pixels_per_line": 5.0}),
}

WORSE = {"defocus_px": 0.04, "glare_count": 2}
"""What is added to a case from one seed to the next."""

CROPPED = {"too_far": (400, 250), "blurred": (520, 330), "no_picture": (640, 400)}
"""Columns and rows around the note's middle: fine lines need good JPEG."""


def packed(image: object) -> bytes:
    """The frame as JPEG, as good as LIMIT allows."""
    for quality in (92, 88, 84, 80, 75, 70, 60):
        content = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        if content.size < LIMIT:
            return content.tobytes()
    raise SystemExit(f"expected under {LIMIT} bytes, got {content.size}")


def said(content: bytes) -> str:
    """What the decoder says of a packed frame: its first verdict or reason."""
    frame = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    first = read(frame, house_deck())[0]
    return str(first.reason or first.verdict)


def torn(seed: int) -> Print:
    """The left half of a real note, glued to the right half of a fake one."""
    real, fake = (printed("house", 0, is_fake, seed) for is_fake in (False, True))
    coverage = real.coverage.copy()
    middle = coverage.shape[1] // 2
    coverage[:, middle:] = fake.coverage[:, middle:]
    return replace(real, coverage=coverage)


def case(name: str, style: str, changes: dict[str, object]) -> dict[str, object]:
    wanted = "fake" if name == "upside_down" else name
    for seed in range(SEEDS):
        # The decoder reads more than it need: worse and worse, until it does not.
        worse = {
            key: value + seed * WORSE[key]
            for key, value in changes.items()
            if isinstance(value, int | float) and key in WORSE
        }
        given = CALM | changes | worse
        shown = torn(seed) if name == "contradiction" else None
        frame = simulate(seed, "easy", (style,), shown, **given)
        if not frame.notes or frame.scene[0] not in ("plain", "baize"):
            continue
        if name == "covered" and "covered" not in frame.notes[0].causes:
            continue  # Faces enough to be seen: another OpenCV's rounding finds them.
        image = frame.image[:, ::-1] if name == "mirrored" else frame.image
        if name in CROPPED:
            x, y = frame.notes[0].corners_px.mean(axis=0).astype(int)
            w, h = CROPPED[name]
            top, left = max(0, y - h // 2), max(0, x - w // 2)
            image = image[top : top + h, left : left + w]
        content = packed(image)
        got = said(content)
        if got == wanted:
            (FOLDER / f"{name}.jpg").write_bytes(content)
            note = frame.notes[0]
            return {
                "seed": seed,
                "style": style,
                "truth": "torn" if shown else note.verdict,
                "causes": list(note.causes),
                "pixels_per_line": round(note.pixels_per_line, 2),
                "expected": got,
            }
    raise SystemExit(f"{name}: none of {SEEDS} seeds is read as {wanted}")


def main() -> None:
    truths = {name: case(name, *told) for name, told in CASES.items()}
    content = packed(negative(8, size_px=(480, 320), jpeg_quality=0).image)
    (FOLDER / "no_scrambled_print.jpg").write_bytes(content)
    truths["no_scrambled_print"] = {"seed": 8, "expected": said(content)}
    text = json.dumps(truths, indent=1) + "\n"
    (FOLDER / "truth.json").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
