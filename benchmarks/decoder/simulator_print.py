"""The printed thing on the table: ink coverage of a whole note, with its truth."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.decoder.styles import Panel, Style, style_named
from benchmarks.decoder.styles.screens import ForeignScreen, Profile
from companion.printing.screen import Screen

TEXTURE_DPI = 600
TEXTURE_PX_PER_MM = TEXTURE_DPI / 25.4


@dataclass(frozen=True, slots=True)
class Face:
    """A face on the note: centre and height in mm from the note's top left corner."""

    x_mm: float
    y_mm: float
    height_mm: float
    turn_deg: float


@dataclass(frozen=True, slots=True)
class Print:
    """One printed note or card.

    Attributes:
        coverage: (rows, columns) uint8 at 600 dpi, share of the paper under ink.
        carrier: Amplitude of the screen's fundamental, 0 to 1 of coverage.
        mean: Mean coverage of the panel.
        clear: Same shape as coverage, uint8: share of the light that what lies over
            the print lets through; None when nothing does.
    """

    style: Style
    is_fake: bool
    dpi: int
    coverage: NDArray[np.uint8]
    faces: tuple[Face, ...]
    carrier: float
    mean: float
    clear: NDArray[np.uint8] | None = None


def _guilloche(
    sheet: NDArray[np.uint8], style: Style, draw: np.random.Generator
) -> None:
    """Thin waves over the whole sheet; they leave the panel to the screen."""
    height, width = sheet.shape
    x = np.linspace(0, width, 160)
    for k in range(style.guilloche):
        waves, swing = draw.uniform(2, 6), draw.uniform(0.03, 0.16) * height
        y = height * (k + 0.5) / style.guilloche + swing * np.sin(
            2 * math.pi * (waves * x / width + draw.uniform())
        )
        path = np.stack([x, y], axis=1).astype(np.int32)
        cv2.polylines(sheet, [path], False, 255, 3, cv2.LINE_8)


def _border(sheet: NDArray[np.uint8], style: Style) -> None:
    height, width = sheet.shape
    mm = TEXTURE_PX_PER_MM
    edge = int(2.2 * mm)
    if style.frame == "double":
        for inset, thick in ((edge, 0.7), (int(3.6 * mm), 0.25)):
            corner = (width - inset, height - inset)
            cv2.rectangle(sheet, (inset, inset), corner, 255, max(1, int(thick * mm)))
    elif style.frame == "dots":
        for x in range(edge, width - edge, int(2.0 * mm)):
            for y in (edge, height - edge):
                cv2.circle(sheet, (x, y), int(0.55 * mm), 255, -1)
    elif style.frame == "solid":
        band = int(3.0 * mm)
        sheet[:band], sheet[-band:], sheet[:, :band], sheet[:, -band:] = (255,) * 4
        sheet[: int(0.8 * mm)], sheet[:, : int(0.8 * mm)] = 0, 0
        sheet[-int(0.8 * mm) :], sheet[:, -int(0.8 * mm) :] = 0, 0


def _lettering(sheet: NDArray[np.uint8], style: Style, label: str) -> None:
    height, width = sheet.shape
    mm = TEXTURE_PX_PER_MM
    font = cv2.FONT_HERSHEY_TRIPLEX
    scale = 0.24 * mm / len(label) ** 0.5
    (wide, tall), _ = cv2.getTextSize(label, font, scale, int(0.9 * mm))
    inset = int(4.4 * mm)
    for at in (
        (inset, inset + tall),
        (width - inset - wide, height - inset),
    ):
        cv2.putText(sheet, label, at, font, scale, 255, int(0.9 * mm), cv2.LINE_8)
    words = "TABLE BANK  PAYS THE BEARER"
    cv2.putText(
        sheet, words, (int(24 * mm), height - int(4.2 * mm)), font, 0.045 * mm, 255, 2
    )


def _spread(dots: NDArray[np.uint8], spread_um: float) -> NDArray[np.uint8]:
    """Ink creeps outwards by *spread_um*; edges stay a little soft."""
    sigma_px = 0.9
    soft = cv2.GaussianBlur(dots, (0, 0), sigma_px)
    move_px = spread_um / 1000 * TEXTURE_PX_PER_MM
    bar = 0.5 * math.erfc(move_px / sigma_px / math.sqrt(2))
    levels = np.arange(256) / 255
    grown = np.clip((levels - bar) * 1.6 + 0.5, 0, 1) * (levels > 0.002)
    table = np.rint(grown * 255).astype(np.uint8)
    table[255] = 255
    spread: NDArray[np.uint8] = cv2.LUT(soft, table)
    return spread


def _carrier(screen: Screen, spread_um: float) -> tuple[float, float]:
    if isinstance(screen, ForeignScreen) and screen.profile is Profile.SINE:
        return 0.45, 0.5
    duty = min(0.95, screen.duty + 2 * spread_um / 1000 / screen.pitch_mm)
    return 2 / math.pi * math.sin(math.pi * duty), duty


def _lay(sheet: NDArray[np.uint8], style: Style, panel: Panel, dpi: int) -> None:
    """Print the panel on the sheet, with bare paper around it."""
    repeat = TEXTURE_DPI // dpi
    lines = panel.lines.repeat(repeat, axis=0).repeat(repeat, axis=1)
    x0, y0 = (round(at * TEXTURE_PX_PER_MM) for at in style.panel_at_mm)
    margin = int(0.8 * TEXTURE_PX_PER_MM)
    height, width = lines.shape
    around = sheet[
        y0 - margin : y0 + height + margin, x0 - margin : x0 + width + margin
    ]
    if panel.inside is None:
        around[...] = 0
    else:
        inside = panel.inside.repeat(repeat, axis=0).repeat(repeat, axis=1)
        wide = np.pad(inside.astype(np.uint8), margin)
        square = np.ones((2 * margin + 1, 2 * margin + 1), np.uint8)
        around[cv2.dilate(wide, square) > 0] = 0
    sheet[y0 : y0 + height, x0 : x0 + width][lines] = 255


def _faces(style: Style, panel: Panel) -> tuple[Face, ...]:
    x0, y0 = style.panel_at_mm
    return tuple(
        Face(x0 + p.x_mm, y0 + p.y_mm, p.height_mm, p.turn_deg) for p in panel.faces
    )


def in_process(print_: Print, draw: np.random.Generator) -> Print:
    """Return the print in dots of two or three process inks, out of register."""
    rows, columns = print_.coverage.shape
    y, x = np.mgrid[:rows, :columns].astype(np.float32) / TEXTURE_PX_PER_MM
    per_mm = 2 * math.pi * float(draw.choice([150, 175])) / 25.4
    inks = []
    for angle_deg in (15, 75, 45)[: draw.integers(2, 4)]:
        along, across = (
            np.cos(per_mm * (x * math.cos(turn) + y * math.sin(turn)))
            for turn in (math.radians(angle_deg), math.radians(angle_deg + 90))
        )
        level = float(draw.uniform(-0.7, -0.2))  # Three quarters and more are dots.
        dots = np.clip(((along + across) / 2 - level) * 4 + 0.5, 0, 1)
        off = draw.uniform(-0.1, 0.1, 2) * TEXTURE_PX_PER_MM
        moved = np.array([[1, 0, off[0]], [0, 1, off[1]]])
        lines = cv2.warpAffine(print_.coverage, moved, (columns, rows))
        inks.append(lines * dots)
    # Where all lie there is no more ink than on full paper.
    coverage = np.clip(1.2 / len(inks) * sum(inks), 0, 255)
    return replace(print_, coverage=coverage.astype(np.uint8))


@lru_cache(maxsize=48)
def printed(
    style_name: str,
    denomination: int,
    is_fake: bool,
    variant: int,
    dpi: int = 600,
    *,
    is_paired: bool = False,
) -> Print:
    """One note, the same for the same arguments; kept, since drawing takes a while.

    Args:
        style_name: What `style_named` knows.
        denomination: Index into the style's inks.
        is_fake: Whether its faces wear masks.
        variant: Which scene, guilloche and ink spread (10 to 30 um).
        dpi: 300 or 600, the printer's dots.
        is_paired: Whether the real and the fake one are alike but for masks.
    """
    style = style_named(style_name)
    seed = variant * 7919 + denomination * 31 + (is_fake and not is_paired)
    draw = np.random.default_rng([seed, len(style_name)])
    columns, rows = (round(side * TEXTURE_PX_PER_MM) for side in style.item_mm)
    sheet = np.zeros((rows, columns), np.uint8)
    _guilloche(sheet, style, draw)
    _border(sheet, style)
    _lettering(sheet, style, style.inks[denomination].label)
    panel = style.panel(denomination, seed, dpi, is_fake=is_fake)
    _lay(sheet, style, panel, dpi)
    spread_um = float(draw.uniform(10, 30))
    carrier, mean = _carrier(style.screen(denomination), spread_um)
    coverage = _spread(sheet, spread_um)
    faces = _faces(style, panel)
    return Print(style, is_fake, dpi, coverage, faces, carrier, mean)
