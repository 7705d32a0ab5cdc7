"""Looks at the camera: its presence, its modes, and the memory that it needs."""

from __future__ import annotations

from collections.abc import Iterator

from companion.health import Condition, Finding
from hardware.camera.settings import INNER, PI_BUFFERS
from hardware.doctor.facts import Facts

NO_CAMERA = {
    "none": "no camera is asked for",
    "folder": "pictures of a folder stand in for a camera",
    "simulated": "the camera is simulated",
}
"""What to report for settings that need no real camera."""
TRY_NONE = "set COMPANION_CAMERA=none to play without"
"""A remedy for a camera that is not found."""
KIB = 1024
"""Bytes in a KiB, and KiB in a MiB."""


def look_at_camera(facts: Facts) -> Iterator[Finding]:
    """Check that the camera that the settings ask for is there."""
    kind, topic = facts.camera.camera, "camera.found"
    if kind in NO_CAMERA:
        yield Finding(topic, Condition.OK, NO_CAMERA[kind])
        return
    if facts.trial.cameras and kind in ("auto", "pi"):
        yield _pi_camera(facts, topic)
    elif kind != "pi" and (webcam := _webcam(facts)):
        yield Finding(topic, Condition.OK, f"webcam {webcam}")
    elif facts.is_served:
        return  # The running table has the camera, and reports on it itself.
    elif facts.is_served is None and kind != "webcam":
        words = "not asked for, since a running table may be using it"
        yield Finding(topic, Condition.UNKNOWN, words)
    elif kind == "auto":
        words = "no camera was found; photos from phones can be looked at"
        condition = Condition.WARN if facts.machine.model else Condition.UNKNOWN
        remedy = f"push its ribbon cable in on both ends, or {TRY_NONE}"
        yield Finding(topic, condition, words, remedy if facts.machine.model else "")
    else:
        expected = facts.camera.camera_device if kind == "webcam" else "a Pi's camera"
        cause = f" ({facts.trial.problem})" if facts.trial.problem else ""
        yield Finding(
            topic,
            Condition.FAIL,
            f"expected {expected}, found none{cause}",
            f"check its cable, or {TRY_NONE}",
        )


def _pi_camera(facts: Facts, topic: str) -> Finding:
    names = ", ".join(facts.trial.cameras)
    if facts.trial.problem:
        return Finding(
            topic,
            Condition.FAIL,
            f"{names} is there and cannot be opened: {facts.trial.problem}",
            "end what else uses the camera, or push its ribbon cable in on both ends",
        )
    modes = ", ".join(f"{width} x {height}" for width, height in facts.trial.modes)
    return Finding(topic, Condition.OK, f"{names}: {modes}" if modes else names)


def _webcam(facts: Facts) -> str:
    machine = facts.machine
    for path in machine.glob("sys/class/video4linux/video*/name"):
        name, device = machine.text(path) or "", f"/dev/{path.split('/')[-2]}"
        is_chosen = device == facts.camera.camera_device
        if is_chosen and name and not name.startswith(INNER):
            return f"{device}: {name[:60]}"
    return ""


def look_at_memory(facts: Facts) -> Iterator[Finding]:
    """Check that the memory for cameras has room for their frames."""
    if not facts.wants_pi_camera:
        return
    topic, total = "camera.memory", facts.machine.memory_kib("CmaTotal")
    free = facts.machine.memory_kib("CmaFree")
    if not total or free is None:
        words = "nothing tells how much memory cameras may use (CMA)"
        yield Finding(topic, Condition.UNKNOWN, words)
        return
    needed = needed_kib(facts.camera.camera_width_px, facts.camera.camera_height_px)
    words = f"cameras may use {total // KIB} MB, and {free // KIB} MB of it are free"
    if total < needed:
        yield Finding(
            topic,
            Condition.WARN,
            f"{words}; frames as set need {needed // KIB} MB",
            "write dtoverlay=vc4-kms-v3d,cma-128 in config.txt in place of "
            "dtoverlay=vc4-kms-v3d, and start again",
        )
    else:
        yield Finding(topic, Condition.OK, words)


RAW_PX = (4608, 2592)
"""The largest frame of a Camera Module 3, which the guide recommends."""
RAW_BITS = 10
"""Bits of a pixel in a packed raw frame."""
FRAME_BITS = 24
"""Bits of a pixel in a frame of three colours."""


def needed_kib(width_px: int, height_px: int) -> int:
    """Estimate the memory for the camera's frames, in KiB. Nobody measured it.

    Each buffer holds a frame of three colours, and a packed raw frame.
    """
    bits = width_px * height_px * FRAME_BITS + RAW_PX[0] * RAW_PX[1] * RAW_BITS
    return PI_BUFFERS * bits // 8 // KIB
