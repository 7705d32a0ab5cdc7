"""A board, read off its picture hole by hole, joins what the circuit joins."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from hardware.wiring.draw import FOLDER
from hardware.wiring.nets import BOX, COIL, PARTS, SERVO, Nets
from hardware.wiring.schematic import BLACK, BLUE, PAPER, SHADE
from tests.sample import each

BOARDS = {"box-board.svg": BOX, "coil-board.svg": COIL, "servo-board.svg": SERVO}
Tree = ElementTree.Element
Hole = tuple[str, int]
"""The letter of a row and the number of a column, as they are printed."""


class Shape(NamedTuple):
    tag: str
    left: float
    top: float
    right: float
    bottom: float
    style: str
    words: str

    @property
    def x(self) -> float:
        return (self.left + self.right) / 2

    @property
    def y(self) -> float:
        return (self.top + self.bottom) / 2

    def holds(self, other: Shape) -> bool:
        is_below = self.top - 0.1 <= other.y <= self.bottom + 0.1
        return is_below and self.left - 0.1 <= other.x <= self.right + 0.1


class Part(NamedTuple):
    words: str
    lead: Shape
    body: Shape
    legs: list[tuple[str, Shape]]


def picture(name: str) -> Tree:
    return ElementTree.fromstring((FOLDER / name).read_text(encoding="utf-8"))


def shape(item: Tree) -> Shape:
    at = item.attrib
    # The words of a text stand one line below its place.
    down = sum(float(line.get("dy", 0)) for line in item)
    centre = f"{at.get('cx', at.get('x', 0))} {at.get('cy', at.get('y', 0))}"
    points = at.get("points", at.get("d", centre))
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", points)]
    xs, ys, radius = numbers[::2], numbers[1::2], float(at.get("r", 0))
    left, right = min(xs) - radius, max(xs) + radius
    top, bottom = min(ys) + down - radius, max(ys) + down + radius
    style = at.get("style", "") + at.get("transform", "")
    tag = item.tag.split("}")[1]
    return Shape(tag, left, top, right, bottom, style, "".join(item.itertext()))


def beside(at: Shape, others: list[Shape], side: int) -> Shape:
    """Return the nearest of *others* at the right of *at* (1), or at its left (-1)."""
    level = [s for s in others if abs(s.y - at.y) < 0.1 and (s.x - at.x) * side > 0]
    return min(level, key=lambda s: abs(s.x - at.x))


class Side:
    """One of the two boards of a picture, with what is drawn on it and around it."""

    def __init__(self, tree: Tree, at: int) -> None:
        every = [shape(item) for item in tree]
        self.board = [s for s in every if f"fill:{SHADE}" in s.style][at]
        on = [s for s in every if self.board.holds(s) and s != self.board]
        self.rings = [s for s in on if f"stroke:{BLUE}" in s.style]
        self.dots = [s for s in on if f"fill:{BLACK}" in s.style]
        self.bodies = [s for s in on if f"{BLACK};fill:{PAPER}" in s.style]
        self.bars = [s for s in on if "stroke-width:5;" in s.style]
        self.lines = [s for s in on if f"{BLACK};fill:none" in s.style]
        self.lines = [s for s in self.lines if s not in self.bars]
        self.texts = [s for s in on if s.tag == "text"]
        around = [s for s in every if s.tag == "text" and s not in on]
        above = [s for s in around if 0 < self.board.top - s.y < 30]
        self.columns = {int(s.words): s.x for s in above if s.words.isdigit()}
        level = [s for s in around if self.board.top < s.y < self.board.bottom]
        self.rows = {s.words: s.y for s in level if re.fullmatch("[A-Z]", s.words)}
        self.nets = {
            s.words: row
            for s in level
            for row, y in self.rows.items()
            if s.words != row and abs(s.y - y) < 0.1
        }
        self.pitch = (self.board.bottom - self.board.top) / len(self.rows)

    def hole(self, at: Shape) -> Hole:
        (row,) = (row for row, y in self.rows.items() if abs(at.y - y) < 0.1)
        (column,) = (name for name, x in self.columns.items() if abs(at.x - x) < 0.1)
        return row, column

    def parts(self) -> list[Part]:
        """Return what stands on the board, each with the letters beside its legs."""
        turned = [text for text in self.texts if "rotate" in text.style]
        words = {beside(text, self.lines, -1): text.words for text in turned}
        ends = [s for s in self.texts if re.fullmatch("[A-Z+-]", s.words)]
        letters = {beside(text, self.dots, 1): text.words for text in ends}
        assert len(words) == len(turned) == len(self.lines)
        assert len(letters) == len(ends)
        parts = []
        for lead in self.lines:
            legs = [(letters.get(s, ""), s) for s in self.dots if lead.holds(s)]
            (body,) = (s for s in self.bodies if lead.holds(s))
            parts.append(Part(words[lead], lead, body, legs))
        return parts

    def legs(self) -> list[tuple[str, Hole]]:
        """Return the name of each leg, as what is beside it says, and its hole."""
        named = [
            (f"{part.words.split()[0]} {letter}", leg)
            for part in self.parts()
            for letter, leg in part.legs
        ]
        for ring in self.rings:
            words = beside(ring, self.texts, 1).words
            named.append((words.replace("pin", "Pi"), ring))
        return [(words.strip().replace(" ", "."), self.hole(at)) for words, at in named]


def bare(legs: tuple[str, ...]) -> list[str]:
    """Return *legs* without the ends 1 and 2, which may be swapped."""
    return sorted(re.sub(r"(?<!Pi)\.[12]$", "", leg) for leg in legs)


def check(tree: Tree, nets: Nets) -> None:
    """Compare what each side joins with *nets*, and the sides with each other."""
    front, back = Side(tree, 0), Side(tree, 1)
    check_print(front, back)
    legs = front.legs()
    leg_in = {hole: leg for leg, hole in legs}
    assert len(leg_in) == len(legs) == len(front.dots) + len(front.rings)
    expected = {net: bare(joined) for net, joined in nets.items()}
    assert expected == {
        net: sorted(leg for leg, (row, _) in legs if row == named)
        for net, named in front.nets.items()
    }
    assert sorted(map(back.hole, back.dots)) == sorted(leg_in)
    joined = {frozenset([back.hole(dot)]) for dot in back.dots}
    for wire in back.lines:
        touched = {back.hole(dot) for dot in back.dots if wire.holds(dot)}
        groups = {group for group in joined if group & touched}
        joined = joined - groups | {frozenset[Hole]().union(*groups)}
    wired = sorted(sorted(leg_in[hole] for hole in group) for group in joined)
    assert wired == sorted(expected.values())


def check_print(front: Side, back: Side) -> None:
    """Compare the letters, numbers and names of the sides: the back is the mirror."""
    assert list(front.rows) == list(back.rows) == sorted(front.rows)
    assert front.nets == back.nets
    assert front.columns.keys() == back.columns.keys()
    for side in (front, back):
        for row, y in enumerate(side.rows.values()):
            assert abs(y - side.board.top - (row + 0.5) * front.pitch) < 0.1
    for column in front.columns:
        from_edge = (column - 0.5) * front.pitch
        assert abs(front.columns[column] - front.board.left - from_edge) < 0.1
        assert abs(back.board.right - back.columns[column] - from_edge) < 0.1


@each("name", BOARDS)
def test_both_sides_join_what_the_circuit_joins(name: str) -> None:
    check(picture(name), BOARDS[name])


@each("name", BOARDS)
def test_each_part_stands_once_with_its_value_and_joints_are_counted(name: str) -> None:
    front = Side(picture(name), 0)
    names = [part.words.split()[0] for part in front.parts()]
    assert [part.words for part in front.parts()] == [f"{n} {PARTS[n]}" for n in names]
    assert len(set(names)) == len(names) == len(front.bodies)
    joints = len(front.dots) + len(front.rings)
    assert f"{joints} joints on " in "".join(picture(name).itertext())


@each("name", BOARDS)
def test_bodies_have_room_and_legs_reach(name: str) -> None:
    front = Side(picture(name), 0)
    for one, other in combinations(front.parts(), 2):
        a, b = one.body, other.body
        room = max(a.left, b.left) - min(a.right, b.right)
        is_hot = {"R1", "R15"} & {one.words.split()[0], other.words.split()[0]}
        assert room > (5 / 2.54 * front.pitch if is_hot else 0) or (
            max(a.top, b.top) > min(a.bottom, b.bottom)
        )
    for part in front.parts():
        assert front.board.left < part.body.left < part.body.right < front.board.right
        assert front.board.top < part.body.top < part.body.bottom < front.board.bottom
        assert part.lead.bottom - part.lead.top < 12.1 * front.pitch
        if part.words[0] in "RD" and part.body.tag == "polygon":  # It lies.
            leads = (
                part.lead.bottom - part.lead.top - (part.body.bottom - part.body.top)
            )
            assert leads > 1.2 / 2.54 * front.pitch


SEEN_FROM_ITS_FRONT = {"Q1": "BCE", "Q2": "CBE"}
"""The legs from left to right: data sheets of TIP120 and BC337."""


@each("name", BOARDS)
def test_bars_tell_how_each_part_is_turned(name: str) -> None:
    front = Side(picture(name), 0)
    lettered = [part for part in front.parts() if part.legs[0][0]]
    assert len(lettered) == len(front.bars)
    for words, _, body, legs in lettered:
        (bar,) = (bar for bar in front.bars if body.holds(bar))
        part = words.split()[0]
        if part in SEEN_FROM_ITS_FRONT:
            # The bar is the metal back of Q1, and the flat front of Q2.
            looks_right = (bar.x > body.x) == (part == "Q1")
            # Whoever looks to the right has the lower hole at the right hand.
            order = sorted(legs, key=lambda leg: leg[1].y, reverse=not looks_right)
            assert "".join(end for end, _ in order) == SEEN_FROM_ITS_FRONT[part]
            assert [abs(leg.y - body.y) < 1.1 * front.pitch for _, leg in legs] == [
                True
            ] * 3
        else:
            end, _ = min(legs, key=lambda leg: abs(leg[1].y - bar.y))
            assert end in "K-"


def find(tree: Tree, style: str) -> list[Tree]:
    return [item for item in tree if style in shape(item).style]


def lower(tree: Tree, item: Tree) -> None:
    """Move a circle down by a row."""
    item.set("cy", str(float(item.attrib["cy"]) + Side(tree, 0).pitch))


def unmirror(tree: Tree, *tags: str) -> None:
    """Turn what the back shows round, so that it is as the front has it."""
    board = Side(tree, 1).board
    turn = board.left + board.right
    for item in tree:
        at = shape(item)
        if at.tag in tags and at.left > board.left and at.y > board.top - 30:
            for key, value in item.attrib.items():
                if key in ("x", "cx"):
                    item.set(key, str(turn - float(value)))
                elif key == "d":
                    xs = re.sub(
                        r"[\d.]+,", lambda x: f"{turn - float(x[0][:-1])},", value
                    )
                    item.set(key, xs)


def swap(one: Tree, other: Tree) -> None:
    one[0].text, other[0].text = other[0].text, one[0].text


MISTAKES: dict[str, Callable[[Tree], None]] = {
    "leg one row off": lambda tree: lower(tree, find(tree, f"fill:{BLACK}")[0]),
    "wire of a cable one row off": lambda tree: lower(tree, find(tree, BLUE)[0]),
    "joint one row off": lambda tree: lower(tree, find(tree, f"fill:{BLACK}")[-1]),
    "row that nothing joins": lambda tree: tree.remove(find(tree, "width:3;")[-1]),
    "two labels swapped": lambda tree: swap(*find(tree, "rotate")[:2]),
    "joints not mirrored": lambda tree: unmirror(tree, "circle", "path"),
    "back not mirrored": lambda tree: unmirror(tree, "circle", "path", "text"),
}


@each("mistake", MISTAKES)
def test_a_mistake_on_a_board_is_found(mistake: str) -> None:
    for name, nets in BOARDS.items():
        tree = picture(name)
        MISTAKES[mistake](tree)
        with pytest.raises((AssertionError, ValueError)):
            check(tree, nets)
