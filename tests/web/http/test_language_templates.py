"""No page has a word that only English phones can read."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from companion.game.rulebook import Rulebook
from tests.running import ROOT
from tests.sample import each
from tests.web.conftest import House, Phone
from tests.web.guided_table import guided, played

TEMPLATES = sorted((ROOT / "web" / "templates").rglob("*.html"))
UNREAD = r"\{% block (?:stream|kind|revision|first|named) %\}.*?\{% endblock %\}"
JINJA = re.compile(UNREAD + r"|\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
READ = ("alt", "title", "placeholder", "aria-label", "aria-description", "data-words")
"""Attributes that somebody reads or hears."""

EXCUSED = {
    (
        "photo_form.html",  # Attributes of forms, in a macro.
        'data-bytes-max="" data-sending="" data-looking="" data-too-large=""',
    ),
    ("frame.html", "· Table Companion"),  # The name of the program.
    ("codes.html", "sudo raspi-config nonint do_wifi_country DE"),  # To be typed.
    ("play_correct.html", "red cash 500"),  # Words of scripts, the same everywhere.
}


UNREAD = ("style", "script", "code", "cite")
"""What is not in the phone's language: a cited heading is in the sheet's own."""


class Words(HTMLParser):
    """What can be read of a page, attributes included."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self._unread = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unread += tag in UNREAD
        self.found += [value for name, value in attrs if name in READ and value]

    def handle_endtag(self, tag: str) -> None:
        self._unread -= tag in UNREAD

    def handle_data(self, data: str) -> None:
        if not self._unread and data.strip():
            self.found.append(" ".join(data.split()))


KEPT = re.compile(r"\{%-? macro.*?endmacro -?%\}", re.DOTALL)


@each("template", TEMPLATES)
def test_no_file_of_macros_keeps_a_word_of_its_first_reader(template: Path) -> None:
    """What stands outside of macros is worked out once for every phone."""
    text = re.sub(r"\{#.*?#\}", "", template.read_text(), flags=re.DOTALL)
    left = KEPT.sub("", text)
    is_only_macros = "macro " in text and not re.search(r"<\w|extends", left)
    if is_only_macros:
        assert not re.search(r"\b_n?\(", left)


@each("template", TEMPLATES)
def test_a_template_has_no_bare_word(template: Path) -> None:
    found = Words(JINJA.sub("", template.read_text())).found
    bare = {text for text in found if re.search("[A-Za-z]{2}", text)}
    excused = {text for name, text in EXCUSED if name == template.name}
    assert bare <= excused, "put these into _()"


def test_no_class_of_a_page_is_translated() -> None:
    for template in TEMPLATES:
        text = template.read_text()
        assert not re.search(r'class="[^"]*\{\{ _\(', text), template.name
        assert not re.search(r"block kind %\}[^%]*_\(", text), template.name


ENGLISH_TEXT = """
the and of to you your has have is are with by not no rent houses owes pays paid jail
deeds railroad railroads utility utilities street group cards rolled turn trade mortgage
mortgaged take give get what who whose nobody everybody banker space spaces brown pink
green yellow light dark waits for
"""
ENGLISH = frozenset(ENGLISH_TEXT.split())


def names_in(rules: Rulebook) -> set[str]:
    """What is printed on the board stays as it is; its lines may be drawn apart."""
    names = {one.name for one in (*rules.deeds, *rules.spaces)}
    return {word.lower() for name in names for word in re.findall("[A-Za-z]+", name)}


PAGES = ("", "deeds", "trade?taker=blue", "board", "history", "ending", "more")
BANKERS = ("bank", "pause", "begin", "more")


@pytest.mark.parametrize("edition", ["classic", "secret-vault"])
def test_a_german_phone_reads_no_english(house: House, edition: str) -> None:
    evening = guided(house, edition)
    for phone in (evening.anna, evening.host):
        assert phone.post("/language", language="de", back="/").status_code == 303
    for seed in range(6):
        played(evening, 12, seed)
        game = house.table.game(evening.game_id)
        assert game.board is not None
        printed = names_in(game.board.rules)
        for path in PAGES:
            check_german(evening.anna, f"/g/{evening.game_id}/{path}", printed)
        for path in BANKERS:
            check_german(evening.host, f"/g/{evening.game_id}/{path}", printed)


def check_german(phone: Phone, path: str, printed: set[str]) -> None:
    answer = phone.get(path)
    assert answer.status_code == 200, path
    for text in Words(answer.text).found:
        words = {word.lower() for word in re.findall("[A-Za-zÄÖÜäöüß]+", text)}
        assert not (words & ENGLISH) - printed, (path, text)
