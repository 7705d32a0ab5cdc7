"""A simulated Wi-Fi of the table's own, and a reader for QR codes."""

from __future__ import annotations

import re

import cv2
import numpy as np

from companion.errors import DeviceFault
from companion.wifi import Attempt, Wifi

OWN = Wifi("vault-table", "nhzskcmtuwpb")


class Pretended:
    """A hotspot in memory, together with the whereabouts of the table.

    Args:
        own: The network that phones join; ``None`` while it is down.
    """

    def __init__(self, own: Wifi | None = OWN) -> None:
        self.own = own
        self.seen: tuple[str, ...] = ("Zuhause 5 GHz", "Anna & Ben", "FRITZ!Box 7590")
        self.tried: Attempt | None = None
        self.blocked = False
        self.wished: list[Wifi] = []
        self.fault: DeviceFault | None = None

    @property
    def hotspot(self) -> Pretended:
        return self

    def address(self) -> str:
        return "http://10.42.0.1" if self.own else ""

    def name(self) -> str:
        return "vault-table.local"

    def wifi(self) -> Wifi | None:
        return self.own

    def in_sight(self) -> tuple[str, ...]:
        return self.seen

    def attempt(self) -> Attempt | None:
        return self.tried

    def is_blocked(self) -> bool:
        return self.blocked

    def join(self, home: Wifi) -> None:
        if self.fault:
            raise self.fault
        self.wished.append(home)


def read_code(svg: bytes) -> str:
    """Read a QR code in SVG as a phone's camera does, from the paths of its rows."""
    text = svg.decode()
    size = int(re.search(r'viewBox="0 0 (\d+) ', text)[1])  # type: ignore[index]
    dots = np.full((size, size), 255, np.uint8)
    dark = re.findall(r'class="qrline"[^>]* d="([^"]+)"', text)[0]
    x = y = 0.0
    for kind, numbers in re.findall(r"([Mmhv])([-\d. ]+)", dark):
        values = [float(n) for n in re.findall(r"-?[\d.]+", numbers)]
        if kind == "M":
            x, y = values
        elif kind == "m":
            x, y = x + values[0], y + values[1]
        elif kind == "h":
            dots[int(y), int(x) : int(x + values[0])] = 0
            x += values[0]
    picture = cv2.resize(dots, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST)
    # OpenCV's other detector fails at 1 in 300 of such codes.
    return cv2.QRCodeDetectorAruco().detectAndDecode(picture)[0]
