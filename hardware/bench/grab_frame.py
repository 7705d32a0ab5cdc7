"""Save frame.png and print its sharpness: ``python -m hardware.bench.grab_frame``."""

from __future__ import annotations

import os
from pathlib import Path

import cv2

from hardware.camera.discover import find_camera
from hardware.camera.settings import read_camera_settings
from hardware.clock import SystemClock
from hardware.photos.decode_photos import save_png

if __name__ == "__main__":
    camera = find_camera(read_camera_settings(os.environ), SystemClock())
    if camera is None:
        raise SystemExit("COMPANION_CAMERA is none")
    camera.open()
    pixels = camera.frame(timeout_ms=15_000).pixels
    camera.close()
    save_png(Path("frame.png"), pixels)
    sharpness = cv2.Laplacian(pixels[:, :, 1], cv2.CV_64F).var()
    print(f"{camera.name}: {pixels.shape[1]} x {pixels.shape[0]}, {sharpness=:.0f}")
