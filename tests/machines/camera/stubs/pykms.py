"""What picamera2 imports for a preview on a screen, which this project never opens.

Debian has no python3-kms++ outside of Raspberry Pi OS.
"""

from types import SimpleNamespace

PixelFormat = SimpleNamespace(
    **{
        name: name
        for name in (
            *("RGB888", "BGR888", "XRGB8888", "XBGR8888", "ARGB8888", "ABGR8888"),
            *("YUV420", "YVU420", "NV12", "YUYV", "YVYU", "UYVY", "VYUY"),
            *("RGB565", "BGR565"),
        )
    }
)


class DumbFramebuffer: ...


class DmabufFramebuffer: ...
