"""Hooks for MkDocs that make a site of the documents throughout the project.

MkDocs calls the functions ``on_…``. A *room* is a part of the code, a row of the
README's table of rooms; each gets a page of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from posixpath import dirname, join, normpath, relpath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
LOOK = ("web/static/mark.svg", "web/static/vendor/table-display.woff2")
"""The files of the panel that give the site its look."""
# In Markdown: a code block, a link, a file's name without a link.
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[([^\[\]]*)\]\((?!\w+:|#)([^)#\s]+)(#?[^)\s]*)\)")
NAME = re.compile(r"(?<!\[)`([\w/.]+)`(?!\])")
# In a Mermaid drawing: an arrow, and the label of a box.
ARROW = re.compile(r" *(.+?) (?:-->|-\.(.+)\.->) ([^:\n]+)(?:: (.+))?")
LABEL = re.compile(r"(\w+)[\[(]+([^\])]+)[\])]+")


def rooms() -> dict[str, tuple[str, list[str]]]:
    """Return each room's description and modules, from the README's table."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = readme.partition("| room |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| (`.+?) \| (.+?) \|", table, re.MULTILINE)
    room_of: dict[str, str] = {}  # The latest row that names a module counts.
    for room, _ in rows:
        for place in re.findall(r"`(.+?)`", room):
            files = ROOT.glob(place if place.endswith(".py") else f"{place}/*.py")
            room_of |= {path.relative_to(ROOT).as_posix(): room for path in files}
    modules: dict[str, list[str]] = {room: [] for room, _ in rows}
    for module in sorted(room_of):
        modules[room_of[module]].append(module)
    return {room: (text, modules[room]) for room, text in rows if modules[room]}


def name_of(room: str) -> str:
    """Return the name of a room in the navigation."""
    return room.replace("`", "").replace("/*.py", "")


def page_of(room: str) -> str:
    """Return the path of a room's page."""
    return f"code/{name_of(room).partition(',')[0].removesuffix('.py')}.md"


def module_of(path: str) -> str:
    """Return the name by which a file is imported."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the pages of the code at the end of the navigation."""
    assert config.nav
    *_, last = config.nav
    (pages,) = last.values()
    pages.append({"The code": [{name_of(room): page_of(room)} for room in rooms()]})
    config.theme.static_templates.clear()  # They need the site's address.
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the documents, the files to which they link, and the pages on the code."""
    files.remove(files.src_uris["sitemap.xml"])
    documents = {page for page in pages_in(config.nav) if (ROOT / page).exists()}
    sources = {*LOOK, *documents}
    for page in documents:
        sources |= {source for source, _ in linked(page).values()}
    for source in sorted(sources):
        path = str(ROOT / source)
        files.append(File.generated(config, published(source), abs_src_path=path))
    for room, (text, modules) in rooms().items():
        parts = "\n".join(f"::: {module_of(path)}" for path in modules)
        head = f"---\nsearch: {{exclude: true}}\n---\n# {room}"
        content = f"{head}\n\n{text}.\n\n{parts}\n"
        files.append(File.generated(config, page_of(room), content=content))
    return files


def pages_in(nav: object) -> Iterator[str]:
    """Yield the documents that a navigation names."""
    if isinstance(nav, str) and nav.endswith(".md"):
        yield nav
    elif isinstance(nav, dict | list):
        for inner in nav.values() if isinstance(nav, dict) else nav:
            yield from pages_in(inner)


def linked(page: str) -> dict[str, tuple[str, str]]:
    """Return the file behind each link, and its name on the site."""
    sources = {}
    for _, link, _ in LINK.findall((ROOT / page).read_text(encoding="utf-8")):
        source = normpath(join(dirname(page), link))
        if (ROOT / source).is_dir():
            source = join(source, "README.md")
        if (ROOT / source).is_file():
            sources[link] = (source, published(source))
    return sources


def published(source: str) -> str:
    """Return a file's name on the site; a licence gets one that browsers display."""
    return f"{source}.txt" if source.endswith("LICENSE") else source


def on_page_markdown(
    markdown: str, page: Page, config: MkDocsConfig, files: Files
) -> str:
    """Translate a git host's Markdown to Python-Markdown, and link names of files."""
    source = page.file.src_uri
    if page.is_homepage:
        page.meta["hide"] = ["navigation"]
    if source.startswith(("CHANGELOG", "tests/", "benchmarks/")):
        page.meta["search"] = {"boost": 0.3}  # Guides come first in a search.
    if not (ROOT / source).exists():
        return markdown
    start = dirname(source) or "."
    places = {link: relpath(name, start) for link, (_, name) in linked(source).items()}
    pages = pages_of_code() | {name: name for name in pages_in(config.nav)}
    links_to_names = {
        name: f"[`{name}`]({relpath(place, start)})" for name, place in pages.items()
    }

    def relinked(link: re.Match[str]) -> str:
        words, target, anchor = link.groups()
        if (ROOT / start / target).is_dir() and target not in places:
            return words  # A folder without a page.
        return f"[{words}]({places.get(target, target)}{anchor})"

    def prose(text: str) -> str:
        text = LINK.sub(relinked, text)
        text = NAME.sub(lambda name: links_to_names.get(name[1], name[0]), text)
        # Python-Markdown wants four spaces where a git host is content with three.
        return re.sub("^ {3}(?=.)", " " * 4, text, flags=re.MULTILINE)

    parts: list[str] = []
    end = 0
    for fence in FENCE.finditer(markdown):
        parts += prose(markdown[end : fence.start()]), without_mermaid(fence)
        end = fence.end()
    return "".join([*parts, prose(markdown[end:])])


def pages_of_code() -> dict[str, str]:
    """Return the page of each room, and the place on it of each module."""
    places: dict[str, str] = {}
    for room, (_, modules) in rooms().items():
        page = page_of(room)
        places |= dict.fromkeys(re.findall(r"`(.+?)`", room), page)
        places |= {path: f"{page}#{module_of(path)}" for path in modules}
    return places


def without_mermaid(fence: re.Match[str]) -> str:
    """Return a Mermaid drawing as a table of its arrows, and any other block unchanged.

    The script that draws it would have to come from another server.
    """
    if fence[1] != "mermaid":
        return fence[0]
    names = dict(LABEL.findall(fence[2]))
    rows = []
    for start, verb, end, when in ARROW.findall(LABEL.sub(r"\1", fence[2])):
        ends = ", ".join(names.get(name, name) for name in end.split(" & "))
        rows.append(f"| {names.get(start, start)} | {ends} | {verb or when} |")
    return "\n".join(["| from | to | |", "| --- | --- | --- |", *rows])
