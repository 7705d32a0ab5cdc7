"""Watch through a camera: read each frame, draw on it, give advice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decoder import Reading, Reason, Verdict
from companion.errors import DeviceFault
from companion.ports import Camera, Clock, Frame
from companion.words import say

Pixels = NDArray[np.uint8]
Read = Callable[[Pixels], tuple[Reading, ...]]
"""``companion.decoder.read`` with a certain deck: from a frame to its readings."""

GOOD_PX = 3.5
"""Pixels per line to aim at: 2.6 can be read, and a hand needs some margin."""
SHARE_MAX = 95
"""Above it, advice does not name the percentage of the distance."""
RETRY_MS_MIN = 500
"""The shortest pause after a fault of the camera, in milliseconds."""
DARK = 60
"""Mean green level, 0 to 255, below which noise drowns the lines."""
MOVED = 12.0
"""Mean change between frames, in grey levels, above which the hand has moved."""
THUMB = (160, 90)
"""Width and height, in pixels, at which frames are compared."""

ADVICE = {
    Reason.BLURRED: say("hold still"),
    Reason.GLARE: say("turn it a little: the light shines back"),
    Reason.COVERED: say("take the fingers off the print"),
    Reason.EYES_COVERED: say("tilt it, or take away what lies on the faces"),
    Reason.TOO_FAR: say("move closer"),
    Reason.NO_PICTURE: say("lay it flat, in even light"),
    Reason.MIRRORED: say("turn the camera's mirror off"),
    Reason.CONTRADICTION: say("show it again, flat and from straight above"),
    Reason.NOT_A_DECK_I_KNOW: say("choose its deck, or teach it"),
    Reason.TOO_MANY: say("show fewer notes at once"),
    Reason.NO_SCRAMBLED_PRINT: say("lay a note there, or move closer"),
}
"""What to do about each reason for being unsure, the most useful first."""

COLOURS = {
    Verdict.REAL: (80, 170, 60),
    Verdict.FAKE: (50, 50, 210),
    Verdict.UNSURE: (170, 170, 170),
}
"""The outline's colour for each verdict, BGR; the verdict is written beside it."""
EDGE_BGR, ADVICE_BGR = (20, 20, 20), (60, 220, 240)
"""The dark edge of words and outlines, and the colour of advice."""


@dataclass(frozen=True, slots=True)
class Optics:
    """The measures that turn pixels per line into centimetres.

    Attributes:
        pitch_mm: The distance of the lines on the paper; ``None`` if unknown.
        focal_px: The focal length in pixels of the frame; 0 if unknown.
    """

    pitch_mm: float | None = None
    focal_px: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """One look: a frame, or why there is none.

    Attributes:
        frame: The frame; ``None`` if the camera failed, and *line* says why.
        readings: The decoder's readings; empty if the camera failed.
        advice: What to do to see better, the most useful first.
        line: Readings and advice in one line, for a terminal.
    """

    frame: Frame | None
    readings: tuple[Reading, ...]
    advice: tuple[str, ...]
    line: str

    def picture(self) -> Pixels | None:
        """Draw outlines and verdicts on a copy of the frame, if there is a frame."""
        if self.frame is None:
            return None
        return annotated(self.frame.pixels, self.readings, self.advice)


def watch(
    camera: Camera,
    read: Read,
    clock: Clock,
    wait: Callable[[int], object],
    optics: Optics | None = None,
) -> Iterator[Sight]:
    """Look again and again, until the caller stops asking.

    After a fault of the camera, this yields a sight without a frame, and pauses. The
    camera is opened here, and closed with the iterator.

    Args:
        camera: The camera.
        read: Reads a frame.
        clock: Times each reading, for the line.
        wait: Waits for so many milliseconds; called only after a fault.
        optics: The optics, for advice in centimetres.
    """
    camera.open()
    before: Pixels | None = None
    try:
        while True:
            try:
                frame = camera.frame()
            except DeviceFault as fault:
                yield Sight(None, (), (), str(fault))
                wait(max(camera.health().retry_ms, RETRY_MS_MIN))
                continue
            began_ns = clock.monotonic_ns()
            readings = read(frame.pixels)
            took_ms = (clock.monotonic_ns() - began_ns) // 1_000_000
            thumb = thumb_of(frame.pixels)
            advice = advise(readings, thumb, before, optics or Optics())
            before = thumb
            line = "  ".join((*map(describe, readings), *advice, f"({took_ms} ms)"))
            yield Sight(frame, readings, advice, line)
    finally:
        camera.close()


def describe(reading: Reading) -> str:
    """Describe a reading in a few words: ``fake 99 %, 4.1 px a line``."""
    if reading.verdict is Verdict.UNSURE:
        words = "unsure"
        if reading.reason is not None:
            words += f": {reading.reason.replace('_', ' ')}"
    else:
        words = f"{reading.verdict} {min(99, int(reading.confidence * 100))} %"
    if reading.pixels_per_line is None:
        return words
    return f"{words}, {reading.pixels_per_line:.1f} px a line"


def advise(
    readings: tuple[Reading, ...], thumb: Pixels, before: Pixels | None, optics: Optics
) -> tuple[str, ...]:
    """Advise how to make unsure readings sure; empty if all are sure.

    Args:
        readings: The readings of this frame.
        thumb: This frame, as ``thumb_of`` makes it: (90, 160) green levels.
        before: The previous frame in the same form; ``None`` at first.
        optics: The optics, for advice in centimetres.
    """
    unsure = [reading for reading in readings if reading.verdict is Verdict.UNSURE]
    if not unsure:
        return ()
    reasons = {reading.reason for reading in unsure}
    advice: list[str] = []
    if thumb.mean() < DARK:
        advice.append(say("more light"))
    if before is not None and _change(thumb, before) > MOVED:
        reasons.add(Reason.BLURRED)
    pitches = [r.pixels_per_line for r in unsure if r.pixels_per_line is not None]
    is_fine = bool(pitches) and min(pitches) < GOOD_PX
    for reason, words in ADVICE.items():
        # That there is no print may follow from what is advised already.
        is_implied = reason is Reason.NO_SCRAMBLED_PRINT and bool(advice)
        if reason is Reason.TOO_FAR and is_fine:
            advice.append(closer(min(pitches), optics))
        elif reason in reasons and not is_implied:
            advice.append(words)
    return tuple(advice)


def closer(pixels_per_line: float, optics: Optics) -> str:
    """Say how far to move: in centimetres if the optics are known, else as a share."""
    if optics.pitch_mm and optics.focal_px:
        move_mm = closer_mm(pixels_per_line, optics.pitch_mm, optics.focal_px)
        return say("move {cm} cm closer", cm=max(1, round(move_mm / 10)))
    share = round(100 * pixels_per_line / GOOD_PX)
    if share > SHARE_MAX:
        return ADVICE[Reason.TOO_FAR]
    return say("move closer, to {share} % of the distance", share=share)


def closer_mm(
    pixels_per_line: float, pitch_mm: float, focal_px: float, target_px: float = GOOD_PX
) -> float:
    """Compute how many mm nearer the camera must come for *target_px* pixels per line.

    That is for a note that faces the camera. Tilt makes lines look finer, so for a
    tilted note the answer is too near, never too far.

    Source:
        The thin lens: ``pixels_per_line = pitch_mm * focal_px / (distance_mm -
        focal_mm)``, so two distances differ by ``pitch_mm * focal_px * (1 / p1 -
        1 / p2)``; the focal length in mm cancels out.
    """
    return pitch_mm * focal_px * (1 / pixels_per_line - 1 / target_px)


def annotated(
    pixels: Pixels, readings: tuple[Reading, ...], advice: tuple[str, ...] = ()
) -> Pixels:
    """Draw outlines, verdicts and advice on a copy.

    Args:
        pixels: (height, width, 3) uint8 BGR, not modified.
        readings: What to draw; readings without a print get words only.
        advice: Written along the lower edge.

    Returns:
        A picture of the same shape.
    """
    canvas = pixels.copy()
    height, width = canvas.shape[:2]
    size = max(0.4, width / 1600)
    for reading in readings:
        colour = COLOURS[reading.verdict]
        corners = np.array(reading.corners_px, np.float64).round().astype(np.int32)
        if reading.pixels_per_line is not None:
            cv2.polylines(canvas, [corners], True, colour, max(1, round(3 * size)))
        x, y = corners.min(axis=0)
        place = (int(max(4, x)), int(min(height - 4, max(28 * size, y - 8))))
        _write(canvas, describe(reading), place, size, colour)
    _write(canvas, "   ".join(advice), (8, height - 12), size, ADVICE_BGR)
    return canvas


def _write(
    canvas: Pixels,
    words: str,
    place: tuple[int, int],
    size: float,
    colour: tuple[int, int, int],
) -> None:
    """Write *words* with a dark edge, readable on any background."""
    font, thick = cv2.FONT_HERSHEY_SIMPLEX, max(1, round(2 * size))
    cv2.putText(canvas, words, place, font, size, EDGE_BGR, thick + 3, cv2.LINE_AA)
    cv2.putText(canvas, words, place, font, size, colour, thick, cv2.LINE_AA)


def thumb_of(pixels: Pixels) -> Pixels:
    """Scale a frame down to (90, 160) green levels, to compare it with others."""
    small = cv2.resize(pixels[:, :, 1], THUMB, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _change(thumb: Pixels, before: Pixels) -> float:
    """Return the mean change between two frames, in grey levels."""
    return float(np.abs(thumb.astype(np.int16) - before).mean())
