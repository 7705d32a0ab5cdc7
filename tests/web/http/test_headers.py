"""Every response keeps the browser strict, and every page is whole by itself."""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote

import pytest

import web
from tests.sample import each
from tests.web.conftest import Evening, make_evening
from tests.web.forms import without_first
from tests.web.own_wifi import Pretended
from web.http.settings import PanelSettings

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


@each(("who", "path"), PAGES)
def test_a_page_is_well_made(calm: Evening, who, path):
    answer = getattr(calm, who).get(path.format(j=calm.game_id))
    text = without_first(answer.text)
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


@each(("who", "path"), PAGES)
def test_a_page_asks_nobody_else_for_anything(calm: Evening, who, path):
    text = without_first(getattr(calm, who).get(path.format(j=calm.game_id)).text)
    for address in re.findall(r"""(?:src|href|action)=["']([^"']*)""", text):
        assert address.startswith(("/", "#")), address
        assert not address.startswith("//")


def test_no_style_or_script_of_ours_reaches_out():
    for path in [*STATIC.glob("*.css"), *STATIC.glob("*.js"), *STATIC.glob("*.svg")]:
        text = path.read_text().replace("http://www.w3.org/", "")
        assert not re.search(r"https?://|@import|url\(['\"]?//", text), path.name


@each(
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


PACKED = {"Accept-Encoding": "br;q=1, gzip;q=0.8"}
PLAIN = ({}, {"Accept-Encoding": "identity"}, {"Accept-Encoding": "gzip;q=0"})


def test_a_file_of_text_goes_packed_to_whoever_takes_it_so(calm: Evening) -> None:
    for path in [*STATIC.glob("*.*s*"), STATIC / "vendor" / "idiomorph.min.js"]:
        name = f"/static/{path.relative_to(STATIC)}"
        with calm.anna.get(name, **PACKED) as packed, calm.anna.get(name) as plain:
            kinds = packed.headers["Content-Type"], plain.headers["Content-Type"]
            assert kinds[0] == kinds[1], name
            assert packed.headers["Content-Encoding"] == "gzip"
            assert gzip.decompress(packed.data) == plain.data == path.read_bytes()
            assert len(packed.data) == int(packed.headers["Content-Length"])


def test_what_is_packed_already_goes_as_it_is(calm: Evening) -> None:
    for name in ("vendor/table-display.woff2", "icon-192.png", "still.mp4"):
        with calm.anna.get(f"/static/{name}", **PACKED) as answer:
            assert "Content-Encoding" not in answer.headers
            assert "Vary" not in answer.headers
            assert answer.data == (STATIC / name).read_bytes()


@pytest.mark.parametrize("accepted", PLAIN, ids=("none", "plain", "refused"))
def test_a_file_of_text_goes_as_it_is_to_whoever_takes_no_other(
    calm: Evening, accepted: dict[str, str]
) -> None:
    with calm.anna.get("/static/panel.css", **accepted) as answer:
        assert "Content-Encoding" not in answer.headers
        assert answer.headers["Vary"] == "Accept-Encoding"
        assert answer.data == (STATIC / "panel.css").read_bytes()


@pytest.mark.parametrize("accepted", [PACKED, {}], ids=["packed", "plain"])
def test_a_file_that_a_browser_has_is_not_sent_again(calm, accepted) -> None:
    page = calm.anna.get(f"/g/{calm.game_id}/").text
    styled = re.search(r'href="(/static/panel\.css\?v=[0-9a-f]+)"', page)
    assert styled is not None
    with calm.anna.get(styled[1], **accepted) as answer:
        known = {"If-None-Match": answer.headers["ETag"]}
    with calm.anna.get(styled[1], **accepted, **known) as again:
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["ETag"] == known["If-None-Match"]
        assert again.headers["Vary"] == "Accept-Encoding"
        assert "immutable" in again.headers["Cache-Control"]
    other = {} if accepted else PACKED
    with calm.anna.get(styled[1], **other, **known) as changed:
        assert changed.status_code == 200
    with calm.anna.client.head(styled[1], headers=accepted) as head:
        assert (head.status_code, head.data) == (200, b"")
        assert head.headers["ETag"] == known["If-None-Match"]
        assert head.headers["Content-Length"] == answer.headers["Content-Length"]


def test_a_file_is_packed_once(calm: Evening, monkeypatch) -> None:
    name = "/static/panel.js"
    first = calm.anna.get(name, **PACKED).data
    monkeypatch.setattr("web.http.assets.gzip", None)
    assert calm.anna.get(name, **PACKED).data == first


def test_the_files_of_a_first_page_weigh_little(calm: Evening) -> None:
    """The font with them; only a home screen asks for its icon."""
    page = calm.house.guest().get(f"/g/{calm.game_id}/join").text
    files = set(re.findall(r'(?:href|src)="(/static/(?!icon)[^"#]+)', page))
    bytes_of = {}
    for name in files:
        with calm.anna.get(name, **PACKED) as answer:
            bytes_of[name] = len(answer.data)
    assert "/static/vendor/table-display.woff2" in bytes_of
    assert len(bytes_of) > 10
    assert sum(bytes_of.values()) < 50_000, bytes_of


def test_the_theme_is_kept_on_the_phone_and_leads_nowhere_else(evening: Evening):
    answer = evening.anna.post("/theme", theme="dark", back="//evil.example/")
    assert answer.headers["Location"] == "/"
    answer = evening.anna.post("/theme", theme="dark", back=f"/g/{evening.game_id}/")
    assert answer.headers["Location"] == f"/g/{evening.game_id}/"
    assert "/static/dark.css" in evening.anna.get(f"/g/{evening.game_id}/").text


def test_the_join_code_leads_to_the_address_that_was_set(make_house):
    house = make_house(settings=PanelSettings(where=Found("192.168.7.7:8000")))
    answer = house.guest().get("/join.svg")
    assert answer.mimetype == "image/svg+xml"
    assert b"<svg" in answer.data
    assert "192.168.7.7:8000" in house.guest().get("/table").text


@dataclass
class Found:
    """Where phones find the table, as tests have it."""

    at: str
    name_at: str = ""
    hotspot: Pretended = field(default_factory=lambda: Pretended(own=None))

    def address(self) -> str:
        return f"http://{self.at}" if self.at else ""

    def name(self) -> str:
        return self.name_at


def test_the_address_is_asked_for_whenever_it_is_shown(make_house):
    where = Found("192.168.7.7:8000")
    evening = make_evening(make_house(settings=PanelSettings(where=where)))
    shown = []
    for where.at, where.name_at in (
        ("192.168.7.7:8000", ""),
        ("10.42.0.1:8000", "vault-table.local:8000"),
    ):
        for path in ("/table", f"/g/{evening.game_id}/invite"):
            text = evening.anna.get(path).text
            assert where.at in text
            assert where.name_at in text
            code = re.search(r'src="(/join\.svg[^"]*)"', text)
            assert code is not None
            shown.append(evening.anna.get(unescape(code[1])).data)
            assert code[1].endswith(quote(where.at)), "or a browser shows the old one"
    assert shown[0] == shown[1] != shown[2] == shown[3]


@pytest.mark.parametrize("has_host", [False, True])
def test_on_no_network_the_tables_screen_says_so_and_shows_no_code(
    make_house, has_host
):
    house = make_house(settings=PanelSettings(where=Found("")))
    if has_host:
        make_evening(house)
    text = house.guest().get("/table").text
    assert "On no network yet" in text
    assert "join.svg" not in text
    assert "127.0.0.1" not in text
    answer = house.guest().get("/join.svg")
    assert (answer.status_code, "no_network" in answer.text) == (503, True)


def test_a_phone_that_came_all_the_same_passes_its_own_way_on(make_house):
    evening = make_evening(make_house(settings=PanelSettings(where=Found(""))))
    answer = evening.anna.client.get(
        f"/g/{evening.game_id}/invite",
        environ_base={"REMOTE_ADDR": "192.168.7.9"},
        headers={"Host": "vault-table.local:8000"},
    )
    assert "<b>vault-table.local:8000</b>" in answer.text
