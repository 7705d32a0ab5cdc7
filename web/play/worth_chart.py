"""The chart of everybody's worth over the game, drawn as SVG by the library pygal.

A seat's worth is its money, deeds and buildings, in dollars. Each seat has a
line in its colour with its own dashes, and the player's name at the right end.

Browsers show the chart as a separate image, so that no style in it affects the page.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from itertools import count
from types import ModuleType
from typing import TYPE_CHECKING, Final, cast

import msgspec

from companion.views.worth_history import Worths
from companion.words import Language

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

WIDTH: Final = 480
HEIGHT: Final = 160
TALL: Final = 240  # For the end, where the chart has most of the screen.
MARGIN: Final = 8
"""The size of the chart, and its margin, in pixels, as all sizes here."""

NAME_SIZE: Final = 15
"""The font size of the names beside their lines."""

LETTER_WIDTH: Final = NAME_SIZE * 0.6
"""About how wide a letter of a name is."""

NAME_HEIGHT: Final = NAME_SIZE + 2
"""The least distance between two names below each other."""

NAME_LETTERS: Final = 12
"""The most letters of a name beside its line; the lines shall have most of the room."""

NAME_GAP: Final = 24
"""The room to the right of the lines, besides that for the longest name."""


class WorthLine(msgspec.Struct, frozen=True):
    """A seat with a line in the chart, its player, and the name of its colour."""

    seat: str
    name: str
    colour: str


class ChartLook(msgspec.Struct, frozen=True):
    """The colours of a chart: background, text, grid lines, and seats by name."""

    ground: str
    ink: str
    rule: str
    seats: dict[str, str]


LOOKS: Final = {
    "light": ChartLook(
        ground="#faf4e3", ink="#16231d", rule="#d9cba2",
        seats={
            "red": "#b5322b", "blue": "#1f5fa8", "green": "#2a7337",
            "orange": "#b05410", "purple": "#75419b", "teal": "#0e6f76",
            "pink": "#b13a78", "silver": "#5d6670",
        },
    ),
    "dark": ChartLook(
        ground="#07100d", ink="#f3ead2", rule="#2f4a3f",
        seats={
            "red": "#ff857b", "blue": "#79b8ff", "green": "#74d38b",
            "orange": "#ffb260", "purple": "#cda5f5", "teal": "#58d3da",
            "pink": "#ff9bcd", "silver": "#c9d1d9",
        },
    ),
}  # fmt: skip
"""The colours of a chart, by theme."""

DASHES: Final = ("", "10 5", "2 5", "14 4 2 4", "6 3", "20 6", "2 3 8 3", "4 9")
"""The dashes of each seat's line, since not everybody can tell colours apart."""

ANIMATION: Final = """.plot .series { animation: draw 6s 2s linear both; }
.text-overlay .series { animation: name 0.5s 8s both; }
@keyframes draw { from { clip-path: inset(-9px 100% -9px -9px); }
to { clip-path: inset(-9px); } }
@keyframes name { from { opacity: 0; } }"""
"""A style that draws the lines from left to right, and then shows their names."""


def worth_chart(
    worths: Sequence[Worths],
    lines: Sequence[WorthLine],
    look: ChartLook,
    language: Language,
    *,
    draws: bool = False,
    height: int = HEIGHT,
) -> bytes:
    """Draw the chart as SVG.

    Args:
        worths: Everybody's worth at the end of each turn.
        lines: The seats that have a line, in the order of play.
        look: The colours.
        language: The language in which amounts are written.
        draws: Whether the lines are animated, from left to right.
        height: How tall it is, in pixels.
    """
    pygal = _import_pygal()
    highest = max(_highest_worth(worths), 1)
    longest = max((len(_short(line.name, lines)) for line in lines), default=0)
    chart = pygal.Line(
        width=WIDTH, height=height, style=_build_style(lines, look), js=(),
        show_legend=False, explicit_size=True,
        print_labels=True, print_values=False, show_only_major_dots=True,
        show_minor_x_labels=False, dots_size=4, margin=MARGIN,
        margin_right=NAME_GAP + int(longest * LETTER_WIDTH),
        no_data_text="", y_labels=_even_steps(highest),
        value_formatter=lambda amount: language.amount(int(amount)),
        include_x_axis=True, range=(0, highest),
    )  # fmt: skip
    chart.uuid = "worths"  # Not random, so that equal worths give an equal chart.
    chart.x_labels = [str(number) for number in range(len(worths))]
    chart.x_labels_major = chart.x_labels[-1:]
    chart.show_x_labels = False
    for number, line in enumerate(lines):
        amounts: list[object] = [dict(turn.seats).get(line.seat) for turn in worths]
        if amounts and amounts[-1] is not None:
            amounts[-1] = {"value": amounts[-1], "label": _short(line.name, lines)}
        dashes = DASHES[number % len(DASHES)]
        stroke = {"width": 3, "linecap": "butt", "linejoin": "round"}
        chart.add(line.name, amounts, stroke_style=stroke | {"dasharray": dashes})
    drawing = chart.render_tree()
    if draws:
        drawing.insert(0, _style_element(ANIMATION))
    return _write_svg(drawing, height)


def _style_element(css: str) -> Element:
    from xml.etree.ElementTree import Element

    element = Element("style")
    element.text = css
    return element


def _build_style(lines: Sequence[WorthLine], look: ChartLook) -> object:
    """Return the style for pygal: flat colours, solid grid lines, no animation."""
    colours = tuple(look.seats.get(line.colour, look.ink) for line in lines)
    return _import_pygal().style.Style(
        background=look.ground,
        plot_background=look.ground,
        foreground=look.ink,
        foreground_strong=look.ink,
        foreground_subtle=look.rule,
        colors=colours,
        value_colors=colours,
        font_family="sans-serif",
        label_font_size=13,
        major_label_font_size=13,
        value_font_size=NAME_SIZE,
        value_label_font_size=NAME_SIZE,
        guide_stroke_color=look.rule,
        major_guide_stroke_color=look.rule,
        guide_stroke_dasharray="1 0",
        major_guide_stroke_dasharray="1 0",
        transition="none",
        opacity="1",
        stroke_opacity="1",
        stroke_width="3",
    )


def _import_pygal() -> ModuleType:
    """Import pygal, but remove the importer for its map plugins.

    Python 3.11 would warn about its outdated kind at every later import.
    """
    import pygal
    import pygal.style

    sys.meta_path[:] = [
        importer for importer in sys.meta_path if hasattr(importer, "find_spec")
    ]
    return cast("ModuleType", pygal)


def _short(name: str, lines: Sequence[WorthLine]) -> str:
    """Return a name that leaves room for the lines: whole, or its first word."""
    if len(name) <= NAME_LETTERS:
        return name
    first = re.split("[ -]", name)[0]
    is_clear = sum(line.name.startswith(first) for line in lines) == 1
    if is_clear and len(first) <= NAME_LETTERS:
        return first
    return f"{name[: NAME_LETTERS - 1]}…"


def _even_steps(highest: int) -> list[int]:
    """Return up to five amounts from 0 up to *highest*, in equal round steps."""
    sizes = (round_one * 10**power for power in count() for round_one in (1, 2, 5))
    step = next(size for size in sizes if highest < 5 * size)
    return list(range(0, highest + 1, step))


def _highest_worth(worths: Sequence[Worths]) -> int:
    return max((worth for turn in worths for _, worth in turn.seats), default=0)


def _write_svg(drawing: Element, height: int) -> bytes:
    """Write a drawing as SVG, with its names moved apart, no script and no comment.

    pygal writes the date into a comment, so equal charts would be different files.
    """
    from xml.etree.ElementTree import tostring

    for node in list(drawing.iter()):
        for child in list(node):
            if child.tag == "script" or not isinstance(child.tag, str):
                node.remove(child)
    labels = [
        node
        for node in drawing.iter()
        if str(node.tag).endswith("text") and node.get("class") == "label"
    ]
    labels.sort(key=lambda node: float(node.get("y", "0")))
    # pygal puts a name below its dot; one letter's height up, it reads better.
    places = [float(node.get("y", "0")) - NAME_SIZE for node in labels]
    # pygal counts from the inner edge of the margin, so the outer edge is -MARGIN. Some
    # letters reach 4 pixels below their line.
    highest, lowest = NAME_SIZE - MARGIN, height - MARGIN - 4
    places = spread(places, NAME_HEIGHT, between=(highest, lowest))
    for node, y in zip(labels, places, strict=True):
        node.set("y", f"{y:.1f}")
    return tostring(drawing)


def spread(
    places: Sequence[float], apart: float, between: tuple[float, float]
) -> list[float]:
    """Move numbers on a line apart, each as little as needed.

    Places that are too close form a group, which is laid out around their mean. If
    that makes two groups overlap, they become one.

    Args:
        places: The places, ascending.
        apart: The least distance between two of them.
        between: The lowest and the highest place allowed, as long as there is room.
    """
    groups: list[list[float]] = []
    for place in places:
        group = [place]
        while groups and _group_start(group, apart) < _group_end(groups[-1], apart):
            group = groups.pop() + group
        groups.append(group)
    moved: list[float] = []
    for group in groups:
        start = _group_start(group, apart)
        moved += [start + apart * (index + 0.5) for index in range(len(group))]
    low, high = between
    # Move what lies outside the limits back in: from the low end, then the high one.
    for index in range(len(moved)):
        moved[index] = max(moved[index], low + apart * index)
    for index in range(len(moved)):
        moved[-1 - index] = min(moved[-1 - index], high - apart * index)
    return moved


def _group_start(group: list[float], apart: float) -> float:
    """Return where the room begins that a group needs around its mean."""
    return sum(group) / len(group) - apart * len(group) / 2


def _group_end(group: list[float], apart: float) -> float:
    return sum(group) / len(group) + apart * len(group) / 2
