"""Film that decodes notes, and a strip that shows how fine a printer can print it.

Film is a grating of plain lines to lay on a note in place of the toy's lens. The
*pitch* of lines is the distance from one to the next; the calibration strip has patches
of several.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.printing.art import Placed
from companion.printing.deck import panel_lines, panel_scene
from companion.printing.gentleman import PLAIN
from companion.printing.job import Job
from companion.printing.layout import draw_ruler
from companion.printing.page import BLACK, WHITE, Align, Pages
from companion.printing.screen import MM_PER_INCH, grating

CALIBRATION_PITCHES_MM = (0.25, 0.30, 0.34, 0.42, 0.50, 0.60)
"""The pitches of the calibration strip, finest first."""

PATCH_MM = (62.0, 22.0)
"""Width and height of a patch of the calibration strip."""

FILM_MM = (110.0, 70.0)
"""Width and height of a film's grating."""

RULER_LINES = 100
"""Lines between the ends of a film's ruler."""


def _draw_patch(pages: Pages, row: int, pitch_mm: float, job: Job) -> None:
    """Draw a patch with three faces, masked on every other row, and its label."""
    screen = replace(job.deck.screen, pitch_mm=pitch_mm)
    deck = replace(job.deck, screen=screen, panel_mm=PATCH_MM, faces=(3, 3))
    scene = panel_scene(deck, is_fake=row % 2 == 1, seed=row)
    x, y = pages.width_mm / 2 - 8, 54 + row * (PATCH_MM[1] + 8)
    pages.stencil((x, y), panel_lines(deck, scene, job.dots_an_inch), job.dpi)
    label = f"{pitch_mm:.2f} mm"
    pages.text((x - 6, y + 9), label, 6, BLACK, Align.RIGHT, bold=True)
    lines = f"{MM_PER_INCH / pitch_mm:.0f} lines an inch, --pitch-mm {pitch_mm:.2f}"
    pages.text((x - 6, y + 15), lines, 3.2, BLACK, Align.RIGHT)


def calibration_page(pages: Pages, job: Job) -> None:
    """Draw patches of rising pitch, for people to choose one."""
    pages.heading(
        "Which lines does this printer hold?",
        (
            "Photograph each patch from 15 cm, or lay film of the same pitch on it.",
            "The topmost patch whose faces come out is the finest for this printer;",
            f"take its --pitch-mm or a coarser one. Made for {job.dpi} dots an inch.",
        ),
    )
    for row, pitch_mm in enumerate(CALIBRATION_PITCHES_MM):
        _draw_patch(pages, row, pitch_mm, job)
    draw_ruler(pages)


def _draw_pitch_ruler(pages: Pages, right: float, y: float, job: Job) -> None:
    """Draw upright lines of the film's pitch, with a tick at each tenth.

    A ruler along all of them shows whether the pitch is right; another film on them
    shows a band for each per cent by which its pitch differs. *right* is where the
    lines end, and *y* their upper edge.
    """
    length_mm = RULER_LINES * job.pitch_mm
    upright = replace(job.deck.screen, angle_deg=0.0)
    # One line more, so that both ends have an edge to measure from.
    size = (length_mm + job.pitch_mm / 2, 5.0)
    x = right - size[0]
    pages.stencil((x, y), grating(size, upright, job.dots_an_inch), job.dpi)
    for line in range(0, RULER_LINES + 1, 10):
        tick = x + (line + 0.25) * job.pitch_mm  # The middle of that line's ink.
        pages.path(np.array([(tick, y), (tick, y - 1.2)]), BLACK, 0.15)
    pages.text((x, y + 8), f"{RULER_LINES} lines = {length_mm:.1f} mm", 2.6)


def lens_pdf(job: Job | None = None) -> bytes:
    """Make a PDF of two gratings for film, which show what a note hides."""
    job = job or Job()
    pages = job.pages("Decoder film")
    pages.heading(
        "Decoder film",
        (
            "Print on clear film made for your printer, at 100 %, and cut out.",
            "Lay it on the lines of a note, edge along edge, and turn it very slowly:",
            "pictures come out of the lines. A face with a mask: the note is fake.",
        ),
    )
    film = grating(FILM_MM, job.deck.screen, job.dots_an_inch)
    for row in range(2):
        x = (pages.width_mm - FILM_MM[0]) / 2
        y = 57 + row * (FILM_MM[1] + 22)
        pages.stencil((x, y), film, job.dpi)
        unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)], dtype=np.float64)
        edge = unit * (FILM_MM[0] + 6, FILM_MM[1] + 16) + np.array((x - 3, y - 3))
        pages.path(edge, BLACK, 0.2)
        foot = y + FILM_MM[1] + 6.5
        pages.drawing(Placed(PLAIN, x + 6, foot, 11), BLACK, WHITE)
        pages.text((x + 13, foot - 0.5), f"{job.pitch_mm:.2f} mm", 4)
        pages.text((x + 13, foot + 3.5), "lay flat, turn slowly", 3)
        _draw_pitch_ruler(pages, x + FILM_MM[0] - 1, foot - 4, job)
    draw_ruler(pages)
    pages.next_page()
    return pages.pdf()
