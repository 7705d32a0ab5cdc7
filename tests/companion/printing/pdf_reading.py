"""Enough of PDF to look into our sheets without the library that wrote them."""

from __future__ import annotations

import base64
import re
import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.bool_]


@dataclass(frozen=True)
class Sheet:
    """One page: the words on it in drawing order, and its stencils likewise."""

    size_mm: tuple[float, float]
    words: tuple[str, ...]
    stencils: tuple[Bits, ...]
    stencils_mm: tuple[tuple[float, float], ...]
    corners_pt: tuple[tuple[float, float], ...]


_SHOWN = r"(\S+) 0 0 (\S+) (\S+) (\S+) cm\s+/(FormXob\.\w+) Do"
_POINT_MM = 25.4 / 72


def _objects(pdf: bytes) -> dict[int, bytes]:
    found = re.finditer(rb"(\d+) 0 obj\n(.*?)\nendobj", pdf, re.DOTALL)
    return {int(m[1]): m[2] for m in found}


def _stream(content: bytes) -> bytes:
    length = int(re.search(rb"/Length (\d+)", content)[1])  # type: ignore[index]
    start = content.index(b"stream\n") + 7
    body = content[start : start + length]
    if b"ASCII85Decode" in content[:start]:
        body = base64.a85decode(b"<~" + body.strip(), adobe=True)
    return zlib.decompressobj().decompress(body)


def _stencil(content: bytes) -> Bits:
    width, height = (
        int(re.search(rb"/%s (\d+)" % key, content)[1])  # type: ignore[index]
        for key in (b"Width", b"Height")
    )
    packed = np.frombuffer(_stream(content), np.uint8).reshape(height, -1)
    dots: Bits = np.unpackbits(packed, axis=1)[:, :width] == 0
    return dots


def sheets(pdf: bytes) -> list[Sheet]:
    objects = _objects(pdf)
    names = {
        name.decode(): int(number)
        for content in objects.values()
        if b"/ImageMask" not in content
        for name, number in re.findall(rb"/(FormXob\.\w+) (\d+) 0 R", content)
    }
    found = []
    for content in objects.values():
        if not re.search(rb"/Type /Page\b(?!s)", content):
            continue
        box = re.search(rb"/MediaBox \[ ([\d. ]+) \]", content)
        at = re.search(rb"/Contents (\d+) 0 R", content)
        assert box
        assert at
        sides = [float(side) * _POINT_MM for side in box[1].split()]
        drawn = _stream(objects[int(at[1])]).decode("latin-1")
        shown = re.findall(_SHOWN, drawn)
        found.append(
            Sheet(
                (sides[2], sides[3]),
                tuple(re.findall(r"\((.*?)\) Tj", drawn)),
                tuple(_stencil(objects[names[name]]) for *_, name in shown),
                tuple(
                    (float(w) * _POINT_MM, float(h) * _POINT_MM) for w, h, *_ in shown
                ),
                tuple((float(x), float(y)) for _, _, x, y, _ in shown),
            )
        )
    return found
