"""The worth of everybody over the game as a chart, drawn by pygal.

The chart is a separate image, so no script in it runs and no style in it can affect
the page. Each line has its seat's colour, its own dashes and its player's name.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Final, cast

import msgspec

from companion.views.worth_history import Worths
from companion.words import Language

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

WIDTH: Final = 480
HEIGHT: Final = 160
MARGIN: Final = 8
LETTERS: Final = 15
"""Font size of the names beside their lines, in pixels of the chart."""


class WorthLine(msgspec.Struct, frozen=True):
    """A seat with a line in the chart."""

    seat: str
    name: str
    colour: str


class ChartLook(msgspec.Struct, frozen=True):
    """Colours of a chart: background, text, grid lines, and each seat's by its name."""

    ground: str
    ink: str
    rule: str
    seats: dict[str, str]


LOOKS: Final = {
    "light": ChartLook(
        "#faf4e3", "#16231d", "#d9cba2",
        {
            "red": "#b5322b", "blue": "#1f5fa8", "green": "#2a7337",
            "orange": "#b05410", "purple": "#75419b", "teal": "#0e6f76",
            "pink": "#b13a78", "silver": "#5d6670",
        },
    ),
    "dark": ChartLook(
        "#07100d", "#f3ead2", "#2f4a3f",
        {
            "red": "#ff857b", "blue": "#79b8ff", "green": "#74d38b",
            "orange": "#ffb260", "purple": "#cda5f5", "teal": "#58d3da",
            "pink": "#ff9bcd", "silver": "#c9d1d9",
        },
    ),
}  # fmt: skip
"""The colours of a chart, by theme."""

DASHES: Final = ("", "10 5", "2 5", "14 4 2 4", "6 3", "20 6", "2 3 8 3", "4 9")
"""The dashes of each seat's line, in the order of play: never a colour alone."""


DRAWING: Final = """.plot .series { animation: draw 6s 2s linear both; }
.text-overlay .series { animation: name 0.5s 8s both; }
@keyframes draw { from { clip-path: inset(-9px 100% -9px -9px); }
to { clip-path: inset(-9px); } }
@keyframes name { from { opacity: 0; } }"""
"""Has the lines draw themselves from the left, and each get its name in the end."""


def worth_chart(
    worths: Sequence[Worths],
    lines: Sequence[WorthLine],
    look: ChartLook,
    language: Language,
    *,
    draws: bool = False,
) -> bytes:
    """The chart as SVG.

    Args:
        worths: In the order of time; each becomes a step to the right.
        lines: Who has a line, in the order of play.
        look: The colours.
        language: The language in which amounts are written.
        draws: The lines draw themselves.
    """
    pygal = _pygal()
    longest = max((len(line.name) for line in lines), default=0)
    chart = pygal.Line(
        width=WIDTH, height=HEIGHT, style=_style(lines, look), js=(), show_legend=False,
        explicit_size=True,
        print_labels=True, print_values=False, show_only_major_dots=True,
        show_minor_x_labels=False, dots_size=4, margin=MARGIN,
        margin_right=24 + longest * LETTERS * 6 // 10,
        no_data_text="", y_labels_major_count=4, show_minor_y_labels=False,
        value_formatter=lambda amount: language.amount(int(amount)),
        include_x_axis=True, range=(0, max(_highest(worths), 1)),
    )  # fmt: skip
    chart.uuid = "worths"  # Not random: equal worths, equal chart.
    chart.x_labels = [str(at) for at in range(len(worths))]
    chart.x_labels_major = chart.x_labels[-1:]
    chart.show_x_labels = False
    for at, line in enumerate(lines):
        amounts: list[object] = [dict(one.seats).get(line.seat) for one in worths]
        if amounts and amounts[-1] is not None:
            amounts[-1] = {"value": amounts[-1], "label": line.name}
        dashes = DASHES[at % len(DASHES)]
        stroke = {"width": 3, "linecap": "butt", "linejoin": "round"}
        chart.add(line.name, amounts, stroke_style=stroke | {"dasharray": dashes})
    drawn = chart.render_tree()
    if draws:
        drawn.insert(0, _styling(DRAWING))
    return _with_labels_apart(drawn)


def _styling(text: str) -> Element:
    """Return an element of a drawing with that style."""
    from xml.etree.ElementTree import Element

    made = Element("style")
    made.text = text
    return made


def _style(lines: Sequence[WorthLine], look: ChartLook) -> object:
    """The chart's style for pygal: flat colours, solid grid lines, no animation."""
    colours = tuple(look.seats.get(line.colour, look.ink) for line in lines)
    return _pygal().style.Style(
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
        value_font_size=LETTERS,
        value_label_font_size=LETTERS,
        guide_stroke_color=look.rule,
        major_guide_stroke_color=look.rule,
        guide_stroke_dasharray="1 0",
        major_guide_stroke_dasharray="1 0",
        transition="none",
        opacity="1",
        stroke_opacity="1",
        stroke_width="3",
    )


def _pygal() -> ModuleType:
    """The pygal library, imported only when a chart is drawn.

    It adds an importer for its map plugins to ``sys.meta_path``, of a kind that Python
    3.11 warns about at every later import. We draw no maps, so it is removed.
    """
    import pygal
    import pygal.style

    sys.meta_path[:] = [one for one in sys.meta_path if hasattr(one, "find_spec")]
    return cast("ModuleType", pygal)


def _highest(worths: Sequence[Worths]) -> int:
    return max((worth for one in worths for _, worth in one.seats), default=0)


def _with_labels_apart(drawn: Element) -> bytes:
    """The drawing without script and comments, its names moved so that none overlap.

    The result depends only on what is drawn, not on the date.
    """
    from xml.etree.ElementTree import tostring

    for node in list(drawn.iter()):
        for other in list(node):
            if other.tag == "script" or not isinstance(other.tag, str):
                node.remove(other)  # Comments hold the date.
    labels = [
        node
        for node in drawn.iter()
        if str(node.tag).endswith("text") and node.get("class") == "label"
    ]
    labels.sort(key=lambda node: float(node.get("y", "0")))
    # pygal puts a name one letter's height below its dot; level with it reads better.
    places = [float(node.get("y", "0")) - LETTERS for node in labels]
    # Places are measured from inside the margin.
    places = spread(places, LETTERS + 2, (LETTERS - MARGIN, HEIGHT - MARGIN - 4))
    for node, y in zip(labels, places, strict=True):
        node.set("y", f"{y:.1f}")
    return tostring(drawn)


def spread(
    places: Sequence[float], apart: float, between: tuple[float, float]
) -> list[float]:
    """*places*, ascending, moved as little as needed to be *apart* from each other.

    Places that would touch are grouped around their common middle. All stay *between*
    two bounds, lowest and highest, as long as there is room for them.
    """
    groups: list[list[float]] = []
    for place in places:
        groups.append([place])
        while len(groups) > 1 and _low(groups[-1], apart) < _high(groups[-2], apart):
            last = groups.pop()
            groups[-1] += last
    found = [
        _low(group, apart) + apart * (at + 0.5)
        for group in groups
        for at in range(len(group))
    ]
    low, high = between
    for at in range(len(found)):  # From the low end up, then from the high end.
        found[at] = max(found[at], low + apart * at)
    for at in range(len(found)):
        found[-1 - at] = min(found[-1 - at], high - apart * at)
    return found


def _low(group: list[float], apart: float) -> float:
    return sum(group) / len(group) - apart * len(group) / 2


def _high(group: list[float], apart: float) -> float:
    return sum(group) / len(group) + apart * len(group) / 2
