"""A page as a browser prints it, and how well each letter stands out on the paper."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from ctypes import c_uint

import numpy as np
import pypdfium2
from numpy.typing import NDArray
from pypdfium2.raw import FPDFText_GetFillColor, FPDFText_GetUnicode

ZOOM = 2
AROUND_SHARE = 0.15
"""Of the dots around a bold letter, at least so many are no ink."""

_STEPS = np.arange(256) / 255
LINEAR = np.where(_STEPS <= 0.04045, _STEPS / 12.92, ((_STEPS + 0.055) / 1.055) ** 2.4)


def luminance(colours: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The relative luminance of (…, 3) colours; WCAG 2.2."""
    red, green, blue = np.moveaxis(LINEAR[colours], -1, 0)
    return np.asarray(0.2126 * red + 0.7152 * green + 0.0722 * blue)


def letters(pdf: bytes) -> Iterator[tuple[str, float]]:
    """Each letter, and the contrast with what is printed around it."""
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        for page in document:
            yield from _on(page)


def _on(page: pypdfium2.PdfPage) -> Iterator[tuple[str, float]]:
    shown = page.render(scale=ZOOM, rev_byteorder=True).to_numpy()
    light = luminance(shown[..., :3])
    height, text = page.get_height(), page.get_textpage()
    for at in range(text.count_chars()):
        red, green, blue, alpha = parts = [c_uint() for _ in range(4)]
        FPDFText_GetFillColor(text, at, *parts)
        letter = chr(FPDFText_GetUnicode(text, at))
        left, bottom, right, top = text.get_charbox(at)
        box = light[
            max(0, int((height - top) * ZOOM) - 2) : int((height - bottom) * ZOOM) + 3,
            max(0, int(left * ZOOM) - 2) : int(right * ZOOM) + 3,
        ]
        if letter.isspace() or not alpha.value or not box.size:
            continue
        ink = luminance(np.array([red.value, green.value, blue.value], np.uint8))
        contrasts = (np.maximum(box, ink) + 0.05) / (np.minimum(box, ink) + 0.05)
        yield letter, float(np.quantile(contrasts, 1 - AROUND_SHARE))
