"""Faces in plain sight through a halftone: "fake cash looks like this" on a box.

Nothing is scrambled, so nothing may be judged; the dots are as fine as a print's lines.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace

import numpy as np

from benchmarks.decoder.styles.base import Panel, Style
from companion.printing.art import paint
from companion.printing.deck import panel_scene
from companion.printing.screen import pixels_per_mm

RULINGS_MM = (0.17, 0.6)
"""From dot to dot: 150 lines an inch, and a newspaper's coarsest."""


@dataclass(frozen=True, slots=True)
class DottedStyle(Style):
    """A style whose pictures are printed in dots, and not scrambled."""

    def panel(self, denomination: int, seed: int, dpi: int, *, is_fake: bool) -> Panel:
        """Print the picture in two tones, each as dots of its own size."""
        del denomination
        draw = np.random.default_rng([seed, 78])
        scene = panel_scene(self.deck, is_fake=is_fake, seed=seed)
        hidden = paint(scene, self.deck.panel_mm, pixels_per_mm(dpi))
        light, dark = draw.uniform(0.08, 0.3), draw.uniform(0.45, 0.95)
        tone = np.where(hidden, dark, light)
        period = draw.uniform(*RULINGS_MM) * pixels_per_mm(dpi)
        angle = math.radians(draw.uniform(0, 90))
        y, x = np.mgrid[: hidden.shape[0], : hidden.shape[1]] * (2 * math.pi / period)
        u, v = (
            x * math.cos(angle) + y * math.sin(angle),
            y * math.cos(angle) - x * math.sin(angle),
        )
        # Elliptic dots join into chains first one way, then the other.
        chained = draw.uniform(0, 0.4)
        spot = ((1 + chained) * np.cos(u) + (1 - chained) * np.cos(v)) / 4 + 0.5
        return Panel(spot > 1 - tone, None, ())


def dotted(style: Style) -> DottedStyle:
    """Return the style as a halftone of its pictures."""
    own = {f.name: getattr(style, f.name) for f in fields(Style)}
    deck = replace(style.deck, name=f"dotted {style.name}")
    return DottedStyle(**own | {"deck": deck})
