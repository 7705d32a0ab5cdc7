"""Decks drawn at random by a seed: what is hidden, how it is scrambled and printed."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from benchmarks.decoder.styles.base import Colour, Ink, Panel, Style
from benchmarks.decoder.styles.screens import Encoding, ForeignScreen, Profile
from benchmarks.decoder.styles.zoo.faces import Pair, pair
from benchmarks.decoder.styles.zoo.interlaced import (
    SHOWN,
    SLOT,
    blobs,
    in_strips,
    interlace,
    laced,
    symbols,
)
from benchmarks.decoder.styles.zoo.things import thing
from companion.printing.art import Drawing, Placed, paint
from companion.printing.deck import PrintDeck
from companion.printing.screen import pixels_per_mm

LINES_MIN = 14
"""Least height of a face in lines: who draws one makes it as tall as shows."""

NARROW_FROM = 100_000

INKS: dict[str, tuple[Colour, Colour]] = {
    "black": ((0.04, 0.04, 0.04), (0.84, 0.86, 0.86)),
    "blue": ((0.36, 0.09, 0.04), (0.88, 0.85, 0.80)),
    "green": ((0.07, 0.18, 0.05), (0.76, 0.88, 0.78)),
    "purple": ((0.28, 0.05, 0.20), (0.86, 0.78, 0.84)),
    "brown": ((0.03, 0.08, 0.20), (0.66, 0.82, 0.90)),
    "teal": ((0.20, 0.14, 0.03), (0.86, 0.88, 0.76)),
    "red": ((0.05, 0.07, 0.42), (0.72, 0.86, 0.92)),
    "orange": ((0.03, 0.16, 0.58), (0.64, 0.82, 0.90)),
}
"""Ink, and the paper that it is printed on; red and orange on cream."""

LABELS = ("1", "2", "5", "10", "20", "50", "100", "500", "CHANCE", "LUCK")


class Family(enum.StrEnum):
    """How a panel hides its picture."""

    CARRIER = "carrier"  # Lines that move where the picture is.
    INTERLACED = "interlaced"  # Strips of the picture between those of a camouflage.
    STRIPS = "strips"  # Strips of the picture, each turned over or squeezed.


@dataclass(frozen=True, slots=True)
class Layout:
    """How faces and symbols stand on the panels of a deck.

    Attributes:
        grid: Columns and rows of cells.
        stray: By this share of a face's height at most, a thing stands off its cell's
            middle either way.
        turn_deg: By so much at most a face is turned either way.
        sizes: Smallest and largest symbol, as shares of the face's height.
        turn_symbols_deg: By so much at most a symbol is turned.
        is_cut: A row and a column of the grid run over the panel's edge.
        is_round: The panel is an ellipse.
        is_common: The first symbol stands on every note, about as often as the face
            and as steadily.
        is_inverted: The picture is hidden with its two states exchanged.
    """

    grid: tuple[int, int]
    stray: float
    turn_deg: float
    sizes: tuple[float, float]
    turn_symbols_deg: float
    is_cut: bool
    is_round: bool
    is_common: bool
    is_inverted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ZooStyle(Style):
    """A deck of the zoo.

    Attributes:
        traits: Words for what was drawn, for tables.
        camouflage: Drawings of which an interlaced deck's camouflage is made; blobs
            where there are none.
        cover: How dense those blobs are: 0 as the picture, 1 half of the panel.
        shown: How much of the picture a strip shows, see `in_strips`.
    """

    layout: Layout
    traits: tuple[str, ...]
    family: Family = Family.CARRIER
    camouflage: tuple[Drawing, ...] = ()
    cover: float = 0.0
    shown: float = 1.0

    def panel(self, denomination: int, seed: int, dpi: int, *, is_fake: bool) -> Panel:
        """The panel of one note; the phase of its lines is its own."""
        draw = np.random.default_rng([seed, 77])
        scene, faces = self._scene(draw, is_fake=is_fake)
        hidden = paint(scene, self.deck.panel_mm, pixels_per_mm(dpi))
        if self.layout.is_inverted:
            hidden = ~hidden
        screen = self.screen(denomination)
        phase0 = float(draw.random())
        if self.family is Family.INTERLACED:
            covering = self.camouflaged(draw, hidden, dpi)
            lines = interlace(hidden, covering, screen, dpi, phase0)
        elif self.family is Family.STRIPS:
            lines = in_strips(hidden, screen, dpi, phase0, self.shown)
        else:
            lines = screen.scramble(hidden, dpi, phase0)
        inside = _ellipse(lines.shape) if self.layout.is_round else None
        return Panel(lines if inside is None else lines & inside, inside, faces)

    def camouflaged(
        self, draw: np.random.Generator, hidden: NDArray[np.bool_], dpi: int
    ) -> NDArray[np.bool_]:
        """Draw what covers the picture of a note, another on each: (rows, columns)."""
        deck = self.deck
        if self.camouflage:
            drawn = symbols(
                draw, self.camouflage, deck.panel_mm, dpi, deck.face_height_mm
            )
            return ~drawn if self.layout.is_inverted else drawn
        shape = (hidden.shape[0], hidden.shape[1])
        noise = blobs(draw, shape, dpi, deck.face_height_mm)
        share = hidden.mean() + self.cover * (0.5 - hidden.mean())
        level = np.quantile(noise[::8, ::8], 1 - share)
        return np.asarray(noise > level)

    def _scene(
        self, draw: np.random.Generator, *, is_fake: bool
    ) -> tuple[tuple[Placed, ...], tuple[Placed, ...]]:
        """All that is hidden in a panel, and the faces that lie on it whole."""
        deck, layout = self.deck, self.layout
        cells = _cells(layout, deck.panel_mm)
        whole = [c for c in cells if _is_whole(c, deck, layout)]
        cut = [c for c in cells if c not in whole]
        draw.shuffle(whole)
        count = min(int(draw.integers(deck.faces[0], deck.faces[1] + 1)), len(whole))
        face = deck.masked if is_fake else deck.plain
        # What the edge cuts is as often a face as what it does not.
        share = count / len(whole)
        cut_faces = [c for c in cut if layout.is_cut and draw.random() < share]
        faces = [self._face(draw, c, face) for c in whole[:count]]
        rest = [c for c in cut if c not in cut_faces]
        others = [
            *(self._face(draw, c, face) for c in cut_faces),
            *self._symbols(draw, [*whole[count:], *rest], count),
        ]
        return (*faces, *others), tuple(faces)

    def _near(
        self, draw: np.random.Generator, cell: tuple[float, float]
    ) -> tuple[float, float]:
        stray_mm = self.layout.stray * self.deck.face_height_mm
        x, y = np.array(cell) + draw.uniform(-1, 1, 2) * stray_mm
        return float(x), float(y)

    def _face(
        self, draw: np.random.Generator, cell: tuple[float, float], face: Drawing
    ) -> Placed:
        x, y = self._near(draw, cell)
        turn = draw.uniform(-1, 1) * self.layout.turn_deg
        return Placed(face, x, y, self.deck.face_height_mm, float(turn))

    def _symbols(
        self, draw: np.random.Generator, cells: list[tuple[float, float]], count: int
    ) -> list[Placed]:
        layout, deck = self.layout, self.deck
        placed = []
        for k, cell in enumerate(cells):
            x, y = self._near(draw, cell)
            is_common = layout.is_common and k < count
            which = 0 if is_common else int(draw.integers(len(deck.symbols)))
            size = layout.sizes[1] if is_common else float(draw.uniform(*layout.sizes))
            most = layout.turn_deg if is_common else layout.turn_symbols_deg
            turn = float(draw.uniform(-1, 1) * most)
            height = deck.face_height_mm * size
            placed.append(Placed(deck.symbols[which], x, y, height, turn))
        return placed


def _cells(layout: Layout, panel_mm: tuple[float, float]) -> list[tuple[float, float]]:
    """Middles of the cells in mm, row by row.

    On a cut panel those of the first and last rows and columns lie on its edge.
    """
    columns, rows = layout.grid
    wide, tall = panel_mm[0] / columns, panel_mm[1] / rows
    off = 0.0 if layout.is_cut else 0.5
    more = 1 if layout.is_cut else 0
    return [
        ((column + off) * wide, (row + off) * tall)
        for row in range(rows + more)
        for column in range(columns + more)
    ]


def _ellipse(shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """The ellipse that fills a box of rows and columns."""
    y, x = np.ogrid[: shape[0], : shape[1]]
    across, down = (2 * x + 1) / shape[1] - 1, (2 * y + 1) / shape[0] - 1
    inside: NDArray[np.bool_] = across**2 + down**2 <= 1
    return inside


def _is_whole(cell: tuple[float, float], deck: PrintDeck, layout: Layout) -> bool:
    """Whether a face in the cell lies on the panel whole, however it is turned."""
    reach = (0.5 + layout.stray) * deck.face_height_mm
    half = (deck.panel_mm[0] / 2, deck.panel_mm[1] / 2)
    x, y = abs(cell[0] - half[0]), abs(cell[1] - half[1])
    if not layout.is_round:
        return x + reach <= half[0] + 0.3 and y + reach <= half[1] + 0.3
    angles = np.linspace(0, 2 * math.pi, 24, endpoint=False)
    rim = ((x + reach * np.cos(angles)) / half[0]) ** 2
    rim += ((y + reach * np.sin(angles)) / half[1]) ** 2
    return bool((rim <= 1.02).all())


def _screen(draw: np.random.Generator) -> ForeignScreen:
    encodings = (Encoding.PHASE, Encoding.PHASE, Encoding.MIRRORED, Encoding.SOFT)
    shift = float(draw.choice([0.5, 0.5, 1 / 3, 0.25, -1]))
    return ForeignScreen(
        pitch_mm=float(draw.uniform(0.25, 0.60)),
        angle_deg=float(draw.uniform(0, 180)),
        duty=float(draw.uniform(0.35, 0.6)),
        shift=shift if shift > 0 else float(draw.uniform(0.25, 0.5)),
        profile=Profile.SINE if draw.random() < 0.25 else Profile.SQUARE,
        encoding=encodings[int(draw.integers(len(encodings)))],
    )


def _other_run(draw: np.random.Generator, screen: ForeignScreen) -> ForeignScreen:
    """Another print run's screen: other lines, now and then another shift."""
    pitch_mm = float(np.clip(screen.pitch_mm * draw.uniform(0.88, 1.14), 0.25, 0.60))
    shift = float(draw.uniform(0.25, 0.5)) if draw.random() < 0.3 else screen.shift
    angle_deg = float(draw.uniform(0, 180))
    return replace(screen, pitch_mm=pitch_mm, angle_deg=angle_deg, shift=shift)


def _inks(
    draw: np.random.Generator, screen: ForeignScreen
) -> tuple[tuple[Ink, ...], bool]:
    """Two to four denominations, and whether each is a print run of its own."""
    has_runs = bool(draw.random() < 0.35)
    names = draw.permutation(list(INKS))[: int(draw.integers(2, 5))]
    inks = []
    for k, name in enumerate(names):
        ink, paper = INKS[str(name)]
        tint = draw.uniform(0.94, 1.04, 3)
        light = (paper[0] * tint[0], paper[1] * tint[1], paper[2] * tint[2])
        label = LABELS[int(draw.integers(len(LABELS)))]
        own = _other_run(draw, screen) if has_runs and k else None
        inks.append(Ink(label, ink, light, own))
    return tuple(inks), has_runs


def _layout(
    draw: np.random.Generator,
    face: Pair,
    height_mm: float,
    panel_mm: tuple[float, float],
) -> Layout:
    loose = float(draw.uniform(1.0, 1.2))
    room = height_mm * loose
    wide = max(0.8, face.width) * room
    least = float(draw.uniform(0.35, 0.7))
    return Layout(
        grid=(max(2, int(panel_mm[0] / wide)), max(2, int(panel_mm[1] / room))),
        stray=(loose - 1) / 2 + 0.01,
        turn_deg=float(draw.uniform(0, 20)) if draw.random() < 0.8 else 0.0,
        sizes=(least, float(draw.uniform(least, 1.0))),
        turn_symbols_deg=float(draw.choice([10, 25, 180])),
        is_cut=bool(draw.random() < 0.3),
        is_round=bool(draw.random() < 0.3),
        is_common=bool(draw.random() < 0.3),
        is_inverted=bool(draw.random() < 0.5),
    )


def _traits(
    screen: ForeignScreen, layout: Layout, *, has_runs: bool
) -> tuple[str, ...]:
    return (
        "cut" if layout.is_cut else "whole",
        "round" if layout.is_round else "square",
        "screens of their own" if has_runs else "one screen",
        "common symbol" if layout.is_common else "no common symbol",
        f"encoding {screen.encoding}",
        f"profile {screen.profile}",
        "states exchanged" if layout.is_inverted else "states as drawn",
    )


def _deck(
    draw: np.random.Generator, name: str, *, is_narrow: bool
) -> tuple[PrintDeck, Layout, Pair]:
    """Faces, symbols and panel; drawn again where too few faces find room."""
    screen = _screen(draw)
    while True:
        height_mm = float(draw.uniform(max(6.0, LINES_MIN * screen.pitch_mm), 10.0))
        panel_mm = (float(draw.uniform(40, 70)), float(draw.uniform(30, 40)))
        line = 1.2 * screen.pitch_mm / height_mm
        face = pair(draw, line, is_narrow=is_narrow)
        layout = _layout(draw, face, height_mm, panel_mm)
        symbols = tuple(thing(draw) for _ in range(int(draw.integers(2, 9))))
        few = int(draw.integers(3, 6))
        deck = PrintDeck(
            name=name,
            plain=face.plain,
            masked=face.masked,
            symbols=symbols,
            screen=screen,
            face_height_mm=height_mm,
            faces=(few, min(7, few + int(draw.integers(0, 3)))),
            panel_mm=panel_mm,
        )
        cells = _cells(layout, panel_mm)
        whole = sum(_is_whole(c, deck, layout) for c in cells)
        if few < whole and 2 * few <= len(cells) + 1:
            return deck, layout, face


@lru_cache(maxsize=256)
def zoo_style(seed: int, family: Family = Family.CARRIER) -> ZooStyle:
    """The deck of a seed: notes or cards of two to four denominations.

    Decks of one seed and several families hide the same pictures. The faces of decks
    from NARROW_FROM on wear narrow masks.
    """
    if family is Family.INTERLACED:
        return _interlaced(seed)
    if family is Family.STRIPS:
        return _strips(seed)
    draw = np.random.default_rng([seed, 4712])
    deck, layout, face = _deck(draw, f"zoo {seed}", is_narrow=seed >= NARROW_FROM)
    inks, has_runs = _inks(draw, deck.screen)
    is_card = bool(draw.random() < 0.3)
    item_mm = (88.0, 63.0) if is_card else (100.0, 50.0)
    # At least 4.5 mm of border on every side.
    x_mm, y_mm = (
        float(draw.uniform(4.5, side - panel - 4.5))
        for side, panel in zip(item_mm, deck.panel_mm, strict=True)
    )
    return ZooStyle(
        deck=deck,
        inks=inks,
        item_mm=item_mm,
        panel_at_mm=(x_mm, y_mm),
        kind="card" if is_card else "note",
        frame=str(draw.choice(["double", "dots", "solid"])),
        guilloche=int(draw.integers(0, 14)),
        layout=layout,
        traits=(*_traits(deck.screen, layout, has_runs=has_runs), *face.traits),
    )


def _interlaced(seed: int) -> ZooStyle:
    """The deck of a seed with its pictures interlaced with a camouflage."""
    style = zoo_style(seed)
    draw = np.random.default_rng([seed, 4713])
    slot = float(draw.uniform(*SLOT))
    things = tuple(thing(draw) for _ in range(int(draw.integers(4, 9))))
    has_symbols = bool(draw.random() < 0.5)
    inks = tuple(
        replace(ink, screen=ink.screen and laced(ink.screen, slot))
        for ink in style.inks
    )
    deck = replace(
        style.deck,
        name=f"{style.name} {Family.INTERLACED}",
        screen=laced(style.deck.screen, slot),
    )
    cover = "camouflage of symbols" if has_symbols else "camouflage of blobs"
    return replace(
        style,
        deck=deck,
        inks=inks,
        family=Family.INTERLACED,
        camouflage=things if has_symbols else (),
        cover=float(draw.random()),
        traits=(*style.traits, cover),
    )


def _strips(seed: int) -> ZooStyle:
    """The deck of a seed with its pictures in strips, turned over or squeezed."""
    style = zoo_style(seed)
    draw = np.random.default_rng([seed, 4714])
    shown = float(draw.choice(SHOWN))
    return replace(
        style,
        deck=replace(style.deck, name=f"{style.name} {Family.STRIPS}"),
        family=Family.STRIPS,
        shown=shown,
        traits=(*style.traits, f"{abs(shown):.0f} strips wide"),
    )
