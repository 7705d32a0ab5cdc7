"""Make a site of the documents that lie beside what they describe.

MkDocs calls the functions ``on_…``: pages come from where the documents are, and those
of the code from the README's table of the house, a page for each room.
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
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[([^\[\]]*)\]\((?!\w+:|#)([^)#\s]+)(#?[^)\s]*)\)")
NAME = re.compile(r"(?<!\[)`([\w/.]+)`(?!\])")
ARROW = re.compile(r" *(.+?) (?:-->|-\.(.+)\.->) ([^:\n]+)(?:: (.+))?")
LABEL = re.compile(r"(\w+)[\[(]+([^\])]+)[\])]+")


def rooms() -> dict[str, tuple[str, list[str]]]:
    """Return what stands in each room of the house, and its modules."""
    house = (ROOT / "README.md").read_text(encoding="utf-8").partition("| room |")[2]
    rows = re.findall(r"^\| (`.+?) \| (.+?) \|", house.partition("\n\n")[0], re.M)
    home: dict[str, str] = {}
    for room, _ in rows:
        for place in re.findall(r"`(.+?)`", room):
            files = ROOT.glob(place if place.endswith(".py") else f"{place}/*.py")
            home |= {path.relative_to(ROOT).as_posix(): room for path in files}
    inside = {room: sorted(p for p in home if home[p] == room) for room, _ in rows}
    return {room: (what, inside[room]) for room, what in rows if inside[room]}


def name_of(room: str) -> str:
    """Return what a room is called in the navigation."""
    return room.replace("`", "").replace("/*.py", "")


def page_of(room: str) -> str:
    """Return where a room's page is."""
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
    config.theme.static_templates.clear()  # They want to know the site's address.
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the documents, what they link to, and the pages of the code."""
    files.remove(files.src_uris["sitemap.xml"])
    wanted = {*LOOK, *(page for page in pages_in(config.nav) if (ROOT / page).exists())}
    for page in [page for page in wanted if page.endswith(".md")]:
        wanted |= {source for source, _ in linked(page).values()}
    for source in sorted(wanted):
        path = str(ROOT / source)
        files.append(File.generated(config, published(source), abs_src_path=path))
    for room, (what, modules) in rooms().items():
        told = "\n".join(f"::: {module_of(path)}" for path in modules)
        text = f"---\nsearch: {{exclude: true}}\n---\n# {room}\n\n{what}.\n\n{told}\n"
        files.append(File.generated(config, page_of(room), content=text))
    return files


def pages_in(nav: object) -> Iterator[str]:
    """Yield the documents that a navigation names."""
    if isinstance(nav, str) and nav.endswith(".md"):
        yield nav
    elif isinstance(nav, dict | list):
        for inner in nav.values() if isinstance(nav, dict) else nav:
            yield from pages_in(inner)


def linked(page: str) -> dict[str, tuple[str, str]]:
    """Return the file behind each link of a document, and its name on the site."""
    found = {}
    for _, link, _ in LINK.findall((ROOT / page).read_text(encoding="utf-8")):
        source = normpath(join(dirname(page), link))
        if (ROOT / source).is_dir():
            source = join(source, "README.md")
        if (ROOT / source).is_file():
            found[link] = (source, published(source))
    return found


def published(source: str) -> str:
    """Return a file's name on the site: a licence is a text that a browser shows."""
    return f"{source}.txt" if source.endswith("LICENSE") else source


def on_page_markdown(
    markdown: str, page: Page, config: MkDocsConfig, files: Files
) -> str:
    """Say in Python-Markdown what a git host understands, and link what has a page."""
    here = page.file.src_uri
    if page.is_homepage:
        page.meta["hide"] = ["navigation"]
    if here.startswith(("CHANGELOG", "tests/", "benchmarks/")):
        page.meta["search"] = {"boost": 0.3}  # Guides first.
    if not (ROOT / here).exists():
        return markdown
    start = dirname(here) or "."
    places = {link: relpath(name, start) for link, (_, name) in linked(here).items()}
    pages = pages_of_code() | {name: name for name in pages_in(config.nav)}
    names = {name: f"[`{name}`]({relpath(at, start)})" for name, at in pages.items()}

    def led(link: re.Match[str]) -> str:
        words, target, anchor = link.groups()
        if (ROOT / start / target).is_dir() and target not in places:
            return words  # A folder without a page.
        return f"[{words}]({places.get(target, target)}{anchor})"

    def prose(text: str) -> str:
        text = LINK.sub(led, text)
        text = NAME.sub(lambda name: names.get(name[1], name[0]), text)
        return re.sub("^ {3}(?=.)", " " * 4, text, flags=re.MULTILINE)

    parts: list[str] = []
    end = 0
    for fence in FENCE.finditer(markdown):
        parts += prose(markdown[end : fence.start()]), shown(fence)
        end = fence.end()
    return "".join([*parts, prose(markdown[end:])])


def pages_of_code() -> dict[str, str]:
    """Return where each room and each module is told of."""
    found: dict[str, str] = {}
    for room, (_, modules) in rooms().items():
        page = page_of(room)
        found |= dict.fromkeys(re.findall(r"`(.+?)`", room), page)
        found |= {path: f"{page}#{module_of(path)}" for path in modules}
    return found


def shown(fence: re.Match[str]) -> str:
    """Return a block as it is, but a Mermaid drawing as a table of its arrows.

    Its script would come from elsewhere.
    """
    if fence[1] != "mermaid":
        return fence[0]
    names = dict(LABEL.findall(fence[2]))
    rows = []
    for start, verb, end, when in ARROW.findall(LABEL.sub(r"\1", fence[2])):
        ends = ", ".join(names.get(name, name) for name in end.split(" & "))
        rows.append(f"| {names.get(start, start)} | {ends} | {verb or when} |")
    return "\n".join(["| from | to | |", "| --- | --- | --- |", *rows])
