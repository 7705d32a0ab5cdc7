"""Colours that meet can be told apart: 4.5 to 1 for words, 3 to 1 for signs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import web
from companion.rules.seats import COLOURS
from tests.web.conftest import Evening

STATIC = Path(web.__file__).parent / "static"
CSS = (STATIC / "panel.css").read_text()
DARK_CSS = (STATIC / "dark.css").read_text()

WORDS = [
    ("on-ground", "ground"),
    ("on-ground", "ground-deep"),
    ("on-ground-soft", "ground"),
    ("on-ground-soft", "ground-deep"),
    ("on-card", "card"),
    ("on-card-soft", "card"),
    ("on-card", "field"),
    ("on-card-soft", "field"),
    ("brass-text", "card"),
    ("on-brass", "brass"),
    ("on-brass", "brass-light"),
    ("on-vault-red", "vault-red"),
    *(("on-seat", f"seat-{colour}") for colour in COLOURS),
]
SIGNS = [
    ("focus", "ground"),
    ("focus-card", "card"),
    ("field-edge", "field"),
    ("on-brass", "brass"),
    ("focus", "ground-deep"),
]


def tokens(css: str) -> dict[str, str]:
    block = re.search(r":root\s*\{(.*?)\n\s*\}", css, re.DOTALL)
    assert block is not None
    return dict(re.findall(r"--([a-z-]+):\s*(#[0-9a-f]{6})", block[1]))


LIGHT = tokens(CSS)
THEMES = {
    "light": LIGHT,
    "dark": {**LIGHT, **tokens(DARK_CSS)},
}


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [
        x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_black_on_white_is_21():
    assert round(contrast("#000000", "#ffffff"), 2) == 21


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("ink", "ground"), WORDS)
def test_words_can_be_read(theme, ink, ground):
    assert contrast(THEMES[theme][ink], THEMES[theme][ground]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("ink", "ground"), SIGNS)
def test_signs_can_be_seen(theme, ink, ground):
    assert contrast(THEMES[theme][ink], THEMES[theme][ground]) >= 3


DARK_LINKS = {
    "auto": ["/static/dark.css screen and (prefers-color-scheme: dark)"],
    "dark": ["/static/dark.css screen"],
    "light": [],
}


@pytest.mark.parametrize("theme", DARK_LINKS)
def test_both_ways_to_the_dark_theme_are_the_same(calm: Evening, theme: str):
    phone = calm.house.guest()
    phone.client.set_cookie("theme", theme)
    link = r'href="(/static/dark\.css)[^"]*"\s+media="([^"]*)">'
    found = re.findall(link, phone.get(f"/g/{calm.game_id}/join").text)
    assert [f"{path} {media}" for path, media in found] == DARK_LINKS[theme]


def test_colours_of_the_dark_stand_in_one_file_alone():
    for path in STATIC.glob("*.css"):
        is_dark = "color-scheme: dark" in path.read_text()
        assert is_dark == (path.name == "dark.css"), path.name
