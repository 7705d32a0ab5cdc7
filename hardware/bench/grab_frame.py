"""Save frame.png and print its sharpness: ``python -m hardware.bench.grab_frame``."""

import os
from contextlib import closing
from pathlib import Path

import cv2

from hardware.bench import in_words, nothing_typed
from hardware.camera.discover import find_camera
from hardware.camera.settings import read_camera_settings
from hardware.clock import SystemClock
from hardware.photos.decode_photos import save_png

nothing_typed()
with in_words():
    camera = find_camera(read_camera_settings(os.environ), SystemClock())
    if camera is None:
        raise SystemExit("wanted a camera, got COMPANION_CAMERA=none; leave it out")
    with closing(camera):
        camera.open()
        pixels = camera.frame(timeout_ms=15_000).pixels
    save_png(Path("frame.png"), pixels)
    sharpness = cv2.Laplacian(pixels[:, :, 1], cv2.CV_64F).var()
    print(f"{camera.name}: {pixels.shape[1]} x {pixels.shape[0]}, {sharpness=:.0f}")
