"""The documents as a site: whole, of one house, and at home on a phone."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from playwright.sync_api import Browser

from tests.chromium import expect, new_context
from tests.test_docs import DOCUMENTS, ROOT

pytestmark = pytest.mark.slow

HERE = "http://127.0.0.1"
LOADS = {"src", "srcset", "poster", "data"}


class Links(HTMLParser):
    """What a page refers to, what it loads by itself, and where one may jump to."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.links, self.loads, self.ids = set(), set(), set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in LOADS or (name == "href" and tag != "a"):
                self.loads.add(value or "")
            elif name == "href":
                self.links.add(value or "")
            elif name == "id":
                self.ids.add(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs") / "site"
    config = ROOT / "release/site/mkdocs.yml"
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "-sf", config, "-d", folder],
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stdout
    assert all(line.startswith("INFO ") for line in built.stdout.splitlines())
    return folder


def pages(site: Path) -> dict[str, Links]:
    """Return every page by its address."""
    return {
        "/" + path.relative_to(site).as_posix().removesuffix("index.html"): Links(path)
        for path in sorted(site.rglob("*.html"))
    }


def test_every_link_leads_somewhere_and_nothing_loads_from_elsewhere(
    site: Path,
) -> None:
    found = pages(site)
    for address, page in found.items():
        for link in page.links | page.loads:
            to = urlsplit(urljoin(f"{HERE}{address}", link))
            if f"{to.scheme}://{to.netloc}" != HERE:
                assert link not in page.loads, f"{address} loads {link}"
                continue
            path = unquote(to.path)
            is_page = path in found
            assert is_page or (site / path[1:]).is_file(), f"{address}: {link}"
            anchor = unquote(to.fragment)
            if is_page and anchor and not anchor.startswith("__"):
                assert anchor in found[path].ids, f"{address}: {link}"


def test_no_style_loads_from_elsewhere(site: Path) -> None:
    for path in site.rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        for loaded in re.findall(r"url\(\s*[\"']?([^)\"']+)|@import", text):
            assert loaded.startswith("data:") or (path.parent / loaded).exists(), path


def test_every_document_is_a_page_and_the_search_knows_it(site: Path) -> None:
    index = json.loads((site / "search/search_index.json").read_text(encoding="utf-8"))
    known = {entry["location"].partition("#")[0] for entry in index["docs"]}
    for path in DOCUMENTS:
        source = path.relative_to(ROOT).as_posix()
        page = re.sub("README/$", "", source.removesuffix(".md") + "/")
        assert (site / page / "index.html").exists(), source
        assert page in known, source


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *words: object) -> None:
        """Say nothing of each request."""


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    served = partial(Quiet, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), served) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"{HERE}:{server.server_port}/"
        server.shutdown()
        thread.join()


QUESTIONS = [
    ("Install", "On a Raspberry Pi", "On a Raspberry Pi"),
    ("Build the vault", "Parts and wiring", "The vault's hardware"),
    ("Play", "Why was my note unsure?", "The decoder"),
]


@pytest.mark.browser
@pytest.mark.parametrize("width", [360, 1280])
def test_a_stranger_finds_the_way_without_internet(
    browser: Browser, address: str, width: int
) -> None:
    page = new_context(browser, viewport={"width": width, "height": 800}).new_page()
    elsewhere, said = [], []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on(
        "request",
        lambda asked: asked.url.startswith(address) or elsewhere.append(asked.url),
    )
    is_phone = width < 1000
    entry = "a.md-nav__link:not(.md-nav--secondary a)"
    for reader, link, title in QUESTIONS:
        page.goto(address)
        expect(page.locator("h1")).to_contain_text("Table Companion")
        if is_phone:
            page.locator("label.md-header__button[for=__drawer]").first.click()
            page.locator("nav.md-nav label", has_text=reader).first.click()
        else:
            page.locator(".md-tabs").get_by_role("link", name=reader).click()
        page.locator(entry, has_text=link).first.click()
        expect(page.locator("h1")).to_contain_text(title)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    # From a page opened anew: 125 ms after a jump within a page, as the last one above,
    # the theme closes the search. People take longer from a link to the search field.
    page.goto(f"{address}companion/decoder/")
    if is_phone:
        page.locator("label.md-header__button[for=__search]").first.click()
    field = page.locator("input[name=query]")
    field.click()  # It has to be seen for that; one can type into a hidden one.
    field.press_sequentially("re-code")
    expect(page.locator(".md-search-result__meta")).to_contain_text("matching")
    # A section with the words: not the page that it is on, whose link marks none, nor a
    # result for the letters before, whose list is just being replaced.
    page.locator(".md-search-result__link[href*='h=re+code']:visible").first.click()
    expect(page.locator("mark").first).to_be_attached()
    assert (elsewhere, said) == ([], [])
