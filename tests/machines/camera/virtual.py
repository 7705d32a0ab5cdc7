"""The real Picamera2 before libcamera's virtual camera, which shows picture files.

That camera sends NV12 in two planes and nothing else; it has no sensor, hence no modes
and no crop, and no lens. What is asked for in BGR becomes NV12 here on its way in, and
BGR on its way out, so that ``hardware/camera/pi.py`` runs as it is.
"""

from __future__ import annotations

import mmap
import shutil
import sys
from pathlib import Path

import cv2
import libcamera
import numpy as np
import picamera2.picamera2
from picamera2 import Picamera2
from picamera2.allocators import DmaAllocator
from picamera2.request import CompletedRequest

from hardware.camera.pi import BGR

SUCCESS = libcamera.FrameMetadata.Status.Success
SIZE = (800, 480)
GOLDEN = Path(__file__).parents[2] / "decoder/golden"
PATCH_PX = 140
PATCHES = {
    (60, 20): (200, 40, 40),
    (220, 20): (40, 180, 40),
    (380, 20): (40, 40, 200),
    (540, 20): (230, 230, 230),
    (60, 260): (128, 128, 128),
    (220, 260): (30, 30, 30),
    (380, 260): (40, 200, 220),
    (540, 260): (90, 120, 190),
}
"""Left and top of each square of the test card in pixels, and its colour in BGR."""


def card() -> np.ndarray:
    """(480, 800, 3) BGR: the test card."""
    pixels = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    for (left, top), colour in PATCHES.items():
        pixels[top : top + PATCH_PX, left : left + PATCH_PX] = colour
    return pixels


def show(folder: Path) -> None:
    """Lay what the virtual camera shows, four frames each, into *folder*."""
    cv2.imwrite(str(folder / "card.jpg"), card(), [cv2.IMWRITE_JPEG_QUALITY, 98])
    shutil.copy(GOLDEN / "real.jpg", folder)
    shutil.copy(GOLDEN / "fake.jpg", folder)


class TwoPlaneAllocator(DmaAllocator):
    """Makes buffers of two planes; picamera2's own have one."""

    def allocate(self, libcamera_config, _):
        spoilt: list[object] = []
        for stream in libcamera_config:
            made = [self._make(stream, spoilt) for _ in range(stream.buffer_count)]
            self.frame_buffers[stream.stream] = made

    def _make(self, stream, spoilt):
        fd = self.dmaHeap.alloc("virtual", stream.frame_size).get()
        self.open_fds.append(fd)
        luma = stream.stride * stream.size.height
        planes = []
        for offset, length in ((0, luma), (luma, stream.frame_size - luma)):
            plane = libcamera.FrameBuffer.Plane()
            plane.fd, plane.offset, plane.length = fd, offset, length
            planes.append(plane)
        self.libcamera_fds.append(planes[0].fd)  # A copy of its own.
        self.mapped_buffers_used[planes[0].fd] = False
        # A new buffer's status is what lay in memory, the virtual camera of libcamera
        # 0.4 never writes one, and picamera2 throws away frames whose status is not
        # success. From the second opening on that was every frame.
        while (buffer := libcamera.FrameBuffer(planes)).metadata.status != SUCCESS:
            spoilt.append(buffer)  # Keeps its memory, so that the next gets another.
        self.mapped_buffers[buffer] = mmap.mmap(fd, stream.frame_size)
        return buffer


class BareVirtualPicamera2(Picamera2):
    """Picamera2 before a camera that has no sensor to ask for its modes."""

    def __init__(self) -> None:
        super().__init__(allocator=TwoPlaneAllocator())

    def _get_raw_modes(self):
        return [{"format": "NV12", "size": SIZE}]


class VirtualPicamera2(BareVirtualPicamera2):
    """The same, whose ``RGB888`` is NV12 on its way from the camera."""

    def create_video_configuration(self, main=None, **options):
        if main is None:  # The library's own, which nobody uses.
            return super().create_video_configuration(**options)
        assert main["format"] == BGR
        main = {**main, "format": "NV12"}
        return super().create_video_configuration(main=main, **options)

    def camera_configuration(self):
        got = super().camera_configuration()
        assert got["main"]["format"] == "NV12"
        return {**got, "main": {**got["main"], "format": BGR}}


class BgrRequest(CompletedRequest):
    """A frame of the virtual camera, in BGR for whoever asks."""

    def make_array(self, name):
        nv12 = super().make_array(name)
        height, width = len(nv12) * 2 // 3, nv12.shape[1]
        chroma = nv12[height:].reshape(height // 2, width // 2, 2)
        chroma = cv2.resize(chroma, (width, height), interpolation=cv2.INTER_NEAREST)
        # JPEG's own range and weights: the virtual camera hands them on as they are.
        whole = np.dstack([nv12[:height], chroma[:, :, 1], chroma[:, :, 0]])
        return cv2.cvtColor(whole, cv2.COLOR_YCrCb2BGR)


picamera2.picamera2.CompletedRequest = BgrRequest

if __name__ == "__main__":
    show(Path(sys.argv[1]))
