"""Every response keeps the browser strict, and every page is whole by itself."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import web
from tests.web.conftest import Evening

STATIC = Path(web.__file__).parent / "static"

PAGES = [
    ("anna", "/g/{j}/"),
    ("anna", "/g/{j}/history"),
    ("anna", "/g/{j}/history?before=3"),
    ("anna", "/g/{j}/invite"),
    ("anna", "/g/{j}/pay?payee=blue&amount=50"),
    ("host", "/g/{j}/bank"),
    ("host", "/games"),
    ("host", "/g/{j}/join"),
    ("anna", "/table"),
    ("anna", "/nowhere"),
    ("anna", "/games"),
]


class Outline(HTMLParser):
    """What a screen reader would find."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.unlabelled: list[dict[str, str | None]] = []
        self.feed(text)
        labels = {a.get("for") for tag, a in self.tags if tag == "label"}
        self.nameless = [
            a
            for a in self.unlabelled
            if a.get("id") not in labels and not a.get("aria-label")
        ]

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.tags.append((tag, found))
        if tag == "label":
            self.open.append(tag)
        is_field = tag in ("input", "select", "textarea")
        if is_field and found.get("type") != "hidden" and not self.open:
            self.unlabelled.append(found)

    def handle_endtag(self, tag):
        if tag == "label":
            self.open.pop()


@pytest.mark.parametrize(("who", "path"), PAGES)
def test_a_page_is_well_made(calm: Evening, who, path):
    answer = getattr(calm, who).get(path.format(j=calm.game_id))
    text = answer.text
    outline = Outline(text)
    tags = [tag for tag, _ in outline.tags]
    assert tags.count("h1") == 1
    assert tags.count("main") == 1
    assert '<html lang="en"' in text
    assert "<title>" in text
    assert outline.nameless == []
    ids = [a["id"] for _, a in outline.tags if "id" in a]
    assert len(ids) == len(set(ids))
    for tag, attributes in outline.tags:
        assert "style" not in attributes, tag
        assert not any(name.startswith("on") for name in attributes), tag
        assert tag != "style"
        assert tag != "script" or "src" in attributes
        assert tag != "img" or "alt" in attributes


@pytest.mark.parametrize(("who", "path"), PAGES)
def test_a_page_asks_nobody_else_for_anything(calm: Evening, who, path):
    text = getattr(calm, who).get(path.format(j=calm.game_id)).text
    for address in re.findall(r"""(?:src|href|action)=["']([^"']*)""", text):
        assert address.startswith(("/", "#")), address
        assert not address.startswith("//")


def test_no_style_or_script_of_ours_reaches_out():
    for path in [*STATIC.glob("*.css"), *STATIC.glob("*.js"), *STATIC.glob("*.svg")]:
        text = path.read_text().replace("http://www.w3.org/", "")
        assert not re.search(r"https?://|@import|url\(['\"]?//", text), path.name


@pytest.mark.parametrize(
    "path",
    [*(path for _, path in PAGES), "/join.svg", "/api/games/{j}", "/static/panel.css"],
)
def test_every_response_keeps_the_browser_strict(calm: Evening, path):
    with calm.anna.get(path.format(j=calm.game_id)) as answer:
        headers = answer.headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "base-uri 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


def test_pages_are_not_kept_and_versioned_files_are(calm: Evening):
    page = calm.anna.get(f"/g/{calm.game_id}/")
    assert page.headers["Cache-Control"] == "no-store"
    styled = re.search(r'href="(/static/panel\.css\?v=[0-9a-f]+)"', page.text)
    assert styled is not None
    for path, words in ((styled[1], "immutable"), ("/static/panel.css", "no-cache")):
        with calm.anna.get(path) as answer:
            assert words in answer.headers["Cache-Control"]


def test_the_theme_is_kept_on_the_phone_and_leads_nowhere_else(evening: Evening):
    answer = evening.anna.post("/theme", theme="dark", back="//evil.example/")
    assert answer.headers["Location"] == "/"
    answer = evening.anna.post("/theme", theme="dark", back=f"/g/{evening.game_id}/")
    assert answer.headers["Location"] == f"/g/{evening.game_id}/"
    assert "/static/dark.css" in evening.anna.get(f"/g/{evening.game_id}/").text


def test_the_join_code_leads_to_the_address_that_was_set(make_house):
    from web.http.settings import PanelSettings

    house = make_house(settings=PanelSettings(address="http://192.168.7.7:8000"))
    answer = house.guest().get("/join.svg")
    assert answer.mimetype == "image/svg+xml"
    assert b"<svg" in answer.data
    assert "192.168.7.7:8000" in house.guest().get("/table").text
