"""A macro knows what it is given and what all templates know, nothing of its page."""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import nodes

from tests.running import ROOT
from tests.web.conftest import House

FOLDER = ROOT / "web" / "templates"
OF_JINJA = {"caller", "kwargs", "loop", "varargs"}


def names(node: nodes.Node, *how: str) -> set[str]:
    return {name.name for name in node.find_all(nodes.Name) if name.ctx in how}


def of_file(template: nodes.Template) -> Iterator[str]:
    """Yield what all macros of a file know: each other, and what it imports or sets."""
    yield from (macro.name for macro in template.find_all(nodes.Macro))
    yield from (one.target for one in template.find_all(nodes.Import))
    for one in template.find_all(nodes.FromImport):
        yield from (x if isinstance(x, str) else x[1] for x in one.names)
    for part in template.body:
        if not isinstance(part, nodes.Macro):
            yield from names(part, "store")


def test_a_macro_uses_no_value_of_a_page_that_it_was_not_given(house: House) -> None:
    """It is undefined there, and the page an error."""
    jinja, wrong = house.app.jinja_env, []
    parsed = {
        path.relative_to(FOLDER).as_posix(): jinja.parse(path.read_text("utf-8"))
        for path in FOLDER.rglob("*.html")
    }
    imported = {
        one.template.value
        for template in parsed.values()
        for one in template.find_all((nodes.Import, nodes.FromImport))
        if not one.with_context
    }
    assert len(imported) > 20
    for file in sorted(imported):
        known = {*jinja.globals, *OF_JINJA, *of_file(parsed[file])}
        for macro in parsed[file].find_all(nodes.Macro):
            left = names(macro, "load") - names(macro, "store", "param") - known
            wrong += [f"{file}: {macro.name}: {name}" for name in sorted(left)]
    assert wrong == []
