"""The film of lines laid on a print, and an eye that looks for faces beneath it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.printing.art import raster
from companion.printing.deck import PrintDeck
from companion.printing.screen import Screen, grating, pixels_per_mm

Map = NDArray[np.float64]

EYE_PX_PER_MM = 3.0


def film(print_: NDArray[np.bool_], screen: Screen, dpi: int) -> NDArray[np.bool_]:
    """Ink seen when the film of *screen* lies on the print, edge along edge."""
    rows, columns = print_.shape
    scale = pixels_per_mm(dpi)
    lines = grating((columns / scale, rows / scale), screen, dpi)
    seen: NDArray[np.bool_] = print_ | lines[:rows, :columns]
    return seen


def eye(seen: NDArray[np.bool_], dpi: int, blur_mm: float) -> Map:
    """What is left from afar: a Gauss of *blur_mm*, at three pixels a mm, mean 0."""
    fy, fx = (np.fft.fftfreq(side, 1 / pixels_per_mm(dpi)) for side in seen.shape)
    keep = np.exp(-2 * (np.pi * blur_mm) ** 2 * (fy[:, None] ** 2 + fx[None] ** 2))
    soft = np.fft.ifft2(np.fft.fft2(seen) * keep).real
    rows, columns = (
        int(side / pixels_per_mm(dpi) * EYE_PX_PER_MM) for side in seen.shape
    )
    at_y = (np.arange(rows) * seen.shape[0] // rows)[:, None]
    at_x = (np.arange(columns) * seen.shape[1] // columns)[None]
    picture: Map = soft[at_y, at_x]
    return picture - picture.mean()


def response(picture: Map, deck: PrintDeck, *, masked: bool) -> Map:
    """Correlation of a picture with one face, everywhere; its peak is at a face."""
    height = round(deck.face_height_mm * 1.12 * EYE_PX_PER_MM)
    face = raster(deck.masked if masked else deck.plain, height).astype(np.float64)
    face -= face.mean()
    face /= np.linalg.norm(face)
    field = np.zeros_like(picture)
    field[: face.shape[0], : face.shape[1]] = face
    field = np.roll(field, (-(face.shape[0] // 2), -(face.shape[1] // 2)), axis=(0, 1))
    return np.fft.ifft2(np.fft.fft2(picture) * np.conj(np.fft.fft2(field))).real


def looks_fake(seen: NDArray[np.bool_], deck: PrintDeck, dpi: int) -> bool:
    """Whether the best face under the film wears a mask."""
    picture = eye(seen, dpi, 0.6 * deck.screen.pitch_mm)
    peaks = [response(picture, deck, masked=masked).max() for masked in (False, True)]
    return bool(peaks[1] > peaks[0])
